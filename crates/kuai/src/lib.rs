//! kuai as a library: the only place where pages, methods and stores meet.
//!
//! ```
//! use kuai::{Capture, Outcome, Url, open};
//!
//! # let folder = tempfile::tempdir()?;
//! # let place = folder.path().join("archive");
//! let archive = open(&place, kuai::Access::Write)?;
//! let url = Url::parse("https://example.org/")?;
//! let page = |day, text: &str| {
//!     let body = format!("<p>The first paragraph stays as it is.</p><p>{text}</p>");
//!     Ok::<_, kuai::TimeError>(Capture::new(url.clone(), format!("2026-01-{day}T12:00:00Z").parse()?, body.into_bytes()))
//! };
//! archive.commit(&page("01", "The second says one thing.")?)?;
//! let committed = archive.commit(&page("02", "The second says another thing.")?)?;
//! assert!(matches!(committed.outcome, Outcome::NewVersion(changes) if changes.changed == 1));
//! archive.sync()?;
//!
//! let blame = archive.blame(&url, None)?;
//! let days: Vec<_> = blame.blocks.iter().map(|block| block.last_changed.to_string()).collect();
//! assert_eq!(days, ["2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod collect;
mod copy;
mod exchange;
mod heat;
mod marks;
mod methods;
mod open;
mod site_models;
pub mod watch;
mod work;

pub use book::{Book, BookFormat, Chapter, chapter_title, write_book};
pub use collect::{Budget, BusyHost, CollectError, CrawlKind, End, Plan, Politeness, Report, Status, Watch, collect};
pub use copy::{Compared, Copied, CopyError, compare, copy};
pub use exchange::{
    ExportError, Exported, ImportError, ImportEvent, ImportWatch, Imported, Importer, Selection, export, export_blocks,
    export_wacz, import,
};
pub use heat::{HEAT_COLOURS, HEAT_STEPS, Heat};
pub use kuai_archive::{
    Age, Archive, Blame, BlameBlock, BlockDiff, BlockLink, Change, ChangeCounts, ChangeKind, ChangeKinds, Choice,
    Committed, Compacted, ContentHash, Cutter, Damage, Diff, Error, Outcome, Outline, OutlineBlock, Progress, Relation,
    Rules, Snapshot, Stats, Store, StoreError, UrlRow, Verified, VersionInfo, Why, WordChange, WordSide, diff,
};
pub use kuai_crawl::{
    Counts, DueVisit, Example, Fetch, FetchError, FetchLimits, FetchOptions, Frontier, FrontierError, Known,
    LinkJudgement, RevisitBounds, Scope, ScopeKind, Stage, Topic, Via, Web, canonical,
};
pub use kuai_page::{Capture, Label, Page, Request, Span, TimeError, Timestamp, Url};
pub use kuai_search as search;
pub use kuai_warc::Packing;
pub use marks::marked_source;
pub use methods::{ARCHIVE_METHOD, Methods};
pub use open::{
    Access, NamedFrontier, in_memory, is_shared, local_folder, open, open_crawl, open_frontier, open_store,
    read_frontiers, search_folder,
};
pub use site_models::{Drift, FitWatch, SiteModels};
pub use work::work_as_book;
