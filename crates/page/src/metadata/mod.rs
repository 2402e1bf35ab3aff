//! What a page says about itself, in its head and in data for machines.
//!
//! A value is taken from the first source, in the order that its field names, which has one. Of the page's text only
//! what stands near its title is read, and only for author and date, where the head is silent.

mod anchor;
mod authors;
mod bibtex;
mod byline;
mod canonical;
mod citation;
mod clock;
mod collect;
mod date;
mod dateline;
mod editors;
mod han;
mod headline;
mod json_ld;
mod keywords;
mod language;
mod licence;
mod marks;
mod months;
mod parts;
mod person;
mod plain;
mod reader;
mod refresh;
mod site;
mod times;

use kuai_html::Dom;
use serde_json::Value;
use url::Url;

use crate::links::base_url;
use crate::text::one_line;
pub use citation::{Citation, CitationKind, Name};
use collect::Found;
pub use months::month_number;
use reader::{OPEN_GRAPH_PREFIXES, Reader, SCHOLARLY_PREFIXES};

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The title: `<title>`, `og:title`, `twitter:title`, the first `h1`.
    pub title: Option<String>,
    /// The title of what the page holds, without the site's name: the first of JSON-LD `headline`, `og:title`,
    /// `citation_title`, `dc.title` that a heading has too; then the first of them and the `h1`s that is a part of
    /// `<title>`; then any of them, an `h2` or `h3` that begins `<title>`, the only `h1`, `<title>`, of several parts what the page shows.
    pub headline: Option<String>,
    /// The language: `<html lang>`, `content-language`, `og:locale`, JSON-LD `inLanguage`, `dc.language`, a Chinese title, which overrules another; a
    /// tag such as `zh-CN`.
    pub language: Option<String>,
    /// The address that the page would be known by: `<link rel=canonical>`, `og:url`; never a home page that it is not.
    pub canonical: Option<Url>,
    /// The description: `description`, `og:description`, `twitter:description`, JSON-LD, `dc.description`.
    pub description: Option<String>,
    /// Who wrote it: JSON-LD, `citation_author`, `author`, `dc.creator`, `article:author`, links with `rel=author`,
    /// a byline near the title.
    pub authors: Vec<String>,
    /// The name of the site: `og:site_name`, JSON-LD `publisher`, `application-name`, `citation_publisher`, what
    /// is surely a Chinese name of a site behind the headline in `<title>`.
    pub site_name: Option<String>,
    /// When it was published: `article:published_time`, JSON-LD `datePublished`, `<time>` marked so, other metas, a line or
    /// `<time>` near the title, the first `<time datetime>` of a page with few. `2024-01-31`, or with a time `2024-01-31T10:00:00`, or with a zone
    /// `2024-01-31T10:00:00+08:00` (RFC 3339).
    pub published: Option<String>,
    /// When it was last changed, in the same form: `article:modified_time`, `og:updated_time`, JSON-LD
    /// `dateModified`, `<time>` marked so, other metas, a line or `<time>` that says so.
    pub modified: Option<String>,
    /// Keywords: `keywords`, `article:tag`, JSON-LD.
    pub keywords: Vec<String>,
    /// Under what licence it may be used, an address where it has one: `rel=license`, JSON-LD `license`,
    /// `dcterms.license`, `dc.rights`, or the only link to a Creative Commons licence that is about the page.
    pub licence: Option<String>,
    /// A picture for the page: `og:image`, `twitter:image`, JSON-LD, `<link rel=image_src>`.
    pub image: Option<Url>,
    /// What sort of thing the page is: `og:type`.
    pub kind: Option<String>,
    /// The program that made the page: `generator`.
    pub generator: Option<String>,
    /// What robots are asked: the words of `<meta name=robots>`, lower case.
    pub robots: Vec<String>,
    /// Its feeds.
    pub feeds: Vec<Feed>,
    /// The next page of a series.
    pub next: Option<Url>,
    /// The previous page of a series.
    pub previous: Option<Url>,
    /// Where `<meta http-equiv=refresh>` leads.
    pub refresh: Option<Refresh>,
    /// All OpenGraph properties in order: `og:`, `article:`, `book:`, `profile:`, `music:`, `video:`, `product:`.
    pub open_graph: Vec<(String, String)>,
    /// All metas of scholars in order: `citation_`, `doi`, `dc.`, `dc:`, `dcterms.`, `prism.`, `eprints.`, `bepress_citation_`.
    pub scholarly: Vec<(String, String)>,
    /// All JSON-LD of the page; what could not be read is left out.
    pub json_ld: Vec<Value>,
}

impl Metadata {
    /// Whether the page asks robots for this, or for what includes it (`none` is `noindex, nofollow`).
    pub fn asks_robots(&self, word: &str) -> bool {
        let includes = |said: &String| said == word || (said == "none" && matches!(word, "noindex" | "nofollow"));
        self.robots.iter().any(includes)
    }
}

/// A feed of the page's site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Its address.
    pub url: Url,
    /// Its title, where it has one.
    pub title: Option<String>,
}

/// A page that sends its readers on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    /// After how many seconds.
    pub seconds: u32,
    /// Where to; `None` means that the page loads itself again.
    pub url: Option<Url>,
}

/// Reads the metadata of a page.
pub(crate) fn read(dom: Dom<'_>, url: Option<&Url>) -> Metadata {
    let base = base_url(dom, url);
    let found = Found::collect(dom);
    let reader = Reader::new(dom, &found, url, base.as_ref());
    let metadata = Metadata {
        title: reader.title(),
        headline: reader.headline(),
        language: reader.language(),
        canonical: reader.canonical(),
        description: reader.description(),
        authors: reader.authors(),
        site_name: reader.site_name(),
        published: reader.published(),
        modified: reader.modified(),
        keywords: reader.keywords(),
        licence: reader.licence(),
        image: reader.image(),
        kind: reader.first_meta(&["og:type"]),
        generator: reader.first_meta(&["generator"]),
        robots: reader.robots(),
        feeds: reader.feeds(),
        next: reader.link("next"),
        previous: reader.link("prev").or_else(|| reader.link("previous")),
        refresh: found.pragma("refresh").and_then(|content| refresh::read(content, base.as_ref())),
        open_graph: reader.pairs(&OPEN_GRAPH_PREFIXES),
        scholarly: reader.pairs(&SCHOLARLY_PREFIXES),
        json_ld: Vec::new(),
    };
    Metadata { json_ld: found.json_ld, ..metadata }
}

/// The page's `<title>`.
pub(crate) fn written_title(dom: Dom<'_>) -> Option<String> {
    Found::title(dom)
}

/// Names or words of one list that are kept.
const LIST_LENGTH_MAX: usize = 1000;

/// The texts on one line each, without empty and repeated ones.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    texts.map(one_line).filter(|text| !text.is_empty() && seen.insert(text.clone())).take(LIST_LENGTH_MAX).collect()
}

#[cfg(test)]
mod tests;
