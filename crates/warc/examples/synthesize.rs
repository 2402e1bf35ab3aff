//! Writes a WARC file of a given size for measuring imports: `synthesize MEGABYTES FILE.warc[.gz|.zst] [FOLDER]…`.
//!
//! Pages are the HTML files below the folders, in turn, each time at another address and with another line in it; without folders they are made up.
//! Every record has its digests, every fourth answer its request, every tenth answer is a revisit, every twentieth a body that is no text.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use kuai_warc::{Digest, Fields, Packing, RecordType, Writer};

/// Pages that are taken in turn.
const PAGES_MAX: usize = 2000;

/// Longer pages are passed over.
const PAGE_BYTES_MAX: u64 = 200 << 10;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = || io::Error::other("usage: synthesize MEGABYTES FILE.warc[.gz|.zst] [FOLDER]…");
    let megabytes: u64 = arguments.next().and_then(|text| text.parse().ok()).ok_or_else(usage)?;
    let path = arguments.next().ok_or_else(usage)?;
    let folders: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let packing = match path.rsplit('.').next() {
        Some("gz") => Packing::Gzip,
        Some("zst") => Packing::Zstd,
        _ => Packing::Plain,
    };
    let mut file =
        Synthetic { writer: Writer::new(BufWriter::new(File::create(&path)?), packing), bytes: 0, last: None };
    let pages = pages(&folders)?;
    let mut number = 0;
    while file.bytes < megabytes << 20 {
        file.write(number, &pages[number as usize % pages.len()])?;
        number += 1;
    }
    file.writer.finish()?.flush()?;
    println!("{path}: {number} answers, {} bytes unpacked", file.bytes);
    Ok(())
}

struct Synthetic<W: Write> {
    writer: Writer<W>,
    bytes: u64,
    /// The digest of the last answer that is no revisit.
    last: Option<(String, String, Digest)>,
}

impl<W: Write> Synthetic<W> {
    fn write(&mut self, number: u64, page: &[u8]) -> io::Result<()> {
        let url = format!("https://host{}.example/section/{}/page-{number}.html", number % 7, number % 100);
        let date = date(number);
        let fields = |record_type, kind: &str| {
            let fields = Fields::new(record_type, &format!("urn:synthetic:{kind}:{number}"), &date);
            fields.with("WARC-Target-URI", &url)
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nServer: synthetic\r\nX-Number: {number}\r\nContent-Type: {}\r\n\r\n",
            content_type(number)
        );
        if let Some((target, target_date, digest)) = self.last.as_ref().filter(|_| number % 10 == 9) {
            let revisit = fields(RecordType::Revisit, "revisit")
                .with("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
                .with("WARC-Refers-To-Target-URI", target)
                .with("WARC-Refers-To-Date", target_date)
                .with("WARC-Payload-Digest", digest.to_string());
            return self.record(revisit.with("Content-Type", "application/http; msgtype=response"), head.as_bytes());
        }
        let body = if number % 20 == 10 { noise(number, page.len()) } else { edited(number, page) };
        let message = [head.as_bytes(), &body].concat();
        let response =
            fields(RecordType::Response, "response").with("Content-Type", "application/http; msgtype=response");
        self.last = Some((url.clone(), date.clone(), Digest::sha1(&body)));
        self.record(response.with_digests(&message, Some(&body)), &message)?;
        if number.is_multiple_of(4) {
            let request = fields(RecordType::Request, "request")
                .with("WARC-Concurrent-To", format!("<urn:synthetic:response:{number}>"));
            let asked = format!("GET /page-{number}.html HTTP/1.1\r\nHost: host.example\r\n\r\n");
            self.record(request.with("Content-Type", "application/http; msgtype=request"), asked.as_bytes())?;
        }
        Ok(())
    }

    fn record(&mut self, fields: Fields, block: &[u8]) -> io::Result<()> {
        let head: usize = fields.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
        self.bytes += (head + block.len()) as u64;
        self.writer.write(&fields, block.len() as u64, block)?;
        Ok(())
    }
}

fn content_type(number: u64) -> &'static str {
    if number % 20 == 10 { "application/octet-stream" } else { "text/html" }
}

/// A second later each time; no month has more than 28 days here.
fn date(number: u64) -> String {
    let (second, minute, hour, day) = (number % 60, number / 60 % 60, number / 3600 % 24, number / 86_400);
    format!("{}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", 2000 + day / 336, day / 28 % 12 + 1, day % 28 + 1)
}

/// The page with a line of its own before its end.
fn edited(number: u64, page: &[u8]) -> Vec<u8> {
    let at = page.len() / 2 + page[page.len() / 2..].iter().position(|byte| *byte == b'>').map_or(0, |at| at + 1);
    let line = format!(
        "<p>This copy has the number {number}, and {:x} besides.</p>\n",
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    );
    [&page[..at], line.as_bytes(), &page[at..]].concat()
}

/// Bytes that no packing shortens.
fn noise(number: u64, length: usize) -> Vec<u8> {
    let mut state = number | 1;
    let mut step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..length / 8 + 1).flat_map(|_| step()).collect()
}

fn pages(folders: &[PathBuf]) -> io::Result<Vec<Vec<u8>>> {
    let mut pages = Vec::new();
    for folder in folders {
        gather(folder, &mut pages)?;
    }
    if pages.is_empty() {
        pages = (1..50).map(made_up).collect();
    }
    Ok(pages)
}

fn gather(folder: &Path, pages: &mut Vec<Vec<u8>>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort_unstable();
    for path in entries {
        if pages.len() == PAGES_MAX {
            return Ok(());
        }
        let kind = fs::symlink_metadata(&path)?;
        if kind.is_dir() {
            gather(&path, pages)?;
        } else if kind.is_file()
            && (1..PAGE_BYTES_MAX).contains(&kind.len())
            && path.extension().is_some_and(|ending| ending == "html")
        {
            pages.push(fs::read(&path)?);
        }
    }
    Ok(())
}

fn made_up(seed: u64) -> Vec<u8> {
    let mut page = format!("<!doctype html><title>Page {seed}</title><nav><a href=/>Home</a></nav><main>").into_bytes();
    for paragraph in 0..seed * 5 {
        let words: Vec<String> = (0..60)
            .map(|word| format!("{:x}", (seed * 7919 + paragraph * 104_729 + word).wrapping_mul(0x9E37_79B9) % 4096))
            .collect();
        page.extend_from_slice(format!("<p>{}</p>\n", words.join(" ")).as_bytes());
    }
    page.extend_from_slice(b"</main>");
    page
}
