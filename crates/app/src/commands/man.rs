//! `kuai man DIR`: the manual pages, one for kuai and one for each command.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;

use crate::{Arguments, Outcome};

/// Write the manual pages into a folder.
#[derive(clap::Args)]
#[command(after_help = "Example: kuai man ~/.local/share/man/man1 && man kuai-extract")]
pub(crate) struct Man {
    /// The folder, made if need be.
    folder: PathBuf,
}

impl Man {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let folder = &self.folder;
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        clap_mangen::generate_to(Arguments::command(), folder)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        Ok(Outcome::Done)
    }
}
