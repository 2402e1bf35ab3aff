//! Writes the blocks of the labelled home pages in the scorer's form: `segment_pred --method rules > PRED.jsonl`, then
//! `score.py gold.jsonl PRED.jsonl`.
//!
//! A block is told as ranges of the stream of all characters of the body that are no white space, as `domtext.py`
//! defines it. Style sheets are read from the disk beside the pages.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use kuai_benches::data::data_folder;
use kuai_page::{BlockTree, Edge, Limits, Origin, Page, Span, StyleSheet, Tag};
use kuai_segment::method;
use serde_json::{Value, json};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(method) = option(&arguments, "--method").and_then(method) else {
        eprintln!("usage: segment_pred --method NAME [--set name=value]... [--plain]");
        return ExitCode::from(2);
    };
    let mut settings = method.defaults();
    for pair in arguments.windows(2).filter(|pair| pair[0] == "--set") {
        let Some((name, value)) = pair[1].split_once('=') else { continue };
        if let Err(error) = settings.set(name, value.parse().unwrap_or(f64::NAN)) {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    let is_plain = arguments.iter().any(|argument| argument == "--plain");
    let folder = data_folder().join("segment");
    let gold = fs::read_to_string(folder.join("gold.jsonl")).expect("the data set has its labels");
    let segmenter = method.segmenter(&settings);
    for line in gold.lines() {
        let truth: Value = serde_json::from_str(line).expect("labels are JSON");
        let path = folder.join(truth["html"].as_str().unwrap_or_default());
        // One labelled page is missing from the data set; the others still count.
        let Ok(body) = fs::read(&path) else {
            eprintln!("{}: no page at {}", truth["id"], path.display());
            continue;
        };
        let mut page = Page::from_bytes(&body, None, None, &Limits::default());
        if !is_plain {
            let sheets = style_sheets(&page, path.parent().unwrap_or(&folder));
            page = page.with_style_sheets(sheets);
        }
        let stream = Stream::of(&page);
        if truth["chars"].as_u64() != Some(u64::from(stream.length)) {
            eprintln!("{}: {} characters, not {}", truth["id"], stream.length, truth["chars"]);
        }
        println!("{}", json!({ "id": truth["id"], "blocks": stream.blocks(&segmenter.segment(&page)) }));
    }
    ExitCode::SUCCESS
}

fn option<'a>(arguments: &'a [String], name: &str) -> Option<&'a str> {
    arguments.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1].as_str())
}

/// Text nodes with their place in the stream, in source order.
struct Stream {
    pieces: Vec<(Span, u32, u32)>,
    length: u32,
}

impl Stream {
    fn of(page: &Page) -> Stream {
        let dom = page.dom();
        let mut stream = Stream { pieces: Vec::new(), length: 0 };
        let Some(body) = dom.body() else { return stream };
        let mut steps = dom.walk(body);
        while let Some(edge) = steps.next() {
            let Edge::Enter(node) = edge else { continue };
            if is_skipped(dom.tag(node)) {
                steps.skip_children(node);
            } else if dom.is_text(node) {
                let count = dom.text(node).chars().filter(|character| !character.is_whitespace()).count() as u32;
                if count > 0 {
                    stream.pieces.push((dom.span(node), stream.length, stream.length + count));
                    stream.length += count;
                }
            }
        }
        stream.pieces.sort_by_key(|(span, ..)| span.start);
        stream
    }

    fn blocks(&self, tree: &BlockTree) -> Vec<Value> {
        let ranges = tree.blocks().iter().map(|block| self.ranges(block.span));
        let with_text = ranges.filter(|ranges| !ranges.is_empty());
        with_text
            .map(|ranges| json!({ "start": ranges[0].0, "end": ranges[ranges.len() - 1].1, "ranges": ranges }))
            .collect()
    }

    fn ranges(&self, span: Span) -> Vec<(u32, u32)> {
        let first = self.pieces.partition_point(|(piece, ..)| piece.start < span.start);
        let inside = self.pieces[first..].iter().take_while(|(piece, ..)| piece.start < span.end);
        let mut found: Vec<(u32, u32)> = inside.map(|&(_, start, end)| (start, end)).collect();
        found.sort_unstable();
        found.dedup_by(|next, last| {
            let touches = next.0 == last.1;
            if touches {
                last.1 = next.1;
            }
            touches
        });
        found
    }
}

fn is_skipped(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Script | Style | Noscript | Template | Head | Title | Iframe | Noframes | Noembed)
}

/// The sheets that a page links to and those that they import, as far as they lie on the disk.
fn style_sheets(page: &Page, folder: &Path) -> Vec<StyleSheet> {
    let dom = page.dom();
    let mut sheets: Vec<StyleSheet> = Vec::new();
    for node in dom.descendants(dom.root()).filter(|&node| dom.origin(node) != Origin::Implied) {
        if dom.tag(node) == Tag::Link
            && let Some(href) = dom.attribute(node, "href")
        {
            sheets.extend(read_sheet(folder, href.trim()));
        } else if dom.tag(node) == Tag::Style {
            let text: String = dom.children(node).map(|child| dom.text(child)).collect();
            sheets.extend(imports(&text, "").iter().filter_map(|href| read_sheet(folder, href)));
        }
    }
    let mut next = 0;
    while next < sheets.len() && sheets.len() < 200 {
        let found = imports(&sheets[next].text, &sheets[next].href);
        let unread = found.iter().filter(|href| !sheets.iter().any(|sheet| sheet.href == **href));
        let read: Vec<StyleSheet> = unread.filter_map(|href| read_sheet(folder, href)).collect();
        sheets.extend(read);
        next += 1;
    }
    sheets
}

fn read_sheet(folder: &Path, href: &str) -> Option<StyleSheet> {
    let path = folder.join(href.replace("%3F", "?").replace("%26", "&").replace("%20", " ").replace("%2C", ","));
    let bytes = fs::read(path).ok()?;
    Some(StyleSheet { href: href.to_owned(), text: String::from_utf8_lossy(&bytes).into_owned() })
}

/// The addresses that a sheet imports, joined with its own.
fn imports(text: &str, base: &str) -> Vec<String> {
    let addresses = text.split("@import").skip(1).filter_map(|rest| {
        let rest = rest.trim_start().trim_start_matches("url(").trim_start_matches(['"', '\'', ' ']);
        rest.split(['"', '\'', ')', ';']).next().map(str::trim)
    });
    let folder = base.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    addresses.filter(|address| !address.is_empty()).map(|address| join(&folder, address)).collect()
}

fn join(folder: &str, address: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
