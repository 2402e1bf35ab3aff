//! Text sets: `list.tsv` (`id<TAB>path<TAB>url` a line) and `gold.json` (`{id: {text, with, without, type}}`, all optional).

use std::path::{Path, PathBuf};

use kuai_page::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Entry, Fault, Gold, Labels, read_text};
use crate::Error;

#[derive(Deserialize)]
struct GoldJson {
    text: Option<String>,
    with: Option<Vec<String>>,
    without: Option<Vec<String>>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

pub(super) fn entries(folder: &Path, faults: &mut Vec<Fault>) -> Result<Vec<Entry>, Error> {
    let (list_file, gold_file) = (folder.join("list.tsv"), folder.join("gold.json"));
    let list = read_text(&list_file)?;
    let gold_text = read_text(&gold_file)?;
    let mut gold: Map<String, Value> = serde_json::from_str(&gold_text)
        .map_err(|error| Error::BrokenFile(fault(&gold_file, error.line(), error.to_string())))?;
    let mut entries = Vec::new();
    for (index, line) in list.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut fields = line.split('\t');
        let (Some(id), Some(path)) = (fields.next(), fields.next()) else {
            faults.push(fault(&list_file, index + 1, "a line is `id<TAB>path<TAB>url`".to_owned()));
            continue;
        };
        let path = folder.join(path);
        if !path.is_file() {
            faults.push(fault(&list_file, index + 1, format!("there is no file {}", path.display())));
            continue;
        }
        let Some(value) = gold.remove(id) else {
            faults.push(fault(&list_file, index + 1, format!("gold.json says nothing of {id}")));
            continue;
        };
        match serde_json::from_value::<GoldJson>(value) {
            Ok(gold) => entries.push(entry(id, path, fields.next(), gold)),
            Err(error) => faults.push(fault(&gold_file, line_of(&gold_text, id), format!("{id}: {error}"))),
        }
    }
    for id in gold.keys() {
        faults.push(fault(&gold_file, line_of(&gold_text, id), format!("list.tsv names no page {id}")));
    }
    Ok(entries)
}

fn entry(id: &str, path: PathBuf, url: Option<&str>, gold: GoldJson) -> Entry {
    let snippets = match (gold.with, gold.without) {
        (None, None) => None,
        (with, without) => Some((with.unwrap_or_default(), without.unwrap_or_default())),
    };
    let url = url.and_then(|url| Url::parse(url.trim()).ok());
    let labels = Labels::Texts(Gold { text: gold.text, snippets, ..Gold::default() });
    Entry { id: id.to_owned(), path, url, kind: gold.kind, labels }
}

fn fault(file: &Path, line: usize, message: String) -> Fault {
    Fault { file: file.to_owned(), line: Some(line), message }
}

/// The line on which a page's entry begins.
fn line_of(text: &str, id: &str) -> usize {
    let key = Value::from(id).to_string();
    text.find(&key).map_or(1, |place| text[..place].matches('\n').count() + 1)
}
