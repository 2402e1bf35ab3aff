//! What stands for the live Web: a server on loopback that answers anything and remembers what it was asked.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Paths, their types and bodies.
pub(crate) type Site = Vec<(String, &'static str, Vec<u8>)>;

/// See above. It ends with the test's process.
pub(crate) struct Live {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Live {
    pub(crate) fn start(site: Site) -> Live {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (site, remembered) = (Arc::new(site), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (site, remembered) = (Arc::clone(&site), Arc::clone(&remembered));
                thread::spawn(move || answer(stream, &site, &remembered));
            }
        });
        Live { address, asked }
    }

    /// The paths that were asked for so far. A connection on which nothing was asked does not count.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(stream: TcpStream, site: &Site, asked: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    let Ok(1..) = reader.read_line(&mut line) else { return };
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().unwrap().push(path.clone());
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {}
    let known = site.iter().find(|(known, ..)| *known == path);
    let (content_type, body) = known.map_or(("text/html", b"live".as_slice()), |(_, kind, body)| (kind, body));
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"
    );
    let mut stream = reader.into_inner();
    // A browser that has gone meanwhile needs no answer.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}
