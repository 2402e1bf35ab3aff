//! Keeps the versions of pages by block, finds them by time or change, and gives the exact bytes back.
//!
//! Knows nothing of methods, SQL or the Web: pages are cut by the [`Cutter`] it is given, and lie in any [`Store`].

mod archive;
mod blame;
mod compare;
mod cut;
mod diff;
mod error;
mod form;
mod head;
mod history;
mod inherit;
mod level;
mod likeness;
mod links;
mod matching;
mod outline;
mod passages;
mod rules;
mod sightings;
mod store;
mod succession;
mod visible;

pub use archive::{Archive, Committed, CutPage, Outcome, Snapshot, Stats, Validators};
pub use blame::{Blame, BlameBlock};
pub use compare::{ChangeKind, ChangeKinds, Relation};
pub use cut::Cutter;
pub use diff::{BlockDiff, Diff, WordChange, WordSide, diff};
pub use error::Error;
pub use form::is_page;
pub use history::{ChangeCounts, VersionInfo, form_of};
pub use level::{Choice, Why};
pub use links::BlockLink;
pub use outline::{Age, Outline, OutlineBlock};
pub use passages::Passage;
pub use rules::Rules;
pub use sightings::Sighting;
pub use store::{
    Change, Compacted, ContentHash, Damage, Entry, Error as StoreError, FIGURES_MAX, Figures, Form, Progress, Row,
    Store, Stored, Totals, UrlRow, Verified,
};
