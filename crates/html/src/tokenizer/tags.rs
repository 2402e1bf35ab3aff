//! Start and end tags with their attributes.

use super::scan::{find_either, is_space};
use super::text::InAttribute;
use super::{Buffers, TagToken, Token, Tokenizer};
use crate::tree::{AttributeData, Text};
use crate::{Span, Tag};

impl Tokenizer<'_> {
    /// Reads a start tag, its attributes into the buffer; one that the source's end cuts off is dropped.
    pub(super) fn start_tag(&mut self, buffers: &mut Buffers<'_>) -> Token {
        self.begin_tag(self.at + 1, buffers);
        match self.tag_rest(true, buffers) {
            Some(()) => Token::StartTag,
            None => self.cut_off(buffers),
        }
    }

    /// Reads an end tag, whose attributes mean nothing.
    pub(super) fn end_tag(&mut self, buffers: &mut Buffers<'_>) -> Token {
        self.begin_tag(self.at + 2, buffers);
        match self.tag_rest(false, buffers) {
            Some(()) => Token::EndTag,
            None => self.cut_off(buffers),
        }
    }

    fn cut_off(&mut self, buffers: &mut Buffers<'_>) -> Token {
        buffers.attributes.truncate(self.tag.attributes_start as usize);
        self.at = self.bytes.len();
        self.token_start = self.at;
        Token::End
    }

    /// Reads the name and leaves `at` behind it.
    fn begin_tag(&mut self, name_start: usize, buffers: &mut Buffers<'_>) {
        let mut end = name_start + 1;
        while self.bytes.get(end).is_some_and(|&byte| class(byte) & ENDS_NAME == 0) {
            end += 1;
        }
        self.at = end;
        self.duplicates.forget();
        let tag = Tag::from_bytes(&self.bytes[name_start..end]);
        let name = match tag {
            Tag::Unknown => self.lower_case(name_start, end, buffers),
            _ => Text::Source(Span::new(name_start as u32, end as u32)),
        };
        self.tag = TagToken {
            tag,
            name,
            attributes_start: buffers.attributes.len() as u32,
            attributes_count: 0,
            self_closing: false,
        };
    }

    /// Reads attributes and the closing `>`; `None` at the end of the source.
    fn tag_rest(&mut self, keep: bool, buffers: &mut Buffers<'_>) -> Option<()> {
        loop {
            match *self.bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    self.tag.attributes_count = buffers.attributes.end_element(self.tag.attributes_start as usize);
                    return Some(());
                }
                b'/' => {
                    self.at += 1;
                    self.tag.self_closing = self.bytes.get(self.at) == Some(&b'>');
                }
                byte if is_space(byte) => self.at += 1,
                _ => self.attribute(keep, buffers)?,
            }
        }
    }

    /// Reads one attribute; `None` at the end of the source.
    fn attribute(&mut self, keep: bool, buffers: &mut Buffers<'_>) -> Option<()> {
        let name_start = self.at;
        // An equals sign that comes first is a part of the name.
        let mut classes = class(self.bytes[name_start]);
        let mut name_end = name_start + 1;
        loop {
            let class = class(*self.bytes.get(name_end)?);
            if class & ENDS_ATTRIBUTE_NAME != 0 {
                break;
            }
            classes |= class;
            name_end += 1;
        }
        self.at = name_end;
        while is_space(*self.bytes.get(self.at)?) {
            self.at += 1;
        }
        let mut value = None;
        let mut end = name_end;
        if self.bytes[self.at] == b'=' {
            self.at += 1;
            while is_space(*self.bytes.get(self.at)?) {
                self.at += 1;
            }
            value = self.value()?;
            end = self.at;
        }
        if keep {
            let name = match classes & CHANGES {
                0 => Text::Source(Span::new(name_start as u32, name_end as u32)),
                _ => self.lower_case(name_start, name_end, buffers),
            };
            self.keep_attribute(name, value, Span::new(name_start as u32, end as u32), buffers);
        }
        Some(())
    }

    /// Finds the value at `at`, quoted or not, and goes behind it.
    fn value(&mut self) -> Option<Option<Value>> {
        let first = *self.bytes.get(self.at)?;
        let value = match first {
            b'>' => return Some(None),
            b'"' | b'\'' => {
                let start = self.at + 1;
                let mut has_reference = false;
                let mut end = start;
                loop {
                    end = find_either(self.bytes, end, first, b'&');
                    if *self.bytes.get(end)? == first {
                        break;
                    }
                    has_reference = true;
                    end += 1;
                }
                self.at = end + 1;
                Value { start, end, has_reference }
            }
            _ => {
                let start = self.at;
                let mut has_reference = false;
                loop {
                    match *self.bytes.get(self.at)? {
                        b'>' => break,
                        b'&' => has_reference = true,
                        byte if is_space(byte) => break,
                        _ => {}
                    }
                    self.at += 1;
                }
                Value { start, end: self.at, has_reference }
            }
        };
        Some(Some(value))
    }

    fn keep_attribute(&mut self, name: Text, value: Option<Value>, span: Span, buffers: &mut Buffers<'_>) {
        let first = self.tag.attributes_start as usize;
        if buffers.attributes.len() - first >= self.limits.attributes {
            self.limits_hit.attributes = true;
            return;
        }
        if self.duplicates.is_known(name.of(self.source, buffers.owned), first, self.source, buffers) {
            return;
        }
        let value = match value {
            Some(value) => self.value_text(value, buffers),
            None => Text::Source(Span::new(span.end, span.end)),
        };
        self.limits_hit.attributes |= !buffers.attributes.push(name, value, span);
    }

    fn value_text(&mut self, value: Value, buffers: &mut Buffers<'_>) -> Text {
        let Value { start, mut end, has_reference } = value;
        if end - start > self.limits.attribute_length {
            self.limits_hit.attribute_length = true;
            end = self.source.floor_char_boundary(start + self.limits.attribute_length);
        }
        let text = match has_reference || self.has_odd(start, end) {
            true => self.decoded(start, end, Some(InAttribute::Yes), buffers),
            false => Text::Source(Span::new(start as u32, end as u32)),
        };
        match text {
            // What was cut short no longer ends where the attribute does.
            Text::Source(span) if end < value.end => buffers.own(span.of(self.source)),
            text => text,
        }
    }
}

/// Where an attribute's value stands, quotes left out.
#[derive(Clone, Copy)]
struct Value {
    start: usize,
    end: usize,
    has_reference: bool,
}

/// Ends the name of a tag.
const ENDS_NAME: u8 = 1;
/// Ends the name of an attribute.
const ENDS_ATTRIBUTE_NAME: u8 = 1 << 1;
/// Stands otherwise in the name than in the source: upper case, NUL.
const CHANGES: u8 = 1 << 2;

/// What a byte means in a name, as the bits above.
#[inline]
fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\n' | b'\t' | b'\r' | 0x0C | b'/' | b'>' => ENDS_NAME | ENDS_ATTRIBUTE_NAME,
            b'=' => ENDS_ATTRIBUTE_NAME,
            b'A'..=b'Z' | 0 => CHANGES,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Finds attributes that were written before: by looking at all while they are few, by a hash table beyond.
#[derive(Default)]
pub(super) struct Duplicates {
    /// Open addressing; an entry counts only if it carries the present stamp. Holds offsets from the first attribute.
    slots: Vec<(u32, u32)>,
    stamp: u32,
    /// How many attributes of the present tag are in the table; `None` before the table is used for it.
    filled: Option<usize>,
}

/// Up to this many attributes are compared one by one.
const COMPARED_MAX: usize = 16;

impl Duplicates {
    /// Whether the tag whose attributes start at `first` has one of this name.
    fn is_known(&mut self, name: &str, first: usize, source: &str, buffers: &Buffers<'_>) -> bool {
        let attributes = buffers.attributes.between(first, buffers.attributes.len());
        let text_of = |attribute: &AttributeData| buffers.attributes.name(attribute);
        let name_of = |attribute: &AttributeData| text_of(attribute).of(source, buffers.owned);
        if attributes.len() <= COMPARED_MAX {
            let length = name.len() as u32;
            return attributes.iter().any(|attribute| text_of(attribute).len() == length && name_of(attribute) == name);
        }
        if self.filled.is_none() || self.slots.len() < attributes.len() * 2 {
            self.start(attributes.len());
        }
        for (index, attribute) in attributes.iter().enumerate().skip(self.filled.unwrap_or(0)) {
            let slot = self.slot(name_of(attribute), |_| false);
            self.slots[slot] = (self.stamp, index as u32);
        }
        self.filled = Some(attributes.len());
        let slot = self.slot(name, |index| name_of(&attributes[index as usize]) == name);
        self.slots[slot].0 == self.stamp
    }

    /// Makes ready for another tag.
    fn forget(&mut self) {
        self.filled = None;
    }

    fn start(&mut self, count: usize) {
        let size = (count * 8).next_power_of_two();
        if self.slots.len() < size {
            self.slots = vec![(0, 0); size];
            self.stamp = 0;
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0));
            self.stamp = 1;
        }
        self.filled = Some(0);
    }

    /// The slot of this name, or the free one where it would go.
    fn slot(&self, name: &str, is_same: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut slot = (hash ^ (hash >> 29)) as usize & mask;
        while self.slots[slot].0 == self.stamp && !is_same(self.slots[slot].1) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}
