//! `btls`: cuts the page as a string of lines, without a DOM. Learns how long this page's titles are, and lets each title
//! open a content block.
//!
//! In goes the source alone; out come content blocks, disjoint and in order, that begin and end at tag borders. Takes
//! linear time and memory.

mod borders;
mod pieces;
mod rows;
mod titles;

use std::ops::Range;

use kuai_page::{BlockTree, Page};

use super::{Method, Parameter, Settings};
use crate::Segmenter;
use borders::Borders;
use rows::{Row, rows};
use titles::TextBlock;

pub(super) const METHOD: Method = Method {
    name: "btls",
    summary: "cuts the source, line by line, at the titles whose length it learns from the page",
    origin: "BTLS, Web page segmentation based on title learning",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[
        Parameter {
            name: "block_rows",
            symbol: "N",
            summary: "lines of a row block; as many blank lines part two blocks",
            default: 3.0,
            min: 1.0,
            max: 100.0,
        },
        Parameter {
            name: "title_length_max",
            symbol: "C",
            summary: "characters of a title, at most; a word counts two",
            default: 9.0,
            min: 1.0,
            max: 1_000.0,
        },
        Parameter {
            name: "pattern_weight",
            symbol: "a1",
            summary: "weight of the most frequent length of lines that stand alone, against the mean of headings",
            default: 0.35,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "tolerance",
            symbol: "delta",
            summary: "characters by which a title may be shorter or longer than learnt",
            default: 2.0,
            min: 0.0,
            max: 1_000.0,
        },
        Parameter {
            name: "short_length_max",
            symbol: "M",
            summary: "characters up to which a block near a title is a title too; a word counts two",
            default: 12.0,
            min: 0.0,
            max: 1_000.0,
        },
    ],
    make: |settings: &Settings| Box::new(Btls::new(settings)),
};

struct Btls {
    block_rows: u32,
    title_length_max: u32,
    pattern_weight: f64,
    tolerance: f64,
    short_length_max: u32,
}

impl Segmenter for Btls {
    fn cut(&self, page: &Page) -> BlockTree {
        let (rows, body_start) = rows(page.source(), self.block_rows);
        let blocks = self.text_blocks(&rows);
        let contents = join_titles(&blocks, content_blocks(&blocks, &rows));
        let borders = Borders::new(page.source(), &rows, body_start);
        let tree = BlockTree::from_spans(contents.into_iter().map(|content| {
            let rows = blocks[content.start].rows.start..blocks[content.end - 1].rows.end;
            borders.span(rows)
        }));
        if tree.blocks().is_empty() { BlockTree::from_spans([page.span()]) } else { tree }
    }
}

impl Btls {
    fn new(settings: &Settings) -> Btls {
        Btls {
            block_rows: settings.get("block_rows") as u32,
            title_length_max: settings.get("title_length_max") as u32,
            pattern_weight: settings.get("pattern_weight"),
            tolerance: settings.get("tolerance"),
            short_length_max: settings.get("short_length_max") as u32,
        }
    }

    #[cfg(test)]
    fn with_defaults() -> Btls {
        let method = crate::method("btls").expect("it is in the table");
        Btls::new(&method.defaults())
    }
}

/// Content blocks as ranges of blocks: each from a title to the next title that stands less deep than the block before
/// it. What stands before the first title is one.
fn content_blocks(blocks: &[TextBlock], rows: &[Row]) -> Vec<Range<usize>> {
    let depth = |index: usize| rows[blocks[index].rows.start].depth;
    let mut contents: Vec<Range<usize>> = Vec::new();
    let mut is_titled = false;
    for (index, block) in blocks.iter().enumerate() {
        let opens = block.is_title && (!is_titled || depth(index) < depth(index - 1));
        is_titled |= block.is_title;
        match contents.last_mut() {
            Some(content) if !opens => content.end = index + 1,
            _ => contents.push(index..index + 1),
        }
    }
    contents
}

/// Joins content blocks that are nothing but titles with the one that follows.
fn join_titles(blocks: &[TextBlock], contents: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    let mut is_only_titles = false;
    for content in contents {
        let holds_only_titles = blocks[content.clone()].iter().all(|block| block.is_title);
        match joined.last_mut() {
            Some(last) if is_only_titles => last.end = content.end,
            _ => joined.push(content),
        }
        is_only_titles = holds_only_titles;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let page = Page::from_html(source);
        let tree = Btls::with_defaults().segment(&page);
        let found: Vec<_> = tree.blocks().iter().map(|block| block.span.of(source)).collect();
        assert_eq!(found, expected);
    }

    const LIST: &str = "<ul>\n<li>第一条比较长的内容在这里</li>\n<li>第二条比较长的内容在这里</li>\n</ul>";

    #[test]
    fn a_title_opens_a_content_block_that_ends_at_tag_borders() {
        let panel = |title: &str| format!("<div class=panel>\n<h3>{title}</h3>\n{LIST}\n</div>");
        let page = format!("<body>\n<div>\n{}\n{}\n</div>\n</body>", panel("文章分类"), panel("最新评论"));
        check(&page, &[&panel("文章分类"), &panel("最新评论")]);
    }

    #[test]
    fn a_minified_page_is_cut_as_well() {
        let list = LIST.replace('\n', "").replace("</ul>", &format!("<li>{}</ul>", "很长的一条".repeat(30)));
        let panel = |title: &str| format!("<div class=panel><h3>{title}</h3>{list}</div>");
        let page = format!("<body><div>{}{}</div>", panel("文章分类"), panel("最新评论"));
        check(&page, &[&panel("文章分类"), &panel("最新评论")]);
    }

    #[test]
    fn what_stands_before_the_first_title_is_a_block() {
        let head = "<div>这里是网站的页眉，它没有标题，只有一些说明文字</div>";
        let panel = format!("<div><h3>文章分类</h3>\n{LIST}</div>");
        check(&format!("<body>{head}\n\n\n\n{panel}</body>"), &[head, &panel]);
    }

    #[test]
    fn titles_in_a_row_belong_to_what_follows() {
        let panel = format!("<div><h3>文章分类</h3>\n<h4>本月</h4>\n{LIST}</div>");
        check(&panel, &[&panel]);
    }

    #[test]
    fn a_page_without_titles_is_one_block() {
        check("只有一行文字，没有标题，也没有标签", &["只有一行文字，没有标题，也没有标签"]);
    }
}
