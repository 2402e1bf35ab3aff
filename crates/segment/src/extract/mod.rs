//! What people want from a page, read off any labelled tree: title, main text in reading order, links.

mod address;
mod among;
mod code;
mod code_lines;
mod edit_link;
mod grid;
mod html;
mod image;
mod images;
mod line_number;
mod markdown;
mod markdown_list;
mod markdown_marks;
mod markdown_text;
mod mathml;
mod maths;
mod notes;
mod part;
mod raw_tex;
mod table;
mod text;
mod titles;
mod unseen;
mod walk;
mod wanted;

use std::borrow::Cow;

use kuai_page::{BlockTree, Label, Link, Page, Span, TextOptions, room};
use rustc_hash::FxHashMap;

use crate::Method;
pub use crate::features::PageKind;
use crate::features::page_kind;
pub use images::Image;
use titles::Titles;
use unseen::seen;
pub use wanted::Wanted;
use wanted::{Kept, Labels, is_content};

/// What was extracted from a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Extract<'p> {
    /// The page's title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was published.
    pub date: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// The name of its site.
    pub site: Option<String>,
    /// Whether it has a text of its own or leads to others.
    pub kind: PageKind,
    /// The main text, in reading order.
    pub text: String,
    /// The main text in units, each opened by its title.
    pub units: Vec<Unit>,
    /// What readers wrote below it, a text a block.
    pub comments: Vec<String>,
    /// Links on the topic of the page.
    pub related: Vec<&'p Link>,
    /// All links of the page.
    pub links: Vec<&'p Link>,
}

/// A stretch of main text under one title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The title that opens it.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
    /// From its first block to the end of its last.
    pub span: Span,
}

/// Extracts from a page what its labelled blocks say is content.
pub fn extract<'p>(page: &'p Page, tree: &BlockTree, method: &Method) -> Extract<'p> {
    extract_wanted(page, tree, method, &Wanted::of(method))
}

/// Extracts from a page what is wanted of it as text, and the same as ever beside it.
pub fn extract_wanted<'p>(page: &'p Page, tree: &BlockTree, method: &Method, wanted: &Wanted) -> Extract<'p> {
    let labels = Labels::of(tree);
    let metadata = page.metadata();
    // Blocks may begin with text, behind the tag of their first link: what begins between blocks is where its words are.
    let words_of = |link: &Link| page.flow().runs_of(link.node).first().map(|run| run.span.start);
    let label_of = |link: &Link| labels.at(link.span.start).or_else(|| labels.at(words_of(link)?));
    let is_related = |link: &&Link| match label_of(link) {
        Some(Label::Related) => true,
        Some(label) => !method.tells_related_links && is_content(label),
        None => false,
    };
    Extract {
        title: metadata.title.clone(),
        author: (!metadata.authors.is_empty()).then(|| metadata.authors.join(", ")),
        date: metadata.published.clone(),
        language: metadata.language.clone(),
        site: metadata.site_name.clone(),
        kind: page_kind(page),
        text: text(page, tree, wanted),
        units: units(page, tree),
        comments: comments(page, tree),
        related: each_once(page.links().iter().filter(is_related)),
        links: page.links().iter().collect(),
    }
}

/// What is wanted of a page as text: a line or a paragraph a block, cells of tables parted by tabs.
pub fn text(page: &Page, tree: &BlockTree, wanted: &Wanted) -> String {
    let wanted = Wanted { links: false, images: false, ..wanted.clone() };
    let mut sink = text::Text::default();
    walk::walk(page, &Kept::of(page, tree, &wanted), &wanted, &mut sink);
    sink.finish()
}

/// What is wanted of a page as Markdown: headings, lists, tables, code, quotations, links, images, footnotes and
/// formulas kept.
pub fn markdown(page: &Page, tree: &BlockTree, wanted: &Wanted) -> String {
    let mut sink = markdown::Markdown::default();
    walk::walk(page, &Kept::of(page, tree, wanted), wanted, &mut sink);
    sink.finish()
}

/// What is wanted of a page as clean HTML: nothing but structure, and nothing that runs or loads other than images.
pub fn html(page: &Page, tree: &BlockTree, wanted: &Wanted) -> String {
    let mut sink = html::Html::default();
    walk::walk(page, &Kept::of(page, tree, wanted), wanted, &mut sink);
    sink.finish()
}

/// The images in what is wanted of a page.
pub fn images(page: &Page, tree: &BlockTree, wanted: &Wanted) -> Vec<Image> {
    let wanted = Wanted { links: false, images: true, ..wanted.clone() };
    let mut sink = images::Images::default();
    walk::walk(page, &Kept::of(page, tree, &wanted), &wanted, &mut sink);
    sink.finish()
}

/// Links of which none leads where another does: of a picture and the words beside it those that say more.
fn each_once<'p>(links: impl Iterator<Item = &'p Link>) -> Vec<&'p Link> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<&Link> = Vec::new();
    for link in links {
        let address = link.url.as_ref().map_or(link.href.as_str(), |url| url.as_str());
        let place = *places.entry(address).or_insert(found.len());
        match found.get_mut(place) {
            Some(known) if link.text.len() > known.text.len() => *known = link,
            Some(_) => {}
            None => found.push(link),
        }
    }
    found
}

/// The text of a block, as the page shows it.
fn told(page: &Page, span: Span) -> String {
    let text = page.text(span, TextOptions::default());
    match seen(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(seen) => seen,
    }
}

/// Outermost comment blocks, so that one who answers another is told once.
fn comments(page: &Page, tree: &BlockTree) -> Vec<String> {
    let mut end = 0;
    let mut found = Vec::new();
    for block in tree.blocks().iter().filter(|block| block.label == Some(Label::Comment)) {
        if block.span.start >= end {
            end = block.span.end;
            found.push(told(page, block.span));
        }
    }
    found.retain(|text| !text.is_empty());
    found
}

/// The automaton of SPCOLA: a title emits the open unit and starts another, content is added to it, the rest is dropped.
fn units(page: &Page, tree: &BlockTree) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let titles = Titles::of(page);
    let text = |span| told(page, span);
    for block in tree.leaves() {
        match block.label {
            Some(Label::Title) => {
                units.push(Unit { title: Some(titles.told_in(block.span)), text: String::new(), span: block.span })
            }
            Some(label) if is_content(label) => match units.last_mut() {
                Some(unit) => {
                    unit.span = unit.span.union(block.span);
                    if !unit.text.is_empty() {
                        unit.text.push_str("\n\n");
                    }
                    let text = text(block.span);
                    room::make_for(&mut unit.text, text.len());
                    unit.text.push_str(&text);
                }
                None => units.push(Unit { title: None, text: text(block.span), span: block.span }),
            },
            _ => {}
        }
    }
    units.retain(|unit| unit.title.is_some() || !unit.text.is_empty());
    units
}

#[cfg(test)]
mod tests;
