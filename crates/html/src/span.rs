//! A half-open range of bytes in a page's source: the coin all of kuai pays in.

use std::ops::Range;

/// A half-open byte range `start..end` of the decoded source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a span runs forward: {start}..{end}");
        Span { start, end }
    }

    /// Length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `inner` lies wholly inside this span (a span contains itself).
    pub fn contains(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// Whether the two spans share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that holds both.
    pub fn union(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a range usable to slice the source.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of `source` that this span names.
    pub fn of(self, source: &str) -> &str {
        &source[self.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_touch_do_not_overlap() {
        assert!(!Span::new(0, 3).overlaps(Span::new(3, 5)));
        assert!(Span::new(0, 4).overlaps(Span::new(3, 5)));
    }

    #[test]
    fn a_span_contains_itself_and_its_parts() {
        let whole = Span::new(2, 9);
        assert!(whole.contains(whole));
        assert!(whole.contains(Span::new(3, 9)));
        assert!(!whole.contains(Span::new(1, 5)));
    }
}
