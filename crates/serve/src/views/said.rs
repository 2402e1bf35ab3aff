//! Words in two versions, as pages that compare tell them.

use kuai::{WordChange, WordSide};
use serde::Serialize;
use utoipa::ToSchema;

/// A run of words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SaidWords {
    pub(crate) side: SaidSide,
    pub(crate) text: String,
}

/// Which version a run of words stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SaidSide {
    Both,
    Old,
    New,
}

impl SaidWords {
    pub(crate) fn new(change: &WordChange) -> SaidWords {
        let side = match change.side {
            WordSide::Both => SaidSide::Both,
            WordSide::Old => SaidSide::Old,
            WordSide::New => SaidSide::New,
        };
        SaidWords { side, text: change.text.clone() }
    }

    /// Whether it stands in the earlier version.
    pub(crate) fn is_old(&self) -> bool {
        self.side != SaidSide::New
    }

    /// Whether it stands in the later version.
    pub(crate) fn is_new(&self) -> bool {
        self.side != SaidSide::Old
    }

    /// Whether it stands in one of them only.
    pub(crate) fn is_different(&self) -> bool {
        self.side != SaidSide::Both
    }
}
