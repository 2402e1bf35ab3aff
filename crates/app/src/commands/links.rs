//! `kuai links`: the links of a page by block, in and out, over time; which pages are recommended most.

use std::io::{self, Write};

use anstyle::Style;
use kuai::search::{PageLink, Period, Ranked, Target, links_in, links_out, rank, target};
use kuai::{Archive, Label, Timestamp, Url};

use crate::Outcome;
use crate::json::links::{LinkJson, RankedJson};
use crate::pages::json_line;
use crate::place::{Place, address, time};
use crate::progress::Progress;
use crate::terminal::harmless;
use crate::wording::counted;

/// Show the links of a page by block, in and out, with since when and whether they are dead.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai links https://example.org/                       out of the page and into it, as it stands
  kuai links https://example.org/ --out --kind main     those in its text
  kuai links https://example.org/ --in --history        all that ever led to it
  kuai links https://example.org/ --at 2019-06-30       as the Web stood then
  kuai links --rank 10                                  the pages that others recommend most

A link lives from the capture that shows it to the first that does not. Where a link leads is told as the archive knows it: dead (404 or 410), moved,
failing or not archived. The rank counts links in texts and in lists of related pages; menus, adverts and small print have no vote.")]
pub(crate) struct Links {
    #[command(flatten)]
    place: Place,
    /// The address.
    #[arg(value_parser = address, required_unless_present = "rank", conflicts_with = "rank")]
    url: Option<Url>,
    /// Only links into the page; asks every page of the archive.
    #[arg(long = "in", conflicts_with_all = ["out", "rank"])]
    only_in: bool,
    /// Only links out of the page.
    #[arg(long, conflicts_with = "rank")]
    out: bool,
    /// Only those in blocks of this kind; may be given several times.
    #[arg(long, value_name = "KIND", value_parser = kind, conflicts_with = "rank")]
    kind: Vec<Label>,
    /// As the Web stood at this time.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "history")]
    at: Option<Timestamp>,
    /// All that ever stood.
    #[arg(long, conflicts_with = "rank")]
    history: bool,
    /// The pages that are recommended most, by links from block to page.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20")]
    rank: Option<u32>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

impl Links {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let archive = self.place.read()?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let shown = match &self.url {
            Some(url) => self.of_page(&archive, url, quiet, &mut out)?,
            None => self.ranked(&archive, quiet, &mut out)?,
        };
        out.flush()?;
        if shown == 0 && !quiet {
            anstream::eprintln!("kuai: no links found");
        }
        Ok(if shown == 0 { Outcome::Nothing } else { Outcome::Done })
    }

    fn of_page(&self, archive: &Archive, url: &Url, quiet: bool, out: &mut impl Write) -> anyhow::Result<usize> {
        let period = match self.at {
            Some(at) => Period::At(at),
            None if self.history => Period::Ever,
            None => Period::Now,
        };
        let mut shown = 0;
        if !self.only_in {
            shown += self.show(archive, Way::Out, links_out(archive, url, period)?, out)?;
        }
        if !self.out {
            let mut progress = Progress::new(0, "addresses", quiet);
            let links = links_in(archive, url, period, &mut |done, total| {
                progress.at(done, total);
                true
            });
            progress.finish();
            shown += self.show(archive, Way::In, links?, out)?;
        }
        Ok(shown)
    }

    fn show(
        &self,
        archive: &Archive,
        way: Way,
        mut links: Vec<PageLink>,
        out: &mut impl Write,
    ) -> anyhow::Result<usize> {
        links.retain(|link| self.kind.is_empty() || link.label.is_some_and(|label| self.kind.contains(&label)));
        let at = self.at.unwrap_or(Timestamp::MAX);
        for of_kind in links.chunk_by(|a, b| a.label == b.label) {
            if !self.json {
                writeln!(out, "{}", head(way, of_kind))?;
            }
            for link in of_kind {
                let target = match way {
                    Way::Out => Some(target(archive, &link.to, at)?),
                    Way::In => None,
                };
                match self.json {
                    true => writeln!(out, "{}", json_line(&LinkJson::new(way.name(), link, target.as_ref())))?,
                    false => writeln!(out, "{}", line(way, link, target.as_ref()))?,
                }
            }
        }
        Ok(links.len())
    }

    fn ranked(&self, archive: &Archive, quiet: bool, out: &mut impl Write) -> anyhow::Result<usize> {
        let mut ranked = ranked(archive, self.at, quiet)?;
        ranked.truncate(self.rank.unwrap_or_default() as usize);
        for page in &ranked {
            match self.json {
                true => writeln!(out, "{}", json_line(&RankedJson::new(page)))?,
                false => writeln!(out, "{}", rank_line(page))?,
            }
        }
        Ok(ranked.len())
    }
}

/// Which way links lead.
#[derive(Clone, Copy)]
enum Way {
    In,
    Out,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::In => "in",
            Way::Out => "out",
        }
    }
}

/// A kind of block given on the command line.
fn kind(text: &str) -> Result<Label, String> {
    let names = || Label::ALL.map(Label::name).join(", ");
    let known = Label::ALL.into_iter().find(|label| label.name() == text);
    known.ok_or_else(|| format!("there is no kind {text}; there are {}", names()))
}

fn head(way: Way, links: &[PageLink]) -> String {
    let bold = Style::new().bold();
    let kind = links[0].label.map_or("no kind", Label::name);
    format!("{bold}{}, {kind}{bold:#}  {}", way.name(), counted(links.len() as u64, "link"))
}

fn line(way: Way, link: &PageLink, target: Option<&Target>) -> String {
    let other = match way {
        Way::In => &link.from,
        Way::Out => &link.to,
    };
    let text = match link.text.is_empty() {
        true => String::new(),
        false => format!("  “{}”", harmless(&link.text)),
    };
    let gone = link.gone.map(|gone| format!(", absent at {gone}")).unwrap_or_default();
    let fate = target.and_then(fate).map(|fate| format!("; {fate}")).unwrap_or_default();
    format!(
        "  {}{text}\n    first seen {}, last seen {}{gone}{fate}",
        harmless(other.as_str()),
        link.first_seen,
        link.last_seen
    )
}

/// What became of where a link leads; nothing where all is well.
fn fate(target: &Target) -> Option<String> {
    match target {
        Target::There { .. } => None,
        Target::NotArchived => Some("not archived".to_owned()),
        Target::Dead { status, since, .. } => Some(format!("dead since {since} ({status})")),
        Target::Moved { status, since, to } => {
            let to = to.as_ref().map(|to| format!(" to {}", harmless(to.as_str()))).unwrap_or_default();
            Some(format!("moved{to} since {since} ({status})"))
        }
        Target::Failing { status, since } => Some(format!("failing since {since} ({status})")),
    }
}

/// All pages by how much they are recommended at a time.
pub(super) fn ranked(archive: &Archive, at: Option<Timestamp>, quiet: bool) -> anyhow::Result<Vec<Ranked>> {
    let mut progress = Progress::new(0, "addresses", quiet);
    let ranked = rank(archive, at, &mut |done, total| {
        progress.at(done, total);
        true
    });
    progress.finish();
    Ok(ranked?)
}

fn rank_line(page: &Ranked) -> String {
    let missing = if page.is_archived { "" } else { "; not archived" };
    format!("{:>8.2}  {}  {}{missing}", page.rank, harmless(&page.url), counted(u64::from(page.links_in), "link"))
}
