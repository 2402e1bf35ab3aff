//! Decides what each block is for, from what is known of it and where it stands to the main text.
//!
//! Link blocks come out as `Navigation` or `Noise` at first; `related.rs` then tells them apart.

use kuai_page::{BlockTree, Label, Page};
use rustc_hash::FxHashSet;

use super::evidence::{BlockEvidence, Evidence, TITLE_SHARE_MIN};
use super::region::Region;
use super::topic::{self, Term};
use crate::cues::{Cue, CueSet};
use crate::features::{HUB_LINK_RATIO_MIN, PageKind};

/// The bounds of the rules, most of them parameters of `spcola`. All were chosen on the labelled Chinese pages.
#[derive(Clone, Debug)]
pub(crate) struct Thresholds {
    /// Link text over other text from which a page is a hub.
    pub(crate) hub_link_ratio_min: f64,
    /// Share of a hub's long links that its main region holds.
    pub(crate) hub_share_min: f64,
    /// Share of a page's sentences that its main region holds.
    pub(crate) main_share_min: f64,
    /// Share of link text from which a block is a link block.
    pub(crate) link_share_min: f64,
    /// Characters up to which a block is small.
    pub(crate) small_characters_max: f64,
    /// Share of anchors on the topic from which a link block close behind the main text is related.
    pub(crate) related_share_min: f64,
    /// The same for a link block whose heading says that it is related.
    pub(crate) related_cue_share_min: f64,
    /// Blocks with text between the main text and a related block without such a heading.
    pub(crate) related_distance_max: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            hub_link_ratio_min: HUB_LINK_RATIO_MIN,
            hub_share_min: 0.51,
            main_share_min: 0.7,
            link_share_min: 0.5,
            small_characters_max: 40.0,
            related_share_min: 0.4,
            related_cue_share_min: 0.12,
            related_distance_max: 8.0,
        }
    }
}

/// The labels of all blocks that show something of their own.
pub(super) fn decide(
    page: &Page,
    tree: &BlockTree,
    evidence: &Evidence,
    region: &Region,
    thresholds: &Thresholds,
) -> Vec<Option<Label>> {
    let title_terms = topic::terms(page.title());
    let mut judge = Judge { region, thresholds, title_terms, main_seen: false };
    let mut labels: Vec<Option<Label>> = Vec::with_capacity(tree.blocks().len());
    for (index, (block, known)) in tree.blocks().iter().zip(&evidence.blocks).enumerate() {
        let shows = known.characters > 0 || (tree.is_leaf(index) && known.images + known.inputs > 0);
        let in_region = region.span.contains(block.span) || block.span.contains(region.span);
        let label = match block.label {
            None if known.is_hidden() => Some(hidden_block(known)),
            None if shows => Some(judge.judge(known, in_region)),
            label => label,
        };
        judge.main_seen |= label == Some(Label::Main);
        labels.push(label);
    }
    settle_lines_by_main(&mut labels);
    settle_heading_of_main(&mut labels, evidence, thresholds);
    labels
}

/// Hidden text is never content; hidden links are told apart like others.
fn hidden_block(known: &BlockEvidence) -> Label {
    if known.hidden_link_characters > 0 { Label::Navigation } else { Label::Noise }
}

struct Judge<'a> {
    region: &'a Region,
    thresholds: &'a Thresholds,
    title_terms: FxHashSet<Term>,
    /// Whether main text stands before.
    main_seen: bool,
}

/// Most characters of a title.
const TITLE_CHARACTERS_MAX: u32 = 120;

/// Most characters of a line that is taken for author, date or source because of its name alone.
const META_CHARACTERS_MAX: u32 = 80;

/// A block is a cue line when cue words are at least this part of it.
const CUE_SHARE_MIN: f64 = 0.15;

/// Long links make up at least one part in so many of a hub's main lists; the rest names channels, tags and authors.
const LONG_LINK_PART: u32 = 5;

/// Most characters of a copyright note.
const COPYRIGHT_CHARACTERS_MAX: u32 = 600;

impl Judge<'_> {
    fn judge(&self, known: &BlockEvidence, in_region: bool) -> Label {
        if known.characters == 0 {
            return if in_region && known.images > 0 { Label::Small } else { Label::Noise };
        }
        if let Some(label) = self.by_name(known) {
            return label;
        }
        if self.is_copyright(known) {
            return Label::Copyright;
        }
        if self.is_title(known, in_region) {
            return Label::Title;
        }
        if known.link_share() >= self.thresholds.link_share_min {
            return self.link_block(known, in_region);
        }
        if let Some(label) = self.by_cue_line(known) {
            return label;
        }
        self.text_block(known, in_region)
    }

    /// What the author called the block, where that is believed on this page.
    fn by_name(&self, known: &BlockEvidence) -> Option<Label> {
        let called = |cue: Cue| known.called.has(cue) && self.region.against.has(cue);
        if called(Cue::Comment) {
            return Some(Label::Comment);
        }
        if known.link_share() >= self.thresholds.link_share_min {
            return None;
        }
        let is_line = known.sentence_characters == 0 && known.characters <= META_CHARACTERS_MAX;
        Some(match () {
            () if called(Cue::Footer) => Label::Copyright,
            () if called(Cue::Advert) => Label::Advert,
            () if called(Cue::Navigation) => Label::Navigation,
            () if called(Cue::Share) || called(Cue::Related) || called(Cue::Sidebar) => Label::Noise,
            () if known.called.has(Cue::Meta) && is_line && !self.is_title(known, true) => Label::Meta,
            () => return None,
        })
    }

    fn is_copyright(&self, known: &BlockEvidence) -> bool {
        let is_short = known.characters <= COPYRIGHT_CHARACTERS_MAX;
        let is_note = known.cue_characters * 20 >= known.characters;
        known.says.has(Cue::Copyright) && is_short && is_note && self.main_seen
    }

    fn is_title(&self, known: &BlockEvidence, in_region: bool) -> bool {
        if known.characters > TITLE_CHARACTERS_MAX || known.characters < 2 {
            return false;
        }
        let is_heading = known.heading_characters * 2 > known.characters;
        let is_page_title = !self.main_seen && topic::share_in(&known.opening, &self.title_terms) >= TITLE_SHARE_MIN;
        let is_link = known.link_share() >= self.thresholds.link_share_min;
        let leads_elsewhere =
            CueSet::of(Cue::Related) | CueSet::of(Cue::Hot) | CueSet::of(Cue::Comment) | CueSet::of(Cue::Share);
        (is_page_title && known.characters >= 5 && (is_heading || !is_link))
            || (is_heading && in_region && !is_link && !known.says.meets(leads_elsewhere))
    }

    fn link_block(&self, known: &BlockEvidence, in_region: bool) -> Label {
        let says_something = known.long_link_characters * LONG_LINK_PART >= known.link_characters;
        let against = known.called.meets(self.region.against);
        if self.region.kind == PageKind::Hub && in_region && says_something && !against {
            Label::Main
        } else {
            Label::Navigation
        }
    }

    /// Short lines that consist of cue words for a good part.
    fn by_cue_line(&self, known: &BlockEvidence) -> Option<Label> {
        let is_short = f64::from(known.characters) <= self.thresholds.small_characters_max * 2.0;
        if !is_short || f64::from(known.cue_characters) < f64::from(known.characters) * CUE_SHARE_MIN {
            return None;
        }
        let says = |cue: Cue| known.says.has(cue);
        Some(match () {
            () if says(Cue::Meta) => Label::Meta,
            () if says(Cue::Comment) => Label::Comment,
            () if says(Cue::Advert) => Label::Advert,
            () if says(Cue::Navigation) => Label::Navigation,
            () if says(Cue::Share) || says(Cue::Related) || says(Cue::Hot) || says(Cue::Copyright) => Label::Noise,
            () => return None,
        })
    }

    fn text_block(&self, known: &BlockEvidence, in_region: bool) -> Label {
        let is_small = f64::from(known.characters) <= self.thresholds.small_characters_max;
        match (in_region, is_small && known.sentence_characters == 0) {
            (true, false) => Label::Main,
            (true, true) => Label::Small,
            (false, _) => Label::Noise,
        }
    }
}

/// How many blocks a small one may stand away from main text.
const SMALL_DISTANCE_MAX: usize = 2;

/// A small block is part of the content only between blocks of main text or close to one; a line about author or
/// source that stands between blocks of main text, such as under a picture, belongs to it.
fn settle_lines_by_main(labels: &mut [Option<Label>]) {
    let is_main = |label: &Option<Label>| *label == Some(Label::Main);
    let first = labels.iter().position(is_main);
    let last = labels.iter().rposition(is_main);
    let (Some(first), Some(last)) = (first, last) else { return };
    for (index, label) in labels.iter_mut().enumerate() {
        let near = index + SMALL_DISTANCE_MAX >= first && index <= last + SMALL_DISTANCE_MAX;
        match label {
            Some(Label::Small) if !near => *label = Some(Label::Noise),
            Some(Label::Meta) if first < index && index < last => *label = Some(Label::Small),
            _ => {}
        }
    }
}

/// How many blocks a heading may stand before the main text that it opens.
const HEADING_DISTANCE_MAX: usize = 3;

/// Where no title was found, the last heading close before the main text is its title, whatever the page calls itself.
fn settle_heading_of_main(labels: &mut [Option<Label>], evidence: &Evidence, thresholds: &Thresholds) {
    let Some(first) = labels.iter().position(|label| *label == Some(Label::Main)) else { return };
    if labels[..first].contains(&Some(Label::Title)) {
        return;
    }
    let is_heading = |known: &BlockEvidence| {
        known.heading_characters * 2 > known.characters
            && known.characters <= TITLE_CHARACTERS_MAX
            && known.link_share() < thresholds.link_share_min
    };
    let near = first.saturating_sub(HEADING_DISTANCE_MAX)..first;
    let heading = near.rev().find(|&index| labels[index] == Some(Label::Noise) && is_heading(&evidence.blocks[index]));
    if let Some(index) = heading {
        labels[index] = Some(Label::Title);
    }
}
