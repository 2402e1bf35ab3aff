//! Where the blocks of a page are, told to a browser: comments in its source, so that a script can draw around them whatever the layout.

use kuai_page::Span;

/// A source with `<!--kuai 3-->` before block 3 and `<!--/kuai 3-->` behind it. Blocks come as where they are and how many lie around them; those that are
/// not in the source are left out.
pub fn marked_source(source: &str, blocks: impl Iterator<Item = (Span, u32)>) -> String {
    let mut marks: Vec<(u32, u32, String)> = Vec::new();
    for (number, (span, depth)) in blocks.enumerate() {
        if source.get(span.range()).is_some() {
            // At one place inner blocks end before outer ones, and all that end do so before others begin.
            marks.push((span.start, 1 << 16 | depth, format!("<!--kuai {number}-->")));
            marks.push((span.end, (1 << 16) - 1 - depth.min(1 << 15), format!("<!--/kuai {number}-->")));
        }
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
        let blocks = [(Span::new(0, 8), 0), (Span::new(0, 4), 1), (Span::new(4, 8), 1), (Span::new(7, 99), 1)];
        let expected = "<!--kuai 0--><!--kuai 1--><p>a<!--/kuai 1--><!--kuai 2--><p>b<!--/kuai 2--><!--/kuai 0-->";
        assert_eq!(marked_source("<p>a<p>b", blocks.into_iter()), expected);
    }
}
