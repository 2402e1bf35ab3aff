//! Draws blocks over a page: one self-contained HTML file with the page as captured, scripts off, and a frame around every block.
//!
//! Comments put into the source where blocks begin and end tell the browser which part of the page a block is, so the
//! frames stand where the blocks really are, whatever the layout.

use kuai::marked_source;
use kuai_page::{Block, BlockTree, Label, Page, Span, TextOptions};
use serde::Serialize;

const TEMPLATE: &str = include_str!("../ui/drawing.html");

/// Characters of a block's text shown in the list.
const PREVIEW_CHARACTERS: usize = 80;

/// A page with blocks drawn over it, once for each way of looking at it.
#[derive(Serialize)]
pub(crate) struct Drawing<'a> {
    pub(crate) title: &'a str,
    /// What there is to know about the whole, in a line.
    pub(crate) about: String,
    pub(crate) look: Look,
    /// What the colours stand for.
    pub(crate) groups: Vec<Group>,
    pub(crate) views: Vec<View>,
}

/// What blocks look like.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Look {
    /// Framed and numbered.
    Frames,
    /// Tinted all over.
    HeatMap,
}

/// Blocks of one colour.
#[derive(Serialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// As in CSS.
    pub(crate) colour: String,
}

/// One way of looking at a page.
#[derive(Serialize)]
pub(crate) struct View {
    pub(crate) name: String,
    /// The page, marked by [`based_source`].
    pub(crate) source: String,
    /// The blocks in the order of their marks.
    pub(crate) blocks: Vec<DrawnBlock>,
}

#[derive(Serialize)]
pub(crate) struct DrawnBlock {
    pub(crate) depth: u32,
    /// The name of its group.
    pub(crate) group: String,
    /// What the list calls it.
    pub(crate) name: String,
    /// What the list says below the name.
    pub(crate) preview: String,
    /// What is told beside the block when it is pointed at.
    pub(crate) about: String,
}

/// Draws the blocks that each of these methods found, side by side.
pub(crate) fn draw(page: &Page, name: &str, trees: &[(&'static str, BlockTree)]) -> String {
    let group = |name: &str| Group { name: name.to_owned(), colour: format!("var(--{name})") };
    Drawing {
        title: page.metadata().title.as_deref().unwrap_or(name),
        about: String::new(),
        look: Look::Frames,
        groups: Label::ALL.iter().map(|label| group(label.name())).chain([group("block")]).collect(),
        views: trees.iter().map(|(method, tree)| view(page, method, tree)).collect(),
    }
    .to_html()
}

impl Drawing<'_> {
    /// The drawing as one HTML file.
    pub(crate) fn to_html(&self) -> String {
        let json = serde_json::to_string(self).expect("our types hold nothing that JSON cannot say");
        // Inside a script element only `</` and `<!--` would be read as markup.
        TEMPLATE.replacen("{{data}}", &json.replace('<', "\\u003c"), 1)
    }
}

fn view(page: &Page, method: &'static str, tree: &BlockTree) -> View {
    let drawn = |(number, block): (usize, &Block)| {
        let kind = block.label.map_or("block", |label| label.name());
        let text = preview(&page.text(block.span, TextOptions::default()));
        let topic = block.topic.as_ref().map_or(String::new(), |topic| format!(", {topic}"));
        let Span { start, end } = block.span;
        DrawnBlock {
            depth: block.depth,
            group: kind.to_owned(),
            name: format!("{number} {kind}"),
            about: format!("{number} {kind}{topic}: bytes {start} to {end}. {text}"),
            preview: block.topic.clone().unwrap_or(text),
        }
    };
    View {
        name: method.to_owned(),
        source: based_source(page, tree.blocks().iter().map(|block| (block.span, block.depth))),
        blocks: tree.blocks().iter().enumerate().map(drawn).collect(),
    }
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

/// The source with marks around its blocks, and the page's address as its base. Blocks come as where they are and how many lie around them.
pub(crate) fn based_source(page: &Page, blocks: impl Iterator<Item = (Span, u32)>) -> String {
    let marked = marked_source(page.source(), blocks);
    let Some(url) = page.url() else { return marked };
    let address = url.as_str().replace('&', "&amp;").replace('"', "&quot;");
    format!("<base href=\"{address}\">{marked}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_break_out_of_the_drawing() {
        let page = Page::from_html("<title></script><script>alert(1)</script></title><!--");
        let drawing = draw(&page, "page", &[("nom", BlockTree::from_spans([page.span()]))]);
        assert_eq!(drawing.matches("</script>").count(), TEMPLATE.matches("</script>").count());
        assert!(!drawing.contains("alert(1)</script>"));
    }
}
