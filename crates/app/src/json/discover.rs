//! The JSON of discoveries.

use kuai::search::Finding;
use serde::Serialize;

/// `kuai discover --json`.
#[derive(Serialize)]
#[serde(tag = "sort", rename_all = "lowercase")]
pub(crate) enum FindingJson<'a> {
    Burst {
        url: &'a str,
        changes: u32,
        from: String,
        to: String,
        all_changes: u32,
        first_change: String,
        last_change: String,
    },
    Spread {
        text: &'a str,
        stations: Vec<StationJson<'a>>,
    },
    Drift {
        url: &'a str,
        from: String,
        to: String,
        likeness: f32,
        before: &'a [String],
        after: &'a [String],
    },
    Died {
        url: &'a str,
        status: u16,
        since: String,
        last_there: Option<String>,
        linked_from: Vec<&'a str>,
    },
}

/// A page that had a text, the first of its site.
#[derive(Serialize)]
pub(crate) struct StationJson<'a> {
    url: &'a str,
    first_seen: String,
}

impl<'a> FindingJson<'a> {
    pub(crate) fn new(finding: &'a Finding) -> FindingJson<'a> {
        match finding {
            Finding::Burst { url, changes, from, to, all, life } => FindingJson::Burst {
                url: url.as_str(),
                changes: *changes,
                from: from.to_string(),
                to: to.to_string(),
                all_changes: *all,
                first_change: life.0.to_string(),
                last_change: life.1.to_string(),
            },
            Finding::Spread { text, stations } => {
                let station =
                    |(url, time): &'a (String, kuai::Timestamp)| StationJson { url, first_seen: time.to_string() };
                FindingJson::Spread { text, stations: stations.iter().map(station).collect() }
            }
            Finding::Drift { url, from, to, likeness, before, after } => FindingJson::Drift {
                url: url.as_str(),
                from: from.to_string(),
                to: to.to_string(),
                likeness: *likeness,
                before,
                after,
            },
            Finding::Died { url, status, since, last_there, linked_from } => FindingJson::Died {
                url: url.as_str(),
                status: *status,
                since: since.to_string(),
                last_there: last_there.map(|time| time.to_string()),
                linked_from: linked_from.iter().map(|url| url.as_str()).collect(),
            },
        }
    }
}
