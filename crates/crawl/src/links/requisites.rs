//! What a page needs to look as it does: images, style sheets, scripts, media; and what style sheets need in turn.

use encoding_rs::UTF_8;
use kuai_html::{Tag, TagText, TokenKind, tokens};
use kuai_page::{Encoding, Url};
use rustc_hash::FxHashSet;

use super::has_word;
use super::resolver::{Resolver, URL_BYTES_MAX, resolve};

/// The requisites of one page or style sheet that are read.
pub const REQUISITES_MAX: usize = 5_000;

/// Something that a page needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requisite {
    /// Where it is, without fragment.
    pub url: Url,
    /// What it is.
    pub kind: RequisiteKind,
}

/// What a requisite is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequisiteKind {
    /// A picture: `img`, `picture`, `poster`, icons.
    Image,
    /// A style sheet.
    Style,
    /// A script.
    Script,
    /// Sound, film, captions, plug-ins.
    Media,
    /// Something a style names: pictures, fonts, further sheets.
    StylePart,
}

/// Reads what a page needs, each address once, in source order.
pub fn read_requisites(source: &str, url: &Url, encoding: &'static Encoding) -> Vec<Requisite> {
    let mut list = List::new(Resolver::new(source, url, encoding));
    let mut in_style = false;
    for token in tokens(source) {
        match token.kind {
            TokenKind::StartTag(tag) => {
                in_style = tag.tag == Tag::Style;
                list.tag(&tag);
            }
            TokenKind::EndTag(_) => in_style = false,
            TokenKind::Text(text) if in_style => list.style(&text),
            _ => {}
        }
    }
    list.found
}

/// Reads what a style sheet at `url` needs: `url(…)` and `@import`, each address once.
///
/// ```
/// use kuai_crawl::css_links;
/// use kuai_page::Url;
///
/// let sheet = Url::parse("https://example.org/css/a.css").expect("a valid address");
/// let found = css_links("@import 'b.css'; p { background: url(../c.png) }", &sheet);
/// let found: Vec<_> = found.iter().map(Url::as_str).collect();
/// assert_eq!(found, ["https://example.org/css/b.css", "https://example.org/c.png"]);
/// ```
pub fn css_links(css: &str, url: &Url) -> Vec<Url> {
    let mut seen = FxHashSet::default();
    let resolved = css_addresses(css).filter_map(|address| resolve(address, url, UTF_8));
    resolved.filter(|url| seen.insert(url.clone())).take(REQUISITES_MAX).collect()
}

/// What was found so far.
struct List<'a> {
    resolver: Resolver<'a>,
    seen: FxHashSet<Url>,
    found: Vec<Requisite>,
}

impl<'a> List<'a> {
    fn new(resolver: Resolver<'a>) -> List<'a> {
        List { resolver, seen: FxHashSet::default(), found: Vec::new() }
    }

    fn tag(&mut self, tag: &TagText<'_>) {
        for attribute in tag.attributes() {
            match (tag.tag, &*attribute.name) {
                (_, "style") => self.style(&attribute.value),
                (Tag::Img | Tag::Source, "srcset" | "data-srcset") => {
                    source_set(&attribute.value).for_each(|address| self.push(address, RequisiteKind::Image));
                }
                (Tag::Link, "href") => {
                    if let Some(kind) = tag.attribute("rel").and_then(|rel| kind_of_link(&rel)) {
                        self.push(&attribute.value, kind);
                    }
                }
                (element, name) => {
                    if let Some(kind) = kind_of_attribute(element, name) {
                        self.push(&attribute.value, kind);
                    }
                }
            }
        }
    }

    fn style(&mut self, css: &str) {
        css_addresses(css).for_each(|address| self.push(address, RequisiteKind::StylePart));
    }

    fn push(&mut self, address: &str, kind: RequisiteKind) {
        if self.found.len() >= REQUISITES_MAX {
            return;
        }
        // An empty address would be the page itself, which no browser loads as an image.
        let Some(url) = self.resolver.link(address) else { return };
        if self.seen.insert(url.clone()) {
            self.found.push(Requisite { url, kind });
        }
    }
}

/// Decision: `data-src` and `data-original` count, because pages that load pictures late name them so.
fn kind_of_attribute(element: Tag, name: &str) -> Option<RequisiteKind> {
    match (element, name) {
        (Tag::Img, "src" | "data-src" | "data-original") | (Tag::Input | Tag::Image, "src") => {
            Some(RequisiteKind::Image)
        }
        (Tag::Video, "poster") | (Tag::Body | Tag::Table | Tag::Tr | Tag::Td | Tag::Th, "background") => {
            Some(RequisiteKind::Image)
        }
        (Tag::Script, "src") => Some(RequisiteKind::Script),
        (Tag::Video | Tag::Audio | Tag::Source | Tag::Track | Tag::Embed, "src") | (Tag::Object, "data") => {
            Some(RequisiteKind::Media)
        }
        _ => None,
    }
}

fn kind_of_link(rel: &str) -> Option<RequisiteKind> {
    if has_word(rel, "stylesheet") {
        Some(RequisiteKind::Style)
    } else if ["icon", "apple-touch-icon", "mask-icon"].iter().any(|icon| has_word(rel, icon)) {
        Some(RequisiteKind::Image)
    } else {
        None
    }
}

/// The addresses of a `srcset`: `a.png 1x, b.png 2x`.
fn source_set(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == ',');
        let (address, after) = rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()));
        let bare = address.trim_end_matches(',');
        // A comma at the address ends the candidate; otherwise a descriptor follows, up to the next comma.
        rest = if bare.len() < address.len() { after } else { &after[after.find(',').unwrap_or(after.len())..] };
        (!bare.is_empty()).then_some(bare)
    })
}

/// The addresses that a style names, as written.
fn css_addresses(css: &str) -> impl Iterator<Item = &str> {
    let mut place = 0;
    std::iter::from_fn(move || {
        while let Some(found) = memchr::memchr3(b'/', b'(', b'@', css.as_bytes().get(place..)?) {
            let mark = place + found;
            let (before, after) = (&css[..mark], &css[mark + 1..]);
            place = mark + 1;
            match css.as_bytes()[mark] {
                b'/' if after.starts_with('*') => {
                    place = css[mark + 2..].find("*/").map_or(css.len(), |end| mark + 4 + end)
                }
                b'(' if ends_with_word(before, "url") => {
                    if let Some(address) = css_string(after).or_else(|| bare_address(after)) {
                        return Some(address);
                    }
                }
                b'@' if starts_with_word(after, "import") => {
                    if let Some(address) = css_string(&after["import".len()..]) {
                        return Some(address);
                    }
                }
                _ => {}
            }
        }
        None
    })
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.len() >= word.len() && text.as_bytes()[text.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.as_bytes().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// The string that a piece of CSS begins with; strings do not span lines, and ones too long to be addresses are none.
fn css_string(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = *text.as_bytes().first().filter(|first| matches!(first, b'"' | b'\''))?;
    let window = &text.as_bytes()[1..text.len().min(URL_BYTES_MAX)];
    let end = memchr::memchr2(quote, b'\n', window).filter(|&end| window[end] == quote)?;
    Some(&text[1..=end])
}

/// The address of `url(address)`.
fn bare_address(text: &str) -> Option<&str> {
    let window = &text.as_bytes()[..text.len().min(URL_BYTES_MAX)];
    let end = memchr::memchr3(b')', b'"', b'\'', window).filter(|&end| window[end] == b')')?;
    Some(text[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Url {
        Url::parse("https://example.org/d/page").expect("a valid address")
    }

    fn check(html: &str, expected: &[(&str, RequisiteKind)]) {
        let found = read_requisites(html, &page(), UTF_8);
        let found: Vec<_> = found.iter().map(|one| (one.url.as_str(), one.kind)).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn pictures_styles_scripts_and_media_are_found() {
        check("<img src=a.png><img src='a.png#x'>", &[("https://example.org/d/a.png", RequisiteKind::Image)]);
        check("<link rel='preload stylesheet' href=/s.css>", &[("https://example.org/s.css", RequisiteKind::Style)]);
        check("<link rel='shortcut icon' href=/i>", &[("https://example.org/i", RequisiteKind::Image)]);
        check("<script src=//c.example/x></script>", &[("https://c.example/x", RequisiteKind::Script)]);
        check(
            "<video poster=p><source src=v></video>",
            &[("https://example.org/d/p", RequisiteKind::Image), ("https://example.org/d/v", RequisiteKind::Media)],
        );
        check("<link rel=next href=x><img src=''><img src='data:image/png;base64,AA'><a href=y>z</a>", &[]);
    }

    #[test]
    fn a_source_set_names_several_pictures() {
        let read = |text| source_set(text).collect::<Vec<_>>();
        assert_eq!(read("a.png 1x, b.png 2x"), ["a.png", "b.png"]);
        assert_eq!(read(" a.png, b.png ,,c"), ["a.png", "b.png", "c"]);
        assert_eq!(read("a,b.png 1x"), ["a,b.png"]);
        assert_eq!(read(" , "), [""; 0]);
    }

    #[test]
    fn styles_name_what_they_need() {
        check(
            "<style>p{background:URL( 'a.png' )}/* url(no) */</style><p style='background:url(b.png)'>",
            &[
                ("https://example.org/d/a.png", RequisiteKind::StylePart),
                ("https://example.org/d/b.png", RequisiteKind::StylePart),
            ],
        );
    }

    #[test]
    fn style_sheets_are_read_as_far_as_they_make_sense() {
        let read = |css: &'static str| css_addresses(css).collect::<Vec<_>>();
        assert_eq!(read("@IMPORT \"a.css\" screen; @import url(b.css);"), ["a.css", "b.css"]);
        assert_eq!(read("a{b:url(x)}c{d:url(\"y)z\")}"), ["x", "y)z"]);
        assert_eq!(read("/* url(x) */ /"), [""; 0]);
        assert_eq!(read("/* url(x)"), [""; 0]);
        assert_eq!(read("url('unclosed\n) url(汉字)"), ["汉字"]);
        assert_eq!(read("url("), [""; 0]);
    }
}
