//! `kuai extract`: title, metadata, main text and related links of pages.

use kuai_page::Page;
use kuai_segment::{extract, html, markdown};

use crate::Outcome;
use crate::input::Source;
use crate::json::ExtractJson;
use crate::pages::{Cut, Pages, Stream, json_line};

/// Extract title, metadata, main text and related links of pages.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai extract page.html                             the main text
  kuai extract --format markdown https://example.org/
  curl -s https://example.org/ | kuai extract - --url https://example.org/ --json
  kuai extract --batch pages/ --json > texts.jsonl   every page below a folder, a JSON object a line")]
pub(crate) struct Extract {
    #[command(flatten)]
    pages: Pages,
    /// How to write the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The main text.
    Text,
    /// The main text with headings, lists, tables, code and links.
    Markdown,
    /// The main text as clean HTML.
    Html,
    /// Everything, one JSON object a line.
    Json,
}

impl Extract {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let format = if self.json { Format::Json } else { self.format };
        let stream = if format == Format::Json { Stream::JsonLines } else { Stream::Text };
        self.pages.run(quiet, stream, |source, page, cuts| {
            cuts.iter().map(|cut| write(format, source, page, cut)).collect::<Vec<_>>().join("\n")
        })
    }
}

fn write(format: Format, source: &Source, page: &Page, cut: &Cut) -> String {
    let Cut { method, tree } = cut;
    match format {
        Format::Text => extract(page, tree, method).text,
        Format::Markdown => markdown(page, tree),
        Format::Html => html(page, tree),
        Format::Json => json_line(&ExtractJson::new(source, page, tree, extract(page, tree, method), method.name)),
    }
}
