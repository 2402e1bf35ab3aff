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
mod headline;
mod json_ld;
mod keywords;
mod language;
mod licence;
mod months;
mod person;
mod plain;
mod times;

use std::cell::OnceCell;

use kuai_html::Dom;
use serde_json::Value;
use url::Url;

use crate::links::{base_url, web_url};
use crate::text::one_line;
use byline::Byline;
pub use citation::{Citation, CitationKind, Name};
use collect::Found;
use headline::{SiteNames, Titles};
use json_ld::Graph;
pub use months::month_number;
use plain::{plain, without_tags};

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The title: `<title>`, `og:title`, `twitter:title`, the first `h1`.
    pub title: Option<String>,
    /// The title of what the page holds, without the site's name: the first of JSON-LD `headline`, `og:title`,
    /// `citation_title`, `dc.title` that a heading has too; then the first of them and the `h1`s that is a part of
    /// `<title>`; then any of them, the only `h1`, `<title>`.
    pub headline: Option<String>,
    /// The language: `<html lang>`, `content-language`, `og:locale`, JSON-LD `inLanguage`, `dc.language`, a Chinese title; a
    /// tag such as `zh-CN`.
    pub language: Option<String>,
    /// The address that the page would be known by: `<link rel=canonical>`, `og:url`; never a home page that it is not.
    pub canonical: Option<Url>,
    /// The description: `description`, `og:description`, `twitter:description`, JSON-LD, `dc.description`.
    pub description: Option<String>,
    /// Who wrote it: JSON-LD, `citation_author`, `author`, `dc.creator`, `article:author`, links with `rel=author`,
    /// a byline near the title.
    pub authors: Vec<String>,
    /// The name of the site: `og:site_name`, JSON-LD `publisher`, `application-name`, `citation_publisher`.
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

/// Metas that name the time of publication, the surest first; JSON-LD and `<time>` come after the first.
const PUBLISHED_NAMES: [&str; 28] = [
    "datepublished",
    "og:published_time",
    "og:article:published_time",
    "og:release_date",
    "published",
    "published_at",
    "published_time",
    "pubdate",
    "publishdate",
    "publish-date",
    "publish_date",
    "published-date",
    "publication_date",
    "parsely-pub-date",
    "sailthru.date",
    "cxenseparse:recs:publishtime",
    "article.published",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "dc:date",
    "dc:date.issued",
    "date",
];

/// Metas that name the time of the last change.
const MODIFIED_NAMES: [&str; 9] = [
    "article:modified_time",
    "og:modified_time",
    "og:updated_time",
    "datemodified",
    "lastmod",
    "last-modified",
    "article.updated",
    "dcterms.modified",
    "dc.date.modified",
];

/// Beginnings of OpenGraph properties.
const OPEN_GRAPH_PREFIXES: [&str; 7] = ["og:", "article:", "book:", "profile:", "music:", "video:", "product:"];

/// Beginnings of scholars' metas.
const SCHOLARLY_PREFIXES: [&str; 8] =
    ["citation_", "doi", "dc:", "dc.", "dcterms.", "prism.", "eprints.", "bepress_citation_"];

/// Reads the metadata of a page.
pub(crate) fn read(dom: Dom<'_>, url: Option<&Url>) -> Metadata {
    let base = base_url(dom, url);
    let found = Found::collect(dom);
    let graph = Graph::of(&found.json_ld);
    let sites = site_names(&found, &graph, url);
    let reader = Reader { dom, byline: OnceCell::new(), graph, sites, found: &found, base: base.as_ref() };
    let metadata = Metadata {
        title: reader.title(),
        headline: reader.headline(),
        language: reader.language(),
        canonical: reader.canonical(url),
        description: reader.description(),
        authors: reader.authors(),
        site_name: reader.site_name(),
        published: reader.published(),
        modified: reader.modified(),
        keywords: reader.keywords(),
        licence: licence::choose(dom, &found, &reader.graph, base.as_ref()),
        image: reader.image(),
        kind: reader.first_meta(&["og:type"]),
        generator: reader.first_meta(&["generator"]),
        robots: reader.robots(),
        feeds: reader.feeds(),
        next: reader.link("next"),
        previous: reader.link("prev").or_else(|| reader.link("previous")),
        refresh: found.pragma("refresh").and_then(|content| refresh(content, base.as_ref())),
        open_graph: reader.pairs(&OPEN_GRAPH_PREFIXES),
        scholarly: reader.pairs(&SCHOLARLY_PREFIXES),
        json_ld: Vec::new(),
    };
    Metadata { json_ld: found.json_ld, ..metadata }
}

/// All names that a page tells of its site, and its host; none on the home page, where the site is what the page is about.
fn site_names(found: &Found<'_>, graph: &Graph<'_>, url: Option<&Url>) -> SiteNames {
    let in_metas = ["og:site_name", "application-name", "apple-mobile-web-app-title", "citation_publisher"];
    let in_metas = in_metas.iter().filter_map(|name| found.meta_content(name));
    let is_site = |kind: &&&serde_json::Map<String, Value>| {
        json_ld::is_a(kind, &["WebSite", "Organization", "NewsMediaOrganization"])
    };
    let publishers = graph.objects.iter().flat_map(|object| graph.names(object.get("publisher")));
    let owners =
        graph.objects.iter().filter(is_site).flat_map(|object| ["name", "alternateName"].map(|key| object.get(key)));
    let in_json: Vec<String> = publishers.chain(owners.flat_map(|value| graph.names(value))).collect();
    let names = in_metas.chain(in_json.iter().map(String::as_str));
    let is_home = url.is_some_and(|url| url.path() == "/" && url.query().is_none());
    if is_home { SiteNames::default() } else { SiteNames::new(names, url.and_then(Url::host_str)) }
}

/// The page's `<title>`.
pub(crate) fn written_title(dom: Dom<'_>) -> Option<String> {
    Found::title(dom)
}

/// Chooses among what was found.
struct Reader<'a> {
    dom: Dom<'a>,
    byline: OnceCell<Byline>,
    found: &'a Found<'a>,
    graph: Graph<'a>,
    sites: SiteNames,
    base: Option<&'a Url>,
}

impl Reader<'_> {
    fn title(&self) -> Option<String> {
        let named = || self.first_meta(&["og:title", "twitter:title"]);
        self.found.title.clone().or_else(named).or_else(|| self.found.headings.first().cloned())
    }

    fn headline(&self) -> Option<String> {
        let in_metas = ["og:title", "citation_title", "dc.title"];
        let in_metas = in_metas.iter().filter_map(|name| self.first_meta(&[name]));
        let titles = Titles {
            title: self.found.title.as_deref(),
            said: self.first_string("headline").into_iter().chain(in_metas).collect(),
            headings: &self.found.headings,
            sites: &self.sites,
        };
        titles.headline()
    }

    fn canonical(&self, page: Option<&Url>) -> Option<Url> {
        let links = self.found.links.iter().filter(|link| link.has_rel("canonical"));
        let links = links.filter_map(|link| web_url(self.base, link.href));
        canonical::choose(links.chain(self.url(self.found.meta_content("og:url"))), page)
    }

    fn language(&self) -> Option<String> {
        let meta = |name| self.found.meta_content(name);
        let tags = [
            self.found.lang,
            self.found.pragma("content-language"),
            meta("content-language"),
            meta("language"),
            meta("og:locale"),
            self.string("inLanguage"),
            meta("dc.language"),
        ];
        let told = tags.into_iter().flatten().find_map(language::tag);
        told.or_else(|| language::of_title(self.found.title.as_deref()?))
    }

    fn description(&self) -> Option<String> {
        let in_metas = |names: &[&str]| names.iter().find_map(|name| self.found.meta_content(name));
        in_metas(&["description", "og:description", "twitter:description"])
            .or_else(|| self.string("description"))
            .or_else(|| in_metas(&["dc.description", "citation_abstract"]))
            .map(without_tags)
    }

    fn authors(&self) -> Vec<String> {
        authors::choose(self.found, &self.graph, &self.sites, || self.byline().author.clone())
    }

    fn site_name(&self) -> Option<String> {
        self.first_meta(&["og:site_name"])
            .or_else(|| self.publisher())
            .or_else(|| self.first_meta(&["application-name", "citation_publisher", "dc.publisher"]))
    }

    fn publisher(&self) -> Option<String> {
        let publishers = self.graph.objects.iter().flat_map(|object| self.graph.names(object.get("publisher")));
        publishers.map(|name| plain(&name)).next()
    }

    fn published(&self) -> Option<String> {
        self.first_date(&["article:published_time"])
            .or_else(|| self.json_date("datePublished"))
            .or_else(|| times::marked(self.dom, &self.found.times, "datepublished"))
            .or_else(|| self.first_date(&PUBLISHED_NAMES))
            .or_else(|| self.json_date("dateCreated"))
            .or_else(|| self.byline().published.clone())
            .or_else(|| times::published(self.dom, &self.found.times))
    }

    fn byline(&self) -> &Byline {
        self.byline.get_or_init(|| {
            let titles = [self.headline(), self.found.title.clone()];
            let titles: Vec<&str> = titles.iter().flatten().map(String::as_str).collect();
            byline::read(self.dom, &titles)
        })
    }

    fn modified(&self) -> Option<String> {
        self.first_date(&MODIFIED_NAMES[..3])
            .or_else(|| self.json_date("dateModified"))
            .or_else(|| times::marked(self.dom, &self.found.times, "datemodified"))
            .or_else(|| self.first_date(&MODIFIED_NAMES[3..]))
            .or_else(|| self.byline().modified.clone())
            .or_else(|| times::modified(self.dom, &self.found.times))
    }

    fn keywords(&self) -> Vec<String> {
        let lists = ["keywords", "news_keywords"]
            .iter()
            .flat_map(|name| self.found.meta_contents(name))
            .flat_map(keywords::split);
        let tags = self.found.meta_contents("article:tag").map(one_line);
        let in_json = self
            .graph
            .objects
            .iter()
            .flat_map(|object| json_ld::strings(object.get("keywords")))
            .flat_map(keywords::split);
        let all: Vec<String> = lists.chain(tags).chain(in_json).collect();
        distinct(all.iter().map(String::as_str))
    }

    fn image(&self) -> Option<Url> {
        let named = ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"];
        let in_metas = named.iter().find_map(|name| self.url(self.found.meta_content(name)));
        in_metas.or_else(|| self.json_image()).or_else(|| self.link("image_src"))
    }

    fn json_image(&self) -> Option<Url> {
        let image = self.graph.objects.iter().find_map(|object| object.get("image"))?;
        let first = image.as_array().map_or(Some(image), |images| images.first())?;
        let address = first.as_str().or_else(|| first.get("url")?.as_str())?;
        web_url(self.base, address)
    }

    fn robots(&self) -> Vec<String> {
        let words = self.found.meta_contents("robots").flat_map(|content| content.split(','));
        let words: Vec<String> = words.map(|word| word.trim().to_ascii_lowercase()).collect();
        distinct(words.iter().map(String::as_str))
    }

    fn feeds(&self) -> Vec<Feed> {
        let is_feed = |kind: &str| {
            matches!(
                kind,
                "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json"
            )
        };
        let links = self.found.links.iter().filter(|link| link.has_rel("alternate") && is_feed(&link.kind));
        links
            .filter_map(|link| {
                let title = one_line(link.title);
                Some(Feed { url: web_url(self.base, link.href)?, title: (!title.is_empty()).then_some(title) })
            })
            .collect()
    }

    fn pairs(&self, prefixes: &[&str]) -> Vec<(String, String)> {
        let has_prefix = |name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let named = self.found.metas.iter().filter(|(name, _)| has_prefix(name));
        named.map(|(name, content)| (name.clone(), plain(content))).collect()
    }

    fn first_meta(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.found.meta_content(name)).map(plain)
    }

    fn first_date(&self, names: &[&str]) -> Option<String> {
        names.iter().flat_map(|name| self.found.meta_contents(name)).find_map(date::normalise)
    }

    fn json_date(&self, key: &str) -> Option<String> {
        self.graph.objects.iter().flat_map(|object| json_ld::strings(object.get(key))).find_map(date::normalise)
    }

    fn string(&self, key: &str) -> Option<&str> {
        self.graph.objects.iter().find_map(|object| json_ld::strings(object.get(key)).into_iter().next())
    }

    fn first_string(&self, key: &str) -> Option<String> {
        self.string(key).map(plain)
    }

    fn url(&self, address: Option<&str>) -> Option<Url> {
        web_url(self.base, address?)
    }

    fn link(&self, rel: &str) -> Option<Url> {
        let links = self.found.links.iter().filter(|link| link.has_rel(rel));
        links.filter_map(|link| web_url(self.base, link.href)).next()
    }
}

/// `5; url=/next`, in all the ways that browsers read it.
fn refresh(content: &str, base: Option<&Url>) -> Option<Refresh> {
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let after = content[digits..].trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    let is_time = digits > 0 || content.starts_with('.');
    let is_whole = after.is_empty() || after.starts_with([';', ',', ' ', '\t', '\n']);
    if !is_time || !is_whole {
        return None;
    }
    // A time too long to hold is as good as never.
    let seconds = if digits == 0 { 0 } else { content[..digits].parse().unwrap_or(u32::MAX) };
    let address = after.trim_start_matches([';', ',', ' ', '\t', '\n']);
    Some(Refresh { seconds, url: web_url(base, refresh_address(address)) })
}

fn refresh_address(text: &str) -> &str {
    let named = text.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).map(|_| text[3..].trim_start());
    let address = named.and_then(|rest| rest.strip_prefix('=')).map_or(text, str::trim_start);
    match address.chars().next() {
        Some(quote @ ('"' | '\'')) => address[1..].split(quote).next().unwrap_or_default(),
        _ => address,
    }
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
