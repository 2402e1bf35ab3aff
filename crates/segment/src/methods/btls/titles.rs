//! Joins rows into blocks and learns which blocks are titles, by how long the titles of this page are.

use std::ops::Range;

use super::Btls;
use super::rows::Row;

/// A maximal run of rows without a zero row block between them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextBlock {
    /// Its rows.
    pub(super) rows: Range<usize>,
    /// Its characters.
    pub(super) length: u32,
    /// Whether it is a title.
    pub(super) is_title: bool,
}

/// How many blocks away a title makes a short block a title too.
const NEIGHBOURS: usize = 3;

impl Btls {
    /// The blocks of a page, titles told apart.
    pub(super) fn text_blocks(&self, rows: &[Row]) -> Vec<TextBlock> {
        let mut blocks = self.join_rows(rows);
        let single: Vec<bool> = blocks.iter().map(|block| self.is_candidate(block)).collect();
        for block in &mut blocks {
            block.is_title =
                block.length <= self.title_length_max && rows[block.rows.clone()].iter().all(|row| row.is_heading);
        }
        if let Some((least, greatest)) = self.title_lengths(&blocks, &single) {
            for (block, is_candidate) in blocks.iter_mut().zip(single) {
                block.is_title |= is_candidate && (least..=greatest).contains(&f64::from(block.length));
            }
        }
        self.add_neighbours(&mut blocks);
        blocks
    }

    fn join_rows(&self, rows: &[Row]) -> Vec<TextBlock> {
        let mut blocks: Vec<TextBlock> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let is_apart = index == 0 || row.number - rows[index - 1].number > self.block_rows;
            match blocks.last_mut() {
                Some(block) if !is_apart => {
                    block.rows.end = index + 1;
                    block.length = block.length.saturating_add(row.length);
                }
                _ => blocks.push(TextBlock { rows: index..index + 1, length: row.length, is_title: false }),
            }
        }
        blocks
    }

    /// The set P of the paper: row-block lengths read (0, n, n, n, 0), so the block is a single row.
    // Decision: the paper gives the pattern once with one zero at its end and once with two; one is enough, as `</h3><ul>`
    // and the first item leave just that.
    fn is_candidate(&self, block: &TextBlock) -> bool {
        block.rows.len() == 1 && block.length <= self.title_length_max
    }

    /// The least and the greatest length of this page's titles, C1 and C2 in the paper.
    fn title_lengths(&self, blocks: &[TextBlock], is_candidate: &[bool]) -> Option<(f64, f64)> {
        let candidates = blocks.iter().zip(is_candidate).filter(|(_, is_candidate)| **is_candidate);
        let frequent = most_frequent(candidates.map(|(block, _)| block.length), self.title_length_max);
        let headings = blocks.iter().filter(|block| block.is_title).map(|block| f64::from(block.length));
        let (count, sum) = headings.fold((0.0, 0.0), |(count, sum), length| (count + 1.0, sum + length));
        let mean = (count > 0.0).then(|| sum / count);
        let learnt = match (frequent, mean) {
            (Some(frequent), Some(mean)) => self.pattern_weight * frequent + (1.0 - self.pattern_weight) * mean,
            (frequent, mean) => frequent.or(mean)?,
        };
        let least = (learnt - self.tolerance).max(0.0);
        let greatest = (learnt + self.tolerance).min(f64::from(self.title_length_max));
        Some((least, greatest))
    }

    /// Short blocks near a title are titles too.
    // Decision: near a title that the lengths gave; one found here draws in no further ones.
    fn add_neighbours(&self, blocks: &mut [TextBlock]) {
        let titles: Vec<usize> = (0..blocks.len()).filter(|&index| blocks[index].is_title).collect();
        for title in titles {
            let last = (title + NEIGHBOURS).min(blocks.len() - 1);
            for block in &mut blocks[title.saturating_sub(NEIGHBOURS)..=last] {
                block.is_title |= block.length <= self.short_length_max;
            }
        }
    }
}

/// The length that occurs most often; of several the longest, since single characters are mostly marks and numbers.
fn most_frequent(lengths: impl Iterator<Item = u32>, length_max: u32) -> Option<f64> {
    let mut counts = vec![0u32; length_max as usize + 1];
    for length in lengths {
        counts[length as usize] += 1;
    }
    let (length, &count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    (count > 0).then_some(length as f64)
}

#[cfg(test)]
mod tests {
    use super::super::rows::rows;
    use super::*;

    fn check(source: &str, expected: &[(u32, bool)]) {
        let btls = Btls::with_defaults();
        let (rows, _) = rows(source, btls.block_rows);
        let blocks = btls.text_blocks(&rows);
        let found: Vec<_> = blocks.iter().map(|block| (block.length, block.is_title)).collect();
        assert_eq!(found, expected, "{source:?}");
    }

    const BODY: &str = "\n\n\n\n这里是一段比标题长得多的正文\n它有两行\n\n\n\n";

    #[test]
    fn the_length_of_titles_is_learnt_from_single_rows() {
        let page = format!("文章分类{BODY}最新评论{BODY}友情链接{BODY}");
        check(&page, &[(4, true), (18, false), (4, true), (18, false), (4, true), (18, false)]);
    }

    #[test]
    fn headings_weigh_more_than_the_pattern() {
        // K = 0.35 * 2 + 0.65 * 8 = 5.9, so that 2 lies out of reach, but for being near a title.
        let page = format!("<h3>这是八个字的标题</h3>{BODY}{BODY}{BODY}{BODY}二字{BODY}");
        check(&page, &[(8, true), (18, false), (18, false), (18, false), (18, false), (2, false), (18, false)]);
    }

    #[test]
    fn a_short_block_near_a_title_is_one_too() {
        let page = format!("<h3>新闻</h3>{BODY}十个字的短正文在此处{BODY}");
        check(&page, &[(2, true), (18, false), (10, true), (18, false)]);
    }

    #[test]
    fn long_headings_are_no_titles() {
        check("<h1>这个标题实在太长了不能算数</h1>", &[(13, false)]);
    }
}
