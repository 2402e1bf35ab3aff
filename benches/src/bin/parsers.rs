//! Our parser beside others on the data sets, in one run: MB/s of one core, and instructions a byte.
//!
//! Times are processor time, the best of several rounds over pages that lie in memory, so that a busy machine disturbs them little.
//! Instructions are counted by `valgrind --tool=callgrind` on a part of the pages, with this program run on itself as
//! `parsers NAME FOLDER`, and are the same on any machine. lexbor, which is written in C, is measured through Python's selectolax and
//! resiliparse (`pip install selectolax resiliparse`).

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer};
use kuai_benches::arena;
use kuai_benches::data::sample_pages;
use kuai_eval::thread_seconds;
use kuai_html::{Options, Tree, parse, tokens};
use kuai_page::{Limits, Page};
use lol_html::{HtmlRewriter, Settings, element};

/// The product's own; a counting one would slow down whoever allocates most.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A name and what parses all pages once.
type Parser = (&'static str, fn(&[String]));

const PARSERS: [Parser; 7] = [
    ("html5ever into an arena", html5ever_tree),
    ("ours, a tree a page", our_trees),
    ("ours, one tree used again", our_tree),
    ("html5ever's tokenizer", html5ever_tokens),
    ("html5gum, tokens", html5gum_tokens),
    ("lol_html, links streamed", stream),
    ("ours, tokens with spans", our_tokens),
];
const LEXBOR_SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/lexbor.py");
/// Python's libraries around lexbor.
const LEXBOR: [&str; 2] = ["selectolax", "resiliparse"];
const ROUNDS: usize = 7;
/// Every so many pages have their instructions counted.
const COUNTED_STEP: usize = 8;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, folder] = arguments.as_slice() {
        let sources = read_sources(Path::new(folder));
        PARSERS.iter().filter(|(known, _)| known == name).for_each(|(_, work)| work(&sources));
        return;
    }
    let sources: Vec<String> = sample_pages().iter().map(|body| decoded(body)).collect();
    let counted: Vec<String> = sources.iter().step_by(COUNTED_STEP).cloned().collect();
    let (all_folder, counted_folder) = (written(&sources), written(&counted));
    let (bytes, counted_bytes) = (total(&sources), total(&counted));
    println!(
        "{} pages, {:.1} MB, one core, best of {ROUNDS} rounds; instructions of {} pages",
        sources.len(),
        bytes / 1e6,
        counted.len()
    );
    println!("{:<28} {:>8} {:>14} {:>20}", "", "MB/s", "of html5ever", "instructions a byte");
    let speeds = best_seconds(&sources).map(|seconds| bytes / 1e6 / seconds);
    let html5ever_speed = speeds[0];
    for ((name, _), speed) in PARSERS.into_iter().zip(speeds) {
        let instructions = own_instructions(name, counted_folder.path()).map(|count| count / counted_bytes);
        print_row(name, speed, html5ever_speed, instructions);
    }
    for library in LEXBOR {
        let Some(seconds) = lexbor_seconds(library, all_folder.path()) else {
            println!("lexbor, {library}: not measured (pip install {library})");
            continue;
        };
        let instructions = lexbor_instructions(library, counted_folder.path()).map(|count| count / counted_bytes);
        let name = format!("lexbor, through {library}");
        print_row(&name, bytes / 1e6 / seconds, html5ever_speed, instructions);
    }
}

fn print_row(name: &str, speed: f64, html5ever_speed: f64, instructions: Option<f64>) {
    let instructions = instructions.map_or("no valgrind".to_owned(), |count| format!("{count:.1}"));
    println!("{name:<28} {speed:>8.0} {:>14.2} {instructions:>20}", speed / html5ever_speed);
}

fn decoded(body: &[u8]) -> String {
    Page::from_bytes(body, None, None, &Limits::default()).source().to_owned()
}

fn total(sources: &[String]) -> f64 {
    sources.iter().map(String::len).sum::<usize>() as f64
}

/// A folder of the sources, for other processes to read.
fn written(sources: &[String]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (index, source) in sources.iter().enumerate() {
        fs::write(folder.path().join(format!("{index:06}")), source).expect("a page can be written");
    }
    folder
}

fn read_sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder was written a moment ago").flatten();
    entries.map(|entry| fs::read_to_string(entry.path()).expect("the page was written a moment ago")).collect()
}

/// Round after round, so that a busy moment of the machine is shared by all.
fn best_seconds(sources: &[String]) -> [f64; PARSERS.len()] {
    let mut best = [f64::MAX; PARSERS.len()];
    for _ in 0..ROUNDS {
        for (best, (_, work)) in best.iter_mut().zip(PARSERS) {
            *best = best.min(seconds_of(|| work(sources)));
        }
    }
    best
}

fn seconds_of(work: impl FnOnce()) -> f64 {
    let start = thread_seconds();
    work();
    thread_seconds() - start
}

// ---- parsers ----

fn our_tree(sources: &[String]) {
    let mut tree = Tree::default();
    for source in sources {
        black_box(parse(source, &Options::default(), &mut tree));
    }
}

fn our_trees(sources: &[String]) {
    for source in sources {
        let mut tree = Tree::default();
        parse(source, &Options::default(), &mut tree);
        black_box(tree);
    }
}

fn our_tokens(sources: &[String]) {
    for source in sources {
        black_box(tokens(source).count());
    }
}

fn html5ever_tree(sources: &[String]) {
    for source in sources {
        let arena = typed_arena::Arena::new();
        black_box(arena::parse(source, false, &arena));
    }
}

/// Takes tokens and drops them.
struct Nothing;

impl TokenSink for Nothing {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        black_box(token);
        TokenSinkResult::Continue
    }
}

fn html5ever_tokens(sources: &[String]) {
    for source in sources {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(source.as_str()));
        let tokenizer = Tokenizer::new(Nothing, Default::default());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
    }
}

fn html5gum_tokens(sources: &[String]) {
    for source in sources {
        black_box(html5gum::Tokenizer::new(source.as_str()).count());
    }
}

fn stream(sources: &[String]) {
    for source in sources {
        let links = element!("a[href]", |link| {
            black_box(link.get_attribute("href"));
            Ok(())
        });
        let settings = Settings::new().append_element_content_handler(links);
        let mut rewriter = HtmlRewriter::new(settings, |piece: &[u8]| {
            black_box(piece);
        });
        let written = rewriter.write(source.as_bytes()).and_then(|()| rewriter.end());
        black_box(written.is_ok());
    }
}

// ---- instructions and lexbor ----

/// What parsing takes beyond reading the pages.
fn own_instructions(name: &str, folder: &Path) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let count = |name: &str| instructions(Command::new("valgrind").args(CALLGRIND).arg(&program).arg(name).arg(folder));
    Some(count(name)? - count("nothing")?)
}

fn lexbor_instructions(library: &str, folder: &Path) -> Option<f64> {
    // `python3` may be a script that starts another program, which valgrind would not follow.
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    let python = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    let count = |rounds: &str| {
        // A fixed seed of hashes, so that two runs differ by the parsing only.
        let mut valgrind = Command::new("valgrind");
        valgrind.args(CALLGRIND).args([&python, LEXBOR_SCRIPT, library, rounds]).arg(folder).env("PYTHONHASHSEED", "0");
        instructions(&mut valgrind)
    };
    Some(count("1")? - count("0")?)
}

const CALLGRIND: [&str; 2] = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];

/// The instructions of one run, as callgrind counts them.
fn instructions(valgrind: &mut Command) -> Option<f64> {
    let output = valgrind.output().ok()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = report.lines().find_map(|line| line.split("Collected : ").nth(1))?;
    count.trim().parse().ok()
}

fn lexbor_seconds(library: &str, folder: &Path) -> Option<f64> {
    let rounds = ROUNDS.to_string();
    let output = Command::new("python3").args([LEXBOR_SCRIPT, library, &rounds]).arg(folder).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}
