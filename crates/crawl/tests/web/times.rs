//! Servers that take their time. The clock of these tests jumps ahead whenever everybody waits.

use std::sync::Arc;
use std::time::Duration;

use kuai_crawl::{FetchError, FetchLimits, LookUp, Resolve, Wait, Web};
use kuai_page::Url;

use super::server::{Step, fetch_steps, get, local};

const SECOND: Duration = Duration::from_secs(1);

fn head() -> Step {
    Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".to_vec())
}

/// What is waited for when the server does these things.
async fn wait_that_ends(steps: Vec<Step>) -> Wait {
    match fetch_steps(steps, FetchLimits::default()).await {
        Err(error @ FetchError::TimedOut(_, wait)) => {
            assert!(error.is_transient());
            wait
        }
        other => panic!("no wait was over its limit: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_given_up() {
    assert_eq!(wait_that_ends(vec![Step::Hang]).await, Wait::FirstByte);
    assert_eq!(wait_that_ends(vec![Step::Send(b"HTTP/1.1 20".to_vec()), Step::Hang]).await, Wait::FirstByte);
    assert_eq!(wait_that_ends(vec![Step::Repeat(b"H".to_vec(), 10 * SECOND)]).await, Wait::FirstByte);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stops_is_given_up() {
    let much = Step::Send(vec![b'x'; 50_000]);
    assert_eq!(wait_that_ends(vec![head(), much, Step::Hang]).await, Wait::Idle);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_drips_is_given_up_though_it_never_stops() {
    assert_eq!(wait_that_ends(vec![head(), Step::Repeat(b"x".to_vec(), SECOND)]).await, Wait::Drip);
    assert_eq!(wait_that_ends(vec![head(), Step::Repeat(vec![b'x'; 200], SECOND)]).await, Wait::Drip);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_comes_steadily_but_for_ever_is_given_up() {
    assert_eq!(wait_that_ends(vec![head(), Step::Repeat(vec![b'x'; 1000], SECOND)]).await, Wait::Whole);
}

#[tokio::test(start_paused = true)]
async fn a_small_body_with_pauses_is_kept() {
    let steps = vec![
        Step::Pause(20 * SECOND),
        Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npa".to_vec()),
        Step::Pause(8 * SECOND),
        Step::Send(b"ge".to_vec()),
    ];
    assert_eq!(fetch_steps(steps, FetchLimits::default()).await.unwrap().body, b"page");
}

/// A directory that is out to lunch.
struct NoAnswer;

impl Resolve for NoAnswer {
    fn resolve(&self, _: &str) -> LookUp {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_does_not_come_about_is_given_up() {
    let web = Web::with_resolver(&local(), Arc::new(NoAnswer)).unwrap();
    let url = Url::parse("http://slow.example/").unwrap();
    assert_eq!(get(&web, url.clone()).await, Err(FetchError::TimedOut(url, Wait::Connect)));
}
