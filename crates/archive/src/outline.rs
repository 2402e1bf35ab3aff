//! What is known about the blocks of a version, and how it is written down beside the body.
//!
//! An outline is a text of lines, so that the store keeps only the lines that changed: a head (method, level, charset, labels
//! and metadata), an empty line, and a line a block. Places are written as steps from the place before, so that a block that
//! grows changes its own line and no other.

use std::fmt::Write;

use kuai_page::{Label, Span};

use crate::level::Choice;

/// What is known about a version beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The method that cut the page; empty for what is no page.
    pub method: String,
    /// How many levels of its blocks were kept.
    pub level: u32,
    /// The charset that the places of blocks were counted in.
    pub charset: String,
    /// The address that links are resolved against, where the page names one.
    pub base: Option<String>,
    /// Which regions the next version keeps whole, and why.
    pub choices: Vec<Choice>,
    /// Whether the next version is to be cut anew, because the choices changed.
    pub is_due: bool,
    /// What an administrator's rules call this version.
    pub labels: Vec<String>,
    /// What an administrator's rules say about this version.
    pub metadata: Vec<(String, String)>,
    /// The blocks: parents before their children, siblings in source order.
    pub blocks: Vec<OutlineBlock>,
}

/// What is known about a block of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineBlock {
    /// Its bytes in the decoded source.
    pub span: Span,
    /// How many blocks lie around it.
    pub depth: u32,
    /// What it is for.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
    /// Where its links begin, in no block inside it.
    pub links: Vec<u32>,
    /// How it came to be as it is.
    pub age: Age,
}

/// The history of a block, in numbers of entries of its URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Age {
    /// The entry in which it was first seen.
    pub first: u32,
    /// The entry in which its content was last another than before.
    pub changed: u32,
    /// How often its content changed since it was first seen.
    pub edits: u32,
}

impl Outline {
    /// Whether a block has no block inside it.
    pub fn is_leaf(&self, index: usize) -> bool {
        self.blocks.get(index + 1).is_none_or(|next| next.depth <= self.blocks[index].depth)
    }

    /// The innermost blocks, in source order.
    pub fn leaves(&self) -> impl Iterator<Item = &OutlineBlock> {
        self.blocks.iter().enumerate().filter(|&(index, _)| self.is_leaf(index)).map(|(_, block)| block)
    }

    /// Writes the outline as lines.
    pub(crate) fn write(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            text.push_str(name);
            text.push(' ');
            text.push_str(&value.replace(['\r', '\n'], " "));
            text.push('\n');
        };
        line("outline", FORM);
        if !self.method.is_empty() {
            line("method", &format!("{} {}", self.method, self.level));
            line("charset", &self.charset);
        }
        if let Some(base) = &self.base {
            line("base", base);
        }
        if self.is_due {
            line("due", "cut");
        }
        self.choices.iter().for_each(|choice| line("whole", &choice.write()));
        self.labels.iter().for_each(|label| line("label", label));
        self.metadata.iter().for_each(|(name, value)| line("meta", &format!("{name}={value}")));
        text.push('\n');
        self.write_blocks(&mut text);
        text
    }

    fn write_blocks(&self, text: &mut String) {
        let mut open: Vec<u32> = Vec::new(); // the ends of the blocks around the place
        let mut place = 0;
        for (index, block) in self.blocks.iter().enumerate() {
            while open.len() > block.depth as usize {
                place = open.pop().expect("just counted");
            }
            let gap = block.span.start - place;
            let _ = write!(text, "{}", depth_letter(block.depth));
            if gap > 0 {
                let _ = write!(text, "{gap},");
            }
            if self.is_leaf(index) {
                let _ = write!(text, "{}", block.span.len());
                place = block.span.end;
            } else {
                let _ = write!(text, "+{}", block.span.end - self.last_inside(index));
                open.push(block.span.end);
                place = block.span.start;
            }
            block.write_rest(text);
        }
    }

    /// Where the last block directly inside a block ends.
    fn last_inside(&self, index: usize) -> u32 {
        let block = &self.blocks[index];
        let inside = self.blocks[index + 1..].iter().take_while(|inner| inner.depth > block.depth);
        inside.filter(|inner| inner.depth == block.depth + 1).last().map_or(block.span.start, |inner| inner.span.end)
    }

    /// Reads what [`Outline::write`] wrote; `None` for anything else.
    pub(crate) fn read(text: &str) -> Option<Outline> {
        let mut outline = Outline::default();
        let mut lines = text.lines();
        if lines.next()? != format!("outline {FORM}") {
            return None;
        }
        for line in lines.by_ref().take_while(|line| !line.is_empty()) {
            outline.read_head_line(line)?;
        }
        outline.read_blocks(lines)?;
        Some(outline)
    }

    fn read_head_line(&mut self, line: &str) -> Option<()> {
        let (name, value) = line.split_once(' ')?;
        match name {
            "method" => {
                let (method, level) = value.split_once(' ')?;
                (self.method, self.level) = (method.to_owned(), level.parse().ok()?);
            }
            "charset" => self.charset = value.to_owned(),
            "base" => self.base = Some(value.to_owned()),
            "due" => self.is_due = true,
            "whole" => self.choices.push(Choice::read(value)?),
            "label" => self.labels.push(value.to_owned()),
            "meta" => {
                let (name, value) = value.split_once('=')?;
                self.metadata.push((name.to_owned(), value.to_owned()));
            }
            _ => return None,
        }
        Some(())
    }

    fn read_blocks<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> Option<()> {
        let mut open: Vec<(usize, u32)> = Vec::new(); // blocks around the place, and what follows their last inner block
        let mut place = 0u32;
        let close = |open: &mut Vec<(usize, u32)>, blocks: &mut Vec<OutlineBlock>, place: u32| {
            let (index, rest) = open.pop()?;
            blocks[index].span.end = place.checked_add(rest)?;
            Some(blocks[index].span.end)
        };
        for line in lines {
            let mut reader = LineReader { rest: line };
            let depth = reader.depth()?;
            while open.len() > depth as usize {
                place = close(&mut open, &mut self.blocks, place)?;
            }
            let gap = reader.gap()?;
            let is_around = reader.skip('+');
            let length = reader.number()?;
            let start = place.checked_add(gap)?;
            let span = Span::new(start, if is_around { start } else { start.checked_add(length)? });
            self.blocks.push(reader.block(span, depth)?);
            place = span.end;
            if is_around {
                open.push((self.blocks.len() - 1, length));
            }
        }
        while !open.is_empty() {
            place = close(&mut open, &mut self.blocks, place)?;
        }
        Some(())
    }
}

/// The form of outlines that this code writes.
const FORM: &str = "1";

/// Stands for a block without a label.
const NO_LABEL: char = '-';

impl OutlineBlock {
    /// `label first [+changed/edits] [TAB links [TAB topic]]`: when it changed is a step from when it was first seen, and nothing
    /// where it never did.
    fn write_rest(&self, text: &mut String) {
        let Age { first, changed, edits } = self.age;
        let _ = write!(text, "{}{first}", self.label.map_or(NO_LABEL, letter));
        if (changed, edits) != (first, 0) {
            let _ = write!(text, "+{}/{edits}", changed - first);
        }
        if !self.links.is_empty() || self.topic.is_some() {
            text.push('\t');
        }
        let mut place = self.span.start;
        for (index, link) in self.links.iter().enumerate() {
            let _ = write!(text, "{}{}", if index > 0 { " " } else { "" }, link - place);
            place = *link;
        }
        if let Some(topic) = &self.topic {
            text.push('\t');
            text.extend(topic.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
        }
        text.push('\n');
    }
}

/// Reads the line of a block from left to right.
struct LineReader<'a> {
    rest: &'a str,
}

impl LineReader<'_> {
    fn depth(&mut self) -> Option<u32> {
        let letter = self.rest.chars().next().filter(char::is_ascii_lowercase)?;
        self.rest = &self.rest[1..];
        Some(letter as u32 - u32::from(b'a'))
    }

    fn number(&mut self) -> Option<u32> {
        let end = self.rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok()
    }

    /// A number with a comma behind it, if there is one.
    fn gap(&mut self) -> Option<u32> {
        let before = self.rest;
        if self.rest.starts_with(|letter: char| letter.is_ascii_digit()) {
            let gap = self.number()?;
            if self.skip(',') {
                return Some(gap);
            }
        }
        self.rest = before;
        Some(0)
    }

    fn skip(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// What stands behind the place of a block.
    fn block(&mut self, span: Span, depth: u32) -> Option<OutlineBlock> {
        let label = self.rest.chars().next()?;
        self.rest = &self.rest[label.len_utf8()..];
        let label = match label {
            NO_LABEL => None,
            written => Some(Label::ALL.into_iter().find(|label| letter(*label) == written)?),
        };
        let first = self.number()?;
        let mut age = Age { first, changed: first, edits: 0 };
        if self.skip('+') {
            age.changed = first.checked_add(self.number()?)?;
            age.edits = if self.skip('/') { self.number()? } else { return None };
        }
        let (links, topic) = match self.rest.strip_prefix('\t') {
            Some(rest) => rest.split_once('\t').map_or((rest, None), |(links, topic)| (links, Some(topic.to_owned()))),
            None => (self.rest, None),
        };
        let mut place = span.start;
        let links = links.split(' ').filter(|step| !step.is_empty()).map(|step| {
            place = place.checked_add(step.parse().ok()?)?;
            Some(place)
        });
        let links = links.collect::<Option<_>>()?;
        Some(OutlineBlock { span, depth, label, topic, links, age })
    }
}

/// Depths that have a letter of their own; deeper blocks are left out of outlines.
pub(crate) const DEPTH_MAX: u32 = 25;

/// The letter that stands for a depth.
fn depth_letter(depth: u32) -> char {
    char::from(b'a' + depth.min(DEPTH_MAX) as u8)
}

/// The letter that stands for a label in an outline.
fn letter(label: Label) -> char {
    match label {
        Label::Main => 'm',
        Label::Title => 't',
        Label::Small => 's',
        Label::Meta => 'i',
        Label::Comment => 'c',
        Label::Related => 'r',
        Label::Navigation => 'n',
        Label::Advert => 'a',
        Label::Copyright => '©',
        Label::Noise => 'x',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(span: (u32, u32), depth: u32, links: &[u32]) -> OutlineBlock {
        let age = Age { first: 3, changed: 7, edits: 2 };
        let topic = Some("块 and more".to_owned());
        OutlineBlock {
            span: Span::new(span.0, span.1),
            depth,
            label: Some(Label::Main),
            topic,
            links: links.to_vec(),
            age,
        }
    }

    fn outline() -> Outline {
        Outline {
            method: "bwap".to_owned(),
            level: 2,
            charset: "UTF-8".to_owned(),
            labels: vec!["news".to_owned()],
            metadata: vec![("source".to_owned(), "a=b".to_owned())],
            blocks: vec![
                block((5, 90), 0, &[6]),
                block((10, 20), 1, &[10, 15]),
                block((30, 80), 1, &[]),
                block((90, 95), 0, &[]),
            ],
            ..Outline::default()
        }
    }

    #[test]
    fn an_outline_comes_back_as_it_was() {
        assert_eq!(Outline::read(&outline().write()), Some(outline()));
        assert_eq!(Outline::read(&Outline::default().write()), Some(Outline::default()));
    }

    #[test]
    fn a_block_that_grows_changes_its_own_line_only() {
        let mut grown = outline();
        grown.blocks[1].span.end += 4;
        for block in &mut grown.blocks[2..] {
            block.span = Span::new(block.span.start + 4, block.span.end + 4);
        }
        grown.blocks[0].span.end += 4;
        let (before, after) = (outline().write(), grown.write());
        assert_eq!(before.lines().zip(after.lines()).filter(|(old, new)| old != new).count(), 1);
    }

    #[test]
    fn what_is_no_outline_is_not_read() {
        for text in [
            "",
            "outline 2\n\n",
            "outline 1\nodd line\n\n",
            "outline 1\n\na x\n",
            "outline 1\n\na1,+4000000000m0\na4294967295,9-0\n",
        ] {
            assert_eq!(Outline::read(text), None, "{text:?}");
        }
    }
}
