//! What people want from a page, read off any labelled tree: title, main text in reading order, links.

mod html;
mod markdown;
mod walk;

use kuai_page::{BlockTree, Label, Link, NodeId, Page, Span, TextOptions};

use crate::Method;
pub use crate::features::PageKind;
use crate::features::page_kind;
use crate::places::Places;

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
    let labels = Labels::of(tree);
    let metadata = page.metadata();
    let keeps_hidden = method.keeps_hidden_text;
    let is_related = |link: &&Link| match labels.at(link.span.start) {
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
        text: page.flow().text_where(page.dom(), |run| (!run.hidden || keeps_hidden) && labels.keeps(run.span)),
        units: units(page, tree),
        related: page.links().iter().filter(is_related).collect(),
        links: page.links().iter().collect(),
    }
}

/// The main text as Markdown: headings, lists, tables, code, quotations, links and images kept.
pub fn markdown(page: &Page, tree: &BlockTree) -> String {
    let mut sink = markdown::Markdown::default();
    walk::walk(page, kept_nodes(page, tree), &mut sink);
    sink.finish()
}

/// The main text as clean HTML.
pub fn html(page: &Page, tree: &BlockTree) -> String {
    let mut sink = html::Html::default();
    walk::walk(page, kept_nodes(page, tree), &mut sink);
    sink.finish()
}

fn kept_nodes(page: &Page, tree: &BlockTree) -> impl Fn(NodeId) -> bool {
    let labels = Labels::of(tree);
    let dom = page.dom();
    move |node| labels.keeps(dom.span(node))
}

fn is_content(label: Label) -> bool {
    matches!(label, Label::Main | Label::Title | Label::Small)
}

/// The automaton of SPCOLA: a title emits the open unit and starts another, content is added to it, the rest is dropped.
fn units(page: &Page, tree: &BlockTree) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let text = |span| page.text(span, TextOptions::default());
    for block in tree.leaves() {
        match block.label {
            Some(Label::Title) => {
                units.push(Unit { title: Some(text(block.span)), text: String::new(), span: block.span })
            }
            Some(label) if is_content(label) => match units.last_mut() {
                Some(unit) => {
                    unit.span = unit.span.union(block.span);
                    if !unit.text.is_empty() {
                        unit.text.push_str("\n\n");
                    }
                    unit.text.push_str(&text(block.span));
                }
                None => units.push(Unit { title: None, text: text(block.span), span: block.span }),
            },
            _ => {}
        }
    }
    units.retain(|unit| unit.title.is_some() || !unit.text.is_empty());
    units
}

/// The label of the innermost labelled block at any place of the source.
struct Labels {
    places: Places,
    /// Beside the tree's blocks: a block's own label, or that of the block around it.
    labels: Vec<Option<Label>>,
}

impl Labels {
    fn of(tree: &BlockTree) -> Labels {
        let mut labels = Vec::with_capacity(tree.blocks().len());
        let mut around: Vec<Option<Label>> = Vec::new();
        for block in tree.blocks() {
            around.truncate(block.depth as usize);
            let label = block.label.or(around.last().copied().flatten());
            around.push(label);
            labels.push(label);
        }
        Labels { places: Places::of(tree), labels }
    }

    fn at(&self, place: u32) -> Option<Label> {
        self.places.at(place).and_then(|block| self.labels[block])
    }

    fn keeps(&self, span: Span) -> bool {
        self.at(span.start).is_some_and(is_content)
    }
}
