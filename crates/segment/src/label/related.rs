//! Tells link blocks apart: related, navigation, advert, noise.
//!
//! A link block is related when its anchor texts, as a set, are on the page's topic, and it stands close behind the
//! main text or says that it is related.

use kuai_page::{BlockTree, Label, Link, LinkKind, Page};

use super::Thresholds;
use super::evidence::{BlockEvidence, Evidence, Places, count};
use super::region::Region;
use super::topic;
use crate::cues::{Cue, text_cues};

/// Characters of an anchor from which it can be on a topic; shorter ones name channels and authors.
const ANCHOR_CHARACTERS_MIN: u32 = 6;

/// Anchors that a block must have to be judged by itself; smaller neighbours are judged together.
const GROUP_ANCHORS_MIN: u32 = 3;

/// Bytes of main text that are read for the topic.
const TOPIC_BYTES_MAX: usize = 1 << 16;

/// Anchors of a block, and how many are on the topic.
#[derive(Clone, Copy, Default)]
struct Anchors {
    all: u32,
    on_topic: u32,
}

/// Labels the link blocks.
pub(super) fn tell_links_apart(
    page: &Page,
    tree: &BlockTree,
    evidence: &Evidence,
    _region: &Region,
    thresholds: &Thresholds,
    labels: &mut [Option<Label>],
) {
    let is_open = |index: usize, labels: &[Option<Label>]| {
        tree.blocks()[index].label.is_none()
            && labels[index] == Some(Label::Navigation)
            && evidence.blocks[index].link_share() >= thresholds.link_share_min
    };
    let anchors = anchors_on_topic(page, tree, evidence, labels);
    let first_main = labels.iter().position(|label| *label == Some(Label::Main));
    let last_main = labels.iter().rposition(|label| *label == Some(Label::Main));
    let mut index = 0;
    while index < labels.len() {
        if !is_open(index, labels) {
            index += 1;
            continue;
        }
        let mut end = index + 1;
        let mut sum = anchors[index];
        while sum.all < GROUP_ANCHORS_MIN && end < labels.len() && is_open(end, labels) && anchors[end].all < GROUP_ANCHORS_MIN {
            sum = Anchors { all: sum.all + anchors[end].all, on_topic: sum.on_topic + anchors[end].on_topic };
            end += 1;
        }
        let behind = last_main.filter(|&last| last < index).map(|last| blocks_between(evidence, last, index));
        let group = Group {
            anchors: sum,
            says_related: says(evidence, index, Cue::Related),
            says_hot: says(evidence, index, Cue::Hot),
            behind_main: behind,
            before_main: first_main.is_some_and(|first| index < first),
        };
        for member in index..end {
            labels[member] = Some(group.label(&evidence.blocks[member], thresholds));
        }
        index = end;
    }
}

struct Group {
    anchors: Anchors,
    says_related: bool,
    says_hot: bool,
    /// Blocks with text between the main text and this, where it stands behind it.
    behind_main: Option<usize>,
    before_main: bool,
}

impl Group {
    fn label(&self, known: &BlockEvidence, thresholds: &Thresholds) -> Label {
        if self.is_related(thresholds) {
            return Label::Related;
        }
        let called = |cue: Cue| known.called.has(cue);
        let is_menu = known.characters_per_link() < f64::from(ANCHOR_CHARACTERS_MIN);
        match () {
            () if called(Cue::Advert) || known.says.has(Cue::Advert) => Label::Advert,
            () if called(Cue::Navigation) || called(Cue::Header) || known.says.has(Cue::Navigation) => Label::Navigation,
            () if known.says.has(Cue::Copyright) => Label::Copyright,
            () if self.before_main || is_menu => Label::Navigation,
            () => Label::Noise,
        }
    }

    fn is_related(&self, thresholds: &Thresholds) -> bool {
        let share = f64::from(self.anchors.on_topic) / f64::from(self.anchors.all.max(1));
        let is_near = self.behind_main.is_some_and(|between| between as f64 <= thresholds.related_distance_max);
        let by_heading = self.says_related && !self.before_main && share >= thresholds.related_cue_share_min;
        let by_topic = is_near && !self.says_hot && self.anchors.all >= 2 && share >= thresholds.related_share_min;
        self.anchors.on_topic > 0 && (by_heading || by_topic)
    }
}

fn blocks_between(evidence: &Evidence, first: usize, last: usize) -> usize {
    evidence.blocks[first + 1..last].iter().filter(|known| known.characters > 0).count()
}

/// Bytes at the beginning of a block in which its heading is looked for.
const HEADING_BYTES_MAX: usize = 60;

/// Most characters of a block that is the heading of the next one.
const HEADING_CHARACTERS_MAX: u32 = 24;

/// Blocks without text that may stand between a heading and its block.
const HEADING_SEARCH_MAX: usize = 8;

/// Whether a block's first words, or the short block before it, give this cue.
fn says(evidence: &Evidence, index: usize, cue: Cue) -> bool {
    let opening = &evidence.blocks[index].opening;
    let own = &opening[..opening.floor_char_boundary(HEADING_BYTES_MAX)];
    let before = evidence.blocks[..index].iter().rev().take(HEADING_SEARCH_MAX).find(|known| known.characters > 0);
    let before = before.filter(|known| known.characters <= HEADING_CHARACTERS_MAX);
    text_cues(own).0.has(cue) || before.is_some_and(|known| known.says.has(cue))
}

fn anchors_on_topic(page: &Page, tree: &BlockTree, evidence: &Evidence, labels: &[Option<Label>]) -> Vec<Anchors> {
    let dom = page.dom();
    let mut bytes_left = TOPIC_BYTES_MAX;
    let runs = page.flow().runs().iter().zip(&evidence.block_of_run);
    let main = runs.filter(|(run, block)| !run.hidden && block.is_some_and(|block| labels[block as usize] == Some(Label::Main)));
    let texts = main.map(|(run, _)| dom.text(run.node)).take_while(|text| {
        let goes_on = bytes_left > 0;
        bytes_left = bytes_left.saturating_sub(text.len());
        goes_on
    });
    let topic = topic::topic(page.metadata().title.as_deref().unwrap_or_default(), texts);
    let places = Places::of(tree);
    let mut anchors = vec![Anchors::default(); labels.len()];
    for link in page.links().iter().filter(|link| can_be_on_topic(link)) {
        if let Some(block) = places.at(link.span.start) {
            anchors[block].all += 1;
            anchors[block].on_topic += u32::from(topic::touches(&link.text, &topic));
        }
    }
    anchors
}

fn can_be_on_topic(link: &Link) -> bool {
    link.kind == LinkKind::Page && count(&link.text).0 >= ANCHOR_CHARACTERS_MIN
}
