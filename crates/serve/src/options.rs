//! Where a server listens, by which names it is known, and how much of everything it gives.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use kuai_page::Url;

use crate::guard::Access;
use crate::origins::is_local_name;

/// What a server is told once.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the API and what is to be trusted is served.
    pub listen: SocketAddr,
    /// Where archived pages are served: never the same as `listen`, so that no archived script has the origin of the rest.
    pub replay_listen: SocketAddr,
    /// By which address browsers reach `listen`, where that is not by its host and port: `https://archive.example.org`.
    pub origin: Option<String>,
    /// By which address browsers reach `replay_listen`.
    pub replay_origin: Option<String>,
    /// Where the archive lies, as [`kuai::open`] takes it: crawls write there, and its search index and site models are beside it. Without one
    /// the index is made in memory.
    pub place: Option<PathBuf>,
    /// Who may come in. Without it everybody on this machine may do everything, and nobody else anything.
    pub access: Option<Access>,
    /// How the people whose pages are collected can reach whoever collects them: an address for the User-Agent header.
    pub contact: Option<String>,
    /// Whether anybody who reaches the machine may read the archive.
    pub allow_public: bool,
    /// Bounds of size, count and time.
    pub limits: Limits,
}

/// How much and how long everything may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at a time; more wait to be accepted.
    pub connections: usize,
    /// Threads that read the archive at a time.
    pub readers: usize,
    /// How long a request waits for one of them, or for room for its answer.
    pub queue_time: Duration,
    /// How long a client may take to say what it wants.
    pub head_time: Duration,
    /// How long a client may take nothing of what it asked for.
    pub stall_time: Duration,
    /// How long requests may go on once the server is to stop.
    pub stop_time: Duration,
    /// Bytes of bodies that are on their way out at a time.
    pub body_bytes: usize,
    /// Mementos in one page of a TimeMap.
    pub timemap_page: usize,
    /// Lines that a CDX answer sorted by nearness holds.
    pub closest_lines: usize,
    /// Requests a second that a client of another machine may make in the long run,
    pub requests_per_second: u32,
    /// and at once: a page with everything in it.
    pub requests_at_once: u32,
    /// Crawls that run at a time; more wait.
    pub crawls: usize,
}

impl Options {
    /// What is usual for a listener: archived pages come from its next port.
    pub fn new(listen: SocketAddr) -> Options {
        let replay_port =
            if listen.port() == 0 { 0 } else { listen.port().checked_add(1).unwrap_or(listen.port() - 1) };
        Options {
            listen,
            replay_listen: SocketAddr::new(listen.ip(), replay_port),
            origin: None,
            replay_origin: None,
            place: None,
            access: None,
            contact: None,
            allow_public: false,
            limits: Limits::default(),
        }
    }

    /// Whether others than this machine's own users reach the server: by its address, or by a name that a proxy has.
    pub(crate) fn is_public(&self) -> bool {
        let is_open = [self.listen, self.replay_listen].iter().any(|address| !address.ip().is_loopback());
        let is_named = |origin: &String| {
            let host = Url::parse(origin).ok().and_then(|url| url.host_str().map(str::to_owned));
            host.is_none_or(|host| !is_local_name(&host))
        };
        is_open || [&self.origin, &self.replay_origin].into_iter().flatten().any(is_named)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            connections: 512,
            // Reading is mostly unpacking; one more than the cores keeps them busy while one waits for the disk.
            readers: cores + 2,
            queue_time: Duration::from_secs(20),
            head_time: Duration::from_secs(20),
            stall_time: Duration::from_secs(30),
            stop_time: Duration::from_secs(5),
            body_bytes: 128 << 20,
            timemap_page: 1000,
            closest_lines: 1000,
            requests_per_second: 50,
            requests_at_once: 1000,
            crawls: 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archived_pages_come_from_another_port() {
        for (port, replay_port) in [(8080, 8081), (65535, 65534), (0, 0)] {
            let options = Options::new(SocketAddr::from(([127, 0, 0, 1], port)));
            assert_eq!(options.replay_listen.port(), replay_port);
        }
    }
}
