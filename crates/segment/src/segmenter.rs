//! The trait that every method implements.

use kuai_page::{BlockTree, Page, Span};

use crate::features::PageKind;
use crate::page_type::{PageType, TypeGuess};

/// Cuts pages into blocks. Never fails, and gives the same tree for the same page.
pub trait Segmenter: Send + Sync {
    /// The blocks of this page, without topics; any page has at least one unless its source is empty.
    fn cut(&self, page: &Page) -> BlockTree;

    /// What a block of this page is about; `None` where it shows no text, and from methods that name no topics.
    fn topic(&self, _page: &Page, _block: Span) -> Option<String> {
        None
    }

    /// The blocks of this page, each with its topic. Whoever keeps few topics cuts and asks for those alone.
    fn segment(&self, page: &Page) -> BlockTree {
        let mut tree = self.cut(page);
        for (span, _, topic) in tree.blocks_mut() {
            *topic = self.topic(page, span);
        }
        tree
    }

    /// What is main text of this page and what is not, for those who want its text and not its blocks.
    fn judge(&self, page: &Page) -> Judged {
        self.cut(page).into()
    }

    /// The same for those who want the main text alone: what the rest is for may be left unsaid.
    fn judge_main(&self, page: &Page) -> Judged {
        self.judge(page)
    }
}

/// What a method says of a page to those who want its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The page in pieces as small as it takes to tell them apart, each with what it is for. For most methods these are its blocks.
    pub tree: BlockTree,
    /// What sort of page it is, from methods that say so.
    pub page_type: Option<TypeGuess>,
    /// The F1 that the main text can be expected to have, from methods that know how sure they are.
    pub expected_f1: Option<f32>,
}

/// How sure one must be that a page is there to be read, whatever its links.
const READ_CONFIDENCE_MIN: f32 = 0.8;

impl Judged {
    /// Whether the page has a text of its own or leads to others: what it is there for tells that better than its links, where it is surely known.
    pub fn kind(&self, by_links: PageKind) -> PageKind {
        let is_read = |page_type| matches!(page_type, PageType::Article | PageType::Documentation | PageType::Forum);
        match self.page_type {
            Some(TypeGuess { page_type: PageType::Hub, .. }) => PageKind::Hub,
            Some(TypeGuess { page_type, confidence: Some(confidence) })
                if is_read(page_type) && confidence >= READ_CONFIDENCE_MIN =>
            {
                PageKind::Topic
            }
            _ => by_links,
        }
    }
}

impl From<BlockTree> for Judged {
    fn from(tree: BlockTree) -> Judged {
        Judged { tree, page_type: None, expected_f1: None }
    }
}
