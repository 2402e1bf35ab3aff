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
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn read(bytes: impl AsRef<[u8]>) -> Sitemap {
        read_sitemap(bytes.as_ref(), &Url::parse("https://example.org/map.xml").expect("a valid address"))
    }

    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let found = read(text);
        let pages: Vec<_> =
            found.pages.iter().map(|page| (page.url.to_string(), page.modified.map(|time| time.to_string()))).collect();
        let expected: Vec<_> =
            expected.iter().map(|(url, time)| ((*url).to_owned(), time.map(str::to_owned))).collect();
        assert_eq!(pages, expected, "{text}");
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory does not fail");
        encoder.finish().expect("memory does not fail")
    }

    #[test]
    fn a_sitemap_is_read() {
        check(
            "<?xml version='1.0' encoding='UTF-8'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
             <url><loc> https://example.org/a?b&amp;c=&#49; </loc><lastmod>2026-05-01T12:00:00+02:00</lastmod></url>\
             <url><image:image><image:loc>https://example.org/no.png</image:loc></image:image>\
             <loc><![CDATA[https://example.org/b#c]]></loc><lastmod>soon</lastmod></url></urlset>",
            &[("https://example.org/a?b&c=1", Some("2026-05-01T10:00:00Z")), ("https://example.org/b", None)],
        );
    }

    #[test]
    fn an_index_is_read_and_may_name_itself() {
        let found = read(
            "<sitemapindex><sitemap><loc>/map.xml</loc></sitemap><sitemap><loc>b.gz</loc></sitemap></sitemapindex>",
        );
        let found: Vec<_> = found.sitemaps.iter().map(Url::as_str).collect();
        assert_eq!(found, ["https://example.org/map.xml", "https://example.org/b.gz"]);
    }

    #[test]
    fn a_feed_in_rss_is_read() {
        check(
            "<rss><channel><title>t</title><link>https://example.org/home</link>\
             <item><title>x</title><link>https://example.org/1</link><pubDate>Fri, 01 May 2026 10:00:00 GMT</pubDate></item>\
             <item><guid isPermaLink='true'>https://example.org/2</guid></item><item><guid>no-address</guid></item>\
             </channel></rss>",
            &[("https://example.org/1", Some("2026-05-01T10:00:00Z")), ("https://example.org/2", None)],
        );
    }

    #[test]
    fn a_feed_in_atom_is_read() {
        check(
            "<feed><link href='https://example.org/'/><entry><link rel='self' href='/no'/><link href='/a?b&amp;c'/>\
             <link rel='alternate' href='/no'/><updated>2026-05-01T10:00:00Z</updated></entry></feed>",
            &[("https://example.org/a?b&c", Some("2026-05-01T10:00:00Z"))],
        );
    }

    #[test]
    fn a_plain_list_is_read() {
        check(
            "\u{feff}https://example.org/a\r\n\n  HTTP://example.org/b \nnonsense\nmailto:x@example.org",
            &[("https://example.org/a", None), ("http://example.org/b", None)],
        );
        check("", &[]);
    }

    #[test]
    fn times_are_read_in_every_form() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(read_time(text).map(|time| time.to_string()).as_deref(), expected, "{text}");
        };
        check("2026", Some("2026-01-01T00:00:00Z"));
        check("2026-05", Some("2026-05-01T00:00:00Z"));
        check("2026-05-02", Some("2026-05-02T00:00:00Z"));
        check("2026-05-02T03:04+01:00", Some("2026-05-02T02:04:00Z"));
        check("2026-05-02T03:04:05", Some("2026-05-02T03:04:05Z"));
        check("Sat, 2 May 2026 03:04:05 +0100", Some("2026-05-02T02:04:05Z"));
        for nonsense in ["", "20x6", "2026-13", "yesterday", "一二"] {
            check(nonsense, None);
        }
    }

    #[test]
    fn entities_that_a_file_makes_up_are_not_expanded() {
        let mut bomb = "<!DOCTYPE urlset [<!ENTITY a0 'https://example.org/bomb'>".to_owned();
        (1..20).for_each(|level| {
            bomb.push_str(&format!("<!ENTITY a{level} '{}'>", format!("&a{};", level - 1).repeat(20)))
        });
        bomb.push_str("<!ENTITY x SYSTEM 'file:///etc/passwd'>]>");
        bomb.push_str("<urlset><url><loc>&a19;</loc></url><url><loc>&x;/safe</loc></url></urlset>");
        check(&bomb, &[("https://example.org/safe", None)]);
    }

    #[test]
    fn gzip_is_inflated_and_a_bomb_is_cut() {
        let found = read(gzip(b"https://example.org/a"));
        assert_eq!((found.pages.len(), found.is_cut_short), (1, false));
        let bomb = gzip(&vec![b' '; SITEMAP_BYTES_MAX + 10]);
        assert!(bomb.len() < 1 << 20);
        assert!(read(bomb).is_cut_short);
    }

    #[test]
    fn what_came_before_a_break_is_kept() {
        let list = "https://example.org/a\n".repeat(1_000);
        let whole = gzip(list.as_bytes());
        let found = read(&whole[..whole.len() - 8]);
        assert!(found.is_cut_short && found.pages.len() > 900, "{}", found.pages.len());
        let found = read("<urlset><url><loc>https://example.org/a</loc></url><url><loc>https://exa<!-- ");
        assert_eq!((found.pages.len(), found.is_cut_short), (1, true));
        assert_eq!(read([0x1f, 0x8b, 0, 1, 2]).pages, []);
    }

    #[test]
    fn too_many_entries_are_told() {
        let found = read("https://example.org/a\n".repeat(SITEMAP_ENTRIES_MAX + 1));
        assert_eq!((found.pages.len(), found.is_cut_short), (SITEMAP_ENTRIES_MAX, true));
    }

    #[test]
    fn other_charsets_are_understood() {
        let (bytes, ..) = encoding_rs::GBK
            .encode("<?xml version='1.0' encoding='gb2312'?><urlset><url><loc>/汉</loc></url></urlset>");
        assert_eq!(read(&bytes).pages[0].url.as_str(), "https://example.org/%E6%B1%89");
    }

    #[test]
    fn a_page_that_is_no_sitemap_lists_nothing() {
        check("<!DOCTYPE html><html><head><title>404</title><body><p>Not <br> found & gone</body></html>", &[]);
    }

    #[test]
    fn deep_nesting_is_harmless() {
        check(&"<a>".repeat(200_000), &[]);
        check(&format!("{}<url><loc>/x</loc></url>", "</a>".repeat(200_000)), &[("https://example.org/x", None)]);
    }
}
