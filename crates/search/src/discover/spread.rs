//! Texts that spread: a block that was first seen on one site and later, word for word, on others.

use std::collections::BTreeMap;

use kuai_archive::Archive;
use kuai_page::{Label, Url};
use rustc_hash::FxHashMap;
use tantivy::DocAddress;

use super::{Extent, Finding};
use crate::error::Error;
use crate::index::Index;
use crate::schema::{kind_of, time};
use crate::search::Record;

/// Letters of a text that nobody writes twice by chance.
const LETTERS_MIN: usize = 60;

/// Letters of a text that are shown.
const SHOWN_LETTERS: usize = 200;

/// Texts that are told.
const FINDINGS_MAX: usize = 100;

/// Texts whose words are read for that.
const READ_MAX: usize = 1_000;

/// When each site first had a text, and the document that says so.
type Stations = BTreeMap<String, (i64, DocAddress)>;

impl Index {
    /// Texts that came to a further site within the extent, those on most sites first.
    pub(super) fn spread(&self, archive: &Archive, extent: &Extent) -> Result<Vec<Finding>, Error> {
        let mut spread: Vec<(u64, Stations)> = self.stations()?.into_iter().filter(|(_, at)| at.len() > 1).collect();
        spread.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(&b.0)));
        let view = self.view();
        let mut findings = Vec::new();
        for (_, stations) in spread.into_iter().filter(|(_, stations)| is_of(extent, stations)).take(READ_MAX) {
            let mut records = Vec::new();
            for (_, address) in stations.values() {
                records.push(Record::read(&view, *address));
            }
            records.sort_by(|a, b| (a.first, &a.url).cmp(&(b.first, &b.url)));
            let text = records[0].passage(archive)?.map(|passage| passage.text).unwrap_or_default();
            if text.chars().count() < LETTERS_MIN {
                continue;
            }
            let stations = records.into_iter().map(|record| (record.url, time(record.first))).collect();
            findings.push(Finding::Spread { text: text.chars().take(SHOWN_LETTERS).collect(), stations });
            if findings.len() == FINDINGS_MAX {
                break;
            }
        }
        Ok(findings)
    }

    /// The sites of each text that is content.
    fn stations(&self) -> Result<FxHashMap<u64, Stations>, Error> {
        let mut texts: FxHashMap<u64, Stations> = FxHashMap::default();
        let view = self.view();
        for (segment, reader) in (0..).zip(view.searcher.segment_readers()) {
            let columns = view.columns(segment);
            for doc in reader.doc_ids_alive() {
                if !is_content(kind_of(columns.kind.get_val(doc))) {
                    continue;
                }
                let host = columns.host.of(doc);
                let site = host.strip_prefix("www.").unwrap_or(&host).to_owned();
                let here = (columns.first.get_val(doc), DocAddress::new(segment, doc));
                texts
                    .entry(columns.block.get_val(doc))
                    .or_default()
                    .entry(site)
                    .and_modify(|known| *known = (*known).min(here))
                    .or_insert(here);
            }
        }
        Ok(texts)
    }
}

/// Whether a text came to a further site within the extent, and to the site that is asked about at any time. Sites that had it from the same moment on
/// may have it from anywhere.
fn is_of(extent: &Extent, stations: &Stations) -> bool {
    let Some(origin) = stations.values().map(|(first, _)| *first).min() else { return false };
    let has_come = stations.values().any(|(first, _)| *first > origin && extent.has(time(*first)));
    let site = |host: &String| Url::parse(&format!("http://{host}/")).is_ok_and(|url| extent.has_site(&url));
    has_come && stations.keys().any(site)
}

fn is_content(label: Option<Label>) -> bool {
    matches!(label, Some(Label::Main | Label::Title | Label::Small | Label::Comment))
}
