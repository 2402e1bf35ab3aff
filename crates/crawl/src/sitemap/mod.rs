//! Lists of a site's pages: sitemaps and their indexes, RSS, Atom, plain lists; gzipped or not.
//!
//! In come the bytes as they came; out come absolute http(s) addresses, bounded in number. Entities that the file makes up are
//! never expanded, inflating stops at [`SITEMAP_BYTES_MAX`], and a broken file gives what came before the break. A sitemap may
//! name itself: following is the caller's, who asks for each address once and goes [`SITEMAP_DEPTH_MAX`] deep.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use kuai_page::{Timestamp, Url};
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::links::{URL_BYTES_MAX, resolve};

/// What is read of a sitemap, inflated: the most that the protocol allows.
pub const SITEMAP_BYTES_MAX: usize = 50 << 20;

/// The entries that are read of one sitemap: the most that the protocol allows.
pub const SITEMAP_ENTRIES_MAX: usize = 50_000;

/// How many indexes may stand above a sitemap. The protocol allows one; some sites have two.
pub const SITEMAP_DEPTH_MAX: u32 = 3;

/// What a sitemap lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// The pages, in order.
    pub pages: Vec<SitemapPage>,
    /// Further sitemaps.
    pub sitemaps: Vec<Url>,
    /// Whether some of it was not read: too long, too many entries, or broken.
    pub is_cut_short: bool,
}

/// A page that a sitemap lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapPage {
    /// Where it is, without fragment.
    pub url: Url,
    /// When it changed, as far as the site says.
    pub modified: Option<Timestamp>,
}

/// Reads the sitemap that was found at `url`.
///
/// ```
/// use kuai_crawl::read_sitemap;
/// use kuai_page::Url;
///
/// let url = Url::parse("https://example.org/sitemap.xml").expect("a valid address");
/// let xml = "<urlset><url><loc>/a?b&amp;c</loc><lastmod>2026-05-01</lastmod></url></urlset>";
/// let sitemap = read_sitemap(xml.as_bytes(), &url);
/// assert_eq!(sitemap.pages[0].url.as_str(), "https://example.org/a?b&c");
/// assert_eq!(sitemap.pages[0].modified.expect("a time").to_string(), "2026-05-01T00:00:00Z");
/// ```
pub fn read_sitemap(bytes: &[u8], url: &Url) -> Sitemap {
    let (bytes, is_whole) = inflate(bytes);
    let text = decode(&bytes);
    let text = text.trim_start();
    let mut list = List { url, entry: None, found: Sitemap { is_cut_short: !is_whole, ..Sitemap::default() } };
    if text.starts_with('<') {
        read_xml(text, &mut list);
    } else {
        read_lines(text, &mut list);
    }
    list.found
}

/// The bytes inflated where they are gzip, and whether these are all.
fn inflate(bytes: &[u8]) -> (Cow<'_, [u8]>, bool) {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        let end = bytes.len().min(SITEMAP_BYTES_MAX);
        return (Cow::Borrowed(&bytes[..end]), end == bytes.len());
    }
    let mut inflated = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(SITEMAP_BYTES_MAX as u64 + 1).read_to_end(&mut inflated);
    let is_whole = read.is_ok() && inflated.len() <= SITEMAP_BYTES_MAX;
    inflated.truncate(SITEMAP_BYTES_MAX);
    (Cow::Owned(inflated), is_whole)
}

/// The text, by its byte order mark, by what the XML declaration says, or as UTF-8.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    declared_encoding(bytes).unwrap_or(UTF_8).decode(bytes).0
}

fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(200)];
    let declaration = &head[..memchr::memmem::find(head, b"?>")?];
    let value = &declaration[memchr::memmem::find(declaration, b"encoding=")? + "encoding=".len()..];
    let (quote, value) = value.split_first()?;
    Encoding::for_label(value.split(|byte| byte == quote).next()?)
}

fn read_lines(text: &str, list: &mut List<'_>) {
    for line in text.lines().filter(|line| is_absolute(line)) {
        list.push_page(line, None);
    }
}

fn read_xml(text: &str, list: &mut List<'_>) {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut depth = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                depth += 1;
                list.start(&tag, depth);
            }
            Ok(Event::Empty(tag)) => list.start(&tag, depth + 1),
            Ok(Event::End(_)) => {
                list.end(depth);
                depth = depth.saturating_sub(1);
            }
            Ok(Event::Text(text)) => list.text(&text),
            Ok(Event::CData(text)) => list.text(&text),
            Ok(Event::GeneralRef(reference)) => list.reference(&reference),
            Ok(Event::Eof) => return,
            Ok(_) => {}
            Err(_) => {
                list.found.is_cut_short = true;
                return;
            }
        }
    }
}

/// What has been read so far.
struct List<'a> {
    url: &'a Url,
    entry: Option<Entry>,
    found: Sitemap,
}

/// The page or sitemap that is being read.
#[derive(Default)]
struct Entry {
    depth: u32,
    is_sitemap: bool,
    address: String,
    /// What counts as address where there is none.
    guid: String,
    modified: String,
    /// Which of them the text that comes belongs to.
    field: Option<Field>,
}

#[derive(Clone, Copy)]
enum Field {
    Address,
    Guid,
    Modified,
}

impl List<'_> {
    fn start(&mut self, tag: &BytesStart<'_>, depth: u32) {
        let name = tag.local_name();
        let name = name.as_ref();
        match &mut self.entry {
            None if matches!(name, "url" | "item" | "entry" | "sitemap") => {
                self.entry = Some(Entry { depth, is_sitemap: name == "sitemap", ..Entry::default() });
            }
            // Only children count: an image inside an entry has an address of its own.
            Some(entry) if depth == entry.depth + 1 => entry.start_field(name, tag),
            _ => {}
        }
    }

    fn end(&mut self, depth: u32) {
        if let Some(entry) = &mut self.entry {
            entry.field = None;
        }
        if let Some(entry) = self.entry.take_if(|entry| depth <= entry.depth) {
            let address = if entry.address.trim().is_empty() { &entry.guid } else { &entry.address };
            match entry.is_sitemap {
                true => self.push_sitemap(address),
                false => self.push_page(address, read_time(entry.modified.trim())),
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(entry) = &mut self.entry {
            entry.push(text);
        }
    }

    /// The references of XML itself; those that the file makes up stand for nothing.
    fn reference(&mut self, reference: &BytesRef<'_>) {
        let character = match &**reference {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => reference.resolve_char_ref().ok().flatten(),
        };
        if let Some(character) = character {
            self.text(character.encode_utf8(&mut [0; 4]));
        }
    }

    fn push_page(&mut self, address: &str, modified: Option<Timestamp>) {
        if let Some(url) = self.resolve(address) {
            self.found.pages.push(SitemapPage { url, modified });
        }
    }

    fn push_sitemap(&mut self, address: &str) {
        if let Some(url) = self.resolve(address) {
            self.found.sitemaps.push(url);
        }
    }

    fn resolve(&mut self, address: &str) -> Option<Url> {
        if address.trim().is_empty() {
            return None;
        }
        if self.found.pages.len() + self.found.sitemaps.len() >= SITEMAP_ENTRIES_MAX {
            self.found.is_cut_short = true;
            return None;
        }
        resolve(address, self.url, UTF_8)
    }
}

impl Entry {
    fn start_field(&mut self, name: &str, tag: &BytesStart<'_>) {
        self.field = match name {
            "loc" => Some(Field::Address),
            "link" => self.start_link(tag),
            "guid" => Some(Field::Guid),
            "lastmod" | "updated" | "pubDate" => Some(Field::Modified),
            _ => None,
        };
    }

    /// RSS writes the address into the element, Atom into an attribute, of several links with different relations.
    fn start_link(&mut self, tag: &BytesStart<'_>) -> Option<Field> {
        let value = |name: &str| {
            let attribute = tag.try_get_attribute(name).ok().flatten()?;
            Some(
                quick_xml::escape::unescape(&attribute.value)
                    .map_or_else(|_| attribute.value.to_string(), Cow::into_owned),
            )
        };
        let Some(href) = value("href") else { return Some(Field::Address) };
        if self.address.is_empty() && value("rel").is_none_or(|rel| rel == "alternate") {
            self.address = href;
        }
        None
    }

    fn push(&mut self, text: &str) {
        let field = match self.field {
            Some(Field::Address) => &mut self.address,
            Some(Field::Guid) if self.guid.is_empty() && !is_absolute(text) => return,
            Some(Field::Guid) => &mut self.guid,
            Some(Field::Modified) => &mut self.modified,
            None => return,
        };
        // One byte more than an address may have, so that a long one is refused and not cut.
        if field.len() <= URL_BYTES_MAX {
            field.push_str(text);
        }
    }
}

fn is_absolute(text: &str) -> bool {
    let text = text.trim_start();
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// A time as sitemaps and feeds write it; dates begin at midnight, and times without zone are those of UTC.
fn read_time(text: &str) -> Option<Timestamp> {
    let of_date = |text: &str| text.parse::<Date>().ok().and_then(|date| date.to_zoned(TimeZone::UTC).ok());
    let of_date_time = |text: &str| text.parse::<DateTime>().ok().and_then(|time| time.to_zoned(TimeZone::UTC).ok());
    let zoned = match text.len() {
        4 => of_date(&format!("{text}-01-01")),
        7 => of_date(&format!("{text}-01")),
        10 => of_date(text),
        _ => {
            return text.parse().ok().or_else(|| {
                of_date_time(text).or_else(|| jiff::fmt::rfc2822::parse(text).ok()).map(|zoned| zoned.timestamp())
            });
        }
    };
    zoned.map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests;
