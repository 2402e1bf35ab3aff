//! `kuai extract`: title, metadata, main text and related links of pages.

use kuai::SiteModels;
use kuai_page::{Label, Page};
use kuai_segment::{Method, Wanted, extract_wanted, html, markdown, text};

use crate::Outcome;
use crate::input::Source;
use crate::json::ExtractJson;
use crate::json::csl::CslJson;
use crate::pages::{Aim, Cut, Pages, Stream, json_line};
use crate::place::Place;
use crate::site_models::{SITE_MODEL_METHOD, tell_drifts};
use crate::terminal::shown;

/// Extract title, metadata, main text and related links of pages.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai extract page.html                             the main text
  kuai extract --format markdown https://example.org/
  kuai extract --format markdown --without links,images page.html
  kuai extract --with comments page.html             the main text and what readers wrote below it
  kuai extract --kind related page.html              the related links alone
  kuai extract --format bibtex https://example.org/article >> references.bib
  curl -s https://example.org/ | kuai extract - --url https://example.org/ --json
  kuai extract --batch pages/ --json > texts.jsonl   every page below a folder, a JSON object a line

Pages of a site whose model is in the archive (see kuai learn --site) are cut by it where they fit.")]
pub(crate) struct Extract {
    #[command(flatten)]
    pages: Pages,
    /// How to write the result.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Keep only what is surely main text.
    #[arg(long, conflicts_with = "recall")]
    precision: bool,
    /// Keep also what may be main text.
    #[arg(long)]
    recall: bool,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Blocks of which kinds to write, instead of the main text.
    #[arg(long = "kind", value_name = "KIND,…", value_delimiter = ',', value_parser = label_names())]
    kinds: Vec<String>,
    /// Write these too.
    #[arg(long, value_enum, value_name = "WHAT,…", value_delimiter = ',')]
    with: Vec<Thing>,
    /// Leave these out. The words of links stay, only where they lead is left out.
    #[arg(long, value_enum, value_name = "WHAT,…", value_delimiter = ',')]
    without: Vec<Thing>,
    #[command(flatten)]
    place: Place,
    /// Do not use the models of sites that are in the archive.
    #[arg(long)]
    no_site_model: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The main text.
    Text,
    /// The main text with headings, lists, tables, code, footnotes, formulas, images and links.
    Markdown,
    /// The main text as clean HTML: structure only, and nothing that runs.
    Html,
    /// Everything, one JSON object a line.
    Json,
    /// How to cite the page, as a BibTeX entry.
    Bibtex,
    /// How to cite the page, as CSL-JSON, one object a line.
    Csl,
}

/// What can be had or left out.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Thing {
    /// What readers wrote below the main text; left out unless asked for.
    Comments,
    /// Images, in Markdown and HTML.
    Images,
    /// Where links lead, in Markdown and HTML.
    Links,
    /// Tables of data, with their words.
    Tables,
}

impl Extract {
    pub(crate) fn run(mut self, quiet: bool) -> anyhow::Result<Outcome> {
        self.pages.leaning = match (self.precision, self.recall) {
            (true, _) => Some(-1.0),
            (_, true) => Some(1.0),
            _ => None,
        };
        if !self.no_site_model {
            self.pages.site_models = Some(SiteModels::beside(self.place.folder()?));
        }
        let format = if self.json { Format::Json } else { self.format };
        let is_main_alone = format != Format::Json && self.kinds.is_empty() && !self.with.contains(&Thing::Comments);
        self.pages.aim = if is_main_alone { Aim::MainText } else { Aim::Text };
        let stream = if matches!(format, Format::Json | Format::Csl) { Stream::JsonLines } else { Stream::Text };
        let outcome = self.pages.run(quiet, stream, |source, page, cuts| {
            let texts = cuts.iter().map(|cut| write(format, source, page, cut, &self.wanted(cut.method)));
            texts.collect::<Vec<_>>().join("\n")
        });
        self.pages.site_models.iter().for_each(tell_drifts);
        outcome
    }

    fn wanted(&self, method: &Method) -> Wanted {
        let mut wanted = Wanted::of(method);
        if !self.kinds.is_empty() {
            wanted.labels =
                Label::ALL.into_iter().filter(|label| self.kinds.iter().any(|kind| kind == label.name())).collect();
        }
        for (things, is_wanted) in [(&self.with, true), (&self.without, false)] {
            things.iter().for_each(|thing| thing.ask(&mut wanted, is_wanted));
        }
        wanted
    }
}

impl Thing {
    fn ask(self, wanted: &mut Wanted, is_wanted: bool) {
        match self {
            Thing::Images => wanted.images = is_wanted,
            Thing::Links => wanted.links = is_wanted,
            Thing::Tables => wanted.tables = is_wanted,
            Thing::Comments => {
                wanted.labels.retain(|label| *label != Label::Comment);
                wanted.labels.extend(is_wanted.then_some(Label::Comment));
            }
        }
    }
}

fn label_names() -> Vec<&'static str> {
    Label::ALL.into_iter().map(Label::name).collect()
}

fn write(format: Format, source: &Source, page: &Page, cut: &Cut, wanted: &Wanted) -> String {
    let Cut { method, judged, by_site_model } = cut;
    let tree = &judged.tree;
    let citation = || page.metadata().citation(page.url());
    match format {
        Format::Text => shown(text(page, tree, wanted)),
        Format::Markdown => shown(markdown(page, tree, wanted)),
        Format::Html => shown(html(page, tree, wanted)),
        Format::Json => {
            let extract = extract_wanted(page, tree, method, wanted);
            let name = if *by_site_model { SITE_MODEL_METHOD } else { method.name };
            json_line(&ExtractJson::new(source, page, judged, extract, wanted, name))
        }
        Format::Bibtex => shown(citation().to_bibtex()),
        Format::Csl => json_line(&CslJson::new(&citation(), &source.place)),
    }
}
