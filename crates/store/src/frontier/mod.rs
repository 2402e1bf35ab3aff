//! Where a crawl keeps what it visits next: a SQLite file in the archive's folder, tables beside a shared archive, or memory.
//!
//! They are no part of the archive: without them nothing that was collected is lost, only what a crawl had still to do.

mod folder;
mod memory;
mod postgres;
mod rows;
mod schema;

pub use folder::FolderFrontier;
use kuai_archive::ContentHash;
pub use memory::MemoryFrontier;
pub use postgres::PostgresFrontier;
use url::Url;

/// What an address is found again by.
fn key_of(url: &Url) -> ContentHash {
    ContentHash::of(url.as_str().as_bytes())
}

/// The best priority of a host that has nothing ready.
const NOTHING: i32 = i32::MIN;

/// The scheme, name and port that an address is asked at: what politeness is owed to. Canonical addresses have no
/// credentials, so it is all that stands before the path.
fn host_name(url: &Url) -> &str {
    &url[..url::Position::BeforePath]
}
