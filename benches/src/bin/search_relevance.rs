//! Known-item search: how high does the page stand that a query was made from?
//!
//! Queries: those of ours for our own pages (`benches/search-queries.tsv`), and, made as the program runs, titles and parts of sentences, long and short, of
//! the page histories (their newest captures) and of the Chinese pages, such as no other of these pages has. The other data sets stand in the way. The same
//! words are asked of blocks, of blocks of content only, and of whole pages: the same index, with each page as one piece.
//!
//! `--seed N` draws other sentences.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kuai::search::{Filter, Index, Period, Query, Request};
use kuai::{Archive, Capture, Cutter, Page, Span, Timestamp, Url, in_memory};
use kuai_benches::data::{HISTORY_SETS, data_folder, pages_below};
use kuai_benches::dice::Dice;
use kuai_benches::histories::histories;
use kuai_page::BlockTree;
use kuai_segment::{DEFAULT_METHOD, extract, method};

/// Hits that are looked through for the page.
const DEPTH: usize = 50;

/// Data sets whose pages nobody asks for.
const IN_THE_WAY: [&str; 3] = ["wcxb", "articles", "snippets"];

/// Words of a sentence that are asked for; twice as many letters where it has no spaces.
const WORDS_LONG: usize = 8;
const WORDS_SHORT: usize = 4;

/// A query and the page that it was made from.
struct Asked {
    set: &'static str,
    query: String,
    page: Url,
}

/// Cuts nothing: a page is one piece.
struct Uncut;

impl Cutter for Uncut {
    fn cut(&self, _: &Page, _: &str) -> Option<BlockTree> {
        Some(BlockTree::from_spans([]))
    }

    fn topic(&self, _: &Page, _: &str, _: Span) -> Option<String> {
        None
    }

    fn default_method(&self) -> &str {
        "uncut"
    }
}

fn main() {
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let captures = captures();
    let seed = std::env::args().skip_while(|argument| argument != "--seed").nth(1);
    let seed = seed.map_or(5, |seed| seed.parse().expect("--seed N takes a number"));
    let asked = asked(&captures, seed);
    let blocks = filled(in_memory(), &captures);
    let whole = filled(Archive::new(Box::new(kuai_store::MemoryStore::new()), Box::new(Uncut)), &captures);
    let content = [Filter::Content];
    println!("{} pages, {} queries", captures.len(), asked.len());
    println!("{:<18} {:>7} {:>10} {:>12} {:>12}", "queries", "number", "blocks", "content only", "whole pages");
    let mut sums: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    for asked in &asked {
        let ranks = [rank(&blocks, asked, &[]), rank(&blocks, asked, &content), rank(&whole, asked, &[])];
        for set in [asked.set, "all"] {
            let sum = sums.entry(set).or_default();
            sum[0] += 1.0;
            ranks.iter().zip(&mut sum[1..]).for_each(|(rank, sum)| *sum += rank.map_or(0.0, |rank| 1.0 / rank as f64));
        }
        if verbose && ranks[0] != Some(1) {
            println!("  {ranks:?} {:?} {}", asked.query, asked.page);
        }
    }
    for (set, [count, blocks, content, whole]) in sums {
        println!("{set:<18} {count:>7} {:>10.3} {:>12.3} {:>12.3}", blocks / count, content / count, whole / count);
    }
}

fn filled(archive: Archive, captures: &[(&'static str, Capture)]) -> (Archive, Index) {
    for (_, capture) in captures {
        archive.commit(capture).expect("memory takes any capture");
    }
    let mut index = Index::in_memory().expect("memory");
    index.follow(&archive, &mut |_, _| true).expect("it can be followed");
    (archive, index)
}

/// The place of the page among the pages that are found, from 1.
fn rank((archive, index): &(Archive, Index), asked: &Asked, filters: &[Filter]) -> Option<usize> {
    let query: Query = plain(&asked.query).parse().ok()?;
    let filters = filters.to_vec();
    let request = Request { filters, limit: DEPTH, period: Period::Now, ..Request::new(query) };
    let answer = index.search(archive, &request).expect("it can be searched");
    let mut pages: Vec<&str> = Vec::new();
    for hit in &answer.hits {
        if !pages.contains(&hit.url.as_str()) {
            pages.push(&hit.url);
        }
    }
    pages.iter().position(|page| *page == asked.page.as_str()).map(|place| place + 1)
}

/// A query without what its language would read otherwise.
fn plain(query: &str) -> String {
    let letters = query.chars().map(|letter| if letter.is_alphanumeric() || letter == '\'' { letter } else { ' ' });
    letters.collect::<String>().split_whitespace().take(30).map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Our own pages, the newest captures of the histories, and the Chinese pages.
fn captures() -> Vec<(&'static str, Capture)> {
    let at = |seconds| Timestamp::from_second(seconds).expect("a time");
    let page = |set: &'static str, path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let url = Url::parse(&format!("https://{set}.example/{name}")).expect("an address");
        let body = fs::read(path).expect("a page that was listed");
        // Our pages say in comments what each block is for; no method may see them.
        let body = if set == "own" { without_labels(&String::from_utf8_lossy(&body)).into_bytes() } else { body };
        (set, Capture::new(url, at(0), body))
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/eval/pages");
    let mut captures: Vec<_> = pages_below(&own).iter().map(|path| page("own", path)).collect();
    captures.retain(|(_, capture)| capture.url.path().ends_with(".html"));
    captures.extend(pages_below(&data_folder().join("chinese/pages")).iter().map(|path| page("chinese", path)));
    for (_, folder) in HISTORY_SETS {
        let newest: BTreeMap<usize, _> =
            histories(&data_folder().join(folder)).into_iter().map(|entry| (entry.series, entry)).collect();
        captures.extend(newest.values().map(|entry| ("histories", entry.read())));
    }
    for folder in IN_THE_WAY {
        captures.extend(pages_below(&data_folder().join(folder).join("pages")).iter().map(|path| page(folder, path)));
    }
    captures
}

fn without_labels(source: &str) -> String {
    source.split("<!--").enumerate().fold(String::new(), |mut kept, (index, part)| {
        let is_label = index > 0 && (part.starts_with("kuai:") || part.starts_with("/kuai"));
        match (index, is_label) {
            (0, _) => kept.push_str(part),
            (_, true) => kept.push_str(part.split_once("-->").map_or("", |(_, rest)| rest)),
            (_, false) => {
                kept.push_str("<!--");
                kept.push_str(part);
            }
        }
        kept
    })
}

fn asked(captures: &[(&'static str, Capture)], seed: u64) -> Vec<Asked> {
    let mut asked: Vec<Asked> = include_str!("../../search-queries.tsv").lines().filter_map(of_ours).collect();
    let mut dice = Dice(seed);
    let titles: Vec<String> = captures.iter().map(|(_, capture)| title(capture)).collect();
    let sources: Vec<String> =
        captures.iter().map(|(_, capture)| String::from_utf8_lossy(&capture.body).into_owned()).collect();
    for (set, capture) in captures.iter().filter(|(set, _)| ["histories", "chinese"].contains(set)) {
        let page = Page::read(capture, &kuai_page::Limits::default());
        let is_history = *set == "histories";
        let title = page.title().to_owned();
        // A title that several pages have names none of them.
        let is_own = titles.iter().filter(|other| **other == title).count() == 1;
        if title.chars().count() > 3 && is_own {
            let set = if is_history { "history titles" } else { "chinese titles" };
            asked.push(Asked { set, query: title, page: capture.url.clone() });
        }
        let sets =
            if is_history { ["history sentences", "history scraps"] } else { ["chinese sentences", "chinese scraps"] };
        for (set, words) in sets.into_iter().zip([WORDS_LONG, WORDS_SHORT]) {
            let query = part_of_sentence(&page, &sources, words, &mut dice);
            asked.extend(query.map(|query| Asked { set, query, page: capture.url.clone() }));
        }
    }
    asked
}

fn title(capture: &Capture) -> String {
    Page::read(capture, &kuai_page::Limits::default()).title().to_owned()
}

fn of_ours(line: &str) -> Option<Asked> {
    let (name, query) = line.split_once('\t')?;
    let page = Url::parse(&format!("https://own.example/{name}")).expect("an address");
    Some(Asked { set: "ours", query: query.to_owned(), page })
}

/// Some words of a sentence of the main text that stand so on one page only.
fn part_of_sentence(page: &Page, sources: &[String], words: usize, dice: &mut Dice) -> Option<String> {
    let method = method(DEFAULT_METHOD)?;
    let tree = method.segmenter(&method.defaults()).segment(page);
    let found = extract(page, &tree, method);
    let sentences: Vec<&str> = found.text.split(['.', '!', '?', '。', '！', '？', '\n']).map(str::trim).collect();
    let good: Vec<&&str> = sentences.iter().filter(|sentence| (15..200).contains(&sentence.chars().count())).collect();
    (0..TRIES).find_map(|_| {
        let part = part(dice.pick(&good)?, words, dice);
        (sources.iter().filter(|source| source.contains(&part)).count() == 1).then_some(part)
    })
}

/// Sentences that are tried for one that no other page has.
const TRIES: usize = 30;

/// Some words, or letters, in a row.
fn part(sentence: &str, count: usize, dice: &mut Dice) -> String {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    if words.len() > 3 {
        let start = dice.below(words.len().saturating_sub(count) + 1);
        return words[start..words.len().min(start + count)].join(" ");
    }
    let letters: Vec<char> = sentence.chars().collect();
    let start = dice.below(letters.len().saturating_sub(2 * count) + 1);
    letters[start..letters.len().min(start + 2 * count)].iter().collect()
}
