//! `kuai features`: what the default method's model reads off pages, for training and for looking at.

use kuai_segment::features;

use crate::Outcome;
use crate::json::FeaturesJson;
use crate::pages::{Inputs, Stream, json_line};

/// Print what the default method's model reads off pages, one JSON object a line.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai features page.html | jq '.units[0]'
  kuai features --batch list.tsv > features.jsonl   what training/ reads")]
pub(crate) struct Features {
    #[command(flatten)]
    pages: Inputs,
    /// JSON is all that is written; the flag is there because other commands have it.
    #[arg(long)]
    json: bool,
}

impl Features {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        self.pages
            .run(quiet, Stream::JsonLines, |source, page| Some(json_line(&FeaturesJson::new(source, &features(&page)))))
    }
}
