//! Search as a library's user sees it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ask;
mod index;
mod links;
mod paragraphs;
mod tokens;
mod topics;
mod when;
