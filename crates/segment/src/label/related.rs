//! Tells link blocks apart: related, navigation, advert, noise.
//!
//! A link block is related when its anchor texts, as a set, are on the page's topic, and it stands close behind the
//! main text or says that it is related.

use std::ops::Add;

use kuai_page::{BlockTree, Label, Page, count_characters};

use super::Thresholds;
use super::evidence::{BlockEvidence, Evidence};
use super::topic;
use crate::cues::{Cue, CueSet, text_cues};
use crate::places::Places;

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

impl Anchors {
    fn share(self) -> f64 {
        f64::from(self.on_topic) / f64::from(self.all.max(1))
    }
}

impl Add for Anchors {
    type Output = Anchors;

    fn add(self, other: Anchors) -> Anchors {
        Anchors { all: self.all + other.all, on_topic: self.on_topic + other.on_topic }
    }
}

/// Labels the link blocks.
pub(super) fn tell_links_apart(
    page: &Page,
    tree: &BlockTree,
    evidence: &Evidence,
    thresholds: &Thresholds,
    labels: &mut [Option<Label>],
) {
    let is_open = |index: usize, labels: &[Option<Label>]| {
        tree.blocks()[index].label.is_none() && is_link_block(&evidence.blocks[index], labels[index], thresholds)
    };
    let headings = headings(tree, evidence);
    let first_main = labels.iter().position(|label| *label == Some(Label::Main));
    let last_main = labels.iter().rposition(|label| *label == Some(Label::Main));
    let distances = distances_behind(last_main, evidence);
    // What the page is about is dear to know, so it is asked only where a block stands as related links do.
    let is_placed = |index: usize| {
        let may_be_related =
            headings[index].has(Cue::Related) || is_near(distances[index], headings[index], thresholds);
        may_be_related && is_open(index, labels)
    };
    let anchors = if (0..labels.len()).any(is_placed) {
        anchors_on_topic(page, tree, evidence, labels)
    } else {
        vec![Anchors::default(); labels.len()]
    };
    let whole = anchors.iter().fold(Anchors::default(), |sum, &own| sum + own);
    let mut index = 0;
    while index < labels.len() {
        if !is_open(index, labels) {
            index += 1;
            continue;
        }
        let mut end = index + 1;
        let mut sum = anchors[index];
        while sum.all < GROUP_ANCHORS_MIN
            && end < labels.len()
            && is_open(end, labels)
            && anchors[end].all < GROUP_ANCHORS_MIN
            && headings[end] == headings[index]
        {
            sum = sum + anchors[end];
            end += 1;
        }
        let group = Group {
            anchors: sum,
            elsewhere: Anchors { all: whole.all - sum.all, on_topic: whole.on_topic - sum.on_topic },
            heading: headings[index],
            behind_main: distances[index],
            before_main: first_main.is_some_and(|first| index < first),
        };
        for (label, known) in labels[index..end].iter_mut().zip(&evidence.blocks[index..end]) {
            *label = Some(group.label(known, thresholds));
        }
        index = end;
    }
}

/// Whether a block is still to be told apart: mostly links, or a line that says that its links are related.
fn is_link_block(known: &BlockEvidence, label: Option<Label>, thresholds: &Thresholds) -> bool {
    let is_links = label == Some(Label::Navigation)
        && (known.link_share() >= thresholds.link_share_min || (known.is_hidden() && known.hidden_link_characters > 0));
    is_links || (label == Some(Label::Noise) && known.links > 0 && known.says.has(Cue::Related))
}

struct Group {
    anchors: Anchors,
    /// Those of the rest of the page.
    elsewhere: Anchors,
    heading: CueSet,
    /// Blocks with text between the main text and this, where it stands behind it.
    behind_main: Option<usize>,
    before_main: bool,
}

/// A set of anchors is on the topic only if more of them are than elsewhere on the page, by this factor: portals have
/// some words in links everywhere.
const LIFT_MIN: f64 = 1.5;

/// Anchors on the topic from which a smaller share of a long list is enough.
const MANY_ON_TOPIC: u32 = 3;

/// Share that is wanted of short lists.
const SHORT_LIST_SHARE_MIN: f64 = 0.25;

impl Group {
    fn label(&self, known: &BlockEvidence, thresholds: &Thresholds) -> Label {
        if self.is_related(thresholds) {
            return Label::Related;
        }
        let called = |cue: Cue| known.called.has(cue);
        let is_menu = known.characters_per_link() < f64::from(ANCHOR_CHARACTERS_MIN);
        match () {
            () if called(Cue::Advert) || known.says.has(Cue::Advert) => Label::Advert,
            () if called(Cue::Navigation) || called(Cue::Header) || known.says.has(Cue::Navigation) => {
                Label::Navigation
            }
            () if known.says.has(Cue::Copyright) => Label::Copyright,
            () if self.before_main || is_menu => Label::Navigation,
            () => Label::Noise,
        }
    }

    fn is_related(&self, thresholds: &Thresholds) -> bool {
        let share = self.anchors.share();
        let is_near = is_near(self.behind_main, self.heading, thresholds);
        let is_enough = self.anchors.on_topic >= MANY_ON_TOPIC || share >= SHORT_LIST_SHARE_MIN;
        let by_heading = self.heading.has(Cue::Related) && share >= thresholds.related_cue_share_min && is_enough;
        let by_topic = is_near && self.anchors.all >= 2 && share >= thresholds.related_share_min;
        let stands_out = share >= self.elsewhere.share() * LIFT_MIN;
        self.anchors.on_topic > 0 && stands_out && !self.before_main && (by_heading || by_topic)
    }
}

/// For each block how many blocks with text stand between it and the main text, where it stands behind that.
fn distances_behind(last_main: Option<usize>, evidence: &Evidence) -> Vec<Option<usize>> {
    let mut between = 0;
    let distance = |(index, known): (usize, &BlockEvidence)| {
        let distance = last_main.filter(|&last| last < index).map(|_| between);
        between += usize::from(distance.is_some() && known.characters > 0);
        distance
    };
    evidence.blocks.iter().enumerate().map(distance).collect()
}

/// Whether a block stands close enough behind the main text to be related without saying so.
fn is_near(behind_main: Option<usize>, heading: CueSet, thresholds: &Thresholds) -> bool {
    let is_close = behind_main.is_some_and(|between| between as f64 <= thresholds.related_distance_max);
    is_close && !heading.has(Cue::Hot)
}

/// Bytes at the beginning of a block in which its heading is looked for.
const HEADING_BYTES_MAX: usize = 60;

/// Most characters of a block that is the heading of those after it.
const HEADING_CHARACTERS_MAX: u32 = 24;

/// For each block the cues of its heading: its own first words, or the last short block with such cues before it, as
/// far as the block around both goes.
fn headings(tree: &BlockTree, evidence: &Evidence) -> Vec<CueSet> {
    const TELLING: CueSet = CueSet::all(&[Cue::Related, Cue::Hot, Cue::Comment]);
    let mut headings = Vec::with_capacity(evidence.blocks.len());
    let mut open: Vec<u32> = Vec::new();
    // The cues of the heading in force, where its own parents end, innermost last, and the end of its scope once known.
    let mut heading = (CueSet::EMPTY, Vec::new(), 0);
    for (block, known) in tree.blocks().iter().zip(&evidence.blocks) {
        open.truncate(block.depth as usize);
        let (cues, parents, scope_end) = &mut heading;
        let characters = if known.is_hidden() { known.hidden_characters } else { known.characters };
        if characters > 0 && !parents.is_empty() {
            // The scope is the smallest block around the heading that holds more than the heading.
            *scope_end = parents.iter().rev().copied().find(|&end| end > block.span.start).unwrap_or(0);
            parents.clear();
        }
        let in_force = if block.span.start < *scope_end { *cues } else { CueSet::EMPTY };
        let own = if known.says.meets(TELLING) { heading_cues(known) & TELLING } else { CueSet::EMPTY };
        headings.push(if own.is_empty() { in_force } else { own });
        if characters > 0 && characters <= HEADING_CHARACTERS_MAX && !own.is_empty() {
            heading = (own, open.clone(), 0);
        }
        open.push(block.span.end);
    }
    headings
}

fn heading_cues(known: &BlockEvidence) -> CueSet {
    text_cues(&known.opening[..known.opening.floor_char_boundary(HEADING_BYTES_MAX)]).0
}

fn anchors_on_topic(page: &Page, tree: &BlockTree, evidence: &Evidence, labels: &[Option<Label>]) -> Vec<Anchors> {
    let dom = page.dom();
    let mut bytes_left = TOPIC_BYTES_MAX;
    let is_main = |block: Option<u32>| block.is_some_and(|block| labels[block as usize] == Some(Label::Main));
    let runs = page.flow().runs().iter().zip(&evidence.runs);
    let main = runs.filter(|(run, known)| !run.hidden && is_main(known.block));
    let texts = main.map(|(run, _)| dom.text(run.node)).take_while(|text| {
        let goes_on = bytes_left > 0;
        bytes_left = bytes_left.saturating_sub(text.len());
        goes_on
    });
    let topic = topic::topic(page.title(), texts);
    let places = Places::of(tree);
    let mut anchors = vec![Anchors::default(); labels.len()];
    for anchor in page.anchors() {
        let Some(block) = places.at(anchor.span.start) else { continue };
        let is_on_topic = topic::touches(&anchor.text, &topic);
        // A short anchor that is not on the topic speaks neither for nor against its block.
        if is_on_topic || count_characters(&anchor.text) >= ANCHOR_CHARACTERS_MIN {
            anchors[block] = anchors[block] + Anchors { all: 1, on_topic: u32::from(is_on_topic) };
        }
    }
    anchors
}
