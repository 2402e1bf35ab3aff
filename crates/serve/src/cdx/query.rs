//! A question as the parameters of its address put it.

use kuai_page::Timestamp;
use url::form_urlencoded;

use super::filter::{Collapse, Filter};
use super::line::{Output, field_name};
use super::range::range;
use crate::holdings::KeyRange;
use crate::refusal::Refusal;
use crate::stamp::{earliest, latest};

/// Filters, collapses and fields of one question.
const LIST_MAX: usize = 16;

/// Keys in a page, where nothing else is said.
const PAGE_SIZE: usize = 1000;

/// What is asked.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) range: KeyRange,
    pub(super) from: Option<Timestamp>,
    pub(super) to: Option<Timestamp>,
    pub(super) filters: Vec<Filter>,
    pub(super) collapses: Vec<Collapse>,
    pub(super) limit: usize,
    pub(super) order: Order,
    pub(super) output: Output,
    /// The fields to give; all where there are none.
    pub(super) fields: Option<Vec<String>>,
    /// The page to give, from 0.
    pub(super) page: Option<usize>,
    pub(super) page_size: usize,
    pub(super) wants_page_count: bool,
    /// Whether what was seen again is described as it was seen first.
    pub(super) resolves_revisits: bool,
}

/// In which order lines come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Forward,
    Reverse,
    /// Those near a time first.
    Closest(Timestamp),
}

impl Query {
    pub(super) fn read(text: &str) -> Result<Query, Refusal> {
        let parameters = Parameters(form_urlencoded::parse(text.as_bytes()).into_owned().collect());
        let url = parameters.first("url").ok_or_else(|| Refusal::bad_request("the parameter url= is missing"))?;
        let fields = parameters.first("fl").or(parameters.first("fields"));
        let mut collapses = parameters.read_all("collapse", Collapse::read)?;
        collapses.extend(parameters.first("collapseTime").map(Collapse::time_and_status).transpose()?);
        let page = parameters.number("page")?;
        Ok(Query {
            range: range(url, parameters.first("matchType"))?,
            from: parameters.time("from", earliest)?,
            to: parameters.time("to", latest)?,
            filters: parameters.read_all("filter", Filter::read)?,
            collapses,
            limit: parameters.number("limit")?.unwrap_or(usize::MAX),
            order: order(&parameters)?,
            output: Output::read(parameters.first("output").unwrap_or("cdxj"))?,
            fields: fields
                .map(|fields| fields.split(',').take(LIST_MAX).map(|name| field_name(name).to_owned()).collect()),
            page,
            page_size: parameters.number("pageSize")?.unwrap_or(PAGE_SIZE).max(1),
            wants_page_count: parameters.is_set("showNumPages"),
            resolves_revisits: parameters.is_set("resolveRevisits"),
        })
    }

    /// Whether anything is asked that only reading the capture tells.
    pub(super) fn needs_detail(&self) -> bool {
        let is_detail = |name: &str| matches!(name, "mime" | "digest" | "");
        let is_shown = self.fields.as_ref().is_none_or(|fields| fields.iter().any(|name| is_detail(name)));
        is_shown
            || self.filters.iter().any(|filter| is_detail(filter.field()))
            || self.collapses.iter().any(|collapse| is_detail(collapse.field()))
    }
}

fn order(parameters: &Parameters) -> Result<Order, Refusal> {
    if let Some(closest) = parameters.time("closest", latest)? {
        return Ok(Order::Closest(closest));
    }
    match parameters.first("sort") {
        Some("reverse") => Ok(Order::Reverse),
        Some("closest") => Err(Refusal::bad_request("sort=closest needs closest= and a time")),
        _ if parameters.is_set("reverse") => Ok(Order::Reverse),
        _ => Ok(Order::Forward),
    }
}

struct Parameters(Vec<(String, String)>);

impl Parameters {
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    fn first<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    fn is_set(&self, name: &str) -> bool {
        self.first(name).is_some_and(|value| !matches!(value, "0" | "false" | "False"))
    }

    fn number(&self, name: &str) -> Result<Option<usize>, Refusal> {
        let read =
            |value: &str| value.parse().map_err(|_| Refusal::bad_request(format!("{name}={value} is no number")));
        self.first(name).map(read).transpose()
    }

    fn time(&self, name: &str, read: fn(&str) -> Option<Timestamp>) -> Result<Option<Timestamp>, Refusal> {
        let bad = |value: &str| {
            Refusal::bad_request(format!("{name}={value} is no time: write it like 20260131235959 or 2026"))
        };
        self.first(name).map(|value| read(value).ok_or_else(|| bad(value))).transpose()
    }

    fn read_all<T>(&self, name: &str, read: impl Fn(&str) -> Result<T, Refusal>) -> Result<Vec<T>, Refusal> {
        if self.all(name).count() > LIST_MAX {
            return Err(Refusal::bad_request(format!("{name}= may be given {LIST_MAX} times")));
        }
        self.all(name).map(read).collect()
    }
}
