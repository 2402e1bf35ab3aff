//! What our JSON looks like: the contract with users' scripts. Inner types convert here, at the rim.

use kuai_page::{Block, BlockTree, Link, Page, TextOptions};
use kuai_segment::{Extract, markdown};
use serde::Serialize;

use crate::input::Source;

#[derive(Serialize)]
pub(crate) struct SegmentJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    url: Option<String>,
    method: &'static str,
    level: u32,
    length: usize,
    blocks: Vec<BlockJson>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct BlockJson {
    span: [u32; 2],
    kind: Option<&'static str>,
    topic: Option<String>,
    text: String,
    links: Vec<LinkJson>,
    #[serde(rename = "box")]
    bounds: Option<[f32; 4]>,
    children: Vec<BlockJson>,
}

#[derive(Serialize)]
struct LinkJson {
    href: String,
    text: String,
}

#[derive(Serialize)]
struct UnitJson {
    title: Option<String>,
    text: String,
    span: [u32; 2],
}

#[derive(Serialize)]
pub(crate) struct ExtractJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    title: Option<String>,
    author: Option<String>,
    date: Option<String>,
    language: Option<String>,
    site: Option<String>,
    kind: &'static str,
    text: String,
    markdown: String,
    units: Vec<UnitJson>,
    related: Vec<LinkJson>,
    links: Vec<LinkJson>,
    method: &'static str,
    notes: Vec<String>,
}

/// What is written for a page of a batch that could not be read.
#[derive(Serialize)]
pub(crate) struct FailureJson<'a> {
    pub(crate) path: &'a str,
    pub(crate) error: String,
}

impl SegmentJson {
    pub(crate) fn new(source: &Source, page: &Page, tree: &BlockTree, method: &'static str) -> SegmentJson {
        SegmentJson {
            path: path(source),
            url: page.url().map(ToString::to_string),
            method,
            level: tree.blocks().iter().map(|block| block.depth + 1).max().unwrap_or(0),
            length: page.source().len(),
            blocks: nested_blocks(page, tree),
            notes: notes(page),
        }
    }
}

impl ExtractJson {
    pub(crate) fn new(
        source: &Source,
        page: &Page,
        tree: &BlockTree,
        extract: Extract<'_>,
        method: &'static str,
    ) -> ExtractJson {
        ExtractJson {
            path: path(source),
            url: page.url().map(ToString::to_string),
            title: extract.title,
            author: extract.author,
            date: extract.date,
            language: extract.language,
            site: extract.site,
            kind: extract.kind.name(),
            text: extract.text,
            markdown: markdown(page, tree),
            units: extract
                .units
                .into_iter()
                .map(|unit| UnitJson { title: unit.title, text: unit.text, span: [unit.span.start, unit.span.end] })
                .collect(),
            related: extract.related.into_iter().map(LinkJson::new).collect(),
            links: extract.links.into_iter().map(LinkJson::new).collect(),
            method,
            notes: notes(page),
        }
    }
}

impl LinkJson {
    fn new(link: &Link) -> LinkJson {
        let href = link.url.as_ref().map_or_else(|| link.href.clone(), ToString::to_string);
        LinkJson { href, text: link.text.clone() }
    }
}

fn path(source: &Source) -> Option<String> {
    (!source.is_address()).then(|| source.place.clone())
}

fn notes(page: &Page) -> Vec<String> {
    page.notes().iter().map(ToString::to_string).collect()
}

/// Nests the flat list of blocks: a block goes into the last open one of less depth.
fn nested_blocks(page: &Page, tree: &BlockTree) -> Vec<BlockJson> {
    let mut open: Vec<Vec<BlockJson>> = vec![Vec::new()];
    let close_to = |open: &mut Vec<Vec<BlockJson>>, depth: usize| {
        while open.len() > depth + 1 {
            let children = open.pop().expect("there are more levels than one");
            let parent = open.last_mut().and_then(|level| level.last_mut()).expect("a deeper block follows its parent");
            parent.children = children;
        }
    };
    for block in tree.blocks() {
        close_to(&mut open, block.depth as usize);
        if open.len() == block.depth as usize {
            open.push(Vec::new());
        }
        open.last_mut().expect("the outermost level stays").push(block_json(page, block));
        open.push(Vec::new());
    }
    close_to(&mut open, 0);
    open.pop().expect("the outermost level stays")
}

fn block_json(page: &Page, block: &Block) -> BlockJson {
    let links = page.links();
    let first = links.partition_point(|link| link.span.start < block.span.start);
    let inside = links[first..].iter().take_while(|link| link.span.start < block.span.end);
    BlockJson {
        span: [block.span.start, block.span.end],
        kind: block.label.map(|label| label.name()),
        topic: block.topic.clone(),
        text: page.text(block.span, TextOptions::default()),
        links: inside.map(LinkJson::new).collect(),
        bounds: kuai_segment::bounds(page, block.span).map(|rect| [rect.x, rect.y, rect.width, rect.height]),
        children: Vec::new(),
    }
}
