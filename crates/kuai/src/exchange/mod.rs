//! Exchange with other archives: WARC files in and out. Header bytes and bodies go through as they came.

mod export;
mod import;
mod message;
mod originals;

pub use export::{ExportError, Exported, Selection, export};
pub use import::{ImportEvent, Imported, import};
