//! Reads a query: `words "a phrase" site:example.org -without (this OR that)`.
//!
//! OR binds least, then AND, then standing side by side. Of words that merely stand side by side most have to be there; everything
//! else is required.

use std::ops::Range;
use std::str::FromStr;

use kuai_page::Label;

use super::lex::{QueryError, Sign, lex};
use super::{DEPTH_MAX, Filter, Node};
use crate::language::Language;

/// A query that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(crate) root: Node,
}

impl Query {
    /// Words side by side.
    pub(crate) fn of_words(words: Vec<String>) -> Query {
        let words = words.into_iter().map(Node::Word).collect();
        Query { root: Node::All { words, required: Vec::new(), left_out: Vec::new() } }
    }
}

/// The names of fields.
const FIELDS: &str = "kind, site, url, language, topic and title";

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        let mut parser = Parser { signs: lex(text)?, next: 0, end: text.len() };
        let root = parser.any(0)?;
        match parser.take() {
            None => Ok(Query { root }),
            Some((_, span)) => Err(wrong("this bracket was not opened", span)),
        }
    }
}

struct Parser {
    signs: Vec<(Sign, Range<usize>)>,
    next: usize,
    /// Where the query ends.
    end: usize,
}

fn wrong(what: impl Into<String>, span: Range<usize>) -> QueryError {
    QueryError { what: what.into(), span }
}

impl Parser {
    fn peek(&self) -> Option<&Sign> {
        self.signs.get(self.next).map(|(sign, _)| sign)
    }

    fn take(&mut self) -> Option<(Sign, Range<usize>)> {
        let sign = self.signs.get(self.next).cloned();
        self.next += 1;
        sign
    }

    /// The place of the next sign, or the end of the query.
    fn place(&self) -> Range<usize> {
        self.signs.get(self.next).map_or(self.end..self.end, |(_, span)| span.clone())
    }

    /// `this OR that`
    fn any(&mut self, depth: usize) -> Result<Node, QueryError> {
        if depth > DEPTH_MAX {
            return Err(wrong(format!("brackets may stand in {DEPTH_MAX} others at most"), self.place()));
        }
        let mut nodes = vec![self.all(depth)?];
        while self.peek() == Some(&Sign::Or) {
            self.next += 1;
            nodes.push(self.all(depth)?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Any(nodes) })
    }

    /// `this AND that`
    fn all(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut nodes = vec![self.side_by_side(depth)?];
        while self.peek() == Some(&Sign::And) {
            self.next += 1;
            nodes.push(self.side_by_side(depth)?);
        }
        match nodes.len() {
            1 => Ok(nodes.remove(0)),
            _ => Ok(Node::All { words: Vec::new(), required: nodes, left_out: Vec::new() }),
        }
    }

    /// `this that -other`
    fn side_by_side(&mut self, depth: usize) -> Result<Node, QueryError> {
        let (mut words, mut required, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        let start = self.place();
        while !matches!(self.peek(), None | Some(Sign::Or | Sign::And | Sign::Close)) {
            let is_left_out = self.peek() == Some(&Sign::Not);
            self.next += usize::from(is_left_out);
            match self.part(depth)? {
                node if is_left_out => left_out.push(node),
                node @ Node::Word(_) => words.push(node),
                node => required.push(node),
            }
        }
        match (words.is_empty() && required.is_empty(), left_out.is_empty()) {
            (true, true) => Err(wrong("something to look for is missing here", start)),
            (true, false) => Err(wrong("this only leaves out; say what to look for as well", start)),
            _ => Ok(Node::All { words, required, left_out }),
        }
    }

    /// A word, a phrase, a field, or something in brackets.
    fn part(&mut self, depth: usize) -> Result<Node, QueryError> {
        let place = self.place();
        match self.take() {
            Some((Sign::Word(word), _)) => Ok(Node::Word(word)),
            Some((Sign::Phrase(phrase), _)) => Ok(Node::Phrase(phrase)),
            Some((Sign::Field(name), span)) => self.field(&name, span),
            Some((Sign::Open, span)) => {
                let node = self.any(depth + 1)?;
                match self.take() {
                    Some((Sign::Close, _)) => Ok(node),
                    _ => Err(wrong("this bracket is not closed", span)),
                }
            }
            _ => Err(wrong("something to look for is missing here", place)),
        }
    }

    fn field(&mut self, name: &str, span: Range<usize>) -> Result<Node, QueryError> {
        let (value, at) = match self.take() {
            Some((Sign::Word(value) | Sign::Phrase(value), at)) if at.start == span.end => (value, at),
            _ => return Err(wrong(format!("the value of {name} is missing; it stands right behind the colon"), span)),
        };
        filter(name, value).map(Node::Field).map_err(|what| match what {
            Wrong::Name => {
                let what = format!(
                    "there is no field {name}; there are {FIELDS}. In quotation marks it is looked for as it is"
                );
                wrong(what, span)
            }
            Wrong::Value(what) => wrong(what, at),
        })
    }
}

/// What is wrong with a field.
enum Wrong {
    Name,
    Value(String),
}

fn filter(name: &str, value: String) -> Result<Filter, Wrong> {
    Ok(match name {
        "kind" if value == "content" => Filter::Content,
        "kind" => Filter::Kind(kind(&value).map_err(Wrong::Value)?),
        "site" => Filter::Site(value.to_lowercase()),
        "url" => Filter::UrlPrefix(value),
        "language" | "lang" => Filter::Language(language(&value).map_err(Wrong::Value)?),
        "topic" => Filter::Topic(value),
        "title" => Filter::Title(value),
        _ => return Err(Wrong::Name),
    })
}

/// The label with this name.
pub(crate) fn kind(name: &str) -> Result<Label, String> {
    let known = || Label::ALL.map(Label::name).join(", ");
    let found = Label::ALL.into_iter().find(|label| label.name() == name);
    found.ok_or_else(|| format!("there is no kind {name}; there are content, {}", known()))
}

fn language(code: &str) -> Result<Language, String> {
    Language::of_code(code)
        .ok_or_else(|| format!("{code} is no language that is told apart; write two letters, such as en or zh"))
}

impl Filter {
    /// A filter by its field's name and its value, as a query has them.
    pub fn new(name: &str, value: &str) -> Result<Filter, String> {
        filter(name, value.to_owned()).map_err(|wrong| match wrong {
            Wrong::Name => format!("there is no field {name}; there are {FIELDS}"),
            Wrong::Value(what) => what,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(node: &Node) -> String {
        let list = |nodes: &[Node], before: &str| -> Vec<String> {
            nodes.iter().map(|node| format!("{before}{}", show(node))).collect()
        };
        match node {
            Node::Word(word) => word.clone(),
            Node::Phrase(phrase) => format!("{phrase:?}"),
            Node::Field(filter) => format!("{filter:?}"),
            Node::Any(nodes) => format!("any({})", list(nodes, "").join(" ")),
            Node::All { words, required, left_out } => {
                let parts = [list(words, ""), list(required, "+"), list(left_out, "-")].concat();
                format!("all({})", parts.join(" "))
            }
        }
    }

    fn check(query: &str, expected: &str) {
        let shown = match query.parse::<Query>() {
            Ok(query) => show(&query.root),
            Err(error) => format!("{} at {:?}", error.what, &query[error.span]),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn words_phrases_and_what_joins_them_are_read() {
        check("light keeper", "all(light keeper)");
        check("light \"the keeper\" -ferry", "all(light +\"the keeper\" -ferry)");
        check("a AND b OR c", "any(all(+all(a) +all(b)) all(c))");
        check("(a OR b) c", "all(c +any(all(a) all(b)))");
        check("“守塔人” 灯", "all(灯 +\"守塔人\")");
        check("well-known - 12:30 http://a.org/", "all(well-known - 12:30 http://a.org/)");
    }

    #[test]
    fn fields_are_read() {
        check("kind:main site:Example.org", "all(+Kind(Main) +Site(\"example.org\"))");
        check("topic:\"sea birds\" x", "all(x +Topic(\"sea birds\"))");
    }

    #[test]
    fn errors_point_at_the_place() {
        check("a \"b", "this quotation is not closed at \"\\\"\"");
        check("a \"\"", "there is nothing in this quotation at \"\\\"\\\"\"");
        check("(a b", "this bracket is not closed at \"(\"");
        check("a) b", "this bracket was not opened at \")\"");
        check("a OR", "something to look for is missing here at \"\"");
        check("-a", "this only leaves out; say what to look for as well at \"-\"");
        check(
            "kind:prose",
            "there is no kind prose; there are content, main, title, small, meta, comment, related, navigation, advert, copyright, noise at \"prose\"",
        );
        check("*ight", "there are no wildcards: words are found in all their forms as they are at \"*\"");
        check("kind: main", "the value of kind is missing; it stands right behind the colon at \"kind:\"");
        check("", "something to look for is missing here at \"\"");
    }

    #[test]
    fn absurd_queries_are_refused_at_once() {
        assert!("a ".repeat(10_000).parse::<Query>().is_err());
        assert!("a".repeat(1 << 20).parse::<Query>().is_err());
        assert!("a ".repeat(65).parse::<Query>().is_err());
        assert!("(".repeat(4000).parse::<Query>().is_err());
        assert!("-".repeat(4000).parse::<Query>().is_err());
    }
}
