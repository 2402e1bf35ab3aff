//! Page histories as a crawl would have seen them: bodies in the order of time, each with a head like those of real servers.

use std::fs;
use std::path::Path;

use kuai_page::Timestamp;

/// One answer of a server.
pub struct Visit {
    /// The address.
    pub url: String,
    /// When it was asked.
    pub time: Timestamp,
    /// The head of the answer.
    pub head: Vec<u8>,
    /// The body.
    pub body: Vec<u8>,
}

/// Reads a folder of histories that its `manifest.json` lists, oldest first.
pub fn read_histories(folder: &Path) -> Vec<Visit> {
    let manifest = fs::read(folder.join("manifest.json")).expect("the folder has a manifest");
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).expect("the manifest is JSON");
    let mut random = Random(7);
    let mut visits = Vec::new();
    for series in manifest["series"].as_array().into_iter().flatten() {
        visits.extend(read_series(folder, series, &mut random));
    }
    visits.sort_by_key(|visit| visit.time);
    visits
}

fn read_series(folder: &Path, series: &serde_json::Value, random: &mut Random) -> Vec<Visit> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let (url, folder) = (text(&series["url"]), folder.join(text(&series["dir"])));
    let mut stamps: Vec<String> =
        series["versions"].as_array().into_iter().flatten().map(|version| text(&version["ts"])).collect();
    stamps.sort();
    let (mut last, mut tag, mut changed) = (Vec::new(), String::new(), 0);
    let mut visits = Vec::new();
    for stamp in stamps {
        let body = fs::read(folder.join(format!("{stamp}.html"))).expect("the manifest lists the page");
        let time = time_of(&stamp);
        if body != last {
            tag = random.token(16, HEX);
            changed = time.as_second() - [1, 9, 127][random.next() as usize % 3];
            last.clone_from(&body);
        }
        let head = head(&url, time.as_second(), changed, &tag, body.len(), random);
        visits.push(Visit { url: url.clone(), time, head, body });
    }
    visits
}

/// A head with what changes from answer to answer on real servers: date, length, tag, session and request number.
fn head(url: &str, second: i64, changed: i64, tag: &str, length: usize, random: &mut Random) -> Vec<u8> {
    let server = ["nginx/1.24.0", "Apache/2.4.57 (Debian)", "cloudflare"][url.len() % 3];
    let (session, request) = (random.token(22, BASE64), random.token(16, HEX));
    let (date, changed) = (http_date(second), http_date(changed));
    format!(
        "HTTP/1.1 200 OK\r\nDate: {date}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: keep-alive\r\nServer: {server}\r\nLast-Modified: {changed}\r\nETag: \"{tag}\"\r\n\
         Cache-Control: max-age=600\r\nVary: Accept-Encoding\r\n\
         Set-Cookie: session={session}; Path=/; HttpOnly; Secure; SameSite=Lax\r\nX-Request-Id: {request}\r\n\
         Strict-Transport-Security: max-age=31536000; includeSubDomains\r\nX-Content-Type-Options: nosniff\r\n\
         X-Frame-Options: SAMEORIGIN\r\nAccept-Ranges: bytes\r\n\r\n"
    )
    .into_bytes()
}

const HEX: &[u8] = b"0123456789abcdef";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Numbers without any order, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 20
    }

    fn token(&mut self, length: usize, letters: &[u8]) -> String {
        (0..length).map(|_| letters[self.next() as usize % letters.len()] as char).collect()
    }
}

/// The time that a file name like `20191129222141` tells.
fn time_of(stamp: &str) -> Timestamp {
    let part = |from: usize, to: usize| &stamp[from..to];
    let text =
        format!("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12), part(12, 14));
    text.parse().expect("file names of histories are times")
}

fn http_date(second: i64) -> String {
    let time = Timestamp::from_second(second).expect("a time within the calendar");
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
