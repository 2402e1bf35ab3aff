//! Whether the search index tells the truth about time, on real page histories.
//!
//! `when`: sentences are taken from real changes, and when each stood is told from the bytes of its series, by regular expressions.
//! `--at`: for random dates, what the index holds to have stood is compared with the blocks of every page as the archive gives it for that date, and
//! what a search for a word finds with all blocks of that date that have the word.

use std::collections::{BTreeMap, BTreeSet};

use kuai::search::{BlockId, Index, Language, Period, Query, Request, Tokenizer};
use kuai::{Archive, Timestamp, Url, in_memory};
use kuai_benches::data::{HISTORY_SETS, data_folder};
use kuai_benches::dice::Dice;
use kuai_benches::histories::{HistoryEntry, histories};
use kuai_benches::plain_text::{PlainText, collapsed};
use kuai_page::{Limits, Page};

/// Sentences that are asked about.
const SENTENCES: usize = 200;

/// Dates that everything is compared at.
const DATES: usize = 40;

/// Words that are looked for at such dates.
const WORDS: usize = 200;

fn main() {
    for (set, folder) in HISTORY_SETS {
        let entries = histories(&data_folder().join(folder));
        let archive = in_memory();
        for entry in &entries {
            archive.commit(&entry.read()).expect("memory takes any capture");
        }
        let mut index = Index::in_memory().expect("memory");
        let followed = index.follow(&archive, &mut |_, _| true).expect("it can be followed");
        let (text, bytes) = (followed.text_bytes as f64, index.byte_count() as f64);
        println!(
            "{set}: {} captures, {} lifetimes of blocks, index {:.1} % of their text",
            followed.changes,
            followed.written,
            100.0 * bytes / text
        );
        when(&entries, &archive, &index);
        at(&archive, &index);
        words_at(&archive, &index);
    }
}

/// A capture with its text.
struct Text {
    time: Timestamp,
    lines: Vec<String>,
    all: String,
}

fn when(entries: &[HistoryEntry], archive: &Archive, index: &Index) {
    let plain = PlainText::default();
    let mut series: BTreeMap<usize, (Url, Vec<Text>)> = BTreeMap::new();
    for entry in entries {
        let capture = entry.read();
        let page = Page::from_bytes(&capture.body, Some(&entry.url), None, &Limits::default());
        let lines = plain.lines(page.source());
        // A sentence may run on over lines, as white space makes no difference.
        let all = lines.join(" ").to_lowercase();
        let texts = &mut series.entry(entry.series).or_insert_with(|| (entry.url.clone(), Vec::new())).1;
        texts.push(Text { time: entry.time, lines, all });
    }
    let mut dice = Dice(7);
    let series: Vec<(Url, Vec<Text>)> = series.into_values().collect();
    let (mut asked, mut right, mut tries) = (0, 0, 0);
    let mut seen = BTreeSet::new();
    while asked < SENTENCES && tries < SENTENCES * 200 {
        tries += 1;
        let Some((url, texts)) = dice.pick(&series) else { break };
        let Some(sentence) =
            changed_sentence(texts, &mut dice).filter(|sentence| seen.insert((url.to_string(), sentence.clone())))
        else {
            continue;
        };
        asked += 1;
        let expected = truth(texts, &sentence);
        let when = index.when(archive, &sentence, Some(url)).expect("it can be asked");
        let told: Vec<(Timestamp, Timestamp)> =
            when.spells.iter().map(|spell| (spell.first_seen, spell.last_seen)).collect();
        match told == expected {
            true => right += 1,
            false => println!("  {url}: {sentence:?}\n    told  {told:?}\n    truth {expected:?}"),
        }
    }
    println!("  when: {right} of {asked} sentences right");
}

/// A sentence of a capture that the capture before or after does not have.
fn changed_sentence(texts: &[Text], dice: &mut Dice) -> Option<String> {
    let here = dice.below(texts.len());
    let other = if dice.below(2) == 0 { here.checked_sub(1)? } else { here + 1 };
    let other = texts.get(other)?;
    let sentences: Vec<&str> =
        texts[here].lines.iter().flat_map(|line| line.split_inclusive(['.', '!', '?', '。', '！', '？'])).collect();
    let is_good = |sentence: &&&str| {
        let length = sentence.chars().count();
        let letters = sentence.chars().filter(|letter| letter.is_alphabetic()).count();
        // Letters such as ü are spelt in several ways, which regular expressions do not see to be one.
        let is_plain = !sentence.contains(|letter| ('\u{A0}'..='\u{24F}').contains(&letter));
        is_plain
            && (12..300).contains(&length)
            && letters * 2 > length
            && !sentence.contains('&')
            && !other.all.contains(&collapsed(sentence).to_lowercase())
    };
    let changed: Vec<&&str> = sentences.iter().filter(is_good).collect();
    dice.pick(&changed).map(|sentence| collapsed(sentence))
}

/// The runs of captures whose text has a sentence: first and last time of each. Space says nothing in Chinese.
fn truth(texts: &[Text], sentence: &str) -> Vec<(Timestamp, Timestamp)> {
    let is_chinese = sentence.contains(|letter| ('\u{4E00}'..='\u{9FFF}').contains(&letter));
    let spelt = |text: &str| if is_chinese { text.replace(' ', "") } else { text.to_owned() };
    let wanted = spelt(&sentence.to_lowercase());
    let mut runs: Vec<(Timestamp, Timestamp)> = Vec::new();
    let mut is_running = false;
    for text in texts {
        let has = spelt(&text.all).contains(&wanted);
        match (has, is_running) {
            (true, true) => runs.last_mut().expect("one is running").1 = text.time,
            (true, false) => runs.push((text.time, text.time)),
            _ => {}
        }
        is_running = has;
    }
    runs
}

fn urls(archive: &Archive) -> Vec<Url> {
    let rows = archive.urls("", None, usize::MAX).expect("memory");
    rows.iter().map(|row| Url::parse(&row.url).expect("an address")).collect()
}

fn dates(archive: &Archive) -> Vec<Timestamp> {
    let rows = archive.urls("", None, usize::MAX).expect("memory");
    let (first, last) = (rows.iter().map(|row| row.first).min(), rows.iter().map(|row| row.last).max());
    let (first, last) = (first.map_or(0, Timestamp::as_second), last.map_or(0, Timestamp::as_second));
    let mut dice = Dice(11);
    let second = |_| Timestamp::from_second(first + dice.below((last - first) as usize) as i64).expect("a time");
    (0..DATES).map(second).collect()
}

/// What stood at an address at a time, as the archive has it: a block and its text.
fn stood(archive: &Archive, url: &Url, at: Timestamp) -> BTreeMap<BlockId, String> {
    let Ok(snapshot) = archive.page_snapshot(url, Some(at)) else { return BTreeMap::new() };
    let page = archive.page(url, snapshot.info.number).expect("it can be read").expect("it is a page");
    page.passages().into_iter().map(|passage| (BlockId::of(&passage.text), passage.text)).collect()
}

fn at(archive: &Archive, index: &Index) {
    let listed = index.list(None).expect("it can be listed");
    let (mut compared, mut wrong) = (0u64, 0u64);
    for date in dates(archive) {
        for url in urls(archive) {
            let expected: BTreeSet<BlockId> = stood(archive, &url, date).into_keys().collect();
            let of_url = listed.iter().filter(|listed| listed.url == url.as_str() && listed.is_in(Period::At(date)));
            let told: BTreeSet<BlockId> = of_url.map(|listed| listed.block).collect();
            compared += expected.len() as u64;
            wrong += expected.symmetric_difference(&told).count() as u64;
        }
    }
    println!("  at: {compared} blocks on {DATES} dates, {wrong} wrong or missing");
}

fn words_at(archive: &Archive, index: &Index) {
    let tokenizer = Tokenizer::default();
    let mut dice = Dice(13);
    let (mut found, mut wrong) = (0u64, 0u64);
    let dates = dates(archive);
    for date in dates.iter().take(DATES / 4) {
        let mut blocks: BTreeMap<BlockId, BTreeSet<String>> = BTreeMap::new();
        for url in urls(archive) {
            for (block, text) in stood(archive, &url, *date) {
                let tokens = tokenizer.tokens(&text, Language::default());
                blocks.entry(block).or_insert_with(|| tokens.into_iter().map(|token| token.text).collect());
            }
        }
        // Numbers are stemmed in no language, so what has them can be told without knowing how a block was cut.
        let numbers: BTreeSet<&String> =
            blocks.values().flatten().filter(|token| token.bytes().all(|byte| byte.is_ascii_digit())).collect();
        let numbers: Vec<&&String> = numbers.iter().collect();
        for _ in 0..WORDS / (DATES / 4) {
            let Some(number) = dice.pick(&numbers) else { continue };
            let expected: BTreeSet<BlockId> =
                blocks.iter().filter(|(_, tokens)| tokens.contains(**number)).map(|(block, _)| *block).collect();
            let query: Query = number.parse().expect("a number is a query");
            let request = Request { period: Period::At(*date), limit: 10_000, ..Request::new(query) };
            let answer = index.search(archive, &request).expect("it can be searched");
            let told: BTreeSet<BlockId> = answer.hits.iter().map(|hit| hit.block).collect();
            found += expected.len() as u64;
            wrong += expected.symmetric_difference(&told).count() as u64;
        }
    }
    println!("  search at: {WORDS} words, {found} blocks, {wrong} wrong or missing");
}
