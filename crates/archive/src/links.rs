//! The links of a version, block by block, read from where its outline says they begin.

use kuai_html::{Tag, TokenKind, tokens};
use kuai_page::{Page, Url};

use crate::archive::{CutPage, Snapshot};
use crate::outline::Outline;

/// A link out of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockLink {
    /// The index of the innermost block that it stands in, in the outline.
    pub block: usize,
    /// The address as written.
    pub href: String,
    /// Where it leads, where that can be told.
    pub url: Option<Url>,
    /// What it says.
    pub text: String,
}

impl Snapshot {
    /// The links of all blocks, in the order of the outline.
    pub fn links(&self) -> Vec<BlockLink> {
        links(&self.page(), &self.outline)
    }
}

impl CutPage {
    /// The links of all blocks, in the order of the outline.
    pub fn links(&self) -> Vec<BlockLink> {
        links(&self.page, &self.outline)
    }
}

fn links(page: &Page, outline: &Outline) -> Vec<BlockLink> {
    let Some(url) = page.url() else { return Vec::new() };
    let base = outline.base.as_ref().and_then(|base| url.join(base).ok());
    let base = base.as_ref().unwrap_or(url);
    let mut links = Vec::new();
    for (block, known) in outline.blocks.iter().enumerate() {
        for start in &known.links {
            let source = page.source().get(*start as usize..known.span.end as usize);
            if let Some((href, text)) = source.and_then(read_link) {
                links.push(BlockLink { block, url: base.join(&href).ok(), href, text });
            }
        }
    }
    links
}

/// The address and the text of the link that a source begins with.
fn read_link(source: &str) -> Option<(String, String)> {
    let mut tokens = tokens(source);
    let TokenKind::StartTag(tag) = tokens.next()?.kind else { return None };
    let href = tag.attribute("href")?.into_owned();
    let mut text = String::new();
    for token in tokens {
        match token.kind {
            TokenKind::Text(part) => text.push_str(&part),
            TokenKind::EndTag(tag) | TokenKind::StartTag(tag) if tag.tag == Tag::A => break,
            _ => {}
        }
    }
    Some((href, text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_ends_where_it_ends_or_the_next_begins() {
        let expected = Some(("/a?b&c".to_owned(), "One two".to_owned()));
        assert_eq!(read_link("<a href='/a?b&amp;c'>One\n <b>two</b></a> three"), expected);
        assert_eq!(read_link("<a href='/a?b&amp;c'>One two<a href=x>three"), expected);
        assert_eq!(read_link("text"), None);
    }
}
