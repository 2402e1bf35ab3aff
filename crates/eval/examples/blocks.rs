//! What the block models learn from, and how good the blocks are that they make. `training/segment.py` calls it.
//!
//!     blocks columns                          the names of the columns: a line for the first model, one for the second
//!     blocks facts SET FOLDER                 writes FOLDER/pages.jsonl and FOLDER/rows (f32)
//!     blocks relatives SET FILE...            reads chances (f64) and writes FILE.rows (f32)
//!     blocks score SET nested|flat FILE...    judges the blocks that chances (f64) make, a line of JSON a file
//!
//! SET is a folder of labelled pages; chances are those of all its candidates. Numbers are little-endian.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use kuai_eval::metrics::{bcubed_leaf, fuzzy_blocks};
use kuai_eval::{Corpus, LabelledPage};
use kuai_page::Page;
use kuai_segment::{BlockStyle, Candidates};
use serde_json::json;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["columns"] => {
            let (facts, relatives) = Candidates::columns();
            println!("{}\n{}", facts.join(" "), relatives.join(" "));
            Ok(())
        }
        ["facts", set, folder] => write_facts(&Set::open(set), Path::new(folder)),
        ["relatives", set, ref files @ ..] => files.iter().try_for_each(|file| write_relatives(&Set::open(set), file)),
        ["score", set, "nested", ref files @ ..] => score_files(&Set::open(set), BlockStyle::Nested, files),
        ["score", set, "flat", ref files @ ..] => score_files(&Set::open(set), BlockStyle::Flat, files),
        _ => panic!("blocks columns | facts SET FOLDER | relatives SET FILE... | score SET nested|flat FILE..."),
    }
}

/// What people marked on a page: blocks as ranges of its text.
type Gold = Vec<Vec<Range<usize>>>;

/// The pages of a labelled set, each with its name.
struct Set(Vec<(String, Page, Gold)>);

/// A page's candidates with a chance for each.
struct Judged<'a> {
    candidates: Candidates<'a>,
    chances: Vec<f64>,
    gold: &'a Gold,
}

impl Set {
    fn open(folder: &str) -> Set {
        let corpus = Corpus::open(Path::new(folder)).expect("the set is there");
        let read = |entry| -> LabelledPage { corpus.read(entry).expect("its pages can be read") };
        let page = |labelled: LabelledPage| (labelled.page(), labelled.gold.blocks.expect("the set has blocks"));
        let pages = corpus.entries().iter().map(|entry| (entry.id.clone(), page(read(entry))));
        Set(pages.map(|(id, (page, gold))| (id, page, gold)).collect())
    }

    /// The candidates of every page with its part of the chances in a file.
    fn with_chances(&self, file: &str) -> io::Result<Vec<Judged<'_>>> {
        let bytes = fs::read(file)?;
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("chunks of eight"));
        let mut chances = bytes.chunks_exact(8).map(number);
        let mut pages = Vec::new();
        for (_, page, gold) in &self.0 {
            let candidates = Candidates::read(page);
            let here: Vec<f64> = chances.by_ref().take(candidates.ranges().len()).collect();
            assert_eq!(here.len(), candidates.ranges().len(), "a chance for every candidate");
            pages.push(Judged { candidates, chances: here, gold });
        }
        assert!(chances.next().is_none(), "no more chances than candidates");
        Ok(pages)
    }
}

fn write_facts(set: &Set, folder: &Path) -> io::Result<()> {
    let mut lines = io::BufWriter::new(fs::File::create(folder.join("pages.jsonl"))?);
    let mut rows = io::BufWriter::new(fs::File::create(folder.join("rows"))?);
    for (id, page, gold) in &set.0 {
        let candidates = Candidates::read(page);
        let ranges: Vec<_> = candidates.ranges().map(|range| [range.start, range.end]).collect();
        let pairs = |block: &Vec<Range<usize>>| block.iter().map(|part| [part.start, part.end]).collect::<Vec<_>>();
        let gold: Vec<_> = gold.iter().map(pairs).collect();
        writeln!(lines, "{}", json!({"id": id, "ranges": ranges, "gold": gold}))?;
        write_numbers(&mut rows, &candidates.facts())?;
    }
    Ok(())
}

fn write_relatives(set: &Set, file: &str) -> io::Result<()> {
    let mut rows = io::BufWriter::new(fs::File::create(format!("{file}.rows"))?);
    for Judged { candidates, chances, .. } in set.with_chances(file)? {
        write_numbers(&mut rows, &candidates.relatives(&chances))?;
    }
    Ok(())
}

fn write_numbers(out: &mut impl Write, numbers: &[f32]) -> io::Result<()> {
    assert!(numbers.iter().all(|number| number.is_finite()), "models compare finite numbers only");
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

fn score_files(set: &Set, style: BlockStyle, files: &[&str]) -> io::Result<()> {
    for file in files {
        let (mut fuzzy, mut leaf, mut block_count) = (Vec::new(), Vec::new(), 0);
        for Judged { candidates, chances, gold } in set.with_chances(file)? {
            let range = |text: Range<u32>| text.start as usize..text.end as usize;
            let blocks = candidates.blocks(&chances, style).into_iter();
            let found: Gold = blocks.map(|(_, text)| Vec::from([range(text)])).collect();
            let characters = candidates.ranges().map(|range| range.end as usize).max().unwrap_or(0);
            fuzzy.push(fuzzy_blocks(gold, &found).f);
            leaf.push(bcubed_leaf(gold, &found, characters).f);
            block_count += found.len();
        }
        let ids: Vec<_> = set.0.iter().map(|(id, _, _)| id).collect();
        println!("{}", json!({"ids": ids, "fuzzy": fuzzy, "leaf": leaf, "blocks": block_count}));
    }
    Ok(())
}
