//! Compares estimated boxes with Chromium's on the labelled pages of `$KUAI_DATA/segment`.
//!
//!     boxes MEASURED_FOLDER [PAGE]
//!
//! `MEASURED_FOLDER` holds what `benches/boxes/measure.py` wrote. Prints the share of text elements whose
//! centre lies within 50 px of Chromium's across the page, and whose width is within 20 % of Chromium's; with
//! the name of a page, its elements one by one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use kuai_benches::data::{data_folder, pages_below};
use kuai_eval::saved_style_sheets;
use kuai_page::{Dom, Limits, NodeId, Page, Rect, Styles, Tag};
use serde_json::Value;

fn main() {
    let pages = data_folder().join("segment/pages");
    let mut arguments = env::args().skip(1);
    let measured = PathBuf::from(arguments.next().expect("the folder of measured boxes is given"));
    let only = arguments.next();
    let mut total = Score::default();
    let mut scores = Vec::new();
    for path in pages_below(&pages).into_iter().filter(|path| path.to_string_lossy().ends_with(".kuai.html")) {
        let site = site_of(&path, &pages);
        if only.as_ref().is_some_and(|only| *only != site) {
            continue;
        }
        let Ok(text) = fs::read_to_string(measured.join(format!("{site}.json"))) else { continue };
        let boxes: Value = serde_json::from_str(&text).expect("measured boxes are JSON");
        let score = compare(&path, &pages, &boxes, only.is_some());
        total.add(&score);
        scores.push((site, score));
    }
    scores.sort_by(|a, b| a.1.quality().total_cmp(&b.1.quality()));
    for (site, score) in &scores {
        println!("{site:32} {score}");
    }
    println!("{:32} {total}", "all");
    let mean = |share: fn(&Score) -> f64| {
        scores.iter().map(|(_, score)| share(score)).sum::<f64>() / scores.len().max(1) as f64
    };
    println!("mean over pages: centre {:.3}, width {:.3}", mean(Score::centre_share), mean(Score::width_share));
}

#[derive(Default)]
struct Score {
    elements: usize,
    missing: usize,
    centre: usize,
    width: usize,
    style_ms: f64,
    geometry_ms: f64,
    /// Our page height against Chromium's.
    height_ratio: f64,
}

impl Score {
    fn add(&mut self, other: &Score) {
        self.elements += other.elements;
        self.missing += other.missing;
        self.centre += other.centre;
        self.width += other.width;
        self.style_ms += other.style_ms;
        self.geometry_ms += other.geometry_ms;
    }

    fn centre_share(&self) -> f64 {
        self.centre as f64 / self.elements.max(1) as f64
    }

    fn width_share(&self) -> f64 {
        self.width as f64 / self.elements.max(1) as f64
    }

    fn quality(&self) -> f64 {
        self.centre_share() + self.width_share()
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "elements {:5}  without a box {:4}  centre {:.3}  width {:.3}  style {:.1} ms  boxes {:.1} ms  height x{:.2}",
            self.elements,
            self.missing,
            self.centre_share(),
            self.width_share(),
            self.style_ms,
            self.geometry_ms,
            self.height_ratio
        )
    }
}

fn compare(path: &Path, root: &Path, measured: &Value, verbose: bool) -> Score {
    let body = fs::read(path).expect("the page can be read");
    let page = Page::from_bytes(&body, None, None, &Limits::default());
    let sheets = saved_style_sheets(&page, path, root);
    let page = page.with_style_sheets(sheets);
    let dom = page.dom();
    let start = Instant::now();
    let styles = page.styles();
    let style_ms = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    let boxes = page.boxes();
    let geometry_ms = start.elapsed().as_secs_f64() * 1e3;
    let nodes = nodes_by_path(dom);
    let height = measured["height"].as_f64().unwrap_or(1.0);
    let mut score =
        Score { style_ms, geometry_ms, height_ratio: f64::from(boxes.height()) / height, ..Score::default() };
    for element in measured["elements"].as_array().into_iter().flatten() {
        let number = |index: usize| element[index].as_f64().unwrap_or(0.0) as f32;
        let theirs = Rect { x: number(3), y: number(4), width: number(5), height: number(6) };
        let holds_text = element[2].as_i64() == Some(1);
        let is_shown = theirs.width > 0.0 && theirs.height > 0.0;
        if !is_shown || !(holds_text || verbose) {
            continue;
        }
        let place = element[0].as_str().unwrap_or("");
        let node = nodes.get(place).filter(|&&node| dom.name(node) == element[1].as_str().unwrap_or(""));
        let ours = node.and_then(|&node| boxes.of(node));
        let verdict = judge(ours, theirs);
        if holds_text {
            score.count(ours.is_some(), verdict);
        }
        if verbose {
            describe(dom, styles, node.copied(), place, ours, theirs, verdict, holds_text);
        }
    }
    score
}

impl Score {
    fn count(&mut self, has_box: bool, verdict: (bool, bool)) {
        self.elements += 1;
        self.missing += usize::from(!has_box);
        self.centre += usize::from(verdict.0);
        self.width += usize::from(verdict.1);
    }
}

fn judge(ours: Option<Rect>, theirs: Rect) -> (bool, bool) {
    let Some(ours) = ours else { return (false, false) };
    let centre = |rect: Rect| rect.x + rect.width / 2.0;
    ((centre(ours) - centre(theirs)).abs() <= 50.0, (ours.width - theirs.width).abs() <= 0.2 * theirs.width)
}

#[expect(clippy::too_many_arguments, reason = "one line of a listing")]
fn describe(
    dom: Dom<'_>,
    styles: &Styles,
    node: Option<NodeId>,
    place: &str,
    ours: Option<Rect>,
    theirs: Rect,
    verdict: (bool, bool),
    holds_text: bool,
) {
    let show = |rect: Rect| format!("{:5.0},{:5.0} {:4.0}x{:4.0}", rect.x, rect.y, rect.width, rect.height);
    let marks = match verdict {
        (true, true) => "  ",
        (true, false) => " w",
        (false, true) => "c ",
        (false, false) => "cw",
    };
    let depth = place.matches('/').count();
    let name = node.map_or_else(String::new, |node| {
        let id = dom.attribute(node, "id").map_or_else(String::new, |id| format!("#{id}"));
        let class = dom.attribute(node, "class").map_or_else(String::new, |class| format!(".{class}"));
        let style = styles.of(node);
        format!("{}{id}{class} {:?} {:?} {:.0}px", dom.name(node), style.display, style.float, style.font_size)
    });
    let text = if holds_text { "T" } else { " " };
    let ours = ours.map_or_else(|| "none".to_owned(), show);
    println!("{marks} {text} {:28} {:28} {:indent$}{name}", ours, show(theirs), "", indent = depth);
}

/// Every element by the indexes among element siblings that lead to it from `html`.
fn nodes_by_path(dom: Dom<'_>) -> HashMap<String, NodeId> {
    let mut nodes = HashMap::new();
    let mut stack: Vec<(NodeId, String)> = dom.html().map(|html| (html, String::new())).into_iter().collect();
    while let Some((node, place)) = stack.pop() {
        // Chromium keeps a template's content apart from the tree.
        let is_template = dom.tag(node) == Tag::Template;
        for (index, child) in dom.children(node).filter(|&child| dom.is_element(child) && !is_template).enumerate() {
            stack.push((child, format!("{place}/{index}")));
        }
        nodes.insert(place, node);
    }
    nodes
}

fn site_of(path: &Path, pages: &Path) -> String {
    let inner = path.strip_prefix(pages).expect("pages lie in their folder");
    inner.components().next().map_or_else(String::new, |first| first.as_os_str().to_string_lossy().into_owned())
}
