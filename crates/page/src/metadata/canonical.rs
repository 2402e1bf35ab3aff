//! The address that a page would be known by, where what the page says of it can be right.

use url::Url;

/// The first address that may be the page's own; `page` is the one that it was found at.
pub(super) fn choose(said: impl Iterator<Item = Url>, page: Option<&Url>) -> Option<Url> {
    let mut said = said.filter(|address| page.is_none_or(|page| may_be(address, page)));
    said.next()
}

/// Whether an address may be that of a page: it has a host of the Web, and is no home page of which the page is no part.
fn may_be(address: &Url, page: &Url) -> bool {
    let has_domain = |url: &Url| url.host_str().is_some_and(|host| host.contains(['.', ':']));
    let is_broken = has_domain(page) && !has_domain(address);
    !is_broken && (!is_home(address) || is_start(page))
}

/// Whether an address is that of a home page.
fn is_home(address: &Url) -> bool {
    address.path() == "/" && address.query().is_none()
}

/// Whether a page may be a home page, or one in a language.
fn is_start(page: &Url) -> bool {
    let path = page.path().trim_matches('/');
    let is_index = ["index", "default", "home"].iter().any(|name| path.split('.').next() == Some(name));
    path.is_empty() || is_index || path.len() <= 5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &[&str], page: &str, expected: Option<&str>) {
        let url = |text: &str| Url::parse(text).expect("a valid address");
        let found = choose(said.iter().map(|text| url(text)), Some(&url(page)));
        assert_eq!(found.as_ref().map(Url::as_str), expected, "{said:?} {page}");
    }

    #[test]
    fn an_address_that_cannot_be_the_page_is_passed_over() {
        let page = "https://fog.org/2024/light";
        check(&["https://fog.org/"], page, None);
        check(&["https:///paths/17"], page, None);
        check(&["https://fog.org/", "https://fog.org/light"], page, Some("https://fog.org/light"));
        check(&["https://fog.org/"], "https://fog.org/index.html", Some("https://fog.org/"));
        check(&["https://fog.org/"], "https://fog.org/?from=mail", Some("https://fog.org/"));
        check(&["http://localhost/a"], "http://localhost/b", Some("http://localhost/a"));
    }
}
