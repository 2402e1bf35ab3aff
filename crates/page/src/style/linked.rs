//! Finds the style sheets that a page links to and those that they import. Reading them is left to whoever can.

use std::collections::{HashSet, VecDeque};

use kuai_html::Dom;
use memchr::memmem;

use super::address::resolve;
use super::{Source, StyleSheet, sources};
use crate::Limits;

/// Asks `read` for every sheet that the page or another sheet names, each once, within the limits.
pub(crate) fn linked_sheets(
    dom: Dom<'_>,
    limits: &Limits,
    mut read: impl FnMut(&str) -> Option<String>,
) -> Vec<StyleSheet> {
    let mut waiting: VecDeque<String> = VecDeque::new();
    for source in sources(dom) {
        match source {
            Source::Link(href) => waiting.push_back(href.to_owned()),
            Source::Embedded(text) => waiting.extend(imports(text).map(|target| resolve("", target))),
        }
    }
    let mut asked = HashSet::new();
    let mut sheets = Vec::new();
    let mut byte_count = 0;
    while let Some(href) = waiting.pop_front() {
        if sheets.len() >= limits.style_sheets || byte_count > limits.style_bytes {
            break;
        }
        if !asked.insert(href.clone()) {
            continue;
        }
        if let Some(text) = read(&href) {
            waiting.extend(imports(&text).map(|target| resolve(&href, target)));
            byte_count += text.len();
            sheets.push(StyleSheet { href, text });
        }
    }
    sheets
}

const IMPORT: &str = "@import";

/// The addresses in a sheet's `@import` rules, as written.
pub(super) fn imports(text: &str) -> impl Iterator<Item = &str> {
    memmem::find_iter(text.as_bytes(), IMPORT).filter_map(|start| {
        let rule = text[start + IMPORT.len()..].split(';').next()?.trim_start().trim_start_matches("url(");
        let target = rule.trim_start_matches(['"', '\'', ' ']).split(['"', '\'', ')', ' ', '\n']).next()?;
        (!target.is_empty()).then_some(target)
    })
}

#[cfg(test)]
mod tests {
    use kuai_html::{Options, Tree, parse};

    use super::*;

    #[test]
    fn sheets_and_their_imports_are_asked_for_once() {
        let source = "<link rel=stylesheet href=css/a.css><style>@import 'b.css';</style><link rel=icon href=x.png>
            <link rel='alternate' href=feed><link rel=STYLESHEET href=css/a.css>";
        let mut tree = Tree::default();
        parse(source, &Options::default(), &mut tree);
        let mut asked = Vec::new();
        let sheets = linked_sheets(tree.dom(source), &Limits::default(), |href| {
            asked.push(href.to_owned());
            match href {
                "css/a.css" => Some("@import url(../c.css); p{}".to_owned()),
                "c.css" => Some("@import 'c.css';".to_owned()),
                _ => None,
            }
        });
        assert_eq!(asked, ["css/a.css", "b.css", "c.css"]);
        let read: Vec<_> = sheets.iter().map(|sheet| sheet.href.as_str()).collect();
        assert_eq!(read, ["css/a.css", "c.css"]);
    }
}
