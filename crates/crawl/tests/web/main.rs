//! Fetching from servers of every kind, all on loopback: kind ones, broken ones and hostile ones.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod addresses;
mod answers;
mod decoding;
mod hostile;
mod secure;
mod server;
mod times;
