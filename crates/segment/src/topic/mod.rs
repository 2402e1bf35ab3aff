//! The topic of a block, after BWAP: found where some text stands out, extracted from frequent words where none does.
//!
//! The same block of the same page always gives the same topic, in time that is linear in what is looked at.

mod words;

use std::borrow::Cow;

use kuai_page::{Color, Gap, Page, Span, TextOptions};

use words::{frequent, has_more_words, trim};

/// What steers the choice of a topic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopicOptions {
    /// Words of a topic, at most; θ in the paper. Two Chinese characters count as a word.
    pub(crate) words_max: usize,
    /// Words from which a text is long enough to extract a topic from; δ in the paper.
    pub(crate) text_words_min: usize,
    /// How often a word must occur to be in an extracted topic; ε in the paper.
    pub(crate) occurrences_min: usize,
}

/// Runs of text that are looked at in a block; nested blocks share their text, so this keeps deep trees linear.
const RUNS_MAX: usize = 200;

/// Bytes of text that are looked at in a block.
const BYTES_MAX: usize = 8_000;

/// Lines from the top among which a topic that is set apart stands.
const EARLY_LINES: usize = 3;

/// How much larger than most of the text a font must be to stand out.
const FONT_RATIO_MIN: f32 = 1.05;

/// The topic of a span; `None` where it shows no text.
pub(crate) fn topic_of(page: &Page, span: Span, options: TopicOptions) -> Option<String> {
    let lines = lines(page, span);
    let found = standing_out(&lines, options).map(|line| fit(&line.text, options.words_max));
    let topic = found.or_else(|| extract(&lines, options))?;
    Some(topic).filter(|topic| !topic.is_empty())
}

/// A line of a block with how it looks.
#[derive(Clone, Debug, Default)]
struct Line<'a> {
    text: Cow<'a, str>,
    font_size: f32,
    is_bold: bool,
    is_link: bool,
    color: Color,
    /// Whether a blank line follows.
    is_apart: bool,
}

fn lines(page: &Page, span: Span) -> Vec<Line<'_>> {
    let (dom, flow, styles) = (page.dom(), page.flow(), page.styles());
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut bytes_left = BYTES_MAX;
    for piece in flow.pieces(dom, span, TextOptions::default()).take(RUNS_MAX) {
        let style = styles.of(piece.run.node);
        let text = &piece.text[..piece.text.floor_char_boundary(bytes_left)];
        bytes_left -= text.len();
        if piece.gap >= Gap::Cell || lines.is_empty() {
            if let Some(last) = lines.last_mut() {
                last.is_apart = piece.gap == Gap::Paragraph;
            }
            lines.push(Line { color: style.color, is_bold: true, is_link: true, ..Line::default() });
        }
        if let Some(line) = lines.last_mut() {
            let gap = if piece.gap == Gap::Space { " " } else { "" };
            // Most lines are one piece, and nothing is copied: adding to an empty text takes the other as it is.
            line.text += gap;
            line.text += text.trim();
            line.font_size = line.font_size.max(style.font_size);
            line.is_bold &= style.font_weight >= 600;
            line.is_link &= piece.run.linked;
        }
        if bytes_left == 0 {
            break;
        }
    }
    lines.retain(|line| line.text.contains(char::is_alphanumeric));
    lines
}

/// The line in the largest font; or bold, apart or in a colour of its own, and early.
fn standing_out<'a, 'p>(lines: &'a [Line<'p>], options: TopicOptions) -> Option<&'a Line<'p>> {
    let common_size = most(lines, |line| line.font_size.to_bits()).map(f32::from_bits)?;
    let largest = lines.iter().map(|line| line.font_size).fold(0.0, f32::max);
    if largest > common_size * FONT_RATIO_MIN {
        return lines.iter().find(|line| line.font_size == largest);
    }
    let is_bold = most(lines, |line| line.is_bold)?;
    let color = most(lines, |line| line.color)?;
    let mut early = lines.iter().take(EARLY_LINES.min(lines.len() - 1));
    let is_short = |line: &Line<'_>| !has_more_words(&line.text, options.words_max);
    early.find(|line| {
        let has_own_color = line.color != color && !line.is_link;
        is_short(line) && ((line.is_bold && !is_bold) || line.is_apart || has_own_color)
    })
}

/// What most of the text has.
fn most<T: PartialEq + Copy>(lines: &[Line<'_>], of: impl Fn(&Line<'_>) -> T) -> Option<T> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for line in lines {
        let value = of(line);
        match counts.iter_mut().find(|(other, _)| *other == value) {
            Some((_, count)) => *count += line.text.len(),
            None => counts.push((value, line.text.len())),
        }
    }
    counts.iter().rev().max_by_key(|(_, count)| *count).map(|(value, _)| *value)
}

fn fit(text: &str, words_max: usize) -> String {
    if has_more_words(text, words_max) {
        trim(text, words_max)
    } else {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn extract(lines: &[Line<'_>], options: TopicOptions) -> Option<String> {
    let text = lines.iter().map(|line| &*line.text).collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return None;
    }
    let is_long = options.text_words_min == 0 || has_more_words(&text, options.text_words_min - 1);
    let frequent = is_long.then(|| frequent(&text, options.words_max, options.occurrences_min)).flatten();
    Some(frequent.unwrap_or_else(|| fit(lines.first().map_or("", |line| &line.text), options.words_max)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: TopicOptions = TopicOptions { words_max: 10, text_words_min: 30, occurrences_min: 3 };

    fn check(html: &str, expected: Option<&str>) {
        let page = Page::from_html(html);
        assert_eq!(topic_of(&page, page.span(), OPTIONS).as_deref(), expected, "{html}");
    }

    #[test]
    fn the_largest_font_is_the_topic() {
        check("<div>before<h2>The  moon</h2><p>It is far away, they say.</p></div>", Some("The moon"));
    }

    #[test]
    fn a_bold_line_at_the_top_is_the_topic() {
        check("<div><b>文章分类</b><ul><li>甲乙丙丁戊己庚辛<li>甲乙丙丁戊己庚辛</ul></div>", Some("文章分类"));
    }

    #[test]
    fn a_line_of_another_color_is_the_topic() {
        check(
            "<div><div style='color:red'>News</div><div>much more text in black than in red</div></div>",
            Some("News"),
        );
    }

    #[test]
    fn a_long_topic_is_trimmed_of_stop_words() {
        check(
            "<h1>The history of the moon and of the sun and the stars and all the other lights in the sky at night</h1>x",
            Some("history moon sun stars lights sky night"),
        );
    }

    #[test]
    fn frequent_words_are_the_topic_of_plain_text() {
        let text =
            "the rocket flew and the rockets came back to earth while a rocket on earth waited for earth to turn ";
        check(&text.repeat(2), Some("rocket earth"));
        let text = "今天登月火箭发射了，人们都在看登月火箭，登月火箭飞得很高。".repeat(3);
        check(&text, Some("今天登月火箭发射了"));
    }

    #[test]
    fn no_text_no_topic() {
        check("<img src=x>", None);
        check("***", None);
    }
}
