//! The page histories of the data: series of captures of one address each.

use std::fs;
use std::path::{Path, PathBuf};

use kuai::{Capture, Timestamp, Url};
use serde::Deserialize;

/// A capture of a history that still lies in its file.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// Which series it belongs to.
    pub series: usize,
    /// The address of the series.
    pub url: Url,
    /// When it was captured.
    pub time: Timestamp,
    /// Where its body is.
    pub path: PathBuf,
}

impl HistoryEntry {
    /// Reads the body.
    pub fn read(&self) -> Capture {
        let body = fs::read(&self.path).expect("the manifest names files that are there");
        Capture::new(self.url.clone(), self.time, body)
    }
}

#[derive(Deserialize)]
struct Manifest {
    series: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    dir: String,
    url: String,
    versions: Vec<Version>,
}

#[derive(Deserialize)]
struct Version {
    ts: String,
}

/// All captures of a folder of histories, in the order in which a crawler would have seen them.
pub fn histories(folder: &Path) -> Vec<HistoryEntry> {
    let manifest = fs::read(folder.join("manifest.json")).expect("a folder of histories has a manifest");
    let manifest: Manifest = serde_json::from_slice(&manifest).expect("the manifest is JSON of a known form");
    let mut entries = Vec::new();
    for (series, Series { dir, url, versions }) in manifest.series.iter().enumerate() {
        for Version { ts } in versions {
            entries.push(HistoryEntry {
                series,
                url: Url::parse(url).expect("the manifest names addresses"),
                time: time(ts).expect("the manifest's times are 14 digits"),
                path: folder.join(dir).join(format!("{ts}.html")),
            });
        }
    }
    entries.sort_by_key(|entry| (entry.time, entry.series));
    entries
}

/// The time that 14 digits name.
fn time(digits: &str) -> Option<Timestamp> {
    let part = |from: usize, to: usize| digits.get(from..to);
    format!("{}-{}-{}T{}:{}:{}Z", part(0, 4)?, part(4, 6)?, part(6, 8)?, part(8, 10)?, part(10, 12)?, part(12, 14)?)
        .parse()
        .ok()
}
