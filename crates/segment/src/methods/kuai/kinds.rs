//! What the groups of a page are for. Main text is what the model says; the rest is told apart by rules after SPCOLA's, as labelled pages
//! that tell kinds of other text apart are too few to learn from. All bounds were chosen on the labelled Chinese pages.

use std::sync::LazyLock;

use kuai_page::{BlockTree, Label, Page};
use rustc_hash::FxHashMap;

use super::groups::Group;
use super::names::word_of_name;
use super::outline::Outline;
use super::subject::Subject;
use super::topic::Topic;
use crate::cues::{self, Cue, CueSet, text_cues};

/// Share of links from which a group is one of links.
pub(super) const LINK_SHARE_MIN: f32 = 0.5;
/// Characters of a link from which it can be on a topic; shorter ones name channels and authors.
const ANCHOR_CHARACTERS_MIN: u32 = 6;
/// Bytes of a group's text that are searched for cue words, and in which its heading is looked for.
const OPENING_BYTES_MAX: usize = 360;
const HEADING_BYTES_MAX: usize = 60;
/// Most characters of a title, of a line about author or date, of a copyright note.
const TITLE_CHARACTERS_MAX: u32 = 120;
const META_CHARACTERS_MAX: u32 = 80;
const COPYRIGHT_CHARACTERS_MAX: u32 = 600;
/// Most characters of a line that says under what a page is filed.
const FILING_CHARACTERS_MAX: u32 = 24;
/// A group is a cue line when cue words are at least this part of it, a copyright note when they are this part.
const CUE_SHARE_MIN: f32 = 0.15;
const COPYRIGHT_CUE_SHARE_MIN: f32 = 0.05;
/// Groups between the main text and related links that do not say so.
const RELATED_DISTANCE_MAX: usize = 8;
/// Share of links on the topic from which a group close behind the main text is related, and one that says that it is.
const RELATED_SHARE_MIN: f32 = 0.4;
const RELATED_CUE_SHARE_MIN: f32 = 0.25;
/// Links are on the topic only if more of them are than elsewhere on the page, by this factor.
const LIFT_MIN: f32 = 1.5;
/// Kinds of names from which a list of classes says what a page is made of, not what this part is.
const NAME_KINDS_MAX: u32 = 3;

/// The blocks of a page with what each is for.
pub(super) fn blocks(
    page: &Page,
    outline: &Outline,
    subject: &Subject,
    title: Option<usize>,
    groups: &[Group],
) -> BlockTree {
    let judge = Judge::new(outline, subject, title, groups);
    labelled(page, groups, |index, group| judge.label(index, group))
}

/// The same blocks where nobody asks what other text is for.
pub(super) fn main_blocks(page: &Page, groups: &[Group]) -> BlockTree {
    labelled(page, groups, |_, group| if group.is_main { Label::Main } else { Label::Noise })
}

fn labelled(page: &Page, groups: &[Group], label_of: impl Fn(usize, &Group) -> Label) -> BlockTree {
    if groups.is_empty() {
        return BlockTree::from_labelled([(page.span(), Some(Label::Noise))]);
    }
    BlockTree::from_labelled(groups.iter().enumerate().map(|(index, group)| (group.span, Some(label_of(index, group)))))
}

/// Links of a group, and how many are on the topic.
#[derive(Clone, Copy, Default)]
struct Anchors {
    all: u32,
    on_topic: u32,
}

impl Anchors {
    fn share(self) -> f32 {
        self.on_topic as f32 / self.all.max(1) as f32
    }
}

/// What is known of a group.
struct Known {
    characters: u32,
    link_share: f32,
    /// Characters a linked unit on average.
    characters_per_link: f32,
    has_sentence: bool,
    has_date: bool,
    /// Cues in what it says, and their share of its opening.
    says: CueSet,
    cue_share: f32,
    /// Cues in its first line.
    heading: CueSet,
    /// Cues in what its author called it.
    called: CueSet,
}

struct Judge<'a> {
    outline: &'a Outline<'a>,
    title: Option<usize>,
    called: Vec<CueSet>,
    anchors: Vec<Anchors>,
    whole: Anchors,
    first_main: usize,
    /// Which groups are main text.
    is_main: Vec<bool>,
}

impl<'a> Judge<'a> {
    fn new(outline: &'a Outline<'a>, subject: &Subject, title: Option<usize>, groups: &[Group]) -> Judge<'a> {
        let topic = Topic::of(outline, groups, &subject.title_words);
        let anchors: Vec<Anchors> = groups.iter().map(|group| anchors_of(outline, &topic, group)).collect();
        let whole = anchors.iter().fold(Anchors::default(), |sum, own| Anchors {
            all: sum.all + own.all,
            on_topic: sum.on_topic + own.on_topic,
        });
        Judge {
            outline,
            title,
            called: called(outline),
            anchors,
            whole,
            first_main: groups.iter().position(|group| group.is_main).unwrap_or(groups.len()),
            is_main: groups.iter().map(|group| group.is_main).collect(),
        }
    }

    fn label(&self, index: usize, group: &Group) -> Label {
        if group.is_main {
            return Label::Main;
        }
        let known = self.known(group);
        let called = |cue: Cue| known.called.has(cue);
        let says = |cue: Cue| known.says.has(cue);
        let is_line = !known.has_sentence && known.characters <= META_CHARACTERS_MAX;
        let is_cue_line = is_line && known.cue_share >= CUE_SHARE_MIN;
        match () {
            () if self.is_title(group, &known) => Label::Title,
            () if self.is_note(index, &known) => Label::Copyright,
            () if self.is_related(index, &known) && !self.is_filing(group) => Label::Related,
            () if called(Cue::Comment) || (is_cue_line && says(Cue::Comment)) => Label::Comment,
            () if called(Cue::Footer) && known.link_share < LINK_SHARE_MIN => Label::Copyright,
            () if called(Cue::Advert) || (says(Cue::Advert) && !known.has_sentence) => Label::Advert,
            () if known.link_share >= LINK_SHARE_MIN => self.link_group(index, &known),
            () if is_line && (called(Cue::Meta) || known.has_date || (is_cue_line && says(Cue::Meta))) => Label::Meta,
            () if called(Cue::Navigation) || (is_cue_line && says(Cue::Navigation)) => Label::Navigation,
            () => Label::Noise,
        }
    }

    fn link_group(&self, index: usize, known: &Known) -> Label {
        let is_menu = known.characters_per_link < ANCHOR_CHARACTERS_MIN as f32;
        let is_called = known.called.has(Cue::Navigation) || known.called.has(Cue::Header);
        if is_called || known.says.has(Cue::Navigation) || index < self.first_main || is_menu {
            Label::Navigation
        } else {
            Label::Noise
        }
    }

    fn is_title(&self, group: &Group, known: &Known) -> bool {
        let has_title = self.title.is_some_and(|title| group.units.contains(&title));
        has_title && known.characters <= TITLE_CHARACTERS_MAX && known.link_share < LINK_SHARE_MIN
    }

    /// Whether it is a note of copyright, with the links that go with one.
    fn is_note(&self, index: usize, known: &Known) -> bool {
        known.says.has(Cue::Copyright)
            && known.cue_share >= COPYRIGHT_CUE_SHARE_MIN
            && known.characters <= COPYRIGHT_CHARACTERS_MAX
            && index > self.first_main
    }

    fn is_related(&self, index: usize, known: &Known) -> bool {
        let own = self.anchors[index];
        let heads = |cue: Cue| known.heading.has(cue);
        // Lists of what is read most are called by the same names as related ones; their headings tell them apart.
        let says_so = heads(Cue::Related) || (known.called.has(Cue::Related) && !heads(Cue::Hot));
        let is_links = known.link_share >= LINK_SHARE_MIN || says_so;
        if own.on_topic == 0 || !is_links || index < self.first_main || heads(Cue::Copyright) {
            return false;
        }
        let elsewhere = Anchors { all: self.whole.all - own.all, on_topic: self.whole.on_topic - own.on_topic };
        let is_near = self.is_main[index.saturating_sub(RELATED_DISTANCE_MAX + 1)..index].contains(&true);
        let by_heading = says_so && own.share() >= RELATED_CUE_SHARE_MIN;
        let by_topic = is_near && !heads(Cue::Hot) && own.all >= 2 && own.share() >= RELATED_SHARE_MIN;
        own.share() >= elsewhere.share() * LIFT_MIN && (by_heading || by_topic)
    }

    /// Whether a line in it or right before it says that the page is filed under what follows: "Categories:".
    fn is_filing(&self, group: &Group) -> bool {
        self.outline.units[group.units.start.saturating_sub(1)..group.units.end].iter().any(|unit| {
            let line = self.outline.text_of(unit).trim();
            let is_short = unit.text.characters <= FILING_CHARACTERS_MAX;
            is_short && line.ends_with([':', '：']) && text_cues(line).0.has(Cue::Meta)
        })
    }

    fn known(&self, group: &Group) -> Known {
        let units = &self.outline.units[group.units.clone()];
        let length: f32 = units.iter().map(|unit| unit.text.length).sum();
        let linked: f32 = units.iter().map(|unit| unit.text.length * unit.text.link).sum();
        let link_units: Vec<_> = units.iter().filter(|unit| unit.text.link >= LINK_SHARE_MIN).collect();
        let link_characters: u32 = link_units.iter().map(|unit| unit.text.characters).sum();
        let opening = self.opening(group);
        let (says, cue_characters) = text_cues(&opening);
        let first = &units[0];
        let line = self.outline.text_of(first);
        let heading = text_cues(&line[..line.floor_char_boundary(HEADING_BYTES_MAX)]).0;
        Known {
            characters: units.iter().map(|unit| unit.text.characters).sum(),
            link_share: linked / length.max(0.3),
            characters_per_link: link_characters as f32 / link_units.len().max(1) as f32,
            has_sentence: units
                .iter()
                .any(|unit| unit.text.ends && unit.text.link < LINK_SHARE_MIN && unit.text.length > 6.0),
            has_date: units.iter().any(|unit| unit.text.date),
            says,
            cue_share: cue_characters as f32 / opening.chars().count().max(1) as f32,
            heading,
            called: self.called[first.element as usize],
        }
    }

    /// The first text of a group.
    fn opening(&self, group: &Group) -> String {
        let mut opening = String::with_capacity(OPENING_BYTES_MAX);
        for unit in &self.outline.units[group.units.clone()] {
            let text = self.outline.text_of(unit);
            let fitting = text.floor_char_boundary(OPENING_BYTES_MAX - opening.len());
            opening.push_str(&text[..fitting]);
            if fitting < text.len() {
                break;
            }
        }
        opening
    }
}

fn anchors_of(outline: &Outline, topic: &Topic, group: &Group) -> Anchors {
    let mut anchors = Anchors::default();
    if group.is_main {
        return anchors;
    }
    for unit in outline.units[group.units.clone()].iter().filter(|unit| unit.text.link >= LINK_SHARE_MIN) {
        let is_on_topic = topic.touches(outline, unit);
        // A short link that is not on the topic speaks neither for nor against its group.
        if is_on_topic || unit.text.characters >= ANCHOR_CHARACTERS_MIN {
            anchors.all += 1;
            anchors.on_topic += u32::from(is_on_topic);
        }
    }
    anchors
}

/// Cue words of names by their hash.
static NAMES: LazyLock<FxHashMap<u32, CueSet>> =
    LazyLock::new(|| cues::cue_names().map(|(name, cues)| (word_of_name(name), cues)).collect());

/// For each element the cues in what it and those around it are called.
fn called(outline: &Outline) -> Vec<CueSet> {
    let mut called: Vec<CueSet> = Vec::with_capacity(outline.elements.len());
    for element in &outline.elements {
        let names = outline.names_of(element.names).iter().filter_map(|name| NAMES.get(name));
        let own = names.fold(cues::tag_cues(element.tag), |all, &cues| all | cues);
        let is_telling = own.without(Cue::Content).len() < NAME_KINDS_MAX;
        let around = called.get(element.parent as usize).copied().unwrap_or_default();
        called.push(if is_telling { around | own } else { around });
    }
    called
}
