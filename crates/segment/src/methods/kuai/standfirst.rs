//! The paragraph between an article's title and its text that says what it is about. Decision: it is part of the text. Labelled pages are not of one
//! mind: all lines of `snippets` that stand there are wanted, of `wcxb` and `articles` one in five is, so the model leaves most of them out.

use kuai_page::Tag;

use super::model::Judgement;
use super::outline::{Outline, Unit};

/// Units between the title and the first one that is kept, at most.
const REACH_MAX: usize = 25;
/// Words of a standfirst and how likely it is main text, at least: shorter lines are bylines, dates and captions as often.
const LENGTH_MIN: f32 = 20.0;
const LIKELY_MIN: f32 = 0.3;
/// The share of it that may be linked.
const LINK_MAX: f32 = 0.2;
/// What ends a sentence.
const ENDS: [char; 10] = ['.', '!', '?', '…', '»', '”', '"', '。', '！', '？'];

/// Keeps what stands between the title of an article and its text and reads as a standfirst.
pub(super) fn keep_standfirst(outline: &Outline, judgement: &Judgement, title: Option<usize>, kept: &mut [bool]) {
    let units = &outline.units;
    let Some(title) = title.filter(|&title| judgement.is_article() && outline.tag_of(&units[title]) == Tag::H1) else {
        return;
    };
    let Some(between) = kept[title + 1..].iter().take(REACH_MAX).position(|kept| *kept) else { return };
    for index in title + 1..=title + between {
        kept[index] |= judgement.likely[index] >= LIKELY_MIN && is_standfirst(outline, &units[index]);
    }
}

fn is_standfirst(outline: &Outline, unit: &Unit) -> bool {
    unit.text.length >= LENGTH_MIN
        && unit.text.link < LINK_MAX
        && outline.tag_of(unit) != Tag::Figcaption
        && outline.text_of(unit).trim_end().ends_with(ENDS)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::subject::Subject;
    use super::*;

    const STANDFIRST: &str = "For a hundred and fifty years a light has burnt at the end of the pier, and now the town has to decide who will keep it.";

    /// Whether what stands between the title and the text is kept, on a page that is as likely an article.
    fn is_kept(between: &str, likely: f32, article: f32) -> bool {
        let page =
            Page::from_html(&format!("<h1>The lighthouse of Corrow</h1>{between}<p>It stands at the end of the pier."));
        let outline = Outline::read(&page, &Subject::of(&Default::default()));
        let likely = vec![0.0, likely, 0.9];
        let types = vec![article, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 - article];
        let mut kept = vec![false, false, true];
        keep_standfirst(&outline, &Judgement { types, likely, is_chinese: false }, Some(0), &mut kept);
        kept[1]
    }

    #[test]
    fn the_standfirst_of_an_article_is_kept() {
        assert!(is_kept(&format!("<p>{STANDFIRST}</p>"), 0.3, 0.9));
        assert!(is_kept(&format!("<h2>{STANDFIRST}</h2>"), 0.3, 0.9));
    }

    #[test]
    fn captions_teasers_and_bylines_are_none() {
        assert!(!is_kept(&format!("<figcaption>{STANDFIRST}</figcaption>"), 0.3, 0.9));
        assert!(!is_kept(&format!("<p><a href=/1>{STANDFIRST}</a></p>"), 0.3, 0.9));
        assert!(!is_kept("<p>By Ann Lee, who has lived in Corrow for twenty years.</p>", 0.3, 0.9));
    }

    #[test]
    fn it_is_left_to_the_model_where_that_is_sure_or_the_page_is_no_article() {
        assert!(!is_kept(&format!("<p>{STANDFIRST}</p>"), 0.2, 0.9));
        assert!(!is_kept(&format!("<p>{STANDFIRST}</p>"), 0.3, 0.5));
    }
}
