//! How original, TimeGate, TimeMap and mementos point at each other.

use std::fmt::Write;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use kuai_page::Url;

use super::{TIMEGATE, TIMEMAP_JSON, TIMEMAP_LINK};
use crate::holdings::Moment;
use crate::origins::Origins;
use crate::replay::memento_path;
use crate::stamp::http_date;

/// The header that says what time a memento is of.
const MEMENTO_DATETIME: HeaderName = HeaderName::from_static("memento-datetime");

/// The addresses around an original.
pub(crate) struct Links<'a> {
    pub(crate) origins: &'a Origins,
    pub(crate) original: &'a Url,
    pub(crate) moments: &'a [Moment],
}

impl Links<'_> {
    pub(crate) fn timegate(&self) -> String {
        format!("{}{TIMEGATE}{}", self.origins.main, self.original)
    }

    /// A page of the TimeMap; the first has no number.
    pub(crate) fn timemap_link(&self, page: usize) -> String {
        self.timemap(TIMEMAP_LINK, page)
    }

    /// As [`Links::timemap_link`], in JSON.
    pub(crate) fn timemap_json(&self, page: usize) -> String {
        self.timemap(TIMEMAP_JSON, page)
    }

    fn timemap(&self, form: &str, page: usize) -> String {
        let number = if page > 1 { format!("{page}/") } else { String::new() };
        format!("{}{form}{number}{}", self.origins.main, self.original)
    }

    pub(crate) fn memento(&self, moment: &Moment) -> String {
        format!("{}{}", self.origins.replay, memento_path(moment.time, "", &moment.url))
    }

    /// The relations of the memento at a place: `first prev memento`.
    pub(crate) fn relations(&self, place: usize, chosen: usize) -> String {
        let named = [
            (place == 0, "first "),
            (place + 1 == self.moments.len(), "last "),
            (place + 1 == chosen, "prev "),
            (place == chosen + 1, "next "),
        ];
        let names: String = named.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect();
        names + "memento"
    }

    /// One memento as a link.
    pub(crate) fn memento_link(&self, place: usize, relations: &str) -> String {
        let moment = &self.moments[place];
        format!("<{}>; rel=\"{relations}\"; datetime=\"{}\"", self.memento(moment), http_date(moment.time))
    }

    /// What stands in the `Link` header of the answer that chose a memento.
    pub(crate) fn header(&self, chosen: usize, with_timegate: bool) -> Option<HeaderValue> {
        let (first, last) = (self.moments.first()?, self.moments.last()?);
        let mut header = format!("<{}>; rel=\"original\"", self.original);
        if with_timegate {
            let _ = write!(header, ", <{}>; rel=\"timegate\"", self.timegate());
        }
        let _ = write!(
            header,
            ", <{}>; rel=\"timemap\"; type=\"application/link-format\"; from=\"{}\"; until=\"{}\"",
            self.timemap_link(1),
            http_date(first.time),
            http_date(last.time)
        );
        let end = self.moments.len() - 1;
        let mut places = vec![0, chosen.saturating_sub(1), chosen, (chosen + 1).min(end), end];
        places.dedup();
        for place in places {
            let _ = write!(header, ", {}", self.memento_link(place, &self.relations(place, chosen)));
        }
        HeaderValue::from_str(&header).ok()
    }

    /// Says in the headers of an answer which memento it is.
    pub(crate) fn describe(&self, chosen: usize, headers: &mut HeaderMap) {
        headers.extend(self.header(chosen, true).map(|links| (header::LINK, links)));
        let date = HeaderValue::from_str(&http_date(self.moments[chosen].time));
        headers.extend(date.ok().map(|date| (MEMENTO_DATETIME, date)));
    }
}
