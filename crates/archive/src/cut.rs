//! Cuts a page into the blocks that the archive keeps: those of a method down to a level, and the paragraphs of what is read.

use kuai_page::{Block, BlockTree, Dom, Edge, Label, NodeId, Page, Span, Tag};

use crate::outline::{Age, DEPTH_MAX, OutlineBlock, assign_links};

/// Cuts pages for the archive, which knows no methods itself.
pub trait Cutter: Send + Sync {
    /// The labelled blocks of a page by the method of this name, without topics; `None` where there is none.
    fn cut(&self, page: &Page, method: &str) -> Option<BlockTree>;

    /// What a block is about by the method of this name, where that says so.
    fn topic(&self, page: &Page, method: &str, block: Span) -> Option<String>;

    /// The method of pages that no rule gives another.
    fn default_method(&self) -> &str;
}

/// Blocks of one version, at most: a page that has more is one block, and paragraphs beyond stay uncut.
const BLOCKS_MAX: usize = 20_000;

/// Innermost blocks up to this many bytes have no topic written down: the topic around them, or their first words, tells enough.
const SELF_EVIDENT_BYTES: u32 = 1024;

/// The blocks of a page, without ages; those that keep a topic are named by `topic_of`, which is dear.
pub(crate) fn cut(
    page: &Page,
    tree: &BlockTree,
    level: u32,
    topic_of: impl Fn(Span) -> Option<String>,
) -> Vec<OutlineBlock> {
    let mut tree = tree.to_level(level.min(DEPTH_MAX));
    if tree.blocks().len() > BLOCKS_MAX {
        tree = BlockTree::from_spans([page.span()]);
    }
    let paragraphs = paragraphs(page.dom());
    let mut blocks = Vec::new();
    for (index, block) in tree.blocks().iter().enumerate() {
        let index_here = blocks.len();
        blocks.push(outline_block(block));
        let is_leaf = tree.is_leaf(index);
        if is_leaf && is_read(block.label) && blocks.len() + paragraphs.len() < BLOCKS_MAX {
            add_paragraphs(block, &paragraphs, &mut blocks);
        }
        let is_innermost = is_leaf && blocks.len() == index_here + 1;
        if !is_innermost || block.span.len() > SELF_EVIDENT_BYTES {
            blocks[index_here].topic = topic_of(block.span);
        }
    }
    add_links(page.dom(), &mut blocks);
    blocks
}

fn outline_block(block: &Block) -> OutlineBlock {
    OutlineBlock {
        span: block.span,
        depth: block.depth,
        label: block.label,
        topic: None,
        links: Vec::new(),
        age: Age::default(),
    }
}

/// Whether people read such a block from the beginning to the end, and so ask who wrote which paragraph when.
fn is_read(label: Option<Label>) -> bool {
    !matches!(label, Some(Label::Navigation | Label::Advert | Label::Copyright | Label::Noise))
}

/// Adds the paragraphs inside a block, where there are several.
fn add_paragraphs(block: &Block, paragraphs: &[Span], blocks: &mut Vec<OutlineBlock>) {
    let first = paragraphs.partition_point(|paragraph| paragraph.start < block.span.start);
    let last = first + paragraphs[first..].partition_point(|paragraph| paragraph.end <= block.span.end);
    if last - first < 2 {
        return;
    }
    let inside = |span: &Span| OutlineBlock { span: *span, depth: block.depth + 1, ..outline_block(block) };
    blocks.extend(paragraphs[first..last].iter().map(inside));
}

/// The innermost elements that hold a paragraph each: disjoint, in source order.
fn paragraphs(dom: Dom<'_>) -> Vec<Span> {
    let Some(body) = dom.body() else { return Vec::new() };
    let mut spans = Vec::new();
    let mut text_count = 0;
    let mut open: Vec<(usize, usize)> = Vec::new(); // how many paragraphs and texts there were when each open element began
    for edge in dom.walk(body) {
        match edge {
            Edge::Enter(node) if dom.is_text(node) => {
                text_count += usize::from(!dom.text(node).trim_start().is_empty());
            }
            Edge::Enter(_) => open.push((spans.len(), text_count)),
            Edge::Leave(node) if dom.is_text(node) => {}
            Edge::Leave(node) => {
                let (inner_from, text_from) = open.pop().expect("what is left was entered");
                if is_list(dom.tag(node)) && is_short(&spans[inner_from..]) {
                    spans.truncate(inner_from);
                }
                if inner_from == spans.len() && text_from < text_count && holds_paragraph(dom, node) {
                    spans.push(dom.span(node));
                }
            }
        }
    }
    // Elements that the parser moved do not stand where their span does.
    spans.sort_unstable_by_key(|span: &Span| (span.start, span.end));
    let mut end = 0;
    spans.retain(|span| {
        let is_apart = span.start >= end && !span.is_empty();
        end = if is_apart { span.end } else { end };
        is_apart
    });
    spans
}

/// Bytes of the items of a list, on average, up to which it is read as one paragraph.
const SHORT_ITEM_BYTES: u32 = 64;

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table)
}

fn is_short(items: &[Span]) -> bool {
    items.iter().map(|item| item.len()).sum::<u32>() <= SHORT_ITEM_BYTES * items.len() as u32
}

fn holds_paragraph(dom: Dom<'_>, node: NodeId) -> bool {
    let is_paragraph = matches!(
        dom.tag(node),
        Tag::P
            | Tag::Li
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::Blockquote
            | Tag::Pre
            | Tag::Tr
            | Tag::Dt
            | Tag::Dd
            | Tag::Figcaption
            | Tag::Caption
            | Tag::Address
            | Tag::Div
            | Tag::Section
            | Tag::Article
    );
    (is_paragraph || is_list(dom.tag(node))) && dom.start_tag(node).is_some()
}

/// Gives every block its links.
fn add_links(dom: Dom<'_>, blocks: &mut [OutlineBlock]) {
    let is_link =
        |node: &NodeId| matches!(dom.tag(*node), Tag::A | Tag::Area) && dom.attribute(*node, "href").is_some();
    let mut starts: Vec<u32> = dom.descendants(dom.root()).filter(is_link).map(|node| dom.span(node).start).collect();
    starts.sort_unstable();
    assign_links(&starts, blocks);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(html: &str, tree: &BlockTree) -> Vec<(String, u32, usize)> {
        let page = Page::from_html(html);
        let blocks = cut(&page, tree, 9, |_| None);
        blocks.iter().map(|block| (block.span.of(html).to_owned(), block.depth, block.links.len())).collect()
    }

    #[test]
    fn a_block_that_is_read_is_cut_into_its_paragraphs() {
        let html = "<div><p>One <a href=1>a</a></p><p>two</div>";
        let tree = BlockTree::from_spans([Span::new(0, html.len() as u32)]);
        let expected = [(html, 0, 0), ("<p>One <a href=1>a</a></p>", 1, 1), ("<p>two", 1, 0)];
        assert_eq!(spans(html, &tree), expected.map(|(text, depth, links)| (text.to_owned(), depth, links)));
    }

    #[test]
    fn a_list_of_short_items_is_one_paragraph() {
        let item = "a long item about many things, which is read by itself and edited by itself";
        let html = format!("<div><p>One</p><ul><li>a<li>b</ul><ul><li>{item}</li></ul></div>");
        let tree = BlockTree::from_spans([Span::new(0, html.len() as u32)]);
        let found: Vec<_> = spans(&html, &tree).into_iter().skip(1).map(|(text, _, _)| text).collect();
        assert_eq!(found, ["<p>One</p>", "<ul><li>a<li>b</ul>", &format!("<li>{item}</li>")]);
    }

    #[test]
    fn a_page_of_too_many_blocks_is_one() {
        let html = "<b>x</b>".repeat(BLOCKS_MAX + 1);
        let starts = (0..html.len() as u32).step_by(8);
        let tree = BlockTree::from_spans(starts.map(|start| Span::new(start, start + 8)));
        assert_eq!(spans(&html, &tree), [(html, 0, 0)]);
    }

    #[test]
    fn only_blocks_that_keep_a_topic_are_asked_for_it() {
        let parts = ["<p>short</p>", "<div><p>one<p>two</div>", &format!("<p>{}</p>", "long ".repeat(300))];
        let ends = parts.iter().scan(0, |end, part| {
            *end += part.len() as u32;
            Some(*end)
        });
        let spans = ends.zip(&parts).map(|(end, part)| Span::new(end - part.len() as u32, end));
        let tree = BlockTree::from_spans(spans);
        let page = Page::from_html(&parts.concat());
        let blocks = cut(&page, &tree, 9, |span| Some(format!("at {}", span.start)));
        let topics: Vec<_> = blocks.iter().map(|block| block.topic.as_deref()).collect();
        assert_eq!(topics, [None, Some("at 12"), None, None, Some("at 35")]);
    }

    #[test]
    fn a_list_of_links_stays_whole() {
        let html = "<ul><li><a href=1>a</a><li><a href=2>b</a></ul>";
        let tree = BlockTree::from_labelled([(Span::new(0, html.len() as u32), Some(Label::Navigation))]);
        assert_eq!(spans(html, &tree), [(html.to_owned(), 0, 2)]);
    }
}
