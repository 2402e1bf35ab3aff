//! A server that answers with any bytes at all, and remembers what it was asked.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kuai_crawl::{Fetch, FetchError, FetchLimits, FetchOptions, FetchRequest, LookUp, Resolve, Web};
use kuai_page::{Capture, Url};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does once it has read a request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes again and again, with a pause before each, until nobody reads them.
    Repeat(Vec<u8>, Duration),
    /// Lets time pass.
    Pause(Duration),
    /// Ends the connection in good order.
    Close,
    /// Cuts the connection.
    Reset,
    /// Says nothing any more.
    Hang,
}

/// A running server; it ends with the test's runtime.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Asked>>,
}

#[derive(Default)]
struct Asked {
    requests: Vec<String>,
    connection_count: usize,
}

impl Server {
    /// Answers the first request with the first steps and so on; the last ones are for all that follow.
    pub(crate) async fn start(answers: Vec<Vec<Step>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server { address: listener.local_addr().unwrap(), asked: Arc::default() };
        let (asked, answers) = (Arc::clone(&server.asked), Arc::new(answers));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                asked.lock().unwrap().connection_count += 1;
                tokio::spawn(serve(stream, Arc::clone(&asked), Arc::clone(&answers)));
            }
        });
        server
    }

    /// Answers every request with these bytes and keeps the connection open.
    pub(crate) async fn saying(answer: impl Into<Vec<u8>>) -> Server {
        Server::start(vec![vec![Step::Send(answer.into())]]).await
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The heads of all requests.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.asked.lock().unwrap().requests.clone()
    }

    pub(crate) fn connection_count(&self) -> usize {
        self.asked.lock().unwrap().connection_count
    }
}

async fn serve(mut stream: TcpStream, asked: Arc<Mutex<Asked>>, answers: Arc<Vec<Vec<Step>>>) -> io::Result<()> {
    while let Some(request) = read_head(&mut stream).await? {
        let index = {
            let mut asked = asked.lock().unwrap();
            asked.requests.push(request);
            asked.requests.len() - 1
        };
        for step in &answers[index.min(answers.len() - 1)] {
            match step {
                Step::Send(bytes) => stream.write_all(bytes).await?,
                Step::Repeat(bytes, pause) => loop {
                    tokio::time::sleep(*pause).await;
                    stream.write_all(bytes).await?;
                },
                Step::Pause(pause) => tokio::time::sleep(*pause).await,
                Step::Close => return stream.shutdown().await,
                Step::Reset => return stream.set_zero_linger(),
                Step::Hang => std::future::pending().await,
            }
        }
    }
    Ok(())
}

async fn read_head(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).await? == 0 {
            return Ok(None);
        }
        head.push(byte[0]);
    }
    Ok(Some(String::from_utf8(head).unwrap()))
}

/// Options for loopback.
pub(crate) fn local() -> FetchOptions {
    FetchOptions { allow_private: true, ..FetchOptions::default() }
}

pub(crate) fn local_web() -> Web {
    Web::new(&local()).unwrap()
}

pub(crate) fn web_with(limits: FetchLimits) -> Web {
    Web::new(&FetchOptions { limits, ..local() }).unwrap()
}

pub(crate) async fn get(web: &Web, url: Url) -> Result<Capture, FetchError> {
    web.fetch(&FetchRequest::from(url)).await
}

/// Fetches once from a server that sends one answer and ends the connection.
pub(crate) async fn fetch_answer(answer: impl Into<Vec<u8>>) -> Result<Capture, FetchError> {
    fetch_steps(vec![Step::Send(answer.into()), Step::Close], FetchLimits::default()).await
}

/// Fetches once from a server that does these things.
pub(crate) async fn fetch_steps(steps: Vec<Step>, limits: FetchLimits) -> Result<Capture, FetchError> {
    let server = Server::start(vec![steps]).await;
    get(&web_with(limits), server.url("/page")).await
}

/// An answer with a body and the header lines beside its length.
pub(crate) fn answer(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A directory of names that gives one prepared answer after the other, the last one for ever, and remembers the questions.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) answers: Mutex<VecDeque<Vec<IpAddr>>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Names {
    pub(crate) fn answering(answers: &[&str]) -> Arc<Names> {
        let read = |answer: &&str| answer.split_whitespace().map(|address| address.parse().unwrap()).collect();
        Arc::new(Names { answers: Mutex::new(answers.iter().map(read).collect()), ..Names::default() })
    }
}

impl Resolve for Names {
    fn resolve(&self, host: &str) -> LookUp {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(std::future::ready(answer.ok_or_else(|| io::Error::other("no such name"))))
    }
}
