//! Chooses what a page says of itself among all that was found, field by field.
//!
//! A value is taken from the first source, in the order that its field names, which has one.

use std::cell::OnceCell;

use kuai_html::Dom;
use serde_json::{Map, Value};
use url::Url;

use super::byline::{self, Byline};
use super::collect::Found;
use super::editors::Editors;
use super::headline::{self, SiteNames, Titles};
use super::json_ld::{self, Graph};
use super::plain::{plain, without_tags};
use super::{Feed, anchor, authors, canonical, date, distinct, keywords, language, licence, site, times};
use crate::links::web_url;
use crate::text::one_line;

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
pub(super) const OPEN_GRAPH_PREFIXES: [&str; 7] =
    ["og:", "article:", "book:", "profile:", "music:", "video:", "product:"];

/// Beginnings of scholars' metas.
pub(super) const SCHOLARLY_PREFIXES: [&str; 8] =
    ["citation_", "doi", "dc:", "dc.", "dcterms.", "prism.", "eprints.", "bepress_citation_"];

/// Chooses among what was found.
pub(super) struct Reader<'a> {
    dom: Dom<'a>,
    found: &'a Found<'a>,
    graph: Graph<'a>,
    sites: SiteNames,
    headline: OnceCell<Option<String>>,
    byline: OnceCell<Byline>,
    /// The page's own address.
    page: Option<&'a Url>,
    /// What its links are relative to.
    base: Option<&'a Url>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(dom: Dom<'a>, found: &'a Found<'a>, page: Option<&'a Url>, base: Option<&'a Url>) -> Reader<'a> {
        let graph = Graph::of(&found.json_ld);
        let sites = site_names(found, &graph, page);
        Reader { dom, found, graph, sites, headline: OnceCell::new(), byline: OnceCell::new(), page, base }
    }
}

impl Reader<'_> {
    pub(super) fn title(&self) -> Option<String> {
        let named =
            || ["og:title", "twitter:title"].iter().find_map(|name| self.found.meta_content(name)).map(one_line);
        self.found.title.clone().or_else(named).or_else(|| self.found.headings.first().cloned())
    }

    pub(super) fn headline(&self) -> Option<String> {
        self.headline.get_or_init(|| self.choose_headline()).clone()
    }

    fn choose_headline(&self) -> Option<String> {
        let in_metas = ["og:title", "citation_title", "dc.title"];
        let in_metas = in_metas.iter().filter_map(|name| self.first_meta(&[name]));
        let titles = Titles {
            title: self.found.title.as_deref(),
            said: self.first_string("headline").into_iter().chain(in_metas).collect(),
            headings: &self.found.headings,
            subheadings: &self.found.subheadings,
            sites: &self.sites,
        };
        let headline = titles.headline()?;
        let starts = headline::starts(&headline);
        let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
        let shown = anchor::shown(self.dom, &starts).map(str::to_owned);
        Some(shown.unwrap_or(headline))
    }

    pub(super) fn canonical(&self) -> Option<Url> {
        let links = self.found.links.iter().filter(|link| link.has_rel("canonical"));
        let links = links.filter_map(|link| web_url(self.base, link.href));
        canonical::choose(links.chain(self.url(self.found.meta_content("og:url"))), self.page)
    }

    pub(super) fn language(&self) -> Option<String> {
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
        let by_title = self.found.title.as_deref().and_then(language::of_title);
        // Templates of sites abroad say `en` on pages in Chinese.
        told.filter(|tag| by_title.is_none() || language::has_chinese_letters(tag)).or(by_title)
    }

    pub(super) fn description(&self) -> Option<String> {
        let in_metas = |names: &[&str]| names.iter().find_map(|name| self.found.meta_content(name));
        in_metas(&["description", "og:description", "twitter:description"])
            .or_else(|| self.string("description"))
            .or_else(|| in_metas(&["dc.description", "citation_abstract"]))
            .map(without_tags)
    }

    pub(super) fn authors(&self) -> Vec<String> {
        let is_site = |name: &str| self.sites.has(name) || self.title_names_site(name);
        let editors = Editors::of(self.dom);
        // Who writes and edits is an author.
        let is_editor = |name: &str| editors.have(name) && !self.byline().authors.iter().any(|author| author == name);
        authors::choose(self.found, &self.graph, is_site, is_editor, || self.byline().authors.clone())
    }

    fn title_names_site(&self, name: &str) -> bool {
        let title = self.found.title.as_deref().zip(self.headline());
        title.is_some_and(|(title, headline)| site::is_in_title(name, title, &headline))
    }

    pub(super) fn site_name(&self) -> Option<String> {
        self.first_meta(&["og:site_name"])
            .or_else(|| self.publisher())
            .or_else(|| self.first_meta(&["application-name", "citation_publisher", "dc.publisher"]))
            .or_else(|| site::in_title(self.found.title.as_deref()?, &self.headline()?))
    }

    fn publisher(&self) -> Option<String> {
        let publishers = self.graph.objects.iter().flat_map(|object| self.graph.names(object.get("publisher")));
        publishers.map(|name| plain(&name)).next()
    }

    pub(super) fn published(&self) -> Option<String> {
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

    pub(super) fn modified(&self) -> Option<String> {
        self.first_date(&MODIFIED_NAMES[..3])
            .or_else(|| self.json_date("dateModified"))
            .or_else(|| times::marked(self.dom, &self.found.times, "datemodified"))
            .or_else(|| self.first_date(&MODIFIED_NAMES[3..]))
            .or_else(|| self.byline().modified.clone())
            .or_else(|| times::modified(self.dom, &self.found.times))
    }

    pub(super) fn keywords(&self) -> Vec<String> {
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

    pub(super) fn licence(&self) -> Option<String> {
        licence::choose(self.dom, self.found, &self.graph, self.base)
    }

    pub(super) fn image(&self) -> Option<Url> {
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

    pub(super) fn robots(&self) -> Vec<String> {
        let words = self.found.meta_contents("robots").flat_map(|content| content.split(','));
        let words: Vec<String> = words.map(|word| word.trim().to_ascii_lowercase()).collect();
        distinct(words.iter().map(String::as_str))
    }

    pub(super) fn feeds(&self) -> Vec<Feed> {
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

    pub(super) fn pairs(&self, prefixes: &[&str]) -> Vec<(String, String)> {
        let has_prefix = |name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let named = self.found.metas.iter().filter(|(name, _)| has_prefix(name));
        named.map(|(name, content)| (name.clone(), plain(content))).collect()
    }

    pub(super) fn first_meta(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.found.meta_content(name)).map(plain)
    }

    fn first_date(&self, names: &[&str]) -> Option<String> {
        names.iter().flat_map(|name| self.found.meta_contents(name)).find_map(date::filled)
    }

    fn json_date(&self, key: &str) -> Option<String> {
        self.graph.objects.iter().flat_map(|object| json_ld::strings(object.get(key))).find_map(date::filled)
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

    pub(super) fn link(&self, rel: &str) -> Option<Url> {
        let links = self.found.links.iter().filter(|link| link.has_rel(rel));
        links.filter_map(|link| web_url(self.base, link.href)).next()
    }
}

/// Objects of JSON-LD that are asked who publishes the page.
const PUBLISHERS_MAX: usize = 50;

/// All names that a page tells of its site, and its host; none on the home page, where the site is what the page is about.
fn site_names(found: &Found<'_>, graph: &Graph<'_>, page: Option<&Url>) -> SiteNames {
    if page.is_some_and(|page| page.path() == "/" && page.query().is_none()) {
        return SiteNames::default();
    }
    let in_metas = ["og:site_name", "application-name", "apple-mobile-web-app-title", "citation_publisher"];
    let in_metas = in_metas.iter().filter_map(|name| found.meta_content(name));
    let is_site =
        |object: &&&Map<String, Value>| json_ld::is_a(object, &["WebSite", "Organization", "NewsMediaOrganization"]);
    let publishers = graph.objects.iter().take(PUBLISHERS_MAX).map(|object| object.get("publisher"));
    let sites = graph.objects.iter().filter(is_site).take(PUBLISHERS_MAX);
    let owners = sites.flat_map(|object| ["name", "alternateName"].map(|key| object.get(key)));
    let in_json: Vec<String> = publishers.chain(owners).flat_map(|value| graph.names(value)).collect();
    let names = in_metas.chain(in_json.iter().map(String::as_str));
    SiteNames::new(names, page.and_then(Url::host_str))
}
