//! The titles of units: blocks of titles hold bylines and buttons too, of which no one is a title.

use kuai_page::{Dom, NodeId, Page, Span, Tag};

use super::told;

/// What is known of the titles of a page.
pub(super) struct Titles<'p> {
    page: &'p Page,
    /// The headings of the page, in source order.
    headings: Vec<NodeId>,
}

impl<'p> Titles<'p> {
    pub(super) fn of(page: &'p Page) -> Titles<'p> {
        let dom = page.dom();
        let mut headings: Vec<NodeId> = dom.descendants(dom.root()).filter(|&node| rank(dom, node).is_some()).collect();
        headings.sort_by_key(|&node| dom.span(node).start);
        Titles { page, headings }
    }

    /// The title that a block of a title tells: the line that says the headline, or its highest heading, or its first line.
    pub(super) fn told_in(&self, span: Span) -> String {
        let text = told(self.page, span);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(first) = lines.clone().next() else { return text };
        let headline = self.page.metadata().headline.as_deref();
        let says_headline = |line: &&str| headline.is_some_and(|headline| same(line, headline));
        match lines.find(says_headline) {
            Some(line) => line.to_owned(),
            None => self.heading_in(span).unwrap_or_else(|| first.to_owned()),
        }
    }

    fn heading_in(&self, span: Span) -> Option<String> {
        let dom = self.page.dom();
        let first = self.headings.partition_point(|&node| dom.span(node).start < span.start);
        let inside = self.headings[first..].iter().take_while(|&&node| dom.span(node).start < span.end);
        let heading = inside.min_by_key(|&&node| rank(dom, node))?;
        let text = told(self.page, dom.span(*heading));
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!line.is_empty()).then_some(line)
    }
}

fn rank(dom: Dom<'_>, node: NodeId) -> Option<usize> {
    [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6].iter().position(|&heading| dom.tag(node) == heading)
}

/// Whether two lines have the same letters and digits. Most differ soon, so none is read to its end for nothing.
fn same(one: &str, other: &str) -> bool {
    fn letters(line: &str) -> impl Iterator<Item = char> {
        line.chars().filter(|letter| letter.is_alphanumeric())
    }
    letters(one).eq(letters(other))
}
