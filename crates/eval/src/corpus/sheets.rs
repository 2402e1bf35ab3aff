//! The style sheets that a saved page links to and that lie beside it on disk, with what they import.

use std::fs;
use std::path::{Path, PathBuf};

use kuai_page::{Page, StyleSheet, Tag};

/// Sheets a page; more are not read.
const SHEETS_MAX: usize = 64;

/// Reads the sheets that the page links to, below the corpus's folder only.
pub(super) fn beside(page: &Page, page_file: &Path, corpus: &Path) -> Vec<StyleSheet> {
    let dom = page.dom();
    let folder = page_file.parent().unwrap_or(Path::new(""));
    let links = dom.descendants(dom.root()).filter(|&node| dom.tag(node) == Tag::Link);
    let is_sheet = |rel: &str| rel.to_ascii_lowercase().split_ascii_whitespace().any(|word| word == "stylesheet");
    let hrefs = links
        .filter(|&link| dom.attribute(link, "rel").is_some_and(is_sheet))
        .filter_map(|link| dom.attribute(link, "href").map(|href| href.trim().to_owned()));
    let embedded = dom.descendants(dom.root()).filter(|&node| dom.tag(node) == Tag::Style);
    let embedded = embedded.flat_map(|style| dom.children(style)).flat_map(|text| imports(dom.text(text)));
    let embedded = embedded.map(|import| join("", &import));
    let mut waiting: Vec<String> = hrefs.chain(embedded).collect();
    let mut sheets: Vec<StyleSheet> = Vec::new();
    while let Some(href) = (sheets.len() < SHEETS_MAX).then(|| waiting.pop()).flatten() {
        if sheets.iter().any(|sheet| sheet.href == href) {
            continue;
        }
        let Some(text) = read(folder, &href, corpus) else { continue };
        waiting.extend(imports(&text).map(|import| join(&href, &import)));
        sheets.push(StyleSheet { href, text });
    }
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

/// The addresses that a sheet imports, as written.
fn imports(text: &str) -> impl Iterator<Item = String> {
    text.split("@import").skip(1).filter_map(|rest| {
        let end = rest.find([';', '\n', '{']).unwrap_or(rest.len());
        let address = rest[..end].trim_start();
        let address = address.strip_prefix("url(").map_or(address, str::trim_start);
        let quote = address.chars().next().filter(|first| matches!(first, '"' | '\''));
        let address = match quote {
            Some(quote) => address[1..].split(quote).next()?,
            None => address.split([')', ' ', '\t']).next()?,
        };
        (!address.is_empty()).then(|| address.to_owned())
    })
}

/// The address of `reference` as seen from the page, where `base` is the importing sheet's.
fn join(base: &str, reference: &str) -> String {
    if reference.starts_with('/') || reference.contains("://") {
        return reference.to_owned();
    }
    let folder = base.split(['?', '#']).next().unwrap_or("").rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in reference.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
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
