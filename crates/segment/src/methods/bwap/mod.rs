//! `bwap`, the partition of the block-based Web archive: walks the document from the top and takes whole every node that
//! Rules 1 to 11 call a block, then does the same inside each block, down to a level.
//!
//! Out comes a tree whose depth is the partition level, with topics.

mod judge;

use kuai_page::{BlockTree, Dom, Edge, NodeId, Page, Span};

use super::nom::body_span;
use super::{Method, Parameter, Settings};
use crate::Segmenter;
use crate::topic::{TopicOptions, topic_of};
use judge::Judge;

pub(super) const METHOD: Method = Method {
    name: "bwap",
    summary: "takes whole nodes that layout and format tags tell to be blocks, level by level, and names their topics",
    origin: "BWAP, a block-based Web archive",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[
        Parameter {
            name: "level",
            symbol: "",
            summary: "partition level: how deep blocks lie in blocks",
            default: 2.0,
            min: 1.0,
            max: 100.0,
        },
        Parameter {
            name: "walk_depth_max",
            symbol: "MaxDepth",
            summary: "how far below the page, or below a block, the walk looks for blocks",
            default: 40.0,
            min: 1.0,
            max: 10_000.0,
        },
        Parameter {
            name: "size_min",
            symbol: "",
            summary: "characters below which a node is no block; an image counts 20",
            default: 20.0,
            min: 0.0,
            max: 1_000_000.0,
        },
        Parameter {
            name: "topic_words_max",
            symbol: "theta",
            summary: "words of a topic, at most; two Chinese characters count as a word",
            default: 10.0,
            min: 1.0,
            max: 1_000.0,
        },
        Parameter {
            name: "topic_text_words_min",
            symbol: "delta",
            summary: "words from which a text is long enough to extract a topic from",
            default: 30.0,
            min: 0.0,
            max: 1_000_000.0,
        },
        Parameter {
            name: "topic_occurrences_min",
            symbol: "epsilon",
            summary: "how often a word must occur to be in an extracted topic",
            default: 3.0,
            min: 1.0,
            max: 1_000_000.0,
        },
    ],
    make: |settings: &Settings| {
        Box::new(Bwap {
            level: settings.get("level") as usize,
            walk_depth_max: settings.get("walk_depth_max") as usize,
            size_min: settings.get("size_min") as u32,
            topic: TopicOptions {
                words_max: settings.get("topic_words_max") as usize,
                text_words_min: settings.get("topic_text_words_min") as usize,
                occurrences_min: settings.get("topic_occurrences_min") as usize,
            },
        })
    },
};

struct Bwap {
    level: usize,
    walk_depth_max: usize,
    size_min: u32,
    topic: TopicOptions,
}

impl Segmenter for Bwap {
    fn cut(&self, page: &Page) -> BlockTree {
        let tree = BlockTree::from_spans(self.partition(page));
        if tree.blocks().is_empty() { BlockTree::from_spans([body_span(page)]) } else { tree }
    }

    fn topic(&self, page: &Page, block: Span) -> Option<String> {
        topic_of(page, block, self.topic)
    }
}

impl Bwap {
    /// The spans of all blocks of all levels.
    fn partition(&self, page: &Page) -> Vec<Span> {
        let dom = page.dom();
        let Some(body) = dom.body() else { return Vec::new() };
        let mut partition = Partition {
            bwap: self,
            dom,
            judge: Judge::read(page, self.size_min),
            open: Vec::new(),
            blocks_open: 0,
            spans: Vec::new(),
        };
        let mut steps = dom.walk(body);
        while let Some(edge) = steps.next() {
            match edge {
                Edge::Enter(node) if dom.is_text(node) => partition.tell_parent(node, false, false),
                Edge::Leave(node) if dom.is_text(node) => {}
                Edge::Enter(node) => {
                    if !partition.enter(node) {
                        steps.skip_children(node);
                    }
                }
                Edge::Leave(node) => partition.leave(node),
            }
        }
        partition.spans
    }
}

/// The walk of Algorithm 1, all levels in one go.
struct Partition<'a> {
    bwap: &'a Bwap,
    dom: Dom<'a>,
    judge: Judge<'a>,
    open: Vec<OpenNode>,
    /// How many of the open nodes are blocks.
    blocks_open: usize,
    spans: Vec<Span>,
}

struct OpenNode {
    is_block: bool,
    /// Depth below the page or the innermost block.
    depth: usize,
    /// Whether the child left last is a block, for Rule 10.
    is_behind_block: bool,
    has_block_below: bool,
    /// Children since the last one with a block in it.
    run: Option<Span>,
    run_size: u32,
}

impl Partition<'_> {
    /// Opens a node; whether the walk goes on below it.
    fn enter(&mut self, node: NodeId) -> bool {
        let verdict = self.judge.of(node);
        let is_behind_block = self.open.last().is_some_and(|parent| parent.is_behind_block);
        // Rule 10, and Rule 11 for the rest.
        let is_block = verdict.is_block || (verdict.is_block_behind_block && is_behind_block);
        let parent_depth = self.open.last().map_or(0, |parent| parent.depth);
        let depth = if is_block { 0 } else { parent_depth + 1 };
        self.blocks_open += usize::from(is_block);
        self.open.push(OpenNode {
            is_block,
            depth,
            is_behind_block: false,
            has_block_below: false,
            run: None,
            run_size: 0,
        });
        verdict.size > 0 && self.blocks_open < self.bwap.level && depth <= self.bwap.walk_depth_max
    }

    fn leave(&mut self, node: NodeId) {
        let Some(mut left) = self.open.pop() else { return };
        let is_page = self.open.is_empty();
        if left.has_block_below || (is_page && !left.is_block) {
            left.end_run(self.bwap.size_min, &mut self.spans);
        }
        self.blocks_open -= usize::from(left.is_block);
        if left.is_block {
            self.spans.push(self.dom.span(node));
        }
        self.tell_parent(node, left.is_block, left.has_block_below);
    }

    /// Tells the open node that a child of it was left.
    fn tell_parent(&mut self, child: NodeId, is_block: bool, has_block_below: bool) {
        let (size, span) = (self.judge.of(child).size, self.dom.span(child));
        let Some(parent) = self.open.last_mut() else { return };
        if is_block || has_block_below {
            parent.end_run(self.bwap.size_min, &mut self.spans);
            parent.has_block_below = true;
        } else if size > 0 && !span.is_empty() {
            parent.run = Some(parent.run.map_or(span, |run| run.union(span)));
            parent.run_size = parent.run_size.saturating_add(size);
        }
        // Text without size stands between blocks without parting them.
        if size > 0 {
            parent.is_behind_block = is_block;
        }
    }
}

impl OpenNode {
    /// Decision: neighbours that no rule takes are one block together, so that pages of plain text and paragraphs, on which
    /// the paper's method fails, are cut as well.
    fn end_run(&mut self, size_min: u32, spans: &mut Vec<Span>) {
        let size = std::mem::take(&mut self.run_size);
        if let Some(run) = self.run.take()
            && size >= size_min
        {
            spans.push(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(u32, &str)]) {
        let page = Page::from_html(source);
        let method = crate::method("bwap").expect("it is in the table");
        let tree = method.segmenter(&method.defaults()).segment(&page);
        let found: Vec<_> = tree.blocks().iter().map(|block| (block.depth, block.span.of(source))).collect();
        assert_eq!(found, expected, "{source}");
    }

    const WORDS: &str = "words enough for a block of its own";

    #[test]
    fn a_layout_node_of_text_and_links_is_a_block() {
        let cell = |words: &str| format!("<td>{words} <b>bold</b></td>");
        let (left, right) = (cell(WORDS), cell("other words, and enough of them too"));
        check(&format!("<table><tr>{left}{right}</tr></table>"), &[(0, &left), (0, &right)]);
    }

    #[test]
    fn format_and_function_nodes_single_children_and_small_nodes_are_no_blocks() {
        // Rules 1 to 5: the whole page is left, as one block.
        for inner in
            ["<b>x <i>y</i></b>", "<a href=x>x <i>y</i></a>", "<div><div>x</div></div>", "<div>x <b>y</b></div>"]
        {
            let page = format!("<body>{inner}<p>{WORDS}</p></body>");
            check(&page, &[(0, &format!("{inner}<p>{WORDS}</p>"))]);
        }
    }

    #[test]
    fn a_child_with_a_color_of_its_own_keeps_its_parent_from_being_a_block() {
        let inner = format!("<div style='background:red'>{WORDS} <b>bold</b></div>");
        let outer = |inner: &str| format!("<div>{WORDS} {inner}</div>");
        let plain = format!("<div>{WORDS} <b>bold</b></div>");
        check(&outer(&plain), &[(0, &outer(&plain)), (1, &format!("{WORDS} ")), (1, &plain)]);
        check(&outer(&inner), &[(0, &format!("{WORDS} ")), (0, &inner)]);
    }

    #[test]
    fn a_node_behind_a_block_is_a_block() {
        let first = format!("<td>{WORDS} <b>bold</b></td>");
        let second = format!("<td>{WORDS}<table><tr><td>a</td><td>b</td></tr></table></td>");
        check(&format!("<table><tr>{first}{second}</tr></table>"), &[(0, &first), (0, &second)]);
    }

    #[test]
    fn blocks_are_cut_again_down_to_the_level() {
        let leaf = |word: &str| format!("<div>{word} {WORDS} <b>bold</b></div>");
        let inner = format!("<div>{WORDS} {}{}</div>", leaf("one"), leaf("two"));
        let page = format!("<div>{WORDS} {inner}</div>");
        check(&page, &[(0, &page), (1, &format!("{WORDS} ")), (1, &inner)]);
    }

    #[test]
    fn text_alone_is_a_block() {
        check(WORDS, &[(0, WORDS)]);
        let paragraphs = format!("<p>{WORDS}</p>\n<p>{WORDS}</p>");
        check(&paragraphs, &[(0, &paragraphs)]);
    }
}
