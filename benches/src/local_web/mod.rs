//! A real web of our own: Debian's documentation packages, each served as a site of its own on loopback.
//!
//! `scripts/local-web` fetches the packages; [`SITES`] names them; the program `web` serves them, and [`LocalWeb`] starts it as a child.

mod child;
mod files;
mod server;
mod sites;

pub use child::{LocalWeb, LogLine};
pub use files::{Found, find};
pub use server::{Server, ServerOptions};
pub use sites::{DEFAULT_FOLDER, SITES, Site, SiteEntry};
