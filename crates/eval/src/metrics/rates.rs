//! The papers' own rates, on pages whose every visible text run and link is labelled: content kept, noise removed, related links kept,
//! noise links removed. Text counts by length, links by number.
//!
//! A run counts as kept when its text occurs in the answer, white space left out; runs under four characters do not count, since
//! they occur by chance. Title, meta and comment runs count for neither side.

use std::collections::HashSet;

use kuai_page::Label;

/// Shorter runs occur by chance.
const RUN_CHARACTERS_MIN: usize = 4;

/// Whether a segment is a link or plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// Text outside links.
    Text,
    /// A link, with its address as written.
    Link(String),
}

/// A labelled run of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldSegment {
    /// What it is.
    pub label: Label,
    /// Text or link.
    pub kind: SegmentKind,
    /// Its text.
    pub text: String,
}

/// The rates of one page; `None` where the page has nothing of that sort.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Share of the main text's characters that were kept.
    pub content_kept: Option<f64>,
    /// Share of the noise's characters that were removed.
    pub noise_removed: Option<f64>,
    /// Share of the related links that were kept.
    pub related_kept: Option<f64>,
    /// Share of the noise links that were removed.
    pub noise_links_removed: Option<f64>,
}

/// Judges an answer: its text, and the addresses of its related links as written in the page.
pub fn rates(gold: &[GoldSegment], text: &str, related: &[&str]) -> Rates {
    let answer = squeezed(text);
    let (mut content, mut noise) = (Share::default(), Share::default());
    let (mut wanted_links, mut noise_links) = (HashSet::new(), HashSet::new());
    for segment in gold {
        let run = squeezed(&segment.text);
        let characters = run.chars().count();
        if characters >= RUN_CHARACTERS_MIN && !run.starts_with("[img]") {
            let occurs = answer.contains(&run);
            match segment.label {
                Label::Main => content.add(characters, occurs),
                label if is_noise(label) => noise.add(characters, !occurs),
                _ => {}
            }
        }
        if let SegmentKind::Link(href) = &segment.kind
            && !href.to_lowercase().starts_with("javascript")
            && !address(href).is_empty()
        {
            match segment.label {
                Label::Related => drop(wanted_links.insert(address(href))),
                label if is_noise(label) => drop(noise_links.insert(address(href))),
                _ => {}
            }
        }
    }
    let answered: HashSet<String> = related.iter().map(|href| address(href)).filter(|href| !href.is_empty()).collect();
    let noise_links: HashSet<_> = noise_links.difference(&wanted_links).cloned().collect();
    let found = |links: &HashSet<String>| links.intersection(&answered).count();
    Rates {
        content_kept: content.rate(),
        noise_removed: noise.rate(),
        related_kept: Share { part: found(&wanted_links), whole: wanted_links.len() }.rate(),
        noise_links_removed: Share { part: noise_links.len() - found(&noise_links), whole: noise_links.len() }.rate(),
    }
}

fn is_noise(label: Label) -> bool {
    matches!(label, Label::Navigation | Label::Advert | Label::Copyright | Label::Noise)
}

#[derive(Default)]
struct Share {
    part: usize,
    whole: usize,
}

impl Share {
    fn add(&mut self, count: usize, belongs: bool) {
        self.whole += count;
        self.part += if belongs { count } else { 0 };
    }

    fn rate(&self) -> Option<f64> {
        (self.whole > 0).then(|| self.part as f64 / self.whole as f64)
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// An address without scheme, fragment and closing slash, so that the same page has one address.
fn address(href: &str) -> String {
    let href = href.trim();
    let scheme_end = href.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(0);
    let href = if scheme_end > 0 && href[scheme_end..].starts_with(':') { &href[scheme_end + 1..] } else { href };
    href.split('#').next().unwrap_or("").trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(label: Label, text: &str, href: Option<&str>) -> GoldSegment {
        let kind = href.map_or(SegmentKind::Text, |href| SegmentKind::Link(href.to_owned()));
        GoldSegment { label, kind, text: text.to_owned() }
    }

    #[test]
    fn text_counts_by_length_and_links_by_number() {
        let gold = [
            segment(Label::Main, "twelve chars", None),
            segment(Label::Main, "fourx", None),
            segment(Label::Advert, "buy this now", None),
            segment(Label::Related, "more on it", Some("http://a.example/more/#top")),
            segment(Label::Navigation, "home page", Some("/")),
            segment(Label::Navigation, "about us", Some("/about")),
        ];
        let rates = rates(&gold, "Twelve\nchars? twelve\nchars", &["https://a.example/more", "/about"]);
        assert_eq!(rates.content_kept, Some(11.0 / 16.0));
        assert_eq!(rates.noise_removed, Some(1.0));
        assert_eq!(rates.related_kept, Some(1.0));
        assert_eq!(rates.noise_links_removed, Some(0.0));
    }
}
