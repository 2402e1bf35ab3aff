//! The JSON of links.

use kuai::search::{PageLink, Ranked, Target};
use serde::Serialize;

/// `kuai links URL --json`.
#[derive(Serialize)]
pub(crate) struct LinkJson<'a> {
    way: &'static str,
    from: &'a str,
    to: &'a str,
    kind: Option<&'static str>,
    text: &'a str,
    first_seen: String,
    last_seen: String,
    /// The first capture of the page without it.
    absent_after: Option<String>,
    /// What became of where it leads; only of links out of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<TargetJson<'a>>,
}

#[derive(Serialize)]
struct TargetJson<'a> {
    state: &'static str,
    status: Option<u16>,
    since: Option<String>,
    moved_to: Option<&'a str>,
}

/// `kuai links --rank --json`.
#[derive(Serialize)]
pub(crate) struct RankedJson<'a> {
    url: &'a str,
    rank: f64,
    links_in: u32,
    archived: bool,
}

impl<'a> LinkJson<'a> {
    pub(crate) fn new(way: &'static str, link: &'a PageLink, target: Option<&'a Target>) -> LinkJson<'a> {
        LinkJson {
            way,
            from: link.from.as_str(),
            to: link.to.as_str(),
            kind: link.label.map(|label| label.name()),
            text: &link.text,
            first_seen: link.first_seen.to_string(),
            last_seen: link.last_seen.to_string(),
            absent_after: link.gone.map(|gone| gone.to_string()),
            target: target.map(TargetJson::new),
        }
    }
}

impl<'a> TargetJson<'a> {
    fn new(target: &'a Target) -> TargetJson<'a> {
        let (state, status, since, moved_to) = match target {
            Target::NotArchived => ("not archived", None, None, None),
            Target::There { .. } => ("there", None, None, None),
            Target::Dead { status, since, .. } => ("dead", Some(*status), Some(since), None),
            Target::Moved { status, since, to } => ("moved", Some(*status), Some(since), to.as_ref()),
            Target::Failing { status, since } => ("failing", Some(*status), Some(since), None),
        };
        let since = since.map(|since| since.to_string());
        TargetJson { state, status, since, moved_to: moved_to.map(|url| url.as_str()) }
    }
}

impl<'a> RankedJson<'a> {
    pub(crate) fn new(page: &'a Ranked) -> RankedJson<'a> {
        RankedJson { url: &page.url, rank: page.rank, links_in: page.links_in, archived: page.is_archived }
    }
}
