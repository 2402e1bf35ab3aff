//! Fetching from servers of every kind, all on loopback: kind ones, broken ones and hostile ones.

mod answers;
mod server;
