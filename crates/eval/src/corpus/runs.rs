//! Runs: `pages/NAME.html`, and `labels/NAME.txt` with a line a visual block, `first-last label note`, over the page's segments
//! as [`segments`] cuts them, counted from 1. Lines that begin with `#` are comments.

use std::path::{Path, PathBuf};

use kuai_page::Label;

use super::{Entry, Fault, LabelledPage, Labels, files, label, read_text, unknown_label};
use crate::Error;
use crate::metrics::GoldSegment;
use crate::segments::segments;
use crate::stream::{Stream, joined};

/// A visual block: its segments and what it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    number: usize,
    first: usize,
    last: usize,
    label: Label,
}

pub(super) fn entries(folder: &Path, faults: &mut Vec<Fault>) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for file in files(&folder.join("labels"), "txt")? {
        let id = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let path = folder.join("pages").join(format!("{id}.html"));
        if !path.is_file() {
            faults.push(Fault { file, line: None, message: format!("there is no page {}", path.display()) });
            continue;
        }
        let lines = lines(&read_text(&file)?, &file, faults);
        entries.push(Entry { id, path, url: None, kind: None, labels: Labels::Runs { file, lines } });
    }
    Ok(entries)
}

fn lines(text: &str, file: &Path, faults: &mut Vec<Fault>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(index + 1, line) {
            Ok(line) => lines.push(line),
            Err(message) => faults.push(Fault { file: file.to_owned(), line: Some(index + 1), message }),
        }
    }
    lines
}

fn read_line(number: usize, line: &str) -> Result<Line, String> {
    let mut words = line.split_whitespace();
    let (Some(range), Some(name)) = (words.next(), words.next()) else {
        return Err(format!("a line is `first-last label note`, not {line}"));
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (Ok(first), Ok(last)) = (first.parse(), last.parse()) else {
        return Err(format!("{range} is no range of segments"));
    };
    if first == 0 || last < first {
        return Err(format!("{range} is no range of segments: they count from 1, the first before the last"));
    }
    let label = label(name).ok_or_else(|| unknown_label(name))?;
    Ok(Line { number, first, last, label })
}

pub(super) fn apply(labelled: &mut LabelledPage, file: &Path, lines: &[Line]) {
    let page = labelled.page();
    let segments = segments(page.dom(), &[]);
    let stream = Stream::read(page.dom());
    let (mut gold, mut blocks) = (Vec::new(), Vec::new());
    for line in lines {
        let Some(inside) = segments.get(line.first - 1..line.last.min(segments.len())) else {
            labelled.faults.push(past_the_end(file, line, segments.len()));
            continue;
        };
        if line.last > segments.len() {
            labelled.faults.push(past_the_end(file, line, segments.len()));
        }
        let spans = inside.iter().flat_map(|segment| &segment.spans);
        let mut ranges: Vec<_> = spans.flat_map(|&span| stream.ranges(page.source(), span)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        blocks.push(joined(ranges));
        gold.extend(inside.iter().map(|segment| GoldSegment {
            label: line.label,
            kind: segment.kind.clone(),
            text: segment.text.clone(),
        }));
    }
    labelled.gold.segments = Some(gold);
    labelled.gold.blocks = Some(blocks);
}

fn past_the_end(file: &Path, line: &Line, count: usize) -> Fault {
    let message = format!("segments {}-{} are not all there: the page has {count}", line.first, line.last);
    Fault { file: PathBuf::from(file), line: Some(line.number), message }
}
