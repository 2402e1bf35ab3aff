//! The TimeMap: all mementos of an address, as links (RFC 6690's form) or as JSON, a page at a time.

use std::ops::Range;

use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use kuai_page::{Timestamp, Url};
use serde_json::{Map, Value, json};

use super::{Links, TIMEMAP_JSON, TIMEMAP_LINK};
use crate::holdings::Moment;
use crate::origins::Origins;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::stamp::http_date;
use crate::target::{address, rest};

/// `GET /timemap/link/<address>`, further pages at `/timemap/link/<number>/<address>`.
pub(crate) async fn timemap_link(
    State(shared): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let asked = Asked::read(&shared, &uri, &headers, TIMEMAP_LINK).await?;
    Ok(([(header::CONTENT_TYPE, "application/link-format")], asked.as_links()).into_response())
}

/// `GET /timemap/json/<address>`, in the form that MemGator gives; pages as above.
pub(crate) async fn timemap_json(
    State(shared): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let asked = Asked::read(&shared, &uri, &headers, TIMEMAP_JSON).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], format!("{:#}\n", asked.as_json())).into_response())
}

/// A page of a TimeMap that was asked for.
struct Asked {
    origins: Origins,
    original: Url,
    moments: Vec<Moment>,
    /// From 1.
    page: usize,
    page_length: usize,
}

impl Asked {
    async fn read(shared: &Shared, uri: &Uri, headers: &HeaderMap, prefix: &str) -> Result<Asked, Refusal> {
        let origins = shared.names.of(headers)?;
        let (page, text) = page_number(rest(uri, prefix));
        let original = address(text)?;
        let moments = shared.moments(&original).await?;
        if moments.is_empty() {
            return Err(Refusal::not_found(format!("nothing of {original} is in the archive")));
        }
        let asked = Asked { origins, original, moments, page, page_length: shared.limits.timemap_page.max(1) };
        let page_count = asked.page_count();
        if !(1..=page_count).contains(&page) {
            return Err(Refusal::not_found(format!("this TimeMap has {page_count} pages, and no page {page}")));
        }
        Ok(asked)
    }

    fn page_count(&self) -> usize {
        self.moments.len().div_ceil(self.page_length)
    }

    /// The places of the mementos of a page.
    fn places(&self, page: usize) -> Range<usize> {
        let start = (page - 1) * self.page_length;
        start..(start + self.page_length).min(self.moments.len())
    }

    /// The first and the last time of a page.
    fn span(&self, page: usize) -> (Timestamp, Timestamp) {
        let places = self.places(page);
        (self.moments[places.start].time, self.moments[places.end - 1].time)
    }

    fn links(&self) -> Links<'_> {
        Links { origins: &self.origins, original: &self.original, moments: &self.moments }
    }

    fn as_links(&self) -> String {
        let links = self.links();
        let timemap = |page: usize, relation: &str| {
            let (from, until) = self.span(page);
            format!(
                "<{}>; rel=\"{relation}\"; type=\"application/link-format\"; from=\"{}\"; until=\"{}\"",
                links.timemap_link(page),
                http_date(from),
                http_date(until)
            )
        };
        let mut lines = vec![
            format!("<{}>; rel=\"original\"", self.original),
            timemap(self.page, "self"),
            format!("<{}>; rel=\"timegate\"", links.timegate()),
        ];
        lines.extend(self.neighbours().map(|(name, page)| timemap(page, &format!("{name} timemap"))));
        // No memento was chosen, so none is before or behind it.
        let nowhere = self.moments.len() + 1;
        lines.extend(self.places(self.page).map(|place| links.memento_link(place, &links.relations(place, nowhere))));
        lines.join(",\n") + "\n"
    }

    fn as_json(&self) -> Value {
        let links = self.links();
        let memento = |moment: &Moment| json!({ "datetime": moment.time.to_string(), "uri": links.memento(moment) });
        let mut mementos = Map::new();
        if self.page == 1 {
            mementos.extend(self.moments.first().map(|first| ("first".to_owned(), memento(first))));
        }
        if self.page == self.page_count() {
            mementos.extend(self.moments.last().map(|last| ("last".to_owned(), memento(last))));
        }
        let listed = self.moments[self.places(self.page)].iter().map(memento).collect();
        mementos.insert("list".to_owned(), Value::Array(listed));
        let pages: Map<String, Value> =
            self.neighbours().map(|(name, page)| (name.to_owned(), links.timemap_json(page).into())).collect();
        json!({
            "original_uri": self.original.as_str(),
            "self": links.timemap_json(self.page),
            "timegate_uri": links.timegate(),
            "timemap_uri": { "link_format": links.timemap_link(1), "json_format": links.timemap_json(1) },
            "pages": pages,
            "mementos": mementos,
        })
    }

    fn neighbours(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let known = 1..=self.page_count();
        [("prev", self.page - 1), ("next", self.page + 1)].into_iter().filter(move |(_, page)| known.contains(page))
    }
}

/// The number that may stand before the address.
fn page_number(text: &str) -> (usize, &str) {
    let numbered = text.split_once('/').and_then(|(number, rest)| {
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| (number.parse().unwrap_or(usize::MAX), rest))
    });
    numbered.unwrap_or((1, text))
}
