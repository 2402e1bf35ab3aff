//! A small web of our own for first steps, screenshots and tests: a library, a journal, a forum and a novel in instalments, English and Chinese,
//! whose pages change over two years.
//!
//! The sites are served on loopback ([`Town`]) and collected at twelve times by the real crawler ([`make`]); only the clock is made up. Nothing
//! outside the machine is asked, and the same archive comes of it every time.
//!
//! ```no_run
//! use kuai_demo::{Town, make};
//!
//! let town = Town::open(kuai_demo::last_visit())?;
//! make("kuai-demo".as_ref(), &town, &mut |_| true)?;
//! let archive = kuai::open("kuai-demo".as_ref(), kuai::Access::Read)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod life;
mod make;
mod past;
mod site;
mod town;

use kuai_page::Timestamp;

pub use make::{DemoError, Progress, VISITS, make};
pub use town::Town;

/// When the sample web was visited last.
pub fn last_visit() -> Timestamp {
    make::moment(VISITS[VISITS.len() - 1])
}
