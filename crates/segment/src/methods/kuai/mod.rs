//! `kuai`, the default method: a small model trained on labelled pages says how likely each unit of text is main text.
//!
//! page → outline of units → columns → type of page → first stage → second stage, which sees what the first said of units around → the
//! bound that promises the best F1 for this page. What is not main text is labelled by rules after SPCOLA's (`kinds.rs`): labelled
//! pages that tell adverts from menus are too few to learn from. No paper; trained by `training/extract.py`, described in docs/methods.md.

mod alike;
mod asides;
mod columns;
mod comments;
mod context;
mod decide;
mod features;
mod groups;
mod head;
mod headings;
mod hub;
mod kept;
mod kinds;
mod leads;
mod marks;
mod model;
mod names;
mod others;
mod outline;
mod policies;
mod reading;
mod ruled_out;
mod sections;
mod standfirst;
mod stops;
mod subject;
mod table_of_contents;
mod tables;
mod terms;
mod topic;
mod way;
mod wholes;
mod wiki;

use kuai_page::{BlockTree, Page, Tag};

use super::{Method, Parameter, Settings};
use crate::blocks::BlockStyle;
use crate::{Judged, PageType, Segmenter, TypeGuess};
use columns::Columns;
pub use features::{FeatureElement, FeatureUnit, Features, features};
use head::Head;
use kept::Known;
use model::MODEL;
use outline::Outline;
use subject::Subject;

pub(super) const METHOD: Method = Method {
    name: "kuai",
    summary: "a small model judges every unit of text; the default",
    origin: "trained for kuai on labelled pages",
    tells_related_links: true,
    keeps_hidden_text: true,
    reads_styles: false,
    keeps_titles: false,
    parameters: &[
        Parameter {
            name: "leaning",
            symbol: "",
            summary: "-1 keeps only what is surely main text, 1 also what may be",
            default: 0.0,
            min: -1.0,
            max: 1.0,
        },
        Parameter {
            name: "style",
            symbol: "",
            summary: "1 for regions with parts inside them, 2 for parts one after another, 0 for what suits the page",
            default: 0.0,
            min: 0.0,
            max: 2.0,
        },
    ],
    make: |settings: &Settings| {
        let style = match settings.get("style") {
            style if style >= 1.5 => Some(BlockStyle::Flat),
            style if style >= 0.5 => Some(BlockStyle::Nested),
            _ => None,
        };
        Box::new(Kuai { leaning: settings.get("leaning") as f32, style })
    },
};

struct Kuai {
    leaning: f32,
    /// How blocks lie; `None` where the page is to tell.
    style: Option<BlockStyle>,
}

impl Segmenter for Kuai {
    fn cut(&self, page: &Page) -> BlockTree {
        let (judged, is_chinese) = self.judge_all(page);
        marks::marked(page, self.style.unwrap_or_else(|| style_of(page, &judged, is_chinese)), &judged.tree)
    }

    fn judge(&self, page: &Page) -> Judged {
        self.judge_all(page).0
    }

    fn judge_main(&self, page: &Page) -> Judged {
        self.judge_by(page, |outline, _, _, kept| kinds::main_blocks(page, &groups::runs(outline, kept))).0
    }
}

impl Kuai {
    /// What the model says of a page, every block of it labelled, and whether the page is Chinese.
    fn judge_all(&self, page: &Page) -> (Judged, bool) {
        self.judge_by(page, |outline, subject, title, kept| {
            kinds::blocks(page, outline, subject, title, &groups::groups(outline, kept, title))
        })
    }

    /// The same with the blocks that `blocks` makes of it, of what it is about, of the place of its title and of what is kept.
    fn judge_by(
        &self,
        page: &Page,
        blocks: impl FnOnce(&Outline, &Subject, Option<usize>, &[bool]) -> BlockTree,
    ) -> (Judged, bool) {
        let head = Head::read(page);
        let subject = Subject::of(&head);
        let outline = Outline::read(page, &subject);
        let columns = Columns::read(page, &outline, &head, &subject);
        let judgement = MODEL.judge(&outline, &columns);
        let title = columns.title();
        // They take as much memory as the page, and so does what follows.
        drop(columns);
        let best = decide::best_expected(&outline, &judgement.likely);
        let known = Known { outline: &outline, judgement: &judgement, head_title: &head.title, title, best };
        let kept = known.kept();
        if let Some(tree) = hub::blocks(page, &outline, &judgement, &kept) {
            let page_type = Some(TypeGuess { page_type: PageType::Hub, confidence: None });
            return (Judged { tree, page_type, expected_f1: None }, judgement.is_chinese);
        }
        let kept = known.leant(kept, self.leaning);
        let tree = blocks(&outline, &subject, title, &kept);
        let page_type = Some(TypeGuess::of(&judgement.types));
        (Judged { tree, page_type, expected_f1: Some(best) }, judgement.is_chinese)
    }
}

/// How sure one must be of the text of a page with few links to take it for one that is there to be read, whatever its type.
const READ_F1_MIN: f32 = 0.9;
const READ_LINKS_MAX: usize = 30;

/// How people would mark the blocks of a page: those of one that is there to be read lie one after another, those of a page of many things
/// inside each other. The types of Chinese pages are little known, so of those all are read that are not there for their links; what a site shows
/// first is no article, however much like one it looks.
fn style_of(page: &Page, judged: &Judged, is_chinese: bool) -> BlockStyle {
    let is_text = |guess: TypeGuess| match guess.page_type {
        PageType::Article | PageType::Documentation | PageType::Forum => true,
        page_type => is_chinese && page_type != PageType::Hub,
    };
    let dom = page.dom();
    let has_few_links =
        || dom.descendants(dom.root()).filter(|&node| dom.tag(node) == Tag::A).count() <= READ_LINKS_MAX;
    let is_home = || page.url().is_some_and(|url| url.path() == "/" && url.query().is_none());
    let is_sure = judged.expected_f1.is_some_and(|expected| expected >= READ_F1_MIN);
    let is_read = (judged.page_type.is_some_and(is_text) && !is_home()) || (is_sure && has_few_links());
    if is_read { BlockStyle::Flat } else { BlockStyle::Nested }
}

#[cfg(test)]
mod tests;
