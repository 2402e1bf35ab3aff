//! Every size and count that the store goes by, in one place.
//!
//! Those about the format must never change without a new format number: readers derive from them what frames lean on.

/// Longer URLs are refused.
pub(crate) const URL_LENGTH_MAX: usize = 64 << 10;
/// Longer heads are refused.
pub(crate) const HEAD_LENGTH_MAX: usize = 16 << 20;
/// Longer notes are refused.
pub(crate) const NOTES_LENGTH_MAX: usize = 64 << 20;
/// Longer bodies are refused.
pub(crate) const BODY_LENGTH_MAX: usize = 512 << 20;
/// Longer text is kept as a blob, because a reel is held in memory as a whole.
pub(crate) const TEXT_LENGTH_MAX: usize = 8 << 20;

/// Part of the format: a frame leans on this many times its own length of the stream's end …
pub(crate) const PREFIX_FACTOR: usize = 32;
/// … at least on this much …
pub(crate) const PREFIX_MIN: usize = 32 << 10;
/// … and at most on this much.
pub(crate) const PREFIX_MAX: usize = 256 << 10;
/// Part of the format: a frame leans on at most this much of the pieces that its entry drops.
pub(crate) const DROPPED_MAX: usize = 64 << 10;
/// Part of the format: a root lends at most this much of its stream to frames in a log.
pub(crate) const ROOT_MAX: usize = 256 << 10;

/// How hard frames are pressed as they are written. Calibrated on dev: 6 takes 2 % more, 12 is ten times slower.
pub(crate) const FRAME_LEVEL: i32 = 9;

/// A URL starts a new reel when the stream is longer than this …
pub(crate) const REEL_LENGTH_MAX: usize = 1 << 20;
/// … and than this many times the newest body …
pub(crate) const REEL_BODIES_MAX: usize = 8;
/// … or when the reel has this many entries.
pub(crate) const REEL_ENTRIES_MAX: u32 = 400;

/// A log is sealed when it is longer than this.
pub(crate) const LOG_LENGTH_MAX: u64 = 64 << 20;
/// Reels that are held open for writing take at most about this much memory.
pub(crate) const OPEN_REELS_MAX: usize = 48 << 20;
/// The catalogue is written when this many entries are not in it …
pub(crate) const UNINDEXED_ENTRIES_MAX: usize = 2048;
/// … or when this much of the log is not.
pub(crate) const UNINDEXED_LENGTH_MAX: u64 = 8 << 20;

/// One round of compaction takes logs of at most about this much together.
pub(crate) const ROUND_LENGTH_MAX: u64 = 64 << 20;
/// Packs that are shorter are always copied into the next one.
pub(crate) const PACK_SMALL: u64 = 1 << 20;
/// Packs that are longer are not copied into others only to have fewer.
pub(crate) const PACK_ALONE_FROM: u64 = 1 << 30;
/// What of a pack is not counted when it is asked whether it is mostly dead.
pub(crate) const PACK_OVERHEAD: u64 = 64 << 10;
/// A tail with more entries is folded into the packed part of its reel …
pub(crate) const TAIL_ENTRIES_MAX: usize = 32;
/// … as is one that is longer than the object divided by this.
pub(crate) const TAIL_SHARE_MAX: usize = 4;
/// A root lends at most this much of its stream to a pack.
pub(crate) const PACK_ROOT_MAX: usize = 512 << 10;
/// Longer blobs are not pressed again.
pub(crate) const PACK_BLOB_MAX: usize = 4 << 20;
