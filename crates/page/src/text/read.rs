//! Reads the flow off a document, in one pass.

use std::sync::OnceLock;

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};

use super::role::{Role, is_code, is_preformatted, role_of};
use super::seam::Seams;
use super::spacing::{Part, Spacing};
use super::{Flow, Run};
use crate::{Styles, WhiteSpace};

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
    /// Whether text directly inside is not shown.
    hidden: bool,
    /// Whether no text inside is shown, however deep.
    withheld: bool,
    /// Whether an element such as `pre` is around.
    preformatted: bool,
    /// Whether an element such as `code` is.
    code: bool,
    white_space: WhiteSpace,
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
    /// Where styles do not tell what is parted.
    seams: Option<Seams<'a>>,
}

impl<'a> Reader<'a> {
    fn new(dom: Dom<'a>, styles: &'a Styles) -> Reader<'a> {
        let outermost = Frame {
            part: Part::Block,
            hidden: false,
            withheld: false,
            preformatted: false,
            code: false,
            white_space: WhiteSpace::Normal,
            linked: false,
        };
        Reader {
            dom,
            styles,
            runs: Vec::with_capacity(dom.len() / 2),
            runs_below: vec![(0, 0); dom.len()],
            frames: vec![outermost],
            spacing: Spacing::default(),
            shown_spacing: Spacing::default(),
            seams: styles.are_by_name().then(Seams::default),
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
        if let Some(seams) = &mut self.seams {
            seams.leave(self.dom.tag(node));
        }
        self.spacing.leave(frame.part);
        if !frame.hidden {
            self.shown_spacing.leave(frame.part);
        }
    }

    fn enter_element(&mut self, node: NodeId) -> bool {
        let outer = self.frame();
        let tag = self.dom.tag(node);
        let role = role_of(self.dom, self.styles, node);
        let (part, withheld) = match role {
            Role::NoText => (Part::Inline, true),
            Role::Withheld(part) => (part, true),
            Role::Styled(part) => (part, outer.withheld),
        };
        let hidden = withheld || self.styles.is_hidden(node);
        if let Some(seams) = &mut self.seams {
            seams.enter(tag);
        }
        self.spacing.enter(part);
        if !hidden {
            self.shown_spacing.enter(part);
        }
        self.frames.push(Frame {
            part,
            hidden,
            withheld,
            preformatted: outer.preformatted || is_preformatted(tag),
            code: outer.code || is_code(tag),
            white_space: self.styles.of(node).white_space,
            linked: outer.linked || (tag == Tag::A && self.dom.attribute(node, "href").is_some()),
        });
        role != Role::NoText
    }

    fn text(&mut self, node: NodeId) {
        let frame = self.frame();
        let text = self.dom.text(node);
        let keeps_spaces = frame.white_space.keeps_spaces();
        // Pages ask for kept white space where it is between blocks only; it is text in `pre` alone.
        let from_first = text.trim_ascii_start();
        let is_text = if keeps_spaces && frame.preformatted { !text.is_empty() } else { !from_first.is_empty() };
        if !(is_text && keeps_spaces) {
            self.white_space(frame, &text[..text.len() - from_first.len()]);
        }
        if !is_text {
            return;
        }
        let is_seam = self.seams.as_mut().is_some_and(|seams| seams.is_before(text));
        if is_seam && !frame.code && !frame.preformatted {
            self.white_space(frame, " ");
        }
        let gap = self.spacing.take();
        self.runs.push(Run {
            node,
            span: self.dom.span(node),
            gap,
            shown_gap: if frame.hidden { gap } else { self.shown_spacing.take() },
            hidden: frame.hidden,
            preformatted: keeps_spaces,
            keeps_breaks: frame.white_space.keeps_breaks(),
            linked: frame.linked,
        });
        if !keeps_spaces {
            self.white_space(frame, &text[text.trim_ascii_end().len()..]);
        }
    }

    /// Passes white space that is no text.
    fn white_space(&mut self, frame: Frame, space: &str) {
        if space.is_empty() {
            return;
        }
        let is_break = frame.white_space.keeps_breaks() && !frame.white_space.keeps_spaces() && space.contains('\n');
        self.spacing.space(is_break);
        if !frame.hidden {
            self.shown_spacing.space(is_break);
        }
    }

    fn frame(&self) -> Frame {
        *self.frames.last().expect("the outermost frame stays")
    }

    fn finish(self) -> Flow {
        let in_order = self.runs.is_sorted_by_key(|run| run.span.start);
        let source_order = (!in_order).then(|| {
            let mut order: Vec<u32> = (0..self.runs.len() as u32).collect();
            order.sort_by_key(|&place| self.runs[place as usize].span.start);
            order
        });
        Flow { runs: self.runs, runs_below: self.runs_below, source_order, counts: OnceLock::new() }
    }
}
