//! Marked pages: HTML files in which comments enclose blocks, `<!--kuai:LABEL-->…<!--/kuai-->`, nested as one likes.
//!
//! The page is the file without these comments; what they enclosed are the blocks. The innermost label counts for a run of
//! text. Text outside all marks counts for neither side.

use std::path::Path;

use kuai_page::{BlockTree, Label, Page, Span};
use kuai_segment::{Wanted, text};

use super::{Entry, Fault, LabelledPage, Labels, files, label, unknown_label};
use crate::Error;
use crate::metrics::GoldSegment;
use crate::segments::segments;
use crate::stream::Stream;

const OPEN: &str = "<!--kuai:";
const CLOSE: &str = "<!--/kuai-->";

pub(super) fn entries(folder: &Path) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for path in files(folder, "html")? {
        let is_marked = std::fs::read(&path).is_ok_and(|body| String::from_utf8_lossy(&body).contains(OPEN));
        let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if is_marked {
            entries.push(Entry { id, path, url: None, kind: None, labels: Labels::Marked });
        }
    }
    Ok(entries)
}

pub(super) fn apply(labelled: &mut LabelledPage, file: &Path) {
    let marked = Page::from_bytes(&labelled.body, None, None, &kuai_page::Limits::default());
    let (source, blocks, faults) = unmark(marked.source(), file);
    labelled.faults.extend(faults);
    labelled.body = source.into_bytes();
    labelled.charset = Some("utf-8");
    let page = labelled.page();
    let stream = Stream::read(page.dom());
    labelled.gold.blocks = Some(blocks.iter().map(|&(span, _)| stream.ranges(page.source(), span)).collect());
    labelled.gold.segments = Some(gold_segments(&page, &blocks));
    let tree = BlockTree::from_labelled(blocks.into_iter().map(|(span, label)| (span, Some(label))));
    labelled.gold.text = Some(text(&page, &tree, &Wanted::default()));
}

fn gold_segments(page: &Page, blocks: &[(Span, Label)]) -> Vec<GoldSegment> {
    let mut borders: Vec<u32> = blocks.iter().flat_map(|(span, _)| [span.start, span.end]).collect();
    borders.sort_unstable();
    borders.dedup();
    let innermost = |place: u32| {
        let around = blocks.iter().filter(|(span, _)| (span.start..span.end).contains(&place));
        around.min_by_key(|(span, _)| span.len()).map(|&(_, label)| label)
    };
    let segments = segments(page.dom(), &borders).into_iter();
    segments
        .filter_map(|segment| {
            let label = innermost(segment.place)?;
            Some(GoldSegment { label, kind: segment.kind, text: segment.text })
        })
        .collect()
}

/// Takes the marks out: the page, its blocks and what was wrong with the marks.
fn unmark(marked: &str, file: &Path) -> (String, Vec<(Span, Label)>, Vec<Fault>) {
    let mut page = String::with_capacity(marked.len());
    let (mut blocks, mut faults) = (Vec::new(), Vec::new());
    // A mark with a wrong label is kept open, so that its end closes no other.
    let mut open: Vec<(u32, usize, Option<Label>)> = Vec::new();
    let mut rest = marked;
    let mut line = 1;
    while let Some(place) = rest.find("<!--") {
        let (before, after) = rest.split_at(place);
        line += before.matches('\n').count();
        page.push_str(before);
        let mut fault = |message| faults.push(Fault { file: file.to_owned(), line: Some(line), message });
        let length = if after.starts_with(CLOSE) {
            match open.pop() {
                Some((start, _, Some(label))) => blocks.push((Span::new(start, page.len() as u32), label)),
                Some((_, _, None)) => {}
                None => fault("a block ends that was not begun".to_owned()),
            }
            CLOSE.len()
        } else if let Some((name, _)) = after.strip_prefix(OPEN).and_then(|text| text.split_once("-->")) {
            let known = label(name.trim());
            if known.is_none() {
                fault(unknown_label(name.trim()));
            }
            open.push((page.len() as u32, line, known));
            OPEN.len() + name.len() + "-->".len()
        } else {
            page.push_str("<!--");
            "<!--".len()
        };
        line += after[..length].matches('\n').count();
        rest = &after[length..];
    }
    page.push_str(rest);
    for (_, line, _) in open {
        faults.push(Fault {
            file: file.to_owned(),
            line: Some(line),
            message: "a block is begun and never ended".to_owned(),
        });
    }
    blocks.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    (page, blocks, faults)
}
