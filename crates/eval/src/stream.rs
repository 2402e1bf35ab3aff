//! The text of a page that blocks are compared on: the characters of the body's text nodes in document order, white space left out.
//!
//! Places in it depend neither on white space nor on the parser, so that blocks of any method, and blocks marked by people, are
//! ranges of one and the same text. It is the stream that `measure/segment/domtext.py` defines.

use std::ops::Range;

use kuai_page::{Dom, Edge, NodeId, NodeKind, Span, Tag};

/// The text of a page without white space, with where each part of it stands in the source.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    text: Vec<char>,
    /// The text nodes that are not blank, in the order of the source.
    parts: Vec<Part>,
    elements: Vec<Element>,
}

/// A text node.
#[derive(Debug)]
struct Part {
    span: Span,
    range: Range<usize>,
}

/// An element of the body with its part of the stream, in document order.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) tag: Tag,
    pub(crate) range: Range<usize>,
}

impl Stream {
    /// Reads the text of a document's body.
    pub(crate) fn read(dom: Dom<'_>) -> Stream {
        let mut stream = Stream::default();
        let Some(body) = dom.body() else { return stream };
        let mut steps = dom.walk(body);
        let mut open: Vec<usize> = Vec::new();
        while let Some(edge) = steps.next() {
            match edge {
                Edge::Enter(node) if dom.kind(node) == NodeKind::Text => stream.add(dom, node),
                Edge::Enter(node) if dom.is_element(node) && is_left_out(dom.tag(node)) => {
                    open.push(stream.elements.len());
                    stream.elements.push(Element { tag: Tag::Unknown, range: stream.end() });
                    steps.skip_children(node);
                }
                Edge::Enter(node) if dom.is_element(node) => {
                    open.push(stream.elements.len());
                    stream.elements.push(Element { tag: dom.tag(node), range: stream.end() });
                }
                Edge::Leave(node) if dom.is_element(node) => {
                    let element = open.pop().expect("every element is entered before it is left");
                    stream.elements[element].range.end = stream.text.len();
                }
                _ => {}
            }
        }
        // Document order is source order but for what the standard moved.
        stream.parts.sort_by_key(|part| part.span.start);
        stream
    }

    fn add(&mut self, dom: Dom<'_>, node: NodeId) {
        let start = self.text.len();
        self.text.extend(dom.text(node).chars().filter(|&character| !is_space(character)));
        if self.text.len() > start {
            self.parts.push(Part { span: dom.span(node), range: start..self.text.len() });
        }
    }

    fn end(&self) -> Range<usize> {
        self.text.len()..self.text.len()
    }

    /// All characters.
    pub(crate) fn text(&self) -> &[char] {
        &self.text
    }

    /// The elements of the body, the body first; those whose text does not count are `Tag::Unknown` and empty.
    pub(crate) fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The characters that come from a span of the source: few ranges, in order, that do not touch.
    pub(crate) fn ranges(&self, source: &str, span: Span) -> Vec<Range<usize>> {
        let first = self.parts.partition_point(|part| part.span.start < span.start);
        let before = self.parts[..first].last().filter(|part| part.span.end > span.start);
        let inside = self.parts[first..].iter().take_while(|part| part.span.start < span.end);
        let mut ranges: Vec<_> = before.into_iter().chain(inside).map(|part| part.covered(source, span)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        joined(ranges)
    }
}

impl Part {
    /// The characters that lie in a span.
    fn covered(&self, source: &str, span: Span) -> Range<usize> {
        let place = |offset: u32| {
            let written = source.get(self.span.start as usize..offset as usize).unwrap_or("");
            (self.range.start + characters(written)).min(self.range.end)
        };
        let start = if span.start <= self.span.start { self.range.start } else { place(span.start) };
        let end = if span.end >= self.span.end { self.range.end } else { place(span.end) };
        start..end.max(start)
    }
}

/// Joins ranges that touch or overlap; they are given by their starts.
pub(crate) fn joined(ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// White space as the scorers see it (Python's `\s`).
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// Elements whose text does not count.
fn is_left_out(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Script | Style | Noscript | Template | Head | Title | Iframe | Noframes | Noembed)
}

/// How many characters of the stream a piece of source gives.
///
/// A character reference counts as one character, `&nbsp;` as none. Blocks hardly ever begin inside a text node.
fn characters(written: &str) -> usize {
    let mut count = 0;
    let mut rest = written;
    while let Some(character) = rest.chars().next() {
        let length = if character == '&' { reference_length(rest) } else { character.len_utf8() };
        count += usize::from(!is_space(character) && !matches!(&rest[..length], "&nbsp;" | "&#160;"));
        rest = &rest[length..];
    }
    count
}

/// The length of the reference at the start of `text`, or 1 where there is none.
fn reference_length(text: &str) -> usize {
    let name_end = text[1..].find(|character: char| !character.is_ascii_alphanumeric() && character != '#');
    match name_end {
        Some(end) if end > 0 && text[1 + end..].starts_with(';') => end + 2,
        _ => 1,
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a block is a list of ranges, often of one")]
mod tests {
    use kuai_page::Page;

    use super::*;

    fn stream(source: &str) -> String {
        Stream::read(Page::from_html(source).dom()).text().iter().collect()
    }

    #[test]
    fn white_space_and_scripts_do_not_count() {
        assert_eq!(stream("<p>a b<script>x</script>&nbsp;c<p>\u{3000}d<title>e</title>"), "abcd");
    }

    #[test]
    fn a_span_gives_the_text_in_it() {
        let source = "<p>one &amp; two</p><p>three</p>";
        let page = Page::from_html(source);
        let stream = Stream::read(page.dom());
        let check = |part: &str, expected: &[Range<usize>]| {
            let start = source.find(part).expect("the part stands in the source") as u32;
            assert_eq!(stream.ranges(source, Span::new(start, start + part.len() as u32)), expected, "{part}");
        };
        check(source, &[0..12]);
        check("<p>three</p>", &[7..12]);
        check("two</p><p>th", &[4..9]);
        check("</p>", &[]);
    }

    #[test]
    fn text_that_the_standard_moves_makes_several_ranges() {
        let source = "<p>a</p><table>moved<tr><td>cell</table>";
        let page = Page::from_html(source);
        let stream = Stream::read(page.dom());
        assert_eq!(stream.ranges(source, Span::new(8, source.len() as u32)), [1..10]);
        assert_eq!(stream.text().iter().collect::<String>(), "amovedcell");
    }
}
