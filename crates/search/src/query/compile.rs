//! Turns a query into what the index is asked.
//!
//! A word is looked for in the form that each language of the index gives it, and a word of ideographs also as the row of shorter words
//! that it may have been cut into.

use std::collections::BTreeSet;

use kuai_page::Label;
use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, Occur, PhraseQuery,
    Query as IndexQuery, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::{Filter, Node, Query, Strictness};
use crate::index::Index;
use crate::language::Language;
use crate::schema::kind_number;
use crate::tokens::{Cut, Token, is_ideograph};

/// How much a word in the title of the page counts beside one in the block. Chosen by hand, not tuned.
const TITLE_BOOST: f32 = 0.4;

/// A query as the index takes it, and what its hits are shown by.
pub(crate) struct Wanted {
    pub(crate) query: Box<dyn IndexQuery>,
    /// The tokens that are looked for, to be marked in what is found.
    pub(crate) tokens: BTreeSet<String>,
}

type Boxed = Box<dyn IndexQuery>;

/// Turns a query and the filters beside it into what the index is asked.
pub(crate) fn compile(
    query: &Query,
    filters: &[Filter],
    strictness: Strictness,
    index: &Index,
    languages: &[Language],
) -> Wanted {
    let mut compiler = Compiler { index, languages, strictness, tokens: BTreeSet::new() };
    let mut clauses = vec![(Occur::Must, compiler.node(&query.root).unwrap_or_else(|| Box::new(EmptyQuery)))];
    clauses.extend(any_of_each_kind(filters).into_iter().map(|filters| {
        let queries = filters.into_iter().map(|filter| compiler.filter(filter)).collect();
        (Occur::Must, without_score(Box::new(BooleanQuery::union(queries))))
    }));
    Wanted { query: Box::new(BooleanQuery::new(clauses)), tokens: compiler.tokens }
}

/// Filters of one field are alternatives; those of different fields all have to hold.
fn any_of_each_kind(filters: &[Filter]) -> Vec<Vec<&Filter>> {
    let mut groups: Vec<Vec<&Filter>> = Vec::new();
    for filter in filters {
        let is_alike = |group: &&mut Vec<&Filter>| field_of(group[0]) == field_of(filter);
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.push(filter),
            None => groups.push(vec![filter]),
        }
    }
    groups
}

/// The field that a filter is about.
fn field_of(filter: &Filter) -> u8 {
    match filter {
        Filter::Kind(_) | Filter::Content => 0,
        Filter::Site(_) => 1,
        Filter::UrlPrefix(_) => 2,
        Filter::Language(_) => 3,
        Filter::Topic(_) => 4,
        Filter::Title(_) => 5,
    }
}

struct Compiler<'a> {
    index: &'a Index,
    /// The languages that the index has texts of.
    languages: &'a [Language],
    strictness: Strictness,
    tokens: BTreeSet<String>,
}

/// A run of tokens with the step of each from the first.
type Row = Vec<(usize, String)>;

impl Compiler<'_> {
    /// What a part asks; nothing where it has no word in it.
    fn node(&mut self, node: &Node) -> Option<Boxed> {
        match node {
            Node::Word(word) => all_of(self.word(word)),
            Node::Phrase(phrase) => self.phrase(phrase),
            Node::Field(filter) => Some(without_score(self.filter(filter))),
            Node::Any(nodes) => {
                let queries: Vec<Boxed> = nodes.iter().filter_map(|node| self.node(node)).collect();
                (!queries.is_empty()).then(|| Box::new(BooleanQuery::union(queries)) as Boxed)
            }
            Node::All { words, required, left_out } => self.all(words, required, left_out),
        }
    }

    fn rows_of_words(&mut self, words: &[Node]) -> Vec<Vec<Row>> {
        let texts = words.iter().filter_map(|word| if let Node::Word(word) = word { Some(word) } else { None });
        texts.flat_map(|word| self.rows_of_word(word)).collect()
    }

    fn all(&mut self, words: &[Node], required: &[Node], left_out: &[Node]) -> Option<Boxed> {
        let rows = self.rows_of_words(words);
        let most = self.enough(&rows, self.strictness.enough(rows.len()));
        let mut clauses: Vec<(Occur, Boxed)> = most.into_iter().map(|query| (Occur::Must, query)).collect();
        clauses.extend(required.iter().filter_map(|node| Some((Occur::Must, self.node(node)?))));
        if clauses.is_empty() {
            return None;
        }
        let seen = self.tokens.clone();
        clauses.extend(left_out.iter().filter_map(|node| Some((Occur::MustNot, self.node(node)?))));
        self.tokens = seen; // what is left out is in no hit
        if required.iter().all(|node| matches!(node, Node::Field(_))) && rows.is_empty() {
            clauses.push((Occur::Must, Box::new(AllQuery)));
        }
        Some(Box::new(BooleanQuery::new(clauses)))
    }

    /// So many of the words, in the block or in the title of its page, but at least one in the block.
    fn enough(&self, words: &[Vec<Row>], enough: usize) -> Option<Boxed> {
        let fields = (self.index.fields.text, self.index.fields.title);
        if words.is_empty() {
            return None;
        }
        let in_text = |rows: &Vec<Row>| any_row(rows, fields.0);
        let anywhere = |rows: &Vec<Row>| -> Boxed {
            let title = BoostQuery::new(any_token(rows, fields.1), TITLE_BOOST);
            Box::new(DisjunctionMaxQuery::with_tie_breaker(vec![in_text(rows), Box::new(title)], 1.0))
        };
        if let [rows] = words {
            let title = BoostQuery::new(any_token(rows, fields.1), TITLE_BOOST);
            return Some(Box::new(BooleanQuery::new(vec![
                (Occur::Must, in_text(rows)),
                (Occur::Should, Box::new(title)),
            ])));
        }
        let most = BooleanQuery::union_with_minimum_required_clauses(words.iter().map(anywhere).collect(), enough);
        let any = BooleanQuery::union(words.iter().map(in_text).collect());
        Some(Box::new(BooleanQuery::intersection(vec![Box::new(most), without_score(Box::new(any))])))
    }

    /// The words of a word: more than one where it is written without spaces.
    fn word(&mut self, word: &str) -> Vec<Boxed> {
        let field = self.index.fields.text;
        self.rows_of_word(word).iter().map(|rows| any_row(rows, field)).collect()
    }

    /// Each word of a word, in all its forms.
    fn rows_of_word(&mut self, word: &str) -> Vec<Vec<Row>> {
        match word.chars().any(is_ideograph) {
            true => {
                let tokens = self.index.tokenizer.cut(word, Language::default(), Cut::Query);
                tokens.iter().map(|token| self.rows(&word[token.span.clone()])).collect()
            }
            false => Some(self.rows(word)).filter(|rows| !rows.is_empty()).into_iter().collect(),
        }
    }

    /// The rows of tokens that a text may have been cut into, in any language; none where there is no word in it.
    fn rows(&mut self, text: &str) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for language in self.languages.iter().copied().chain([Language::default()]) {
            let words = self.index.tokenizer.cut(text, language, Cut::Query);
            let parts = shortest(self.index.tokenizer.tokens(text, language));
            self.tokens.extend(words.iter().chain(&parts).map(|token| token.text.clone()));
            for row in [row(&words), row(&parts)] {
                if !row.is_empty() && !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
        rows
    }

    fn phrase(&mut self, phrase: &str) -> Option<Boxed> {
        let rows = self.rows(phrase);
        (!rows.is_empty()).then(|| any_row(&rows, self.index.fields.text))
    }

    fn filter(&mut self, filter: &Filter) -> Boxed {
        let fields = &self.index.fields;
        let text_term = |field: Field, text: &str| term_query(Term::from_field_text(field, text));
        match filter {
            Filter::Kind(label) => term_query(Term::from_field_u64(fields.kind, kind_number(Some(*label)))),
            Filter::Content => {
                let kinds = Label::ALL.into_iter().filter(|label| is_content(*label)).map(Some).chain([None]);
                let terms = kinds.map(|label| term_query(Term::from_field_u64(fields.kind, kind_number(label))));
                Box::new(BooleanQuery::union(terms.collect()))
            }
            Filter::Site(site) => text_term(fields.site, site),
            Filter::Language(language) => text_term(fields.language, language.code()),
            Filter::UrlPrefix(prefix) => url_prefix(fields.url, prefix),
            Filter::Topic(words) => self.words_in(fields.topic, words),
            Filter::Title(words) => self.words_in(fields.title, words),
        }
    }

    /// All words of a text in a field, in any order.
    fn words_in(&mut self, field: Field, text: &str) -> Boxed {
        let seen = self.tokens.clone();
        let words: Vec<Boxed> = text
            .split_whitespace()
            .flat_map(|word| self.rows_of_word(word))
            .map(|rows| any_token(&rows, field))
            .collect();
        self.tokens = seen; // it is not the block's own words that are meant
        all_of(words).unwrap_or_else(|| Box::new(EmptyQuery))
    }
}

/// Whether a block with this label is there for what it says.
pub(crate) fn is_content(label: Label) -> bool {
    !matches!(label, Label::Related | Label::Navigation | Label::Advert | Label::Copyright | Label::Noise)
}

/// Tokens with their steps from the first.
fn row(tokens: &[Token]) -> Row {
    let first = tokens.first().map_or(0, |token| token.position);
    tokens.iter().map(|token| (token.position - first, token.text.clone())).collect()
}

/// The tokens without those that others lie in and cover together; a long word is found in a text that was cut into its parts.
fn shortest(tokens: Vec<Token>) -> Vec<Token> {
    let is_covered = |token: &Token| {
        let inside = |other: &&Token| {
            other.width < token.width
                && other.position >= token.position
                && other.position + other.width <= token.position + token.width
        };
        let mut covered = token.position;
        for part in tokens.iter().filter(inside) {
            if part.position <= covered {
                covered = covered.max(part.position + part.width);
            }
        }
        covered == token.position + token.width
    };
    tokens.iter().filter(|token| !is_covered(token)).cloned().collect()
}

/// Any of some rows.
fn any_row(rows: &[Row], field: Field) -> Boxed {
    let query = |row: &Row| -> Boxed {
        let term = |token: &str| Term::from_field_text(field, token);
        match row.as_slice() {
            [(_, token)] => Box::new(TermQuery::new(term(token), IndexRecordOption::WithFreqs)),
            row => {
                Box::new(PhraseQuery::new_with_offset(row.iter().map(|(step, token)| (*step, term(token))).collect()))
            }
        }
    };
    match rows {
        [row] => query(row),
        rows => Box::new(DisjunctionMaxQuery::new(rows.iter().map(query).collect())),
    }
}

/// Any of some rows in a field that knows no positions: all the tokens of one.
fn any_token(rows: &[Row], field: Field) -> Boxed {
    let query = |row: &Row| {
        let terms = row.iter().map(|(_, token)| term_query(Term::from_field_text(field, token))).collect();
        Box::new(BooleanQuery::intersection(terms)) as Boxed
    };
    Box::new(BooleanQuery::union(rows.iter().map(query).collect()))
}

fn all_of(mut queries: Vec<Boxed>) -> Option<Boxed> {
    match queries.len() {
        0 | 1 => queries.pop(),
        _ => Some(Box::new(BooleanQuery::intersection(queries))),
    }
}

fn term_query(term: Term) -> Boxed {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

/// Addresses that begin so.
fn url_prefix(field: Field, prefix: &str) -> Boxed {
    use std::ops::Bound::{Excluded, Included};
    let above = format!("{prefix}\u{10FFFF}");
    Box::new(RangeQuery::new(
        Included(Term::from_field_text(field, prefix)),
        Excluded(Term::from_field_text(field, &above)),
    ))
}

fn without_score(query: Boxed) -> Boxed {
    Box::new(ConstScoreQuery::new(query, 0.0))
}
