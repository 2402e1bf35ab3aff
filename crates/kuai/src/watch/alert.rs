//! What rang: the blocks of one page that one capture shows to have appeared, changed or vanished.

use kuai_archive::WordChange;
use kuai_page::{Label, Timestamp};

/// What one capture of a page has to say to a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The number of the watch.
    pub watch: u32,
    /// What it watches, as somebody wrote it.
    pub subject: String,
    /// The place of the capture in the change feed.
    pub sequence: u64,
    /// The page.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The capture before; none where the page is new.
    pub before: Option<Timestamp>,
    /// The capture.
    pub time: Timestamp,
    /// The blocks, in the order of the page; a bounded number.
    pub blocks: Vec<AlertBlock>,
    /// How many more there are.
    pub more: usize,
}

/// What became of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertBlock {
    /// What happened to it.
    pub happening: Happening,
    /// What it is for; none for text outside all blocks.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
    /// Its text with what differs in it, in bounded length.
    pub words: Vec<WordChange>,
}

/// What happened to a block between two captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Absent in the earlier, present in the later.
    Appeared,
    /// In both, and says something else.
    Changed,
    /// Present in the earlier, absent in the later.
    Vanished,
}

impl Alert {
    /// What it is known by, the same whenever and to whomever it is told.
    pub fn id(&self) -> String {
        format!("kuai-watch-{}-{}", self.watch, self.sequence)
    }
}

impl Happening {
    /// The name used in JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Happening::Appeared => "appeared",
            Happening::Changed => "changed",
            Happening::Vanished => "vanished",
        }
    }
}
