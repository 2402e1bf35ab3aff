//! Where an archive lies: a folder of logs, packs and a SQLite catalogue; Postgres and an object store; or memory.
//!
//! Each is a [`Store`](kuai_archive::Store): what is appended comes back byte for byte. How the folder is laid out is
//! told in `docs/format.md`, the shared archive in `docs/shared-archive.md`.
//!
//! ```
//! use kuai_archive::{Entry, FIGURES_MAX, Form, Store};
//! use kuai_store::FolderStore;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("archive");
//! let store = FolderStore::create_or_open(&path)?;
//! let entry = Entry {
//!     url: "https://example.org/",
//!     time: "2026-01-01T00:00:00Z".parse()?,
//!     head: b"HTTP/1.1 200 OK\r\n\r\n",
//!     body: b"<p>Hello",
//!     form: Form::Text,
//!     notes: b"",
//!     figures: [0; FIGURES_MAX],
//! };
//! let row = store.append(&entry)?;
//! store.sync()?;
//!
//! // Any number of readers, in this process or another, see what is there.
//! let reader = FolderStore::read(&path)?;
//! assert_eq!(reader.read("https://example.org/", row.number)?.body, b"<p>Hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrival;
mod blob;
mod catalogue;
mod entry;
mod errors;
mod facts;
mod familiar;
mod files;
mod folder;
mod frame;
mod frontier;
mod history;
mod host;
mod http_date;
mod index;
mod key;
mod lean;
mod limits;
mod lines;
mod listing;
mod log;
mod material;
mod memory;
mod open_reels;
mod pack;
mod part;
mod pieces;
mod playback;
mod postgres;
mod recipe;
mod record;
mod reel;
mod roots;
mod row;
mod varint;

pub use folder::FolderStore;
pub use frontier::{FolderFrontier, MemoryFrontier, PostgresFrontier};
pub use memory::MemoryStore;
pub use postgres::{PostgresStore, is_shared, local_name};
