//! How a page is cited: what libraries and writers need of it, gathered from all the ways in which publishers say it.
//!
//! Highwire (`citation_*`), PRISM, Dublin Core, BE Press, JSON-LD, and at last what any page says of itself.

mod identifiers;
mod names;
mod work;

use std::collections::HashSet;

use serde_json::Value;
use url::Url;

use super::json_ld::{self, Graph};
use super::{Metadata, months, person};
use crate::text::one_line;
use identifiers::{arxiv, doi, issn};
use work::Work;

/// What kind of work is cited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CitationKind {
    /// An article of a journal.
    Article,
    /// A paper of a conference.
    Paper,
    /// A chapter of a book.
    Chapter,
    /// A book.
    Book,
    /// A thesis.
    Thesis,
    /// A report.
    Report,
    /// A page of the Web.
    #[default]
    Page,
}

/// Who wrote a work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A person whose family name is known.
    Person {
        /// The family name, with its particles.
        family: String,
        /// The given names.
        given: String,
    },
    /// A name that is not to be taken apart: of a body, or in a script where nothing tells the parts.
    Whole(String),
}

/// How a page is cited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citation {
    /// What kind of work it is.
    pub kind: CitationKind,
    /// Its title.
    pub title: Option<String>,
    /// Who wrote it.
    pub authors: Vec<Name>,
    /// When it was published: `2024`, `2024-03` or `2024-03-05`.
    pub date: Option<String>,
    /// The journal, proceedings, book or site that it is in.
    pub container: Option<String>,
    /// Who published it.
    pub publisher: Option<String>,
    /// The volume.
    pub volume: Option<String>,
    /// The issue.
    pub issue: Option<String>,
    /// The first page, or the number of the article.
    pub first_page: Option<String>,
    /// The last page.
    pub last_page: Option<String>,
    /// The DOI, without `https://doi.org/`.
    pub doi: Option<String>,
    /// The number of the preprint on arXiv.
    pub arxiv: Option<String>,
    /// The ISSNs of the journal.
    pub issn: Vec<String>,
    /// The ISBN of the book.
    pub isbn: Option<String>,
    /// Where the work is.
    pub url: Option<String>,
    /// Where it is as PDF.
    pub pdf: Option<String>,
    /// The language.
    pub language: Option<String>,
    /// What it says in short.
    pub summary: Option<String>,
    /// What it is about.
    pub keywords: Vec<String>,
    /// Under what licence it may be used.
    pub licence: Option<String>,
}

impl Metadata {
    /// How the page is cited; `url` is its own address.
    pub fn citation(&self, url: Option<&Url>) -> Citation {
        let graph = Graph::of(&self.json_ld);
        Sources { metadata: self, bodies: graph.bodies(), work: Work::find(&graph), url }.citation()
    }

    /// Whether the page speaks of itself in a way made for scholars.
    pub fn is_scholarly(&self) -> bool {
        let says_so =
            |name: &str| ["citation_title", "citation_doi", "prism.doi", "bepress_citation_title"].contains(&name);
        let is_work = || json_ld::objects(&self.json_ld).into_iter().any(work::is_scholarly);
        self.scholarly.iter().any(|(name, _)| says_so(name)) || is_work()
    }
}

/// All that a page says of itself, asked in order.
struct Sources<'a> {
    metadata: &'a Metadata,
    /// Names of bodies.
    bodies: HashSet<String>,
    /// JSON-LD of the work, if it is a scholarly one.
    work: Option<Work<'a>>,
    /// The page's own address.
    url: Option<&'a Url>,
}

impl Sources<'_> {
    fn citation(&self) -> Citation {
        let metadata = self.metadata;
        let kind = self.kind();
        let own = || metadata.headline.clone().or_else(|| metadata.title.clone());
        let site = || metadata.site_name.clone().filter(|_| kind == CitationKind::Page);
        let (first_page, last_page) = self.pages();
        Citation {
            kind,
            title: self
                .first(&["citation_title", "bepress_citation_title", "prism.title", "dc.title", "eprints.title"])
                .or_else(|| self.json("headline"))
                .or_else(|| self.json("name"))
                .or_else(own),
            authors: self.authors(),
            date: self.date(),
            container: self.container().or_else(site),
            publisher: self
                .first(&[
                    "citation_publisher",
                    "citation_dissertation_institution",
                    "citation_technical_report_institution",
                    "dc.publisher",
                    "prism.publisher",
                ])
                .or_else(|| self.json("publisher")),
            volume: self
                .first(&["citation_volume", "prism.volume", "bepress_citation_volume"])
                .or_else(|| self.part("volumeNumber")),
            issue: self
                .first(&["citation_issue", "prism.number", "prism.issueidentifier", "bepress_citation_issue"])
                .or_else(|| self.part("issueNumber")),
            first_page,
            last_page,
            doi: self.doi(),
            issn: self.issn(),
            isbn: self.first(&["citation_isbn", "prism.isbn"]).or_else(|| self.json("isbn")),
            url: self.address(),
            arxiv: self.arxiv(),
            pdf: self
                .first(&["citation_pdf_url", "bepress_citation_pdf_url", "eprints.document_url"])
                .map(|pdf| self.absolute(pdf)),
            language: self.first(&["citation_language", "dc.language"]).or_else(|| metadata.language.clone()),
            summary: self
                .first(&["citation_abstract", "dc.description", "dcterms.abstract"])
                .or_else(|| metadata.description.clone()),
            keywords: self.keywords(),
            licence: metadata.licence.clone(),
        }
    }

    fn kind(&self) -> CitationKind {
        let says = |name: &str| self.metadata.scholarly.iter().any(|(found, value)| found == name && !value.is_empty());
        let kinds = self.work.as_ref().map(|work| json_ld::strings(work.get("@type"))).unwrap_or_default();
        let is_kind = |kind: &str| kinds.iter().any(|found| found.ends_with(kind));
        if says("citation_dissertation_institution") || is_kind("Thesis") {
            CitationKind::Thesis
        } else if says("citation_conference_title") || says("citation_conference") {
            CitationKind::Paper
        } else if says("citation_technical_report_institution") || is_kind("Report") {
            CitationKind::Report
        } else if says("citation_inbook_title") || says("citation_book_title") || is_kind("Chapter") {
            CitationKind::Chapter
        } else if self.container().is_some() || is_kind("ScholarlyArticle") {
            CitationKind::Article
        } else if (says("citation_isbn") && says("citation_title")) || is_kind("Book") {
            CitationKind::Book
        } else {
            CitationKind::Page
        }
    }

    fn authors(&self) -> Vec<Name> {
        let named = [
            "citation_author",
            "bepress_citation_author",
            "dc.creator",
            "dc.contributor.author",
            "eprints.creators_name",
        ];
        let listed =
            || Some(self.all("citation_authors").iter().flat_map(|list| person::listed(list)).collect::<Vec<_>>());
        let lists = named.iter().map(|name| self.all(name)).find(|names| !names.is_empty());
        let lists = lists.or_else(|| listed().filter(|names| !names.is_empty()));
        let names = lists.unwrap_or_else(|| self.metadata.authors.clone());
        let split = names.iter().flat_map(|name| name.split(';')).map(str::trim).filter(|name| !name.is_empty());
        split.map(|name| self.name(name)).collect()
    }

    fn name(&self, name: &str) -> Name {
        if self.bodies.contains(name) { Name::Whole(one_line(name)) } else { names::parts(name) }
    }

    fn date(&self) -> Option<String> {
        let named = [
            "citation_publication_date",
            "citation_date",
            "prism.publicationdate",
            "bepress_citation_date",
            "citation_online_date",
            "dc.date.issued",
            "dcterms.issued",
            "citation_year",
            "dc.date",
        ];
        let in_metas = self.first(&named).and_then(|text| day(&text));
        in_metas.or_else(|| self.json("datePublished").and_then(|text| day(&text))).or_else(|| {
            let published = self.metadata.published.as_ref()?;
            Some(published.get(..10).unwrap_or(published).to_owned())
        })
    }

    fn container(&self) -> Option<String> {
        let named = [
            "citation_journal_title",
            "citation_conference_title",
            "citation_conference",
            "citation_inbook_title",
            "citation_book_title",
            "prism.publicationname",
            "bepress_citation_journal_title",
            "dc.source",
            "dcterms.ispartof",
        ];
        let journal = || self.work.as_ref()?.journal();
        self.first(&named).or_else(journal)
    }

    fn pages(&self) -> (Option<String>, Option<String>) {
        let first = self
            .first(&["citation_firstpage", "prism.startingpage", "bepress_citation_firstpage"])
            .or_else(|| self.part("pageStart"));
        let last = self
            .first(&["citation_lastpage", "prism.endingpage", "bepress_citation_lastpage"])
            .or_else(|| self.part("pageEnd"));
        if first.is_some() {
            return (first, last);
        }
        let range = self.first(&["citation_pages", "prism.pagerange"]).or_else(|| self.part("pagination"));
        let Some(range) = range else { return (None, None) };
        match range.split_once(['-', '–', '—']) {
            Some((first, last)) => (Some(first.trim().to_owned()), Some(last.trim_matches(['-', ' ']).to_owned())),
            None => (Some(range), None),
        }
    }

    fn doi(&self) -> Option<String> {
        let named = [
            "citation_doi",
            "doi",
            "prism.doi",
            "bepress_citation_doi",
            "dc.identifier.doi",
            "dc.identifier",
            "dcterms.identifier",
        ];
        let in_metas = named.iter().flat_map(|name| self.all(name)).find_map(|text| doi(&text));
        let in_work = || {
            let work = self.work.as_ref()?;
            let values = ["doi", "identifier", "sameAs", "@id", "url"].iter().filter_map(|key| work.get(key));
            values.flat_map(all_strings).find_map(doi)
        };
        // arXiv registers a DOI for each number, whatever its version.
        let of_preprint = || {
            let number = self.arxiv()?;
            let version =
                number.rfind('v').filter(|&place| number[place + 1..].bytes().all(|byte| byte.is_ascii_digit()));
            Some(format!("10.48550/arXiv.{}", &number[..version.unwrap_or(number.len())]))
        };
        in_metas.or_else(in_work).or_else(of_preprint)
    }

    fn arxiv(&self) -> Option<String> {
        self.first(&["citation_arxiv_id"]).and_then(|text| arxiv(&text))
    }

    fn issn(&self) -> Vec<String> {
        let named = [
            "citation_issn",
            "citation_issnprint",
            "citation_issnonline",
            "citation_eissn",
            "citation_print_issn",
            "citation_online_issn",
            "prism.issn",
            "prism.eissn",
            "bepress_citation_issn",
            "dc.source.issn",
        ];
        let in_metas: Vec<String> = named.iter().flat_map(|name| self.all(name)).collect();
        let said = if in_metas.is_empty() { self.part("issn").into_iter().collect() } else { in_metas };
        let found: Vec<String> = said.iter().flat_map(|list| list.split([',', ';', ' '])).filter_map(issn).collect();
        super::distinct(found.iter().map(String::as_str))
    }

    fn keywords(&self) -> Vec<String> {
        let own = self.all("citation_keywords");
        if own.is_empty() {
            return self.metadata.keywords.clone();
        }
        own.iter()
            .flat_map(|list| list.split([';', ',', '；', '，']))
            .map(one_line)
            .filter(|word| !word.is_empty())
            .collect()
    }

    fn address(&self) -> Option<String> {
        let canonical = self.metadata.canonical.as_ref().or(self.url).map(ToString::to_string);
        canonical.or_else(|| {
            self.first(&["citation_abstract_html_url", "citation_public_url", "citation_fulltext_html_url"])
        })
    }

    /// An address as it is from the page's own.
    fn absolute(&self, address: String) -> String {
        self.url.and_then(|url| url.join(&address).ok()).map_or(address, String::from)
    }

    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.all(name).into_iter().next())
    }

    fn all(&self, name: &str) -> Vec<String> {
        let is_named = |found: &str| {
            found == name || found.strip_prefix("dc:").is_some_and(|rest| name.strip_prefix("dc.") == Some(rest))
        };
        let named = self.metadata.scholarly.iter().filter(|(found, value)| is_named(found) && !value.is_empty());
        named.map(|(_, value)| value.clone()).collect()
    }

    fn json(&self, key: &str) -> Option<String> {
        self.work.as_ref()?.text(key)
    }

    /// A property of the work, or of what it is part of.
    fn part(&self, key: &str) -> Option<String> {
        self.work.as_ref()?.part(key)
    }
}

/// `2024`, `2024-03` or `2024-03-05`, of what metas write: `2024/3/5`, `2024/03`, `05/2024`, `2024`, `March 2024`.
fn day(text: &str) -> Option<String> {
    if let Some(date) = super::date::normalise(text) {
        return Some(date.get(..10)?.to_owned());
    }
    let parts: Vec<&str> =
        text.split(['/', '-', '.', ' ', ',']).filter(|part| !part.is_empty()).take(DATE_PARTS_MAX).collect();
    let is_year = |part: &&&str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let year = parts.iter().find(is_year)?;
    let number = |part: &str| part.parse::<i32>().ok().filter(|month| part.len() <= 2 && (1..=12).contains(month));
    let month = match parts.as_slice() {
        [first, second, ..] if first == year => number(second).or_else(|| months::named(second)),
        [first, second] if second == year => number(first).or_else(|| months::named(first)),
        _ => None,
    };
    Some(month.map_or_else(|| (*year).to_owned(), |month| format!("{year}-{month:02}")))
}

/// Parts of a date that are looked at.
const DATE_PARTS_MAX: usize = 6;

/// The strings in a value, its list, or the `value` and `@id` of its objects.
fn all_strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items
            .iter()
            .take(20)
            .flat_map(|item| match item {
                Value::Array(_) => Vec::new(),
                item => all_strings(item),
            })
            .collect(),
        Value::Object(object) => ["value", "@id", "url"].iter().filter_map(|key| object.get(*key)?.as_str()).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
