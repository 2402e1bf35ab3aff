//! The program as its users run it, command by command.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive_commands;
mod browser;
mod collect;
mod commands;
mod demo;
mod diff_and_blame;
mod drawing;
mod exchange;
mod links;
mod mcp;
mod once;
mod running;
mod search;
mod serve;
mod serve_shared;
mod site_models;
mod watch;
