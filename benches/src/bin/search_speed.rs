//! A million blocks: how fast they are taken in, how large the index is beside their text, and how long queries take.
//!
//! `search_speed [BLOCKS] [--paragraphs]`: pages of the local web go into an archive in memory until it has so many blocks; then they are indexed in a
//! folder, and words and phrases of random blocks are looked for. With `--paragraphs` pages are cut by paragraph, which is quicker and gives
//! smaller blocks than a method does.

use std::fs;
use std::path::Path;
use std::time::Instant;

use kuai::search::{Index, Period, Query, Request};
use kuai::{Archive, Capture, Cutter, Page, Span, Timestamp, Url, in_memory};
use kuai_benches::data::pages_below;
use kuai_benches::dice::Dice;
use kuai_page::BlockTree;
use kuai_store::MemoryStore;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Where `scripts/local-web` puts its pages.
const LOCAL_WEB: &str = "/tmp/localweb";

/// Queries that are timed.
const QUERIES: usize = 2_000;

/// Pages that queries are made from.
const SAMPLED_PAGES: usize = 500;

/// One block a page, which the archive cuts into paragraphs: nothing here is about methods.
struct Paragraphs;

impl Cutter for Paragraphs {
    fn cut(&self, page: &Page, _: &str) -> Option<BlockTree> {
        Some(BlockTree::from_spans([page.span()]))
    }

    fn topic(&self, _: &Page, _: &str, _: Span) -> Option<String> {
        None
    }

    fn default_method(&self) -> &str {
        "paragraphs"
    }
}

fn main() {
    let wanted: u64 = std::env::args().nth(1).map_or(1_000_000, |text| text.parse().expect("BLOCKS is a number"));
    let archive = match std::env::args().any(|argument| argument == "--paragraphs") {
        true => Archive::new(Box::new(MemoryStore::new()), Box::new(Paragraphs)),
        false => in_memory(),
    };
    let (urls, count) = fill(&archive, wanted);
    println!("{} pages, about {count} blocks", urls.len());
    let folder = tempfile::tempdir().expect("a folder");
    let mut index = Index::open(folder.path()).expect("a new index").index;
    let (cpu, started) = (cpu_seconds(), Instant::now());
    let followed = index.follow(&archive, &mut |_, _| true).expect("it can be followed");
    let (cpu, wall) = (cpu_seconds() - cpu, started.elapsed().as_secs_f64());
    let (blocks, bytes) = (followed.written as f64, index.byte_count() as f64);
    println!(
        "{} lifetimes indexed in {wall:.0} s: {:.0} a second, {:.0} a second of a core",
        followed.written,
        blocks / wall,
        blocks / cpu
    );
    let text = followed.text_bytes as f64;
    println!("index {:.0} MB, text {:.0} MB: {:.1} % of the text", bytes / 1e6, text / 1e6, 100.0 * bytes / text);
    let (parts, segments) = index.space().expect("it can be measured");
    println!("in {segments} segments:");
    for (part, part_bytes) in parts.iter().filter(|(_, part_bytes)| **part_bytes as f64 > bytes / 200.0) {
        println!("  {part:<24} {:>5.1} % of the text", 100.0 * *part_bytes as f64 / text);
    }
    let opening = Instant::now();
    let index = Index::open(folder.path()).expect("it opens").index;
    println!("opened, every file checked, in {:.0} ms", opening.elapsed().as_secs_f64() * 1e3);
    ask(&archive, &index, &urls);
}

/// Fills an archive with pages of the local web; the addresses, and how many blocks there are.
fn fill(archive: &Archive, wanted: u64) -> (Vec<Url>, u64) {
    let mut urls = Vec::new();
    for path in pages_below(Path::new(LOCAL_WEB)) {
        let Ok(url) = Url::parse(&format!("https://local.example{}", path.display())) else { continue };
        let body = fs::read(&path).unwrap_or_default();
        let time = Timestamp::from_second(1_600_000_000 + urls.len() as i64 * 60).expect("a time");
        let capture = Capture::new(url.clone(), time, body);
        if archive.commit(&capture).is_ok() {
            urls.push(url);
        }
        if urls.len() % 256 == 0 && archive.stats().expect("memory").blocks >= wanted {
            break;
        }
    }
    (urls, archive.stats().expect("memory").blocks)
}

fn ask(archive: &Archive, index: &Index, urls: &[Url]) {
    let mut dice = Dice(17);
    let texts: Vec<String> =
        (0..SAMPLED_PAGES).filter_map(|_| some_text(archive, dice.pick(urls)?, &mut Dice(dice.roll()))).collect();
    for (name, limit) in [("with what they say", 10), ("places only", 0)] {
        let mut kinds: Vec<(&str, Vec<f64>)> = Vec::new();
        for number in 0..QUERIES {
            let Some(text) = dice.pick(&texts) else { break };
            let (kind, query) = query(text, number, &mut dice);
            let Ok(query) = query.parse::<Query>() else { continue };
            let period = if number % 5 == 0 {
                Period::At(Timestamp::from_second(1_601_000_000).expect("a time"))
            } else {
                Period::Now
            };
            let request = Request { limit, period, with_facets: number % 10 == 0, ..Request::new(query) };
            let started = Instant::now();
            index.search(archive, &request).expect("it can be searched");
            let took = started.elapsed().as_secs_f64() * 1e3;
            for kind in [kind, "all"] {
                match kinds.iter_mut().find(|(known, _)| *known == kind) {
                    Some((_, times)) => times.push(took),
                    None => kinds.push((kind, vec![took])),
                }
            }
        }
        println!("queries, {name}:");
        for (kind, mut times) in kinds {
            times.sort_by(f64::total_cmp);
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
            println!(
                "  {kind:<12} {:>5}  p50 {:>6.2} ms  p95 {:>6.2} ms  most {:>6.1} ms",
                times.len(),
                at(0.5),
                at(0.95),
                at(1.0)
            );
        }
    }
}

/// The text of a random block of a page.
fn some_text(archive: &Archive, url: &Url, dice: &mut Dice) -> Option<String> {
    let page = archive.page(url, 0).ok()??;
    let passages = page.passages();
    let long: Vec<_> = passages.into_iter().filter(|passage| passage.text.split_whitespace().count() > 5).collect();
    dice.pick(&long).map(|passage| passage.text.clone())
}

fn query(text: &str, number: usize, dice: &mut Dice) -> (&'static str, String) {
    let clean: String = text.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let words: Vec<&str> = clean.split_whitespace().collect();
    let word = |dice: &mut Dice| dice.pick(&words).copied().unwrap_or("a").to_lowercase();
    match number % 5 {
        0 => ("one word", word(dice)),
        1 => ("two words", format!("{} {}", word(dice), word(dice))),
        2 => ("four words", (0..4).map(|_| word(dice)).collect::<Vec<_>>().join(" ")),
        3 => {
            let start = dice.below(words.len().saturating_sub(3));
            ("phrase", format!("\"{}\"", words[start..words.len().min(start + 3)].join(" ")))
        }
        _ => ("joined", format!("({} OR {}) AND {} -{}", word(dice), word(dice), word(dice), "zebra")),
    }
}

fn cpu_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("the system tells");
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6
}
