//! `kuai diff`: what differs between two versions of a page, block by block and word by word.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use anyhow::ensure;
use kuai::{BlockDiff, Relation, Timestamp, Url, WordChange, WordSide};

use crate::Outcome;
use crate::diff_page::diff_page;
use crate::json::archive::DiffJson;
use crate::pages::json_line;
use crate::place::{Place, address, time};
use crate::terminal::{Terminal, cut_to_width, harmless, wrap};
use crate::word_marks::{elide, styled, words_of};
use crate::wording::{self, counted};

/// Columns of unchanged text shown on each side of a difference.
const CONTEXT_WIDTH: usize = 48;

/// Columns of a topic shown.
const TOPIC_WIDTH_MAX: usize = 40;

/// Compare two versions of a page, block by block and word by word.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai diff https://example.org/                      the newest version and the one before it
  kuai diff https://example.org/ --from 2024-01-31    what came after the last version of that day
  kuai diff https://example.org/ --html > diff.html   one file to look at and pass on
  kuai diff https://example.org/ --json               spans, kinds and words of each block

Exits with 0 where the text reads the same, 1 where it differs, 2 where they could not be compared.")]
pub(crate) struct Diff {
    #[command(flatten)]
    place: Place,
    /// The address.
    #[arg(value_parser = address)]
    url: Url,
    /// The earlier version: the latest at or before this time [default: the one before the later].
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Timestamp>,
    /// The later version: the latest at or before this time [default: the newest].
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<Timestamp>,
    /// Show blocks that differ in markup only, too.
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// One JSON document.
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// One self-contained HTML file.
    #[arg(long)]
    html: bool,
}

impl Diff {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        if let (Some(from), Some(to)) = (self.from, self.to) {
            ensure!(from <= to, "--from {from} is later than --to {to}: swap them");
        }
        let diff = self.place.read()?.diff(&self.url, self.from, self.to)?;
        let url = self.url.as_str();
        match (self.json, self.html) {
            (true, _) => writeln!(io::stdout(), "{}", json_line(&DiffJson::new(url, &diff)))?,
            // What in a page looks like colours is no colour, so it goes past the stream that takes them away.
            (_, true) => io::stdout().write_all(diff_page(url, &diff, self.all).as_bytes())?,
            _ => anstream::stdout().write_all(text(url, &diff, self.all, Terminal::stdout()).as_bytes())?,
        }
        Ok(if diff.counts.kinds.has_content() { Outcome::Differs } else { Outcome::Done })
    }
}

/// A diff for people.
pub(super) fn text(url: &str, diff: &kuai::Diff, shows_touched: bool, terminal: Terminal) -> String {
    let bold = Style::new().bold();
    let mut text = format!("{bold}{}{bold:#}\n", harmless(url));
    if diff.from.number == diff.to.number {
        let _ = writeln!(text, "{}: there is no other version to compare it with", diff.from.time);
        return text;
    }
    let _ = writeln!(text, "{} → {}: {}", diff.from.time, diff.to.time, wording::changes(&diff.counts));
    for block in &diff.blocks {
        match wording::change(block) {
            None => {}
            Some("touched") if !shows_touched => {}
            Some(change) => text.push_str(&entry(&head(change, block, diff), &words_of(block), terminal)),
        }
    }
    if !diff.layout.is_empty() {
        text.push_str(&entry(&layout_head(&diff.layout), &diff.layout, terminal));
    }
    let touched_count = diff.blocks.iter().filter(|block| wording::change(block) == Some("touched")).count();
    if touched_count > 0 && !shows_touched {
        let _ = writeln!(text, "\n{} in markup only", differ(touched_count as u64, "block"));
    }
    text
}

/// What became of a block, its kind and its topic.
fn head(change: &str, block: &BlockDiff, diff: &kuai::Diff) -> String {
    let style = change_style(block.relation);
    let dim = Style::new().dimmed();
    let mut head = format!("{style}{change}{style:#}");
    if block.is_moved && change != "moved" {
        head.push_str(" and moved");
    }
    if let Some(label) = block.label {
        let _ = write!(head, "  {}", label.name());
    }
    if let Some(topic) = &block.topic {
        let _ = write!(head, "  {dim}about{dim:#} {}", cut_to_width(topic, TOPIC_WIDTH_MAX));
    }
    if let Some(evidence) = wording::evidence(block, diff) {
        let _ = write!(head, "  {dim}{evidence}{dim:#}");
    }
    head
}

fn layout_head(words: &[WordChange]) -> String {
    let style = change_style(Relation::Changed);
    let is_elsewhere = words.iter().all(|change| change.side == WordSide::Both);
    format!("{style}{}{style:#}  outside all blocks", if is_elsewhere { "moved" } else { "changed" })
}

fn entry(head: &str, words: &[WordChange], terminal: Terminal) -> String {
    let body = wrap(&styled(&elide(words, CONTEXT_WIDTH), terminal.has_colour), terminal.width, "  ");
    format!("\n{head}\n{}\n", if words.is_empty() { "  (no text)" } else { &body })
}

fn change_style(relation: Relation) -> Style {
    let colour = match relation {
        Relation::Added => AnsiColor::Green,
        Relation::Removed => AnsiColor::Red,
        Relation::Changed => AnsiColor::Yellow,
        Relation::Same => AnsiColor::Blue,
        Relation::Touched => AnsiColor::BrightBlack,
    };
    colour.on_default().bold()
}

/// `1 block differs`, `2 blocks differ`.
fn differ(count: u64, noun: &str) -> String {
    format!("{} differ{}", counted(count, noun), if count == 1 { "s" } else { "" })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sample;

    const PLAIN: Terminal = Terminal { width: None, has_colour: false };

    fn diff(from: &str, to: &str) -> kuai::Diff {
        let at = |day: &str| Some(format!("2026-01-{day}T12:00:00Z").parse().expect("a time"));
        sample::archive().diff(&sample::url(), at(from), at(to)).expect("both versions are there")
    }

    fn check(diff: &kuai::Diff, shows_touched: bool, expected: &[&str]) {
        let shown = text(sample::url().as_str(), diff, shows_touched, PLAIN);
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_edit_is_told_word_by_word() {
        check(
            &diff("01", "04"),
            false,
            &[
                "https://light.example/keeper",
                "2026-01-01T12:00:00Z → 2026-01-04T12:00:00Z: 1 block changed; main text",
                "",
                "changed  main  about The keeper of the light",
                "  The lamp burns [-oil of the best sort-]{+petroleum+}, and a barrel of it lasts for three weeks in winter and for \
                 [-five-] {+six+} weeks in summer, when the nights are short and clear.",
            ],
        );
    }

    #[test]
    fn what_moved_and_what_came_are_told_apart() {
        check(
            &diff("04", "07"),
            false,
            &[
                "https://light.example/keeper",
                "2026-01-04T12:00:00Z → 2026-01-07T12:00:00Z: 1 block added, 1 moved; main text",
                "",
                "moved  main  about The keeper of the light",
                "  In fog the bell is rung by hand, twice in a minute, and everybody on the island knows then that …",
                "",
                "added  main  about Gulls nest under the gallery since  absent at 2026-01-04T12:00:00Z, present at \
                 2026-01-07T12:00:00Z",
                "  {+Gulls nest under the gallery since the spring. They are counted on Sundays & holidays: \
                 <script>alert(1)</script> is what somebody wrote into the log book.+}",
                "",
                "1 block differs in markup only",
            ],
        );
    }

    #[test]
    fn blocks_with_other_markup_are_shown_when_asked_for() {
        let shown = text("", &diff("04", "07"), true, PLAIN);
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert!(
            shown
                .contains("touched  navigation  about Home Map of the island Log\n  Home Map of the island Log book\n"),
            "{shown}"
        );
        assert!(!shown.contains("in markup only"), "{shown}");
    }

    #[test]
    fn a_version_is_not_compared_with_itself() {
        check(
            &diff("02", "03"),
            false,
            &["https://light.example/keeper", "2026-01-01T12:00:00Z: there is no other version to compare it with"],
        );
    }

    #[test]
    fn colours_take_the_place_of_marks() {
        let terminal = Terminal { width: Some(60), has_colour: true };
        let shown = text("", &diff("01", "04"), false, terminal);
        assert!(!shown.contains("[-") && !shown.contains("{+"), "{shown}");
        assert!(
            shown.contains("\u{1b}[9m\u{1b}[31moil of the best sort\u{1b}[0m\u{1b}[32mpetroleum\u{1b}[0m"),
            "{shown:?}"
        );
    }

    #[test]
    fn chinese_is_compared_by_letter_and_cut_where_it_is_long() {
        let page = |edited: &str| {
            format!("<p>{0}{edited}{0}</p><p>{0}</p>", "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少。".repeat(4))
        };
        let archive = sample::archive_of(&[
            ("2026-01-01T12:00:00Z", page("明月几时有")),
            ("2026-01-04T12:00:00Z", page("明日几时有")),
        ]);
        let diff = archive.diff(&sample::url(), None, None).expect("both versions are there");
        let shown = text("", &diff, false, PLAIN);
        assert!(shown.contains("  …"), "{shown}");
        assert!(shown.contains("花落知多少。明[-月-]{+日+}几时有春眠不觉晓"), "{shown}");
    }

    #[test]
    fn the_json_has_its_fields() {
        let url = sample::url();
        let json = serde_json::to_value(DiffJson::new(url.as_str(), &diff("01", "07"))).expect("JSON");
        assert_eq!(json["url"], url.as_str());
        assert_eq!(json["from"]["time"], "2026-01-01T12:00:00Z");
        assert_eq!(json["to"]["version"].as_str().map(str::len), Some(32));
        let counts = json!({ "blocks": 8, "added": 1, "removed": 0, "changed": 1, "moved": 1, "touched": 1 });
        assert_eq!(json["counts"], counts);
        assert_eq!(json["kinds"], json!(["main"]));
        assert_eq!((&json["content_changed"], &json["layout_changed"]), (&json!(true), &json!(false)));
        assert_eq!(json["layout"], json!([]));
        let blocks = json["blocks"].as_array().expect("a list");
        let changes: Vec<_> = blocks.iter().filter_map(|block| block["change"].as_str()).collect();
        assert_eq!(changes, ["touched", "moved", "added", "changed"]);
        assert_eq!((&blocks[1]["moved"], &blocks[2]["old_span"]), (&json!(true), &json!(null)));
        assert_eq!(blocks[3]["words"][1], json!({ "side": "old", "text": "oil of the best sort" }));
        assert_eq!(blocks[3]["words"][2], json!({ "side": "new", "text": "petroleum" }));
    }
}
