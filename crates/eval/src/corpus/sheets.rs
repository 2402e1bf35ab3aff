//! The style sheets that a saved page links to and that lie beside it on disk, with what they import.

use std::fs;
use std::path::{Path, PathBuf};

use kuai_page::{Page, StyleSheet};

/// Reads the sheets that the page links to, below the corpus's folder only.
pub(super) fn beside(page: Page, page_file: &Path, corpus: &Path) -> Vec<StyleSheet> {
    let folder = page_file.parent().unwrap_or(Path::new(""));
    let mut sheets = Vec::new();
    page.with_style_sheets_by(|href| {
        let text = read(folder, href, corpus)?;
        sheets.push(StyleSheet { href: href.to_owned(), text: text.clone() });
        Some(text)
    });
    sheets
}

/// Reads the file that an address means, as written, decoded, or without its query.
fn read(folder: &Path, href: &str, corpus: &Path) -> Option<String> {
    if href.is_empty() || href.starts_with('/') || href.contains("://") {
        return None;
    }
    let decoded = percent_decoded(href);
    let bare = href.split(['?', '#']).next().unwrap_or(href);
    let corpus = corpus.canonicalize().ok()?;
    let candidates = [folder.join(href), folder.join(&decoded), folder.join(bare)];
    let is_inside = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path.starts_with(&corpus) && path.is_file());
    let bytes = fs::read(candidates.into_iter().find(is_inside)?).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%').then(|| after.get(..2)).flatten();
        let value = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
