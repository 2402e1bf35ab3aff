//! `kuai ask`: the sentences that answer a question.

use std::io::{self, Write};

use anstyle::Style;
use kuai::Timestamp;
use kuai::search::Reply;

use crate::Outcome;
use crate::json::search::ReplyJson;
use crate::pages::json_line;
use crate::place::{Place, time};
use crate::search_index::open_to_ask;
use crate::terminal::{Terminal, harmless, wrap};

/// Answer a question with sentences of the archive, word for word, each with its page and time.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai ask 'Who is director of the museum?'
  kuai ask 'Who was director of the museum in 2019?'        the time is part of the question
  kuai ask 'Who is director of the museum?' --at 2019-06-30
  kuai ask '2019年馆长是谁？' --json

Nothing is made up: the sentences stand in the archive as they are shown, and where none has enough of the question's words nothing is
found. A year, a month (March 2019), a day (2019-03-31) or 2019年3月 in a question is the time that is meant; otherwise it is now.")]
pub(crate) struct Ask {
    #[command(flatten)]
    place: Place,
    /// The question.
    #[arg(required = true)]
    question: Vec<String>,
    /// As the Web stood at this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Timestamp>,
    /// Sentences to show.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=40))]
    limit: u8,
    /// One JSON object a sentence, a line each.
    #[arg(long)]
    json: bool,
}

impl Ask {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let (archive, index) = open_to_ask(&self.place, quiet)?;
        let replies = index.ask(&archive, &self.question.join(" "), self.at, usize::from(self.limit))?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for reply in &replies {
            match self.json {
                true => writeln!(out, "{}", json_line(&ReplyJson::new(reply)))?,
                false => writeln!(out, "{}", text(reply, Terminal::stdout()))?,
            }
        }
        out.flush()?;
        if replies.is_empty() && !quiet {
            anstream::eprintln!("kuai: nothing found");
        }
        Ok(if replies.is_empty() { Outcome::Nothing } else { Outcome::Done })
    }
}

fn text(reply: &Reply, terminal: Terminal) -> String {
    let dim = Style::new().dimmed();
    let sentence = wrap(&[(Style::new().bold(), reply.sentence.clone())], terminal.width, "");
    let gone = reply.gone.map_or(String::new(), |gone| format!(", absent {gone}"));
    let seen = format!("seen {} to {}{gone}", reply.first_seen, reply.last_seen);
    format!("{sentence}\n  {dim}{}\n  {seen}{dim:#}\n", harmless(&reply.url))
}
