//! Makes the archive: visits the sample web at its twelve times with the real crawler, learns a site and indexes all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kuai::search::Index;
use kuai::{
    Access, Archive, CollectError, FrontierError, Plan, Politeness, SiteModels, collect, open, open_frontier,
    search_folder,
};
use kuai_crawl::FetchError;
use kuai_page::{Page, Timestamp, Url};
use kuai_segment::{Example, LearnError, SiteModel};

use crate::past::Past;
use crate::town::{SITES, Town};

/// When the sites are visited, at nine in the morning.
pub const VISITS: [&str; 12] = [
    "2024-10-07",
    "2024-12-02",
    "2025-01-13",
    "2025-03-10",
    "2025-05-12",
    "2025-07-07",
    "2025-09-08",
    "2025-11-10",
    "2026-01-12",
    "2026-03-09",
    "2026-06-08",
    "2026-09-07",
];

/// The page that teaches the model of its site, and its clean text.
const LESSON: (&str, &str) = ("http://chaosheng.example/tide/1", include_str!("../sites/chapter-1.txt"));

/// How far it is: crawls that are done, of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Crawls that are done.
    pub done: usize,
    /// Crawls in all.
    pub total: usize,
}

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// Whoever watched had enough; nothing is left behind.
    #[error("stopped; nothing was kept")]
    Stopped,
    /// A file or a port could not be had.
    #[error("{what}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A crawl could not go on.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// The archive could not be read or written.
    #[error(transparent)]
    Archive(#[from] kuai::Error),
    /// A frontier could not be opened.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// The fetcher could not begin.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The site could not be learnt.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The index could not be made.
    #[error(transparent)]
    Search(#[from] kuai::search::Error),
}

/// Makes the archive of the sample web in a folder that is not there yet, or leaves nothing. `watch` is told how far it is, and says whether to go on.
/// The sample web stands at the last of the [`VISITS`] afterwards.
pub fn make(folder: &Path, town: &Town, watch: &mut dyn FnMut(Progress) -> bool) -> Result<(), DemoError> {
    let unfinished = unfinished(folder);
    remove(&unfinished)?;
    let made = make_in(&unfinished, town, watch);
    if made.is_err() {
        remove(&unfinished)?;
        return made;
    }
    let what = || format!("cannot name the archive {}", folder.display());
    fs::rename(&unfinished, folder).map_err(|source| DemoError::Io { what: what(), source })
}

/// What is not finished lies beside, so that a folder with the right name is always whole.
fn unfinished(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    folder.with_file_name(name)
}

fn remove(folder: &Path) -> Result<(), DemoError> {
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(DemoError::Io { what: format!("cannot remove {}", folder.display()), source })
        }
        _ => Ok(()),
    }
}

fn make_in(folder: &Path, town: &Town, watch: &mut dyn FnMut(Progress) -> bool) -> Result<(), DemoError> {
    let archive = open(folder, Access::Write)?;
    let total = VISITS.len() * SITES.len();
    for (visit, time) in VISITS.iter().map(|day| moment(day)).enumerate() {
        town.set_moment(time);
        for (site, host) in SITES.iter().map(|site| site.host).enumerate() {
            if !watch(Progress { done: visit * SITES.len() + site, total }) {
                return Err(DemoError::Stopped);
            }
            visit_site(folder, &archive, town, host)?;
        }
    }
    learn(folder, &archive)?;
    let mut index = Index::open(&search_folder(folder))?.index;
    index.follow(&archive, &mut |_, _| watch(Progress { done: total, total }))?;
    Ok(())
}

/// Nine in the morning of a day.
pub(crate) fn moment(day: &str) -> Timestamp {
    format!("{day}T09:00:00Z").parse().expect("the days of visits are days")
}

/// Crawls one site with all that its pages need. It is our own and on this machine, so nobody is kept waiting.
fn visit_site(folder: &Path, archive: &Archive, town: &Town, host: &str) -> Result<(), DemoError> {
    let seed = address(&format!("http://{host}/"));
    let frontier = open_frontier(folder, &format!("site {seed}"))?;
    let politeness = Politeness { delay: Duration::ZERO, connections_per_host: 4, ..Politeness::default() };
    let plan = Plan { requisites: true, politeness, ..Plan::new(vec![seed]) };
    collect(archive, &frontier, &Past::new(town)?, &plan, &mut |_| true)?;
    Ok(())
}

/// Teaches the site of the novel by its first chapter.
fn learn(folder: &Path, archive: &Archive) -> Result<(), DemoError> {
    let (url, answer) = (address(LESSON.0), LESSON.1);
    let capture = archive.snapshot(&url, None)?.capture;
    let page = Page::read(&capture, &kuai_page::Limits::default());
    let mut model = SiteModel::learn(&[Example { page: &page, answer }])?.model;
    let host = url.host_str().unwrap_or_default();
    model.site = Some(host.to_owned());
    let kept = SiteModels::beside(folder).keep(host, &model);
    kept.map_err(|source| DemoError::Io { what: format!("cannot keep the model of {host}"), source })
}

fn address(text: &str) -> Url {
    Url::parse(text).expect("the sample's addresses are addresses")
}
