//! Turns addresses as written into addresses of the Web, within a budget.

use std::borrow::Cow;

use encoding_rs::UTF_8;
use kuai_html::{Tag, TokenKind, tokens};
use kuai_page::{Encoding, Url};
use url::Position;

/// The longest address that is taken; servers refuse longer ones.
pub(crate) const URL_BYTES_MAX: usize = 4_096;

/// The bytes of all addresses of one page. A long `<base>` makes long addresses of short ones, and this bounds the sum.
const ADDRESS_BYTES_MAX: usize = 4 << 20;

/// Resolves the addresses of one page.
pub(super) struct Resolver<'a> {
    page: &'a Url,
    base: Cow<'a, Url>,
    encoding: &'static Encoding,
    bytes_left: usize,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(source: &str, page: &'a Url, encoding: &'static Encoding) -> Resolver<'a> {
        let base = find_base(source, page, encoding).map_or(Cow::Borrowed(page), Cow::Owned);
        Resolver { page, base, encoding, bytes_left: ADDRESS_BYTES_MAX }
    }

    /// What the page's addresses are relative to.
    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    /// Whether addresses were refused because the page had too many bytes of them.
    pub(super) fn is_exhausted(&self) -> bool {
        self.bytes_left == 0
    }

    /// Where a link leads, if to another page of the Web.
    pub(super) fn link(&mut self, address: &str) -> Option<Url> {
        let leads_here = matches!(trim(address).as_bytes(), [] | [b'#', ..]) && matches!(self.base, Cow::Borrowed(_));
        if leads_here { None } else { self.resolve(address).filter(|url| !self.is_page_itself(url)) }
    }

    /// The address in full, without fragment, if it is one of the Web.
    pub(super) fn resolve(&mut self, address: &str) -> Option<Url> {
        if self.bytes_left == 0 {
            return None;
        }
        let url = resolve(address, &self.base, self.encoding)?;
        self.bytes_left = self.bytes_left.saturating_sub(url.as_str().len());
        Some(url)
    }

    fn is_page_itself(&self, url: &Url) -> bool {
        self.page[..Position::AfterQuery] == *url.as_str()
    }
}

/// The address in full, without fragment, if it is one of the Web.
pub(crate) fn resolve(address: &str, base: &Url, encoding: &'static Encoding) -> Option<Url> {
    let address = trim(address);
    if address.len() > URL_BYTES_MAX || names_other_scheme(address) {
        return None;
    }
    // The fragment is never sent, so it need not be parsed.
    let address = address.split('#').next().unwrap_or(address);
    let options = Url::options().base_url(Some(base));
    let needs_encoding = encoding.output_encoding() != UTF_8 && !address.is_ascii();
    let parsed = match needs_encoding {
        true => options.encoding_override(Some(&|query: &str| encoding.encode(query).0)).parse(address),
        false => options.parse(address),
    };
    let mut url = parsed.ok().filter(|url| is_web(url) && url.as_str().len() <= URL_BYTES_MAX)?;
    if url.fragment().is_some() {
        url.set_fragment(None);
    }
    Some(url)
}

/// What the URL standard strips; tabs and line breaks inside are left to the parser, which drops them.
fn trim(address: &str) -> &str {
    address.trim_matches(|character: char| character <= ' ')
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

/// Whether an address is plainly not of the Web; `data:` ones can be as long as the page, so they are not parsed.
fn names_other_scheme(address: &str) -> bool {
    let end = address.bytes().position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'+' | b'-' | b'.'));
    let Some(scheme) = end.filter(|&end| address.as_bytes()[end] == b':').map(|end| &address[..end]) else {
        return false;
    };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && !scheme.eq_ignore_ascii_case("http")
        && !scheme.eq_ignore_ascii_case("https")
}

/// The first `<base href>`, if it is one of the Web.
///
/// Decision: where the first one is not (`javascript:`, `data:`, unreadable), no later one is asked and the page's own address
/// counts, as in browsers. It counts for links before it too, so it is looked for ahead of them.
fn find_base(source: &str, page: &Url, encoding: &'static Encoding) -> Option<Url> {
    let has_base = memchr::memchr_iter(b'<', source.as_bytes())
        .any(|place| source.as_bytes()[place + 1..].get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"base")));
    if !has_base {
        return None;
    }
    let href = tokens(source).find_map(|token| match token.kind {
        TokenKind::StartTag(tag) if tag.tag == Tag::Base => tag.attribute("href"),
        _ => None,
    })?;
    resolve(&href, page, encoding)
}
