//! A web made up in memory, for tests of whatever collects.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use kuai_page::{Capture, Timestamp, Url};

use super::{Fetch, FetchError, FetchRequest};

/// Answers from memory and remembers what it was asked; an address that it does not know is 404.
///
/// ```
/// # use kuai_crawl::{FakeWeb, Fetch, FetchError, Wait};
/// # use kuai_page::Url;
/// let web = FakeWeb::new()
///     .page("http://a.example/", "<p>Hello")
///     .redirect("http://a.example/old", "/")
///     .failing("http://a.example/slow", |url| FetchError::TimedOut(url, Wait::FirstByte));
/// # let old = Url::parse("http://a.example/old").unwrap();
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # let capture = runtime.block_on(kuai_crawl::fetch_following(&web, &old, 5)).unwrap();
/// # assert_eq!((capture.status, capture.body.as_slice()), (200, b"<p>Hello".as_slice()));
/// # assert_eq!(web.asked().len(), 2);
/// ```
#[derive(Debug, Default)]
pub struct FakeWeb {
    answers: HashMap<Url, Answer>,
    asked: Mutex<Vec<FetchRequest>>,
}

#[derive(Debug)]
enum Answer {
    Capture(Box<Capture>),
    Failure(fn(Url) -> FetchError),
}

impl FakeWeb {
    /// A web without pages.
    pub fn new() -> FakeWeb {
        FakeWeb::default()
    }

    /// Adds a page of HTML.
    ///
    /// # Panics
    ///
    /// If the address is none; so do the others.
    pub fn page(self, url: &str, body: impl Into<Vec<u8>>) -> FakeWeb {
        self.answer(Capture { body: body.into(), headers: vec![line("content-type", "text/html")], ..blank(url, 200) })
    }

    /// Adds a redirect.
    pub fn redirect(self, url: &str, target: &str) -> FakeWeb {
        self.answer(Capture { headers: vec![line("location", target)], ..blank(url, 301) })
    }

    /// Adds an address that cannot be fetched.
    pub fn failing(mut self, url: &str, failure: fn(Url) -> FetchError) -> FakeWeb {
        self.answers.insert(blank(url, 0).url, Answer::Failure(failure));
        self
    }

    /// Adds any answer, in place of the one at its address.
    pub fn answer(mut self, capture: Capture) -> FakeWeb {
        self.answers.insert(capture.url.clone(), Answer::Capture(Box::new(capture)));
        self
    }

    /// All that was asked, in order.
    pub fn asked(&self) -> Vec<FetchRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Fetch for FakeWeb {
    async fn fetch(&self, request: &FetchRequest) -> Result<Capture, FetchError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        match self.answers.get(&request.url) {
            Some(Answer::Failure(failure)) => Err(failure(request.url.clone())),
            Some(Answer::Capture(capture)) if is_unchanged(capture, request) => Ok(Capture {
                status: 304,
                reason: "Not Modified".to_owned(),
                body: Vec::new(),
                ..Capture::clone(capture)
            }),
            Some(Answer::Capture(capture)) => Ok(Capture::clone(capture)),
            None => Ok(blank(request.url.as_str(), 404)),
        }
    }
}

/// Whether the asker has the page already; a tag says more than a date.
fn is_unchanged(capture: &Capture, request: &FetchRequest) -> bool {
    let (known, name) = match (&request.etag, &request.last_modified) {
        (Some(etag), _) => (etag, "etag"),
        (None, Some(date)) => (date, "last-modified"),
        (None, None) => return false,
    };
    capture.header(name) == Some(known.as_slice())
}

fn blank(url: &str, status: u16) -> Capture {
    let url = Url::parse(url).expect("a made-up web has addresses that can be read");
    let reason = if status == 200 { "OK" } else { "" };
    Capture { status, reason: reason.to_owned(), ..Capture::new(url, Timestamp::UNIX_EPOCH, Vec::new()) }
}

fn line(name: &str, value: &str) -> (String, Vec<u8>) {
    (name.to_owned(), value.as_bytes().to_vec())
}
