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
    /// Cues of every element and of those around it, by node index.
    pub(super) called: Vec<CueSet>,
    /// The elements in document order.
    pub(super) order: Vec<NodeId>,
    /// The heading that says what the page's title says.
    pub(super) page_heading: Option<NodeId>,
    /// The link around every element, by node index.
    link_around: Vec<Option<NodeId>>,
    /// Beside the runs of the flow, one by one.
    pub(super) runs: Vec<RunEvidence>,
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
        called: vec![CueSet::EMPTY; page.dom().len()],
        order: Vec::new(),
        page_heading: page_heading(page),
        link_around: vec![None; page.dom().len()],
        runs: Vec::with_capacity(page.flow().runs().len()),
    };
    // Whatever the elements around the page's own heading are called, they are no menu and no footer.
    let mut heading_holders: Vec<NodeId> =
        evidence.page_heading.into_iter().flat_map(|heading| page.dom().ancestors(heading)).collect();
    heading_holders.sort_unstable();
    let in_heading = see_elements(page.dom(), &places, &heading_holders, &mut evidence);
    see_runs(page, &places, &in_heading, &mut evidence);
    evidence.blocks.iter_mut().for_each(BlockEvidence::close);
    evidence
}

/// Looks at every element; answers which elements lie in a heading.
fn see_elements(dom: Dom<'_>, places: &Places, heading_holders: &[NodeId], evidence: &mut Evidence) -> Vec<bool> {
    let mut in_heading = vec![false; dom.len()];
    for node in dom.descendants(dom.root()).filter(|&node| dom.is_element(node)) {
        evidence.order.push(node);
        let tag = dom.tag(node);
        if let Some(parent) = dom.parent(node) {
            in_heading[node.index()] = in_heading[parent.index()] || is_heading(tag);
            let own =
                if heading_holders.binary_search(&node).is_ok() { CueSet::EMPTY } else { telling_names(dom, node) };
            evidence.called[node.index()] = evidence.called[parent.index()] | own;
            let link = if tag == Tag::A { Some(node) } else { evidence.link_around[parent.index()] };
            evidence.link_around[node.index()] = link;
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
    in_heading
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

fn see_runs(page: &Page, places: &Places, in_heading: &[bool], evidence: &mut Evidence) {
    let dom = page.dom();
    let mut last_link = None;
    for run in page.flow().runs() {
        let text = dom.text(run.node);
        let parent = dom.parent(run.node);
        let characters = if run.hidden { count_characters(text) } else { page.flow().count_of(run.node).characters };
        let known_run = RunEvidence {
            block: places.at(run.span.start).map(|block| block as u32),
            characters,
            is_sentence: !run.linked && characters >= SENTENCE_CHARACTERS_MIN && has_punctuation(text),
            called: parent.map_or(CueSet::EMPTY, |parent| evidence.called[parent.index()]),
        };
        evidence.runs.push(known_run);
        let (Some(block), Some(parent)) = (known_run.block, parent) else { continue };
        let known = &mut evidence.blocks[block as usize];
        if run.hidden {
            known.hidden_characters += characters;
            known.hidden_link_characters += if run.linked { characters } else { 0 };
            push_opening(&mut known.hidden_opening, text);
            continue;
        }
        known.characters += characters;
        known.heading_characters += if in_heading[parent.index()] { characters } else { 0 };
        if run.linked {
            known.link_characters += characters;
            known.long_link_characters += if characters >= LONG_LINK_CHARACTERS_MIN { characters } else { 0 };
            let link = evidence.link_around[parent.index()];
            known.links += u32::from(link != last_link);
            last_link = link;
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
