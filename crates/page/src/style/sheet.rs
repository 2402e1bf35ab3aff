//! Reads style sheets into rules: selectors, declarations, and the order in which they count.
//!
//! Rules that cannot apply (other media, unsupported conditions, pseudo-elements) are left out at once.

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};
use kuai_html::Quirks;
use selectors::parser::{AncestorHashes, Component, ParseRelative, Selector};
use selectors::{FxHashMap, SelectorList};

use super::media::{matches_media, supports};
use super::parse::{Lists, parse_block};
use super::property::{Block, Property, Value};
use super::selector::{MATCHING_MODE, Name, Names, PseudoElement, SelectorParser};
use super::value::Clear;
use super::{StyleSheet, address};
use crate::Limits;

/// One selector with the declarations it brings.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) selector: Selector<Names>,
    /// Index into [`Rules::blocks`].
    pub(super) block: u32,
    /// Earlier layers are weaker; rules outside layers are strongest.
    pub(super) layer: u16,
    /// Whether it styles `::after`.
    pub(super) is_after: bool,
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
pub(super) struct Rules {
    pub(super) rules: Vec<Rule>,
    pub(super) blocks: Vec<Block>,
    pub(super) by_id: FxHashMap<u64, Vec<Candidate>>,
    pub(super) by_class: FxHashMap<u64, Vec<Candidate>>,
    pub(super) by_tag: FxHashMap<u64, Vec<Candidate>>,
    pub(super) others: Vec<Candidate>,
}

impl Rules {
    fn add(&mut self, rule: Rule) {
        let hashes = AncestorHashes::new(&rule.selector, MATCHING_MODE);
        let candidate = Candidate { hashes, rule: self.rules.len() as u32 };
        let bucket = match key(&rule.selector) {
            Key::Id(name) => self.by_id.entry(name.0).or_default(),
            Key::Class(name) => self.by_class.entry(name.0).or_default(),
            Key::Tag(name) => self.by_tag.entry(name.0).or_default(),
            Key::None => &mut self.others,
        };
        bucket.push(candidate);
        self.rules.push(rule);
    }
}

enum Key {
    Id(Name),
    Class(Name),
    Tag(Name),
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
                (Component::Class(name), Key::Tag(_) | Key::None) => Key::Class(*name),
                (Component::LocalName(name), Key::None) => Key::Tag(name.lower_name),
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

/// Reads sheets one after another, weakest first.
pub(super) struct SheetReader<'a> {
    pub(super) rules: Rules,
    pub(super) lists: Lists,
    pub(super) limit_hit: bool,
    limits: &'a Limits,
    quirks: Quirks,
    /// All handed-in sheets, for `@import`.
    sheets: &'a [StyleSheet],
    sheets_left: usize,
    bytes_left: usize,
    layers: Vec<String>,
}

impl<'a> SheetReader<'a> {
    pub(super) fn new(limits: &'a Limits, quirks: Quirks, sheets: &'a [StyleSheet], lists: Lists) -> SheetReader<'a> {
        SheetReader {
            rules: Rules::default(),
            lists,
            limit_hit: false,
            limits,
            quirks,
            sheets,
            sheets_left: limits.style_sheets,
            bytes_left: limits.style_bytes,
            layers: Vec::new(),
        }
    }

    /// Reads one sheet; `href` is where its imports are looked up from.
    pub(super) fn read(&mut self, text: &str, href: &str) {
        self.read_nested(text, href, 0);
    }

    fn read_nested(&mut self, text: &str, href: &str, import_depth: u8) {
        if self.sheets_left == 0 || self.bytes_left == 0 {
            self.limit_hit = true;
            return;
        }
        self.sheets_left -= 1;
        let text = self.within_bytes(text).trim_start_matches('\u{feff}');
        let mut input = Parser::new(text);
        input.set_nested_block_limit(NESTED_BLOCKS_MAX);
        let mut parser = RuleParser { reader: self, href, import_depth, layer: String::new(), may_import: true };
        let mut rules = StyleSheetParser::new(&mut input, &mut parser);
        while rules.next().is_some() {
            if rules.parser.reader.is_full() {
                break;
            }
        }
    }

    fn within_bytes<'t>(&mut self, text: &'t str) -> &'t str {
        let mut end = text.len().min(self.bytes_left);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.limit_hit |= end < text.len();
        self.bytes_left -= end;
        &text[..end]
    }

    fn is_full(&mut self) -> bool {
        let full = self.rules.rules.len() >= self.limits.style_rules;
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

    fn add(&mut self, selectors: &SelectorList<Names>, block: Block, layer: &str) {
        if block.is_empty() {
            return;
        }
        let layer = self.layer_rank(layer);
        let clears = block.normal.iter().chain(&block.important).any(|declaration| {
            declaration.property == Property::Clear && declaration.value != Value::Clear(Clear::None)
        });
        let block_index = self.rules.blocks.len() as u32;
        self.rules.blocks.push(block);
        for selector in selectors.slice() {
            // Matching goes down one call per compound, so endless selectors are refused.
            if selector.len() > SELECTOR_LENGTH_MAX || self.is_full() {
                continue;
            }
            let is_after = match selector.pseudo_element() {
                None => false,
                Some(PseudoElement::After) if clears => true,
                Some(_) => continue,
            };
            self.rules.add(Rule { selector: selector.clone(), block: block_index, layer, is_after });
        }
    }
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

impl<'i> AtRuleParser<'i> for RuleParser<'_, '_> {
    type Prelude = Prelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Result<Prelude, ParseError<()>> {
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

    fn rule_without_block(&mut self, prelude: Prelude, _start: &ParserState) -> Result<(), ()> {
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
        Ok(())
    }

    fn parse_block(
        &mut self,
        prelude: Prelude,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        self.may_import = false;
        match prelude {
            Prelude::Group(true) => self.parse_rules(input),
            Prelude::Layer(names) => {
                let inner = self.inner_layer(names.first().map_or("(anonymous)", String::as_str));
                let outer = std::mem::replace(&mut self.layer, inner);
                self.parse_rules(input);
                self.layer = outer;
            }
            _ => {}
        }
        Ok(())
    }
}

impl RuleParser<'_, '_> {
    fn inner_layer(&self, name: &str) -> String {
        if self.layer.is_empty() { name.to_owned() } else { format!("{}.{name}", self.layer) }
    }

    fn parse_rules(&mut self, input: &mut Parser<'_>) {
        for _ in RuleBodyParser::new(input, self) {}
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

impl<'i> QualifiedRuleParser<'i> for RuleParser<'_, '_> {
    type Prelude = SelectorList<Names>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<SelectorList<Names>, ParseError<()>> {
        if self.reader.quirks != Quirks::Full {
            return SelectorList::parse(&SelectorParser, input, ParseRelative::No).map_err(|_| error());
        }
        // In quirks mode names match in any case, so they are folded before they are hashed.
        // Decision: values in attribute selectors are folded with them; few have capitals.
        let start = input.position();
        while input.next().is_ok() {}
        let folded = input.slice_from(start).to_ascii_lowercase();
        SelectorList::parse(&SelectorParser, &mut Parser::new(&folded), ParseRelative::No).map_err(|_| error())
    }

    fn parse_block(
        &mut self,
        selectors: SelectorList<Names>,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), ParseError<()>> {
        self.may_import = false;
        let block = parse_block(input, &mut self.reader.lists);
        self.reader.add(&selectors, block, &self.layer);
        Ok(())
    }
}

impl DeclarationParser<'_> for RuleParser<'_, '_> {
    type Declaration = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for RuleParser<'_, '_> {
    fn parse_declarations(&self) -> bool {
        false
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}
