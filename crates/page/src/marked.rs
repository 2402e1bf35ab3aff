//! A source with comments where blocks begin and end, so that a browser can tell where on the page they are.

use crate::Span;

/// A block to be marked: where it is, how many lie around it, and what it is called.
pub type Marked = (Span, u32, String);

/// The source with `<!--name-->` before each block and `<!--/name-->` behind it. Blocks nest or stand apart.
///
/// ```
/// use kuai_page::{Span, marked};
///
/// assert_eq!(marked("<p>a<p>b", [(Span::new(4, 8), 0, "b".to_owned())]), "<p>a<!--b--><p>b<!--/b-->");
/// ```
pub fn marked(source: &str, blocks: impl IntoIterator<Item = Marked>) -> String {
    let mut marks: Vec<(u32, u32, String)> = Vec::new();
    for (span, depth, name) in blocks {
        // At one place inner blocks end before outer ones, and all that end do so before others begin.
        marks.push((span.start, 1 << 16 | depth, format!("<!--{name}-->")));
        marks.push((span.end, (1 << 16) - 1 - depth.min(1 << 15), format!("<!--/{name}-->")));
    }
    marks.sort_by_key(|(place, order, _)| (*place, *order));
    let mut marked = String::with_capacity(source.len() + marks.len() * 20);
    let mut written = 0;
    for (place, _, mark) in marks {
        marked.push_str(&source[written..place as usize]);
        marked.push_str(&mark);
        written = place as usize;
    }
    marked.push_str(&source[written..]);
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_around_blocks_and_nest() {
        let blocks = [(Span::new(0, 8), 0), (Span::new(0, 4), 1), (Span::new(4, 8), 1)];
        let named = blocks.iter().enumerate().map(|(number, (span, depth))| (*span, *depth, format!("kuai {number}")));
        let expected = "<!--kuai 0--><!--kuai 1--><p>a<!--/kuai 1--><!--kuai 2--><p>b<!--/kuai 2--><!--/kuai 0-->";
        assert_eq!(marked("<p>a<p>b", named), expected);
    }
}
