//! Counts of characters, summed up once so that any part of a page is counted at once.

use std::iter::Sum;
use std::ops::{Add, Sub};

use kuai_html::{Dom, NodeId, Span};

use super::select::covered;
use super::{Flow, Run};

/// How many characters a part of a page shows; white space does not count, nor do hidden parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count {
    /// All of them.
    pub characters: u32,
    /// Those in links.
    pub link_characters: u32,
}

impl Count {
    /// The share of characters that stand in links, 0 where there are none.
    pub fn link_share(self) -> f64 {
        if self.characters == 0 { 0.0 } else { f64::from(self.link_characters) / f64::from(self.characters) }
    }

    fn of(run: &Run, text: &str) -> Count {
        if run.hidden {
            return Count::default();
        }
        let characters = count_characters(text);
        Count { characters, link_characters: if run.linked { characters } else { 0 } }
    }

    /// The sums before each of these, and of all.
    fn running(counts: impl Iterator<Item = Count>) -> Vec<Count> {
        let mut sum = Count::default();
        let mut sums = vec![sum];
        sums.extend(counts.map(|count| {
            sum = sum + count;
            sum
        }));
        sums
    }
}

/// Characters before each run, and of all.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    in_document: Vec<Count>,
    /// The same in source order, where that is another.
    in_source: Option<Vec<Count>>,
}

impl Counts {
    fn of(flow: &Flow, dom: Dom<'_>) -> Counts {
        let each: Vec<Count> = flow.runs.iter().map(|run| Count::of(run, dom.text(run.node))).collect();
        let in_order = |order: &Vec<u32>| Count::running(order.iter().map(|&place| each[place as usize]));
        Counts {
            in_document: Count::running(each.iter().copied()),
            in_source: flow.source_order.as_ref().map(in_order),
        }
    }
}

/// Characters that are no white space.
///
/// ```
/// assert_eq!(kuai_page::count_characters(" 月 亮\u{3000}\u{a0}moon\n"), 6);
/// ```
pub fn count_characters(text: &str) -> u32 {
    let solid = count_bytes(text.as_bytes(), |byte| !(is_continuation(byte) | is_space(byte)));
    if text.is_ascii() { solid } else { solid - count_wide_spaces(text) }
}

/// Whether the byte goes on with a character that another byte began.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// White space of ASCII, as [`char::is_whitespace`] has it.
fn is_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

fn count_wide_spaces(text: &str) -> u32 {
    text.chars().filter(|character| !character.is_ascii() && character.is_whitespace()).count() as u32
}

/// How many bytes are as asked.
pub(crate) fn count_bytes(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> u32 {
    // Sums that fit a byte let the compiler look at many bytes at once.
    let few = |bytes: &[u8]| bytes.iter().map(|&byte| u8::from(is_counted(byte))).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX)).map(|bytes| u32::from(few(bytes))).sum()
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        Count {
            characters: self.characters + other.characters,
            link_characters: self.link_characters + other.link_characters,
        }
    }
}

impl Sub for Count {
    type Output = Count;

    fn sub(self, other: Count) -> Count {
        Count {
            characters: self.characters - other.characters,
            link_characters: self.link_characters - other.link_characters,
        }
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::default(), Add::add)
    }
}

impl Flow {
    /// The characters that a span shows. Takes logarithmic time once all are counted, besides reading the runs that the span cuts.
    pub fn count(&self, dom: Dom<'_>, span: Span) -> Count {
        let range = self.range_in_source(span);
        let cut = |place: usize| Some(self.run_in_source(place)).filter(|run| !span.contains(run.span));
        let (mut start, mut end) = (range.start, range.end);
        let mut edges = Count::default();
        if start < end
            && let Some(run) = cut(start)
        {
            edges = edges + Count::of(run, covered(dom, run, span));
            start += 1;
        }
        if start < end
            && let Some(run) = cut(end - 1)
        {
            edges = edges + Count::of(run, covered(dom, run, span));
            end -= 1;
        }
        let counts = self.counts(dom);
        let counts = counts.in_source.as_ref().unwrap_or(&counts.in_document);
        if start < end { counts[end] - counts[start] + edges } else { edges }
    }

    /// The characters shown below a node, in constant time once all are counted.
    pub fn count_of(&self, dom: Dom<'_>, node: NodeId) -> Count {
        let range = self.range_of(node);
        let counts = &self.counts(dom).in_document;
        if range.is_empty() { Count::default() } else { counts[range.end] - counts[range.start] }
    }

    fn counts(&self, dom: Dom<'_>) -> &Counts {
        self.counts.get_or_init(|| Counts::of(self, dom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_counts_unless_it_is_white_space() {
        for character in '\0'..=char::MAX {
            let expected = u32::from(!character.is_whitespace());
            assert_eq!(count_characters(character.encode_utf8(&mut [0; 4])), expected, "{character:?}");
        }
        assert_eq!(count_characters(&"ab ".repeat(1000)), 2000);
    }
}
