//! The JSON of searching.

use std::collections::BTreeMap;

use kuai::search::{Answer, Hit, Reply, Spell, TopicCount, YearTopics};
use serde::Serialize;

/// `kuai search --json`.
#[derive(Serialize)]
pub(crate) struct HitJson<'a> {
    url: &'a str,
    /// The capture that showed the block first.
    time: String,
    block: String,
    kind: Option<&'static str>,
    topic: Option<&'a str>,
    title: &'a str,
    language: Option<&'static str>,
    snippet: &'a str,
    /// Bytes of the snippet that were looked for.
    marks: Vec<[usize; 2]>,
    score: f32,
    first_seen: String,
    last_seen: String,
    /// The first capture of the page without it.
    absent_after: Option<String>,
    pages: u64,
}

/// The last line of `kuai search --facets --json`.
#[derive(Serialize)]
pub(crate) struct FacetsJson {
    matching: u64,
    facets: CountsJson,
}

#[derive(Serialize)]
struct CountsJson {
    years: BTreeMap<String, u64>,
    sites: BTreeMap<String, u64>,
    kinds: BTreeMap<&'static str, u64>,
}

/// `kuai when --json`.
#[derive(Serialize)]
pub(crate) struct SpellJson<'a> {
    url: &'a str,
    first_seen: String,
    last_seen: String,
    absent_before: Option<String>,
    absent_after: Option<String>,
}

/// `kuai ask --json`.
#[derive(Serialize)]
pub(crate) struct ReplyJson<'a> {
    sentence: &'a str,
    url: &'a str,
    title: &'a str,
    score: f32,
    first_seen: String,
    last_seen: String,
    absent_after: Option<String>,
}

/// `kuai topics --json`.
#[derive(Serialize)]
pub(crate) struct TopicsJson<'a> {
    year: i16,
    pages: u32,
    most: Vec<TopicJson<'a>>,
    new: Vec<TopicJson<'a>>,
    rising: Vec<TopicJson<'a>>,
    gone: Vec<TopicJson<'a>>,
}

#[derive(Serialize)]
struct TopicJson<'a> {
    word: &'a str,
    pages: u32,
    before: u32,
}

/// `kuai index --json`.
#[derive(Serialize)]
pub(crate) struct IndexJson {
    pub(crate) blocks: u64,
    pub(crate) bytes: u64,
    pub(crate) captures: u64,
    pub(crate) behind: u64,
}

impl<'a> HitJson<'a> {
    pub(crate) fn new(hit: &'a Hit) -> HitJson<'a> {
        HitJson {
            url: &hit.url,
            time: hit.first_seen.to_string(),
            block: hit.block.to_string(),
            kind: hit.label.map(|label| label.name()),
            topic: hit.topic.as_deref(),
            title: &hit.title,
            language: Some(hit.language.code()).filter(|code| !code.is_empty()),
            snippet: &hit.snippet.text,
            marks: hit.snippet.marks.iter().map(|mark| [mark.start, mark.end]).collect(),
            score: hit.score,
            first_seen: hit.first_seen.to_string(),
            last_seen: hit.last_seen.to_string(),
            absent_after: hit.gone.map(|gone| gone.to_string()),
            pages: hit.pages,
        }
    }
}

impl FacetsJson {
    pub(crate) fn new(answer: &Answer) -> FacetsJson {
        let facets = &answer.facets;
        let kind = |(kind, count): (&Option<kuai::Label>, &u64)| (kind.map_or("none", |kind| kind.name()), *count);
        FacetsJson {
            matching: answer.matching,
            facets: CountsJson {
                years: facets.years.iter().map(|(year, count)| (year.to_string(), *count)).collect(),
                sites: facets.sites.clone(),
                kinds: facets.kinds.iter().map(kind).collect(),
            },
        }
    }
}

impl<'a> SpellJson<'a> {
    pub(crate) fn new(spell: &'a Spell) -> SpellJson<'a> {
        SpellJson {
            url: &spell.url,
            first_seen: spell.first_seen.to_string(),
            last_seen: spell.last_seen.to_string(),
            absent_before: spell.absent_before.map(|time| time.to_string()),
            absent_after: spell.absent_after.map(|time| time.to_string()),
        }
    }
}

impl<'a> ReplyJson<'a> {
    pub(crate) fn new(reply: &'a Reply) -> ReplyJson<'a> {
        ReplyJson {
            sentence: &reply.sentence,
            url: &reply.url,
            title: &reply.title,
            score: reply.score,
            first_seen: reply.first_seen.to_string(),
            last_seen: reply.last_seen.to_string(),
            absent_after: reply.gone.map(|gone| gone.to_string()),
        }
    }
}

impl<'a> TopicsJson<'a> {
    pub(crate) fn new(year: &'a YearTopics) -> TopicsJson<'a> {
        let list = |topics: &'a [TopicCount]| {
            let topic =
                |topic: &'a TopicCount| TopicJson { word: &topic.word, pages: topic.pages, before: topic.before };
            topics.iter().map(topic).collect()
        };
        TopicsJson {
            year: year.year,
            pages: year.pages,
            most: list(&year.most),
            new: list(&year.new),
            rising: list(&year.rising),
            gone: list(&year.gone),
        }
    }
}
