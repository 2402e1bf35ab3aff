//! Addresses that may be written out: resolved where the page has an address, and never one that runs a program.

use kuai_page::{Page, Url};

/// Turns addresses of a page into ones that mean the same elsewhere.
pub(super) struct Addresses {
    base: Option<Url>,
}

/// What links may lead to.
const LINK_SCHEMES: [&str; 6] = ["http", "https", "mailto", "tel", "ftp", "sftp"];

/// Where images may come from.
const IMAGE_SCHEMES: [&str; 2] = ["http", "https"];

/// Longer addresses carry data, not places.
const LENGTH_MAX: usize = 4_000;

impl Addresses {
    pub(super) fn of(page: &Page) -> Addresses {
        Addresses { base: page.base_url() }
    }

    /// Where a link leads; `None` where it runs something, or leads nowhere.
    pub(super) fn of_link(&self, href: &str) -> Option<String> {
        self.resolve(href, &LINK_SCHEMES)
    }

    /// Where an image is.
    pub(super) fn of_image(&self, source: &str) -> Option<String> {
        self.resolve(source, &IMAGE_SCHEMES)
    }

    fn resolve(&self, address: &str, schemes: &[&str]) -> Option<String> {
        // As browsers do: they drop line breaks and tabs inside, and control characters around.
        let written: String = address
            .trim_matches(|character: char| character <= ' ')
            .chars()
            .filter(|character| !character.is_control())
            .collect();
        if written.is_empty() || written.len() > LENGTH_MAX {
            return None;
        }
        if let Some(base) = &self.base
            && !written.starts_with('#')
        {
            let url = base.join(&written).ok()?;
            return schemes.contains(&url.scheme()).then(|| url.into());
        }
        let is_safe =
            scheme(&written).is_none_or(|scheme| schemes.iter().any(|safe| safe.eq_ignore_ascii_case(scheme)));
        is_safe.then_some(written)
    }
}

/// What stands before the first colon, unless that belongs to a path.
fn scheme(address: &str) -> Option<&str> {
    let end = address.find([':', '/', '?', '#'])?;
    address[end..].starts_with(':').then_some(&address[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page_url: Option<&str>, address: &str, expected: Option<&str>) {
        let base = page_url.map(|url| Url::parse(url).expect("a valid address"));
        assert_eq!(Addresses { base }.of_link(address).as_deref(), expected, "{address:?}");
    }

    #[test]
    fn addresses_are_resolved_where_the_page_has_one() {
        let page = Some("https://example.org/a/b");
        check(page, "c?d", Some("https://example.org/a/c?d"));
        check(page, "#top", Some("#top"));
        check(page, "mailto:a@example.org", Some("mailto:a@example.org"));
        check(None, " c?d ", Some("c?d"));
        check(None, "a/b:c", Some("a/b:c"));
    }

    #[test]
    fn what_runs_a_program_is_no_address() {
        for page in [None, Some("https://example.org/")] {
            for address in
                ["javascript:alert(1)", " JaVa\nScript:alert(1)", "data:text/html,x", "vbscript:x", "\u{1}javascript:x"]
            {
                check(page, address, None);
            }
        }
    }
}
