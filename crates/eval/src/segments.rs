//! The visible text of a page as segments, in document order: a link, or a run of text outside links within one block-level element.
//!
//! Labels of the form `labels/NAME.txt` count these segments, so they are cut exactly as `measure/label/dump.py` cuts them.

use kuai_page::{Dom, Edge, NodeId, NodeKind, Span, Tag};

use crate::metrics::SegmentKind;
use crate::stream::is_space;

/// A link or a run of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Text or link.
    pub(crate) kind: SegmentKind,
    /// Its text on one line.
    pub(crate) text: String,
    /// Where its first text stands in the source.
    pub(crate) place: u32,
    /// Where its texts stand in the source.
    pub(crate) spans: Vec<Span>,
}

/// Cuts a document into segments. A run is also cut at every offset in `borders`, which are in order.
pub(crate) fn segments(dom: Dom<'_>, borders: &[u32]) -> Vec<Segment> {
    let mut reader = Reader { dom, borders, found: Vec::new(), run: Vec::new() };
    if let Some(root) = dom.body().or(dom.html()) {
        reader.read(root);
    }
    reader.found
}

struct Reader<'a> {
    dom: Dom<'a>,
    borders: &'a [u32],
    found: Vec<Segment>,
    /// The pieces of text since the last cut.
    run: Vec<(&'a str, Span)>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, root: NodeId) {
        let dom = self.dom;
        let mut steps = dom.walk(root);
        while let Some(edge) = steps.next() {
            match edge {
                Edge::Enter(node) if dom.kind(node) == NodeKind::Text => self.add(node),
                Edge::Enter(node) if !dom.is_element(node) => {}
                Edge::Enter(node) if is_skipped(dom, node) => steps.skip_children(node),
                Edge::Enter(node) if dom.tag(node) == Tag::A => {
                    self.cut();
                    self.link(node);
                    steps.skip_children(node);
                }
                Edge::Enter(node) | Edge::Leave(node) if is_block(dom.tag(node)) => self.cut(),
                _ => {}
            }
        }
        self.cut();
    }

    fn add(&mut self, node: NodeId) {
        for (text, span) in self.pieces(node) {
            let is_apart = self.run.last().is_some_and(|(_, last)| self.border_between(last.start, span.start));
            if is_apart {
                self.cut();
            }
            self.run.push((text, span));
        }
    }

    /// A text node, cut at the borders where its text stands as it is written in the source.
    fn pieces(&self, node: NodeId) -> Vec<(&'a str, Span)> {
        let (text, span) = (self.dom.text(node), self.dom.span(node));
        let first = self.borders.partition_point(|&border| border <= span.start);
        let inside = self.borders[first..].iter().take_while(|&&border| border < span.end);
        let mut starts: Vec<u32> = std::iter::once(span.start).chain(inside.copied()).collect();
        starts.dedup();
        if starts.len() == 1 || span.of(self.dom.source()) != text {
            return vec![(text, span)];
        }
        let ends = starts.iter().copied().skip(1).chain([span.end]);
        let spans = starts.iter().zip(ends).map(|(&start, end)| Span::new(start, end));
        spans.map(|span| (span.of(self.dom.source()), span)).collect()
    }

    fn border_between(&self, start: u32, end: u32) -> bool {
        let next = self.borders.partition_point(|&border| border <= start);
        self.borders.get(next).is_some_and(|&border| border <= end)
    }

    fn cut(&mut self) {
        let text = one_line(self.run.iter().map(|(text, _)| *text));
        let place = self.run.iter().find(|(text, _)| !text.chars().all(is_space)).map_or(0, |(_, span)| span.start);
        let spans = self.run.drain(..).map(|(_, span)| span).collect();
        if !text.is_empty() {
            self.found.push(Segment { kind: SegmentKind::Text, text, place, spans });
        }
    }

    fn link(&mut self, node: NodeId) {
        let dom = self.dom;
        let texts: Vec<NodeId> = dom.descendants(node).filter(|&below| dom.kind(below) == NodeKind::Text).collect();
        let mut text = one_line(texts.iter().map(|&text| dom.text(text)));
        let href = dom.attribute(node, "href");
        if text.is_empty() && href.is_none_or(str::is_empty) {
            return;
        }
        if text.is_empty() {
            let images = dom.descendants(node).filter(|&below| dom.tag(below) == Tag::Img);
            let alts: Vec<&str> = images.map(|image| dom.attribute(image, "alt").unwrap_or("")).collect();
            text = format!("[img] {}", alts.join(" ")).trim().to_owned();
        }
        let first = texts.iter().find(|&&text| !dom.text(text).chars().all(is_space)).copied().unwrap_or(node);
        let spans = texts.iter().map(|&text| dom.span(text)).collect();
        let kind = SegmentKind::Link(href.unwrap_or("").to_owned());
        self.found.push(Segment { kind, text, place: dom.span(first).start, spans });
    }
}

fn one_line<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let whole: String = texts.collect();
    whole.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_skipped(dom: Dom<'_>, node: NodeId) -> bool {
    use Tag::*;
    matches!(dom.tag(node), Script | Style | Noscript | Template | Head | Textarea | Option | Iframe | Svg)
        || (dom.tag(node) == Foreign && dom.name(node) == "svg")
}

fn is_block(tag: Tag) -> bool {
    use Tag::*;
    #[rustfmt::skip]
    let is_block = matches!(
        tag,
        Div | P | Ul | Ol | Li | Table | Tr | Td | Th | Section | Article | Aside | Nav | Header | Footer | Main | Dl | Dt | Dd
            | H1 | H2 | H3 | H4 | H5 | H6 | Form | Blockquote | Pre | Figure | Figcaption | Hr | Br | Body | Center | Tbody
    );
    is_block
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;

    fn texts(source: &str, borders: &[u32]) -> Vec<String> {
        segments(Page::from_html(source).dom(), borders).into_iter().map(|segment| segment.text).collect()
    }

    #[test]
    fn links_and_blocks_cut_text() {
        let source =
            "<p>one <b>two</b> <a href=x>link</a> three<br>four<script>no</script></p><a href=y><img alt=z></a><a></a>";
        assert_eq!(texts(source, &[]), ["one two", "link", "three", "four", "[img] z"]);
    }

    #[test]
    fn borders_cut_text_too() {
        assert_eq!(texts("<p>one two <b>three</b>", &[7]), ["one", "two three"]);
        assert_eq!(texts("<p>one two <b>three</b>", &[11]), ["one two", "three"]);
    }
}
