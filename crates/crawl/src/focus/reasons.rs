//! Why a link was followed or not: told in plain words, and in a compact form that is kept in the frontier.

use std::fmt;
use std::str::FromStr;

use kuai_page::Label;

/// What a link was judged by. Relevances are from 0 to 1, and one half is the border of the topic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reasons {
    /// Relevance of the block that it stands in, with the heading above it.
    pub block: f64,
    /// What that block is for.
    pub label: Option<Label>,
    /// Relevance of what stands around it: that block, and the text near it.
    pub around: f64,
    /// Relevance of what it says.
    pub anchor: f64,
    /// Relevance of the words in its address.
    pub url_words: f64,
    /// Relevance of the page that it stands in.
    pub parent: f64,
    /// Pages off topic that lie between it and the last page on topic, or the start.
    pub off_topic_steps: u32,
}

/// Why a link is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It stands in a block of adverts or copyright.
    Noise,
    /// Too many pages off topic lie behind it.
    TooFar,
}

/// What was decided about a link, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkJudgement {
    /// How soon it is worth following, from 0 to 1; or why it is not.
    pub score: Result<f64, Skip>,
    /// What it was judged by.
    pub reasons: Reasons,
}

impl fmt::Display for LinkJudgement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Ok(score) => write!(out, "followed with score {score:.2}: ")?,
            Err(Skip::Noise) => write!(out, "not followed, for it stands among what is not content: ")?,
            Err(Skip::TooFar) => write!(out, "not followed, for too many pages off topic lie behind it: ")?,
        }
        self.reasons.fmt(out)
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "its text is {}, ", on_topic(self.anchor))?;
        write!(out, "its address {}, ", on_topic(self.url_words))?;
        write!(out, "its {} block {}, ", self.label.map_or("unlabelled", Label::name), on_topic(self.block))?;
        write!(out, "what stands around it {}, ", on_topic(self.around))?;
        write!(out, "the page it stands in {}", on_topic(self.parent))?;
        match self.off_topic_steps {
            0 => Ok(()),
            1 => write!(out, "; 1 page off topic on the way"),
            steps => write!(out, "; {steps} pages off topic on the way"),
        }
    }
}

/// A relevance in words and figures.
fn on_topic(relevance: f64) -> String {
    let word = match relevance {
        0.75.. => "well on topic",
        0.5.. => "on topic",
        0.25.. => "near the topic",
        _ => "off topic",
    };
    format!("{word} ({relevance:.2})")
}

impl LinkJudgement {
    /// The compact form, to be kept with the link: `62 b40,main a71 u15 p55 s1 r48`, the score first.
    pub fn to_compact(&self) -> String {
        let reasons = &self.reasons;
        let score = match self.score {
            Ok(score) => percent(score).to_string(),
            Err(Skip::Noise) => "noise".to_owned(),
            Err(Skip::TooFar) => "far".to_owned(),
        };
        format!(
            "{score} b{},{} a{} u{} p{} s{} r{}",
            percent(reasons.block),
            reasons.label.map_or("-", Label::name),
            percent(reasons.anchor),
            percent(reasons.url_words),
            percent(reasons.parent),
            reasons.off_topic_steps,
            percent(reasons.around)
        )
    }

    /// Reads the compact form, also that of links that were judged by their block alone.
    pub fn from_compact(text: &str) -> Option<LinkJudgement> {
        let mut parts = text.split(' ');
        let score = match parts.next()? {
            "noise" => Err(Skip::Noise),
            "far" => Err(Skip::TooFar),
            score => Ok(share(score)?),
        };
        let (block, label) = parts.next()?.strip_prefix('b')?.split_once(',')?;
        let block = share(block)?;
        let mut next = |prefix| parts.next()?.strip_prefix(prefix);
        let reasons = Reasons {
            block,
            label: Label::ALL.into_iter().find(|known| known.name() == label),
            anchor: share(next('a')?)?,
            url_words: share(next('u')?)?,
            parent: share(next('p')?)?,
            off_topic_steps: u32::from_str(next('s')?).ok()?,
            around: parts.next().map_or(Some(block), |around| share(around.strip_prefix('r')?))?,
        };
        Some(LinkJudgement { score, reasons })
    }
}

fn percent(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
}

fn share(percent: &str) -> Option<f64> {
    Some(f64::from(u32::from_str(percent).ok()?.min(100)) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(score: Result<f64, Skip>) -> LinkJudgement {
        let reasons = Reasons {
            block: 0.4,
            label: Some(Label::Main),
            around: 0.48,
            anchor: 0.8,
            url_words: 0.0,
            parent: 0.55,
            off_topic_steps: 1,
        };
        LinkJudgement { score, reasons }
    }

    #[test]
    fn the_compact_form_keeps_everything() {
        for score in [Ok(0.62), Err(Skip::Noise), Err(Skip::TooFar)] {
            let judgement = judgement(score);
            assert_eq!(LinkJudgement::from_compact(&judgement.to_compact()), Some(judgement));
        }
        assert_eq!(judgement(Ok(0.62)).to_compact(), "62 b40,main a80 u0 p55 s1 r48");
    }

    #[test]
    fn a_link_that_was_judged_by_its_block_alone_is_still_read() {
        let old = LinkJudgement::from_compact("62 b40,main a80 u0 p55 s1").unwrap();
        let mut expected = judgement(Ok(0.62));
        expected.reasons.around = 0.4;
        assert_eq!(old, expected);
    }

    #[test]
    fn what_is_no_compact_form_is_not_read() {
        for text in [
            "",
            "62",
            "62 b40 a80 u0 p55 s1",
            "x b40,main a80 u0 p55 s1",
            "62 b40,main a80 u0 p55",
            "62 b40,main a80 u0 p55 s1 x",
        ] {
            assert_eq!(LinkJudgement::from_compact(text), None, "{text}");
        }
    }

    #[test]
    fn reasons_are_told_in_words() {
        assert_eq!(
            judgement(Ok(0.62)).to_string(),
            "followed with score 0.62: its text is well on topic (0.80), its address off topic (0.00), its main block near the \
             topic (0.40), what stands around it near the topic (0.48), the page it stands in on topic (0.55); 1 page off topic on the way"
        );
    }
}
