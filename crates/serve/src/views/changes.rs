//! How a version differs from the one before it, as lists of versions tell it.

use kuai::{ChangeCounts, ChangeKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::words::Words;

/// See above. All counts are 0 for the first version, and for what was seen again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Changes {
    /// Whether there was nothing before it.
    pub(crate) is_first: bool,
    /// Whether the same was there before.
    pub(crate) is_again: bool,
    /// Whether the text that the page is there for reads otherwise.
    pub(crate) is_content: bool,
    /// Blocks that say something else.
    pub(crate) changed: u32,
    /// Blocks that were not there before.
    pub(crate) added: u32,
    /// Blocks that were there before.
    pub(crate) removed: u32,
    /// Blocks that stand elsewhere.
    pub(crate) moved: u32,
    /// What sorts of things changed.
    #[schema(value_type = Vec<String>)]
    pub(crate) kinds: Vec<Kind>,
}

/// A sort of thing that changed, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(pub(crate) ChangeKind);

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0.name())
    }
}

impl Changes {
    /// From what an entry says of itself; nothing is said of what was seen again.
    pub(crate) fn of(is_first: bool, counts: Option<&ChangeCounts>) -> Changes {
        let Some(counts) = counts else { return Changes { is_again: true, ..Changes::default() } };
        if is_first {
            return Changes { is_first, ..Changes::default() };
        }
        Changes {
            is_first,
            is_again: false,
            is_content: counts.is_content_changed(),
            changed: counts.changed,
            added: counts.added,
            removed: counts.removed,
            moved: counts.moved,
            kinds: counts.kinds.iter().map(Kind).collect(),
        }
    }

    /// In words: `2 changed, 1 added · main text, navigation`.
    pub(crate) fn told(&self, w: &Words) -> String {
        if self.is_first {
            return w.first_version.to_owned();
        }
        if self.is_again {
            return w.seen_again.to_owned();
        }
        let counts = [
            (self.changed, w.blocks_changed),
            (self.added, w.blocks_added),
            (self.removed, w.blocks_removed),
            (self.moved, w.blocks_moved),
        ];
        let told: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, phrase)| w.count(phrase, *count)).collect();
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| w.change_kind(kind.0)).collect();
        match (told.is_empty(), kinds.is_empty()) {
            (true, true) => w.nothing_changed.to_owned(),
            (true, false) => format!("{} · {}", w.unseen_change, kinds.join(w.comma)),
            (false, true) => told.join(w.comma),
            (false, false) => format!("{} · {}", told.join(w.comma), kinds.join(w.comma)),
        }
    }
}
