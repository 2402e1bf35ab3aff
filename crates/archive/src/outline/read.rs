//! Reads an outline from its lines; anything else is told to be none.

use kuai_page::{Label, Span};

use super::numbers::{take_flags, take_number};
use super::{Age, FORM, NO_LABEL, Outline, OutlineBlock, assign_links, label_number};
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
            let mut line = line;
            let (depth, [is_around, has_gap]) = take_flags(&mut line)?;
            while open.len() > depth as usize {
                place = close(&mut open, &mut self.blocks, place)?;
            }
            let gap = if has_gap { take_number(&mut line)? } else { 0 };
            let length = take_number(&mut line)?;
            let start = place.checked_add(gap)?;
            let span = Span::new(start, if is_around { start } else { start.checked_add(length)? });
            self.blocks.push(read_block(span, depth, &mut line)?);
            read_links(line, start, &mut links)?;
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

/// Reads what stands behind the place of a block, up to its links.
fn read_block(span: Span, depth: u32, line: &mut &str) -> Option<OutlineBlock> {
    let (label, [_, has_changed]) = take_flags(line)?;
    let label = match label {
        NO_LABEL => None,
        number => Some(Label::ALL.into_iter().find(|label| label_number(*label) == number)?),
    };
    let first = take_number(line)?;
    let mut age = Age { first, changed: first, edits: 0 };
    if has_changed {
        age.changed = first.checked_add(take_number(line)?)?;
        age.edits = take_number(line)?;
    }
    let topic = line.splitn(3, '\t').nth(2).map(str::to_owned);
    Some(OutlineBlock { span, depth, label, topic, links: Vec::new(), age })
}

/// Adds the links of a line.
fn read_links(line: &str, from: u32, links: &mut Vec<u32>) -> Option<()> {
    let mut place = from;
    let mut steps = line.split('\t').nth(1).unwrap_or_default();
    while !steps.is_empty() {
        place = place.checked_add(take_number(&mut steps)?)?;
        links.push(place);
    }
    Some(())
}
