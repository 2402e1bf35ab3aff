//! A small HTTP/1.1 server for static files: a thread for each connection, kept alive.
//!
//! It is the judge of what a crawler asked for, so every request is in its log before it is answered; and it makes trouble when told to.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, SocketAddrV4, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::files::{Answer, Wishes, answer};
use super::sites::Site;

/// Bytes of the head of a request; more ends the connection.
const HEAD_BYTES_MAX: u64 = 64 * 1024;

/// Connections at one time; more are closed at once.
const CONNECTIONS_MAX: usize = 512;

/// How long a connection may be silent.
const IDLE_MAX: Duration = Duration::from_secs(60);

/// How the server behaves.
#[derive(Debug, Default)]
pub struct ServerOptions {
    /// Waits so long before each answer.
    pub delay: Duration,
    /// Every so many requests, robots.txt aside, get a 503.
    pub fail_every: Option<u64>,
    /// The robots.txt of all sites; without it they have their own, or none.
    pub robots: Option<Vec<u8>>,
    /// Packs text for clients that take gzip.
    pub gzip: bool,
    /// Gets a line for each request: time in microseconds, host, path, status.
    pub log: Option<File>,
}

/// Sites, served until the process ends.
pub struct Server {
    sites: Vec<Site>,
    options: ServerOptions,
    requests: AtomicU64,
    connections: AtomicUsize,
}

impl Server {
    /// Begins to serve every site on its own address, all on one port, and gives the port; 0 chooses a free one.
    pub fn start(sites: Vec<Site>, port: u16, options: ServerOptions) -> io::Result<u16> {
        let mut port = port;
        let mut listeners = Vec::new();
        for site in &sites {
            let listener = TcpListener::bind(SocketAddrV4::new(site.address, port))?;
            port = listener.local_addr()?.port();
            listeners.push(listener);
        }
        let server = Server { sites, options, requests: AtomicU64::new(0), connections: AtomicUsize::new(0) };
        let server = Arc::new(server);
        for listener in listeners {
            let server = Arc::clone(&server);
            thread::spawn(move || server.accept(&listener));
        }
        Ok(port)
    }

    fn accept(self: Arc<Server>, listener: &TcpListener) {
        for stream in listener.incoming().flatten() {
            if self.connections.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
                self.connections.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let server = Arc::clone(&self);
            thread::spawn(move || {
                // A client that goes away or talks nonsense ends its connection and nothing else.
                let _ = server.converse(&stream);
                server.connections.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }

    /// Answers the requests of a connection until either side has enough.
    fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(IDLE_MAX))?;
        let address = stream.local_addr()?;
        let mut reader = BufReader::new(stream);
        let mut output = Vec::new();
        while let Some(request) = Request::read(&mut reader)? {
            thread::sleep(self.options.delay);
            let answer = self.answer(&request, address);
            self.log(&request, address, answer.status)?;
            output.clear();
            write_answer(&mut output, &request, &answer)?;
            (&*stream).write_all(&output)?;
            if request.is_last {
                break;
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Request, address: SocketAddr) -> Answer {
        if request.method != "GET" && request.method != "HEAD" {
            return Answer::text(405, "only GET and HEAD are answered\n");
        }
        if let ("/robots.txt", Some(robots)) = (request.path.as_str(), &self.options.robots) {
            return Answer::text(200, &String::from_utf8_lossy(robots));
        }
        if request.path != "/robots.txt" && self.is_to_fail() {
            return Answer::text(503, "this answer fails on purpose\n");
        }
        let Some(site) = self.site(&request.host, address) else { return Answer::text(404, "there is no such site\n") };
        let gzip = self.options.gzip && request.takes_gzip;
        let wishes = Wishes {
            if_none_match: request.if_none_match.clone(),
            if_modified_since: request.if_modified_since.clone(),
            gzip,
        };
        answer(site, &request.path, &wishes)
    }

    fn is_to_fail(&self) -> bool {
        let count = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        self.options.fail_every.is_some_and(|every| count.is_multiple_of(every))
    }

    /// The site that is named by the host, or whose address was dialled.
    fn site(&self, host: &str, address: SocketAddr) -> Option<&Site> {
        let name = host.split(':').next().and_then(|host| host.strip_suffix(".localhost"));
        let is_meant = |site: &&Site| match name {
            Some(name) => site.name == name,
            None => site.address == address.ip(),
        };
        self.sites.iter().find(is_meant)
    }

    /// One write for each line and no buffer: whoever reads the log after a client was killed sees all that it asked for.
    fn log(&self, request: &Request, address: SocketAddr, status: u16) -> io::Result<()> {
        let Some(mut log) = self.options.log.as_ref() else { return Ok(()) };
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        let host = if request.host.is_empty() { address.to_string() } else { request.host.clone() };
        log.write_all(format!("{time} {host} {} {status}\n", request.path).as_bytes())
    }
}

#[derive(Debug, Default)]
struct Request {
    method: String,
    path: String,
    host: String,
    if_none_match: Option<String>,
    if_modified_since: Option<String>,
    takes_gzip: bool,
    is_last: bool,
}

impl Request {
    /// The next request of a connection; none when the client has closed it.
    fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
        let mut head = reader.take(HEAD_BYTES_MAX);
        let Some(first) = read_line(&mut head)? else { return Ok(None) };
        let mut words = first.split(' ');
        let (Some(method), Some(path), Some(version)) = (words.next(), words.next(), words.next()) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
        request.is_last = version != "HTTP/1.1";
        loop {
            let line = read_line(&mut head)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if line.is_empty() {
                return Ok(Some(request));
            }
            if let Some((name, value)) = line.split_once(':') {
                request.take_header(&name.to_ascii_lowercase(), value.trim());
            }
        }
    }

    fn take_header(&mut self, name: &str, value: &str) {
        match name {
            "host" => self.host = value.to_ascii_lowercase(),
            "if-none-match" => self.if_none_match = Some(value.to_owned()),
            "if-modified-since" => self.if_modified_since = Some(value.to_owned()),
            "accept-encoding" => self.takes_gzip = value.contains("gzip"),
            "connection" => self.is_last = value.eq_ignore_ascii_case("close"),
            // What follows would be read as a request; nobody here has to send a body.
            "content-length" | "transfer-encoding" => self.is_last = true,
            _ => {}
        }
    }
}

fn read_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if reader.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
}

fn write_answer(output: &mut Vec<u8>, request: &Request, answer: &Answer) -> io::Result<()> {
    write!(output, "HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status))?;
    for (name, value) in &answer.headers {
        write!(output, "{name}: {value}\r\n")?;
    }
    if answer.status != 304 {
        write!(output, "Content-Length: {}\r\n", answer.body.len())?;
    }
    write!(output, "Connection: {}\r\n\r\n", if request.is_last { "close" } else { "keep-alive" })?;
    if request.method != "HEAD" {
        output.extend_from_slice(&answer.body);
    }
    Ok(())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        304 => "Not Modified",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Service Unavailable",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves a folder with one page, sends `requests` on one connection and gives all that comes back, and the log.
    fn converse(options: ServerOptions, requests: &str) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "<p>start").unwrap();
        let log = folder.path().join("log");
        let options = ServerOptions { log: Some(File::create(&log).unwrap()), ..options };
        let site = Site::of_folder("test", folder.path(), 0).unwrap();
        let address = site.address;
        let port = Server::start(vec![site], 0, options).unwrap();
        let mut stream = TcpStream::connect((address, port)).unwrap();
        stream.write_all(requests.as_bytes()).unwrap();
        let mut answers = String::new();
        stream.read_to_string(&mut answers).unwrap();
        (answers, std::fs::read_to_string(&log).unwrap())
    }

    fn statuses(answers: &str) -> Vec<&str> {
        answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect()
    }

    #[test]
    fn a_connection_serves_many_requests_and_each_is_in_the_log() {
        let requests = "GET / HTTP/1.1\r\nHost: test.localhost:80\r\n\r\nHEAD /gone HTTP/1.1\r\nHost: 127.0.0.101\r\n\r\n\
                        POST / HTTP/1.1\r\nConnection: close\r\n\r\n";
        let (answers, log) = converse(ServerOptions::default(), requests);
        assert_eq!(statuses(&answers), ["200", "404", "405"]);
        assert_eq!(answers.matches("<p>start").count(), 1);
        let logged: Vec<_> = log.lines().map(|line| line.split_once(' ').unwrap().1).take(2).collect();
        assert_eq!(logged, ["test.localhost:80 / 200", "127.0.0.101 /gone 404"]);
    }

    #[test]
    fn every_second_answer_fails_when_told_so_but_not_robots() {
        let options =
            ServerOptions { fail_every: Some(2), robots: Some(b"User-agent: *".to_vec()), ..Default::default() };
        let requests =
            "GET / HTTP/1.1\r\n\r\nGET /robots.txt HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\n\r\n";
        assert_eq!(statuses(&converse(options, requests).0), ["200", "200", "503", "200"]);
    }

    #[test]
    fn a_name_that_is_no_site_is_not_found() {
        let requests = "GET / HTTP/1.0\r\nHost: other.localhost\r\n\r\n";
        assert_eq!(statuses(&converse(ServerOptions::default(), requests).0), ["404"]);
    }

    #[test]
    fn a_head_without_end_ends_the_connection() {
        let requests = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(2 * HEAD_BYTES_MAX as usize));
        let mut reader = requests.as_bytes();
        assert!(Request::read(&mut reader).is_err());
    }
}
