//! Reads the flow off a document, in one pass.

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};

use super::role::{Role, is_preformatted, role_of};
use super::spacing::{Part, Spacing};
use super::{Count, Flow, Run, SourceOrder};
use crate::Styles;

impl Flow {
    /// Reads the flow off a document.
    pub fn read(dom: Dom<'_>, styles: &Styles) -> Flow {
        let mut reader = Reader::new(dom, styles);
        let mut walk = dom.walk(dom.root());
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Enter(node) if !reader.enter(node) => walk.skip_children(node),
                Edge::Enter(_) => {}
                Edge::Leave(node) => reader.leave(node),
            }
        }
        reader.finish()
    }
}

/// What holds inside an element.
#[derive(Clone, Copy)]
struct Frame {
    part: Part,
    hidden: bool,
    preformatted: bool,
    linked: bool,
}

struct Reader<'a> {
    dom: Dom<'a>,
    styles: &'a Styles,
    runs: Vec<Run>,
    runs_below: Vec<(u32, u32)>,
    frames: Vec<Frame>,
    /// Between all runs.
    spacing: Spacing,
    /// Between the runs that are shown: borders of hidden elements part nothing.
    shown_spacing: Spacing,
}

impl<'a> Reader<'a> {
    fn new(dom: Dom<'a>, styles: &'a Styles) -> Reader<'a> {
        let outermost = Frame { part: Part::Block, hidden: false, preformatted: false, linked: false };
        Reader {
            dom,
            styles,
            runs: Vec::new(),
            runs_below: vec![(0, 0); dom.len()],
            frames: vec![outermost],
            spacing: Spacing::default(),
            shown_spacing: Spacing::default(),
        }
    }

    /// Whether to go on with what is inside the node.
    fn enter(&mut self, node: NodeId) -> bool {
        self.runs_below[node.index()].0 = self.runs.len() as u32;
        match self.dom.kind(node) {
            NodeKind::Element => self.enter_element(node),
            NodeKind::Text => {
                self.text(node);
                true
            }
            _ => true,
        }
    }

    fn leave(&mut self, node: NodeId) {
        self.runs_below[node.index()].1 = self.runs.len() as u32;
        if !self.dom.is_element(node) {
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        self.spacing.leave(frame.part);
        if !frame.hidden {
            self.shown_spacing.leave(frame.part);
        }
    }

    fn enter_element(&mut self, node: NodeId) -> bool {
        let outer = self.frame();
        let tag = self.dom.tag(node);
        let role = role_of(self.dom, self.styles, node);
        let (part, hidden) = match role {
            Role::NoText => (Part::Inline, true),
            Role::Hidden(part) => (part, true),
            Role::Shown(part) => (part, outer.hidden),
        };
        self.spacing.enter(part);
        if !hidden {
            self.shown_spacing.enter(part);
        }
        self.frames.push(Frame {
            part,
            hidden,
            preformatted: outer.preformatted || is_preformatted(tag),
            linked: outer.linked || (tag == Tag::A && self.dom.attribute(node, "href").is_some()),
        });
        role != Role::NoText
    }

    fn text(&mut self, node: NodeId) {
        let frame = self.frame();
        let text = self.dom.text(node);
        let collapses = |end: Option<&u8>| !frame.preformatted && end.is_some_and(u8::is_ascii_whitespace);
        if collapses(text.as_bytes().first()) {
            self.space(frame);
        }
        let has_run = if frame.preformatted { !text.is_empty() } else { !text.trim_ascii().is_empty() };
        if !has_run {
            return;
        }
        let gap = self.spacing.take();
        self.runs.push(Run {
            node,
            span: self.dom.span(node),
            gap,
            shown_gap: if frame.hidden { gap } else { self.shown_spacing.take() },
            hidden: frame.hidden,
            preformatted: frame.preformatted,
            linked: frame.linked,
        });
        if collapses(text.as_bytes().last()) {
            self.space(frame);
        }
    }

    fn space(&mut self, frame: Frame) {
        self.spacing.space();
        if !frame.hidden {
            self.shown_spacing.space();
        }
    }

    fn frame(&self) -> Frame {
        *self.frames.last().expect("the outermost frame stays")
    }

    fn finish(self) -> Flow {
        let dom = self.dom;
        let each: Vec<Count> = self.runs.iter().map(|run| Count::of(run, dom.text(run.node))).collect();
        let in_order = self.runs.is_sorted_by_key(|run| run.span.start);
        let source_order = (!in_order).then(|| {
            let mut order: Vec<u32> = (0..self.runs.len() as u32).collect();
            order.sort_by_key(|&place| self.runs[place as usize].span.start);
            let counts = Count::running(order.iter().map(|&place| each[place as usize]));
            SourceOrder { order, counts }
        });
        let counts = Count::running(each.into_iter());
        Flow { runs: self.runs, runs_below: self.runs_below, counts, source_order }
    }
}
