//! Cleans a page by a template, or says why it is not of its kind.

use std::fmt;

use kuai_page::{BlockTree, Gap, Label, Page, Span, push_collapsed};

use super::template::{Judged, Template};

/// Below this share of text in known places, a page is of another kind. Calibrated on real series of pages (`kuai eval --series`).
const FIT_MIN: f64 = 0.3;
/// Below this part of the examples' share of content, content stands where the examples have noise.
const CONTENT_PART_MIN: f64 = 0.25;

/// A page without its noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    /// The clean text, with its paragraphs.
    pub text: String,
    /// The bytes of the source that were kept, in document order. Where references stand in a text, all of it.
    pub spans: Vec<Span>,
    /// The share of the page's text that stands where the examples have any, from 0 to 1.
    pub fit: f64,
    blocks: BlockTree,
}

impl Cleaned {
    /// The page as two sorts of blocks, main text and noise, as [`crate::markdown`] and its like take it.
    pub fn blocks(&self) -> &BlockTree {
        &self.blocks
    }
}

/// Why a page is not of the site's shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Misfit {
    /// The page shows no text.
    NoText,
    /// Too much of its text stands in places that the examples do not have.
    OtherPlaces {
        /// The share of text in known places.
        fit: f64,
    },
    /// Nothing, or far less than in the examples, stands where they have content.
    NoContent {
        /// The share of content in the page's text.
        share: f64,
        /// The share of content in the examples.
        usual: f64,
    },
}

impl Misfit {
    /// The share of the page's text in known places.
    pub fn fit(&self) -> f64 {
        match self {
            Misfit::NoText => 0.0,
            Misfit::OtherPlaces { fit } => *fit,
            Misfit::NoContent { share, usual } => share / usual.max(f64::MIN_POSITIVE) * FIT_MIN,
        }
    }
}

impl std::error::Error for Misfit {}

impl fmt::Display for Misfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| (share * 100.0).round();
        write!(out, "not this site's shape: ")?;
        match self {
            Misfit::NoText => write!(out, "the page shows no text"),
            Misfit::OtherPlaces { fit } => {
                write!(out, "only {} % of its text stands where the examples have text", percent(*fit))
            }
            Misfit::NoContent { share, usual } => write!(
                out,
                "{} % of its text stands where the examples have content, which is {} % of theirs",
                percent(*share),
                percent(*usual)
            ),
        }
    }
}

impl Template {
    /// Cleans a page.
    pub(super) fn clean(&self, page: &Page) -> Result<Cleaned, Misfit> {
        let judged = self.judge(page);
        let fit = judged.fit(self)?;
        let kept = self.kept_blocks(&judged);
        Ok(Cleaned { text: text(&judged, &kept), spans: spans(&judged, &kept), fit, blocks: blocks(&judged, &kept) })
    }

    /// By block: whether it is kept. Phrases are taken out of what is kept otherwise.
    fn kept_blocks(&self, judged: &Judged<'_>) -> Vec<bool> {
        let reading = &judged.reading;
        let mut kept = vec![false; reading.blocks.len()];
        for (run, _) in reading.runs.iter().zip(&judged.kept).filter(|(_, is_kept)| **is_kept) {
            let mut block = run.blocks.start;
            while block < run.blocks.end {
                match self.phrases.at(reading, block, run.blocks.end) {
                    Some(count) => block += count,
                    None => {
                        kept[block] = true;
                        block += 1;
                    }
                }
            }
        }
        kept
    }
}

impl Judged<'_> {
    /// How well a page fits.
    pub(super) fn fit(&self, template: &Template) -> Result<f64, Misfit> {
        if self.words == 0 {
            return Err(Misfit::NoText);
        }
        let fit = self.words_known as f64 / self.words as f64;
        if fit < FIT_MIN {
            return Err(Misfit::OtherPlaces { fit });
        }
        let share = self.words_kept as f64 / self.words as f64;
        if self.words_kept == 0 || share < CONTENT_PART_MIN * template.content_share {
            return Err(Misfit::NoContent { share, usual: template.content_share });
        }
        Ok(fit)
    }
}

/// What is kept, as a browser would show it.
fn text(judged: &Judged<'_>, kept: &[bool]) -> String {
    let runs = judged.reading.page.flow().runs();
    let mut out = String::new();
    let mut gap = Gap::None;
    for (run, blocks) in runs.iter().zip(&judged.reading.runs) {
        gap = gap.max(run.gap);
        let texts = blocks.blocks.clone().filter(|block| kept[*block]).map(|block| judged.reading.blocks[block].text);
        let text: String = texts.collect();
        let is_shown = if run.preformatted { !text.is_empty() } else { !text.trim_ascii().is_empty() };
        if is_shown {
            push_gap(&mut out, std::mem::replace(&mut gap, Gap::None));
        }
        if run.preformatted { out.push_str(&text) } else { push_collapsed(&mut out, &text) }
    }
    out
}

fn push_gap(out: &mut String, gap: Gap) {
    if out.is_empty() {
        return;
    }
    let between = match gap {
        Gap::None => "",
        Gap::Space if out.ends_with([' ', '\n', '\t']) => "",
        Gap::Space => " ",
        Gap::Cell => "\t",
        Gap::Line if out.ends_with('\n') => "",
        Gap::Line => "\n",
        Gap::Paragraph if out.ends_with("\n\n") => "",
        Gap::Paragraph if out.ends_with('\n') => "\n",
        Gap::Paragraph => "\n\n",
    };
    out.push_str(between);
}

fn spans(judged: &Judged<'_>, kept: &[bool]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (block, _) in judged.reading.blocks.iter().zip(kept).filter(|(_, is_kept)| **is_kept) {
        match spans.last_mut() {
            Some(last) if *last == block.span => {}
            Some(last) if last.end == block.span.start => last.end = block.span.end,
            _ => spans.push(block.span),
        }
    }
    spans
}

/// Neighbouring runs of one sort make a block, with what stands between them.
fn blocks(judged: &Judged<'_>, kept: &[bool]) -> BlockTree {
    let mut blocks: Vec<(Span, Option<Label>)> = Vec::new();
    for (run, own) in judged.reading.page.flow().runs().iter().zip(&judged.reading.runs) {
        let is_kept = own.blocks.clone().any(|block| kept[block]);
        let label = Some(if is_kept { Label::Main } else { Label::Noise });
        match blocks.last_mut() {
            Some((span, last)) if *last == label && span.end <= run.span.start => span.end = run.span.end,
            _ => blocks.push((run.span, label)),
        }
    }
    BlockTree::from_labelled(blocks)
}
