//! Crawls by topic, compared at equal budgets: harvest rate and target recall of breadth-first, best-first by page, shark-search and by
//! block, on the web of the packages alone and with portals that mix subjects and adverts.
//!
//! `topics [--parts] [--ours] [--fresher] [--subjects] [--seeds N]`: also what parts of the method give, only by block, the subjects that the
//! method was not chosen on in place of the others, a table for each subject. The packages lie unpacked in KUAI_WEB, or /tmp/localweb.

use std::ops::Range;
use std::path::{Path, PathBuf};

use kuai_benches::topics::crawl::Strategy;
use kuai_benches::topics::measure::{BUDGET_MAX, Found, Run, measure};
use kuai_benches::topics::plot::{Chart, svg};
use kuai_benches::topics::subjects::{SUBJECTS, Set, Subject};
use kuai_benches::topics::web::local_web;

const BUDGETS: [usize; 4] = [200, 500, 1000, 2000];
const CACHE: &str = "/tmp/kuai-topics-web.jsonl";
const PLOT: &str = "/tmp/kuai-topics.svg";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let seeds = arguments.iter().skip_while(|argument| *argument != "--seeds").nth(1);
    let seeds: u64 = seeds.and_then(|count| count.parse().ok()).unwrap_or(5);
    let mut strategies = Strategy::COMPARED.to_vec();
    if has("--parts") {
        strategies.extend(Strategy::PARTS);
    }
    if has("--ours") {
        strategies = vec![Strategy::ByBlock];
    }
    let folder = std::env::var_os("KUAI_WEB").map_or_else(|| PathBuf::from("/tmp/localweb"), PathBuf::from);
    let web = local_web(&folder, Path::new(CACHE));
    let known = Subject::known_count();
    let subjects = if has("--fresher") { known..SUBJECTS.len() } else { 0..known };
    let found = measure(&web, &runs(&strategies, subjects.clone(), seeds), seeds, subjects.end);
    println!("{} pages; harvest rate and target recall in per cent, mean and spread over {seeds} seeds", web.len());
    for has_portals in [false, true] {
        println!("\n{}", name_of(has_portals));
        let print = |name: &str, keep: &dyn Fn(usize) -> bool| {
            let keep = |found: &&Found| found.run.has_portals == has_portals && keep(found.run.subject);
            print_table(name, &found.iter().filter(keep).collect::<Vec<_>>(), &strategies, seeds);
        };
        print("subjects chosen on", &|subject| SUBJECTS[subject].set == Set::ChosenOn);
        print("subjects held out at first", &|subject| SUBJECTS[subject].set == Set::SeenSince);
        print("fresh subjects", &|subject| SUBJECTS[subject].set == Set::Fresh);
        print("all subjects", &|_| true);
        for subject in subjects.clone().filter(|_| has("--subjects")) {
            print(SUBJECTS[subject].words, &|other| other == subject);
        }
    }
    println!("\nwork for a page, in microseconds");
    for &strategy in &strategies {
        let of = found.iter().filter(|found| found.run.strategy == strategy);
        println!("  {:<34} {:>6.0}", strategy.name(), 1e6 * mean(of.map(|found| found.page_seconds)));
    }
    std::fs::write(PLOT, plot(&found)).expect("the plot can be written");
    println!("\nplot: {PLOT}");
}

fn name_of(has_portals: bool) -> &'static str {
    if has_portals { "from portals that mix subjects and adverts" } else { "packages alone" }
}

fn runs(strategies: &[Strategy], subjects: Range<usize>, seeds: u64) -> Vec<Run> {
    let mut runs = Vec::new();
    for has_portals in [false, true] {
        for subject in subjects.clone() {
            for seed in 0..seeds {
                runs.extend(strategies.iter().map(|&strategy| Run { subject, strategy, seed, has_portals }));
            }
        }
    }
    runs
}

fn print_table(name: &str, found: &[&Found], strategies: &[Strategy], seeds: u64) {
    if found.is_empty() {
        return;
    }
    print!("\n{name:<36}");
    BUDGETS.iter().for_each(|budget| print!("  {:>23}", format!("{budget} pages")));
    println!();
    for &strategy in strategies {
        let of: Vec<&Found> = found.iter().filter(|found| found.run.strategy == strategy).copied().collect();
        print!("  {:<34}", strategy.name());
        for budget in BUDGETS {
            let harvest = over_seeds(&of, seeds, |found| found.harvest(budget));
            let recall = over_seeds(&of, seeds, |found| found.recall(budget));
            print!("  {harvest:>11} {recall:>11}");
        }
        println!();
    }
}

/// The mean over subjects and seeds, and how far the means of the seeds spread.
fn over_seeds(found: &[&Found], seeds: u64, measure: impl Fn(&Found) -> f64) -> String {
    let of_seed = |seed: u64| mean(found.iter().filter(|found| found.run.seed == seed).map(|found| measure(found)));
    let means: Vec<f64> = (0..seeds).map(of_seed).collect();
    let all = mean(means.iter().copied());
    let spread = mean(means.iter().map(|mean| (mean - all).powi(2))).sqrt();
    format!("{:.1} ± {:.1}", 100.0 * all, 100.0 * spread)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Points of a curve.
const POINTS: usize = 100;

fn plot(found: &[Found]) -> String {
    let chart = |has_portals: bool, title: &str, measure: fn(&Found, usize) -> f64| {
        let curve = |strategy: Strategy| {
            let of =
                || found.iter().filter(|found| found.run.strategy == strategy && found.run.has_portals == has_portals);
            let budgets = (1..=POINTS).map(|point| point * BUDGET_MAX / POINTS);
            (strategy.name(), budgets.map(|budget| mean(of().map(|found| measure(found, budget)))).collect())
        };
        let title = format!("{title}, {}", name_of(has_portals));
        Chart { title, curves: Strategy::COMPARED.map(curve).to_vec() }
    };
    let charts = [false, true].map(|has_portals| {
        [chart(has_portals, "Target recall", Found::recall), chart(has_portals, "Harvest rate", Found::harvest)]
    });
    svg(charts.as_flattened(), BUDGET_MAX)
}
