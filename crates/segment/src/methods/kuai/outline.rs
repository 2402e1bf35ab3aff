//! The outline of a page: its block-level elements as a tree of their own, and the units of text that stand in them.
//!
//! A unit is a run of text inside one block-level element, cut at every border of a block and at every `br`. It is what
//! the model judges. Styles are not asked: reading them costs more than all the rest, and tells the model little.

use std::borrow::Cow;

use kuai_page::{Dom, Edge, NodeId, NodeKind, Page, Span, Tag, room};

use super::names::{self, Known, Names};
use super::reading::{Reading, Shares, UnitText, hash_words};
use super::subject::Subject;

/// Elements of an outline at most; what is deeper in the page belongs to the last one made.
const ELEMENTS_MAX: usize = 1 << 20;

/// Characters from which what stands in a `noscript` is read: forums serve whole threads in it.
const NOSCRIPT_BYTES_MIN: usize = 200;

/// No element.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Words of a unit that are kept: tables are asked about fewer.
const WORDS_MAX: usize = 64;

/// A block-level element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// The element around it; the first has itself.
    pub(super) parent: u32,
    pub(super) depth: u16,
    pub(super) tag: Tag,
    /// What it is and what stands around it, see [`names::around`].
    pub(super) around: u32,
    /// Its tag and first classes, hashed: what is alike has the same.
    pub(super) shape: u32,
    /// Its names in [`Outline::names`], which others may share.
    pub(super) names: (u32, u32),
}

/// A run of text.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// The element it stands in.
    pub(super) element: u32,
    /// From its first text to the end of its last.
    pub(super) span: Span,
    /// The names of the inline elements in it, in [`Outline::names`].
    pub(super) names: (u32, u32),
    /// Its text, in [`Outline::text`]; nothing where it stands in the source as it is read.
    collapsed: (u32, u32),
    /// Its first words, in [`Outline::words`].
    words: (u32, u32),
    /// What its text is like.
    pub(super) text: UnitText,
}

/// The elements and units of a page, both in document order.
#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    source: &'a str,
    pub(super) elements: Vec<Element>,
    pub(super) units: Vec<Unit>,
    /// Hashes of tags, of words of classes and ids, of roles.
    pub(super) names: Vec<u32>,
    /// Hashes of the units' first words.
    words: Vec<u32>,
    /// What the units' words are like.
    pub(super) shares: Shares,
    /// The text of the units whose source says it in other bytes: with markup, references or more white space.
    text: String,
}

impl<'a> Outline<'a> {
    /// Reads the outline of a page.
    pub(super) fn read(page: &'a Page, subject: &Subject) -> Outline<'a> {
        let dom = page.dom();
        let Some(body) = dom.body() else { return Outline::default() };
        let mut reader = Reader::new(page, subject);
        reader.open(body, Tag::Body);
        let mut steps = dom.walk(body);
        while let Some(edge) = steps.next() {
            match edge {
                Edge::Enter(node) if node == body => {}
                Edge::Enter(node) => {
                    if !reader.enter(node) {
                        steps.skip_children(node);
                    }
                }
                Edge::Leave(node) => reader.leave(node),
            }
        }
        reader.flush();
        reader.outline.shares = reader.reading.shares;
        reader.outline.tighten();
        reader.outline
    }

    /// Gives back what was asked for while growing: the outline stays while all columns are read.
    fn tighten(&mut self) {
        self.elements.shrink_to_fit();
        self.units.shrink_to_fit();
        self.names.shrink_to_fit();
        self.words.shrink_to_fit();
        self.text.shrink_to_fit();
    }

    /// Keeps the text of a unit, unless the source has it as it is: most of all text need not be held twice.
    fn keep_text(&mut self, span: Span, text: &str) -> (u32, u32) {
        let start = self.text.len() as u32;
        if text != self.written(span) {
            room::make_for(&mut self.text, text.len());
            self.text.push_str(text);
        }
        (start, self.text.len() as u32)
    }

    fn written(&self, span: Span) -> &'a str {
        span.of(self.source).trim_ascii_start().trim_end()
    }

    fn keep_words(&mut self, words: &[u32]) -> (u32, u32) {
        let kept = &words[..words.len().min(WORDS_MAX)];
        let start = self.words.len() as u32;
        room::make(&mut self.words, kept.len());
        self.words.extend_from_slice(kept);
        (start, self.words.len() as u32)
    }

    /// The element around an element, and of the outermost itself.
    pub(super) fn parent(&self, element: u32) -> u32 {
        self.elements[element as usize].parent
    }

    /// The element around this one, or itself, that stands right below the innermost around both this and another; none where the other is not
    /// outside it.
    pub(super) fn below_meeting(&self, element: u32, other: u32) -> Option<u32> {
        let (mut element, mut other, mut below) = (element, other, None);
        // What is around an element stands before it.
        while element != other {
            if element > other {
                below = Some(element);
                element = self.parent(element);
            } else {
                other = self.parent(other);
            }
        }
        below
    }

    /// The names in a range that an element or unit keeps.
    pub(super) fn names_of(&self, (start, end): (u32, u32)) -> &[u32] {
        &self.names[start as usize..end as usize]
    }

    /// The text of a unit, white space collapsed.
    pub(super) fn text_of(&self, unit: &Unit) -> &str {
        let (start, end) = unit.collapsed;
        if start == end { self.written(unit.span) } else { &self.text[start as usize..end as usize] }
    }

    /// The first words of a unit.
    pub(super) fn words_of(&self, unit: &Unit) -> &[u32] {
        &self.words[unit.words.0 as usize..unit.words.1 as usize]
    }

    /// The words of a unit, read again where not all were kept.
    pub(super) fn all_words_of(&self, unit: &Unit) -> Cow<'_, [u32]> {
        let kept = self.words_of(unit);
        if kept.len() == unit.text.words as usize {
            Cow::Borrowed(kept)
        } else {
            Cow::Owned(hash_words(self.text_of(unit)))
        }
    }

    /// Adds what each element has to what those around it have.
    pub(super) fn add_up<T: Copy>(&self, values: &mut [T], add: impl Fn(&mut T, T)) {
        for index in (1..values.len()).rev() {
            let own = values[index];
            add(&mut values[self.parent(index as u32) as usize], own);
        }
    }

    /// Which elements are such, or stand in one that is; the outermost is none.
    pub(super) fn with_all_inside(&self, is_such: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.elements.len()];
        for index in 1..found.len() {
            found[index] = found[self.parent(index as u32) as usize] || is_such(index as u32);
        }
        found
    }

    pub(super) fn tag_of(&self, unit: &Unit) -> Tag {
        self.elements[unit.element as usize].tag
    }

    /// The words of those units from `start` on that are kept.
    pub(super) fn kept_length(&self, start: usize, kept: &[bool]) -> f32 {
        let units = self.units[start..].iter().zip(kept);
        units.map(|(unit, kept)| if *kept { unit.text.length } else { 0.0 }).sum()
    }

    /// Of which rank a unit is as a heading: 0 of an `h1`, 5 of an `h6`; none where it is none.
    pub(super) fn rank_of(&self, unit: &Unit) -> Option<u8> {
        let tag = self.tag_of(unit);
        let rank = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6].iter().position(|&heading| heading == tag);
        rank.map(|rank| rank as u8)
    }

    /// Whether a unit stands in code, or in a cell of a table or right below one.
    pub(super) fn is_in_code_or_cell(&self, unit: &Unit) -> bool {
        let around = self.elements[self.parent(unit.element) as usize].tag;
        let is_cell = |tag: Tag| matches!(tag, Tag::Td | Tag::Th);
        self.tag_of(unit) == Tag::Pre || is_cell(self.tag_of(unit)) || is_cell(around)
    }
}

/// What an inline element changed, to be put back when it ends.
struct Inline {
    node: NodeId,
    linked: bool,
}

struct Reader<'a, 's> {
    dom: Dom<'a>,
    subject: &'s Subject,
    outline: Outline<'a>,
    /// The block-level elements that are open.
    open: Vec<(NodeId, u32)>,
    /// The inline elements that are open and change something.
    inline: Vec<Inline>,
    linked: bool,
    in_noscript: bool,
    /// Whether the last thing was the end of an inline element: the next one is parted by a space.
    after_inline: bool,
    reading: Reading,
    span: Option<Span>,
    names_start: u32,
    known_names: Known,
}

impl<'a, 's> Reader<'a, 's> {
    fn new(page: &'a Page, subject: &'s Subject) -> Reader<'a, 's> {
        Reader {
            dom: page.dom(),
            subject,
            outline: Outline { source: page.source(), ..Outline::default() },
            open: Vec::new(),
            inline: Vec::new(),
            linked: false,
            in_noscript: false,
            after_inline: false,
            reading: Reading::default(),
            span: None,
            names_start: 0,
            known_names: Known::default(),
        }
    }

    /// Whether what is inside is to be read.
    fn enter(&mut self, node: NodeId) -> bool {
        match self.dom.kind(node) {
            NodeKind::Text => {
                self.text(node);
                false
            }
            NodeKind::Element => self.enter_element(node),
            _ => false,
        }
    }

    fn text(&mut self, node: NodeId) {
        let text = self.dom.text(node);
        if text.trim_ascii_start().is_empty() {
            self.reading.space();
        } else {
            self.reading.push(text, self.linked);
            let span = self.dom.span(node);
            self.span = Some(self.span.map_or(span, |before| before.union(span)));
        }
        self.after_inline = false;
    }

    fn enter_element(&mut self, node: NodeId) -> bool {
        let tag = self.dom.tag(node);
        match tag {
            Tag::Br => self.flush(),
            _ if is_skipped(tag) || self.dom.first_child(node).is_none() => {}
            Tag::Noscript if !self.in_noscript && !self.is_long(node) => {}
            _ if is_block(tag) || self.is_custom(node, tag) => {
                self.flush();
                self.in_noscript |= tag == Tag::Noscript;
                self.open(node, tag);
                return true;
            }
            _ => {
                self.enter_inline(node, tag);
                return true;
            }
        }
        false
    }

    fn is_custom(&self, node: NodeId, tag: Tag) -> bool {
        tag == Tag::Unknown && self.dom.name(node).contains('-')
    }

    fn is_long(&self, node: NodeId) -> bool {
        let lengths = self.dom.descendants(node).map(|below| self.dom.text(below).trim_ascii().len());
        lengths.sum::<usize>() >= NOSCRIPT_BYTES_MIN
    }

    fn open(&mut self, node: NodeId, tag: Tag) {
        let parent = self.open.last().map(|&(_, element)| element);
        if self.outline.elements.len() >= ELEMENTS_MAX {
            self.open.push((node, parent.unwrap_or(0)));
            return;
        }
        let element = self.outline.elements.len() as u32;
        let Names { shape, own, range } =
            names::read(self.dom, node, tag, &mut self.known_names, &mut self.outline.names);
        let (depth, around) = parent.map_or((0, own), |parent| {
            let parent = &self.outline.elements[parent as usize];
            (parent.depth.saturating_add(1), parent.around & names::INHERITED | own)
        });
        let parent = parent.unwrap_or(element);
        room::make(&mut self.outline.elements, 1);
        self.outline.elements.push(Element { parent, depth, tag, around, shape, names: range });
        self.open.push((node, element));
        self.names_start = self.outline.names.len() as u32;
        self.after_inline = false;
    }

    fn enter_inline(&mut self, node: NodeId, tag: Tag) {
        if self.after_inline {
            self.reading.space();
        }
        self.inline.push(Inline { node, linked: self.linked });
        self.linked |= tag == Tag::A;
        names::read_inline(self.dom, node, self.names_start, &mut self.outline.names);
        self.after_inline = false;
    }

    fn leave(&mut self, node: NodeId) {
        if self.open.last().is_some_and(|&(open, _)| open == node) {
            self.flush();
            self.open.pop();
            self.in_noscript &= self.dom.tag(node) != Tag::Noscript;
            self.after_inline = false;
        } else if let Some(inline) = self.inline.pop_if(|inline| inline.node == node) {
            self.linked = inline.linked;
            self.after_inline = true;
        }
    }

    /// Ends the unit that is being read.
    fn flush(&mut self) {
        let names = (self.names_start, self.outline.names.len() as u32);
        let span = self.span.take();
        let read = self.reading.finish();
        if let (Some(mut text), Some(span), Some(&(_, element))) = (read, span, self.open.last()) {
            let collapsed = self.outline.keep_text(span, self.reading.last());
            let words = self.reading.last_words();
            text.title_words = self.subject.title.count_in(words);
            text.description_words = self.subject.description.count_in(words);
            let words = self.outline.keep_words(words);
            room::make(&mut self.outline.units, 1);
            self.outline.units.push(Unit { element, span, names, collapsed, words, text });
        } else {
            self.outline.names.truncate(self.names_start as usize);
        }
        self.names_start = self.outline.names.len() as u32;
    }
}

pub(super) fn is_skipped(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Script
            | Style
            | Template
            | Head
            | Textarea
            | Option
            | Select
            | Iframe
            | Foreign
            | Object
            | Embed
            | Canvas
            | Datalist
            | Title
            | Audio
            | Video
            | Map
            | Input
            | Hr
            | Wbr
            | Source
            | Link
            | Meta
    )
}

/// Elements that bound units. The model was trained on units cut so: another list would be another model.
fn is_block(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Div | P
            | Ul
            | Ol
            | Li
            | Table
            | Tr
            | Td
            | Th
            | Section
            | Article
            | Aside
            | Nav
            | Header
            | Footer
            | Main
            | Dl
            | Dt
            | Dd
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
            | Form
            | Blockquote
            | Pre
            | Figure
            | Figcaption
            | Body
            | Center
            | Tbody
            | Thead
            | Tfoot
            | Caption
            | Details
            | Summary
            | Fieldset
            | Legend
            | Address
            | Menu
            | Dir
            | Html
            | Hgroup
            | Noscript
            | Button
            | Label
            | Dialog
            | Search
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(html: &str) -> Vec<String> {
        let page = Page::from_html(html);
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        outline.units.iter().map(|unit| outline.text_of(unit).to_owned()).collect()
    }

    #[test]
    fn units_end_at_borders_of_blocks_and_at_breaks() {
        assert_eq!(texts("<p>one<br>two</p>three<ul><li>four<li>five</ul>"), ["one", "two", "three", "four", "five"]);
    }

    #[test]
    fn inline_elements_side_by_side_are_parted() {
        assert_eq!(texts("<div>a <span>b</span><span>c</span>d</div>"), ["a b cd"]);
    }

    #[test]
    fn what_nobody_reads_is_no_unit() {
        assert_eq!(
            texts("<p>***</p><script>x</script><select><option>y</select><svg><text>z</text></svg><p>read"),
            ["read"]
        );
    }

    #[test]
    fn a_long_noscript_is_read_and_a_short_one_is_not() {
        let thread = "a post of the thread ".repeat(20);
        assert_eq!(
            texts(&format!("<body><noscript>enable scripts</noscript><noscript><p>{thread}</noscript>")),
            [thread.trim()]
        );
    }

    #[test]
    fn elements_that_are_called_alike_share_their_names_and_others_do_not() {
        let page = Page::from_html(
            "<div class=item>1</div><div class=item style=x:y>2</div><div class=item>3</div><div id=item>4</div><div class=note>5</div>",
        );
        let subject = Subject::of(&Default::default());
        let outline = Outline::read(&page, &subject);
        let names: Vec<_> = outline.elements[1..].iter().map(|element| element.names).collect();
        assert!(names[0] == names[2] && names[0] != names[1], "{names:?}");
        let said: Vec<_> = names.iter().map(|&names| outline.names_of(names)).collect();
        assert!(said[0] == said[1] && said[0] == said[3] && said[0] != said[4], "{said:?}");
    }

    #[test]
    fn any_depth_is_read() {
        assert_eq!(texts(&("<div>".repeat(100_000) + "deep")), ["deep"]);
    }
}
