//! A block: what it says, where and when it was seen, and how it was edited.

use askama::Template;
use kuai::search::{BlockId, Index, Listed};
use kuai::{Archive, Label, Url};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::edits::{Edit, edits};
use super::{Time, View};
use crate::refusal::Refusal;
use crate::shared::State;
use crate::visitor::Visitor;
use crate::words::Words;

/// Pages that are told.
const SEEN_MAX: usize = 100;

/// Letters of a block.
const TEXT_BYTES_MAX: usize = 1 << 18;

/// Which block.
#[derive(Deserialize, IntoParams)]
pub(crate) struct BlockAsked {
    /// What its text is known by: 16 hexadecimal digits.
    id: String,
    /// The page whose edits are told; the one that showed it first without one.
    url: Option<String>,
}

/// A block, wherever it stood.
#[derive(Serialize, ToSchema)]
pub(crate) struct BlockView {
    id: String,
    lines: Vec<String>,
    kind: Option<&'static str>,
    topic: Option<String>,
    language: Option<&'static str>,
    /// The title of the page that showed it first.
    title: String,
    /// Where and when it stood, in the order of when it was first seen.
    seen: Vec<Seen>,
    /// How many pages and times there are in all.
    seen_count: usize,
    /// The page whose edits are told.
    url: String,
    /// What it said before and what it came to say on that page, in the order of time.
    edits: Vec<Edit>,
}

/// A page that said it, from when to when.
#[derive(Serialize, ToSchema)]
struct Seen {
    url: String,
    title: String,
    first_seen: Time,
    /// The first capture of the page without it.
    absent_after: Option<Time>,
}

#[derive(Template)]
#[template(path = "block.html")]
struct BlockPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    view: &'a BlockView,
}

impl View for BlockView {
    type Asked = BlockAsked;
    const NAME: &'static str = "block";
    const ABOUT: &'static str = "A block: its text, where and when it was seen, and its edits.";

    fn read(server: &State, asked: BlockAsked) -> Result<BlockView, Refusal> {
        let archive = server.holdings.archive();
        let id = u64::from_str_radix(&asked.id, 16).map_err(|_| {
            Refusal::bad_request(format!("{:?} names no block: it is 16 digits, as a search gives it", asked.id))
        })?;
        let unknown = || Refusal::not_found(format!("no block {} is in the search index", asked.id));
        let (index, _) = server.finder.index(archive)?.ok_or_else(unknown)?;
        BlockView::of(&index, archive, BlockId(id), asked.url.as_deref())?.ok_or_else(unknown)
    }

    fn page(&self, visitor: &Visitor) -> askama::Result<String> {
        BlockPage { visitor, w: visitor.words, view: self }.render()
    }
}

impl BlockView {
    fn of(index: &Index, archive: &Archive, id: BlockId, url: Option<&str>) -> Result<Option<BlockView>, Refusal> {
        let (lifetimes, seen_count) = index.lifetimes(id, SEEN_MAX)?;
        let asked = lifetimes.iter().find(|lifetime| url.is_some_and(|url| lifetime.url == url));
        let Some(chosen) = asked.or(lifetimes.first()) else { return Ok(None) };
        let Ok(page_url) = Url::parse(&chosen.url) else { return Ok(None) };
        let page = archive.page(&page_url, chosen.number)?;
        let passages = page.iter().flat_map(|page| page.passages());
        let Some(passage) = passages.into_iter().find(|passage| BlockId::of(&passage.text) == id) else {
            return Ok(None);
        };
        let text = &passage.text[..passage.text.floor_char_boundary(TEXT_BYTES_MAX)];
        Ok(Some(BlockView {
            id: id.to_string(),
            lines: text.lines().map(str::to_owned).collect(),
            kind: chosen.label.map(Label::name),
            topic: passage.topic,
            language: Some(chosen.language.code()).filter(|code| !code.is_empty()),
            title: chosen.title.clone(),
            edits: edits(index, archive, &page_url, chosen)?,
            url: chosen.url.clone(),
            seen_count,
            seen: lifetimes.iter().map(Seen::new).collect(),
        }))
    }
}

impl Seen {
    fn new(lifetime: &Listed) -> Seen {
        Seen {
            url: lifetime.url.clone(),
            title: lifetime.title.clone(),
            first_seen: lifetime.first_seen.into(),
            absent_after: lifetime.gone.map(Time),
        }
    }
}
