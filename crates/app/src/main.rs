//! The `kuai` command: flags, messages and JSON live here and nowhere else.

mod batch;
#[cfg(test)]
#[path = "../tests/suite/browser/mod.rs"]
mod browser;
mod commands;
mod crawl_summary;
mod crawl_view;
mod diff_page;
mod drawing;
mod explain;
mod heat_map;
mod input;
mod interrupt;
mod json;
mod pages;
mod place;
mod progress;
#[cfg(test)]
mod sample;
mod search_index;
mod series_table;
mod settings;
mod site_models;
mod terminal;
mod word_marks;
mod wording;

use std::io;
use std::process::ExitCode;

use clap::Parser;

/// Pages come and go by the thousand, each a few large vectors: an allocator that gives memory back keeps that flat.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Collects the Web by block: cuts pages into blocks, tells main text, links and noise apart.
#[derive(Parser)]
#[command(name = "kuai", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
    /// Say nothing but results and errors.
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// How a command ended, where it did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done.
    Done,
    /// Nothing was found.
    Nothing,
    /// Two things that were compared differ.
    Differs,
    /// Some pages could not be read; each was named when it happened.
    SomeFailed,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match commands::run(arguments.command, arguments.quiet) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing | Outcome::Differs) => ExitCode::from(1),
        Ok(Outcome::SomeFailed) => ExitCode::from(2),
        // Whoever read our output has enough, as `kuai … | head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("kuai: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_json = || cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind).or_else(of_json);
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}
