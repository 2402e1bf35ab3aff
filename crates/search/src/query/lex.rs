//! Cuts a query into its signs, each with its place.

use std::ops::Range;

use super::{PARTS_MAX, QUERY_BYTES_MAX};

/// A query that cannot be read: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct QueryError {
    /// What is wrong.
    pub what: String,
    /// The bytes of the query that are meant.
    pub span: Range<usize>,
}

/// A sign of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Word(String),
    Phrase(String),
    /// `name:`, right before its value.
    Field(String),
    And,
    Or,
    /// `-` or `NOT`.
    Not,
    Open,
    Close,
}

/// The signs of a query.
pub(super) fn lex(query: &str) -> Result<Vec<(Sign, Range<usize>)>, QueryError> {
    if query.len() > QUERY_BYTES_MAX {
        let what = format!("a query may have {QUERY_BYTES_MAX} bytes; this one has {}", query.len());
        return Err(QueryError { what, span: 0..0 });
    }
    let mut signs: Vec<(Sign, Range<usize>)> = Vec::new();
    let mut place = 0;
    while let Some(letter) = query[place..].chars().next() {
        let start = place;
        let sign = match letter {
            _ if letter.is_whitespace() => {
                place += letter.len_utf8();
                continue;
            }
            '(' => Sign::Open,
            ')' => Sign::Close,
            '-' if query[place + 1..].starts_with(|next: char| !next.is_whitespace()) => Sign::Not,
            '"' | '“' | '”' | '「' => {
                let (text, end) = phrase(query, place, letter)?;
                place = end;
                signs.push((Sign::Phrase(text), start..place));
                continue;
            }
            _ => {
                let (sign, end) = word(query, place)?;
                place = end;
                signs.push((sign, start..place));
                continue;
            }
        };
        place += letter.len_utf8();
        signs.push((sign, start..place));
    }
    let is_part = |sign: &Sign| matches!(sign, Sign::Word(_) | Sign::Phrase(_));
    match signs.iter().filter(|(sign, _)| is_part(sign)).nth(PARTS_MAX) {
        None => Ok(signs),
        Some((_, span)) => {
            let what = format!("a query may have {PARTS_MAX} words; they end here");
            Err(QueryError { what, span: span.clone() })
        }
    }
}

/// The text between two quotation marks, and where it ends.
fn phrase(query: &str, start: usize, mark: char) -> Result<(String, usize), QueryError> {
    let from = start + mark.len_utf8();
    let is_end = |letter: char| match mark {
        '"' => letter == '"',
        '「' => letter == '」',
        _ => matches!(letter, '“' | '”'),
    };
    let unclosed = || QueryError { what: "this quotation is not closed".to_owned(), span: start..from };
    let end = from + query[from..].find(is_end).ok_or_else(unclosed)?;
    let closed = end + query[end..].chars().next().map_or(0, char::len_utf8);
    let text = query[from..end].trim();
    if text.is_empty() {
        return Err(QueryError { what: "there is nothing in this quotation".to_owned(), span: start..closed });
    }
    Ok((text.to_owned(), closed))
}

/// A word, a field's name, or a word that joins others.
fn word(query: &str, start: usize) -> Result<(Sign, usize), QueryError> {
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '"' | '“' | '”' | '「');
    let end = query[start..].find(is_end).map_or(query.len(), |length| start + length);
    let word = &query[start..end];
    if let Some(name) = field_name(word) {
        return Ok((Sign::Field(name.to_owned()), start + name.len() + 1));
    }
    if let Some(star) = word.find('*') {
        let what = "there are no wildcards: words are found in all their forms as they are".to_owned();
        return Err(QueryError { what, span: start + star..start + star + 1 });
    }
    let sign = match word {
        "AND" => Sign::And,
        "OR" => Sign::Or,
        "NOT" => Sign::Not,
        word => Sign::Word(word.to_owned()),
    };
    Ok((sign, end))
}

/// The name in `name:value`; a time of day or an address is none.
fn field_name(word: &str) -> Option<&str> {
    let (name, value) = word.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_name && !value.starts_with("//")).then_some(name)
}
