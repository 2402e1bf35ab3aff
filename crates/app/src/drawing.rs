//! Draws blocks over a page: one self-contained HTML file with the page as captured, scripts off, and a frame around every block.
//!
//! Comments put into the source where blocks begin and end tell the browser which part of the page a block is, so the
//! frames stand where the blocks really are, whatever the layout.

use kuai_page::{BlockTree, Label, Page, TextOptions};
use serde::Serialize;

const TEMPLATE: &str = include_str!("../ui/drawing.html");

/// Characters of a block's text shown in the list.
const PREVIEW_CHARACTERS: usize = 80;

#[derive(Serialize)]
struct Drawing<'a> {
    title: &'a str,
    labels: Vec<&'static str>,
    views: Vec<View>,
}

#[derive(Serialize)]
struct View {
    method: &'static str,
    source: String,
    blocks: Vec<BlockFrame>,
}

#[derive(Serialize)]
struct BlockFrame {
    depth: u32,
    kind: &'static str,
    topic: Option<String>,
    text: String,
    span: [u32; 2],
}

/// Draws the blocks that each of these methods found, side by side.
pub(crate) fn draw(page: &Page, name: &str, trees: &[(&'static str, BlockTree)]) -> String {
    let title = page.metadata().title.as_deref().unwrap_or(name);
    let views = trees.iter().map(|(method, tree)| view(page, method, tree)).collect();
    let labels = Label::ALL.iter().map(|label| label.name()).chain(["block"]).collect();
    let json =
        serde_json::to_string(&Drawing { title, labels, views }).expect("our types hold nothing that JSON cannot say");
    // Inside a script element only `</` and `<!--` would be read as markup.
    let json = json.replace('<', "\\u003c");
    TEMPLATE.replacen("{{data}}", &json, 1)
}

fn view(page: &Page, method: &'static str, tree: &BlockTree) -> View {
    let blocks = tree
        .blocks()
        .iter()
        .map(|block| BlockFrame {
            depth: block.depth,
            kind: block.label.map_or("block", |label| label.name()),
            topic: block.topic.clone(),
            text: preview(&page.text(block.span, TextOptions::default())),
            span: [block.span.start, block.span.end],
        })
        .collect();
    View { method, source: marked_source(page, tree), blocks }
}

/// A text on one line, cut where it gets long.
pub(crate) fn preview(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(PREVIEW_CHARACTERS) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// The source with `<!--kuai 3-->` before block 3 and `<!--/kuai 3-->` behind it, and the page's address as its base.
fn marked_source(page: &Page, tree: &BlockTree) -> String {
    let mut marks: Vec<(u32, u32, String)> = Vec::new();
    for (number, block) in tree.blocks().iter().enumerate() {
        // At one place inner blocks end before outer ones, and all that end do so before others begin.
        marks.push((block.span.start, 1 << 16 | block.depth, format!("<!--kuai {number}-->")));
        marks.push((block.span.end, (1 << 16) - 1 - block.depth.min(1 << 15), format!("<!--/kuai {number}-->")));
    }
    marks.sort_by_key(|(place, order, _)| (*place, *order));
    let source = page.source();
    let mut marked = String::with_capacity(source.len() + marks.len() * 20);
    if let Some(url) = page.url() {
        let address = url.as_str().replace('&', "&amp;").replace('"', "&quot;");
        marked.push_str(&format!("<base href=\"{address}\">"));
    }
    let mut written = 0;
    for (place, _, mark) in marks {
        marked.push_str(&source[written..place as usize]);
        marked.push_str(&mark);
        written = place as usize;
    }
    marked.push_str(&source[written..]);
    marked
}

#[cfg(test)]
mod tests {
    use kuai_page::Span;

    use super::*;

    #[test]
    fn marks_stand_around_blocks_and_nest() {
        let page = Page::from_html("<p>a<p>b");
        let tree = BlockTree::from_spans([Span::new(0, 8), Span::new(0, 4), Span::new(4, 8)]);
        let expected = "<!--kuai 0--><!--kuai 1--><p>a<!--/kuai 1--><!--kuai 2--><p>b<!--/kuai 2--><!--/kuai 0-->";
        assert_eq!(marked_source(&page, &tree), expected);
    }

    #[test]
    fn a_page_cannot_break_out_of_the_drawing() {
        let page = Page::from_html("<title></script><script>alert(1)</script></title><!--");
        let drawing = draw(&page, "page", &[("nom", BlockTree::from_spans([page.span()]))]);
        assert_eq!(drawing.matches("</script>").count(), TEMPLATE.matches("</script>").count());
        assert!(!drawing.contains("alert(1)</script>"));
    }
}
