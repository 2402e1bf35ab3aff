//! `kuai segment`: the blocks of pages.

use std::fmt::Write;

use anstyle::{AnsiColor, Color, Style};
use anyhow::ensure;
use console::measure_text_width;
use kuai_page::{BlockTree, Label, Page, TextOptions};

use crate::Outcome;
use crate::drawing::{draw, preview};
use crate::json::SegmentJson;
use crate::pages::{Cut, Pages, Stream, json_line};
use crate::terminal::{Terminal, cut_to_width, harmless};

/// Cut pages into blocks.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai segment page.html                       an indented tree of blocks
  kuai segment --method gdom --json page.html  spans, kinds, texts and links
  kuai segment --html --method nom --method gdom page.html > drawing.html
  kuai segment --batch pages/ --json           every page below a folder, a JSON object a line")]
pub(crate) struct Segment {
    #[command(flatten)]
    pages: Pages,
    /// Levels of nested blocks to cut and keep [default: the method's own].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    level: Option<u32>,
    /// One JSON object a page, a line each.
    #[arg(long, conflicts_with_all = ["tree", "html"])]
    json: bool,
    /// The page with its blocks drawn over it, one HTML file; several methods stand side by side.
    #[arg(long, conflicts_with = "tree")]
    html: bool,
    /// An indented tree for people (the default).
    #[arg(long)]
    tree: bool,
}

impl Segment {
    pub(crate) fn run(mut self, quiet: bool) -> anyhow::Result<Outcome> {
        self.pages.level = self.level;
        if self.json {
            self.pages.run(quiet, Stream::JsonLines, |source, page, cuts| {
                joined(cuts, |cut| json_line(&SegmentJson::new(source, page, &cut.judged.tree, cut.method.name)))
            })
        } else if self.html {
            ensure!(
                self.pages.is_one_page(),
                "--html draws one page: name one, and write it to a file with > drawing.html"
            );
            self.pages.run(quiet, Stream::Text, |source, page, cuts| {
                let trees: Vec<_> = cuts.iter().map(|cut| (cut.method.name, cut.judged.tree.clone())).collect();
                draw(page, &source.place, &trees)
            })
        } else {
            let terminal = Terminal::stdout();
            self.pages.run(quiet, Stream::Text, |_, page, cuts| {
                let lines = |cut: &Cut| tree_lines(page, &cut.judged.tree, terminal);
                match cuts {
                    [cut] => lines(cut),
                    several => joined(several, |cut| format!("{}:\n{}\n", cut.method.name, lines(cut))),
                }
            })
        }
    }
}

fn joined(cuts: &[Cut], write: impl Fn(&Cut) -> String) -> String {
    cuts.iter().map(write).collect::<Vec<_>>().join("\n")
}

/// Columns that are left for a text at least, however narrow the terminal.
const TEXT_WIDTH_MIN: usize = 16;

fn tree_lines(page: &Page, tree: &BlockTree, terminal: Terminal) -> String {
    let mut lines = String::new();
    for block in tree.blocks() {
        let style = block.label.filter(|_| terminal.has_colour).map_or(Style::new(), label_style);
        let name = block.label.map_or("block", |label| label.name());
        let indent = "  ".repeat(block.depth as usize);
        let span = block.span.range();
        let head = format!("{indent}{style}{name:<10}{style:#} {:>7}..{:<7} ", span.start, span.end);
        let text = preview(&page.text(block.span, TextOptions::default()));
        let width_of_head = measure_text_width(&head);
        let text = match terminal.width {
            Some(width) => cut_to_width(&text, width.saturating_sub(width_of_head).max(TEXT_WIDTH_MIN)),
            None => harmless(&text),
        };
        writeln!(lines, "{head}{text}").expect("a string takes any text");
    }
    lines.truncate(lines.trim_end().len());
    lines
}

fn label_style(label: Label) -> Style {
    let color = match label {
        Label::Main => AnsiColor::Green,
        Label::Title => AnsiColor::BrightGreen,
        Label::Small | Label::Meta | Label::Comment => AnsiColor::Cyan,
        Label::Related => AnsiColor::Blue,
        Label::Navigation => AnsiColor::Yellow,
        Label::Advert => AnsiColor::Magenta,
        Label::Copyright | Label::Noise => AnsiColor::BrightBlack,
    };
    Style::new().fg_color(Some(Color::Ansi(color)))
}
