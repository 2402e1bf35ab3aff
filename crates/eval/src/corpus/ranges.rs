//! Ranges: `gold.jsonl`, a line a page: `{"id", "url", "html": path, "chars", "usable", "blocks": [{"start", "end", "level"}]}`, places
//! counted in the page's text without white space ([`Stream`]).

use std::ops::Range;
use std::path::{Path, PathBuf};

use kuai_page::Url;
use serde::Deserialize;

use super::{Entry, Fault, LabelledPage, Labels, read_text};
use crate::Error;
use crate::stream::Stream;

/// The blocks of a page, and how long its text must be for them to fit.
#[derive(Debug)]
pub(super) struct Marks {
    file: PathBuf,
    line: usize,
    characters: usize,
    blocks: Vec<Vec<Range<usize>>>,
}

#[derive(Deserialize)]
struct PageJson {
    id: String,
    url: Option<String>,
    html: String,
    chars: usize,
    usable: Option<bool>,
    blocks: Vec<BlockJson>,
}

#[derive(Deserialize)]
struct BlockJson {
    start: usize,
    end: usize,
    ranges: Option<Vec<(usize, usize)>>,
}

pub(super) fn entries(folder: &Path, faults: &mut Vec<Fault>) -> Result<Vec<Entry>, Error> {
    let file = folder.join("gold.jsonl");
    let mut entries = Vec::new();
    for (index, line) in read_text(&file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut fault = |message: String| faults.push(Fault { file: file.clone(), line: Some(index + 1), message });
        let page: PageJson = match serde_json::from_str(line) {
            Ok(page) => page,
            Err(error) => {
                fault(error.to_string());
                continue;
            }
        };
        let path = folder.join(&page.html);
        if page.usable == Some(false) {
            continue;
        }
        if !path.is_file() {
            fault(format!("{}: there is no file {}", page.id, path.display()));
            continue;
        }
        let blocks = page.blocks.iter().filter_map(|block| read_block(block, page.chars).map_err(&mut fault).ok());
        let marks = Marks { file: file.clone(), line: index + 1, characters: page.chars, blocks: blocks.collect() };
        let url = page.url.and_then(|url| Url::parse(&url).ok());
        entries.push(Entry { id: page.id, path, url, kind: None, labels: Labels::Ranges(marks) });
    }
    Ok(entries)
}

fn read_block(block: &BlockJson, characters: usize) -> Result<Vec<Range<usize>>, String> {
    let ranges = block.ranges.clone().unwrap_or_else(|| vec![(block.start, block.end)]);
    match ranges.iter().find(|(start, end)| start > end || *end > characters) {
        Some((start, end)) => {
            Err(format!("the block {start}..{end} does not lie in the page's {characters} characters"))
        }
        None => Ok(ranges.into_iter().map(|(start, end)| start..end).collect()),
    }
}

pub(super) fn apply(labelled: &mut LabelledPage, marks: &Marks) {
    // The set was made by reading pages so, whatever they say of themselves.
    let is_utf8 = std::str::from_utf8(&labelled.body).is_ok();
    labelled.charset = Some(if is_utf8 { "utf-8" } else { "windows-1252" });
    let characters = Stream::read(labelled.page().dom()).text().len();
    if characters != marks.characters {
        let message = format!("the page has {characters} characters, its blocks were marked on {}", marks.characters);
        labelled.faults.push(Fault { file: marks.file.clone(), line: Some(marks.line), message });
    }
    let inside = |range: &Range<usize>| range.start.min(characters)..range.end.min(characters);
    labelled.gold.blocks = Some(marks.blocks.iter().map(|block| block.iter().map(inside).collect()).collect());
}
