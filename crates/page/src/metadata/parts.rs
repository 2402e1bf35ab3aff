//! The parts of a title, such as the headline and the name of the site, and how names are compared.
//!
//! In: `雾散了！-健康_雾港网`. Out: its parts in order, each with its place, so that some of them can be told as they stand in the title.

use super::han::is_han;
use super::site;
use crate::text::one_line;

/// Parts of a title that are told apart; titles of more parts are lists of keywords.
const PARTS_MAX: usize = 12;

/// The parts of a title, between signs such as `|` and `-`.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    title: &'a str,
    pub(super) parts: Vec<Part<'a>>,
}

/// A part of a title.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// Where it begins in the title.
    start: usize,
    pub(super) text: &'a str,
    key: String,
    /// Whether what follows is surely something else, and no subtitle behind a colon.
    ends_surely: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn of(title: &'a str) -> Parts<'a> {
        let mut found = Parts { title, parts: Vec::new() };
        let mut start = 0;
        for (place, sign) in title.char_indices() {
            let end = place + sign.len_utf8();
            if found.parts.len() + 1 < PARTS_MAX && parts(sign, &title[..place], &title[end..]) {
                found.push(start, place, !matches!(sign, ':' | '：'));
                start = end;
            }
        }
        found.push(start, title.len(), true);
        found
    }

    fn push(&mut self, start: usize, end: usize, ends_surely: bool) {
        let text = self.title[start..end].trim_start();
        let start = end - text.len();
        let (text, key) = (text.trim_end(), key(text));
        if !key.is_empty() {
            self.parts.push(Part { start, text, key, ends_surely });
        }
    }

    /// The title without what looks like the name of a site at its end: a part behind the last bar, Chinese parts that say so.
    pub(super) fn without_site(&self) -> Option<String> {
        let behind_bar = |index: usize| {
            let between = &self.title[self.parts[index - 1].end()..self.parts[index].start];
            between.contains(['|', '｜', '_'])
        };
        let mut count = self.parts.len();
        if count > 1 && behind_bar(count - 1) {
            count -= 1;
        }
        // What stands behind a colon is what is said, not who says it.
        while count > 1 && site::ends_as_one(self.parts[count - 1].text) && self.parts[count - 2].ends_surely {
            count -= 1;
        }
        match count {
            0 => Some(one_line(self.title)).filter(|title| !title.is_empty()),
            count => Some(self.between(0, count)),
        }
    }

    /// Whether the first parts are this name; a name before a colon is that of a series.
    pub(super) fn has_at_start(&self, name: &str) -> bool {
        row_length(&self.parts, &key(name)).is_some_and(|length| self.parts[length - 1].ends_surely)
    }

    /// Whether so many first parts are more than any part behind them, as the name of a site or a series is not.
    pub(super) fn begins_with_most(&self, count: usize) -> bool {
        let (first, behind) = self.parts.split_at(count);
        let length: usize = first.iter().map(|part| part.key.len()).sum();
        first.last().is_some_and(|last| last.ends_surely) && behind.iter().all(|part| part.key.len() < length)
    }

    /// Whether the first parts are this name, and more than any part behind them.
    pub(super) fn has_most_at_start(&self, name: &str) -> bool {
        row_length(&self.parts, &key(name)).is_some_and(|length| self.begins_with_most(length))
    }

    /// Whether the title is these names and nothing else, one after the other.
    pub(super) fn is_row(&self, names: &[&str]) -> bool {
        let title: String = self.parts.iter().map(|part| part.key.as_str()).collect();
        let rest = names.iter().try_fold(title.as_str(), |rest, name| rest.strip_prefix(key(name).as_str()));
        rest.is_some_and(str::is_empty)
    }

    /// The parts behind those that are this name at the start; a part behind a colon is one of what is said.
    pub(super) fn behind(&self, name: &str) -> &[Part<'a>] {
        let length = row_length(&self.parts, &key(name));
        let length = length.filter(|length| self.parts[length - 1].ends_surely);
        length.map_or(&[], |length| &self.parts[length..])
    }

    /// Whether the last parts are this name.
    pub(super) fn has_at_end(&self, name: &str) -> bool {
        let name = key(name);
        (1..self.parts.len()).any(|first| row_length(&self.parts[first..], &name) == Some(self.parts.len() - first))
    }

    /// Whether some parts together, one after the other, are this name.
    pub(super) fn holds(&self, name: &str) -> bool {
        let name = key(name);
        (0..self.parts.len()).any(|first| row_length(&self.parts[first..], &name).is_some())
    }

    /// The first parts, where they are this name and what follows is something else.
    pub(super) fn start_that_is(&self, name: &str) -> Option<String> {
        let length = row_length(&self.parts, &key(name))?;
        (length < self.parts.len() && self.parts[length - 1].ends_surely).then(|| self.between(0, length))
    }

    /// The title from one part to before another.
    pub(super) fn between(&self, first: usize, end: usize) -> String {
        one_line(&self.title[self.parts[first].start..self.parts[end - 1].end()])
    }
}

impl Part<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// How many of the first parts make up a name.
fn row_length(parts: &[Part<'_>], name: &str) -> Option<usize> {
    let mut rest = name;
    for (index, part) in parts.iter().enumerate() {
        rest = rest.strip_prefix(part.key.as_str())?;
        if rest.is_empty() {
            return Some(index + 1);
        }
    }
    None
}

/// Whether a sign between two texts parts a title: a bar always, a hyphen where a space, Chinese or a sign that ends a
/// sentence, quotation or note stands beside it.
fn parts(sign: char, before: &str, after: &str) -> bool {
    let is_apart = |next: Option<char>| {
        next.is_none_or(|next| next == '-' || next.is_whitespace() || is_han(next) || is_end(next))
    };
    match sign {
        '|' | '｜' | '－' => true,
        '_' => is_apart(before.chars().next_back()) || is_apart(after.chars().next()),
        '·' | '•' | '∙' | '⋆' | '➤' | '»' | '«' | '›' | '‹' => {
            before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace)
        }
        '-' | '–' | '—' | '~' => is_apart(before.chars().next_back()) && is_apart(after.chars().next()),
        ':' => after.starts_with([' ', ':']),
        '：' => true,
        _ => false,
    }
}

/// Whether a sign ends, or begins, what is said in Chinese.
fn is_end(sign: char) -> bool {
    matches!(
        sign,
        '！' | '？'
            | '…'
            | '。'
            | '”'
            | '“'
            | '’'
            | '》'
            | '《'
            | '）'
            | '（'
            | '】'
            | '【'
            | '」'
            | '「'
            | ')'
    )
}

/// What is compared of a name: its letters and figures.
pub(super) fn key(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
