//! Attributes as stored: one list for a whole tree, 16 bytes each. An element names its first, and the last says that it is.

use super::{NONE, Text};
use crate::Span;

/// All attributes of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    list: Vec<AttributeData>,
    /// Names and values that the standard changed, as ranges of the tree's own buffer.
    changed: Vec<Span>,
}

/// One attribute. Most names and values stand in the source, where the attribute's span tells their other end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeData {
    /// From the first byte of the name to the last of the value, quotes included.
    pub(crate) span: Span,
    /// Where the value starts in the source, or its place in `Attributes::changed`.
    value: u32,
    /// The length of the name, or its place in `Attributes::changed`; and the bits below.
    name: u32,
}

const _: () =
    assert!(size_of::<AttributeData>() == 16, "the memory of a tree was measured with attributes of 16 bytes");

/// The last of its element.
const LAST: u32 = 1 << 31;
const NAME_CHANGED: u32 = 1 << 30;
const VALUE_CHANGED: u32 = 1 << 29;
/// A quote follows the value.
const QUOTED: u32 = 1 << 28;
const NUMBER: u32 = QUOTED - 1;

impl Attributes {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets all, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.changed.clear();
    }

    /// Makes room for so many.
    pub(super) fn reserve(&mut self, count: usize) {
        self.list.reserve_exact(count);
    }

    /// Those between two places of the list.
    #[inline]
    pub(crate) fn between(&self, start: usize, end: usize) -> &[AttributeData] {
        &self.list[start..end]
    }

    /// Those of the element whose first is at this place, if there is one.
    #[inline]
    pub(crate) fn of(&self, first: u32) -> &[AttributeData] {
        if first == NONE {
            return &[];
        }
        let rest = &self.list[first as usize..];
        let count = rest.iter().position(|attribute| attribute.name & LAST != 0).map_or(rest.len(), |last| last + 1);
        &rest[..count]
    }

    /// The one of this name among those of the element whose first is at this place.
    #[inline]
    pub(crate) fn named(&self, first: u32, is_name: impl Fn(Text) -> bool) -> Option<&AttributeData> {
        for attribute in self.list.get(first as usize..)? {
            if is_name(self.name(attribute)) {
                return Some(attribute);
            }
            if attribute.name & LAST != 0 {
                break;
            }
        }
        None
    }

    /// The name, lower case or adjusted.
    #[inline]
    pub(crate) fn name(&self, attribute: &AttributeData) -> Text {
        let number = attribute.name & NUMBER;
        match attribute.name & NAME_CHANGED {
            0 => Text::Source(Span { start: attribute.span.start, end: attribute.span.start + number }),
            _ => Text::Owned(self.changed[number as usize]),
        }
    }

    /// The value, references decoded.
    #[inline]
    pub(crate) fn value(&self, attribute: &AttributeData) -> Text {
        if attribute.name & VALUE_CHANGED != 0 {
            return Text::Owned(self.changed[attribute.value as usize]);
        }
        let quote = u32::from(attribute.name & QUOTED != 0);
        Text::Source(Span { start: attribute.value, end: attribute.span.end - quote })
    }

    /// Adds an attribute written at `span`. A value that stands in the source ends where the attribute does, or one
    /// quote before; without a value, it is empty at the end. False if there is no room: a page of gigabytes.
    #[inline]
    pub(crate) fn push(&mut self, name: Text, value: Text, span: Span) -> bool {
        let number = match name {
            Text::Source(name) => name.len(),
            Text::Owned(name) => self.change(name) | NAME_CHANGED,
        };
        let (value, value_bits) = match value {
            Text::Source(value) if value.end == span.end => (value.start, 0),
            Text::Source(value) => (value.start, QUOTED),
            Text::Owned(value) => (self.change(value), VALUE_CHANGED),
        };
        if (number | self.changed.len() as u32) & !NAME_CHANGED > NUMBER {
            return false;
        }
        crate::room::make(&mut self.list, 1);
        self.list.push(AttributeData { span, value, name: number | value_bits });
        true
    }

    fn change(&mut self, text: Span) -> u32 {
        self.changed.push(text);
        self.changed.len() as u32 - 1
    }

    /// Ends the element whose first attribute was to stand at `first`: how many it has.
    #[inline]
    pub(crate) fn end_element(&mut self, first: usize) -> u32 {
        if let Some(last) = self.list[first..].last_mut() {
            last.name |= LAST;
        }
        (self.list.len() - first) as u32
    }

    /// Forgets those from this place on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }

    /// Gives an attribute another name.
    pub(crate) fn rename(&mut self, index: usize, name: Span) {
        let number = self.change(name);
        if number <= NUMBER {
            let attribute = &mut self.list[index];
            attribute.name = attribute.name & !NUMBER | NAME_CHANGED | number;
        }
    }

    /// Makes a new list of an element's attributes and some others, by their places; its first place.
    pub(crate) fn merge(&mut self, held: u32, added: &[usize]) -> u32 {
        let first = self.list.len();
        let held_count = self.of(held).len();
        if held_count > 0 {
            self.list.extend_from_within(held as usize..held as usize + held_count);
        }
        for &index in added {
            self.list.push(self.list[index]);
        }
        for attribute in &mut self.list[first..] {
            attribute.name &= !LAST;
        }
        self.end_element(first);
        first as u32
    }
}
