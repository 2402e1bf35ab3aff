//! Reads style sheets into rules, in two steps: what may apply is found as text (`WrittenRule`), then selectors are parsed (`Rules`).
//!
//! Rules that cannot apply (other media, names that do not occur in the page, pseudo-elements) are left out at
//! once; declarations are parsed when a rule first matches an element.

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};
use kuai_html::Quirks;
use selectors::parser::{AncestorHashes, Component, ParseRelative, Selector, SelectorParseErrorKind};
use selectors::{FxHashMap, SelectorList};

use super::aspects::Said;
use super::media::{matches_media, supports};
use super::parse::{Lists, parse_block, rest};
use super::property::{Property, Value};
use super::selector::{MATCHING_MODE, Name, Names, PseudoElement, SelectorParser};
use super::skim::{Level, Piece, skim};
use super::value::Clear;
use super::vocabulary::Vocabulary;
use super::{StyleSheet, address};
use crate::Limits;

/// A rule as it is written, which may match some element.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenRule<'a> {
    pub(super) selectors: &'a str,
    pub(super) body: &'a str,
    /// Earlier layers are weaker; rules outside layers are strongest.
    pub(super) layer: u16,
    /// What the body says that can hide an element; whatever there is, until somebody looks.
    pub(super) said: Said,
}

/// One selector with the declarations it brings.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) selector: Selector<Names>,
    /// Index into [`Rules::bodies`].
    pub(super) body: u32,
    pub(super) layer: u16,
    pub(super) said: Said,
    /// Whether it styles `::after`.
    pub(super) is_after: bool,
    /// Whether it asks for nothing but the one name by which it is found.
    pub(super) is_plain: bool,
}

/// A rule to try, with what its selector asks of ancestors beside it, as most are refused by that alone.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) hashes: AncestorHashes,
    /// Index into [`Rules::rules`].
    pub(super) rule: u32,
}

/// All rules of a page, found by what their rightmost compound asks for.
#[derive(Debug, Default)]
pub(super) struct Rules<'a> {
    pub(super) rules: Vec<Rule>,
    /// The declarations of rules, as text.
    pub(super) bodies: Vec<&'a str>,
    pub(super) by_id: FxHashMap<u64, Vec<Candidate>>,
    pub(super) by_class: FxHashMap<u64, Vec<Candidate>>,
    pub(super) by_tag: FxHashMap<u64, Vec<Candidate>>,
    /// Those for the root element only.
    pub(super) for_root: Vec<Candidate>,
    pub(super) others: Vec<Candidate>,
}

impl<'a> Rules<'a> {
    /// Parses rules, weakest first; the flag says whether there are more selectors than are read.
    pub(super) fn parse<'w>(
        written: impl IntoIterator<Item = &'w WrittenRule<'a>>,
        quirks: Quirks,
        limits: &Limits,
    ) -> (Rules<'a>, bool)
    where
        'a: 'w,
    {
        let (mut rules, mut limit_hit) = (Rules::default(), false);
        for rule in written {
            if let Ok(selectors) = parse_selectors(rule.selectors, quirks) {
                limit_hit |= !rules.add_all(&selectors, rule, limits.style_rules);
            }
        }
        (rules, limit_hit)
    }

    /// Whether all selectors had room.
    fn add_all(&mut self, selectors: &SelectorList<Names>, written: &WrittenRule<'a>, room: usize) -> bool {
        let body = self.bodies.len() as u32;
        self.bodies.push(written.body);
        for selector in selectors.slice() {
            // Matching goes down one call per compound, so endless selectors are refused.
            if selector.len() > SELECTOR_LENGTH_MAX {
                continue;
            }
            if self.rules.len() >= room {
                return false;
            }
            let is_after = match selector.pseudo_element() {
                None => false,
                Some(PseudoElement::After) if clears(written.body) => true,
                Some(_) => continue,
            };
            let is_plain = is_plain(selector);
            let WrittenRule { layer, said, .. } = *written;
            self.add(Rule { selector: selector.clone(), body, layer, said, is_after, is_plain });
        }
        true
    }

    fn add(&mut self, rule: Rule) {
        let hashes = AncestorHashes::new(&rule.selector, MATCHING_MODE);
        let candidate = Candidate { hashes, rule: self.rules.len() as u32 };
        let bucket = match key(&rule.selector) {
            Key::Id(name) => self.by_id.entry(name.0).or_default(),
            Key::Class(name) => self.by_class.entry(name.0).or_default(),
            Key::Tag(name) => self.by_tag.entry(name.0).or_default(),
            Key::Root => &mut self.for_root,
            Key::None => &mut self.others,
        };
        bucket.push(candidate);
        self.rules.push(rule);
    }
}

fn parse_selectors(text: &str, quirks: Quirks) -> Result<SelectorList<Names>, ParseError<SelectorParseErrorKind>> {
    // In quirks mode names match in any case, so they are folded before they are hashed.
    // Decision: values in attribute selectors are folded with them; few have capitals.
    let folded = (quirks == Quirks::Full).then(|| text.to_ascii_lowercase());
    let mut input = Parser::new(folded.as_deref().unwrap_or(text));
    SelectorList::parse(&SelectorParser, &mut input, ParseRelative::No)
}

enum Key {
    Id(Name),
    Class(Name),
    Tag(Name),
    Root,
    None,
}

/// What an element must have for the selector to match it, the rarest first.
fn key(selector: &Selector<Names>) -> Key {
    let mut components = selector.iter();
    let mut best = Key::None;
    loop {
        for component in components.by_ref() {
            best = match (component, best) {
                (Component::ID(name), _) => Key::Id(*name),
                (Component::Class(name), Key::Tag(_) | Key::Root | Key::None) => Key::Class(*name),
                (Component::LocalName(name), Key::Root | Key::None) => Key::Tag(name.lower_name),
                (Component::Root, Key::None) => Key::Root,
                (_, best) => best,
            };
        }
        // A pseudo-element stands in a compound of its own, to the right of its element's.
        match components.next_sequence() {
            Some(combinator) if combinator.is_pseudo_element() => {}
            _ => return best,
        }
    }
}

fn is_plain(selector: &Selector<Names>) -> bool {
    let mut components = selector.iter_raw_match_order();
    let is_name = match components.next() {
        Some(Component::ID(_) | Component::Class(_) | Component::ExplicitUniversalType) => true,
        // Elements of SVG are asked for by the name as written.
        Some(Component::LocalName(name)) => name.name == name.lower_name,
        _ => false,
    };
    is_name && components.next().is_none()
}

/// Reads sheets one after another, weakest first.
pub(super) struct SheetReader<'a> {
    pub(super) written: Vec<WrittenRule<'a>>,
    pub(super) limit_hit: bool,
    limits: &'a Limits,
    vocabulary: &'a Vocabulary,
    /// All handed-in sheets, for `@import`.
    sheets: &'a [StyleSheet],
    sheets_left: usize,
    bytes_left: usize,
    layers: Vec<String>,
}

impl<'a> SheetReader<'a> {
    pub(super) fn new(limits: &'a Limits, sheets: &'a [StyleSheet], vocabulary: &'a Vocabulary) -> SheetReader<'a> {
        SheetReader {
            written: Vec::new(),
            limit_hit: false,
            limits,
            vocabulary,
            sheets,
            sheets_left: limits.style_sheets,
            bytes_left: limits.style_bytes,
            layers: Vec::new(),
        }
    }

    /// Reads one sheet; `href` is where its imports are looked up from.
    pub(super) fn read(&mut self, text: &'a str, href: &str) {
        self.read_nested(text, href, 0);
    }

    fn read_nested(&mut self, text: &'a str, href: &str, import_depth: u8) {
        if self.sheets_left == 0 || self.bytes_left == 0 {
            self.limit_hit = true;
            return;
        }
        self.sheets_left -= 1;
        let text = self.within_bytes(text).trim_start_matches('\u{feff}');
        let mut parser =
            RuleParser { reader: self, href, import_depth, layer: String::new(), depth: 0, may_import: true };
        parser.read_rules(text, Level::Sheet);
    }

    fn within_bytes(&mut self, text: &'a str) -> &'a str {
        let mut end = text.len().min(self.bytes_left);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.limit_hit |= end < text.len();
        self.bytes_left -= end;
        &text[..end]
    }

    fn is_full(&mut self) -> bool {
        let full = self.written.len() >= self.limits.style_rules;
        self.limit_hit |= full;
        full
    }

    fn layer_rank(&mut self, name: &str) -> u16 {
        if name.is_empty() {
            return u16::MAX;
        }
        let known = self.layers.iter().position(|layer| layer == name);
        let rank = known.unwrap_or_else(|| {
            if self.layers.len() < LAYERS_MAX {
                self.layers.push(name.to_owned());
            }
            self.layers.len() - 1
        });
        rank as u16
    }

    fn add(&mut self, selectors: &'a str, body: &'a str, layer: &str) {
        if self.vocabulary.may_match(selectors, body) {
            let layer = self.layer_rank(layer);
            self.written.push(WrittenRule { selectors, body, layer, said: Said::ANYTHING });
        }
    }
}

/// Whether declarations make an element stand below floats.
fn clears(body: &str) -> bool {
    let block = parse_block(&mut Parser::new(body), &mut Lists::default());
    block
        .normal
        .iter()
        .chain(&block.important)
        .any(|declaration| declaration.property == Property::Clear && declaration.value != Value::Clear(Clear::None))
}

/// Blocks inside blocks that are parsed.
const NESTED_BLOCKS_MAX: u8 = 32;
/// Sheets that import sheets that import sheets.
const IMPORT_DEPTH_MAX: u8 = 8;
/// Parts of one selector.
const SELECTOR_LENGTH_MAX: usize = 128;
/// Named layers.
const LAYERS_MAX: usize = 256;

struct RuleParser<'r, 'a> {
    reader: &'r mut SheetReader<'a>,
    href: &'r str,
    import_depth: u8,
    /// The layer that rules fall into, empty outside layers.
    layer: String,
    /// Blocks of at-rules around the rules.
    depth: u8,
    may_import: bool,
}

enum Prelude {
    /// `@media`, `@supports` and others that hold rules, and whether they apply.
    Group(bool),
    Layer(Vec<String>),
    Import(String),
}

fn error<E>() -> ParseError<E> {
    ParseError::unexpected_token()
}

impl<'a> RuleParser<'_, 'a> {
    /// Reads the rules of a sheet or block, those that may match.
    fn read_rules(&mut self, text: &'a str, level: Level) {
        for piece in skim(text, level) {
            match piece {
                Piece::Style { selectors, body } => {
                    self.may_import = false;
                    self.reader.add(selectors, body, &self.layer);
                }
                Piece::At { name, prelude, body } => self.read_at(name, prelude, body),
                Piece::Rest(text) => self.parse_rest(text, level),
            }
            if self.reader.is_full() {
                break;
            }
        }
    }

    fn read_at(&mut self, name: &str, prelude: &str, body: Option<&'a str>) {
        let mut input = Parser::new(prelude);
        let Ok(prelude) = input.parse_entirely(|input| self.prelude(name, input)) else { return };
        match body {
            Some(body) => self.enter(prelude, |parser| parser.read_rules(body, Level::Group)),
            None => self.statement(prelude),
        }
    }

    /// Goes through rules that cannot be skimmed, token by token.
    fn parse_rest(&mut self, text: &'a str, level: Level) {
        let mut input = Parser::new(text);
        input.set_nested_block_limit(NESTED_BLOCKS_MAX);
        if level == Level::Group {
            return self.parse_rules(&mut input);
        }
        let mut rules = StyleSheetParser::new(&mut input, self);
        while rules.next().is_some() {
            if rules.parser.reader.is_full() {
                break;
            }
        }
    }

    fn parse_rules(&mut self, input: &mut Parser<'a>) {
        for _ in RuleBodyParser::new(input, self) {}
    }

    fn prelude(&mut self, name: &str, input: &mut Parser<'_>) -> Result<Prelude, ParseError<()>> {
        match name.to_ascii_lowercase().as_str() {
            "media" => Ok(Prelude::Group(matches_media(input))),
            "supports" => Ok(Prelude::Group(supports(input))),
            "layer" => Ok(Prelude::Layer(layer_names(input))),
            "import" => {
                let target = input.expect_url_or_string()?.to_string();
                let in_layer = matches!(input.try_parse(|input| input.expect_ident_matching("layer")), Ok(()));
                let applies = matches_media(input);
                if !applies || !self.may_import || in_layer {
                    return Err(error());
                }
                Ok(Prelude::Import(target))
            }
            // Decision: containers are taken to be as wide as they ask for.
            "container" => {
                while input.next().is_ok() {}
                Ok(Prelude::Group(true))
            }
            _ => Err(error()),
        }
    }

    /// An at-rule that ends with a semicolon.
    fn statement(&mut self, prelude: Prelude) {
        match prelude {
            Prelude::Import(target) if self.import_depth < IMPORT_DEPTH_MAX => {
                let address = address::resolve(self.href, &target);
                let sheets = self.reader.sheets;
                if let Some(sheet) = sheets.iter().find(|sheet| sheet.href == address || sheet.href == target) {
                    self.reader.read_nested(&sheet.text, &sheet.href, self.import_depth + 1);
                }
            }
            Prelude::Layer(names) => {
                for name in names {
                    let name = self.inner_layer(&name);
                    self.reader.layer_rank(&name);
                }
            }
            _ => {}
        }
    }

    /// Reads the rules in the block of an at-rule, where they apply.
    fn enter(&mut self, prelude: Prelude, read: impl FnOnce(&mut Self)) {
        self.may_import = false;
        if self.depth >= NESTED_BLOCKS_MAX {
            return;
        }
        self.depth += 1;
        match prelude {
            Prelude::Group(true) => read(self),
            Prelude::Layer(names) => {
                let inner = self.inner_layer(names.first().map_or("(anonymous)", String::as_str));
                self.reader.layer_rank(&inner);
                let outer = std::mem::replace(&mut self.layer, inner);
                read(self);
                self.layer = outer;
            }
            _ => {}
        }
        self.depth -= 1;
    }

    fn inner_layer(&self, name: &str) -> String {
        if self.layer.is_empty() { name.to_owned() } else { format!("{}.{name}", self.layer) }
    }
}

impl<'a> AtRuleParser<'a> for RuleParser<'_, 'a> {
    type Prelude = Prelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'a>, input: &mut Parser<'a>) -> Result<Prelude, ParseError<()>> {
        self.prelude(&name, input)
    }

    fn rule_without_block(&mut self, prelude: Prelude, _start: &ParserState) -> Result<(), ()> {
        self.statement(prelude);
        Ok(())
    }

    fn parse_block(
        &mut self,
        prelude: Prelude,
        _start: &ParserState,
        input: &mut Parser<'a>,
    ) -> Result<(), ParseError<()>> {
        self.enter(prelude, |parser| parser.parse_rules(input));
        Ok(())
    }
}

fn layer_names(input: &mut Parser<'_>) -> Vec<String> {
    let mut names = vec![String::new()];
    while let Ok(token) = input.next() {
        let last = names.len() - 1;
        match token {
            Token::Ident(name) => names[last].push_str(name),
            Token::Delim('.') => names[last].push('.'),
            _ => names.push(String::new()),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

impl<'a> QualifiedRuleParser<'a> for RuleParser<'_, 'a> {
    type Prelude = &'a str;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'a>) -> Result<&'a str, ParseError<()>> {
        Ok(rest(input))
    }

    fn parse_block(
        &mut self,
        selectors: &'a str,
        _start: &ParserState,
        input: &mut Parser<'a>,
    ) -> Result<(), ParseError<()>> {
        self.may_import = false;
        self.reader.add(selectors, rest(input), &self.layer);
        Ok(())
    }
}

impl<'a> DeclarationParser<'a> for RuleParser<'_, 'a> {
    type Declaration = ();
    type Error = ();
}

impl<'a> RuleBodyItemParser<'a, (), ()> for RuleParser<'_, 'a> {
    fn parse_declarations(&self) -> bool {
        false
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}
