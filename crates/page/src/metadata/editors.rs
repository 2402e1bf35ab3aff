//! The editors whom a Chinese page names (`责任编辑：李大海`): many sites write theirs where metas name the author.

use std::cell::OnceCell;
use std::collections::HashSet;

use kuai_html::{Dom, Edge, NodeKind, Tag};

use super::han::is_han;

/// Words before the name of an editor; `责任编辑` ends in one of them.
const SIGNS: [&str; 3] = ["编辑", "责编", "編輯"];

/// Places that name editors which are looked at.
const PLACES_MAX: usize = 50;

/// Characters behind such a word among which names stand.
const CHARACTERS_MAX: usize = 30;

/// Characters of the longest name.
const NAME_CHARACTERS_MAX: usize = 4;

/// Names behind one word.
const NAMES_MAX: usize = 3;

/// The editors of a page, which is read when one is asked for.
pub(super) struct Editors<'a> {
    dom: Dom<'a>,
    named: OnceCell<Named>,
}

impl<'a> Editors<'a> {
    pub(super) fn of(dom: Dom<'a>) -> Editors<'a> {
        Editors { dom, named: OnceCell::new() }
    }

    /// Whether the page says that a Chinese name is an editor's, the name of the office before it or not (`雾港报李大海`), and does
    /// not sign a text with it.
    pub(super) fn have(&self, name: &str) -> bool {
        if name.is_empty() || !name.chars().all(is_han) {
            return false;
        }
        let named = self.named.get_or_init(|| Named::on(self.dom));
        let is_editor = named.editors.iter().any(|editor| name.ends_with(editor.as_str()));
        is_editor && !named.signatures.contains(name)
    }
}

/// Names on a page.
#[derive(Default)]
struct Named {
    editors: HashSet<String>,
    /// Those in brackets that end a text: `…。（李大海）`.
    signatures: HashSet<String>,
    /// Words for editors seen.
    places: usize,
    /// Whether the last text says that the name of an editor follows.
    is_expected: bool,
}

impl Named {
    fn on(dom: Dom<'_>) -> Named {
        let mut named = Named::default();
        let mut walk = dom.walk(dom.root());
        while let Some(edge) = walk.next() {
            let Edge::Enter(node) = edge else { continue };
            match (dom.kind(node), dom.tag(node)) {
                (_, Tag::Head | Tag::Script | Tag::Style | Tag::Template) => walk.skip_children(node),
                (NodeKind::Text, _) => named.see(dom.text(node).trim()),
                _ => {}
            }
        }
        named
    }

    fn see(&mut self, text: &str) {
        if text.is_empty() || self.places >= PLACES_MAX {
            return;
        }
        if self.is_expected {
            self.editors.extend(first_names(text));
        }
        for sign in SIGNS {
            for (place, _) in text.match_indices(sign).take(PLACES_MAX) {
                self.places += 1;
                self.editors.extend(behind_colon(&text[place + sign.len()..]));
            }
        }
        self.is_expected = SIGNS.iter().any(|sign| text.trim_end_matches(is_colon).ends_with(sign));
        if self.signatures.len() < PLACES_MAX {
            self.signatures.extend(signature(text).map(str::to_owned));
        }
    }
}

/// The name in brackets at the end of a text.
fn signature(text: &str) -> Option<&str> {
    let text = text.strip_suffix(['）', ')'])?;
    let start = text.char_indices().rev().take(NAME_CHARACTERS_MAX + 1).find(|(_, sign)| matches!(sign, '（' | '('))?;
    Some(&text[start.0 + start.1.len_utf8()..]).filter(|name| !name.is_empty() && name.chars().all(is_han))
}

/// The names behind a word for editors, which a colon or space parts from them.
fn behind_colon(behind: &str) -> Vec<String> {
    if behind.starts_with(is_colon) { first_names(behind) } else { Vec::new() }
}

/// The names that a text begins with, up to what else it says.
fn first_names(text: &str) -> Vec<String> {
    let end = text.char_indices().nth(CHARACTERS_MAX).map_or(text.len(), |(end, _)| end);
    let words = text[..end].split(|sign| !is_han(sign)).filter(|word| !word.is_empty());
    let words =
        words.take_while(|word| (2..=NAME_CHARACTERS_MAX).contains(&word.chars().count()) && !SIGNS.contains(word));
    words.take(NAMES_MAX).map(str::to_owned).collect()
}

fn is_colon(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ':' | '：' | '|' | '｜' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn has(html: &str, name: &str) -> bool {
        Editors::of(Page::from_html(html).dom()).have(name)
    }

    #[test]
    fn a_name_behind_a_word_for_editors_is_an_editor() {
        assert!(has("<p>【责任编辑：李大海】", "李大海"));
        assert!(has("<p>责编：<b>李大海</b>", "李大海"));
        assert!(has("<p>编辑：王小明 责任编辑：李大海、林风", "林风"));
        assert!(has("<p>责任编辑:李大海", "雾港报李大海"));
        assert!(!has("<p>雾散了。（李大海）</p><p>责任编辑：李大海", "李大海"));
        assert!(!has("<p>作者：李大海", "李大海"));
        assert!(!has("<p>编辑部李大海说", "李大海"));
        assert!(!has("<p>责任编辑：", "李大海"));
        assert!(!has("<p>责任编辑：Ines Holm", "Ines Holm"));
        assert!(!has("<script>责任编辑：李大海</script>", "李大海"));
    }
}
