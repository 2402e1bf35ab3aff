//! The server as its visitors see it: over a socket, on an archive made for the test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod acting;
mod acting_browser;
mod bounds;
mod browser;
mod cdx;
mod chromium;
mod live;
mod memento;
mod pages;
mod replay;
mod safety;
mod served;
mod tour;
