//! Many at once, and some who never get on with it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::served::{archive, options, serve_with};

const TIME: &str = "2026-01-01T00:00:00Z";

#[test]
fn a_client_that_takes_nothing_holds_nobody_up() {
    // More than the system takes off our hands for a client that does not read.
    let large = vec![b'x'; 32 << 20];
    let mut options = options();
    options.limits.body_bytes = large.len();
    options.limits.stall_time = Duration::from_millis(300);
    let large_path = "/web/20260101000000id_/http://e.org/large";
    let served = serve_with(
        archive(&[("http://e.org/large", TIME, "image/x", &large), ("http://e.org/", TIME, "text/html", b"<p>small")]),
        options,
    );
    let mut slow = TcpStream::connect(served.replay).unwrap();
    write!(slow, "GET {large_path} HTTP/1.1\r\nHost: {}\r\n\r\n", served.replay).unwrap();
    slow.read_exact(&mut [0; 1]).unwrap();
    // It has all the room now, which small answers do not need, and large ones get when it is cut off.
    assert_eq!(served.replay("/web/20260101000000id_/http://e.org/", &[]).text(), "<p>small");
    assert_eq!(served.replay(large_path, &[]).body.len(), large.len());
    let mut taken = Vec::new();
    let _ = slow.read_to_end(&mut taken);
    assert!(taken.len() < large.len());
}

#[test]
fn a_client_that_never_asks_is_let_go() {
    let mut options = options();
    options.limits.head_time = Duration::from_millis(200);
    let served = serve_with(archive(&[]), options);
    let mut stream = TcpStream::connect(served.main).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost:").unwrap();
    let mut answer = Vec::new();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.read_to_end(&mut answer).unwrap();
}

#[test]
fn no_more_connections_than_allowed_are_served_and_the_others_wait() {
    let mut options = options();
    options.limits.connections = 2;
    let served = serve_with(archive(&[("http://e.org/", TIME, "text/html", b"<p>here")]), options);
    let asking: Vec<_> = (0..16)
        .map(|_| {
            let to = served.replay;
            thread::spawn(move || crate::served::ask(to, "GET", "/web/20260101000000id_/http://e.org/", &[]).status)
        })
        .collect();
    for thread in asking {
        assert_eq!(thread.join().unwrap(), 200);
    }
}

#[test]
fn a_server_ends_what_was_begun_and_then_itself() {
    let served = serve_with(archive(&[]), options());
    let idle = TcpStream::connect(served.main).unwrap();
    let (main, replay) = (served.main, served.replay);
    drop(served);
    drop(idle);
    assert!(TcpStream::connect(main).is_err() && TcpStream::connect(replay).is_err());
}
