//! A page looked into: what any methods make of it, side by side.

use std::time::Instant;

use askama::Template;
use kuai::marked_source;
use kuai_page::{Block, Capture, Limits, Page, Span, TextOptions, Url};
use kuai_segment::{DEFAULT_METHOD, METHODS, Method, Wanted, extract_wanted, method};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::View;
use crate::drafts::Draft;
use crate::guard::{BODY_BYTES_MAX, Role};
use crate::refusal::Refusal;
use crate::replay::{drawn_path, live_draft};
use crate::shared::State;
use crate::target::address;
use crate::visitor::Visitor;
use crate::words::Words;

/// Methods that are asked at a time.
const METHODS_MAX: usize = 6;
/// Blocks that are told of each, and characters of each block.
const BLOCKS_MAX: usize = 400;
const PREVIEW_CHARACTERS: usize = 160;
/// Characters of a text, and links.
const TEXT_CHARACTERS_MAX: usize = 200_000;
const LINKS_MAX: usize = 200;

/// An address or a page to look into, and how.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct InspectOrder {
    /// The address of the page. With `html` it is what links are resolved against, and nothing is fetched.
    pub(crate) url: Option<String>,
    /// The page itself.
    pub(crate) html: Option<String>,
    /// By which methods; the default method where none is named, at most 6.
    #[schema(max_items = 6)]
    pub(crate) methods: Vec<String>,
    /// Also where the address is private. Needs the role admin.
    pub(crate) allow_private: bool,
}

/// What can be asked of the page that is not yet looked into.
#[derive(Deserialize, IntoParams)]
pub(crate) struct InspectAsked {
    /// An address that is put into the form.
    url: Option<String>,
}

/// The methods that there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct InspectView {
    methods: Vec<MethodChoice>,
    #[serde(skip)]
    pub(crate) order: InspectOrder,
    #[serde(skip)]
    pub(crate) found: Option<Inspection>,
    #[serde(skip)]
    pub(crate) fault: Option<String>,
}

/// A method.
#[derive(Serialize, ToSchema)]
struct MethodChoice {
    name: &'static str,
    /// What it does.
    summary: &'static str,
    /// Who described it.
    origin: &'static str,
    /// Whether it is asked where none is named.
    is_default: bool,
}

/// A page as methods see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Inspection {
    /// The page's address, after redirects.
    url: Option<String>,
    title: String,
    /// Bytes of the page.
    bytes: usize,
    /// What is odd about it.
    notes: Vec<String>,
    /// Milliseconds that fetching took, where it was fetched.
    fetch_milliseconds: Option<f64>,
    methods: Vec<Finding>,
}

/// What a method makes of a page.
#[derive(Serialize, ToSchema)]
struct Finding {
    method: &'static str,
    /// Milliseconds from bytes to blocks.
    milliseconds: f64,
    block_count: usize,
    /// The first 400 of them.
    blocks: Vec<FoundBlock>,
    /// The main text.
    text: String,
    /// Links on the topic of the page.
    related: Vec<FoundLink>,
    /// What sort of page it is, from methods that say so.
    page_type: Option<String>,
    /// Where on the side of archived pages the page is drawn with its blocks, for a while.
    drawing: String,
}

/// A block.
#[derive(Serialize, ToSchema)]
struct FoundBlock {
    number: usize,
    /// How many blocks lie around it.
    depth: u32,
    kind: &'static str,
    topic: Option<String>,
    /// Where it stands in the decoded source, in bytes.
    span: [u32; 2],
    /// How its text begins.
    text: String,
}

/// A link.
#[derive(Serialize, ToSchema)]
struct FoundLink {
    href: String,
    text: String,
}

#[derive(Template)]
#[template(path = "inspect.html")]
struct InspectPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a InspectView,
}

impl View for InspectView {
    type Asked = InspectAsked;
    const NAME: &'static str = "inspect";
    const ABOUT: &'static str = "The methods by which a page can be looked into. Send a page or an address by POST.";

    fn read(_: &State, asked: InspectAsked) -> Result<InspectView, Refusal> {
        Ok(InspectView::of(InspectOrder { url: asked.url, ..InspectOrder::default() }))
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        InspectPage { visitor, w: visitor.words, view: self }.render()
    }
}

impl InspectView {
    pub(crate) fn of(order: InspectOrder) -> InspectView {
        let line = |method: &'static Method| MethodChoice {
            name: method.name,
            summary: method.summary,
            origin: method.origin,
            is_default: method.name == DEFAULT_METHOD,
        };
        InspectView { methods: METHODS.iter().map(line).collect(), order, found: None, fault: None }
    }

    fn is_chosen(&self, method: &MethodChoice) -> bool {
        let chosen = &self.order.methods;
        if chosen.is_empty() { method.is_default } else { chosen.iter().any(|name| name == method.name) }
    }
}

impl InspectOrder {
    /// What somebody must be to ask for it.
    pub(crate) fn role(&self) -> Role {
        if self.allow_private { Role::Admin } else { Role::Collect }
    }

    /// The address, where there is one.
    pub(crate) fn address(&self) -> Result<Option<Url>, Refusal> {
        let text = self.url.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let url = text.map(address).transpose()?;
        if url.is_none() && self.html.is_none() {
            return Err(Refusal::bad_request("give the address of a page, or the page itself"));
        }
        Ok(url)
    }

    /// The methods that are asked.
    pub(crate) fn chosen(&self) -> Result<Vec<&'static Method>, Refusal> {
        let default = [DEFAULT_METHOD.to_owned()];
        let names = if self.methods.is_empty() { &default[..] } else { &self.methods[..] };
        if names.len() > METHODS_MAX {
            return Err(Refusal::bad_request(format!("at most {METHODS_MAX} methods at a time")));
        }
        let known = |name: &String| {
            method(name).ok_or_else(|| {
                Refusal::bad_request(format!("there is no method {name:?}: GET /api/v1/inspect lists them"))
            })
        };
        names.iter().map(known).collect()
    }
}

/// A page to look into.
pub(crate) struct Subject {
    pub(crate) body: Vec<u8>,
    pub(crate) url: Option<Url>,
    pub(crate) charset: Option<String>,
    pub(crate) fetch_milliseconds: Option<f64>,
}

impl Subject {
    /// A page that was pasted.
    pub(crate) fn pasted(html: &str, url: Option<Url>) -> Subject {
        Subject { body: html.as_bytes().to_vec(), url, charset: Some("utf-8".to_owned()), fetch_milliseconds: None }
    }

    /// A page that was fetched.
    pub(crate) fn fetched(capture: Capture, began: Instant) -> Result<Subject, Refusal> {
        if capture.status >= 400 {
            return Err(Refusal::bad_request(format!("{} answers {}", capture.url, capture.status)));
        }
        if capture.body.len() > BODY_BYTES_MAX {
            return Err(Refusal::bad_request("the page is larger than 4 MB"));
        }
        let charset = capture.charset().map(str::to_owned);
        let fetch_milliseconds = Some(began.elapsed().as_secs_f64() * 1000.0);
        Ok(Subject { url: Some(capture.url), body: capture.body, charset, fetch_milliseconds })
    }

    fn page(&self) -> Page {
        Page::from_bytes(&self.body, self.url.as_ref(), self.charset.as_deref(), &Limits::default())
    }
}

/// Looks into a page. This takes long.
pub(crate) fn inspect(server: &State, subject: &Subject, methods: &[&'static Method]) -> Result<Inspection, Refusal> {
    let page = subject.page();
    let findings = methods.iter().map(|method| finding(server, subject, method));
    Ok(Inspection {
        url: subject.url.as_ref().map(Url::to_string),
        title: page.title().to_owned(),
        bytes: subject.body.len(),
        notes: page.notes().iter().map(ToString::to_string).collect(),
        fetch_milliseconds: subject.fetch_milliseconds,
        methods: findings.collect::<Result<_, _>>()?,
    })
}

/// What one method makes of a page, which it reads anew, so that none pays for another.
fn finding(server: &State, subject: &Subject, method: &'static Method) -> Result<Finding, Refusal> {
    let segmenter = method.segmenter(&method.defaults());
    let began = Instant::now();
    let page = subject.page();
    let tree = segmenter.segment(&page);
    let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
    let judged = segmenter.judge(&page);
    let extract = extract_wanted(&page, &judged.tree, method, &Wanted::of(method));
    let related = extract.related.iter().take(LINKS_MAX);
    let related = related.map(|link| FoundLink { href: link.href.clone(), text: link.text.clone() }).collect();
    let blocks = tree.blocks();
    let marked = marked_source(page.source(), blocks.iter().map(|block| (block.span, block.depth)));
    let kinds: Vec<&str> = blocks.iter().map(kind).collect();
    let draft = server.drafts.put(Draft { html: live_draft(&marked, &kinds), is_archived: false })?;
    Ok(Finding {
        method: method.name,
        milliseconds,
        block_count: blocks.len(),
        blocks: blocks.iter().enumerate().take(BLOCKS_MAX).map(|(number, block)| found(&page, number, block)).collect(),
        text: extract.text.chars().take(TEXT_CHARACTERS_MAX).collect(),
        related,
        page_type: judged.page_type.map(|guess| guess.page_type.name().to_owned()),
        drawing: drawn_path(&draft),
    })
}

fn kind(block: &Block) -> &'static str {
    block.label.map_or("block", |label| label.name())
}

fn found(page: &Page, number: usize, block: &Block) -> FoundBlock {
    let Span { start, end } = block.span;
    FoundBlock {
        number,
        depth: block.depth,
        kind: kind(block),
        topic: block.topic.clone(),
        span: [start, end],
        text: preview(&page.text(block.span, TextOptions::default()), PREVIEW_CHARACTERS),
    }
}

/// A text on one line, cut where it gets long.
pub(super) fn preview(text: &str, characters: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.chars().count() > characters {
            line = line.chars().take(characters).collect();
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
