//! What is known of every block before it is judged: counts and cue words.
//!
//! Every run of text and every element belongs to the innermost block that it begins in, so each is looked at once.

use kuai_page::{BlockTree, Dom, NodeId, Page, Tag, TextOptions, count_characters};

use super::topic;
use crate::cues::{self, Cue, CueSet};
use crate::places::Places;

/// What is known of one block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockEvidence {
    /// Shown characters of its own, white space left out.
    pub(super) characters: u32,
    /// Those in links.
    pub(super) link_characters: u32,
    /// Those in links that say something.
    pub(super) long_link_characters: u32,
    /// Those in headings.
    pub(super) heading_characters: u32,
    /// Runs of text outside links that are as long as a sentence.
    pub(super) sentence_characters: u32,
    /// Links that show text.
    pub(super) links: u32,
    /// Images.
    pub(super) images: u32,
    /// Fields and buttons of forms.
    pub(super) inputs: u32,
    /// Its first words; those of hidden text where it shows none.
    pub(super) opening: String,
    hidden_opening: String,
    /// Characters that a browser would not show.
    pub(super) hidden_characters: u32,
    /// Those of them in links.
    pub(super) hidden_link_characters: u32,
    /// Cues in what it says, and how many of its first characters are cue words.
    pub(super) says: CueSet,
    pub(super) cue_characters: u32,
    /// Cues in what its author called it and what it lies in, for at least half of its text.
    pub(super) called: CueSet,
    called_characters: [u32; 16],
}

impl BlockEvidence {
    /// The share of its text that is links.
    pub(super) fn link_share(&self) -> f64 {
        if self.characters == 0 { 0.0 } else { f64::from(self.link_characters) / f64::from(self.characters) }
    }

    /// Characters of a link on average.
    pub(super) fn characters_per_link(&self) -> f64 {
        f64::from(self.link_characters) / f64::from(self.links.max(1))
    }

    /// Whether all its text is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.characters == 0 && self.hidden_characters > 0
    }

    fn close(&mut self) {
        if self.is_hidden() {
            self.opening = std::mem::take(&mut self.hidden_opening);
        }
        let half = self.characters.div_ceil(2);
        for (bit, _) in self.called_characters.iter().enumerate().filter(|&(_, &sum)| sum > 0 && sum >= half) {
            self.called = self.called | CueSet::from_bit(bit);
        }
        (self.says, self.cue_characters) = cues::text_cues(&self.opening);
    }
}

/// What is known of a page.
pub(super) struct Evidence {
    /// Beside the tree's blocks, index by index.
    pub(super) blocks: Vec<BlockEvidence>,
    /// The elements in document order.
    pub(super) order: Vec<NodeId>,
    /// The heading that says what the page's title says.
    pub(super) page_heading: Option<NodeId>,
    /// Beside the runs of the flow, one by one.
    pub(super) runs: Vec<RunEvidence>,
}

/// What holds inside an element.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// Cues of the element and of those around it.
    called: CueSet,
    link: Option<NodeId>,
    is_heading: bool,
}

/// What is known of one run of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunEvidence {
    /// The innermost block that it begins in.
    pub(super) block: Option<u32>,
    /// Its characters, white space left out, shown or not.
    pub(super) characters: u32,
    /// Whether it reads as a sentence, and stands outside links.
    pub(super) is_sentence: bool,
    /// Cues of the elements that it stands in.
    pub(super) called: CueSet,
}

/// Bytes of a block's text that are searched for cue words. Blocks that are cues are short or begin with them.
const OPENING_BYTES_MAX: usize = 360;

/// Characters from which a link says what it leads to, not only where it stands in a site.
pub(super) const LONG_LINK_CHARACTERS_MIN: u32 = 8;

/// Characters from which a run of text with punctuation reads as a sentence.
const SENTENCE_CHARACTERS_MIN: u32 = 16;

/// Looks at every element and run once.
pub(super) fn gather(page: &Page, tree: &BlockTree) -> Evidence {
    let places = Places::of(tree);
    let mut evidence = Evidence {
        blocks: vec![BlockEvidence::default(); tree.blocks().len()],
        order: Vec::with_capacity(page.dom().len()),
        page_heading: page_heading(page),
        runs: Vec::with_capacity(page.flow().runs().len()),
    };
    // Whatever the elements around the page's own heading are called, they are no menu and no footer.
    let mut heading_holders: Vec<NodeId> =
        evidence.page_heading.into_iter().flat_map(|heading| page.dom().ancestors(heading)).collect();
    heading_holders.sort_unstable();
    let inside = see_elements(page.dom(), &places, &heading_holders, &mut evidence);
    see_runs(page, &places, &inside, &mut evidence);
    evidence.blocks.iter_mut().for_each(BlockEvidence::close);
    evidence
}

/// Looks at every element; answers what holds inside each, by node index.
fn see_elements(dom: Dom<'_>, places: &Places, heading_holders: &[NodeId], evidence: &mut Evidence) -> Vec<Inside> {
    let mut inside = vec![Inside::default(); dom.len()];
    for node in dom.descendants(dom.root()).filter(|&node| dom.is_element(node)) {
        evidence.order.push(node);
        let tag = dom.tag(node);
        if let Some(parent) = dom.parent(node) {
            let around = inside[parent.index()];
            let own =
                if heading_holders.binary_search(&node).is_ok() { CueSet::EMPTY } else { telling_names(dom, node) };
            inside[node.index()] = Inside {
                called: around.called | own,
                link: if tag == Tag::A { Some(node) } else { around.link },
                is_heading: around.is_heading || is_heading(tag),
            };
        }
        let block = || places.at(dom.span(node).start);
        match tag {
            Tag::Img | Tag::Picture | Tag::Video | Tag::Embed | Tag::Object => {
                if let Some(block) = block() {
                    evidence.blocks[block].images += 1;
                }
            }
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Button => {
                if let Some(block) = block() {
                    evidence.blocks[block].inputs += 1;
                }
            }
            _ => {}
        }
    }
    inside
}

/// Kinds of names from which a list of classes says what a page is made of, not what this part is.
const NAME_KINDS_MAX: u32 = 3;

/// The cues of an element's names, as far as they tell it from other parts of the page.
fn telling_names(dom: Dom<'_>, node: NodeId) -> CueSet {
    let cues = cues::name_cues(dom, node);
    let is_whole = matches!(dom.tag(node), Tag::Html | Tag::Body | Tag::Head | Tag::Main | Tag::Article);
    if is_whole || cues.without(Cue::Content).len() >= NAME_KINDS_MAX { cues & CueSet::of(Cue::Content) } else { cues }
}

/// Share of a heading's terms that the page's title must hold for it to be the page's heading.
pub(super) const TITLE_SHARE_MIN: f64 = 0.6;

/// The first heading that says what the page's title says.
fn page_heading(page: &Page) -> Option<NodeId> {
    let dom = page.dom();
    let title = topic::terms(page.title());
    let is_page_heading = |&node: &NodeId| {
        is_heading(dom.tag(node))
            && topic::share_in(&page.flow().text_of(dom, node, TextOptions::default()), &title) >= TITLE_SHARE_MIN
    };
    dom.descendants(dom.root()).find(is_page_heading)
}

fn see_runs(page: &Page, places: &Places, inside: &[Inside], evidence: &mut Evidence) {
    let dom = page.dom();
    let mut last_link = None;
    for run in page.flow().runs() {
        let text = dom.text(run.node);
        let around = dom.parent(run.node).map(|parent| inside[parent.index()]);
        let characters =
            if run.hidden { count_characters(text) } else { page.flow().count_of(page.dom(), run.node).characters };
        let known_run = RunEvidence {
            block: places.at(run.span.start).map(|block| block as u32),
            characters,
            is_sentence: !run.linked && characters >= SENTENCE_CHARACTERS_MIN && has_punctuation(text),
            called: around.map_or(CueSet::EMPTY, |around| around.called),
        };
        evidence.runs.push(known_run);
        let (Some(block), Some(around)) = (known_run.block, around) else { continue };
        let known = &mut evidence.blocks[block as usize];
        if run.hidden {
            known.hidden_characters += characters;
            known.hidden_link_characters += if run.linked { characters } else { 0 };
            push_opening(&mut known.hidden_opening, text);
            continue;
        }
        known.characters += characters;
        known.heading_characters += if around.is_heading { characters } else { 0 };
        if run.linked {
            known.link_characters += characters;
            known.long_link_characters += if characters >= LONG_LINK_CHARACTERS_MIN { characters } else { 0 };
            known.links += u32::from(around.link != last_link);
            last_link = around.link;
        } else if known_run.is_sentence {
            known.sentence_characters += characters;
        }
        for cue in known_run.called.iter() {
            known.called_characters[cue as usize] += characters;
        }
        push_opening(&mut known.opening, text);
    }
}

fn push_opening(opening: &mut String, text: &str) {
    if opening.is_empty() {
        opening.reserve(OPENING_BYTES_MAX + 1);
    }
    if opening.len() < OPENING_BYTES_MAX {
        opening.push_str(&text[..text.floor_char_boundary(OPENING_BYTES_MAX - opening.len())]);
        opening.push(' ');
    }
}

/// Whether a text has characters that part sentences or clauses.
fn has_punctuation(text: &str) -> bool {
    let has_latin = text.bytes().any(|byte| matches!(byte, b',' | b'.' | b'!' | b'?' | b';'));
    has_latin || (!text.is_ascii() && text.contains(['，', '。', '！', '？', '；', '、']))
}

fn is_heading(tag: Tag) -> bool {
    matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
}
