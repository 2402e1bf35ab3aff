//! The addresses in a page: in attributes, style sheets, source sets, refreshes and the pages that frames hold.

use std::ops::Range;

use kuai_html::{Span, Tag, TagText, TokenAttribute, TokenKind, tokens};

use super::super::modifier::Modifier;
use super::css::css;
use super::links::Links;
use super::refresh::refresh;
use super::source_set::source_set;

/// Pages in the `srcdoc` of a frame, in the `srcdoc` of a frame, and so on, that are rewritten; deeper ones are left out.
const DEPTH_MAX: usize = 3;

/// Attributes in which pages keep the address of a picture until a script puts it in place.
const LAZY_ATTRIBUTES: [&str; 6] =
    ["data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-original-src", "data-lazyload"];

/// A page whose addresses lead into the archive, with `begin` at the beginning of its head.
pub(crate) fn html(source: &str, links: Links<'_>, begin: &str) -> String {
    let links = match base_href(source) {
        Some(href) => links.with_base(&href),
        None => links,
    };
    Page { source, links: &links, depth: 0 }.rewritten(begin)
}

struct Page<'a> {
    source: &'a str,
    links: &'a Links<'a>,
    depth: usize,
}

/// What becomes of an attribute.
enum Fate {
    Stays,
    Goes,
    Becomes(String),
}

/// What an attribute is, as far as the archive is concerned.
enum Meaning {
    Link(Modifier),
    Base,
    SourceSet,
    Style,
    Document,
    Refresh,
    /// It would act on something outside the archive, or check what was rewritten.
    Unwanted,
    Nothing,
}

impl Page<'_> {
    fn rewritten(&self, mut begin: &str) -> String {
        let (mut text, mut done) = (String::with_capacity(self.source.len()), 0);
        let mut replace = |place: Range<usize>, with: &str| {
            text.push_str(&self.source[done..place.start]);
            text.push_str(with);
            done = place.end;
        };
        let mut sheet_start = None;
        for token in tokens(self.source) {
            match token.kind {
                TokenKind::StartTag(tag) => {
                    let span = token.span.range();
                    match tag.tag {
                        Tag::Html => {}
                        Tag::Head => replace(span.end..span.end, std::mem::take(&mut begin)),
                        _ => replace(span.start..span.start, std::mem::take(&mut begin)),
                    }
                    sheet_start = (tag.tag == Tag::Style).then(|| token.span.range().end);
                    for (span, with) in self.edits(&tag) {
                        replace(span.range(), &with);
                    }
                }
                TokenKind::EndTag(tag) if tag.tag == Tag::Style => {
                    if let Some(start) = sheet_start.take() {
                        let sheet = start..token.span.range().start;
                        replace(sheet.clone(), &css(&self.source[sheet], self.links));
                    }
                }
                _ => {}
            }
        }
        text.push_str(&self.source[done..]);
        text
    }

    /// What is to be written in place of attributes of a tag.
    fn edits(&self, tag: &TagText<'_>) -> Vec<(Span, String)> {
        let attributes = tag.attributes();
        let fates = attributes.iter().map(|attribute| (attribute, self.fate(tag, &attributes, attribute)));
        let edits = fates.filter_map(|(attribute, fate)| match fate {
            Fate::Stays => None,
            Fate::Goes => Some((attribute.span, String::new())),
            Fate::Becomes(value) => Some((attribute.span, format!("{}=\"{}\"", attribute.name, escaped(&value)))),
        });
        edits.collect()
    }

    fn fate(&self, tag: &TagText<'_>, attributes: &[TokenAttribute<'_>], attribute: &TokenAttribute<'_>) -> Fate {
        let value = &attribute.value;
        let link = |modifier| self.links.to(value, modifier).map_or(Fate::Stays, Fate::Becomes);
        match meaning(&tag.name, attributes, attribute) {
            Meaning::Nothing => Fate::Stays,
            Meaning::Unwanted => Fate::Goes,
            Meaning::Link(modifier) => link(modifier),
            Meaning::Base => self.links.base_to(value).map_or(Fate::Stays, Fate::Becomes),
            Meaning::SourceSet => Fate::Becomes(source_set(value, self.links)),
            Meaning::Style if value.contains("(") => Fate::Becomes(css(value, self.links)),
            Meaning::Style => Fate::Stays,
            Meaning::Refresh => refresh(value, self.links).map_or(Fate::Stays, Fate::Becomes),
            Meaning::Document if self.depth == DEPTH_MAX => Fate::Goes,
            Meaning::Document => {
                Fate::Becomes(Page { source: value, links: self.links, depth: self.depth + 1 }.rewritten(""))
            }
        }
    }
}

fn meaning(element: &str, attributes: &[TokenAttribute<'_>], attribute: &TokenAttribute<'_>) -> Meaning {
    use Meaning::{Base, Document, Link, Nothing, SourceSet, Style, Unwanted};
    let other = |name: &str| attributes.iter().find(|other| other.name == name).map_or("", |other| other.value.trim());
    match (element, attribute.name.as_ref()) {
        (_, "style") => Style,
        (_, "background") => Link(Modifier::Other),
        (_, "srcset" | "imagesrcset" | "data-srcset") => SourceSet,
        // Digests do not fit rewritten style sheets.
        (_, "integrity") => Unwanted,
        // A sandboxed page may open or fill no other window or frame: links that ask for one shall work in theirs.
        ("a" | "area" | "base" | "form", "target") | ("button" | "input", "formtarget") => Unwanted,
        ("a" | "area", "ping") | ("html", "manifest") => Unwanted,
        ("base", "href") => Base,
        ("link", "href") => link_meaning(other("rel"), other("as")),
        ("meta", "content") => meta_meaning(other("http-equiv"), other("name")),
        ("script", "type") if attribute.value.trim().eq_ignore_ascii_case("speculationrules") => Unwanted,
        ("script", "src" | "href" | "xlink:href") => Link(Modifier::Script),
        ("iframe", "srcdoc") => Document,
        ("iframe" | "frame", "src" | "longdesc") => Link(Modifier::Frame),
        ("img" | "input" | "image" | "use" | "feimage", "src" | "href" | "xlink:href" | "lowsrc" | "dynsrc")
        | ("video", "poster") => Link(Modifier::Image),
        ("audio" | "video" | "source" | "track" | "embed" | "bgsound", "src") | ("object", "data") => {
            Link(Modifier::Other)
        }
        ("param", "value") if ["movie", "src", "url"].iter().any(|name| other("name").eq_ignore_ascii_case(name)) => {
            Link(Modifier::Other)
        }
        ("form", "action") | ("button" | "input", "formaction") => Link(Modifier::Main),
        ("blockquote" | "q" | "ins" | "del", "cite") | ("img", "longdesc") => Link(Modifier::Main),
        (_, "href" | "xlink:href") => Link(Modifier::Main),
        (_, name) if LAZY_ATTRIBUTES.contains(&name) => Link(Modifier::Image),
        (_, name) if name.starts_with("data-") && is_absolute(&attribute.value) => Link(Modifier::Other),
        _ => Nothing,
    }
}

fn link_meaning(relations: &str, kind: &str) -> Meaning {
    let is = |names: &[&str]| {
        let mut relations = relations.split_ascii_whitespace();
        relations.any(|relation| names.iter().any(|name| relation.eq_ignore_ascii_case(name)))
    };
    // They speak to servers of the live Web, or ask for pages that nobody asked for.
    if is(&["dns-prefetch", "preconnect", "prerender", "manifest"]) {
        return Meaning::Unwanted;
    }
    let kind = kind.to_ascii_lowercase();
    Meaning::Link(match kind.as_str() {
        _ if is(&["stylesheet"]) => Modifier::Style,
        _ if is(&["icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"]) => Modifier::Image,
        _ if is(&["modulepreload"]) => Modifier::Script,
        "style" => Modifier::Style,
        "script" => Modifier::Script,
        "image" => Modifier::Image,
        _ if is(&["preload", "prefetch"]) => Modifier::Other,
        _ => Modifier::Main,
    })
}

fn meta_meaning(http_equiv: &str, name: &str) -> Meaning {
    let unwanted =
        ["content-security-policy", "content-security-policy-report-only", "x-dns-prefetch-control", "origin-trial"];
    if http_equiv.eq_ignore_ascii_case("refresh") {
        Meaning::Refresh
    } else if unwanted.iter().any(|unwanted| http_equiv.eq_ignore_ascii_case(unwanted))
        || name.eq_ignore_ascii_case("referrer")
    {
        Meaning::Unwanted
    } else {
        Meaning::Nothing
    }
}

/// What the first `<base href>` says, which holds for the whole page.
fn base_href(source: &str) -> Option<String> {
    let is_base = |tag: &TagText<'_>| tag.tag == Tag::Base;
    tokens(source).find_map(|token| match token.kind {
        TokenKind::StartTag(tag) if is_base(&tag) => tag.attribute("href").map(String::from),
        _ => None,
    })
}

fn is_absolute(value: &str) -> bool {
    ["http://", "https://", "//"].iter().any(|start| value.starts_with(start))
}

fn escaped(value: &str) -> String {
    value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use encoding_rs::{GBK, UTF_8};
    use kuai_page::Url;

    use super::*;

    /// In what is expected, `~` stands for the site's root behind no letters.
    fn check(source: &str, expected: &str) {
        let page = Url::parse("https://e.org/d/p").expect("an address");
        let rewritten = html(source, Links::new(&page, "/w/", "2026", UTF_8), "");
        assert_eq!(rewritten, expected.replace('~', "/https://e.org"), "{source}");
    }

    #[test]
    fn links_and_requisites_lead_into_the_archive() {
        check("<a href=x>", "<a href=\"/w/2026mp_~/d/x\">");
        check("<A HREF='//e.org/?a=1&amp;b=2' class=c>", "<A href=\"/w/2026mp_~/?a=1&amp;b=2\" class=c>");
        check("<img src=/i.png alt='a > b'>", "<img src=\"/w/2026im_~/i.png\" alt='a > b'>");
        check("<script src=s.js></script>", "<script src=\"/w/2026js_~/d/s.js\"></script>");
        check("<link rel=stylesheet href=s.css>", "<link rel=stylesheet href=\"/w/2026cs_~/d/s.css\">");
        check("<iframe src=f>", "<iframe src=\"/w/2026if_~/d/f\">");
        check("<form action='' method=get>", "<form action='' method=get>");
        check("<form action=/s>", "<form action=\"/w/2026mp_~/s\">");
        check("<td background=b.gif>", "<td background=\"/w/2026oe_~/d/b.gif\">");
        check("<video poster=p src=v>", "<video poster=\"/w/2026im_~/d/p\" src=\"/w/2026oe_~/d/v\">");
        check("<svg><image xlink:href=a.svg /></svg>", "<svg><image xlink:href=\"/w/2026im_~/d/a.svg\" /></svg>");
    }

    #[test]
    fn sets_styles_and_refreshes_are_looked_into() {
        check(
            "<img srcset='a 1x, b 2x,c'>",
            "<img srcset=\"/w/2026im_~/d/a 1x, /w/2026im_~/d/b 2x, /w/2026im_~/d/c\">",
        );
        check("<p style='color:red'>", "<p style='color:red'>");
        check("<p style='b:url(x)'>", "<p style=\"b:url(&quot;/w/2026oe_~/d/x&quot;)\">");
        check("<style>a{b:url(x)}</style>", "<style>a{b:url(\"/w/2026oe_~/d/x\")}</style>");
        check(
            "<meta http-equiv=Refresh content='0; URL=x'>",
            "<meta http-equiv=Refresh content=\"0;url=/w/2026mp_~/d/x\">",
        );
        check("<meta http-equiv=refresh content=5>", "<meta http-equiv=refresh content=5>");
        check("<iframe srcdoc='<a href=x>'>", "<iframe srcdoc=\"&lt;a href=&quot;/w/2026mp_~/d/x&quot;>\">");
    }

    #[test]
    fn a_base_holds_for_the_whole_page() {
        check("<a href=x><base href=../b/>", "<a href=\"/w/2026mp_~/b/x\"><base href=\"/w/2026mp_~/b/\">");
        check("<base href='javascript:0'><a href=x>", "<base href='javascript:0'><a href=\"/w/2026mp_~/d/x\">");
    }

    #[test]
    fn what_acts_outside_the_archive_goes() {
        check("<link rel='dns-prefetch' href='//live.org'>", "<link rel='dns-prefetch' >");
        check("<a ping=/p target=_top>", "<a  >");
        check(
            "<meta http-equiv='Content-Security-Policy' content='x'>",
            "<meta http-equiv='Content-Security-Policy' >",
        );
        check("<script type=speculationrules>{}</script>", "<script >{}</script>");
    }

    #[test]
    fn what_leads_nowhere_stays() {
        for source in [
            "<a href='#top'>",
            "<a href=javascript:go()>",
            "<a href='mailto:a@e.org'>",
            "<img src=data:image/gif;base64,xx>",
            "<script>'<a href=x>'</script>",
            "<!--<a href=x>-->",
            "<title><a href=x></title>",
            "<p class=块>块",
            "<a href=",
            "<",
        ] {
            check(source, source);
        }
    }

    #[test]
    fn a_query_is_written_in_the_charset_of_its_page() {
        let page = Url::parse("https://e.org/").expect("an address");
        let rewritten = html("<a href='?q=块'>", Links::new(&page, "/w/", "2026", GBK), "");
        assert_eq!(rewritten, "<a href=\"/w/2026mp_/https://e.org/?q=%BF%E9\">");
    }

    #[test]
    fn what_is_put_before_a_page_stands_in_its_head() {
        let page = Url::parse("https://e.org/").expect("an address");
        for (source, expected) in [
            ("<!doctype html><html><head><title>", "<!doctype html><html><head>+<title>"),
            ("<!doctype html><p>x<p>", "<!doctype html>+<p>x<p>"),
            ("<html><frameset>", "<html>+<frameset>"),
            ("no tags", "no tags"),
        ] {
            assert_eq!(html(source, Links::new(&page, "/w/", "2026", UTF_8), "+"), expected);
        }
    }

    #[test]
    fn a_page_of_links_grows_only_so_far() {
        let page = Url::parse(&format!("https://e.org/{}", "x".repeat(60_000))).expect("an address");
        let rewritten = html(&"<a href=?>".repeat(2000), Links::new(&page, "/w/", "2026", UTF_8), "");
        assert!(rewritten.len() < 20 << 20, "{}", rewritten.len());
    }
}
