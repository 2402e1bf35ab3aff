//! Writes an outline as lines.

use std::fmt::Write;

use super::{Age, DEPTH_MAX, FORM, NO_LABEL, Outline, OutlineBlock, letter};

impl Outline {
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
        let mut links: Vec<u32> = self.blocks.iter().flat_map(|block| block.links.iter().copied()).collect();
        links.sort_unstable();
        let mut links = links.as_slice();
        let mut open: Vec<u32> = Vec::new(); // the ends of the blocks around the place
        let mut place = 0;
        for (index, block) in self.blocks.iter().enumerate() {
            while open.len() > block.depth as usize {
                place = open.pop().expect("just counted");
            }
            block.write_place(block.span.start - place, text);
            if self.is_leaf(index) {
                let _ = write!(text, "{}", block.span.len());
                place = block.span.end;
            } else {
                let _ = write!(text, "+{}", block.span.end - self.last_inside(index));
                open.push(block.span.end);
                place = block.span.start;
            }
            block.write_label_and_age(text);
            let next_start = self.blocks.get(index + 1).map_or(u32::MAX, |next| next.span.start);
            let (here, later) = links.split_at(links.partition_point(|link| *link < next_start));
            links = later;
            block.write_links_and_topic(here, text);
        }
    }

    /// Where the last block directly inside a block ends.
    fn last_inside(&self, index: usize) -> u32 {
        let block = &self.blocks[index];
        let inside = self.blocks[index + 1..].iter().take_while(|inner| inner.depth > block.depth);
        inside.filter(|inner| inner.depth == block.depth + 1).last().map_or(block.span.start, |inner| inner.span.end)
    }
}

impl OutlineBlock {
    /// `depth [gap,]`, with a letter for the depth.
    fn write_place(&self, gap: u32, text: &mut String) {
        text.push(char::from(b'a' + self.depth.min(DEPTH_MAX) as u8));
        if gap > 0 {
            let _ = write!(text, "{gap},");
        }
    }

    /// `label first [+changed/edits]`: when it changed is a step from when it was first seen, and nothing where it never did.
    fn write_label_and_age(&self, text: &mut String) {
        let Age { first, changed, edits } = self.age;
        let _ = write!(text, "{}{first}", self.label.map_or(NO_LABEL, letter));
        if (changed, edits) != (first, 0) {
            let _ = write!(text, "+{}/{edits}", changed - first);
        }
    }

    /// `[TAB links [TAB topic]]`: the links up to where the next line's block begins, each as a step from the one before.
    fn write_links_and_topic(&self, links: &[u32], text: &mut String) {
        if !links.is_empty() || self.topic.is_some() {
            text.push('\t');
        }
        let mut place = self.span.start;
        for (index, link) in links.iter().enumerate() {
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
