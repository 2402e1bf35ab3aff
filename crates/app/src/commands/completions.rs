//! `kuai completions SHELL`: what a shell needs to complete our commands and flags.

use std::io;

use clap::CommandFactory;

use crate::{Arguments, Outcome};

/// Write completions for a shell to standard output.
#[derive(clap::Args)]
#[command(after_help = "Example: kuai completions bash > ~/.local/share/bash-completion/completions/kuai")]
pub(crate) struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

impl Completions {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        clap_complete::generate(self.shell, &mut Arguments::command(), "kuai", &mut io::stdout());
        Ok(Outcome::Done)
    }
}
