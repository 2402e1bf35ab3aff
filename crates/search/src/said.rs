//! What a page says at one time: its passages, each known by what it says.
//!
//! Most pages say what they said before, so title and languages are only told of texts that turn out to be new.

use std::cell::OnceCell;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;

use kuai_archive::{CutPage, Passage};
use kuai_page::Label;
use rustc_hash::FxHashMap;

use crate::language::Language;
use crate::lifetimes::Says;

/// Bytes of a passage that decide its language on their own; shorter ones go by their page, as telling languages costs more than all the
/// rest of indexing a short text.
const OWN_LANGUAGE_BYTES_MIN: usize = 400;

/// Letters of a page that are read to tell its language.
const PAGE_LETTERS: usize = 2_000;

/// Letters of a title that are kept.
const TITLE_LETTERS_MAX: usize = 200;

/// What a block says, by a hash of its words: the same on every page and at every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u64);

/// What a block says, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) text: String,
    /// Which piece of its page it is.
    pub(crate) piece: usize,
    /// What it is for.
    pub(crate) label: Option<Label>,
    /// What it is about.
    pub(crate) topic: Option<String>,
    /// The language of its words.
    pub(crate) language: Language,
    /// The title of its page.
    pub(crate) title: Arc<str>,
}

/// A page with what its blocks say.
pub(crate) struct SaidPage {
    page: CutPage,
    /// In source order, each text once.
    passages: Vec<(BlockId, Passage)>,
    places: FxHashMap<BlockId, usize>,
    language: OnceCell<Language>,
    title: OnceCell<Arc<str>>,
}

impl BlockId {
    /// The block that says this.
    pub fn of(text: &str) -> BlockId {
        let mut hasher = blake3::Hasher::new();
        for word in text.split_whitespace() {
            hasher.update(word.as_bytes());
            hasher.update(b" ");
        }
        let hash = hasher.finalize();
        BlockId(u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a BLAKE3 hash is 32 bytes long")))
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

impl SaidPage {
    pub(crate) fn new(page: CutPage) -> SaidPage {
        let (mut passages, mut places) = (Vec::new(), FxHashMap::default());
        for passage in page.passages() {
            let block = BlockId::of(&passage.text);
            if let Entry::Vacant(place) = places.entry(block) {
                place.insert(passages.len());
                passages.push((block, passage));
            }
        }
        SaidPage { page, passages, places, language: OnceCell::new(), title: OnceCell::new() }
    }

    fn title(&self) -> Arc<str> {
        let read = || self.page.page.title().chars().take(TITLE_LETTERS_MAX).collect::<String>().into();
        Arc::clone(self.title.get_or_init(read))
    }

    /// The language of most of the page: of its main text, where there is any.
    fn language(&self) -> Language {
        *self.language.get_or_init(|| {
            let passages = || self.passages.iter().map(|(_, passage)| passage);
            let is_main = |passage: &&Passage| passage.label == Some(Label::Main);
            let others = passages().filter(|passage| !is_main(passage));
            let mut text = String::new();
            for passage in passages().filter(is_main).chain(others) {
                text.push_str(&passage.text);
                text.push('\n');
                if text.len() >= PAGE_LETTERS {
                    break;
                }
            }
            Language::of_text(&text).unwrap_or_default()
        })
    }
}

impl Says for SaidPage {
    fn blocks(&self) -> Vec<BlockId> {
        self.passages.iter().map(|(block, _)| *block).collect()
    }

    fn said(&self, block: BlockId) -> Option<Said> {
        let (_, passage) = &self.passages[*self.places.get(&block)?];
        let title = self.title();
        // The title in a page's head stands in no block; it is a title all the same.
        let is_title = passage.label.is_none() && passage.text == *title;
        Some(Said {
            text: passage.text.clone(),
            piece: passage.piece,
            label: if is_title { Some(Label::Title) } else { passage.label },
            topic: passage.topic.clone(),
            language: own_language(&passage.text).unwrap_or_else(|| self.language()),
            title,
        })
    }
}

fn own_language(text: &str) -> Option<Language> {
    (text.len() >= OWN_LANGUAGE_BYTES_MIN).then(|| Language::of_text(text)).flatten()
}
