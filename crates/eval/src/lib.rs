//! Judges any method against labelled pages, and tunes thresholds from them.
//!
//! In goes a folder of labelled pages in one of a few documented forms; out come the papers' own figures and those of today's
//! benchmarks, for each page and for all. Files are read here; nothing is written.
//!
//! ```
//! use kuai_eval::{Contender, Corpus, EvaluateOptions, evaluate, metric};
//! use kuai_segment::method;
//!
//! let folder = std::env::temp_dir().join("kuai-eval-example");
//! std::fs::create_dir_all(&folder)?;
//! let page = "<!--kuai:navigation--><ul><li><a href=/>Home</a></ul><!--/kuai--><!--kuai:main--><p>The text.<!--/kuai-->";
//! std::fs::write(folder.join("page.html"), page)?;
//!
//! let gdom = method("gdom").unwrap();
//! let contenders = [Contender::method(gdom, gdom.defaults())];
//! let evaluation = evaluate(&Corpus::open(&folder)?, &contenders, EvaluateOptions::default(), || ());
//! assert_eq!(evaluation.methods[0].score(metric("content_kept").unwrap()), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// What every method reaches on our own labelled pages (`crates/eval/pages`), as [`Floors::parse`] reads it; a test holds each build to it.
pub const OWN_FLOORS: &str = include_str!("../floors.toml");

mod baselines;
mod clock;
mod corpus;
mod error;
mod evaluate;
mod floors;
mod measures;
pub mod metrics;
mod papers;
mod report;
mod saved;
mod segments;
mod series;
mod stream;
mod threads;
mod tune;

pub use baselines::{BASELINES, Baseline};
pub use clock::thread_seconds;
pub use corpus::{Corpus, Entry, Fault, Form, Gold, LabelledPage};
pub use error::Error;
pub use evaluate::{Answer, Contender, EvaluateOptions, Evaluation, MethodResult, PageResult, Speed, evaluate};
pub use floors::{Floors, digest};
pub use measures::{BlockScores, Group, METRICS, Metric, PageScores, metric};
pub use papers::{PUBLISHED, Published, published};
pub use report::{Cell, Row, RowKind, Table, html, tables};
pub use saved::saved_style_sheets;
pub use series::{DefaultTexts, LessonResult, ModelScore, Series, series};
pub use tune::{TuneOptions, Tuned, tune};
