//! `kuai when`: since when, and until when, pages said a sentence.

use std::io::{self, Write};

use kuai::Url;
use kuai::search::Spell;

use crate::Outcome;
use crate::json::search::SpellJson;
use crate::pages::json_line;
use crate::place::{Place, address};
use crate::search_index::open_to_ask;
use crate::terminal::harmless;

/// Say when a sentence stood on which pages, with the captures that show it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai when 'The lamp burns petroleum'                           on any page
  kuai when 'The lamp burns petroleum' https://example.org/      on one
  kuai when '灯塔由守塔人看守' --json                                one JSON object a page and time

Nothing is known of the time between two captures: the sentence was absent in one and present in the next. Space, width, case and
traditional forms make no difference. A sentence is found where one block says it.")]
pub(crate) struct When {
    #[command(flatten)]
    place: Place,
    /// The sentence, or any part of one.
    sentence: String,
    /// Only on this page.
    #[arg(value_parser = address)]
    url: Option<Url>,
    /// One JSON object a page and time, a line each.
    #[arg(long)]
    json: bool,
}

impl When {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let (archive, index) = open_to_ask(&self.place, quiet)?;
        let when = index.when(&archive, &self.sentence, self.url.as_ref())?;
        if when.is_partial && !quiet {
            anstream::eprintln!(
                "kuai: so many blocks have these words that not all were looked at; name a page, or say more"
            );
        }
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for spell in &when.spells {
            match self.json {
                true => writeln!(out, "{}", json_line(&SpellJson::new(spell)))?,
                false => writeln!(out, "{}", text(spell))?,
            }
        }
        out.flush()?;
        if when.spells.is_empty() && !quiet {
            anstream::eprintln!("kuai: no block of the archive says this");
        }
        Ok(if when.spells.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }
}

fn text(spell: &Spell) -> String {
    let before = match spell.absent_before {
        Some(time) => format!("absent at {time}"),
        None => "the first capture of the page".to_owned(),
    };
    let after = match spell.absent_after {
        Some(time) => format!("absent at {time}"),
        None => "the newest capture of the page".to_owned(),
    };
    let url = harmless(&spell.url);
    format!("{url}\n  first seen {} ({before})\n  last seen  {} ({after})", spell.first_seen, spell.last_seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use kuai::search::Index;

    #[test]
    fn the_captures_around_a_sentence_are_named() {
        let archive = sample::archive();
        let mut index = Index::in_memory().expect("memory");
        index.follow(&archive, &mut |_, _| true).expect("memory");
        let check = |sentence: &str, expected: &str| {
            let when = index.when(&archive, sentence, None).expect("memory");
            let shown: Vec<String> = when.spells.iter().map(text).collect();
            assert_eq!(shown.join("\n"), expected, "{sentence}");
        };
        check(
            "burns oil of the best sort",
            "https://light.example/keeper\n  first seen 2026-01-01T12:00:00Z (the first capture of the page)\n  \
            last seen  2026-01-01T12:00:00Z (absent at 2026-01-04T12:00:00Z)",
        );
        check(
            "The lamp BURNS  petroleum",
            "https://light.example/keeper\n  first seen 2026-01-04T12:00:00Z (absent at 2026-01-01T12:00:00Z)\n  \
            last seen  2026-01-07T12:00:00Z (the newest capture of the page)",
        );
        check("burns wood", "");
        check("…", "");
    }
}
