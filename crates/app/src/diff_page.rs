//! A diff as one HTML file: a card for every block that differs, with the words that differ marked in it.
//!
//! Runs no script and loads nothing. Every text from the page is escaped.

use std::fmt::Write;

use kuai::{BlockDiff, Diff, VersionInfo, WordChange, WordSide};

use crate::word_marks::{Shown, elide, words_of};
use crate::wording::{self, counted};

const TEMPLATE: &str = include_str!("../ui/diff.html");

/// Columns of unchanged text shown on each side of a difference.
const CONTEXT_WIDTH: usize = 160;

/// Draws a diff. Blocks that differ in markup only are counted, and shown where that is asked for.
pub(crate) fn diff_page(url: &str, diff: &Diff, shows_touched: bool) -> String {
    let is_shown = |change: &str| shows_touched || change != "touched";
    let mut cards = String::new();
    for block in &diff.blocks {
        if let Some(change) = wording::change(block).filter(|change| is_shown(change)) {
            cards.push_str(&card(change, &block_head(change, block, diff), &words_of(block)));
        }
    }
    if !diff.layout.is_empty() {
        cards.push_str(&card("changed", "<b>changed</b> <span>outside all blocks</span>", &diff.layout));
    }
    fill(&[
        ("url", &escaped(url)),
        ("from", &version(&diff.from)),
        ("to", &version(&diff.to)),
        ("summary", &escaped(&summary(diff))),
        ("cards", &cards),
    ])
}

fn summary(diff: &Diff) -> String {
    if diff.from.number == diff.to.number {
        return "there is no other version to compare it with".to_owned();
    }
    let touched_count = diff.blocks.iter().filter(|block| wording::change(block) == Some("touched")).count() as u64;
    match touched_count {
        0 => wording::changes(&diff.counts),
        count => format!("{}; {} with other markup only", wording::changes(&diff.counts), counted(count, "block")),
    }
}

fn version(version: &VersionInfo) -> String {
    format!("<time datetime=\"{0}\">{0}</time> <code>{1}</code>", version.time, version.hash)
}

fn block_head(change: &str, block: &BlockDiff, diff: &Diff) -> String {
    let mut head = format!("<b>{change}{}</b>", if block.is_moved && change != "moved" { " and moved" } else { "" });
    let mut tell = |class: &str, text: &str| {
        let _ = write!(head, " <span class=\"{class}\">{}</span>", escaped(text));
    };
    if let Some(label) = block.label {
        tell("kind", label.name());
    }
    if let Some(topic) = &block.topic {
        tell("topic", topic);
    }
    if let Some(evidence) = wording::evidence(block, diff) {
        tell("evidence", &evidence);
    }
    head
}

/// A block: its head, its text around what differs, and its whole text where some of it was left out.
fn card(change: &str, head: &str, words: &[WordChange]) -> String {
    let shown = elide(words, CONTEXT_WIDTH);
    let text = match words.is_empty() {
        true => "<p class=\"none\">no text</p>".to_owned(),
        false => format!("<p>{}</p>", marked(&shown)),
    };
    let whole = match shown.contains(&Shown::Gap) {
        true => {
            let all: Vec<_> = words.iter().map(|change| Shown::Words(change.side, &change.text)).collect();
            format!("<details><summary>whole text</summary><p>{}</p></details>", marked(&all))
        }
        false => String::new(),
    };
    format!("<article class=\"{change}\">\n<h2>{head}</h2>\n{text}\n{whole}</article>\n")
}

fn marked(shown: &[Shown<'_>]) -> String {
    let piece = |shown: &Shown<'_>| match shown {
        Shown::Words(WordSide::Both, text) => escaped(text),
        Shown::Words(WordSide::Old, text) => format!("<del>{}</del>", escaped(text)),
        Shown::Words(WordSide::New, text) => format!("<ins>{}</ins>", escaped(text)),
        Shown::Gap => "<i>…</i>".to_owned(),
    };
    shown.iter().map(piece).collect()
}

/// Puts values into the template. In one pass, so that what looks like a place to fill in a value is left alone.
fn fill(values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    for (index, part) in TEMPLATE.split("{{").enumerate() {
        match part.split_once("}}") {
            Some((name, behind)) if index > 0 => {
                let value = values.iter().find(|(known, _)| *known == name).expect("the template names known values").1;
                filled.extend([value, behind]);
            }
            _ => filled.push_str(part),
        }
    }
    filled
}

/// A text as HTML: nothing in it is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn page(shows_touched: bool) -> String {
        let from = Some("2026-01-01T12:00:00Z".parse().expect("a time"));
        let diff = sample::archive().diff(&sample::url(), from, None).expect("both versions are there");
        diff_page(sample::url().as_str(), &diff, shows_touched)
    }

    #[test]
    fn every_difference_has_its_card() {
        let page = page(false);
        assert!(page.contains("<del>oil of the best sort</del><ins>petroleum</ins>"), "{page}");
        let cards = |change: &str| page.matches(&format!("<article class=\"{change}\">")).count();
        assert_eq!(["changed", "added", "moved", "removed", "touched"].map(cards), [1, 1, 1, 0, 0]);
        assert!(page.contains("absent at 2026-01-01T12:00:00Z, present at 2026-01-07T12:00:00Z"), "{page}");
    }

    #[test]
    fn a_script_in_a_text_is_shown_and_does_not_run() {
        let page = page(true);
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
        assert!(!page.contains("<script"), "{page}");
    }

    #[test]
    fn a_text_that_looks_like_the_template_is_left_alone() {
        assert_eq!(
            fill(&[("url", "{{to}}"), ("from", ""), ("to", "x"), ("summary", ""), ("cards", "")])
                .matches("{{to}}")
                .count(),
            2
        );
    }
}
