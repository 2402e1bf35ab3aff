//! Megabytes a second of our parser and of html5ever on the pages below the folders given, in one run.
//!
//! `parse_speed folder…`: each page is parsed by both in turn; the best of several rounds counts.

use std::time::{Duration, Instant};

use kuai_benches::{arena, pages};
use kuai_html::{NodeId, Options, Origin, Tree, parse, tokens};

const ROUNDS: usize = 5;
/// Enough to be sure, little enough to be quick.
const BYTES_MAX: usize = 60 << 20;

fn main() {
    let roots: Vec<String> = std::env::args().skip(1).collect();
    let mut sources = Vec::new();
    let mut byte_count = 0;
    for path in pages::files(&roots) {
        let source = pages::read(&path);
        byte_count += source.len();
        sources.push(source);
        if byte_count > BYTES_MAX {
            break;
        }
    }
    let mut tree = Tree::default();
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        let rounds = [
            time(|| sources.iter().for_each(|source| drop(parse(source, &Options::default(), &mut tree)))),
            time(|| assert!(sources.iter().all(|source| tokens(source).count() <= source.len()))),
            time(|| {
                for source in &sources {
                    let arena = typed_arena::Arena::new();
                    arena::parse(source, false, &arena);
                }
            }),
        ];
        for (best, round) in best.iter_mut().zip(rounds) {
            *best = round.min(*best);
        }
    }
    let speed = |time: Duration| byte_count as f64 / 1e6 / time.as_secs_f64();
    println!("{} pages, {:.1} MB", sources.len(), byte_count as f64 / 1e6);
    println!("ours, tree           {:>8.0} MB/s", speed(best[0]));
    println!("ours, tokens         {:>8.0} MB/s", speed(best[1]));
    println!("html5ever into arena {:>8.0} MB/s", speed(best[2]));
    println!("ratio                {:>8.1}", speed(best[0]) / speed(best[2]));
    origins(&sources, &mut tree);
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// How many nodes were written where they stand.
fn origins(sources: &[String], tree: &mut Tree) {
    let mut counts = [0_usize; 3];
    for source in sources {
        parse(source, &Options::default(), tree);
        let dom = tree.dom(source);
        for node in dom.descendants(NodeId::DOCUMENT) {
            counts[match dom.origin(node) {
                Origin::Source => 0,
                Origin::Implied => 1,
                Origin::Moved => 2,
            }] += 1;
        }
    }
    println!("nodes: {} from the source, {} implied, {} moved", counts[0], counts[1], counts[2]);
}
