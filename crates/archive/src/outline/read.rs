//! Reads an outline from its lines; anything else is told to be none.

use kuai_page::{Label, Span};

use super::{Age, FORM, NO_LABEL, Outline, OutlineBlock, assign_links, letter};
use crate::level::Choice;

impl Outline {
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
        let mut links = Vec::new();
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
            reader.links(span.start, &mut links)?;
            place = span.end;
            if is_around {
                open.push((self.blocks.len() - 1, length));
            }
        }
        while !open.is_empty() {
            place = close(&mut open, &mut self.blocks, place)?;
        }
        assign_links(&links, &mut self.blocks);
        Some(())
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
        let topic = self.rest.splitn(3, '\t').nth(2).map(str::to_owned);
        Some(OutlineBlock { span, depth, label, topic, links: Vec::new(), age })
    }

    /// Adds the links of the line.
    fn links(&self, from: u32, links: &mut Vec<u32>) -> Option<()> {
        let mut place = from;
        let steps = self.rest.split('\t').nth(1).unwrap_or_default();
        for step in steps.split(' ').filter(|step| !step.is_empty()) {
            place = place.checked_add(step.parse().ok()?)?;
            links.push(place);
        }
        Some(())
    }
}
