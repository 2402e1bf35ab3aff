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
mod running;
mod search;
mod serve;
mod site_models;
mod watch;
