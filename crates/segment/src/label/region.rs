//! Where the main text of a page lies: the smallest element that holds most of what reads as sentences.
//!
//! On hubs, where there are hardly any sentences, long links stand for them.

use kuai_page::{Dom, NodeId, Page, Run, Span, Tag};

use super::Thresholds;
use super::evidence::{Evidence, LONG_LINK_CHARACTERS_MIN, RunEvidence};
use crate::cues::{Cue, CueSet};
use crate::features::{PageKind, page_kind_at};

/// Where the main text lies.
pub(super) struct Region {
    /// What the page is for.
    pub(super) kind: PageKind,
    /// The element around the main text; the whole page where nothing stands out.
    pub(super) span: Span,
    /// Names that speak against text on this page.
    pub(super) against: CueSet,
}

/// Names that say of what they hold: this is no part of the text.
const AGAINST_TEXT: CueSet =
    CueSet::all(&[Cue::Navigation, Cue::Footer, Cue::Comment, Cue::Advert, Cue::Share, Cue::Related, Cue::Sidebar]);

/// Share of all sentences, and number of characters, of which one must lie outside all names that speak against
/// text; else the name that holds most of them is not believed. Seen on the labelled Chinese pages.
const BELIEVED_SHARE_MIN: f64 = 0.08;
const BELIEVED_CHARACTERS_MIN: u32 = 120;

/// Characters of sentences below which a page full of links is a hub.
// Decision: the paper tells hubs by link text over other text alone; a short article in a portal's frame would then
// be one, so hubs must be poor in sentences too.
const HUB_SENTENCE_CHARACTERS_MAX: u32 = 200;

/// Characters from which a run of text counts as a sentence without any punctuation.
const LONG_RUN_CHARACTERS_MIN: u32 = 40;

/// Characters from which a single run of text shows that a page has a text of its own.
const PARAGRAPH_CHARACTERS_MIN: u32 = 80;

/// Finds the main region.
pub(super) fn find(page: &Page, evidence: &Evidence, thresholds: &Thresholds) -> Region {
    let dom = page.dom();
    let sentences = weigh_runs(page, evidence, |run, known| {
        known.is_sentence || (!run.linked && known.characters >= LONG_RUN_CHARACTERS_MIN)
    });
    let against = believed(evidence, &sentences);
    let sentences = only_outside(evidence, against, &sentences);
    let is_hub = page_kind_at(page, thresholds.hub_link_ratio_min) == PageKind::Hub
        && sentences.iter().sum::<u32>() < HUB_SENTENCE_CHARACTERS_MAX
        && sentences.iter().all(|&characters| characters < PARAGRAPH_CHARACTERS_MIN);
    let (kind, against, weights, share_min) = if is_hub {
        let links = weigh_runs(page, evidence, |run, known| run.linked && known.characters >= LONG_LINK_CHARACTERS_MIN);
        let against = believed(evidence, &links);
        (PageKind::Hub, against, only_outside(evidence, against, &links), thresholds.hub_share_min)
    } else {
        (PageKind::Topic, against, sentences, thresholds.main_share_min)
    };
    let weights = weights_of_elements(page, evidence, &weights);
    let scope = if is_hub { None } else { scope_of_heading(dom, evidence.page_heading, &weights) };
    let node = scope.or(dom.body()).map(|scope| heaviest(dom, scope, &weights, share_min));
    let span = node.map(|node| dom.span(node)).filter(|span| !span.is_empty()).unwrap_or(page.span());
    Region { kind, span, against }
}

/// For each run its characters, where it counts.
fn weigh_runs(page: &Page, evidence: &Evidence, counts: impl Fn(&Run, &RunEvidence) -> bool) -> Vec<u32> {
    let weigh = |(run, known): (&Run, &RunEvidence)| {
        if !run.hidden && counts(run, known) { known.characters } else { 0 }
    };
    page.flow().runs().iter().zip(&evidence.runs).map(weigh).collect()
}

/// The names that are believed when they speak against text.
fn believed(evidence: &Evidence, weights: &[u32]) -> CueSet {
    let mut against = AGAINST_TEXT;
    let all: u32 = weights.iter().sum();
    let wanted = BELIEVED_CHARACTERS_MIN.min((f64::from(all) * BELIEVED_SHARE_MIN) as u32);
    while !against.is_empty() && only_outside(evidence, against, weights).iter().sum::<u32>() < wanted {
        let held = |cue: Cue| {
            let runs = evidence.runs.iter().zip(weights);
            runs.filter(|(run, _)| run.called.has(cue)).map(|(_, weight)| weight).sum::<u32>()
        };
        let Some(heaviest) = against.iter().max_by_key(|&cue| held(cue)) else { break };
        against = against.without(heaviest);
    }
    against
}

fn only_outside(evidence: &Evidence, against: CueSet, weights: &[u32]) -> Vec<u32> {
    let outside = |(run, &weight): (&RunEvidence, &u32)| if run.called.meets(against) { 0 } else { weight };
    evidence.runs.iter().zip(weights).map(outside).collect()
}

/// The weight of every element, by node index: that of all runs below it.
fn weights_of_elements(page: &Page, evidence: &Evidence, weights: &[u32]) -> Vec<u32> {
    let dom = page.dom();
    let mut sums = vec![0; dom.len()];
    for (run, weight) in page.flow().runs().iter().zip(weights) {
        if let Some(parent) = dom.parent(run.node) {
            sums[parent.index()] += weight;
        }
    }
    for &node in evidence.order.iter().rev() {
        if let Some(parent) = dom.parent(node) {
            sums[parent.index()] += sums[node.index()];
        }
    }
    sums
}

/// Share of all sentences, and number of characters, that the smallest element around the page's heading must hold
/// for the search to stay in it. Pages that go on with other stories in full, or with long notices, have theirs
/// outside. Tried on the article sets.
const SCOPE_SHARE_MIN: f64 = 0.25;
const SCOPE_CHARACTERS_MIN: u32 = 200;

/// Characters that are enough for an ARTICLE around the heading.
const ARTICLE_CHARACTERS_MIN: u32 = 80;

/// The part of the page that belongs to its heading.
fn scope_of_heading(dom: Dom<'_>, heading: Option<NodeId>, weights: &[u32]) -> Option<NodeId> {
    let all = f64::from(weights[dom.body()?.index()]);
    dom.ancestors(heading?).find(|&node| {
        let own = weights[node.index()];
        let is_article = dom.tag(node) == Tag::Article && own >= ARTICLE_CHARACTERS_MIN;
        is_article || (own >= SCOPE_CHARACTERS_MIN && f64::from(own) >= all * SCOPE_SHARE_MIN)
    })
}

/// The smallest layout element in the scope that holds this share of the scope's weight.
fn heaviest(dom: Dom<'_>, scope: NodeId, weights: &[u32], share_min: f64) -> NodeId {
    let wanted = (f64::from(weights[scope.index()]) * share_min).max(1.0);
    let is_heavy = |&node: &NodeId| is_layout(dom.tag(node)) && f64::from(weights[node.index()]) >= wanted;
    // In document order the last element that is heavy enough is the innermost, since the share is above one half
    // and so only one chain of elements is.
    dom.descendants(scope).filter(is_heavy).last().unwrap_or(scope)
}

fn is_layout(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Body | Div
            | Table
            | Tbody
            | Tr
            | Td
            | Section
            | Article
            | Main
            | Center
            | Form
            | Fieldset
            | Blockquote
            | Ul
            | Ol
            | Dl
            | Pre
    )
}
