//! The cascade: walks the document once and gives every element its computed style.
//!
//! Elements that match the same rules below parents of the same style share one style, so most cost a lookup.

use std::collections::HashMap;

use cssparser::Parser;
use kuai_html::{Dom, Edge, NodeId, NodeKind, Quirks, Tag};
use selectors::FxHashMap;

use super::apply::{Context, compute};
use super::aspects::Aspects;
use super::hints::{self, TableHints};
use super::matching::Matcher;
use super::parse::{Lists, parse_block};
use super::property::{Block, Declaration};
use super::sheet::Rules;
use super::user_agent::{UserAgent, quirks_table};
use super::value::{Display, Style};
use super::variables::Variables;

/// The bit of a node's entry that says its text is not shown.
pub(super) const HIDDEN_BIT: u32 = 1 << 31;

/// What the walk leaves behind.
pub(super) struct Cascaded {
    pub(super) styles: Vec<Style>,
    /// Per node: index into `styles`, with [`HIDDEN_BIT`].
    pub(super) nodes: Vec<u32>,
    pub(super) lists: Lists,
    pub(super) limit_hit: bool,
}

/// Gives every node its style; where there are rules, by what `matcher` finds about the aspects that are asked for. The style of elements of
/// which none is asked for is what their names and those around them say.
pub(super) fn cascade<'a>(
    dom: Dom<'a>,
    rules: &'a Rules<'a>,
    matcher: Option<Matcher<'a>>,
    asked: impl Fn(NodeId) -> Aspects,
) -> Cascaded {
    let mut cascade = Cascade::new(dom, rules, matcher);
    let nodes = cascade.run(asked);
    let Cascade { styles, lists, limit_hit, matcher, .. } = cascade;
    let limit_hit = limit_hit || matcher.is_some_and(|matcher| matcher.limit_hit);
    Cascaded { styles, nodes, lists, limit_hit }
}

/// Gives every node the style that browsers give elements of its name, whatever the page says and whatever is around it, except that white
/// space is kept inside of what keeps it: code is highlighted by elements in `pre`.
pub(super) fn by_name(dom: Dom<'_>) -> Cascaded {
    let rules = Rules::default();
    let mut cascade = Cascade::new(dom, &rules, None);
    let mut known = [[None; TAGS_MAX]; 2];
    // The styles that keep spaces: few, and of most pages none.
    let mut keeping = Vec::new();
    let mut nodes = vec![0; dom.len()];
    for node in dom.descendants(dom.root()) {
        let around = dom.parent(node).map_or(0, |parent| nodes[parent.index()]);
        nodes[node.index()] = if dom.is_element(node) {
            let keeps_spaces = keeping.contains(&around);
            let tag = dom.tag(node);
            *known[usize::from(keeps_spaces)][tag as usize].get_or_insert_with(|| {
                let parent = Frame { style: if keeps_spaces { around } else { 0 }, ..Frame::OUTERMOST };
                let (style, _) = cascade.style(tag, parent, 0, None, None);
                keeping.extend(Some(style).filter(|&style| cascade.styles[style as usize].white_space.keeps_spaces()));
                style
            })
        } else {
            around
        };
    }
    let Cascade { mut styles, lists, limit_hit, .. } = cascade;
    styles.shrink_to_fit();
    Cascaded { styles, nodes, lists, limit_hit }
}

/// Custom properties that all elements together define.
const VARIABLES_MAX: usize = 1_000_000;

/// Distinct styles that room is made for; a small page has no more.
const STYLES_EXPECTED: usize = 16;

/// Declarations that most elements stay below.
const DECLARATIONS_EXPECTED: usize = 32;

/// An element on the way from the root to the current node.
#[derive(Clone, Copy)]
struct Frame {
    style: u32,
    variables: u32,
    /// Whether everything inside is hidden.
    hidden: bool,
    table: TableHints,
}

impl Frame {
    /// What the root stands in.
    const OUTERMOST: Frame = Frame { style: 0, variables: Variables::DOCUMENT, hidden: false, table: TableHints::NONE };
}

/// More than there are tags.
const TAGS_MAX: usize = 256;

/// In the flags of an element: a pseudo-element behind its content clears floats.
const IS_AFTER: u32 = 2;

/// What the attributes of an element say here, read in one go.
#[derive(Default)]
struct Said<'a> {
    style: Option<&'a str>,
    is_hinted: bool,
    has_address: bool,
}

impl<'a> Said<'a> {
    fn read(dom: Dom<'a>, node: NodeId) -> Said<'a> {
        let mut said = Said::default();
        for attribute in dom.attributes(node) {
            match attribute.name {
                "style" => said.style = Some(attribute.value).filter(|text| !text.is_empty()),
                "href" => said.has_address = true,
                "id" | "class" => {}
                _ => said.is_hinted |= hints::is_hint(&attribute),
            }
        }
        said
    }
}

/// Places for the styles of elements that nothing but their names and parents shape.
const COMMON_PLACES: usize = 256;

/// What shapes an element that no rule, attribute or hint does.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Common {
    parent: u32,
    variables: u32,
    tag: Tag,
    flags: u32,
}

impl Common {
    fn place(self) -> usize {
        (self.parent as usize * 31 + self.tag as usize * 7 + self.flags as usize) % COMMON_PLACES
    }
}

/// A rule that matches the current element, ordered by how much it counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    layer: u16,
    specificity: u32,
    rule: u32,
}

struct Cascade<'a> {
    dom: Dom<'a>,
    rules: &'a Rules<'a>,
    agent: &'static UserAgent,
    matcher: Option<Matcher<'a>>,
    lists: Lists,
    /// The declarations of rules that matched so far, by the index of their bodies.
    rule_blocks: Vec<Option<Block>>,
    /// Blocks of style attributes and hints.
    blocks: Vec<Block>,
    inline_blocks: HashMap<&'a str, u32>,
    hint_blocks: HashMap<String, u32>,
    shared: FxHashMap<Box<[u32]>, (u32, u32)>,
    /// Styles of elements that nothing but their names and parents shape, by [`Common::place`]; the last one keeps the place.
    common: Vec<Option<(Common, (u32, u32))>>,
    by_fingerprint: FxHashMap<u64, Vec<u32>>,
    styles: Vec<Style>,
    variables: Variables,
    variables_left: usize,
    root_font_size: f32,
    limit_hit: bool,
    // Scratch, kept for its memory.
    matched: Vec<Match>,
    key: Vec<u32>,
    hint_key: String,
}

impl<'a> Cascade<'a> {
    fn new(dom: Dom<'a>, rules: &'a Rules<'a>, matcher: Option<Matcher<'a>>) -> Cascade<'a> {
        let agent = UserAgent::get();
        Cascade {
            dom,
            rules,
            agent,
            matcher: matcher.filter(|_| !rules.rules.is_empty()),
            lists: agent.lists.clone(),
            rule_blocks: vec![None; rules.bodies.len()],
            blocks: Vec::new(),
            inline_blocks: HashMap::new(),
            hint_blocks: HashMap::new(),
            shared: FxHashMap::with_capacity_and_hasher(STYLES_EXPECTED, Default::default()),
            common: vec![None; COMMON_PLACES],
            by_fingerprint: FxHashMap::with_capacity_and_hasher(STYLES_EXPECTED, Default::default()),
            styles: vec![Style::INITIAL],
            variables: Variables::default(),
            variables_left: VARIABLES_MAX,
            root_font_size: Style::INITIAL.font_size,
            limit_hit: false,
            matched: Vec::new(),
            key: Vec::new(),
            hint_key: String::new(),
        }
    }

    fn run(&mut self, asked: impl Fn(NodeId) -> Aspects) -> Vec<u32> {
        let dom = self.dom;
        let mut nodes = vec![0; dom.len()];
        let mut stack = vec![Frame::OUTERMOST];
        for edge in dom.walk(dom.root()) {
            match edge {
                Edge::Enter(node) if dom.kind(node) == NodeKind::Element => {
                    let parent = stack[stack.len() - 1];
                    let frame = self.enter(node, parent, asked(node));
                    let style = &self.styles[frame.style as usize];
                    let hidden = frame.hidden || style.hides_own_text();
                    nodes[node.index()] = frame.style | if hidden { HIDDEN_BIT } else { 0 };
                    stack.push(frame);
                }
                Edge::Enter(node) => {
                    nodes[node.index()] = dom.parent(node).map_or(0, |parent| nodes[parent.index()]);
                }
                Edge::Leave(node) if dom.kind(node) == NodeKind::Element => {
                    stack.pop();
                    if let Some(matcher) = &mut self.matcher {
                        matcher.leave(node);
                    }
                }
                Edge::Leave(_) => {}
            }
        }
        nodes
    }

    fn enter(&mut self, node: NodeId, parent: Frame, asked: Aspects) -> Frame {
        let tag = self.dom.tag(node);
        let (style, variables) = match asked.is_empty() {
            true => self.style(tag, parent, 0, None, None),
            false => self.style_of(node, parent, asked),
        };
        if let Some(matcher) = &mut self.matcher {
            matcher.enter(node);
        }
        if self.dom.parent(node) == Some(NodeId::DOCUMENT) {
            self.root_font_size = self.styles[style as usize].font_size;
        }
        // What stands inside these is for browsers that do not know them.
        let is_fallback = matches!(tag, Tag::Iframe | Tag::Video | Tag::Audio | Tag::Canvas);
        Frame {
            style,
            variables,
            hidden: parent.hidden || is_fallback || self.styles[style as usize].hides_all_inside(),
            table: if tag == Tag::Table { TableHints::read(self.dom, node) } else { parent.table },
        }
    }

    /// The style and the variables of an element.
    fn style_of(&mut self, node: NodeId, parent: Frame, asked: Aspects) -> (u32, u32) {
        let is_after = self.match_rules(node, asked);
        let said = Said::read(self.dom, node);
        let is_hinted = said.is_hinted || hints::is_hinted_around(self.dom, node, parent.table);
        let hint = is_hinted.then(|| self.hint_block(node, parent.table));
        let inline = said.style.map(|text| self.inline_block(text));
        let tag = self.dom.tag(node);
        let flags = u32::from(tag == Tag::A && said.has_address) | if is_after { IS_AFTER } else { 0 };
        let styled = self.style(tag, parent, flags, hint, inline);
        self.matched.clear();
        styled
    }

    /// Fills `matched` with the rules of the element, weakest first; says whether one clears floats after it.
    fn match_rules(&mut self, node: NodeId, asked: Aspects) -> bool {
        let Some(matcher) = &mut self.matcher else { return false };
        let (rules, lists, rule_blocks, matched) =
            (self.rules, &mut self.lists, &mut self.rule_blocks, &mut self.matched);
        let mut is_after = false;
        matcher.each_match(node, asked, |place, rule| {
            if rule.is_after {
                is_after = true;
                return;
            }
            let body = rule.body as usize;
            let block =
                rule_blocks[body].get_or_insert_with(|| parse_block(&mut Parser::new(rules.bodies[body]), lists));
            if !block.is_empty() {
                matched.push(Match { layer: rule.layer, specificity: rule.selector.specificity(), rule: place });
            }
        });
        matched.sort_unstable();
        // An element that names a class twice meets its rules twice.
        matched.dedup();
        is_after
    }

    fn hint_block(&mut self, node: NodeId, table: TableHints) -> u32 {
        hints::key(self.dom, node, table, &mut self.hint_key);
        if let Some(&block) = self.hint_blocks.get(&self.hint_key) {
            return block;
        }
        let normal = hints::read(self.dom, node, table, &mut self.lists);
        let block = self.blocks.len() as u32;
        self.blocks.push(Block { normal, ..Block::default() });
        self.hint_blocks.insert(self.hint_key.clone(), block);
        block
    }

    fn inline_block(&mut self, text: &'a str) -> u32 {
        if let Some(&block) = self.inline_blocks.get(text) {
            return block;
        }
        let block = self.blocks.len() as u32;
        let mut input = Parser::new(text);
        self.blocks.push(parse_block(&mut input, &mut self.lists));
        self.inline_blocks.insert(text, block);
        block
    }

    fn style(&mut self, tag: Tag, parent: Frame, flags: u32, hint: Option<u32>, inline: Option<u32>) -> (u32, u32) {
        let is_common = self.matched.is_empty() && hint.is_none() && inline.is_none();
        if !is_common {
            return self.shared_style(tag, parent, flags, hint, inline);
        }
        let common = Common { parent: parent.style, variables: parent.variables, tag, flags };
        let place = common.place();
        match self.common[place] {
            Some((known, styled)) if known == common => styled,
            _ => {
                let styled = self.shared_style(tag, parent, flags, hint, inline);
                self.common[place] = Some((common, styled));
                styled
            }
        }
    }

    fn shared_style(
        &mut self,
        tag: Tag,
        parent: Frame,
        flags: u32,
        hint: Option<u32>,
        inline: Option<u32>,
    ) -> (u32, u32) {
        self.key.clear();
        let number = |block: Option<u32>| block.map_or(0, |block| block + 1);
        let head = [parent.style, parent.variables, tag as u32, flags];
        self.key.extend(head);
        self.key.extend([number(hint), number(inline)]);
        self.key.extend(self.matched.iter().map(|found| self.rules.rules[found.rule as usize].body));
        if let Some(&shared) = self.shared.get(self.key.as_slice()) {
            return shared;
        }
        let variables = self.variables_of(parent.variables, inline);
        let mut style = self.compute(parent, tag, variables, hint, inline);
        style.clears_inside = flags & IS_AFTER != 0;
        let style = self.intern(style);
        self.shared.insert(self.key.as_slice().into(), (style, variables));
        (style, variables)
    }

    fn compute(&mut self, parent: Frame, tag: Tag, variables: u32, hint: Option<u32>, inline: Option<u32>) -> Style {
        let rules = self.rules;
        let hint = hint.map(|block| &self.blocks[block as usize]);
        let inline = inline.map(|block| &self.blocks[block as usize]);
        let rule_blocks = &self.rule_blocks;
        let author = || {
            self.matched.iter().filter_map(|found| rule_blocks[rules.rules[found.rule as usize].body as usize].as_ref())
        };
        let quirks: &[Declaration] = match self.dom.quirks() {
            Quirks::Full if tag == Tag::Table => quirks_table(),
            _ => &[],
        };
        let mut declarations: Vec<&Declaration> = Vec::with_capacity(DECLARATIONS_EXPECTED);
        declarations.extend(self.agent.declarations(tag).iter().chain(quirks));
        declarations.extend(hint.into_iter().flat_map(|block| &block.normal));
        declarations.extend(author().flat_map(|block| &block.normal));
        declarations.extend(inline.into_iter().flat_map(|block| &block.normal));
        declarations.extend(author().flat_map(|block| &block.important));
        declarations.extend(inline.into_iter().flat_map(|block| &block.important));
        let context = Context {
            parent: &self.styles[parent.style as usize],
            root_font_size: self.root_font_size,
            variables: &self.variables,
            scope: variables,
        };
        compute(&context, &declarations, &mut self.lists)
    }

    /// The custom properties of the element: its parent's, and what its rules define.
    fn variables_of(&mut self, parent: u32, inline: Option<u32>) -> u32 {
        let rules = self.rules;
        let inline = inline.map(|block| &self.blocks[block as usize]);
        let rule_blocks = &self.rule_blocks;
        let author = self
            .matched
            .iter()
            .filter_map(|found| rule_blocks[rules.rules[found.rule as usize].body as usize].as_ref());
        let defined: Vec<&(String, String)> = author.chain(inline).flat_map(|block| &block.variables).collect();
        if defined.is_empty() || defined.len() > self.variables_left {
            self.limit_hit |= !defined.is_empty();
            return parent;
        }
        self.variables_left -= defined.len();
        self.variables.define(parent, defined.into_iter())
    }

    /// The index of a style, one that equals it if there is one.
    fn intern(&mut self, style: Style) -> u32 {
        let candidates = self.by_fingerprint.entry(fingerprint(&style)).or_default();
        let recent = candidates.iter().rev().take(CANDIDATES_MAX);
        if let Some(&known) = recent.into_iter().find(|&&index| self.styles[index as usize] == style) {
            return known;
        }
        let index = self.styles.len() as u32;
        self.styles.push(style);
        candidates.push(index);
        index
    }
}

/// Styles of one fingerprint that a new one is compared with.
const CANDIDATES_MAX: usize = 8;

/// A hash over the values that differ most between styles.
fn fingerprint(style: &Style) -> u64 {
    let length = |length: super::Length| length.against(1000.0).unwrap_or(-1.0).to_bits();
    let parts = [
        style.display as u32,
        length(style.width),
        length(style.height),
        length(style.margin.top),
        length(style.margin.left),
        length(style.margin.bottom),
        length(style.padding.top),
        length(style.padding.left),
        length(style.inset.left),
        length(style.inset.top),
        style.font_size.to_bits(),
        u32::from_le_bytes([style.color.red, style.color.green, style.color.blue, style.font_weight as u8]),
        u32::from(style.display == Display::None),
    ];
    parts.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &part| (hash ^ u64::from(part)).wrapping_mul(0x0100_0000_01b3))
}
