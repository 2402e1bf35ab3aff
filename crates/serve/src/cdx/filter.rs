//! Which lines are left out: by what a field says, or because the line before says the same.

use regex::{Regex, RegexBuilder};

use super::line::{Line, field_name};
use crate::refusal::Refusal;

/// Bytes that a compiled expression may take.
const EXPRESSION_BYTES_MAX: usize = 1 << 20;

/// `filter=[!][=|~]field:value`: a field that contains, is (`=`), or begins with what an expression finds (`~`), or does not (`!`).
#[derive(Debug)]
pub(super) struct Filter {
    /// Empty for the line as a whole.
    field: String,
    test: Test,
    is_inverted: bool,
}

#[derive(Debug)]
enum Test {
    Contains(String),
    Is(String),
    Matches(Box<Regex>),
}

impl Filter {
    pub(super) fn read(text: &str) -> Result<Filter, Refusal> {
        let (rest, is_inverted) = text.strip_prefix('!').map_or((text, false), |rest| (rest, true));
        let (rest, sign) = match rest.chars().next() {
            Some(sign @ ('=' | '~')) => (&rest[1..], Some(sign)),
            _ => (rest, None),
        };
        let (field, value) = rest.split_once(':').map_or(("", rest), |(name, value)| (field_name(name), value));
        let test = match sign {
            Some('=') => Test::Is(value.to_owned()),
            Some(_) => Test::Matches(Box::new(expression(value)?)),
            None => Test::Contains(value.to_owned()),
        };
        Ok(Filter { field: field.to_owned(), test, is_inverted })
    }

    pub(super) fn field(&self) -> &str {
        &self.field
    }

    pub(super) fn passes(&self, line: &Line<'_>) -> bool {
        let value = if self.field.is_empty() {
            line.cdxj(None)
        } else {
            line.value(&self.field).unwrap_or_default().into_owned()
        };
        let holds = match &self.test {
            Test::Contains(part) => value.contains(part),
            Test::Is(whole) => value == *whole,
            Test::Matches(expression) => expression.is_match(&value),
        };
        holds != self.is_inverted
    }
}

/// Expressions are tried at the beginning of a value, as pywb does.
fn expression(text: &str) -> Result<Regex, Refusal> {
    let built = RegexBuilder::new(&format!("^(?:{text})"))
        .size_limit(EXPRESSION_BYTES_MAX)
        .dfa_size_limit(EXPRESSION_BYTES_MAX)
        .build();
    built.map_err(|_| Refusal::bad_request(format!("~{text} is no regular expression, or too large a one")))
}

/// `collapse=field[:n]`: of lines that follow one another and whose fields begin the same only the first is given.
#[derive(Debug)]
pub(super) struct Collapse {
    field: String,
    length: usize,
    with_status: bool,
}

impl Collapse {
    pub(super) fn read(text: &str) -> Result<Collapse, Refusal> {
        let (name, length) = match text.split_once(':') {
            Some((name, length)) => (name, read_length(length)?),
            None => (text, usize::MAX),
        };
        Ok(Collapse { field: field_name(name).to_owned(), length, with_status: false })
    }

    /// pywb's `collapseTime=n`.
    pub(super) fn time_and_status(length: &str) -> Result<Collapse, Refusal> {
        Ok(Collapse { field: "timestamp".to_owned(), length: read_length(length)?, with_status: true })
    }

    pub(super) fn field(&self) -> &str {
        &self.field
    }

    /// What two lines have in common of which only the first is given.
    pub(super) fn token(&self, line: &Line<'_>) -> String {
        let value = line.value(&self.field).unwrap_or_default();
        let start: String = value.chars().take(self.length).collect();
        if self.with_status { format!("{start} {}", line.value("status").unwrap_or_default()) } else { start }
    }
}

fn read_length(text: &str) -> Result<usize, Refusal> {
    text.parse().map_err(|_| Refusal::bad_request(format!("{text} is no number of characters to collapse by")))
}
