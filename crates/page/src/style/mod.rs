//! Computed styles: a cascade over the page's style sheets, style attributes and presentational attributes.
//!
//! In go a document and the linked sheets that somebody fetched; out come [`Styles`], a small number of
//! distinct [`Style`]s and one index per node. Work and memory are bounded by [`Limits`].

mod address;
mod apply;
mod aspects;
mod cascade;
mod hidden;
mod hints;
mod linked;
mod matching;
mod media;
mod parse;
mod property;
mod selector;
mod sheet;
mod skim;
#[cfg(test)]
mod tests;
mod user_agent;
mod value;
mod variables;
mod vocabulary;

use std::collections::HashSet;

use kuai_html::{Dom, NodeId, Tag};

use crate::Limits;
use aspects::Aspects;
use cascade::{HIDDEN_BIT, by_name, cascade};
use matching::Matcher;
use parse::Lists;
use selector::Subjects;
use sheet::{Rules, SheetReader, WrittenRule};
use vocabulary::Vocabulary;

pub use hidden::Hidden;
use linked::imports;
pub(crate) use linked::linked_sheets;
pub use parse::Track;
pub(crate) use parse::{WINDOW_HEIGHT_PX, WINDOW_WIDTH_PX};
pub use value::{
    Clear, Color, Display, FlexDirection, Float, Justify, Length, LineHeight, ListStyle, Position, Sides, Style,
    TextAlign, Typeface, WhiteSpace,
};

/// A style sheet that the page links to (or that one of its sheets imports), fetched by somebody else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyleSheet {
    /// Its address as the page's `<link>` writes it; for an imported sheet, as resolved against the
    /// importing sheet's. A sheet that matches no link and no import counts before all others.
    pub href: String,
    /// Its text.
    pub text: String,
}

/// The styles of all elements of a page.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    distinct: Vec<Style>,
    nodes: Vec<u32>,
    lists: Lists,
    /// Whether the page's own styles were not read.
    by_name: bool,
}

impl Styles {
    /// Runs the cascade over the page's own style sheets and those handed in; the flag says whether a limit was hit.
    pub fn compute(dom: Dom<'_>, sheets: &[StyleSheet], limits: &Limits) -> (Styles, bool) {
        let sheets = Sheets::of(dom, sheets);
        let subjects = sheets.have_rules().then(|| Subjects::read(dom, limits.style_steps));
        let (rules, read_limit_hit) = match &subjects {
            Some(subjects) => {
                let (written, cut) = sheets.read(limits, subjects.vocabulary());
                let (rules, full) = Rules::parse(&written, dom.quirks(), limits);
                (rules, cut || full)
            }
            None => (Rules::default(), false),
        };
        let matcher = subjects.as_ref().map(|subjects| Matcher::with_filter(dom, &rules, subjects));
        let cascaded = cascade(dom, &rules, matcher, |_| Aspects::ALL);
        let styles = Styles { distinct: cascaded.styles, nodes: cascaded.nodes, lists: cascaded.lists, by_name: false };
        (styles, read_limit_hit || cascaded.limit_hit)
    }

    /// The styles that browsers give elements by their names, as if the page had no styles of its own and nothing was hidden. Cheap.
    pub fn by_name(dom: Dom<'_>) -> Styles {
        let styled = by_name(dom);
        Styles { distinct: styled.styles, nodes: styled.nodes, lists: styled.lists, by_name: true }
    }

    /// Whether these are what the names of elements say, and nothing of the page's own.
    pub(crate) fn are_by_name(&self) -> bool {
        self.by_name
    }

    /// The style of an element, or of a text node's parent.
    pub fn of(&self, node: NodeId) -> &Style {
        let index = self.nodes.get(node.index()).map_or(0, |entry| entry & !HIDDEN_BIT);
        self.distinct.get(index as usize).unwrap_or(&Style::INITIAL)
    }

    /// Whether a browser would not show the text in this element (or this text): not displayed, not visible,
    /// transparent, cut away or pushed out of the page, by itself or by an ancestor.
    pub fn is_hidden(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|entry| entry & HIDDEN_BIT != 0)
    }

    /// Number of distinct styles.
    pub fn distinct_count(&self) -> usize {
        self.distinct.len()
    }

    /// The name of a style's first font family; empty where nothing was said.
    pub fn font_family(&self, style: &Style) -> &str {
        let index = usize::from(style.font_family).checked_sub(1);
        index.and_then(|index| self.lists.families.get(index)).map_or("", String::as_str)
    }

    /// The columns of a grid container; empty where it has one only.
    pub fn grid_columns(&self, style: &Style) -> &[Track] {
        let index = usize::from(style.grid_columns).checked_sub(1);
        index.and_then(|index| self.lists.grids.get(index)).map_or(&[], Vec::as_slice)
    }
}

/// The style sheets of a page: its own, and those that it links to as far as they were handed in.
struct Sheets<'a> {
    dom: Dom<'a>,
    linked: &'a [StyleSheet],
    sources: Vec<Source<'a>>,
}

impl<'a> Sheets<'a> {
    fn of(dom: Dom<'a>, linked: &'a [StyleSheet]) -> Sheets<'a> {
        Sheets { dom, linked, sources: sources(dom) }
    }

    /// Without rules nobody asks what elements are called, and links alone bring none.
    fn have_rules(&self) -> bool {
        !self.linked.is_empty() || self.sources.iter().any(|source| source.text().is_some())
    }

    /// The rules of all sheets that apply, in the page's order, those of sheets that nothing refers to first; the flag says whether a limit cut
    /// them short.
    fn read(&self, limits: &'a Limits, vocabulary: &'a Vocabulary) -> (Vec<WrittenRule<'a>>, bool) {
        let mut reader = SheetReader::new(limits, self.linked, vocabulary);
        for sheet in loose_sheets(self.dom, self.linked, &self.sources) {
            reader.read(&sheet.text, &sheet.href);
        }
        for source in &self.sources {
            match source {
                Source::Link(href) => {
                    if let Some(sheet) = self.linked.iter().find(|sheet| sheet.href == *href) {
                        reader.read(&sheet.text, href);
                    }
                }
                Source::Embedded(text) => reader.read(text, ""),
            }
        }
        (reader.written, reader.limit_hit)
    }
}

/// The sheets that neither the page nor another sheet names.
fn loose_sheets<'a>(dom: Dom<'a>, sheets: &'a [StyleSheet], sources: &[Source<'a>]) -> Vec<&'a StyleSheet> {
    if sheets.is_empty() {
        return Vec::new();
    }
    // A sheet whose link asks for other media is linked all the same, and so does not apply.
    let links: HashSet<&str> = dom.descendants(dom.root()).filter_map(|node| link_address(dom, node)).collect();
    let own = sources.iter().filter_map(Source::text);
    let texts = own.chain(sheets.iter().map(|sheet| sheet.text.as_str()));
    let imports: HashSet<&str> = texts.flat_map(imports).map(file_name).collect();
    let is_named = |sheet: &StyleSheet| links.contains(sheet.href.as_str()) || imports.contains(file_name(&sheet.href));
    sheets.iter().filter(|sheet| !is_named(sheet)).collect()
}

fn file_name(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}

/// A place in the page where rules come from.
enum Source<'a> {
    Link(&'a str),
    Embedded(&'a str),
}

impl<'a> Source<'a> {
    fn text(&self) -> Option<&'a str> {
        match self {
            Source::Link(_) => None,
            Source::Embedded(text) => Some(text),
        }
    }
}

/// The `<link>` and `<style>` elements that apply to a screen, in document order.
fn sources(dom: Dom<'_>) -> Vec<Source<'_>> {
    let mut sources = Vec::new();
    for node in dom.descendants(dom.root()) {
        let tag = dom.tag(node);
        if !matches!(tag, Tag::Link | Tag::Style) || !applies(dom, node) {
            continue;
        }
        match tag {
            Tag::Link => sources.extend(link_address(dom, node).map(Source::Link)),
            _ => sources.extend(dom.children(node).map(|child| Source::Embedded(dom.text(child)))),
        }
    }
    sources
}

fn link_address(dom: Dom<'_>, node: NodeId) -> Option<&str> {
    if dom.tag(node) != Tag::Link {
        return None;
    }
    dom.attribute(node, "href").map(str::trim)
}

fn applies(dom: Dom<'_>, node: NodeId) -> bool {
    let is_sheet = dom.tag(node) == Tag::Style || {
        let rel = dom.attribute(node, "rel").unwrap_or("");
        let has = |word: &str| rel.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word));
        has("stylesheet") && !has("alternate")
    };
    let kind = dom.attribute(node, "type").map_or("", str::trim);
    let is_css = kind.is_empty() || kind.to_ascii_lowercase().starts_with("text/css");
    is_sheet
        && is_css
        && dom.attribute(node, "disabled").is_none()
        && dom.attribute(node, "media").is_none_or(media::matches_media_text)
}
