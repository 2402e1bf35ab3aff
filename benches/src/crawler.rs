//! How the measuring programs start `kuai collect`.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::local_web::{DEFAULT_FOLDER, Site};

/// Which crawler, on which local web.
#[derive(Args, Clone, Debug)]
pub struct Crawler {
    /// The crawler; otherwise the `kuai` that lies beside this program.
    #[arg(long, value_name = "PROGRAM")]
    pub kuai: Option<PathBuf>,
    /// Where the packages are unpacked (scripts/local-web fetches them).
    #[arg(long, default_value = DEFAULT_FOLDER)]
    pub folder: PathBuf,
    /// Connections to a host at one time.
    #[arg(long, default_value_t = 8)]
    pub connections: usize,
    /// Further arguments for `kuai collect`.
    #[arg(last = true)]
    pub further: Vec<String>,
}

impl Crawler {
    /// `kuai collect` of a site, with politeness off, into an archive.
    pub fn command(&self, start: &str, place: &Path) -> Command {
        let beside = || std::env::current_exe().expect("this program has a path").with_file_name("kuai");
        let mut command = Command::new(self.kuai.clone().unwrap_or_else(beside));
        command.args(["collect", start, "--allow-private", "--quiet", "--delay", "0"]);
        command.args(["--connections", &self.connections.to_string()]).arg("--archive").arg(place).args(&self.further);
        command
    }

    /// The site of that name, if its package is there.
    pub fn site(&self, name: &str) -> Result<Site, String> {
        let found = Site::unpacked_in(&self.folder).into_iter().find(|site| site.name == name);
        found.ok_or(format!("no site {name} in {}: run scripts/local-web", self.folder.display()))
    }
}
