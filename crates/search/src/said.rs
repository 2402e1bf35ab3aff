//! What a page says at one time: its passages, each known by what it says.

use std::fmt;

use kuai_archive::{CutPage, Passage};
use kuai_page::Label;

use crate::language::Language;

/// Letters of a passage that decide its language on their own; shorter ones go by their page.
const OWN_LANGUAGE_LETTERS_MIN: usize = 200;

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
    /// What it is known by.
    pub(crate) block: BlockId,
    /// Its words.
    pub(crate) text: String,
    /// What it is for.
    pub(crate) label: Option<Label>,
    /// What it is about.
    pub(crate) topic: Option<String>,
    /// The language of its words.
    pub(crate) language: Language,
}

/// A page with what its blocks say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SaidPage {
    pub(crate) title: String,
    /// In source order, each text once.
    pub(crate) blocks: Vec<Said>,
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

/// What a page says.
pub(crate) fn said(page: &CutPage) -> SaidPage {
    let passages = page.passages();
    let page_language = page_language(&passages);
    let mut blocks: Vec<Said> = Vec::with_capacity(passages.len());
    let mut seen = rustc_hash::FxHashSet::default();
    for passage in passages {
        let block = BlockId::of(&passage.text);
        if seen.insert(block) {
            let language = own_language(&passage.text).unwrap_or(page_language);
            blocks.push(Said { block, text: passage.text, label: passage.label, topic: passage.topic, language });
        }
    }
    SaidPage { title: page.page.title().chars().take(TITLE_LETTERS_MAX).collect(), blocks }
}

fn own_language(text: &str) -> Option<Language> {
    (text.len() >= OWN_LANGUAGE_LETTERS_MIN).then(|| Language::of_text(text)).flatten()
}

/// The language of most of a page: of its main text, where there is any.
fn page_language(passages: &[Passage]) -> Language {
    let mut text = String::new();
    let is_main = |passage: &&Passage| passage.label == Some(Label::Main);
    let others = passages.iter().filter(|passage| !is_main(passage));
    for passage in passages.iter().filter(is_main).chain(others) {
        text.push_str(&passage.text);
        text.push('\n');
        if text.len() >= PAGE_LETTERS {
            break;
        }
    }
    Language::of_text(&text).unwrap_or_default()
}
