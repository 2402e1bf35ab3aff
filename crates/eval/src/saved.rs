//! Pages saved on disk with their style sheets beside them.

use std::fs;
use std::path::Path;

use kuai_page::{Page, StyleSheet};

/// The style sheets that a saved page links to and that lie on disk beside it, no higher than `root`.
pub fn saved_style_sheets(page: &Page, page_file: &Path, root: &Path) -> Vec<StyleSheet> {
    let folder = page_file.parent().unwrap_or(Path::new(""));
    let Ok(root) = root.canonicalize() else { return Vec::new() };
    page.linked_style_sheets(|href| read_sheet(folder, href, &root))
}

/// Reads the file that an address means: as written, with its escapes decoded, or without its query.
fn read_sheet(folder: &Path, href: &str, root: &Path) -> Option<String> {
    if href.is_empty() || href.starts_with('/') || href.contains("://") {
        return None;
    }
    let decoded = percent_encoding::percent_decode_str(href).decode_utf8_lossy();
    let bare = decoded.split(['?', '#']).next().unwrap_or(href);
    let candidates = [folder.join(href), folder.join(&*decoded), folder.join(bare)];
    let mut files = candidates.iter().filter_map(|path| path.canonicalize().ok());
    let file = files.find(|file| file.starts_with(root) && file.is_file())?;
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_found_by_their_escaped_names_but_not_above_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("saved");
        fs::create_dir_all(root.join("my files")).unwrap();
        fs::write(root.join("my files/a.css"), "p { color: #010203 }").unwrap();
        fs::write(folder.path().join("outside.css"), "p { color: #040506 }").unwrap();
        let source = "<link rel=stylesheet href='my%20files/a.css?v=1'><link rel=stylesheet href=../outside.css><p>x";
        let sheets = saved_style_sheets(&Page::from_html(source), &root.join("page.html"), &root);
        let found: Vec<_> = sheets.iter().map(|sheet| sheet.text.as_str()).collect();
        assert_eq!(found, ["p { color: #010203 }"]);
    }
}
