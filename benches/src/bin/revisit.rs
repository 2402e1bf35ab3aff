//! Does coming back when it pays keep more copies current, and waste fewer visits, than one interval for all?

use std::time::Duration;

use kuai_benches::revisits::{Outcome, POLICIES, WORLDS, compare};
use kuai_crawl::RevisitBounds;

const PAGES: usize = 300;
const DAYS: f64 = 180.0;
const SEEDS: [u64; 3] = [1, 2, 3];

/// Prices of a visit, from many visits to few.
const PRICES: [(&str, u64); 2] = [("default", 22_830), ("four times", 22_830 * 4)];

fn main() {
    println!(
        "{:<15} {:<10} {:<13} {:>9} {:>9} {:>8} {:>9} {:>9}",
        "pages change", "price", "policy", "visits", "current", "age", "wasted", "caught"
    );
    for world in WORLDS {
        for (price_name, price) in PRICES {
            let bounds = RevisitBounds { price: Duration::from_secs(price), ..RevisitBounds::default() };
            let mut sums = [Outcome::default(); POLICIES.len()];
            for seed in SEEDS {
                let outcomes = compare(&world.pages(PAGES, DAYS, seed), DAYS, &bounds);
                sums.iter_mut().zip(&outcomes).for_each(|(sum, outcome)| sum.add(outcome));
            }
            for (policy, sum) in POLICIES.iter().zip(&sums) {
                println!(
                    "{:<15} {:<10} {:<13} {:>9} {:>7.1} % {:>6.1} d {:>7.1} % {:>7.1} %",
                    world.name,
                    price_name,
                    format!("{policy:?}").to_lowercase(),
                    sum.visit_count,
                    100.0 * sum.freshness(),
                    sum.age(),
                    100.0 * sum.waste(),
                    100.0 * sum.caught(),
                );
            }
        }
    }
}
