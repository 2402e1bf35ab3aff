//! Rules 1 to 9 of BWAP: which nodes of a document are blocks by themselves.
//!
//! One walk, children before their parents, so that Rule 9 needs no recursion.

use kuai_page::{Dom, Edge, Flow, NodeId, Page, Style, Styles, Tag};

/// What a tag is for, in the paper's three kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Lays the page out.
    Schema,
    /// Formats text. Text itself counts here.
    Format,
    /// Shows something that is no text.
    Function,
    /// Says nothing to a reader: comments, scripts, empty text.
    Nothing,
}

/// What the rules say of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Its size in characters; see [`IMAGE_SIZE`].
    pub(super) size: u32,
    /// Whether Rule 8 or 9 takes it.
    pub(super) is_block: bool,
    /// Whether Rules 1 to 7 leave it to Rule 10: it is a block when the sibling before it is one.
    pub(super) is_block_behind_block: bool,
}

/// What an image counts, in characters.
// Decision: sizes are counted in characters, not pixels. An archive often has the page without its style sheets, and the
// blocks of a page must not move when a style sheet does.
const IMAGE_SIZE: u32 = 20;

/// What a control counts, in characters.
const CONTROL_SIZE: u32 = 5;

/// Judges every node below the body.
pub(super) struct Judge<'a> {
    dom: Dom<'a>,
    styles: &'a Styles,
    flow: &'a Flow,
    size_min: u32,
    is_table_layout: bool,
    verdicts: Vec<Verdict>,
}

/// An open node, and what was seen of its children.
struct Open {
    kind: Kind,
    children: Children,
}

/// What was seen of a node's children.
#[derive(Default)]
struct Children {
    count: u32,
    has_plain: bool,
    has_schema: bool,
    /// Whether all Schema children satisfy Rule 8 or 9.
    schema_are_blocks: bool,
    has_other_color: bool,
    size: u32,
}

impl<'a> Judge<'a> {
    /// Reads the verdicts on all nodes of a page.
    pub(super) fn read(page: &'a Page, size_min: u32) -> Judge<'a> {
        let dom = page.dom();
        let mut judge = Judge {
            dom,
            styles: page.styles(),
            flow: page.flow(),
            size_min,
            is_table_layout: is_table_layout(page),
            verdicts: vec![Verdict::default(); dom.len()],
        };
        if let Some(body) = dom.body() {
            judge.walk(body);
        }
        judge
    }

    /// The verdict on a node.
    pub(super) fn of(&self, node: NodeId) -> Verdict {
        self.verdicts[node.index()]
    }

    fn walk(&mut self, body: NodeId) {
        let mut open: Vec<Open> = Vec::new();
        let mut steps = self.dom.walk(body);
        while let Some(edge) = steps.next() {
            match edge {
                // Text has no children to wait for.
                Edge::Enter(node) if self.dom.is_text(node) => {
                    let verdict = Verdict { size: self.flow.count_of(self.dom, node).characters, ..Verdict::default() };
                    self.verdicts[node.index()] = verdict;
                    if let Some(parent) = open.last_mut().filter(|_| verdict.size > 0) {
                        self.add(&mut parent.children, node, Kind::Format, verdict);
                    }
                }
                Edge::Leave(node) if self.dom.is_text(node) => {}
                Edge::Enter(node) => {
                    let kind = self.kind(node);
                    open.push(Open { kind, children: Children { schema_are_blocks: true, ..Children::default() } });
                    if kind == Kind::Nothing {
                        steps.skip_children(node);
                    }
                }
                Edge::Leave(node) => {
                    let Some(left) = open.pop() else { continue };
                    let verdict = self.judge(node, &left);
                    self.verdicts[node.index()] = verdict;
                    if let Some(parent) = open.last_mut().filter(|_| verdict.size > 0) {
                        self.add(&mut parent.children, node, left.kind, verdict);
                    }
                }
            }
        }
    }

    fn add(&self, parent: &mut Children, node: NodeId, kind: Kind, verdict: Verdict) {
        parent.count += 1;
        parent.size = parent.size.saturating_add(verdict.size);
        match kind {
            Kind::Schema => {
                parent.has_schema = true;
                parent.schema_are_blocks &= verdict.is_block;
                parent.has_other_color |= self.has_own_background(node);
            }
            Kind::Format | Kind::Function => parent.has_plain = true,
            Kind::Nothing => {}
        }
    }

    /// Rules 1 to 9 in the paper's order.
    fn judge(&self, node: NodeId, &Open { kind, ref children }: &Open) -> Verdict {
        let size = self.own_size(node, kind).saturating_add(children.size);
        let verdict = Verdict { size, ..Verdict::default() };
        let is_ruled_out = children.count == 0 // Rule 1
            || kind != Kind::Schema // Rules 2 and 3
            || children.count == 1 // Rule 4
            || size < self.size_min // Rule 5
            || children.has_other_color // Rule 6
            || !children.has_plain; // Rule 7
        if is_ruled_out {
            return verdict;
        }
        let is_block = !children.has_schema || children.schema_are_blocks; // Rules 8 and 9
        Verdict { is_block, is_block_behind_block: true, ..verdict }
    }

    /// Decision: a child that paints a background of its own differs in colour; one that paints none looks like its parent.
    fn has_own_background(&self, node: NodeId) -> bool {
        let background = |style: &Style| style.background.filter(|color| color.alpha > 0);
        let own = background(self.styles.of(node));
        own.is_some() && own != self.dom.parent(node).and_then(|parent| background(self.styles.of(parent)))
    }

    fn own_size(&self, node: NodeId, kind: Kind) -> u32 {
        match self.dom.tag(node) {
            _ if kind == Kind::Nothing => 0,
            Tag::Img | Tag::Object | Tag::Embed | Tag::Video | Tag::Svg => IMAGE_SIZE,
            Tag::Input if self.dom.attribute(node, "type").is_some_and(|it| it.eq_ignore_ascii_case("hidden")) => 0,
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Button => CONTROL_SIZE,
            _ => 0,
        }
    }

    fn kind(&self, node: NodeId) -> Kind {
        if !self.dom.is_element(node) {
            return Kind::Nothing;
        }
        kind_of(self.dom.tag(node), self.is_table_layout)
    }
}

fn kind_of(tag: Tag, is_table_layout: bool) -> Kind {
    use Tag::*;
    match tag {
        Body | Table | Thead | Tbody | Tfoot | Tr | Td | Th | Hr | P | Blockquote | Pre => Kind::Schema,
        // Decision: what lays today's pages out is Schema, unless the page is laid out with tables as the paper's were.
        Div | Section | Article | Main | Aside | Nav | Header | Footer | Ul | Ol | Li | Dl | Dt | Dd | Dir | Menu
        | Center | Figure | Fieldset | Details | H1 | H2 | H3 | H4 | H5 | H6 | Hgroup | Address | Search => {
            if is_table_layout {
                Kind::Format
            } else {
                Kind::Schema
            }
        }
        // Decision: a form is Schema where it can be the page's frame, as ASP.NET writes it.
        Form if !is_table_layout => Kind::Schema,
        Form | A | Input | Img | Button | Select | Textarea | Object | Embed | Video | Audio | Svg | Map | Picture
        | Canvas => Kind::Function,
        Head | Script | Style | Noscript | Template | Title | Link | Meta | Iframe | Noframes | Noembed => {
            Kind::Nothing
        }
        _ => Kind::Format,
    }
}

/// Whether most of the page's text stands in tables.
fn is_table_layout(page: &Page) -> bool {
    let (dom, flow) = (page.dom(), page.flow());
    let Some(body) = dom.body() else { return false };
    let (mut in_tables, mut runs_seen) = (0, 0);
    for table in dom.descendants(body).filter(|&node| dom.tag(node) == Tag::Table) {
        let runs = flow.range_of(table);
        // A table in a table is counted with it.
        if runs.start >= runs_seen {
            in_tables += flow.count_of(dom, table).characters;
            runs_seen = runs.end;
        }
    }
    in_tables > flow.count_of(dom, body).characters / 2
}
