//! Where the data sets are, and their pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

/// The folder of the unpacked data sets; says what to do and leaves where there is none.
pub fn data_folder() -> PathBuf {
    let Some(folder) = std::env::var_os("KUAI_DATA").map(PathBuf::from).filter(|folder| folder.is_dir()) else {
        eprintln!("set KUAI_DATA to the folder of the unpacked data sets");
        process::exit(2);
    };
    folder
}

/// The folders of pages in the data, by the name of their set.
pub const PAGE_SETS: [(&str, &str); 7] = [
    ("wcxb", "wcxb/pages"),
    ("articles", "articles/pages"),
    ("snippets", "snippets/pages"),
    ("segment", "segment/pages"),
    ("chinese/raw", "chinese/raw"),
    ("chinese", "chinese/pages"),
    ("blocks-zh", "blocks-zh/pages"),
];

/// The folders of page histories in the data.
pub const HISTORY_SETS: [(&str, &str); 2] = [("dev", "dev"), ("even", "even")];

/// Every page below a folder, sorted: files that end in .html or .htm, or have no ending.
pub fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|end| end == "html" || end == "htm") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Every so many pages of a set are taken for measuring.
const SAMPLE_STEP: usize = 8;

/// The bodies of a sample of all sets.
pub fn sample_pages() -> Vec<Vec<u8>> {
    every(SAMPLE_STEP)
}

/// The bodies of the pages of all sets.
pub fn all_pages() -> Vec<Vec<u8>> {
    every(1)
}

fn every(step: usize) -> Vec<Vec<u8>> {
    let data = data_folder();
    let folders = PAGE_SETS.iter().map(|(_, folder)| data.join(folder));
    let paths = folders.flat_map(|folder| pages_below(&folder).into_iter().step_by(step));
    paths.map(|path| fs::read(path).expect("the page was listed a moment ago")).collect()
}

/// The text of a page: bytes that are no UTF-8 are replaced, and a byte-order mark is left out.
pub fn read_text(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    encoding_rs::UTF_8.decode(&bytes).0.into_owned()
}
