//! What each section of a site has given so far, so that a crawl does not stay for ever where there is little.
//!
//! A section is a host with the first folder of the path: the parts of a large site often have nothing to do with each other.

use kuai_page::Url;
use rustc_hash::FxHashMap;
use url::Position;

/// The sections of all sites.
#[derive(Clone, Debug, Default)]
pub(super) struct Sections(FxHashMap<Box<str>, Section>);

#[derive(Clone, Copy, Debug, Default)]
struct Section {
    pages: f64,
    /// Sum of their relevances.
    relevance: f64,
}

/// Sections that are watched; pages of others count as new.
const SECTIONS_MAX: usize = 10_000;

impl Sections {
    /// Remembers a page of this relevance.
    pub(super) fn add(&mut self, url: &Url, relevance: f64) {
        let name = name(url);
        if self.0.len() < SECTIONS_MAX || self.0.contains_key(name) {
            let section = self.0.entry(name.into()).or_default();
            section.pages += 1.0;
            section.relevance += relevance;
        }
    }

    /// What is to be hoped for from another page of this section, from 0 to 1: the mean relevance of its pages, as if so many
    /// pages right on topic had come before.
    pub(super) fn hope(&self, url: &Url, prior_pages: f64) -> f64 {
        let Section { pages, relevance } = self.0.get(name(url)).copied().unwrap_or_default();
        (1.0 + relevance / prior_pages) / (1.0 + pages / prior_pages)
    }
}

/// The address up to the end of the first folder.
fn name(url: &Url) -> &str {
    let site = &url[..Position::BeforePath];
    let folder = url.path().bytes().skip(1).position(|byte| byte == b'/');
    &url.as_str()[..folder.map_or(site.len(), |length| site.len() + 1 + length)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_section_is_a_host_with_the_first_folder() {
        for (address, expected) in [
            ("http://a.example/b/c/d.html?e/f", "http://a.example/b"),
            ("http://a.example/b.html", "http://a.example"),
            ("http://a.example", "http://a.example"),
            ("mailto:someone", "mailto:"),
        ] {
            assert_eq!(name(&url(address)), expected);
        }
    }

    #[test]
    fn hope_falls_where_nothing_is_found_and_only_there() {
        let mut sections = Sections::default();
        for _ in 0..10 {
            sections.add(&url("http://a.example/bread/1"), 0.0);
            sections.add(&url("http://a.example/layers/1"), 1.0);
        }
        let hope = |address, prior_pages| sections.hope(&url(address), prior_pages);
        assert_eq!(hope("http://a.example/bread/2", 10.0), 0.5);
        assert_eq!(hope("http://a.example/bread/2", f64::INFINITY), 1.0);
        assert_eq!(hope("http://a.example/layers/2", 10.0), 1.0);
        assert_eq!(hope("http://b.example/", 10.0), 1.0);
    }

    #[test]
    fn the_number_of_sections_is_bounded() {
        let mut sections = Sections::default();
        for number in 0..SECTIONS_MAX + 10 {
            sections.add(&url(&format!("http://a.example/{number}/")), 0.0);
        }
        assert_eq!(sections.0.len(), SECTIONS_MAX);
    }
}
