//! Exchange with other archives: WARC and WACZ files in and out. Header bytes and bodies go through as they came.

mod export;
mod import;
mod message;
mod selection;

pub use export::{ExportError, Exported, export, export_wacz};
pub use import::{ImportError, ImportEvent, ImportWatch, Imported, Importer, import};
pub use selection::Selection;
