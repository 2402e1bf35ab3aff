//! The one table of metrics: tables, plots, JSON, floors and tuning read it.
//!
//! A metric is a number that a page's scores give, and a number that the scores of all pages give: their mean, unless the
//! papers and benchmarks reckon otherwise.

use crate::metrics::{NoiseBlocks, Overlap, Rates, Score, SnippetCount};

/// Everything that was found about one answer to one page; `None` where the corpus has no gold for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageScores {
    /// The papers' rates.
    pub rates: Option<Rates>,
    /// Bags of words.
    pub words: Option<Overlap>,
    /// Bags of shingles.
    pub shingles: Option<Overlap>,
    /// Noise blocks removed.
    pub noise: Option<NoiseBlocks>,
    /// Strings found.
    pub snippets: Option<SnippetCount>,
    /// Blocks found.
    pub blocks: Option<BlockScores>,
}

/// How well blocks were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockScores {
    /// By equal text.
    pub exact: Score,
    /// By nearly equal text.
    pub fuzzy: Score,
    /// Extended BCubed, each character in its innermost block.
    pub bcubed_leaf: Score,
    /// Extended BCubed over all blocks.
    pub bcubed_nested: Score,
    /// How many blocks the answer has.
    pub count: usize,
}

/// Which gold a metric needs; metrics of one group make one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Labelled runs of text and links.
    Rates,
    /// The main text.
    Text,
    /// The main text, too: the blocks of the page beside it.
    Noise,
    /// Strings that must and must not occur.
    Snippets,
    /// Blocks.
    Blocks,
}

impl Group {
    /// All groups, in the order in which they are shown.
    pub const ALL: [Group; 5] = [Group::Rates, Group::Text, Group::Noise, Group::Snippets, Group::Blocks];

    /// What the group's table is called.
    pub fn title(self) -> &'static str {
        match self {
            Group::Rates => "The papers' rates, in %",
            Group::Text => "Main text",
            Group::Noise => "Noise blocks removed (WLES), in %",
            Group::Snippets => "Strings that must and must not occur",
            Group::Blocks => "Blocks",
        }
    }

    /// The metrics that say most; tuning goes by them, and the worst pages are the worst by their mean.
    pub fn headline(self) -> &'static [&'static str] {
        match self {
            Group::Rates => &["rates_mean"],
            Group::Text => &["word_f"],
            // Says in other words what that of the main text does.
            Group::Noise => &[],
            Group::Snippets => &["snippet_f"],
            Group::Blocks => &["fuzzy_f"],
        }
    }
}

/// A figure that says how good a method is.
#[derive(Debug)]
pub struct Metric {
    /// The name used in JSON and flags.
    pub name: &'static str,
    /// The name shown.
    pub title: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// Whether it is shown as a share of a hundred.
    pub percent: bool,
    /// Whether less is better.
    pub less_is_better: bool,
    of_page: OfPage,
    of_set: fn(&[&PageScores], OfPage) -> Option<f64>,
}

type OfPage = fn(&PageScores) -> Option<f64>;

impl Metric {
    /// The figure of one page.
    pub fn of_page(&self, page: &PageScores) -> Option<f64> {
        (self.of_page)(page)
    }

    /// The figure of all pages.
    pub fn of_set(&self, pages: &[&PageScores]) -> Option<f64> {
        (self.of_set)(pages, self.of_page)
    }

    /// Whether one value is better than another.
    pub fn is_better(&self, one: f64, other: f64) -> bool {
        if self.less_is_better { one < other } else { one > other }
    }

    /// A value as it is shown.
    pub fn shown(&self, value: f64) -> String {
        if self.percent { format!("{:.1}", value * 100.0) } else { format!("{value:.3}") }
    }
}

/// The metric of this name.
pub fn metric(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name == name)
}

/// From this share on, the main text counts as whole (TRF); a stray character more or less is nobody's loss.
const WHOLE_TEXT_MIN: f64 = 0.99;

/// Every metric, in the order in which they are shown.
pub const METRICS: &[Metric] = &[
    rate("noise_removed", "noise text removed", |page| page.rates?.noise_removed),
    rate("noise_links_removed", "noise links removed", |page| page.rates?.noise_links_removed),
    rate("content_kept", "content kept", |page| page.rates?.content_kept),
    rate("related_kept", "related links kept", |page| page.rates?.related_kept),
    lost("content_lost", "content lost", |page| Some(1.0 - page.rates?.content_kept?)),
    lost("links_lost", "links lost", |page| Some(1.0 - page.rates?.related_kept?)),
    Metric { of_set: set_rates_mean, ..rate("rates_mean", "mean of four", page_rates_mean) },
    rate("trf", "TRF", |page| page.rates?.content_kept.map(|kept| share(kept >= WHOLE_TEXT_MIN))),
    rate("lrf", "LRF", |page| page.rates?.related_kept.map(|kept| share(kept == 1.0))),
    rate("ulq", "ULQ", |page| page.rates?.noise_links_removed.map(|removed| share(removed == 1.0))),
    text("word_p", "word P", |page| Some(page.words?.score().precision)),
    text("word_r", "word R", |page| Some(page.words?.score().recall)),
    text("word_f", "word F1", |page| Some(page.words?.score().f)),
    text("shingle_p", "shingle P", |page| {
        page.shingles.filter(|bag| bag.answered > 0).map(|bag| bag.score().precision)
    }),
    text("shingle_r", "shingle R", |page| page.shingles.filter(|bag| bag.wanted > 0).map(|bag| bag.score().recall)),
    Metric { of_set: set_shingle_f, ..text("shingle_f", "shingle F1", |page| Some(page.shingles?.score().f)) },
    text("shingle_macro", "shingle macro", |page| Some(page.shingles?.score().f)),
    noise("noise_block_r", "noise R", |page| Some(page.noise?.score().recall)),
    noise("noise_block_p", "noise P", |page| Some(page.noise?.score().precision)),
    noise("noise_95", "pages from 95", |page| Some(share(page.noise?.worse() >= 0.95))),
    noise("noise_85", "pages 85 to 95", |page| Some(share((0.85..0.95).contains(&page.noise?.worse())))),
    Metric {
        less_is_better: true,
        ..noise("noise_below", "pages below 85", |page| Some(share(page.noise?.worse() < 0.85)))
    },
    snippet("snippet_p", "snippet P", |page| Some(page.snippets?.score().precision)),
    snippet("snippet_r", "snippet R", |page| Some(page.snippets?.score().recall)),
    snippet("snippet_f", "snippet F1", |page| Some(page.snippets?.score().f)),
    blocks("exact_p", "exact P", |page| Some(page.blocks?.exact.precision)),
    blocks("exact_r", "exact R", |page| Some(page.blocks?.exact.recall)),
    blocks("exact_f", "exact F", |page| Some(page.blocks?.exact.f)),
    blocks("fuzzy_p", "fuzzy P", |page| Some(page.blocks?.fuzzy.precision)),
    blocks("fuzzy_r", "fuzzy R", |page| Some(page.blocks?.fuzzy.recall)),
    blocks("fuzzy_f", "fuzzy F", |page| Some(page.blocks?.fuzzy.f)),
    blocks("bcubed_p", "BCubed P", |page| Some(page.blocks?.bcubed_leaf.precision)),
    blocks("bcubed_r", "BCubed R", |page| Some(page.blocks?.bcubed_leaf.recall)),
    blocks("bcubed_f", "BCubed F", |page| Some(page.blocks?.bcubed_leaf.f)),
    blocks("bcubed_nested_f", "nested BCubed F", |page| Some(page.blocks?.bcubed_nested.f)),
];

const fn of_mean(name: &'static str, title: &'static str, group: Group, of_page: OfPage) -> Metric {
    Metric { name, title, group, percent: false, less_is_better: false, of_page, of_set: mean_of_pages }
}

const fn rate(name: &'static str, title: &'static str, of_page: OfPage) -> Metric {
    Metric { percent: true, ..of_mean(name, title, Group::Rates, of_page) }
}

const fn lost(name: &'static str, title: &'static str, of_page: OfPage) -> Metric {
    Metric { less_is_better: true, ..rate(name, title, of_page) }
}

const fn text(name: &'static str, title: &'static str, of_page: OfPage) -> Metric {
    of_mean(name, title, Group::Text, of_page)
}

const fn noise(name: &'static str, title: &'static str, of_page: OfPage) -> Metric {
    Metric { percent: true, ..of_mean(name, title, Group::Noise, of_page) }
}

const fn snippet(name: &'static str, title: &'static str, of_page: OfPage) -> Metric {
    Metric { of_set: of_all_snippets, ..of_mean(name, title, Group::Snippets, of_page) }
}

const fn blocks(name: &'static str, title: &'static str, of_page: OfPage) -> Metric {
    of_mean(name, title, Group::Blocks, of_page)
}

/// The mean over the pages that have the figure.
fn mean_of_pages(pages: &[&PageScores], of_page: OfPage) -> Option<f64> {
    mean(pages.iter().filter_map(|page| of_page(page)))
}

/// Strings count over all pages together.
fn of_all_snippets(pages: &[&PageScores], of_page: OfPage) -> Option<f64> {
    let all = pages.iter().filter_map(|page| page.snippets).reduce(std::ops::Add::add)?;
    of_page(&PageScores { snippets: Some(all), ..PageScores::default() })
}

/// F of the averages of P and R, as usual for article benchmarks.
fn set_shingle_f(pages: &[&PageScores], _: OfPage) -> Option<f64> {
    let figure = |name: &str| metric(name)?.of_set(pages);
    pages
        .iter()
        .any(|page| page.shingles.is_some())
        .then(|| Score::new(figure("shingle_p").unwrap_or(0.0), figure("shingle_r").unwrap_or(0.0)).f)
}

fn page_rates_mean(page: &PageScores) -> Option<f64> {
    set_rates_mean(&[page], |_| None)
}

/// The mean of the four rates that say how good a method is; the others follow from them.
fn set_rates_mean(pages: &[&PageScores], _: OfPage) -> Option<f64> {
    mean(METRICS[..4].iter().filter_map(|metric| metric.of_set(pages)))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

fn share(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_said_once_and_every_headline_is_a_metric() {
        for metric in METRICS {
            assert_eq!(METRICS.iter().filter(|other| other.name == metric.name).count(), 1, "{}", metric.name);
        }
        for group in Group::ALL {
            assert!(group.headline().iter().all(|name| metric(name).is_some_and(|metric| metric.group == group)));
        }
    }

    #[test]
    fn pages_without_the_figure_do_not_count() {
        let page = |kept| PageScores {
            rates: Some(Rates { content_kept: kept, ..Rates::default() }),
            ..PageScores::default()
        };
        let (one, two, three) = (page(Some(1.0)), page(Some(0.5)), page(None));
        let figure = |name| metric(name).and_then(|metric| metric.of_set(&[&one, &two, &three]));
        assert_eq!(figure("content_kept"), Some(0.75));
        assert_eq!(figure("content_lost"), Some(0.25));
        assert_eq!(figure("trf"), Some(0.5));
        assert_eq!(figure("related_kept"), None);
        assert_eq!(figure("rates_mean"), Some(0.75));
        assert_eq!(figure("word_f"), None);
    }

    #[test]
    fn strings_count_over_all_pages_and_shingles_by_the_mean_of_p_and_r() {
        let page = |wanted_found, shared| PageScores {
            snippets: Some(SnippetCount { wanted_found, wanted: 2, ..SnippetCount::default() }),
            shingles: Some(Overlap { shared, answered: 4, wanted: 4 }),
            ..PageScores::default()
        };
        let (one, two) = (page(2, 4), page(0, 0));
        let figure = |name| metric(name).and_then(|metric| metric.of_set(&[&one, &two]));
        assert_eq!(figure("snippet_r"), Some(0.5));
        assert_eq!(figure("shingle_f"), Some(0.5));
    }
}
