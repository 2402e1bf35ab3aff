//! Keeps the versions of pages by block, finds them by time or change, and gives the exact bytes back.
//!
//! Knows nothing of methods, SQL or the Web: pages are cut by whatever it is given, and lie in any [`Store`].

mod store;

pub use store::{
    Change, Compacted, ContentHash, Damage, Entry, Error as StoreError, FIGURES_MAX, Figures, Form, Progress, Row,
    Store, Stored, Totals, UrlRow, Verified,
};
