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
    let expected: Vec<_> = expected.iter().map(|(url, time)| ((*url).to_owned(), time.map(str::to_owned))).collect();
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
    let found =
        read("<sitemapindex><sitemap><loc>/map.xml</loc></sitemap><sitemap><loc>b.gz</loc></sitemap></sitemapindex>");
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
    (1..20)
        .for_each(|level| bomb.push_str(&format!("<!ENTITY a{level} '{}'>", format!("&a{};", level - 1).repeat(20))));
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
    let (bytes, ..) =
        encoding_rs::GBK.encode("<?xml version='1.0' encoding='gb2312'?><urlset><url><loc>/汉</loc></url></urlset>");
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
