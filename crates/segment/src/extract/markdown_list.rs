//! Lists in Markdown: the markers of their items, and how far what they hold is indented.
//!
//! Two lists of a kind that follow each other directly have other markers, since readers would take them for one.

use super::part::Numbers;

/// An open list.
pub(super) struct List {
    numbering: Option<Numbering>,
    has_other_markers: bool,
    is_begun: bool,
    /// Where it stands in a list without an item between, as careless pages write: below what its items hold.
    pub(super) indent: usize,
    item_indent: usize,
}

struct Numbering {
    next: i32,
    step: i32,
}

/// A list that nothing was written behind.
pub(super) struct ClosedList {
    /// How many containers were around it.
    depth: usize,
    is_numbered: bool,
    has_other_markers: bool,
}

/// The marker of an item, and what decides whether a blank line must stand before it.
pub(super) struct Marker {
    pub(super) text: String,
    /// Whether it begins its list.
    pub(super) is_first: bool,
    /// Whether it counts right below a line of text: a list that begins with another number than one does not.
    pub(super) interrupts: bool,
}

/// The largest number that an item can have.
const NUMBER_MAX: i32 = 999_999_999;

impl List {
    /// Opens a list at a depth, directly in another or not, and behind another or not.
    pub(super) fn open(
        numbers: Option<&Numbers<'_>>,
        depth: usize,
        around: Option<&List>,
        last: Option<&ClosedList>,
    ) -> List {
        let follows = |list: &&ClosedList| list.depth == depth && list.is_numbered == numbers.is_some();
        List {
            numbering: numbers.map(|numbers| Numbering { next: numbers.start, step: numbers.step() }),
            has_other_markers: last.filter(follows).is_some_and(|list| !list.has_other_markers),
            is_begun: false,
            indent: around.map_or(0, |list| list.item_indent),
            item_indent: 0,
        }
    }

    /// What it was, unless none of its items was written.
    pub(super) fn close(self, depth: usize) -> Option<ClosedList> {
        let (is_numbered, has_other_markers) = (self.numbering.is_some(), self.has_other_markers);
        self.is_begun.then_some(ClosedList { depth, is_numbered, has_other_markers })
    }

    /// The marker of the next item, which may have a number of its own.
    pub(super) fn next_marker(&mut self, number: Option<i32>) -> Marker {
        let (text, interrupts) = match &mut self.numbering {
            Some(numbering) => {
                let number = number.unwrap_or(numbering.next).clamp(0, NUMBER_MAX);
                numbering.next = number + numbering.step;
                let sign = if self.has_other_markers { ')' } else { '.' };
                (format!("{number}{sign} "), number == 1)
            }
            None => (if self.has_other_markers { "* " } else { "- " }.to_owned(), true),
        };
        self.item_indent = text.len();
        Marker { text, is_first: !std::mem::replace(&mut self.is_begun, true), interrupts }
    }
}
