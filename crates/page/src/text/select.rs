//! Finds the runs of a part of the page, by node or by span.

use std::ops::Range;

use kuai_html::{Dom, NodeId, Span};

use super::{Flow, Gap, Run, TextOptions};

/// A run, or the part of it that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The run.
    pub run: &'a Run,
    /// What stands between this piece and the one before it; nothing before the first.
    pub gap: Gap,
    /// The text, entities decoded, white space as it was written.
    pub text: &'a str,
}

impl Flow {
    /// The text of a span, piece by piece, in document order.
    pub fn pieces<'a>(&'a self, dom: Dom<'a>, span: Span, options: TextOptions) -> impl Iterator<Item = Piece<'a>> {
        self.pieces_at(self.places_in(span), options, move |run| covered(dom, run, span))
    }

    /// The runs that `keep` takes, piece by piece, in document order, hidden ones or not.
    pub fn pieces_where<'a>(
        &'a self,
        dom: Dom<'a>,
        mut keep: impl FnMut(&Run) -> bool,
    ) -> impl Iterator<Item = Piece<'a>> {
        // What is left out still parts what stands around it, so its gaps add up to the next piece's.
        let mut gap = Gap::None;
        let mut is_first = true;
        self.runs.iter().filter_map(move |run| {
            gap = gap.max(run.gap);
            if !keep(run) {
                return None;
            }
            let gap = std::mem::replace(&mut gap, Gap::None);
            let gap = if std::mem::take(&mut is_first) { Gap::None } else { gap };
            Some(Piece { run, gap, text: dom.text(run.node) })
        })
    }

    /// The text below a node, piece by piece, in document order.
    pub fn pieces_of<'a>(
        &'a self,
        dom: Dom<'a>,
        node: NodeId,
        options: TextOptions,
    ) -> impl Iterator<Item = Piece<'a>> {
        self.pieces_at(Places::Neighbours(self.range_of(node)), options, move |run| dom.text(run.node))
    }

    fn pieces_at<'a>(
        &'a self,
        places: Places,
        options: TextOptions,
        text_of: impl Fn(&'a Run) -> &'a str,
    ) -> impl Iterator<Item = Piece<'a>> {
        let mut place_before = None;
        places.filter_map(move |place| {
            let run = &self.runs[place];
            let text = text_of(run);
            let is_blank = !run.preformatted && text.trim_ascii().is_empty();
            if is_blank || (run.hidden && !options.hidden) {
                return None;
            }
            let own_gap = if options.hidden { run.gap } else { run.shown_gap };
            let gap = place_before.map_or(Gap::None, |before| self.gap_between(before, place, own_gap));
            place_before = Some(place);
            Some(Piece { run, gap, text })
        })
    }

    /// Where text was moved, a span may hold runs that are no neighbours: what lay between parts them by a line.
    fn gap_between(&self, before: usize, place: usize, own_gap: Gap) -> Gap {
        if self.source_order.is_some() && before + 1 < place { own_gap.max(Gap::Line) } else { own_gap }
    }

    fn places_in(&self, span: Span) -> Places {
        let range = self.range_in_source(span);
        match &self.source_order {
            None => Places::Neighbours(range),
            Some(order) => {
                let mut places = order[range].to_vec();
                places.sort_unstable();
                Places::Scattered(places.into_iter())
            }
        }
    }

    /// The runs that share a byte with the span, as a range of source order.
    pub(super) fn range_in_source(&self, span: Span) -> Range<usize> {
        let mut start = self.source_position(span.start);
        let end = self.source_position(span.end);
        if start > 0 && !span.is_empty() && self.run_in_source(start - 1).span.end > span.start {
            start -= 1;
        }
        start..end.max(start)
    }

    /// How many runs begin before this offset.
    fn source_position(&self, offset: u32) -> usize {
        match &self.source_order {
            None => self.runs.partition_point(|run| run.span.start < offset),
            Some(order) => order.partition_point(|&place| self.runs[place as usize].span.start < offset),
        }
    }

    pub(super) fn run_in_source(&self, position: usize) -> &Run {
        match &self.source_order {
            None => &self.runs[position],
            Some(order) => &self.runs[order[position] as usize],
        }
    }
}

/// Indices of runs, ascending.
enum Places {
    Neighbours(Range<usize>),
    Scattered(std::vec::IntoIter<u32>),
}

impl Iterator for Places {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Places::Neighbours(range) => range.next(),
            Places::Scattered(places) => places.next().map(|place| place as usize),
        }
    }
}

/// The part of a run's text that lies in the span; all of it where the text is not as written in the source, since
/// then nothing tells which characters come from which bytes.
pub(super) fn covered<'a>(dom: Dom<'a>, run: &Run, span: Span) -> &'a str {
    let text = dom.text(run.node);
    if span.contains(run.span) {
        return text;
    }
    let written = run.span.of(dom.source());
    let is_written = text.len() == written.len() && std::ptr::eq(text.as_ptr(), written.as_ptr());
    let from = span.start.max(run.span.start) as usize;
    let to = span.end.min(run.span.end) as usize;
    if is_written { dom.source().get(from..to).unwrap_or(text) } else { text }
}
