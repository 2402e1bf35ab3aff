//! From an address as it stands in a page to where the archive has it.

use std::cell::Cell;

use encoding_rs::Encoding;
use kuai_page::Url;

use super::super::modifier::Modifier;

/// Bytes that rewriting may add to a page. A page of nothing but links would grow by the length of its own address for each.
const GROWTH_MAX: usize = 16 << 20;

/// Where the addresses of one page lead.
pub(crate) struct Links<'a> {
    page: &'a Url,
    base: Url,
    /// What stands before the time: `/web/`.
    prefix: &'a str,
    stamp: &'a str,
    /// The charset of the page: that of its queries, too.
    encoding: &'static Encoding,
    room: Cell<usize>,
}

impl<'a> Links<'a> {
    /// The addresses of a page, to be found near a time of 14 digits.
    pub(crate) fn new(page: &'a Url, prefix: &'a str, stamp: &'a str, encoding: &'static Encoding) -> Links<'a> {
        Links { page, base: page.clone(), prefix, stamp, encoding, room: Cell::new(GROWTH_MAX) }
    }

    /// As they are behind a `<base href>`.
    pub(crate) fn with_base(self, href: &str) -> Links<'a> {
        let base = self.page.join(href.trim()).ok().filter(is_web);
        Links { base: base.unwrap_or_else(|| self.page.clone()), ..self }
    }

    /// Where an address leads; `None` where it is to stay as it is: in the same page, no address of the Web, or no room for more.
    pub(crate) fn to(&self, address: &str, modifier: Modifier) -> Option<String> {
        self.resolved(&self.base, address, modifier)
    }

    /// As [`Links::to`], for the `<base href>` itself.
    pub(crate) fn base_to(&self, address: &str) -> Option<String> {
        self.resolved(self.page, address, Modifier::Main)
    }

    fn resolved(&self, base: &Url, address: &str, modifier: Modifier) -> Option<String> {
        let address = address.trim_matches(|character: char| character <= ' ');
        if address.is_empty() || address.starts_with('#') {
            return None;
        }
        let encoding = self.encoding.output_encoding();
        let options = Url::options().base_url(Some(base));
        let url = options
            .encoding_override(Some(&|query: &str| encoding.encode(query).0))
            .parse(address)
            .ok()
            .filter(is_web)?;
        let link = format!("{}{}{}/{url}", self.prefix, self.stamp, modifier.letters());
        self.room.set(self.room.get().checked_sub(link.len())?);
        Some(link)
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}
