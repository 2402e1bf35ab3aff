//! Splits a page by the ordered tags, until every block is atomic or a rule says to stop.
//!
//! Out comes a tree in which all text lies in some leaf: what stands loose between elements that split makes blocks
//! of its own.

use kuai_page::{BlockTree, Dom, NodeId, Page, Span, Tag};

use super::looks::{Kind, Looks, Rank, is_splitting, rank};
use crate::methods::nom::body_span;

/// The bounds of the paper's rules on how fine to cut.
pub(super) struct Granularity {
    /// Rule 2: a node narrower and lower than this is no layout.
    pub(super) width_min: f32,
    pub(super) height_min: f32,
    /// Share of link text from which like children are one list.
    pub(super) list_share_min: f64,
}

/// The blocks of a page, without labels.
pub(super) fn split(page: &Page, granularity: &Granularity) -> BlockTree {
    let mut splitter = Splitter { page, granularity, looks: Looks::of(page), spans: Vec::new(), waiting: Vec::new() };
    splitter.run();
    // A page that shows nothing is one block.
    if splitter.spans.is_empty() {
        splitter.spans.push(body_span(page));
    }
    BlockTree::from_spans(splitter.spans)
}

struct Splitter<'a> {
    page: &'a Page,
    granularity: &'a Granularity,
    looks: Looks,
    spans: Vec<Span>,
    /// Elements still to be split or taken whole.
    waiting: Vec<NodeId>,
}

/// A stretch of what stands loose in an element that is split.
#[derive(Clone, Copy)]
struct Piece {
    span: Span,
    kind: Kind,
    /// Whether it is a line of text and inline elements, to which more can be added.
    is_line: bool,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let Some(body) = self.page.dom().body() else { return };
        self.split_children(body);
        while let Some(node) = self.waiting.pop() {
            let span = self.page.dom().span(node);
            if span.is_empty() {
                continue;
            }
            self.spans.push(span);
            if !self.is_atom(node) {
                self.split_children(node);
            }
        }
    }

    fn is_atom(&self, node: NodeId) -> bool {
        // Rule 1 and rule 3: all in it is alike, be it text, a list of links or images.
        self.looks.kind(node) != Kind::Mixed || self.is_too_small(node) || self.is_list_of_likes(node)
    }

    /// Rule 2.
    fn is_too_small(&self, node: NodeId) -> bool {
        let Granularity { width_min, height_min, .. } = *self.granularity;
        self.page.boxes().of(node).is_some_and(|place| place.width < width_min && place.height < height_min)
    }

    /// Rules 1 and 3 for lists whose items are more than a link each: the items look alike, though what is in them
    /// does not.
    fn is_list_of_likes(&self, node: NodeId) -> bool {
        let dom = self.page.dom();
        if self.page.flow().count_of(dom, node).link_share() < self.granularity.list_share_min {
            return false;
        }
        let items =
            || dom.children(node).filter(|&child| dom.is_element(child) && self.looks.kind(child) != Kind::Empty);
        let Some(last) = items().last() else { return false };
        let all = items().count();
        // The last is compared with, since a list may begin with its heading.
        let alike = items().filter(|&item| shape(dom, item) == shape(dom, last)).count();
        all >= LIKES_MIN && (alike + 1 >= all) && alike * 5 >= all * 4
    }

    /// Puts elements that split into the queue, and what stands loose between them into blocks.
    fn split_children(&mut self, node: NodeId) {
        let dom = self.page.dom();
        let mut loose: Vec<Piece> = Vec::new();
        let mut steps = dom.walk(node);
        while let Some(edge) = steps.next() {
            let child = match edge {
                kuai_page::Edge::Enter(child) => child,
                kuai_page::Edge::Leave(left) => {
                    if left != node && dom.is_element(left) && self.looks.holds_split(left) {
                        end_line(&mut loose);
                    }
                    continue;
                }
            };
            if child == node {
                continue;
            }
            let kind = self.looks.kind(child);
            if kind == Kind::Empty && dom.tag(child) != Tag::Hr {
                steps.skip_children(child);
            } else if self.is_division(child) {
                self.flush(&mut loose);
                self.waiting.push(child);
                steps.skip_children(child);
            } else if self.looks.holds_split(child) && !is_splitting(dom.tag(child)) {
                // Seen through: TD, LI, SPAN and the like do not split, what is in them may.
                end_line(&mut loose);
            } else {
                self.add(&mut loose, child, kind);
                steps.skip_children(child);
            }
        }
        self.flush(&mut loose);
    }

    /// Whether an element is a block of its own when its parent is split.
    fn is_division(&self, node: NodeId) -> bool {
        match rank(self.page.dom().tag(node)) {
            Some(Rank::Layout | Rank::Row) => true,
            Some(_) => self.looks.holds_layout(node),
            None => false,
        }
    }

    fn add(&self, loose: &mut Vec<Piece>, node: NodeId, kind: Kind) {
        let dom = self.page.dom();
        let span = dom.span(node);
        if span.is_empty() {
            return;
        }
        let is_line = !is_splitting(dom.tag(node));
        match loose.last_mut() {
            Some(last) if last.is_line && is_line && last.span.end <= span.start => {
                last.span = last.span.union(span);
                last.kind = if last.kind == kind { kind } else { Kind::Mixed };
            }
            _ => loose.push(Piece { span, kind, is_line }),
        }
    }

    /// Makes blocks of loose pieces. Neighbours that are alike stay together: paragraphs of one text are one block,
    /// a list or a heading among them is not.
    fn flush(&mut self, loose: &mut Vec<Piece>) {
        let mut open: Option<Piece> = None;
        for piece in loose.drain(..) {
            let kind = self.kind_of(piece);
            let joined = open.filter(|open| open.kind == kind && is_text(kind) && open.span.end <= piece.span.start);
            match joined {
                Some(before) => open = Some(Piece { span: before.span.union(piece.span), ..before }),
                None => {
                    self.spans.extend(open.map(|open| open.span));
                    open = Some(Piece { kind, ..piece });
                }
            }
        }
        self.spans.extend(open.map(|open| open.span));
    }

    /// A line of text and links is judged by which it has more of.
    fn kind_of(&self, piece: Piece) -> Kind {
        if piece.kind != Kind::Mixed {
            return piece.kind;
        }
        let count = self.page.flow().count(self.page.dom(), piece.span);
        if count.link_share() >= 0.5 { Kind::Links } else { Kind::Text }
    }
}

/// Like children from which a row of them is a list.
const LIKES_MIN: usize = 3;

fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Image)
}

fn end_line(loose: &mut [Piece]) {
    if let Some(last) = loose.last_mut() {
        last.is_line = false;
    }
}

/// What makes two siblings look alike where no style says so.
fn shape<'a>(dom: Dom<'a>, node: NodeId) -> (Tag, &'a str) {
    let class = dom.attribute(node, "class").unwrap_or_default();
    (dom.tag(node), class.split_ascii_whitespace().next().unwrap_or_default())
}
