//! Answers for pages of a site that nobody has cleaned: what the default method keeps, without the lines that the pages share.

use std::collections::HashMap;

use kuai_page::Page;

use crate::{DEFAULT_METHOD, Wanted, method, text};

/// A line on fewer pages says nothing about the frame.
const FRAME_PAGES_MIN: usize = 3;

/// An answer for each page: what differs from page to page is content, what repeats is frame. Empty where a page has none.
pub fn proposed_answers(pages: &[&Page]) -> Vec<String> {
    let method = method(DEFAULT_METHOD).expect("the default method is one of the methods");
    let segmenter = method.segmenter(&method.defaults());
    let texts: Vec<String> =
        pages.iter().map(|page| text(page, &segmenter.judge(page).tree, &Wanted::of(method))).collect();
    let mut page_counts: HashMap<&str, usize> = HashMap::new();
    for text in &texts {
        let mut lines: Vec<&str> = lines(text).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.into_iter().for_each(|line| *page_counts.entry(line).or_default() += 1);
    }
    let is_frame =
        |line: &str| page_counts.get(line).is_some_and(|&count| count >= FRAME_PAGES_MIN && count * 2 >= pages.len());
    texts.iter().map(|text| lines(text).filter(|line| !is_frame(line)).collect::<Vec<_>>().join("\n")).collect()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
