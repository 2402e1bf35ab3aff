//! What stands near a page's title for readers: who wrote it and when. Asked only where the page's head is silent.
//!
//! Only short texts just behind the first heading are looked at: a date in running text is not the page's own.

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};

use super::{date, person};
use crate::text::one_line;

/// What a page shows near its title.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Byline {
    pub(super) author: Option<String>,
    /// In the form of [`date::normalise`].
    pub(super) date: Option<String>,
}

/// Nodes behind the heading that are looked at.
const NODES_MAX: usize = 150;

/// Characters of a text that may be a date line or a byline; longer ones are prose.
const LINE_CHARACTERS_MAX: usize = 120;

/// Reads the byline off a page.
pub(super) fn read(dom: Dom<'_>) -> Byline {
    let mut byline = Byline::default();
    let Some(heading) = first_heading(dom) else { return byline };
    let mut after = dom.walk(dom.root());
    after.by_ref().find(|edge| *edge == Edge::Leave(heading));
    for edge in after.take(NODES_MAX * 2) {
        let Edge::Enter(node) = edge else { continue };
        match (dom.kind(node), dom.tag(node)) {
            (NodeKind::Text, _) if !is_no_text(dom, node) => byline.read_line(&one_line(dom.text(node))),
            (NodeKind::Element, Tag::Article | Tag::H1) => break,
            (NodeKind::Element, _) if byline.author.is_none() && names_author(dom, node) => {
                byline.author = person::shown(&text_below(dom, node));
            }
            _ => {}
        }
        if byline.author.is_some() && byline.date.is_some() {
            break;
        }
    }
    byline
}

impl Byline {
    fn read_line(&mut self, line: &str) {
        if line.is_empty() || line.chars().count() > LINE_CHARACTERS_MAX {
            return;
        }
        if self.date.is_none() {
            self.date = date::find(line).map(|found| found.date);
        }
        if self.author.is_none() {
            self.author =
                ["作者：", "作者:", "文：", "文/", "撰文：", "By ", "by ", "Written by "].iter().find_map(|sign| {
                    let (before, after) = line.split_once(sign)?;
                    let is_own_word = before.is_empty() || before.ends_with([' ', '|', '·', '　']);
                    is_own_word.then(|| person::shown(after))?
                });
        }
    }
}

fn first_heading(dom: Dom<'_>) -> Option<NodeId> {
    let first = |tag: Tag| dom.descendants(dom.root()).find(|&node| dom.tag(node) == tag);
    first(Tag::H1).or_else(|| first(Tag::H2))
}

fn is_no_text(dom: Dom<'_>, text: NodeId) -> bool {
    dom.parent(text).is_some_and(|parent| matches!(dom.tag(parent), Tag::Script | Tag::Style | Tag::Template))
}

/// Whether an element says that it holds the name of who wrote the page.
fn names_author(dom: Dom<'_>, node: NodeId) -> bool {
    let has = |name: &str, words: &[&str]| {
        let value = dom.attribute(node, name).unwrap_or_default();
        value.split_ascii_whitespace().any(|word| words.iter().any(|wanted| word.eq_ignore_ascii_case(wanted)))
    };
    has("itemprop", &["author"])
        || has("rel", &["author"])
        || has(
            "class",
            &["byline", "author", "author-name", "byline-name", "p-author", "article-author", "post-author"],
        )
}

fn text_below(dom: Dom<'_>, root: NodeId) -> String {
    let mut text = String::new();
    for node in dom.descendants(root).take(40).filter(|&node| dom.is_text(node) && !is_no_text(dom, node)) {
        text.push_str(dom.text(node));
        text.push(' ');
        if text.len() > LINE_CHARACTERS_MAX * 4 {
            break;
        }
    }
    one_line(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn check(html: &str, author: Option<&str>, date: Option<&str>) {
        let page = Page::from_html(html);
        let found = read(page.dom());
        assert_eq!((found.author.as_deref(), found.date.as_deref()), (author, date), "{html}");
    }

    #[test]
    fn a_byline_behind_the_heading_names_author_and_date() {
        check("<h1>T</h1><p>By Ines Holm</p><p>March 5, 2024</p>", Some("Ines Holm"), Some("2024-03-05"));
        check(
            "<h1>T</h1><div class=byline>By <a>Ines Holm</a> on 5 March 2024</div>",
            Some("Ines Holm"),
            Some("2024-03-05"),
        );
        check(
            "<h1>标题</h1><div>2024年3月5日 10:20　来源：海港报　作者：王小明</div>",
            Some("王小明"),
            Some("2024-03-05T10:20:00"),
        );
        check(
            "<h1>标题</h1><span class=author>王小明</span><span>发布时间：2024-03-05</span>",
            Some("王小明"),
            Some("2024-03-05"),
        );
        check("<h2>T</h2><span>Updated: Tuesday, 5 March 2024</span>", None, Some("2024-03-05"));
    }

    #[test]
    fn prose_is_no_byline() {
        check("<h1>T</h1><p>By the end of the year all was lost, and nobody knew why it had been so.", None, None);
        let long = "word ".repeat(40);
        check(&format!("<h1>T</h1><p>{long} on March 5, 2024 {long}</p>"), None, None);
        check("<p>March 5, 2024</p><h1>T</h1>", None, None);
        check("<h1>T</h1><script>var d = '2024-03-05'</script>", None, None);
        check("<h1>T</h1><p>by car</p>", None, None);
        check("<p>no heading, March 5, 2024</p>", None, None);
    }
}
