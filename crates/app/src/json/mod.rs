//! What our JSON looks like: the contract with users' scripts. Inner types convert here, at the rim.

pub(crate) mod archive;
pub(crate) mod csl;
pub(crate) mod discover;
pub(crate) mod exchange;
mod features;
pub(crate) mod links;
pub(crate) mod search;
mod site;
pub(crate) mod watch;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use kuai_eval::{Evaluation, METRICS, MethodResult, PageResult, published};
use kuai_page::{Block, BlockTree, Citation, CitationKind, Link, Page, TextOptions};
use kuai_segment::{Extract, Image, Judged, Wanted, images, markdown};
use serde::Serialize;

use crate::input::Source;
use crate::pages::json_line;
pub(crate) use features::FeaturesJson;
pub(crate) use site::{CleanJson, LearnJson, SeriesJson};

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
    /// What sort of page it is, how likely that is, and the F1 that the text can be expected to have.
    #[serde(rename = "type")]
    page_type: Option<&'static str>,
    type_confidence: Option<f32>,
    text_confidence: Option<f32>,
    headline: Option<String>,
    authors: Vec<String>,
    modified: Option<String>,
    description: Option<String>,
    tags: Vec<String>,
    canonical: Option<String>,
    licence: Option<String>,
    text: String,
    markdown: String,
    units: Vec<UnitJson>,
    comments: Vec<String>,
    related: Vec<LinkJson>,
    links: Vec<LinkJson>,
    images: Vec<ImageJson>,
    citation: Option<CitationJson>,
    method: &'static str,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ImageJson {
    src: String,
    alt: String,
    caption: String,
}

/// What scholars ask of a page; only where the page speaks to them.
#[derive(Serialize)]
struct CitationJson {
    /// Of a year or a month, where more is not told.
    date: Option<String>,
    doi: Option<String>,
    journal: Option<String>,
    publisher: Option<String>,
    volume: Option<String>,
    issue: Option<String>,
    first_page: Option<String>,
    last_page: Option<String>,
    issn: Vec<String>,
    isbn: Option<String>,
    pdf: Option<String>,
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
        judged: &Judged,
        extract: Extract<'_>,
        wanted: &Wanted,
        method: &'static str,
    ) -> ExtractJson {
        let metadata = page.metadata();
        let tree = &judged.tree;
        ExtractJson {
            path: path(source),
            url: page.url().map(ToString::to_string),
            title: extract.title,
            author: extract.author,
            date: extract.date,
            language: extract.language,
            site: extract.site,
            kind: judged.kind(extract.kind).name(),
            page_type: judged.page_type.map(|guess| guess.page_type.name()),
            type_confidence: judged.page_type.and_then(|guess| guess.confidence),
            text_confidence: judged.expected_f1,
            headline: metadata.headline.clone(),
            authors: metadata.authors.clone(),
            modified: metadata.modified.clone(),
            description: metadata.description.clone(),
            tags: metadata.keywords.clone(),
            canonical: metadata.canonical.as_ref().map(ToString::to_string),
            licence: metadata.licence.clone(),
            text: extract.text,
            markdown: markdown(page, tree, wanted),
            units: extract
                .units
                .into_iter()
                .map(|unit| UnitJson { title: unit.title, text: unit.text, span: [unit.span.start, unit.span.end] })
                .collect(),
            comments: extract.comments,
            related: extract.related.into_iter().map(LinkJson::new).collect(),
            links: extract.links.into_iter().map(LinkJson::new).collect(),
            images: images(page, tree, wanted).into_iter().map(ImageJson::new).collect(),
            citation: metadata.is_scholarly().then(|| CitationJson::new(metadata.citation(page.url()))).flatten(),
            method,
            notes: notes(page),
        }
    }
}

impl ImageJson {
    fn new(image: Image) -> ImageJson {
        ImageJson { src: image.source, alt: image.alt, caption: image.caption }
    }
}

impl CitationJson {
    /// Nothing where the page says no more than when it was written.
    fn new(citation: Citation) -> Option<CitationJson> {
        // A page of the Web stands in a site, which is no journal.
        let journal = citation.container.filter(|_| citation.kind != CitationKind::Page);
        let told = [
            &citation.doi,
            &journal,
            &citation.publisher,
            &citation.volume,
            &citation.issue,
            &citation.isbn,
            &citation.pdf,
        ];
        let tells_something = !citation.issn.is_empty() || told.into_iter().any(Option::is_some);
        tells_something.then_some(CitationJson {
            date: citation.date,
            doi: citation.doi,
            journal,
            publisher: citation.publisher,
            volume: citation.volume,
            issue: citation.issue,
            first_page: citation.first_page,
            last_page: citation.last_page,
            issn: citation.issn,
            isbn: citation.isbn,
            pdf: citation.pdf,
        })
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
    let links = links_by_place(page);
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
        open.last_mut().expect("the outermost level stays").push(block_json(page, &links, block));
        open.push(Vec::new());
    }
    close_to(&mut open, 0);
    open.pop().expect("the outermost level stays")
}

/// The links in the order of the source, each place once: markup can show a link elsewhere than where it is written, and an unclosed one often.
fn links_by_place(page: &Page) -> Vec<&Link> {
    let mut links: Vec<&Link> = page.links().iter().collect();
    links.sort_by_key(|link| (link.span.start, link.span.end, Reverse(link.text.len())));
    links.dedup_by_key(|link| link.span);
    links
}

fn block_json(page: &Page, links: &[&Link], block: &Block) -> BlockJson {
    let first = links.partition_point(|link| link.span.start < block.span.start);
    let inside = links[first..].iter().take_while(|link| link.span.start < block.span.end);
    BlockJson {
        span: [block.span.start, block.span.end],
        kind: block.label.map(|label| label.name()),
        topic: block.topic.clone(),
        text: page.text(block.span, TextOptions::default()),
        links: inside.map(|link| LinkJson::new(link)).collect(),
        bounds: kuai_segment::bounds(page, block.span).map(|rect| [rect.x, rect.y, rect.width, rect.height]),
        children: Vec::new(),
    }
}

/// `kuai eval --json`.
#[derive(Serialize)]
pub(crate) struct EvalJson<'a> {
    set: &'a str,
    pages: usize,
    faults: Vec<String>,
    methods: Vec<MethodScoresJson<'a>>,
}

#[derive(Serialize)]
struct MethodScoresJson<'a> {
    method: &'a str,
    baseline: bool,
    parameters: &'a BTreeMap<&'static str, f64>,
    scores: BTreeMap<&'static str, f64>,
    published: Vec<PublishedJson>,
    speed: Option<SpeedJson>,
    pages: Vec<PageScoresJson<'a>>,
}

#[derive(Serialize)]
struct PublishedJson {
    source: &'static str,
    scores: BTreeMap<&'static str, f64>,
}

#[derive(Serialize)]
struct SpeedJson {
    milliseconds_mean: f64,
    milliseconds_median: f64,
    megabytes_per_second: f64,
    megabytes_per_second_cut: f64,
}

#[derive(Serialize)]
struct PageScoresJson<'a> {
    id: &'a str,
    path: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    overall: Option<f64>,
    scores: BTreeMap<&'static str, f64>,
    milliseconds: f64,
}

impl<'a> EvalJson<'a> {
    pub(crate) fn new(evaluation: &'a Evaluation) -> EvalJson<'a> {
        EvalJson {
            set: &evaluation.set,
            pages: evaluation.page_count,
            faults: evaluation.faults.iter().map(ToString::to_string).collect(),
            methods: evaluation.methods.iter().map(MethodScoresJson::new).collect(),
        }
    }
}

impl<'a> MethodScoresJson<'a> {
    fn new(method: &'a MethodResult) -> MethodScoresJson<'a> {
        let published = published(&method.name);
        MethodScoresJson {
            method: &method.name,
            baseline: method.is_baseline,
            parameters: &method.parameters,
            scores: METRICS.iter().filter_map(|metric| Some((metric.name, method.score(metric)?))).collect(),
            published: published
                .map(|published| PublishedJson {
                    source: published.source,
                    scores: published.figures.iter().copied().collect(),
                })
                .collect(),
            speed: method.speed().map(|speed| SpeedJson {
                milliseconds_mean: speed.milliseconds_mean,
                milliseconds_median: speed.milliseconds_median,
                megabytes_per_second: speed.megabytes_per_second,
                megabytes_per_second_cut: speed.megabytes_per_second_cut,
            }),
            pages: method.pages.iter().map(PageScoresJson::new).collect(),
        }
    }
}

impl<'a> PageScoresJson<'a> {
    fn new(page: &'a PageResult) -> PageScoresJson<'a> {
        let scores = METRICS.iter().filter_map(|metric| Some((metric.name, metric.of_page(&page.scores)?)));
        PageScoresJson {
            id: &page.id,
            path: page.path.display().to_string(),
            kind: page.kind.as_deref(),
            overall: page.overall(),
            scores: scores.collect(),
            milliseconds: (page.read_seconds + page.cut_seconds) * 1e3,
        }
    }
}

/// An answer to a page, as the scorers in other languages read it.
#[derive(Serialize)]
struct PredictionJson<'a> {
    id: &'a str,
    text: &'a str,
    related: Vec<HrefJson<'a>>,
    blocks: Vec<RangesJson>,
}

#[derive(Serialize)]
struct HrefJson<'a> {
    href: &'a str,
}

#[derive(Serialize)]
struct RangesJson {
    start: usize,
    end: usize,
    ranges: Vec<[usize; 2]>,
}

/// What a method answered, a JSON object a page and line.
pub(crate) fn predictions(method: &MethodResult) -> String {
    let answers = method.pages.iter().filter_map(|page| Some((page, page.answer.as_ref()?)));
    let lines = answers.map(|(page, answer)| {
        let prediction = PredictionJson {
            id: &page.id,
            text: &answer.text,
            related: answer.related.iter().map(|href| HrefJson { href }).collect(),
            blocks: answer.blocks.iter().filter_map(|block| RangesJson::new(block)).collect(),
        };
        format!("{}\n", json_line(&prediction))
    });
    lines.collect()
}

impl RangesJson {
    fn new(block: &[Range<usize>]) -> Option<RangesJson> {
        let (first, last) = (block.first()?, block.last()?);
        let ranges = block.iter().map(|range| [range.start, range.end]).collect();
        Some(RangesJson { start: first.start, end: last.end, ranges })
    }
}
