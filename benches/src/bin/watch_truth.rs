//! Whether watches ring for changes of content and stay silent for what no reader sees, on real page histories.
//!
//! Every page of a set has two watches, one for all that a reader sees and one for content alone. Each step of a history is judged by a text that is made in
//! another way than the archive's. The watches run again and again while the captures come in, so each alert has to come once.

use std::collections::{HashMap, HashSet};

use kuai::watch::{Alert, Kind, Round, Subject, Watches, run};
use kuai::{Archive, Timestamp, in_memory};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::histories::{HistoryEntry, histories};
use kuai_benches::visible_text::VisibleText;

/// Captures between two runs.
const CAPTURES_A_RUN: usize = 64;

/// A page and the time of a capture.
type Step = (String, Timestamp);

/// What rang in a set, by the kind of watch.
#[derive(Default)]
struct Rung {
    any: HashSet<Step>,
    content: HashSet<Step>,
    twice: u32,
}

fn main() {
    println!("{:<6} {:<28} {:>6} {:>9} {:>9} {:>6}", "set", "steps", "count", "any rung", "content", "twice");
    let mut is_right = true;
    for (name, folder) in HISTORY_SETS {
        let entries = histories(&data_folder().join(folder));
        let (same, changed) = steps(&entries);
        let rung = rung(&entries);
        let count = |steps: &HashSet<Step>, rung: &HashSet<Step>| steps.intersection(rung).count();
        for (what, steps) in [("text same (tokens only)", &same), ("text changed", &changed)] {
            let (any, content) = (count(steps, &rung.any), count(steps, &rung.content));
            println!("{name:<6} {what:<28} {:>6} {any:>9} {content:>9} {:>6}", steps.len(), rung.twice);
        }
        if std::env::args().any(|argument| argument == "--verbose") {
            changed.difference(&rung.any).for_each(|(url, time)| println!("       silent: {url} {time}"));
        }
        is_right &= count(&same, &rung.any) == 0 && rung.twice == 0;
    }
    assert!(is_right, "a watch rang for what no reader sees, or twice");
}

/// The steps in which the text stayed the same in another source, and those in which it changed.
fn steps(entries: &[HistoryEntry]) -> (HashSet<Step>, HashSet<Step>) {
    let text = VisibleText::default();
    let mut last: HashMap<usize, (Vec<u8>, Vec<u8>)> = HashMap::new();
    let (mut same, mut changed) = (HashSet::new(), HashSet::new());
    for entry in entries {
        let body = entry.read().body;
        let now = (text.of(&body), body);
        let before = last.insert(entry.series, now.clone());
        let step = (entry.url.to_string(), entry.time);
        match before {
            Some((before, _)) if before != now.0 => _ = changed.insert(step),
            Some((_, before)) if before != now.1 => _ = same.insert(step),
            _ => {}
        }
    }
    (same, changed)
}

fn rung(entries: &[HistoryEntry]) -> Rung {
    let folder = tempfile::tempdir().expect("a folder for a while");
    let mut watches = Watches::open(folder.path()).expect("an empty folder");
    let urls: HashSet<&str> = entries.iter().map(|entry| entry.url.as_str()).collect();
    let mut kinds = HashMap::new();
    for url in urls {
        for kind in [Kind::Any, Kind::Content] {
            let added = watches.add(Subject::Page(url.to_owned()), vec![kind], Vec::new(), 0);
            kinds.insert(added.expect("few watches"), kind);
        }
    }
    let archive = in_memory();
    let mut rung = Rung::default();
    for batch in entries.chunks(CAPTURES_A_RUN) {
        for entry in batch {
            archive.commit(&entry.read()).expect("memory takes any capture");
        }
        run_once(&archive, &mut watches, &mut |alert| rung.note(alert, kinds[&alert.watch]));
    }
    rung
}

fn run_once(archive: &Archive, watches: &mut Watches, rang: &mut dyn FnMut(&Alert)) {
    let round = Round { archive, index: None, json: &|_| String::new(), now: &|| Timestamp::MIN, go_on: &|| true };
    let ran = run(&round, watches, rang).expect("nothing can go wrong in memory");
    assert!(ran.failures.is_empty() && ran.unreadable == 0, "{ran:?}");
}

impl Rung {
    fn note(&mut self, alert: &Alert, kind: Kind) {
        let steps = if kind == Kind::Any { &mut self.any } else { &mut self.content };
        self.twice += u32::from(!steps.insert((alert.url.clone(), alert.time)));
    }
}
