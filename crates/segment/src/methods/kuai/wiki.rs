//! What wikis put around a text: boxes of links to other articles, categories, notes of those who write it, where it was printed from. Most wikis run on
//! MediaWiki, which calls these parts alike on all of them, and labelled pages have too few wikis to learn that from.

use super::names::word_of_name;
use super::others::drop_unless_little_is_left;
use super::outline::Outline;

/// What such elements are called, each a word of a class or id.
const NAMES: [&[u8]; 5] = [b"navbox", b"catlinks", b"printfooter", b"ambox", b"sistersitebox"];
/// What is not to be printed, where any of the others are.
const UNPRINTED: &[u8] = b"noprint";

/// Takes what is none of a wiki's text out of it.
pub(super) fn drop_parts_of_wikis(outline: &Outline, kept: &mut [bool]) {
    let names = NAMES.map(word_of_name);
    let is_called = |element: u32, is_such: &dyn Fn(u32) -> bool| {
        outline.names_of(outline.elements[element as usize].names).iter().any(|&name| is_such(name))
    };
    let elements = 0..outline.elements.len() as u32;
    let is_of_wiki = |name: u32| names.contains(&name);
    if !elements.clone().any(|element| is_called(element, &is_of_wiki)) {
        return;
    }
    let unprinted = word_of_name(UNPRINTED);
    let is_part = outline.with_all_inside(|element| is_called(element, &|name| is_of_wiki(name) || name == unprinted));
    drop_unless_little_is_left(outline, kept, |index| is_part[outline.units[index].element as usize]);
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    fn left_of(html: &str) -> Vec<String> {
        let page = Page::from_html(html);
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let mut kept = vec![true; outline.units.len()];
        drop_parts_of_wikis(&outline, &mut kept);
        let left = outline.units.iter().zip(kept).filter(|(_, kept)| *kept);
        left.map(|(unit, _)| outline.text_of(unit).to_owned()).collect()
    }

    const TEXT: &str = "The lighthouse stands at the end of the pier, and it has been lit every night since then.";

    #[test]
    fn boxes_of_links_categories_and_notes_are_no_text_of_a_wiki() {
        let page = format!(
            "<div class=noprint>From the free book</div><table class='plainlinks ambox'><td>This needs sources</table><p>{TEXT}</p>\
             <table class=navbox><td><a href=x>Lamps</a></table><div id=catlinks>Categories: Light</div>"
        );
        assert_eq!(left_of(&page), [TEXT]);
    }

    #[test]
    fn what_is_not_to_be_printed_stays_elsewhere() {
        assert_eq!(left_of(&format!("<div class=noprint>Hello</div><p>{TEXT}")).len(), 2);
    }
}
