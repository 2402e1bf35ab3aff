//! Asks a server on loopback as fast as it answers, over connections that stay open, and says how long answers took.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// What came of asking.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// How long each answer took, in milliseconds, the fastest first.
    pub milliseconds: Vec<f64>,
    /// Answers with another status than 200, and the first of them.
    pub faults: Vec<(String, u16)>,
    /// Bytes of bodies.
    pub bytes: u64,
    /// How long it took in all.
    pub seconds: f64,
}

impl Load {
    /// The time within which this share of the answers came.
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.milliseconds.len().saturating_sub(1);
        self.milliseconds.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
    }

    /// Answers a second.
    pub fn rate(&self) -> f64 {
        self.milliseconds.len() as f64 / self.seconds
    }
}

/// Asks for `path(0)`, `path(1)` … over so many connections for so long.
pub fn load(
    server: SocketAddr,
    connections: usize,
    time: Duration,
    path: &(dyn Fn(usize) -> String + Sync),
) -> io::Result<Load> {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let parts: Vec<io::Result<Load>> = thread::scope(|scope| {
        let ask = || ask_on_and_on(server, start + time, &mut || path(next.fetch_add(1, Ordering::Relaxed)));
        let workers: Vec<_> = (0..connections).map(|_| scope.spawn(ask)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    });
    let mut all = Load::default();
    for part in parts {
        let part = part?;
        all.milliseconds.extend(part.milliseconds);
        all.faults.extend(part.faults);
        all.bytes += part.bytes;
    }
    all.milliseconds.sort_by(f64::total_cmp);
    all.seconds = start.elapsed().as_secs_f64();
    Ok(all)
}

fn ask_on_and_on(server: SocketAddr, end: Instant, path: &mut dyn FnMut() -> String) -> io::Result<Load> {
    let mut load = Load::default();
    let mut connection = None;
    while Instant::now() < end {
        let path = path();
        let open = match connection.take() {
            Some(open) => open,
            None => connect(server)?,
        };
        let start = Instant::now();
        let (open, answer) = ask(open, server, &path)?;
        load.milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
        load.bytes += answer.bytes;
        if answer.status != 200 {
            load.faults.push((path, answer.status));
        }
        connection = answer.stays_open.then_some(open);
    }
    Ok(load)
}

type Connection = BufReader<TcpStream>;

struct Answer {
    status: u16,
    bytes: u64,
    stays_open: bool,
}

fn connect(server: SocketAddr) -> io::Result<Connection> {
    let stream = TcpStream::connect(server)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(BufReader::with_capacity(64 << 10, stream))
}

fn ask(mut connection: Connection, server: SocketAddr, path: &str) -> io::Result<(Connection, Answer)> {
    connection.get_mut().write_all(format!("GET {path} HTTP/1.1\r\nHost: {server}\r\n\r\n").as_bytes())?;
    let status = line(&mut connection)?.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let (mut length, mut is_chunked, mut stays_open) = (None, false, true);
    loop {
        let header = line(&mut connection)?.to_ascii_lowercase();
        match header.split_once(": ") {
            Some(("content-length", value)) => length = value.parse::<u64>().ok(),
            Some(("transfer-encoding", _)) => is_chunked = true,
            Some(("connection", "close")) => stays_open = false,
            _ if header.is_empty() => break,
            _ => {}
        }
    }
    let bytes = match length {
        Some(length) => io::copy(&mut connection.by_ref().take(length), &mut io::sink())?,
        None if is_chunked => chunks(&mut connection)?,
        None => {
            stays_open = false;
            io::copy(&mut connection.by_ref().take(ANSWER_BYTES_MAX), &mut io::sink())?
        }
    };
    Ok((connection, Answer { status, bytes, stays_open }))
}

/// Reads a body that comes in chunks; says how long it is.
fn chunks(connection: &mut Connection) -> io::Result<u64> {
    let mut bytes = 0;
    loop {
        let length = u64::from_str_radix(&line(connection)?, 16).map_err(io::Error::other)?;
        bytes += io::copy(&mut connection.by_ref().take(length), &mut io::sink())?;
        line(connection)?;
        if length == 0 || bytes > ANSWER_BYTES_MAX {
            return Ok(bytes);
        }
    }
}

fn line(connection: &mut Connection) -> io::Result<String> {
    let mut line = String::new();
    if connection.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}
