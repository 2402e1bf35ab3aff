//! Fetching from servers of every kind, all on loopback: kind ones, broken ones and hostile ones.

mod addresses;
mod answers;
mod decoding;
mod hostile;
mod secure;
mod server;
mod times;
