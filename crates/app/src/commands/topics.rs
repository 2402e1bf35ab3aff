//! `kuai topics`: what a site talked about through the years.

use std::io::{self, Write};

use anstyle::Style;
use kuai::Timestamp;
use kuai::search::{TopicCount, YearTopics};

use crate::Outcome;
use crate::json::search::TopicsJson;
use crate::pages::json_line;
use crate::place::Place;
use crate::search_index::open_to_ask;
use crate::terminal::harmless;
use crate::wording::counted;

/// Say what a site talked about in each year: what is new, what rises, what is gone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai topics                            of the whole archive
  kuai topics example.org                of a host and those below it
  kuai topics example.org --json         one JSON object a year

A topic is a word of what blocks are about, in the form in which it is looked for, with the number of pages that had it; menus, adverts and
small print do not count. `kuai search 'topic:WORD' --from 2019-01-01 --to 2019-12-31` shows the blocks behind one.")]
pub(crate) struct Topics {
    #[command(flatten)]
    place: Place,
    /// A host; those below it count as well.
    site: Option<String>,
    /// Topics of each sort in a year.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// One JSON object a year, a line each.
    #[arg(long)]
    json: bool,
}

impl Topics {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let (_, index) = open_to_ask(&self.place, quiet)?;
        let years = index.topics(self.site.as_deref(), Timestamp::now(), usize::from(self.limit))?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for year in &years {
            match self.json {
                true => writeln!(out, "{}", json_line(&TopicsJson::new(year)))?,
                false => writeln!(out, "{}", text(year))?,
            }
        }
        out.flush()?;
        if years.is_empty() && !quiet {
            anstream::eprintln!("kuai: nothing found");
        }
        Ok(if years.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }
}

/// A year for people; lists with nothing in them are left out.
fn text(year: &YearTopics) -> String {
    let bold = Style::new().bold();
    let count = |topic: &TopicCount| format!("{} {}", harmless(&topic.word), topic.pages);
    let change = |topic: &TopicCount| format!("{} {}→{}", harmless(&topic.word), topic.before, topic.pages);
    let before = |topic: &TopicCount| format!("{} {}", harmless(&topic.word), topic.before);
    let line = |name: &str, words: Vec<String>| match words.is_empty() {
        true => String::new(),
        false => format!("\n  {name:<7} {}", words.join(", ")),
    };
    let lines = [
        line("most", year.most.iter().map(count).collect()),
        line("new", year.new.iter().map(count).collect()),
        line("rising", year.rising.iter().map(change).collect()),
        line("gone", year.gone.iter().map(before).collect()),
    ];
    format!("{bold}{}{bold:#}  {}{}", year.year, counted(u64::from(year.pages), "page"), lines.concat())
}
