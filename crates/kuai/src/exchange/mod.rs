//! Exchange with other archives: WARC and WACZ files in and out, header bytes and bodies as they came; and tables of blocks for analysis.

mod blocks;
mod export;
mod import;
mod message;
mod selection;

pub use blocks::export_blocks;
pub use export::{ExportError, Exported, export, export_wacz};
pub use import::{ImportError, ImportEvent, ImportWatch, Imported, Importer, import};
pub use selection::Selection;
