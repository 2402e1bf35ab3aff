//! Cuts a page into a layout and its blocks. Putting the blocks back yields the source, byte for byte.

use encoding_rs::Encoding;
use kuai_html::Span;

use crate::{BlockTree, Label, Page, encode};

/// The source with its blocks taken out, and the places where they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    /// What remains of the source.
    pub frame: String,
    /// Where in the frame each block goes, in order; several may share a place.
    pub slots: Vec<u32>,
}

/// A block taken out of a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CutBlock {
    /// Its source.
    pub content: String,
    /// What it is for.
    pub label: Option<Label>,
    /// What it is about.
    pub topic: Option<String>,
}

/// One URL at one time: the layout, the blocks, and what is needed to give the bytes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The page without its blocks.
    pub layout: Layout,
    /// The blocks, one per slot.
    pub blocks: Vec<CutBlock>,
    /// The charset of the body.
    pub encoding: &'static Encoding,
    /// Whether a byte-order mark stood before the text.
    pub bom: bool,
    /// The body as it came, where the text cannot be turned back into it.
    pub raw: Option<Vec<u8>>,
}

impl Version {
    /// Takes the innermost blocks of `tree` out of the page.
    pub fn cut(page: &Page, tree: &BlockTree) -> Version {
        let (layout, blocks) = cut(page.source(), tree);
        Version {
            layout,
            blocks,
            encoding: page.encoding(),
            bom: page.decoded().bom,
            raw: page.raw().map(<[u8]>::to_vec),
        }
    }

    /// The page's source, with the blocks back in their places.
    pub fn rebuild(&self) -> String {
        let content_bytes: usize = self.blocks.iter().map(|block| block.content.len()).sum();
        let mut source = String::with_capacity(self.layout.frame.len() + content_bytes);
        let mut taken = 0;
        for (slot, block) in self.layout.slots.iter().zip(&self.blocks) {
            source.push_str(&self.layout.frame[taken..*slot as usize]);
            source.push_str(&block.content);
            taken = *slot as usize;
        }
        source.push_str(&self.layout.frame[taken..]);
        source
    }

    /// The captured body, byte for byte.
    pub fn body(&self) -> Vec<u8> {
        match &self.raw {
            Some(raw) => raw.clone(),
            None => encode(&self.rebuild(), self.encoding, self.bom)
                .expect("decoding found the text to be reversible, or else the raw body was kept"),
        }
    }
}

fn cut(source: &str, tree: &BlockTree) -> (Layout, Vec<CutBlock>) {
    let mut layout = Layout::default();
    let mut blocks = Vec::new();
    let mut taken = 0;
    for block in tree.leaves() {
        layout.frame.push_str(Span::new(taken, block.span.start).of(source));
        layout.slots.push(layout.frame.len() as u32);
        blocks.push(CutBlock {
            content: block.span.of(source).to_owned(),
            label: block.label,
            topic: block.topic.clone(),
        });
        taken = block.span.end;
    }
    layout.frame.push_str(&source[taken as usize..]);
    (layout, blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_blocks_is_all_layout() {
        let page = Page::from_html("<p>one");
        let version = Version::cut(&page, &BlockTree::default());
        assert_eq!(version.layout.frame, "<p>one");
        assert_eq!(version.rebuild(), "<p>one");
    }

    #[test]
    fn blocks_that_touch_share_a_place_in_the_frame() {
        let page = Page::from_html("<b>1</b><b>2</b>!");
        let tree = BlockTree::from_spans([Span::new(0, 8), Span::new(8, 16)]);
        let version = Version::cut(&page, &tree);
        assert_eq!((version.layout.frame.as_str(), version.layout.slots.as_slice()), ("!", [0, 0].as_slice()));
        assert_eq!(version.rebuild(), page.source());
    }
}
