//! Writes an outline as lines.

use super::numbers::{put_flags, put_number};
use super::{Age, DEPTH_MAX, FORM, NO_LABEL, Outline, OutlineBlock, label_number};

/// About how many bytes the line of a block takes.
const LINE_BYTES_EXPECTED: usize = 16;

impl Outline {
    /// Writes the outline as lines.
    pub(crate) fn write(&self) -> String {
        let mut text = String::with_capacity(LINE_BYTES_EXPECTED * (self.blocks.len() + 4));
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
            let is_leaf = self.is_leaf(index);
            let length = if is_leaf { block.span.len() } else { block.span.end - self.last_inside(index) };
            block.write_place(block.span.start - place, length, !is_leaf, text);
            block.write_label_and_age(text);
            if is_leaf {
                place = block.span.end;
            } else {
                open.push(block.span.end);
                place = block.span.start;
            }
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
    /// `depth [gap] length`: how far from the place before it begins, and how long it is; of a block with others inside, how much
    /// of it follows the last of them.
    fn write_place(&self, gap: u32, length: u32, is_around: bool, text: &mut String) {
        put_flags(self.depth.min(DEPTH_MAX), [is_around, gap > 0], text);
        if gap > 0 {
            put_number(gap, text);
        }
        put_number(length, text);
    }

    /// `label first [changed edits]`: when it changed is a step from when it was first seen, and nothing where it never did.
    fn write_label_and_age(&self, text: &mut String) {
        let Age { first, changed, edits } = self.age;
        let has_changed = (changed, edits) != (first, 0);
        put_flags(self.label.map_or(NO_LABEL, label_number), [false, has_changed], text);
        put_number(first, text);
        if has_changed {
            put_number(changed - first, text);
            put_number(edits, text);
        }
    }

    /// `[TAB links [TAB topic]]`: the links up to where the next line's block begins, each as a step from the one before.
    fn write_links_and_topic(&self, links: &[u32], text: &mut String) {
        if !links.is_empty() || self.topic.is_some() {
            text.push('\t');
        }
        let mut place = self.span.start;
        for link in links {
            put_number(link - place, text);
            place = *link;
        }
        if let Some(topic) = &self.topic {
            text.push('\t');
            text.extend(topic.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
        }
        text.push('\n');
    }
}
