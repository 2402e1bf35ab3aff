//! What fetching a page of 16 KB costs the one who asks: processor time of its thread, over a connection on loopback that
//! stays open, beside a bare socket and `reqwest`.
//!
//! The server is another thread, whose time does not count. Each figure is the best of several rounds.

use std::hint::black_box;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use kuai_crawl::{Fetch, FetchOptions, FetchRequest, Web};
use kuai_eval::thread_seconds;
use kuai_page::Url;
use tokio::runtime::Runtime;

/// The product's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;
const FETCHES: usize = 4_000;

fn main() {
    let page = page();
    let plain = serve(answer("", &page));
    let coded = zstd(&page);
    let zstd = serve(answer("Content-Encoding: zstd\r\n", &coded));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be started");
    println!(
        "µs of CPU for a page of {} bytes ({} as zstd), best of {ROUNDS} rounds of {FETCHES}",
        page.len(),
        coded.len()
    );
    print("a bare socket", || bare(plain));
    print("reqwest", || with_reqwest(&runtime, plain));
    print("kuai", || with_kuai(&runtime, plain, page.len()));
    print("kuai, zstd", || with_kuai(&runtime, zstd, page.len()));
}

fn print(name: &str, round: impl Fn() -> f64) {
    let best = (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min);
    println!("  {name:<16} {:>8.1}", best * 1e6 / FETCHES as f64);
}

fn with_kuai(runtime: &Runtime, server: SocketAddr, page_len: usize) -> f64 {
    let options = FetchOptions { allow_private: true, ..FetchOptions::default() };
    let web = Web::new(&options).expect("the options are plain");
    let request = FetchRequest::from(Url::parse(&format!("http://{server}/page")).expect("an address"));
    runtime.block_on(async {
        web.fetch(&request).await.expect("the server answers");
        let start = thread_seconds();
        for _ in 0..FETCHES {
            let capture = web.fetch(&request).await.expect("the server answers");
            assert_eq!(capture.body.len(), page_len);
        }
        thread_seconds() - start
    })
}

fn with_reqwest(runtime: &Runtime, server: SocketAddr) -> f64 {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client without options");
    let url = format!("http://{server}/page");
    runtime.block_on(async {
        client.get(&url).send().await.expect("the server answers");
        let start = thread_seconds();
        for _ in 0..FETCHES {
            let answer = client.get(&url).send().await.expect("the server answers");
            black_box(answer.bytes().await.expect("the body comes").to_vec());
        }
        thread_seconds() - start
    })
}

/// What the kernel alone takes.
fn bare(server: SocketAddr) -> f64 {
    let mut stream = TcpStream::connect(server).expect("the server listens");
    let mut buffer = vec![0; 64 << 10];
    let start = thread_seconds();
    for _ in 0..FETCHES {
        stream.write_all(b"GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the request goes out");
        let mut left = None;
        while left != Some(0) {
            let count = stream.read(&mut buffer).expect("the answer comes");
            left = Some(left.unwrap_or_else(|| length(&buffer[..count])) - count);
        }
    }
    thread_seconds() - start
}

/// Bytes of the whole answer whose head is in the first piece.
fn length(piece: &[u8]) -> usize {
    let head = piece.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("the head comes first") + 4;
    let text = String::from_utf8_lossy(&piece[..head]).into_owned();
    let length = text.split("Content-Length: ").nth(1).and_then(|rest| rest.lines().next()).expect("a length is sent");
    head + length.parse::<usize>().expect("a length is a number")
}

/// Answers every request on every connection with the same bytes.
fn serve(answer: Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it has an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            thread::spawn(move || answer_all(stream, &answer));
        }
    });
    address
}

fn answer_all(mut stream: TcpStream, answer: &[u8]) {
    let mut buffer = [0; 4096];
    // Requests here fit one piece; whoever asks waits for the answer.
    while stream.read(&mut buffer).is_ok_and(|count| count > 0) && stream.write_all(answer).is_ok() {}
}

fn answer(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Sun, 15 Nov 2026 12:00:00 GMT\r\nContent-Type: text/html; charset=utf-8\r\n\
         Last-Modified: Sun, 15 Nov 2026 11:00:00 GMT\r\nETag: \"5f-60a\"\r\nAccept-Ranges: bytes\r\nVary: Accept-Encoding\r\n\
         {headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// 16 KB of a page of ours.
fn page() -> Vec<u8> {
    PAGE.bytes().cycle().take(16 << 10).collect()
}

const PAGE: &str = include_str!("../../../crates/eval/pages/news-zh-2015-div.html");

fn zstd(page: &[u8]) -> Vec<u8> {
    let mut coded = Vec::with_capacity(zstd_safe::compress_bound(page.len()));
    zstd_safe::compress(&mut coded, page, 3).expect("there is room");
    coded
}
