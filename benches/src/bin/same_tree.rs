//! Parses every page below the folders given with our parser and with html5ever, and compares the trees.
//!
//! `same_tree [folder…]` prints how many are equal, and for each other page the first line that differs; without a folder it takes
//! all data sets. Real pages give equal trees. For random markup, and for what html5ever does otherwise than the standard, see `differ`.

use std::path::PathBuf;
use std::process::ExitCode;

use kuai_benches::data::{HISTORY_SETS, PAGE_SETS, data_folder, pages_below, read_text};
use kuai_benches::differ::{Outlines, Reading};

fn main() -> ExitCode {
    let mut folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        let data = data_folder();
        folders = PAGE_SETS.iter().chain(&HISTORY_SETS).map(|(_, folder)| data.join(folder)).collect();
    }
    let reading = Reading { scripting: false, context: None };
    let (mut equal_count, mut different_count) = (0, 0);
    for path in folders.iter().flat_map(|folder| pages_below(folder)) {
        match reading.outlines(&read_text(&path)) {
            Some(outlines) if outlines.ours == outlines.theirs => equal_count += 1,
            outlines => {
                different_count += 1;
                println!("{}", path.display());
                outlines.iter().for_each(print_difference);
            }
        }
    }
    println!("{equal_count} equal, {different_count} different");
    if different_count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the first line that is not the same in both.
fn print_difference(outlines: &Outlines) {
    let (mut our_lines, mut their_lines) = (outlines.ours.lines(), outlines.theirs.lines());
    for number in 1.. {
        let (ours, theirs) = (our_lines.next(), their_lines.next());
        if ours != theirs {
            println!("  line {number}\n  ours      {}\n  html5ever {}", shown(ours), shown(theirs));
            return;
        }
    }
}

fn shown(line: Option<&str>) -> String {
    line.unwrap_or("(end)").chars().take(160).collect()
}
