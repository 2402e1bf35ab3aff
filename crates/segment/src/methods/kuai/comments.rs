//! What readers wrote about a text, where the page calls it comments. The model keeps it where the text itself is short. In threads it is what
//! the page is there for, and so it is where hardly anything else is kept.

use super::model::Judgement;
use super::names::word_of_name;
use super::others::drop_unless_little_is_left;
use super::outline::Outline;

/// What such elements are called.
const NAMES: [&[u8]; 2] = [b"comment", b"comments"];

/// The share of the other text that may stand behind the first comment: between questions and answers comments are part of them.
const BEHIND_SHARE_MAX: f32 = 0.25;

/// Takes comments out of main text.
pub(super) fn drop_comments(outline: &Outline, judgement: &Judgement, title: Option<usize>, kept: &mut [bool]) {
    if judgement.may_be_forum() {
        return;
    }
    let names = NAMES.map(word_of_name);
    let holds_title = around(outline, title);
    let is_comment = outline.with_all_inside(|element| {
        let called = outline.names_of(outline.elements[element as usize].names);
        called.iter().any(|name| names.contains(name)) && !holds_title.contains(&element)
    });
    let is_comment = |index: usize| is_comment[outline.units[index].element as usize];
    if !are_between_text(outline, kept, is_comment) {
        drop_unless_little_is_left(outline, kept, is_comment);
    }
}

fn are_between_text(outline: &Outline, kept: &[bool], is_comment: impl Fn(usize) -> bool) -> bool {
    let first = (0..kept.len()).find(|&index| is_comment(index)).unwrap_or(kept.len());
    let words = |from: usize| -> f32 {
        let others = (from..kept.len()).filter(|&index| kept[index] && !is_comment(index));
        others.map(|index| outline.units[index].text.length).sum()
    };
    words(first) > BEHIND_SHARE_MAX * words(0)
}

/// The elements around the title: what holds it may be called after the comments that it has.
fn around(outline: &Outline, title: Option<usize>) -> Vec<u32> {
    let parent = |&element: &u32| Some(outline.parent(element)).filter(|parent| *parent != element);
    std::iter::successors(title.map(|title| outline.units[title].element), parent).collect()
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const ARTICLE: usize = 0;
    const FORUM: usize = 3;
    const TEXT: &str =
        "<p>The lighthouse stands at the end of the pier, and it has been lit every night since then.</p>";
    const COMMENT: &str =
        "<li class=\"comment depth-1\"><p>I lived there as a child, and the lamp was never lit on Sundays.</p>";

    /// How many units are left of a page of some type, the first being its title.
    fn left(html: &str, page_type: usize) -> usize {
        let page = Page::from_html(html);
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let types = (0..7).map(|index| if index == page_type { 1.0 } else { 0.0 }).collect();
        let mut kept = vec![true; outline.units.len()];
        let judgement = Judgement { types, likely: vec![0.9; kept.len()], is_chinese: false };
        drop_comments(&outline, &judgement, Some(0), &mut kept);
        kept.iter().filter(|kept| **kept).count()
    }

    #[test]
    fn comments_below_a_text_go_however_sure_the_model_is_of_them() {
        let page = format!("<h1>The lighthouse</h1>{TEXT}<ol>{}</ol>", COMMENT.repeat(3));
        assert_eq!(left(&page, ARTICLE), 2);
        assert_eq!(left(&page.replace("comment", "story"), ARTICLE), 5);
    }

    #[test]
    fn comments_stay_where_they_are_what_the_page_is_there_for() {
        assert_eq!(left(&format!("<h1>The lighthouse</h1>{TEXT}<ol>{}</ol>", COMMENT.repeat(3)), FORUM), 5);
        assert_eq!(left(&format!("<h1>The lighthouse</h1><ol>{}</ol>", COMMENT.repeat(3)), ARTICLE), 4);
    }

    #[test]
    fn comments_between_questions_and_answers_stay() {
        let list = format!("<ol>{COMMENT}</ol>");
        assert_eq!(left(&format!("<h1>The lighthouse</h1>{TEXT}{list}{TEXT}{list}"), ARTICLE), 5);
    }

    #[test]
    fn what_holds_the_title_is_no_comment() {
        let about = "<p>All about lamps and those who kept them in the old days.</p>";
        let page = format!("<article class=has-comments><h1>The lighthouse</h1>{TEXT}</article>{about}");
        assert_eq!(left(&page, ARTICLE), 3);
    }
}
