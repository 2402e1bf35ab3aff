//! Pages from folders: every file below, decoded by its byte order mark or as UTF-8.

use std::path::{Path, PathBuf};

/// Every file below the paths that looks like a page, in order.
pub fn files(roots: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
    while let Some(path) = todo.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            todo.extend(entries.flatten().map(|entry| entry.path()));
        } else if is_page(&path) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_page(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    !matches!(extension, "json" | "jsonl" | "txt" | "md" | "toml" | "gz" | "csv" | "tsv" | "png" | "py")
}

/// The text of a file; bytes that are no UTF-8 are replaced, and a byte order mark is left out.
pub fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    encoding_rs::UTF_8.decode(&bytes).0.into_owned()
}
