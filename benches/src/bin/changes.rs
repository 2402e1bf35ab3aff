//! Whether the archive tells changes of content from changes that no reader sees, on real page histories.
//!
//! Each step of a history is judged by a text that is made in another way than the archive's: scripts, styles, comments and
//! tags are cut out of the bytes by regular expressions.

use std::collections::HashMap;

use kuai::{Outcome, in_memory};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::histories::histories;
use kuai_benches::visible_text::VisibleText;

/// Steps of one set, by whether the text changed and whether the archive said so.
#[derive(Default)]
struct Tally {
    text_same: u32,
    text_same_told: u32,
    text_changed: u32,
    text_changed_told: u32,
    kinds: HashMap<&'static str, u32>,
}

fn main() {
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    println!("{:<6} {:>6} {:>22} {:>26}", "set", "steps", "text same, told so", "text changed, told so");
    for (name, folder) in HISTORY_SETS {
        let tally = tally(&data_folder().join(folder), verbose);
        let share =
            |told: u32, all: u32| format!("{told} of {all} ({:.2} %)", 100.0 * f64::from(told) / f64::from(all.max(1)));
        println!(
            "{name:<6} {:>6} {:>22} {:>26}",
            tally.text_same + tally.text_changed,
            share(tally.text_same_told, tally.text_same),
            share(tally.text_changed_told, tally.text_changed),
        );
        let mut kinds: Vec<_> = tally.kinds.into_iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        println!(
            "       kinds: {}",
            kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
        );
    }
}

fn tally(folder: &std::path::Path, verbose: bool) -> Tally {
    let text = VisibleText::default();
    let archive = in_memory();
    let mut last: HashMap<usize, Vec<u8>> = HashMap::new();
    let mut tally = Tally::default();
    for entry in histories(folder) {
        let capture = entry.read();
        let committed = archive.commit(&capture).expect("memory takes any capture");
        let now = text.of(&capture.body);
        let before = last.insert(entry.series, now);
        let Some(before) = before else { continue };
        let (counts, is_told) = match committed.outcome {
            Outcome::NewVersion(changes) => (Some(changes), changes.kinds.has_content()),
            Outcome::NewUrl(_) | Outcome::SeenAgain => (None, false),
        };
        if let Some(counts) = counts {
            counts.kinds.iter().for_each(|kind| *tally.kinds.entry(kind.name()).or_default() += 1);
            let has_counts = counts.added + counts.removed + counts.changed + counts.moved > 0;
            assert_eq!(has_counts, is_told, "{}: counts and kinds agree", entry.path.display());
        }
        let is_changed = before != last[&entry.series];
        match is_changed {
            true => {
                (tally.text_changed, tally.text_changed_told) =
                    (tally.text_changed + 1, tally.text_changed_told + u32::from(is_told))
            }
            false => {
                (tally.text_same, tally.text_same_told) =
                    (tally.text_same + 1, tally.text_same_told + u32::from(!is_told))
            }
        }
        if verbose && is_changed != is_told {
            println!("{} text {} told {}", entry.path.display(), is_changed, is_told);
        }
    }
    tally
}
