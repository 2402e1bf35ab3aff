//! The part of a text that best shows why it was found, with what was looked for marked in it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::language::Language;
use crate::tokens::{Token, Tokenizer};

/// Letters of a snippet, about.
const LETTERS: usize = 200;

/// Letters shown before the first mark, at most.
const LETTERS_BEFORE: usize = 40;

/// Bytes of a text that are looked through for the best part.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// A part of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text, on one line, with `…` where it goes on.
    pub text: String,
    /// The bytes of it that were looked for, in order and disjoint.
    pub marks: Vec<Range<usize>>,
}

/// The part of a text that has most of the wanted tokens.
pub(crate) fn snippet(text: &str, language: Language, wanted: &BTreeSet<String>, tokenizer: &Tokenizer) -> Snippet {
    let text = &text[..floor(text, TEXT_BYTES_MAX)];
    let tokens: Vec<Token> =
        tokenizer.tokens(text, language).into_iter().filter(|token| wanted.contains(&token.text)).collect();
    let from = best_start(text, &tokens);
    let start = backwards(text, from, LETTERS_BEFORE);
    let end = forwards(text, start, LETTERS);
    let marks = tokens.iter().map(|token| token.span.clone()).filter(|span| start <= span.start && span.end <= end);
    show(text, start..end, &joined(marks.collect()))
}

/// Where the window with the most different tokens begins; among equals the first.
fn best_start(text: &str, tokens: &[Token]) -> usize {
    let mut inside: HashMap<&str, usize> = HashMap::new();
    let (mut last, mut best, mut start) = (0, 0, 0);
    for token in tokens {
        let window_end = forwards(text, token.span.start, LETTERS - LETTERS_BEFORE);
        while let Some(next) = tokens.get(last).filter(|next| next.span.end <= window_end) {
            *inside.entry(&next.text).or_default() += 1;
            last += 1;
        }
        if inside.len() > best {
            (best, start) = (inside.len(), token.span.start);
        }
        if let Some(count) = inside.get_mut(token.text.as_str()) {
            *count -= 1;
            if *count == 0 {
                inside.remove(token.text.as_str());
            }
        }
    }
    start
}

/// Spans without what they share.
fn joined(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match joined.last_mut().filter(|last| span.start <= last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => joined.push(span),
        }
    }
    joined
}

/// A part of a text on one line.
fn show(text: &str, part: Range<usize>, marks: &[Range<usize>]) -> Snippet {
    let mut snippet = Snippet::default();
    if part.start > 0 {
        snippet.text.push('…');
    }
    let mut place = part.start;
    for mark in marks {
        snippet.text.extend(on_one_line(&text[place..mark.start]));
        let start = snippet.text.len();
        snippet.text.extend(on_one_line(&text[mark.clone()]));
        snippet.marks.push(start..snippet.text.len());
        place = mark.end;
    }
    snippet.text.extend(on_one_line(&text[place..part.end]));
    if part.end < text.len() {
        snippet.text.push('…');
    }
    snippet
}

fn on_one_line(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter })
}

/// So many letters before a place, and then behind the nearest space, so that no word is cut.
fn backwards(text: &str, from: usize, letters: usize) -> usize {
    let before = &text[..from];
    let Some((start, _)) = before.char_indices().rev().take(letters).last() else { return from };
    if start == 0 {
        return 0;
    }
    let space = text[start..from].find(char::is_whitespace).map(|space| start + space + 1);
    space.unwrap_or(start).min(from)
}

/// So many letters behind a place, back to the nearest space within the last twenty.
fn forwards(text: &str, from: usize, letters: usize) -> usize {
    let rest = &text[from..];
    let Some((length, _)) = rest.char_indices().nth(letters) else { return text.len() };
    let part = &rest[..length];
    let tail = part.char_indices().rev().nth(20).map_or(0, |(tail, _)| tail);
    from + part[tail..].rfind(char::is_whitespace).map_or(length, |space| tail + space)
}

fn floor(text: &str, bytes: usize) -> usize {
    text.floor_char_boundary(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &[&str], expected: &str) {
        let wanted = wanted.iter().map(|token| (*token).to_owned()).collect();
        let snippet = snippet(text, Language::of_code("en").expect("known"), &wanted, &Tokenizer::default());
        let mut shown = snippet.text.clone();
        for mark in snippet.marks.iter().rev() {
            shown.insert(mark.end, ']');
            shown.insert(mark.start, '[');
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_was_looked_for_is_marked() {
        check("The keepers keep\nthe light.", &["keeper", "light"], "The [keepers] keep the [light].");
        check("守塔人点亮油灯", &["油灯"], "守塔人点亮[油灯]");
        check("nothing here", &[], "nothing here");
        check("", &["a"], "");
    }

    #[test]
    fn the_part_with_the_most_words_is_shown() {
        let far = "word ".repeat(200);
        let text = format!("light {far} the light of the keeper {far}");
        let wanted = ["light", "keeper"].map(str::to_owned).into();
        let snippet = snippet(&text, Language::of_code("en").expect("known"), &wanted, &Tokenizer::default());
        assert!(snippet.text.contains("the light of the keeper"), "{}", snippet.text);
        assert!(snippet.text.starts_with('…') && snippet.text.ends_with('…'));
        assert!(snippet.text.chars().count() <= LETTERS + 2);
        let marked: Vec<&str> = snippet.marks.iter().map(|mark| &snippet.text[mark.clone()]).collect();
        assert_eq!(marked, ["light", "keeper"]);
    }
}
