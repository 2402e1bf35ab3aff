//! `kuai search`: blocks that say so, now or ever.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstyle::Style;
use kuai::Timestamp;
use kuai::search::{Answer, Error, Facets, Filter, Hit, Period, Query, QueryError, Request};

use crate::Outcome;
use crate::json::search::{FacetsJson, HitJson};
use crate::pages::json_line;
use crate::place::{Place, time};
use crate::search_index::open_to_ask;
use crate::terminal::{Terminal, cut_to_width, harmless, wrap};
use crate::wording::counted;

/// Columns of a line where there is no terminal to ask.
const WIDTH_DEFAULT: usize = 100;

/// Sites that are counted for people; JSON has them all.
const SITES_SHOWN: usize = 10;

/// Find the blocks that say so: now, at some time, or ever.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai search lighthouse keeper                       blocks of today's pages; of four words one may be missing
  kuai search '\"the keeper\" -ferry'                   a phrase, and without a word
  kuai search 'lamp AND (oil OR petroleum)'
  kuai search 'site:example.org kind:main 灯塔'        fields: kind, site, url, language, topic, title
  kuai search lamp --at 2019-06-30                    as the Web stood then
  kuai search lamp --from 2018-01-01 --to 2019-12-31  at any time between
  kuai search lamp --history --facets                 ever, with counts by year, site and kind
  kuai search lamp --page 2 --json                    the next ten, one JSON object a line

Words are found in all their forms: stems in European languages, traditional and simplified Chinese, any width and case. The same text on
several pages, or at several times, is one hit. A date stands for its last second, with --from for its first.")]
pub(crate) struct Search {
    #[command(flatten)]
    place: Place,
    /// What to look for.
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    /// As the Web stood at this time.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with_all = ["from", "to", "history"])]
    at: Option<Timestamp>,
    /// What stood at or after this time.
    #[arg(long, value_name = "TIME", value_parser = from_time)]
    from: Option<Timestamp>,
    /// What stood at or before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<Timestamp>,
    /// What ever stood.
    #[arg(long)]
    history: bool,
    /// Blocks of this kind only, or content: all but links, adverts and noise; may be given several times.
    #[arg(long, value_name = "KIND", value_parser = |value: &str| Filter::new("kind", value))]
    kind: Vec<Filter>,
    /// Pages of this host, and of those below it.
    #[arg(long, value_name = "HOST", value_parser = |value: &str| Filter::new("site", value))]
    site: Vec<Filter>,
    /// Pages whose address begins so.
    #[arg(long, value_name = "PREFIX", value_parser = |value: &str| Filter::new("url", value))]
    url: Vec<Filter>,
    /// Blocks in this language: two letters, such as en or zh.
    #[arg(long, value_name = "CODE", value_parser = |value: &str| Filter::new("language", value))]
    language: Vec<Filter>,
    /// Blocks that are about this.
    #[arg(long, value_name = "WORDS", value_parser = |value: &str| Filter::new("topic", value))]
    topic: Vec<Filter>,
    /// Hits on a page of results.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Which page of results.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    page: u16,
    /// Count what matches by year, site and kind.
    #[arg(long)]
    facets: bool,
    /// One JSON object a hit, a line each; with --facets a last line with the counts.
    #[arg(long)]
    json: bool,
}

/// Like [`time`], but a date stands for its first second.
pub(super) fn from_time(text: &str) -> Result<Timestamp, String> {
    let is_date = text.len() == 10 && text.bytes().filter(|byte| *byte == b'-').count() == 2;
    if is_date { time(&format!("{text}T00:00:00Z")) } else { time(text) }
}

impl Search {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let text = self.words.join(" ");
        let query: Query = text.parse().map_err(|error| anyhow::anyhow!(pointed_at(&text, &error)))?;
        let request = self.request(query);
        let (archive, index) = open_to_ask(&self.place, quiet)?;
        let answer = match index.search(&archive, &request) {
            Err(Error::Query(error)) => anyhow::bail!(pointed_at(&text, &error)),
            answer => answer?,
        };
        match self.json {
            true => self.write_json(&answer)?,
            false => anstream::stdout().write_all(self.text(&answer, Terminal::stdout()).as_bytes())?,
        }
        if answer.is_loose && !quiet {
            anstream::eprintln!("kuai: no block has most of these words; these have some");
        }
        if answer.hits.is_empty() && !quiet && !self.json {
            anstream::eprintln!("kuai: nothing found{}", self.hint(&answer));
        }
        Ok(if answer.hits.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }

    fn request(&self, query: Query) -> Request {
        let period = match (self.at, self.from, self.to) {
            (Some(at), ..) => Period::At(at),
            (_, None, None) if self.history => Period::Ever,
            (_, None, None) => Period::Now,
            (_, from, to) => Period::Between(from.unwrap_or(Timestamp::MIN), to.unwrap_or(Timestamp::MAX)),
        };
        let filters = [&self.kind, &self.site, &self.url, &self.language, &self.topic].into_iter().flatten().cloned();
        let limit = usize::from(self.limit);
        Request {
            filters: filters.collect(),
            period,
            offset: limit * (usize::from(self.page) - 1),
            limit,
            with_facets: self.facets,
            ..Request::new(query)
        }
    }

    /// What to try when nothing was found.
    fn hint(&self, answer: &Answer) -> &'static str {
        let is_now = self.at.is_none() && self.from.is_none() && self.to.is_none() && !self.history;
        match (answer.matching, is_now) {
            (1.., _) => " on this page of results",
            (0, true) => "; --history looks through the past as well",
            (0, false) => "",
        }
    }

    fn write_json(&self, answer: &Answer) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for hit in &answer.hits {
            writeln!(out, "{}", json_line(&HitJson::new(hit)))?;
        }
        if self.facets {
            writeln!(out, "{}", json_line(&FacetsJson::new(answer)))?;
        }
        out.flush()
    }

    /// What was found, for people.
    fn text(&self, answer: &Answer, terminal: Terminal) -> String {
        let width = terminal.width.unwrap_or(WIDTH_DEFAULT);
        let mut text = String::new();
        for hit in &answer.hits {
            let _ = writeln!(text, "{}", hit_text(hit, width));
        }
        if self.facets {
            text.push_str(&facets_text(&answer.facets));
        }
        if !answer.hits.is_empty() {
            let _ = writeln!(text, "{}", self.summary(answer));
        }
        text
    }

    fn summary(&self, answer: &Answer) -> String {
        let first = usize::from(self.limit) * (usize::from(self.page) - 1) + 1;
        let last = first + answer.hits.len() - 1;
        let more = match answer.hits.len() == usize::from(self.limit) {
            true => format!("; --page {} may have more", self.page + 1),
            false => String::new(),
        };
        // The same text on several pages is one hit, so there may be fewer hits than blocks.
        format!("hits {first} to {last} of {}{more}", counted(answer.matching, "block"))
    }
}

/// A query with an error in it, and a mark below the place.
pub(crate) fn pointed_at(query: &str, error: &QueryError) -> String {
    let line = harmless(query).replace('\n', " ");
    if line.len() > WIDTH_DEFAULT {
        return error.to_string();
    }
    let before = console::measure_text_width(query.get(..error.span.start).unwrap_or_default());
    let marked = console::measure_text_width(query.get(error.span.clone()).unwrap_or_default()).max(1);
    format!("{error}\n  {line}\n  {}{}", " ".repeat(before), "^".repeat(marked))
}

fn hit_text(hit: &Hit, width: usize) -> String {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    let title = cut_to_width(if hit.title.is_empty() { "(no title)" } else { &hit.title }, width);
    let kind = hit.label.map_or("block", |label| label.name());
    let day = |time: Timestamp| time.to_string().chars().take(10).collect::<String>();
    let (first, last) = (day(hit.first_seen), day(hit.last_seen));
    let seen = if first == last { format!("seen {first}") } else { format!("seen {first} to {last}") };
    let gone = hit.gone.map_or(String::new(), |gone| format!(", absent {}", day(gone)));
    let others = match hit.pages {
        0 | 1 => String::new(),
        pages => format!("; on {pages} pages"),
    };
    let pieces = marked(hit);
    let snippet = wrap(&pieces, Some(width), "    ");
    let url = harmless(&hit.url);
    format!("{bold}{title}{bold:#}\n  {url}\n  {dim}{kind}, {seen}{gone}{others}{dim:#}\n{snippet}\n")
}

/// A snippet in pieces, what was looked for in bold.
fn marked(hit: &Hit) -> Vec<(Style, String)> {
    let text = &hit.snippet.text;
    let mut pieces = Vec::new();
    let mut place = 0;
    for mark in &hit.snippet.marks {
        pieces.push((Style::new(), text[place..mark.start].to_owned()));
        pieces.push((Style::new().bold(), text[mark.clone()].to_owned()));
        place = mark.end;
    }
    pieces.push((Style::new(), text[place..].to_owned()));
    pieces
}

fn facets_text(facets: &Facets) -> String {
    let mut sites: Vec<(&String, &u64)> = facets.sites.iter().collect();
    sites.sort_by_key(|(site, count)| (std::cmp::Reverse(**count), *site));
    let sites = sites.into_iter().take(SITES_SHOWN).map(|(site, count)| format!("{} {count}", harmless(site)));
    let years = facets.years.iter().map(|(year, count)| format!("{year} {count}"));
    let kinds =
        facets.kinds.iter().map(|(kind, count)| format!("{} {count}", kind.map_or("block", |kind| kind.name())));
    let line = |name: &str, counts: Vec<String>| format!("{name:<6} {}\n", counts.join(", "));
    [line("years", years.collect()), line("sites", sites.collect()), line("kinds", kinds.collect())].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_points_at_its_place() {
        let query = "灯塔 kind:prose";
        let error = query.parse::<Query>().expect_err("there is no such kind");
        let shown = pointed_at(query, &error);
        assert!(shown.ends_with("\n  灯塔 kind:prose\n            ^^^^^"), "{shown}");
    }

    #[test]
    fn a_date_begins_with_its_first_second() {
        assert_eq!(from_time("2024-01-31").expect("a date").to_string(), "2024-01-31T00:00:00Z");
    }
}
