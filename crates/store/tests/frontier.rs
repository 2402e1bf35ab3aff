//! What every frontier must do, checked on each of them, and the folder's compared with the model in memory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod suite;

use std::time::Duration;

use jiff::Timestamp;
use kuai_crawl::{Batch, Claim, Decision, DueVisit, Ending, Find, Frontier, Stage, UrlId, Via, Want};
use kuai_store::{FolderFrontier, MemoryFrontier, PostgresFrontier};
use proptest::prelude::*;
use suite::shared::{Objects, SharedPlace};
use url::Url;

fn on_every_frontier(check: fn(&dyn Frontier)) {
    check(&MemoryFrontier::new());
    let folder = tempfile::tempdir().unwrap();
    check(&FolderFrontier::open(folder.path(), "test").unwrap());
    if let Some(place) = SharedPlace::new(Objects::Folder) {
        check(&PostgresFrontier::open(&place.writer(), "test").unwrap());
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

const WANT: Want = Want { limit: 10, per_host: 10, lease: Duration::from_secs(60) };

fn find(url: &str, decision: Decision) -> Find {
    let url = Url::parse(url).unwrap();
    Find { url, via: Via::Link, parent: None, depth: 1, hops: 0, decision, why: "a link".to_owned() }
}

fn put(frontier: &dyn Frontier, finds: &[(&str, Decision)]) -> u64 {
    let finds = finds.iter().map(|(url, decision)| find(url, *decision)).collect();
    frontier.record(&Batch { finds, ..Batch::default() }).unwrap()
}

fn end(frontier: &dyn Frontier, id: UrlId, ending: Ending) {
    frontier.record(&Batch { endings: vec![(id, ending)], ..Batch::default() }).unwrap();
}

fn paths(claims: &[Claim]) -> Vec<&str> {
    claims.iter().map(|claim| claim.url.path()).collect()
}

fn follow(priority: i32) -> Decision {
    Decision::Follow(priority)
}

#[test]
fn the_best_comes_first_and_equals_in_the_order_found() {
    on_every_frontier(|frontier| {
        let finds = [("http://a/1", follow(0)), ("http://a/2", follow(5)), ("http://a/3", follow(0))];
        assert_eq!(put(frontier, &finds), 3);
        assert_eq!(paths(&frontier.claim(at(0), &WANT).unwrap()), ["/2", "/1", "/3"]);
    });
}

#[test]
fn an_address_is_claimed_once_and_never_again_when_it_is_done() {
    on_every_frontier(|frontier| {
        put(frontier, &[("http://a/1", follow(0))]);
        let claim = frontier.claim(at(0), &WANT).unwrap().remove(0);
        assert_eq!(frontier.claim(at(1), &WANT).unwrap(), []);
        end(frontier, claim.id, Ending::Done { status: 200 });
        assert_eq!(put(frontier, &[("http://a/1", follow(9))]), 0);
        assert_eq!(frontier.claim(at(9999), &WANT).unwrap(), []);
        let known = frontier.look_up(&claim.url).unwrap().unwrap();
        assert_eq!((known.stage, known.status, known.attempts), (Stage::Done, Some(200), 1));
    });
}

#[test]
fn a_claim_whose_lease_ran_out_is_ready_again() {
    on_every_frontier(|frontier| {
        put(frontier, &[("http://a/1", follow(0))]);
        frontier.claim(at(0), &WANT).unwrap();
        assert_eq!(frontier.next_time(at(1), &WANT).unwrap(), Some(at(60)));
        assert_eq!(paths(&frontier.claim(at(60), &WANT).unwrap()), ["/1"]);
        frontier.release().unwrap();
        assert_eq!(paths(&frontier.claim(at(61), &WANT).unwrap()), ["/1"]);
    });
}

#[test]
fn a_host_gives_no_more_than_it_may_and_not_before_its_time() {
    on_every_frontier(|frontier| {
        put(frontier, &[("http://a/1", follow(9)), ("http://a/2", follow(9)), ("http://b/1", follow(0))]);
        let one_each = Want { per_host: 1, ..WANT };
        let claims = frontier.claim(at(0), &one_each).unwrap();
        assert_eq!(claims.iter().map(|claim| claim.url.as_str()).collect::<Vec<_>>(), ["http://a/1", "http://b/1"]);
        assert_eq!(frontier.claim(at(1), &one_each).unwrap(), []);
        let delays = vec![(claims[0].host, at(30))];
        let endings = vec![(claims[0].id, Ending::Done { status: 200 })];
        frontier.record(&Batch { endings, delays, ..Batch::default() }).unwrap();
        assert_eq!(frontier.claim(at(29), &one_each).unwrap(), []);
        assert_eq!(frontier.next_time(at(29), &one_each).unwrap(), Some(at(30)));
        assert_eq!(paths(&frontier.claim(at(30), &one_each).unwrap()), ["/2"]);
    });
}

#[test]
fn what_is_tried_later_comes_back_then_and_remembers_why() {
    on_every_frontier(|frontier| {
        put(frontier, &[("http://a/1", follow(0))]);
        let claim = frontier.claim(at(0), &WANT).unwrap().remove(0);
        end(frontier, claim.id, Ending::Later { at: at(100), reason: "503".to_owned() });
        assert_eq!(frontier.counts().unwrap().of(Stage::Later), 1);
        assert_eq!(frontier.claim(at(99), &WANT).unwrap(), []);
        let again = frontier.claim(at(100), &WANT).unwrap().remove(0);
        assert_eq!(again.attempts, 1);
        end(frontier, again.id, Ending::Failed { reason: "503 thrice".to_owned() });
        let failed = frontier.list(Stage::Failed, None, 10).unwrap();
        assert_eq!((failed.len(), failed[0].reason.as_str(), failed[0].attempts), (1, "503 thrice", 2));
        assert_eq!(frontier.list(Stage::Failed, Some(failed[0].id), 10).unwrap(), []);
    });
}

#[test]
fn what_was_skipped_is_followed_when_it_is_found_in_a_better_place() {
    on_every_frontier(|frontier| {
        assert_eq!(put(frontier, &[("http://a/1", Decision::Skip), ("http://a/2", follow(1))]), 1);
        assert_eq!(put(frontier, &[("http://a/1", follow(2)), ("http://a/2", follow(3))]), 1);
        assert_eq!(paths(&frontier.claim(at(0), &WANT).unwrap()), ["/2", "/1"]);
    });
}

#[test]
fn what_robots_forbid_stays_skipped() {
    on_every_frontier(|frontier| {
        put(frontier, &[("http://a/1", follow(0))]);
        let claim = frontier.claim(at(0), &WANT).unwrap().remove(0);
        end(frontier, claim.id, Ending::Skipped { reason: "robots.txt".to_owned() });
        assert_eq!(put(frontier, &[("http://a/1", follow(9))]), 0);
        assert_eq!(frontier.claim(at(1), &WANT).unwrap(), []);
    });
}

#[test]
fn a_blocked_host_fails_all_that_is_ready_there() {
    on_every_frontier(|frontier| {
        put(frontier, &[("http://a/1", follow(0)), ("http://a/2", follow(0)), ("http://b/1", follow(0))]);
        let host = frontier.claim(at(0), &Want { limit: 1, ..WANT }).unwrap()[0].host;
        frontier.record(&Batch { blocks: vec![(host, "dead".to_owned())], ..Batch::default() }).unwrap();
        assert_eq!(frontier.list(Stage::Failed, None, 9).unwrap()[0].reason, "dead");
        assert_eq!(frontier.claim(at(1), &WANT).unwrap().len(), 1);
    });
}

#[test]
fn visits_are_due_in_order_and_replaced_by_newer_plans() {
    on_every_frontier(|frontier| {
        let visit = |url: &str, due| DueVisit { url: Url::parse(url).unwrap(), due, why: "often".to_owned() };
        let visits = vec![visit("http://a/1", at(50)), visit("http://a/2", at(20)), visit("http://a/1", at(10))];
        frontier
            .record(&Batch { visits, mark: Some(7), memory: Some("topic".to_owned()), ..Batch::default() })
            .unwrap();
        let due = frontier.due(Some(at(20)), 9).unwrap();
        assert_eq!(due, [visit("http://a/1", at(10)), visit("http://a/2", at(20))]);
        assert_eq!(frontier.due(Some(at(10)), 9).unwrap().len(), 1);
        frontier.reset().unwrap();
        assert_eq!(frontier.due(None, usize::MAX).unwrap().len(), 2);
        assert_eq!(frontier.mark().unwrap(), 7);
    });
}

#[test]
fn a_frontier_is_there_again_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = FolderFrontier::open(folder.path(), "one").unwrap();
    put(&frontier, &[("http://a/1", follow(0)), ("http://a/2", follow(0))]);
    frontier.claim(at(0), &Want { limit: 1, ..WANT }).unwrap();
    drop(frontier);
    let other = FolderFrontier::open(folder.path(), "other").unwrap();
    assert_eq!(other.counts().unwrap().open(), 0);
    let frontier = FolderFrontier::open(folder.path(), "one").unwrap();
    assert_eq!(frontier.counts().unwrap().of(Stage::Claimed), 1);
    frontier.release().unwrap();
    assert_eq!(paths(&frontier.claim(at(1), &WANT).unwrap()), ["/1", "/2"]);
    assert_eq!(FolderFrontier::crawls(folder.path()).unwrap(), ["one", "other"]);
    assert!(FolderFrontier::read(folder.path(), "none").unwrap().is_none());
}

/// Something that happens to a frontier.
#[derive(Clone, Debug)]
enum Step {
    Find(u8, u8, Option<i8>),
    Claim(u8, u8),
    End(u8, u8),
    Delay(u8, u8),
    Block(u8),
    Release,
    Wait(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..3u8, 0..6u8, proptest::option::of(0..3i8)).prop_map(|(host, path, priority)| Step::Find(host, path, priority)),
        3 => (1..4u8, 1..3u8).prop_map(|(limit, per_host)| Step::Claim(limit, per_host)),
        4 => (any::<u8>(), 0..5u8).prop_map(|(which, how)| Step::End(which, how)),
        1 => (any::<u8>(), 0..90u8).prop_map(|(which, delay)| Step::Delay(which, delay)),
        1 => any::<u8>().prop_map(Step::Block),
        1 => Just(Step::Release),
        2 => (0..90u8).prop_map(Step::Wait),
    ]
}

/// A frontier under test, with the claims that it gave.
struct Tried {
    frontier: Box<dyn Frontier>,
    claims: Vec<Claim>,
}

impl Tried {
    /// Takes a step, and tells what came of it in words that all frontiers share.
    fn take(&mut self, step: &Step, now: i64) -> String {
        let claim = |which: u8| self.claims.get(usize::from(which) % self.claims.len().max(1)).cloned();
        let mut batch = Batch::default();
        match *step {
            Step::Find(host, path, priority) => {
                let decision = priority.map_or(Decision::Skip, |priority| follow(i32::from(priority)));
                batch.finds.push(find(&format!("http://h{host}/{path}"), decision));
            }
            Step::Claim(limit, per_host) => {
                let want = Want { limit: limit.into(), per_host: per_host.into(), ..WANT };
                let claims = self.frontier.claim(at(now), &want).unwrap();
                let next = self.frontier.next_time(at(now), &want).unwrap();
                // Which of two equal hosts comes first is free, so the order across hosts is not compared.
                let mut told: Vec<_> = claims.iter().map(|claim| (claim.url.to_string(), claim.attempts)).collect();
                told.sort();
                self.claims.extend(claims);
                self.claims.sort_by_key(|claim| claim.url.to_string());
                return format!("{told:?} {next:?}");
            }
            Step::End(which, how) => {
                let Some(claim) = claim(which) else { return String::new() };
                let reason = "a reason".to_owned();
                let ending = match how {
                    0 => Ending::Done { status: 200 },
                    1 => Ending::Failed { reason },
                    2 => Ending::Skipped { reason },
                    3 => Ending::Later { at: at(now + 30), reason },
                    _ => Ending::Unclaimed,
                };
                batch.endings.push((claim.id, ending));
            }
            Step::Delay(which, delay) => {
                batch.delays.extend(claim(which).map(|claim| (claim.host, at(now + i64::from(delay)))));
            }
            Step::Block(which) => batch.blocks.extend(claim(which).map(|claim| (claim.host, "blocked".to_owned()))),
            Step::Release => self.frontier.release().unwrap(),
            Step::Wait(_) => {}
        }
        let fresh = self.frontier.record(&batch).unwrap();
        format!("{fresh} {:?}", self.frontier.counts().unwrap())
    }
}

/// Whether a frontier does what the model does, step by step.
fn check_against_model(frontier: Box<dyn Frontier>, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut model = Tried { frontier: Box::new(MemoryFrontier::new()), claims: Vec::new() };
    let mut tried = Tried { frontier, claims: Vec::new() };
    let mut now = 0;
    for step in steps {
        if let Step::Wait(seconds) = step {
            now += i64::from(*seconds);
        }
        // Where hosts are equal, which of them gives first is free: with a limit that leaves some out the two would
        // differ for no fault, so all hosts are asked.
        let step = match step {
            Step::Claim(_, per_host) => Step::Claim(200, *per_host),
            other => other.clone(),
        };
        prop_assert_eq!(model.take(&step, now), tried.take(&step, now), "after {:?}", step);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_folder_does_what_the_model_does(steps in proptest::collection::vec(step(), 1..60)) {
        let folder = tempfile::tempdir().unwrap();
        check_against_model(Box::new(FolderFrontier::open(folder.path(), "test").unwrap()), &steps)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_shared_frontier_does_what_the_model_does(steps in proptest::collection::vec(step(), 1..60)) {
        if let Some(place) = SharedPlace::new(Objects::Folder) {
            let store = place.writer();
            check_against_model(Box::new(PostgresFrontier::open(&store, "test").unwrap()), &steps)?;
        }
    }
}
