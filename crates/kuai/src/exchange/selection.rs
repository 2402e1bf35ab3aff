//! What of an archive goes out: by address, time and label.

use kuai_archive::{Archive, Change, Outline};
use kuai_page::{Capture, Timestamp};

use super::ExportError;

/// Entries of the change feed that are looked at together.
const BATCH: usize = 256;

/// What of an archive is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Addresses that begin like one of these; all where there is none.
    pub prefixes: Vec<String>,
    /// Captures from this time on.
    pub from: Option<Timestamp>,
    /// Captures up to this time.
    pub to: Option<Timestamp>,
    /// Captures that the rules gave one of these labels, or a collection of this name; all where there is none.
    pub collections: Vec<String>,
}

/// An entry that goes out.
pub(super) struct Selected<'a> {
    pub(super) change: &'a Change,
    pub(super) capture: Capture,
    pub(super) outline: Outline,
}

impl Selection {
    /// Hands out what is selected in the order in which it came in. `progress` is told how many entries were looked at.
    pub(super) fn each(
        &self,
        archive: &Archive,
        mut progress: impl FnMut(u64),
        mut take: impl FnMut(Selected<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut since = 0;
        loop {
            let changes = archive.changes(since, BATCH)?;
            let Some(last) = changes.last() else { return Ok(()) };
            since = last.row.sequence;
            for change in changes.iter().filter(|change| self.holds(&change.url, change.row.time)) {
                let (capture, outline) = archive.read_outlined(&change.url, change.row.number)?;
                if self.holds_outline(&outline) {
                    take(Selected { change, capture, outline })?;
                }
            }
            progress(since);
        }
    }

    /// Whether captures of an address at a time are selected, as far as can be told without reading them.
    pub(super) fn holds(&self, url: &str, time: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= time)
            && self.to.is_none_or(|to| time <= to)
            && (self.prefixes.is_empty() || self.prefixes.iter().any(|prefix| url.starts_with(prefix)))
    }

    pub(super) fn holds_outline(&self, outline: &Outline) -> bool {
        let is_said = |wanted: &String| {
            let is_collection = |(name, value): &(String, String)| name == "collection" && value == wanted;
            outline.labels.contains(wanted) || outline.metadata.iter().any(is_collection)
        };
        self.collections.is_empty() || self.collections.iter().any(is_said)
    }
}
