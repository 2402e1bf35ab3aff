//! The sample web: four sites, each served on a port of loopback, at a moment that can be moved.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use kuai_page::Timestamp;

use crate::site::{Answer, Site};

/// The sites, in the order in which they are shown.
pub(crate) static SITES: LazyLock<[Site; 4]> = LazyLock::new(|| {
    [
        include_str!("../sites/library.html"),
        include_str!("../sites/journal.html"),
        include_str!("../sites/forum.html"),
        include_str!("../sites/novel.html"),
    ]
    .map(Site::read)
});

/// Bytes of a request that are read.
const REQUEST_BYTES_MAX: u64 = 16 << 10;
/// How long a request may take to come, and an answer to go.
const PATIENCE: Duration = Duration::from_secs(5);
/// Requests that are answered at a time.
const CONNECTIONS_MAX: usize = 64;

/// The sample web, until it is dropped.
pub struct Town {
    doors: Vec<(&'static str, SocketAddr)>,
    state: Arc<State>,
}

struct State {
    moment: Mutex<Timestamp>,
    is_over: AtomicBool,
    connections: AtomicUsize,
}

impl Town {
    /// Opens the sites as they were at a moment.
    pub fn open(moment: Timestamp) -> io::Result<Town> {
        let state = Arc::new(State {
            moment: Mutex::new(moment),
            is_over: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
        });
        let mut doors = Vec::new();
        for site in SITES.iter() {
            let listener = TcpListener::bind("127.0.0.1:0")?;
            doors.push((site.host, listener.local_addr()?));
            let state = Arc::clone(&state);
            thread::spawn(move || listen(&listener, site, &state));
        }
        Ok(Town { doors, state })
    }

    /// The hosts, and where they are served: also for a browser or a crawl of one's own.
    pub fn doors(&self) -> &[(&'static str, SocketAddr)] {
        &self.doors
    }

    /// Lets it be another time.
    pub fn set_moment(&self, moment: Timestamp) {
        *self.state.moment.lock().unwrap_or_else(PoisonError::into_inner) = moment;
    }

    pub(crate) fn moment(&self) -> Timestamp {
        self.state.moment()
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        for (_, door) in &self.doors {
            // A knock wakes the listener, which then sees that it is over.
            let _ = TcpStream::connect(door);
        }
    }
}

impl State {
    fn moment(&self) -> Timestamp {
        *self.moment.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn listen(listener: &TcpListener, site: &'static Site, state: &Arc<State>) {
    for stream in listener.incoming() {
        if state.is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else { continue };
        if state.connections.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
            state.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let state = Arc::clone(state);
        thread::spawn(move || {
            // Whoever went away needs no answer.
            let _ = serve(stream, site, state.moment());
            state.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Answers one request.
fn serve(stream: TcpStream, site: &Site, moment: Timestamp) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.try_clone()?.take(REQUEST_BYTES_MAX)).lines();
    let asked = lines.next().transpose()?.unwrap_or_default();
    let mut known_tag = None;
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("if-none-match")
        {
            known_tag = Some(value.trim().to_owned());
        }
    }
    let path = asked.split(' ').nth(1).unwrap_or("/");
    let path = path.split('?').next().unwrap_or(path);
    let answer = site.answer(path, moment);
    (&stream).write_all(message(&answer, known_tag.as_deref()).as_bytes())
}

/// An answer as it goes over the wire. Files that stay as they are have a tag, and are not sent twice to who knows it.
fn message(answer: &Answer, known_tag: Option<&str>) -> String {
    let Answer { status, content_type, body } = answer;
    let is_steady = !content_type.starts_with("text/html") && *status == 200;
    let tag = is_steady.then(|| format!("\"{}-{}\"", content_type.replace('/', "-"), body.len()));
    let tag_line = tag.as_ref().map(|tag| format!("ETag: {tag}\r\n")).unwrap_or_default();
    if tag.is_some() && tag.as_deref() == known_tag {
        return format!("HTTP/1.1 304 Not Modified\r\n{tag_line}Connection: close\r\n\r\n");
    }
    let reason = if *status == 200 { "OK" } else { "Not Found" };
    let length = body.len();
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n{tag_line}Connection: close\r\n\r\n{body}"
    )
}
