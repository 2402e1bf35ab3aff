//! The table of commands: one file each.

mod completions;
mod eval;
mod extract;
mod man;
mod methods;
mod segment;
mod tune;

use clap::Subcommand;

use crate::Outcome;

/// What kuai can do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Segment(segment::Segment),
    Extract(extract::Extract),
    Methods(methods::Methods),
    Eval(eval::Eval),
    Tune(tune::Tune),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Runs one command.
pub(crate) fn run(command: Command, quiet: bool) -> anyhow::Result<Outcome> {
    match command {
        Command::Segment(segment) => segment.run(quiet),
        Command::Extract(extract) => extract.run(quiet),
        Command::Methods(methods) => methods.run(),
        Command::Eval(eval) => eval.run(quiet),
        Command::Tune(tune) => tune.run(quiet),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    }
}
