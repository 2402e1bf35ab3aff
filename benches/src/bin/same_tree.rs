//! Parses every page below the folders given with our parser and with html5ever, and compares the trees.
//!
//! `same_tree folder…` prints how many are equal, and for each other page the first line that differs.
//! `same_tree --random seed count` does the same with random markup made of tags that nest wrongly.
//!
//! Real pages give equal trees. Random markup differs where html5ever 0.40 leaves the standard (about one in a
//! thousand seeds; with these six things done its way, none of 400,000 differs but by the last):
//! - `search` and `keygen` are special elements, and so are MathML's `mi`, `mo`, `mn`, `ms`, `mtext`,
//!   `annotation-xml` and SVG's `foreignObject`, `desc`, `title` ("the stack of open elements");
//! - `annotation-xml` bounds scopes ("has an element in the specific scope");
//! - "in table body" looks for `tbody`, `thead` or `tfoot` in table scope, html5ever for `table`, `tbody`, `tfoot`;
//! - "in table" gathers text in a `template` too;
//! - a doctype among the text of a table ends that text, html5ever drops it before.

use std::path::Path;
use std::process::ExitCode;

use kuai_benches::data::{pages_below, read_text};
use kuai_benches::{arena, outline, soup};
use kuai_html::{Limits, NodeId, Options, Tree, parse};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut comparison = Comparison::default();
    if let [flag, seed, count] = arguments.as_slice()
        && flag == "--random"
    {
        let seed: u64 = seed.parse().expect("the seed is a number");
        let count: u64 = count.parse().expect("the count is a number");
        for number in seed..seed + count {
            let source = soup::page(number);
            comparison.compare(&format!("seed {number}: {source:?}"), &source, number % 2 == 1);
        }
        return comparison.report();
    }
    for path in arguments.iter().flat_map(|folder| pages_below(Path::new(folder))) {
        comparison.compare(&path.display().to_string(), &read_text(&path), false);
    }
    comparison.report()
}

#[derive(Default)]
struct Comparison {
    tree: Tree,
    equal_count: usize,
    different_count: usize,
}

impl Comparison {
    fn compare(&mut self, name: &str, source: &str, scripting: bool) {
        // The limits are ours alone, so they are out of the way here.
        let limits = Limits { depth: 100_000, formatting: 100_000, attributes: 100_000, ..Limits::default() };
        parse(source, &Options { scripting, limits }, &mut self.tree);
        let ours = outline::ours(self.tree.dom(source), NodeId::DOCUMENT);
        let arena = typed_arena::Arena::new();
        let theirs = outline::theirs(arena::parse(source, scripting, &arena));
        if ours == theirs {
            self.equal_count += 1;
            return;
        }
        self.different_count += 1;
        println!("{name}");
        let (mut our_lines, mut their_lines) = (ours.lines(), theirs.lines());
        for number in 1.. {
            let (our_line, their_line) = (our_lines.next(), their_lines.next());
            if our_line != their_line {
                println!("  line {number}\n  ours      {}\n  html5ever {}", shown(our_line), shown(their_line));
                break;
            }
        }
    }

    fn report(&self) -> ExitCode {
        println!("{} equal, {} different", self.equal_count, self.different_count);
        if self.different_count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn shown(line: Option<&str>) -> String {
    line.unwrap_or("(end)").chars().take(160).collect()
}
