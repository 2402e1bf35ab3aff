//! The candidates for blocks: elements around the very same text are one group, and groups nest as elements do.
//!
//! Text is counted in characters that are no white space, hidden ones too, so that a group is a range of the page's text
//! whatever its styles say. One walk finds the ranges, a second one what is known of the elements.

use std::hash::Hasher;
use std::ops::Range;

use kuai_page::{Dom, Edge, NodeId, Page, Tag, count_characters};
use rustc_hash::FxHasher;

/// The most groups of a page; what comes after them in the document is part of the group around it.
const GROUPS_MAX: usize = 1 << 20;

/// Elements around the same text.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The outermost element.
    pub(super) outer: NodeId,
    /// The group around it, which stands before it.
    pub(super) parent: Option<usize>,
    /// Its characters.
    pub(super) text: Range<u32>,
    /// Elements around it, and groups.
    pub(super) depth: u32,
    pub(super) group_depth: u32,
    /// Its elements, and those that make blocks.
    pub(super) chain_length: u32,
    pub(super) chain_blocks: u32,
    /// What lies in it, its own elements too.
    pub(super) tally: Tally,
    /// Whether a browser would not show it.
    pub(super) is_hidden: bool,
    /// A hash of the outermost element's tag and class; digits do not count.
    pub(super) signature: u64,
}

/// What lies in a group, at any depth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) elements: u32,
    pub(super) blocks: u32,
    pub(super) links: u32,
    pub(super) headings: u32,
    pub(super) items: u32,
    pub(super) link_characters: u32,
    pub(super) hidden_characters: u32,
}

impl Group {
    /// How many characters it has, at least one.
    pub(super) fn length(&self) -> u32 {
        self.text.end - self.text.start
    }
}

/// The groups of a page, parents before their children; the first is the body. None where there is no text.
pub(super) fn groups(page: &Page) -> Vec<Group> {
    let dom = page.dom();
    let Some(body) = dom.body() else { return Vec::new() };
    let ranges = text_ranges(dom, body);
    if ranges[body.index()].is_empty() {
        return Vec::new();
    }
    let mut reader = Reader { page, dom, ranges, groups: Vec::new(), open: Vec::new(), depth: 0, open_links: 0 };
    reader.read(body);
    let mut groups = reader.groups;
    for index in (1..groups.len()).rev() {
        let tally = groups[index].tally;
        if let Some(parent) = groups[index].parent {
            groups[parent].tally.add(tally);
        }
    }
    groups
}

/// The characters of every node in the body, by the node's index.
fn text_ranges(dom: Dom<'_>, body: NodeId) -> Vec<Range<u32>> {
    let mut ranges = vec![0..0; dom.len()];
    let mut place = 0;
    let mut steps = dom.walk(body);
    while let Some(edge) = steps.next() {
        match edge {
            Edge::Enter(node) if dom.is_text(node) => {
                let start = place;
                place += count_characters(dom.text(node));
                ranges[node.index()] = start..place;
            }
            Edge::Enter(node) => {
                ranges[node.index()].start = place;
                if is_left_out(dom.tag(node)) {
                    steps.skip_children(node);
                }
            }
            Edge::Leave(node) if !dom.is_text(node) => ranges[node.index()].end = place,
            Edge::Leave(_) => {}
        }
    }
    ranges
}

struct Reader<'a> {
    page: &'a Page,
    dom: Dom<'a>,
    ranges: Vec<Range<u32>>,
    groups: Vec<Group>,
    /// The groups around the place.
    open: Vec<usize>,
    /// The elements around it.
    depth: u32,
    /// The links among them.
    open_links: u32,
}

impl Reader<'_> {
    fn read(&mut self, body: NodeId) {
        let dom = self.dom;
        let mut steps = dom.walk(body);
        while let Some(edge) = steps.next() {
            match edge {
                Edge::Enter(node) if dom.is_text(node) => self.add_text(node),
                Edge::Enter(node) if dom.is_element(node) => {
                    if is_left_out(dom.tag(node)) {
                        steps.skip_children(node);
                    } else {
                        self.enter(node);
                    }
                    self.depth += 1;
                    self.open_links += u32::from(dom.tag(node) == Tag::A);
                }
                Edge::Leave(node) if dom.is_element(node) => {
                    self.depth -= 1;
                    self.open_links -= u32::from(dom.tag(node) == Tag::A);
                    self.open.pop_if(|last| self.groups[*last].outer == node);
                }
                _ => {}
            }
        }
    }

    fn enter(&mut self, node: NodeId) {
        let text = self.ranges[node.index()].clone();
        let around = self.open.last().copied();
        let is_of_text = |group: usize| self.groups[group].text == text;
        let has_room = self.groups.len() < GROUPS_MAX;
        if around.is_none() || (has_room && !text.is_empty() && !around.is_some_and(is_of_text)) {
            self.open.push(self.groups.len());
            self.groups.push(self.new_group(node, around, text.clone()));
        }
        let last = *self.open.last().expect("the body opened a group");
        self.groups[last].tally.count(self.dom.tag(node));
        if self.groups[last].text == text {
            self.lengthen(last, node);
        }
    }

    fn new_group(&self, node: NodeId, parent: Option<usize>, text: Range<u32>) -> Group {
        Group {
            outer: node,
            parent,
            text,
            depth: self.depth,
            group_depth: parent.map_or(0, |parent| self.groups[parent].group_depth + 1),
            chain_length: 0,
            chain_blocks: 0,
            tally: Tally::default(),
            is_hidden: false,
            signature: signature(self.dom, node),
        }
    }

    /// Takes an element into the group of its text.
    fn lengthen(&mut self, group: usize, node: NodeId) {
        let is_hidden = self.page.hidden().at(node);
        let group = &mut self.groups[group];
        group.chain_length += 1;
        group.chain_blocks += u32::from(is_block(self.dom.tag(node)));
        group.is_hidden = is_hidden;
    }

    fn add_text(&mut self, node: NodeId) {
        let characters = self.ranges[node.index()].len() as u32;
        let Some(&last) = self.open.last().filter(|_| characters > 0) else { return };
        let group = &mut self.groups[last];
        group.tally.link_characters += if self.open_links > 0 { characters } else { 0 };
        group.tally.hidden_characters += if group.is_hidden { characters } else { 0 };
    }
}

impl Tally {
    fn count(&mut self, tag: Tag) {
        use Tag::*;
        self.elements += 1;
        self.blocks += u32::from(is_block(tag));
        match tag {
            A => self.links += 1,
            Li => self.items += 1,
            H1 | H2 | H3 | H4 | H5 | H6 => self.headings += 1,
            _ => {}
        }
    }

    fn add(&mut self, other: Tally) {
        self.elements += other.elements;
        self.blocks += other.blocks;
        self.links += other.links;
        self.headings += other.headings;
        self.items += other.items;
        self.link_characters += other.link_characters;
        self.hidden_characters += other.hidden_characters;
    }
}

fn signature(dom: Dom<'_>, node: NodeId) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(dom.tag(node) as u8);
    for &byte in dom.attribute(node, "class").unwrap_or("").as_bytes() {
        if !byte.is_ascii_digit() {
            hasher.write_u8(byte);
        }
    }
    hasher.finish()
}

/// Elements whose text no page shows.
fn is_left_out(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Script | Style | Noscript | Template | Head | Title | Iframe | Noframes | Noembed)
}

fn is_block(tag: Tag) -> bool {
    use Tag::*;
    #[rustfmt::skip]
    let is_block = matches!(
        tag,
        Div | Ul | Ol | Li | Dl | Table | Tbody | Tr | Td | P | Section | Article | Nav | Header | Footer | Aside | Main | Form
            | Fieldset | Center
    );
    is_block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(&str, Range<u32>, u32)]) {
        let page = Page::from_html(source);
        let found: Vec<_> = groups(&page)
            .into_iter()
            .map(|group| (page.dom().name(group.outer), group.text.clone(), group.chain_length))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn elements_around_the_same_text_are_one_group() {
        check(
            "<body><div><p><b>one</b></p></div><ul><li>two<li>three</ul><img></body>",
            &[("body", 0..11, 1), ("div", 0..3, 3), ("ul", 3..11, 1), ("li", 3..6, 1), ("li", 6..11, 1)],
        );
    }

    #[test]
    fn a_page_without_text_has_no_groups() {
        check("<body><p> <script>x</script></p><img></body>", &[]);
    }

    #[test]
    fn a_group_tells_what_lies_in_it_at_any_depth() {
        let page = Page::from_html("<div><h2>Title</h2><ul><li><a href=x>link</a> and<li hidden>gone</ul></div>");
        let tally = groups(&page)[0].tally;
        assert_eq!((tally.headings, tally.items, tally.links), (1, 2, 1));
        assert_eq!((tally.link_characters, tally.hidden_characters), (4, 4));
    }
}
