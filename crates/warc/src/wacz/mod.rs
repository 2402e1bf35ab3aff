//! WACZ 1.1.1: WARC files, their index and a list of their pages in one ZIP file, which a browser can read piece by piece.
//!
//! `archive/` and the packed index lie in it as they are, so that a record can be read by its offset; everything is hashed in `datapackage.json`.

mod package;
mod read;
mod sorted;
mod write;

pub use read::{Wacz, WaczError};
pub use write::{WaczAbout, WaczPage, WaczWriter};
