//! `kuai blame`: how old each block of a page is.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use console::measure_text_width;
use kuai::{BlameBlock, Error, HEAT_STEPS, Heat, Timestamp};

use crate::Outcome;
use crate::heat_map::heat_map;
use crate::json::archive::BlameJson;
use crate::pages::json_line;
use crate::place::{PageAt, Place};
use crate::terminal::{Terminal, cut_to_width, harmless};
use crate::wording::{age, counted};

/// Columns of a line where there is no terminal to ask.
const WIDTH_DEFAULT: usize = 120;

/// Columns of text shown at least, however narrow the terminal is.
const TEXT_WIDTH_MIN: usize = 20;

/// A colour for each step of heat: what changed last is brightest.
const COLOURS: [AnsiColor; HEAT_STEPS] = [
    AnsiColor::BrightRed,
    AnsiColor::BrightYellow,
    AnsiColor::Yellow,
    AnsiColor::Cyan,
    AnsiColor::Blue,
    AnsiColor::BrightBlack,
];

/// Say of each block of a page when it was first seen, and when it last came to say something else.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai blame https://example.org/                      a line a block; the newest is brightest
  kuai blame https://example.org/ --at 2024-01-31      as it was on that day
  kuai blame https://example.org/ --html > heat.html   the page with every block tinted by its age
  kuai blame https://example.org/ --json               one JSON object a block

Ages count back from the time of the capture that is shown, not from today.")]
pub(crate) struct Blame {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    page: PageAt,
    /// One JSON object a block, a line each.
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// The page as captured, scripts off, with every block tinted by its age: one HTML file.
    #[arg(long)]
    html: bool,
}

impl Blame {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let blame = match self.place.read()?.blame(&self.page.url, self.page.at) {
            Err(error @ (Error::UnknownUrl { .. } | Error::NoVersion { .. } | Error::NoPage { .. })) => {
                anstream::eprintln!("kuai: {error}");
                return Ok(Outcome::Nothing);
            }
            blame => blame?,
        };
        match (self.json, self.html) {
            (true, _) => {
                let mut out = io::BufWriter::new(io::stdout().lock());
                for block in &blame.blocks {
                    writeln!(out, "{}", json_line(&BlameJson::new(block)))?;
                }
                out.flush()?;
            }
            (_, true) => io::stdout().write_all(heat_map(&blame).as_bytes())?,
            _ => anstream::stdout().write_all(text(&blame, Terminal::stdout()).as_bytes())?,
        }
        Ok(Outcome::Done)
    }
}

/// A blame for people.
fn text(blame: &kuai::Blame, terminal: Terminal) -> String {
    let bold = Style::new().bold();
    let capture = &blame.version.capture;
    let blocks = counted(blame.blocks.len() as u64, "block");
    let mut text = format!("{bold}{}{bold:#}\n{}: {blocks}\n\n", harmless(capture.url.as_str()), capture.time);
    let heat = Heat::of(&blame.blocks);
    let dim = Style::new().dimmed();
    let columns = columns("age", "changed", "first seen", "kind", heat.short(capture.time).len());
    let _ = writeln!(text, "{dim}{columns}text{dim:#}");
    for block in &blame.blocks {
        let _ = writeln!(text, "{}", line(block, &heat, capture.time, terminal.width.unwrap_or(WIDTH_DEFAULT)));
    }
    text
}

fn line(block: &BlameBlock, heat: &Heat, now: Timestamp, width: usize) -> String {
    let (changed, first) = (heat.short(block.last_changed), heat.short(block.first_seen));
    let kind = block.label.map_or("block", |label| label.name());
    let columns = columns(&age(block.last_changed, now), &changed, &first, kind, changed.len());
    let style = step_style(heat.step(block.last_changed));
    let rest = width.saturating_sub(measure_text_width(&columns)).max(TEXT_WIDTH_MIN);
    let text = match block.text.is_empty() {
        true => "(no text)".to_owned(),
        false => cut_to_width(&block.text, rest),
    };
    format!("{style}{columns}{style:#}{text}")
}

/// All of a line but its text.
fn columns(age: &str, changed: &str, first: &str, kind: &str, time_length: usize) -> String {
    format!("{age:<10}  {changed:<time_length$}  {first:<time_length$}  {kind:<10}  ")
}

fn step_style(step: usize) -> Style {
    let style = COLOURS[step].on_default();
    if step == 0 { style.bold() } else { style }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn check(width: usize, expected: &[&str]) {
        let blame = sample::archive().blame(&sample::url(), None).expect("the page is there");
        let shown = text(&blame, Terminal { width: Some(width), has_colour: false });
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn each_block_has_its_age_and_what_it_says() {
        check(
            80,
            &[
                "https://light.example/keeper",
                "2026-01-07T12:00:00Z: 8 blocks",
                "",
                "age         changed     first seen  kind        text",
                "6 days      2026-01-01  2026-01-01  navigation  Home Map of the island Log book",
                "6 days      2026-01-01  2026-01-01  main        The keeper of the light",
                "6 days      2026-01-01  2026-01-01  main        In fog the bell is rung by hand…",
                "new         2026-01-07  2026-01-07  main        Gulls nest under the gallery si…",
                "6 days      2026-01-01  2026-01-01  main        The keeper climbs two hundred a…",
                "3 days      2026-01-04  2026-01-01  main        The lamp burns petroleum, and a…",
                "6 days      2026-01-01  2026-01-01  main        The ferry calls on Mondays and …",
                "6 days      2026-01-01  2026-01-01  main        © 2026 The Island Council. All …",
            ],
        );
    }

    #[test]
    fn ages_count_back_from_the_capture_that_is_shown() {
        let blame = sample::archive().blame(&sample::url(), Some("2026-01-05T00:00:00Z".parse().expect("a time")));
        let shown = text(&blame.expect("the page is there"), Terminal { width: None, has_colour: false });
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert!(shown.contains("new         2026-01-04  2026-01-01  main        The lamp burns petroleum"), "{shown}");
    }

    #[test]
    fn the_newest_is_brightest() {
        let blame = sample::archive().blame(&sample::url(), None).expect("the page is there");
        let shown = text(&blame, Terminal { width: None, has_colour: true });
        assert!(shown.contains("\u{1b}[1m\u{1b}[91mnew  "), "{shown:?}");
        assert!(shown.contains("\u{1b}[90m6 days  "), "{shown:?}");
    }
}
