//! `kuai clean`: the clean text of a site's pages, by a model of the site.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use kuai::FitWatch;
use kuai_page::Page;
use kuai_segment::{Cleaned, SiteModel};

use crate::Outcome;
use crate::input::Source;
use crate::json::{CleanJson, FailureJson};
use crate::pages::{Inputs, Stream, json_line};

/// Clean pages of a site by its model.
#[derive(clap::Args)]
#[command(after_help = "\
A page that is not of the kind that the model was taught on is left out, with the reason on standard error and exit code 1;
it is never emptied or half cut.

Examples:
  kuai learn chapter1.html chapter1.txt -o site.json   teach kuai one page
  kuai clean --model site.json chapter2.html           clean another
  kuai clean --model site.json --batch pages/ --json > texts.jsonl")]
pub(crate) struct Clean {
    #[command(flatten)]
    pages: Inputs,
    /// The model, as `kuai learn` writes it.
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,
    /// One JSON object a line, with the spans of the source that were kept.
    #[arg(long)]
    json: bool,
}

impl Clean {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let text = fs::read_to_string(&self.model).with_context(|| format!("cannot read {}", self.model.display()))?;
        let model = SiteModel::from_json(&text).with_context(|| self.model.display().to_string())?;
        let stream = if self.json { Stream::JsonLines } else { Stream::Text };
        let watch = Mutex::new(FitWatch::default());
        let misfit_count = Mutex::new(0_usize);
        let outcome = self.pages.run(quiet, stream, |source, page| {
            let page = page.plain();
            let cleaned = model.clean(&page);
            watch.lock().unwrap_or_else(PoisonError::into_inner).note(&source.place, cleaned.as_ref().err());
            match cleaned {
                Ok(cleaned) => Some(self.write(source, &page, &cleaned)),
                Err(misfit) => {
                    *misfit_count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                    anstream::eprintln!("kuai: {}: {misfit}", source.place);
                    let failure = FailureJson { path: &source.place, error: misfit.to_string() };
                    self.json.then(|| json_line(&failure))
                }
            }
        })?;
        let drift = watch.into_inner().unwrap_or_else(PoisonError::into_inner).drift();
        if let Some(drift) = drift {
            anstream::eprintln!("kuai: {drift}");
        }
        let has_misfits = misfit_count.into_inner().unwrap_or_else(PoisonError::into_inner) > 0;
        Ok(if has_misfits && outcome == Outcome::Done { Outcome::Nothing } else { outcome })
    }

    fn write(&self, source: &Source, page: &Page, cleaned: &Cleaned) -> String {
        if self.json { json_line(&CleanJson::new(source, page, cleaned)) } else { cleaned.text.clone() }
    }
}
