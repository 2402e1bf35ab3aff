//! Watches over an archive: when a block of content appears, changes or vanishes, somebody is told.
//!
//! A watch looks at a page, a site, or what a query finds. What is new in the change feed is compared with the capture before it; what no
//! reader sees never rings. Each channel of a watch has a mark of its own in the feed, which moves after the telling succeeded: nothing is lost,
//! and what one channel refused is told to that channel again, not to the others.

mod alert;
mod error;
mod files;
mod list;
mod look;
mod run;
mod subject;
mod tell;
mod wording;

pub use alert::{Alert, AlertBlock, Happening};
pub use error::Error;
pub use list::{Channel, WATCHES_MAX, Watch, Watches, Way};
pub use run::{Failure, Ran, Round, run};
pub use subject::{Kind, Subject};
pub use wording::{body, subject_line};
