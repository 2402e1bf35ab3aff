//! What an address is found again by, where it may be longer than an index takes.

use kuai_archive::ContentHash;

/// The hash of an address.
pub(crate) fn key_of(url: &str) -> ContentHash {
    ContentHash::of(url.as_bytes())
}
