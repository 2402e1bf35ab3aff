//! Packs: immutable files of objects (reels and blobs) that compaction makes from logs.

mod directory;
mod object;
mod writer;

pub(crate) use directory::{Directory, Listed, ListedKind};
pub(crate) use object::{Object, PackedPart};
pub(crate) use writer::PackWriter;
