//! A chapter: one page, or several that a "next page" link joins.

use kuai_page::{BlockTree, Page, Url};

use super::clean::clean;
use super::xml;

/// A chapter of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// What the contents list calls it.
    pub title: String,
    /// Its first page.
    pub url: Url,
    /// The main text of each of its pages: a fragment of XHTML that stands on its own.
    pub(super) parts: Vec<String>,
}

/// Characters of a link's text beyond which it is no title.
const TITLE_CHARACTERS_MAX: usize = 120;

impl Chapter {
    /// A chapter without a text so far.
    pub fn new(title: impl Into<String>, url: Url) -> Chapter {
        Chapter { title: title.into(), url, parts: Vec::new() }
    }

    /// Adds the main text of a page that lies at `url`, as its labelled blocks tell it.
    pub fn add_page(&mut self, page: &Page, blocks: &BlockTree, url: &Url) {
        let part = clean(&kuai_segment::html(page, blocks, &kuai_segment::Wanted::default()), url);
        // The title stands above the chapter already.
        let part = if self.parts.is_empty() { without_title(&part, &self.title) } else { &part };
        self.parts.push(part.to_owned());
    }
}

/// What to call a chapter: the text of the link that leads to it, unless that says nothing or is cut short; then the title of its page
/// without the name of the site.
pub fn chapter_title(link_text: &str, page_title: Option<&str>, site: Option<&str>) -> String {
    let link_text = squeeze(link_text);
    let page_title = without_site(&squeeze(page_title.unwrap_or_default()), site);
    let stem = link_text.trim_end_matches(['.', '…']);
    let is_cut_short = stem.len() < link_text.len() && page_title.starts_with(stem.trim_end());
    let says_nothing =
        !link_text.chars().any(char::is_alphanumeric) || link_text.chars().count() > TITLE_CHARACTERS_MAX;
    match (is_cut_short || says_nothing) && !page_title.is_empty() {
        true => page_title,
        false => link_text,
    }
}

/// Without the last part, where that names the site: `Chapter 1 - The Library`.
fn without_site(title: &str, site: Option<&str>) -> String {
    let Some(site) = site.map(squeeze).filter(|site| !site.is_empty()) else { return title.to_owned() };
    let is_border =
        |character: char| character.is_whitespace() || matches!(character, '-' | '–' | '—' | '|' | '_' | '·' | ':');
    let before = title.strip_suffix(&site).filter(|before| before.ends_with(is_border));
    let before = before.map_or(title, |before| before.trim_end_matches(is_border));
    if before.is_empty() { title.to_owned() } else { before.to_owned() }
}

/// Without the heading it opens with, where that is the title.
fn without_title<'a>(part: &'a str, title: &str) -> &'a str {
    let heading = ["h3", "h4", "h5", "h6"].iter().find_map(|tag| {
        let inside = part.strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?;
        inside.split_once(&format!("</{tag}>\n"))
    });
    match heading {
        Some((heading, rest)) if heading == xml::escape(&squeeze(title)) => rest,
        _ => part,
    }
}

/// With single spaces.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(link_text: &str, page_title: &str, site: &str, expected: &str) {
        assert_eq!(chapter_title(link_text, Some(page_title), Some(site)), expected);
    }

    #[test]
    fn the_text_of_the_link_is_the_title() {
        check(" 第一章\n 灯塔 ", "第一章 灯塔_长夜_书库", "书库", "第一章 灯塔");
        assert_eq!(chapter_title("One", None, None), "One");
    }

    #[test]
    fn where_the_link_says_nothing_the_page_has_the_title_without_its_site() {
        check(">>", "The lamp - Old Books", "Old Books", "The lamp");
        check("…", "Old Books", "Old Books", "Old Books");
        check("—", "A stitch in time", "time", "A stitch in");
    }

    #[test]
    fn a_link_that_is_cut_short_gives_way_to_the_whole_title() {
        check("A night in the…", "A night in the lighthouse | Old Books", "Old Books", "A night in the lighthouse");
        check("Wait...", "Chapter 5", "Old Books", "Wait...");
    }
}
