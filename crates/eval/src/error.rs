//! What can go wrong with a labelled set as a whole. What is wrong with one label is a [`Fault`](crate::Fault) instead.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::Fault;

/// Why pages could not be judged.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no such folder.
    NoFolder(PathBuf),
    /// The folder holds no labelled page in any form known here.
    NoLabels {
        /// The folder.
        folder: PathBuf,
        /// Broken labels that were seen on the way.
        faults: Vec<Fault>,
    },
    /// A file of the set cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that holds all labels cannot be understood.
    BrokenFile(Fault),
    /// The set has no gold for any metric asked for.
    NothingToScore,
    /// The method has nothing that can be tuned.
    NoParameters(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoFolder(folder) => write!(out, "there is no folder {}", folder.display()),
            Error::NoLabels { folder, faults } => {
                write!(
                    out,
                    "{} holds no labelled pages: neither gold.json with list.tsv, nor labels/ with pages/, nor gold.jsonl, \
                     nor .html files with <!--kuai:LABEL--> marks",
                    folder.display()
                )?;
                faults.iter().try_for_each(|fault| write!(out, "\n  {fault}"))
            }
            Error::Unreadable { path, .. } => write!(out, "cannot read {}", path.display()),
            Error::BrokenFile(fault) => fault.fmt(out),
            Error::NothingToScore => out.write_str("the set says nothing that these metrics could judge"),
            Error::NoParameters(method) => write!(out, "{method} has no parameters to tune"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}
