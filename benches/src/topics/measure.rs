//! Many crawls side by side, and what they found.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kuai_eval::thread_seconds;

use super::crawl::{Strategy, Web, crawl};
use super::portals::{Dice, pages_like, portals};
use super::subjects::SUBJECTS;
use super::web::{PACKAGES, WebPage};

/// Pages that the longest crawl fetches.
pub const BUDGET_MAX: usize = 2000;

/// Portals that a crawl begins at.
const PORTAL_STARTS: usize = 3;

/// One crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of its subject.
    pub subject: usize,
    /// How it chooses.
    pub strategy: Strategy,
    /// What its starts and portals are drawn with.
    pub seed: u64,
    /// Whether it begins at portals, or at the packages, without portals.
    pub has_portals: bool,
}

/// What a crawl found.
pub struct Found {
    /// The crawl.
    pub run: Run,
    /// Targets found after each page that was fetched.
    targets: Vec<u32>,
    /// Targets that can be reached.
    reachable: u32,
    /// Seconds of work for each page that was fetched.
    pub page_seconds: f64,
}

impl Found {
    /// The share of so many fetched pages that are targets.
    pub fn harvest(&self, budget: usize) -> f64 {
        self.targets(budget) / budget as f64
    }

    /// The share of the targets that so many fetched pages hold.
    pub fn recall(&self, budget: usize) -> f64 {
        self.targets(budget) / f64::from(self.reachable.max(1))
    }

    /// A crawl that ran out of links has found what it has found.
    fn targets(&self, budget: usize) -> f64 {
        let last = self.targets.last();
        f64::from(budget.checked_sub(1).and_then(|place| self.targets.get(place).or(last)).copied().unwrap_or(0))
    }
}

/// Does all runs, on two threads, over the pages of the packages, with portals that name this many of the first subjects.
pub fn measure(pages: &[WebPage], runs: &[Run], seeds: u64, named: usize) -> Vec<Found> {
    let targets: Vec<Vec<u32>> =
        SUBJECTS[..named].iter().map(|subject| pages_like(pages, &subject.matcher())).collect();
    let portals: Vec<Vec<WebPage>> = (0..seeds).map(|seed| portals(pages, &targets, seed)).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some(&run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let portals: &[WebPage] = if run.has_portals { &portals[run.seed as usize] } else { &[] };
            let result = measure_one(run, Web { pages, portals }, &targets[run.subject]);
            found.lock().expect("no run panics").push(result);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    found.into_inner().expect("no run panics")
}

fn measure_one(run: Run, web: Web<'_>, targets: &[u32]) -> Found {
    let starts = starts(web, run.seed);
    let reachable = web.reachable(&starts);
    let mut is_target = vec![false; web.len()];
    targets.iter().for_each(|&page| is_target[page as usize] = reachable[page as usize]);
    let mut count = 0;
    let start = thread_seconds();
    let fetched = crawl(web, &starts, SUBJECTS[run.subject].words, run.strategy, BUDGET_MAX);
    let page_seconds = (thread_seconds() - start) / fetched.len().max(1) as f64;
    let found = fetched.iter().map(|&page| {
        count += u32::from(is_target[page as usize]);
        count
    });
    let targets = found.collect();
    let reachable = is_target.iter().filter(|&&is_target| is_target).count() as u32;
    Found { run, targets, reachable, page_seconds }
}

/// Where a crawl begins: at some portals; or at one page of each package, the entry with the first seed, else one that it links to.
fn starts(web: Web<'_>, seed: u64) -> Vec<u32> {
    let mut dice = Dice::new(seed ^ 0xabcd);
    if !web.portals.is_empty() {
        let portals: Vec<u32> = (web.pages.len() as u32..web.len() as u32).collect();
        return dice.pick_some(&portals, PORTAL_STARTS);
    }
    let mut starts = Vec::new();
    for package in &PACKAGES {
        for entry in package.entries {
            let url = format!("http://{}/{entry}", package.host);
            let number = web.pages.iter().position(|page| page.url.as_str() == url).expect("the package has its entry");
            let blocks = web.pages[number].blocks.iter();
            let around: Vec<u32> = blocks.flat_map(|block| &block.links).map(|link| link.target).collect();
            starts.push(if seed == 0 || around.is_empty() { number as u32 } else { *dice.pick(&around) });
        }
    }
    dice.pick_some(&starts, starts.len())
}
