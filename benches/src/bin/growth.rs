//! How the cost of each method grows with the page: instructions a byte for a page repeated 1, 2, 4, 8 and 16 times.
//!
//! `growth` counts with `valgrind --tool=callgrind`, so that the figures are the same on any machine, busy or not; each count is
//! this program run on itself as `growth METHOD TIMES`. A linear method has the same figure in every column.

use std::process::{Command, ExitCode};

use kuai_page::{Limits, Page};
use kuai_segment::{METHODS, method};

const TIMES: [usize; 5] = [1, 2, 4, 8, 16];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, times] = arguments.as_slice() {
        work(name, times.parse().expect("how often to repeat the page is a number"));
        return ExitCode::SUCCESS;
    }
    println!("instructions a byte, parse included, for a page of {} kB repeated", PAGE.len() / 1000);
    println!("{:<10} {}    16 : 1", "", TIMES.map(|times| format!("{times:>9}")).join(""));
    let start = TIMES.map(|times| instructions("none", times));
    for method in METHODS {
        let Some(counts) = TIMES.iter().map(|&times| instructions(method.name, times)).collect::<Option<Vec<f64>>>()
        else {
            eprintln!("no count: is valgrind installed?");
            return ExitCode::FAILURE;
        };
        let each: Vec<f64> = counts
            .iter()
            .zip(start)
            .zip(TIMES)
            .map(|((count, start), times)| (count - start.unwrap_or(0.0)) / (PAGE.len() * times) as f64)
            .collect();
        let columns: String = each.iter().map(|count| format!("{count:>9.0}")).collect();
        println!("{:<10} {columns} {:>9.2}", method.name, each[4] / each[0]);
    }
    ExitCode::SUCCESS
}

/// Cuts the repeated page once; `none` only reads it, which is what the others have to do as well.
fn work(name: &str, times: usize) {
    let body = PAGE.repeat(times);
    let page = Page::from_bytes(body.as_bytes(), None, None, &Limits::default());
    if let Some(method) = method(name) {
        let tree = method.segmenter(&method.defaults()).segment(&page);
        assert!(!tree.blocks().is_empty());
    }
}

/// The instructions of one run, as callgrind counts them.
fn instructions(name: &str, times: usize) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args([name, &times.to_string()]);
    let output = valgrind.output().ok()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = report.lines().find_map(|line| line.split("Collected : ").nth(1))?;
    count.trim().parse().ok()
}

/// A page of ours with text, lists, tables and a style sheet.
const PAGE: &str = include_str!("../../../crates/eval/pages/news-zh-2015-div.html");
