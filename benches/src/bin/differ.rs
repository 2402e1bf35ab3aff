//! Differential fuzzing: random markup into our parser and into html5ever, for so many seconds.
//!
//! `differ [seconds] [first seed]` compares the trees of documents and fragments, makes every source that gives different trees as
//! small as it can be, and tells it with the fault of html5ever's that explains it, or as unexplained. Every hundredth source is a
//! few pieces repeated many times, at two sizes: its time a byte must not grow. It fails on anything unexplained, slow or panicking.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kuai_benches::differ::{Reading, fault_of, smallest};
use kuai_benches::soup;
use kuai_eval::thread_seconds;
use kuai_html::{Options, Tree, parse};

/// Smallest sources kept of each reason.
const EXAMPLES_MAX: usize = 3;
/// The size of a source made to be slow, and how many times larger the second is.
const PUMPED_BYTES: usize = 20_000;
const PUMPED_TIMES: usize = 4;
/// Slower is slow: hostile pages cost some hundred nanoseconds a byte at their worst, because each tag may look at every open
/// element of a stack that has a limit.
const NANOSECONDS_A_BYTE_MAX: f64 = 2_000.0;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("seconds and seed are numbers"));
    let seconds = numbers.next().unwrap_or(60);
    let first_seed = numbers.next().unwrap_or(1);
    let clock = Instant::now();
    let mut findings = Findings::default();
    let mut seed = first_seed;
    let mut told = Duration::ZERO;
    while clock.elapsed() < Duration::from_secs(seconds) {
        findings.try_seed(seed);
        seed += 1;
        if clock.elapsed() - told > Duration::from_secs(60) {
            told = clock.elapsed();
            eprintln!("{:>5} s: {}", told.as_secs(), findings.summary());
        }
    }
    findings.report(first_seed, seconds)
}

#[derive(Default)]
struct Findings {
    compared_count: u64,
    byte_count: u64,
    pumped_count: u64,
    slowest: f64,
    slow: Vec<String>,
    /// The sources of each reason: how many, and the smallest of some.
    explained: BTreeMap<&'static str, (u64, Vec<String>)>,
    unexplained: BTreeSet<String>,
}

impl Findings {
    fn try_seed(&mut self, seed: u64) {
        if seed.is_multiple_of(100) {
            return self.time(seed);
        }
        let context_index = (seed / 4) as usize % soup::CONTEXTS.len();
        let context = seed.is_multiple_of(4).then(|| soup::CONTEXTS[context_index]);
        let reading = Reading { scripting: seed % 2 == 1, context };
        let pieces = soup::pieces(seed);
        let source = pieces.concat();
        self.compared_count += 1;
        self.byte_count += source.len() as u64;
        if reading.differs(&source) {
            let source = smallest(pieces, &reading).concat();
            self.note(&source, &reading);
        }
    }

    fn note(&mut self, source: &str, reading: &Reading<'_>) {
        let shown = format!("{source:?} in {:?}", reading.context.unwrap_or("a document"));
        let Some(fault) = fault_of(source, reading) else {
            if self.unexplained.insert(shown.clone()) {
                println!("unexplained: {shown}, scripting {}", reading.scripting);
            }
            return;
        };
        let (count, examples) = self.explained.entry(fault.reason).or_default();
        *count += 1;
        if !examples.contains(&shown) {
            examples.push(shown);
            examples.sort_by_key(String::len);
            examples.truncate(EXAMPLES_MAX);
        }
    }

    fn time(&mut self, seed: u64) {
        let (small, large) = (soup::pumped(seed, PUMPED_BYTES), soup::pumped(seed, PUMPED_BYTES * PUMPED_TIMES));
        self.pumped_count += 1;
        let cost = cost(&large);
        self.slowest = self.slowest.max(cost);
        // A busy machine disturbs a single look, so what looks bad is looked at again.
        let is_slow = |cost: f64| cost > NANOSECONDS_A_BYTE_MAX;
        if is_slow(cost) && is_slow((0..5).map(|_| self::cost(&large)).fold(cost, f64::min)) {
            let small_cost = (0..5).map(|_| self::cost(&small)).fold(f64::MAX, f64::min);
            let start: String = small.chars().take(200).collect();
            println!("slow: seed {seed}, {small_cost:.0} then {cost:.0} ns a byte: {start:?}");
            self.slow.push(start);
        }
    }

    fn summary(&self) -> String {
        let explained: u64 = self.explained.values().map(|(count, _)| count).sum();
        format!(
            "{} sources, {:.1} MB compared: {explained} differ by faults of html5ever's, {} unexplained; {} timed, slowest {:.0} ns a byte",
            self.compared_count,
            self.byte_count as f64 / 1e6,
            self.unexplained.len(),
            self.pumped_count,
            self.slowest,
        )
    }

    fn report(&self, first_seed: u64, seconds: u64) -> ExitCode {
        println!("{seconds} s from seed {first_seed}: {}", self.summary());
        for (reason, (count, examples)) in &self.explained {
            println!("{count:>7}  {reason}");
            examples.iter().for_each(|example| println!("           {example}"));
        }
        match self.unexplained.is_empty() && self.slow.is_empty() {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        }
    }
}

/// Nanoseconds a byte of our parser with its limits as they are.
fn cost(source: &str) -> f64 {
    let mut tree = Tree::default();
    let start = thread_seconds();
    parse(source, &Options::default(), &mut tree);
    (thread_seconds() - start) * 1e9 / source.len() as f64
}
