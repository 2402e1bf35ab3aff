//! How a page is cited: what libraries and writers need of it, gathered from all the ways in which publishers say it.
//!
//! Highwire (`citation_*`), PRISM, Dublin Core, BE Press, JSON-LD, and at last what any page says of itself.

use serde_json::{Map, Value};
use url::Url;

use super::{Metadata, json_ld};
use crate::text::one_line;

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
        Sources { metadata: self, work: self.scholarly_object() }.citation(url)
    }

    /// Whether the page speaks of itself in a way made for scholars.
    pub fn is_scholarly(&self) -> bool {
        let says_so =
            |name: &str| ["citation_title", "citation_doi", "prism.doi", "bepress_citation_title"].contains(&name);
        self.scholarly.iter().any(|(name, _)| says_so(name)) || self.scholarly_object().is_some()
    }

    fn scholarly_object(&self) -> Option<&Map<String, Value>> {
        let is_work = |kind: &&str| {
            matches!(
                kind.rsplit(['/', ':']).next().unwrap_or(kind),
                "ScholarlyArticle" | "MedicalScholarlyArticle" | "Thesis" | "Book" | "Chapter" | "Report"
            )
        };
        let mut objects = json_ld::objects(&self.json_ld).into_iter();
        objects.find(|object| json_ld::strings(object.get("@type")).iter().any(is_work))
    }
}

/// All that a page says of itself, asked in order.
struct Sources<'a> {
    metadata: &'a Metadata,
    /// JSON-LD of the work, if it is a scholarly one.
    work: Option<&'a Map<String, Value>>,
}

impl Sources<'_> {
    fn citation(&self, url: Option<&Url>) -> Citation {
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
            url: self.address(url),
            pdf: self.first(&["citation_pdf_url", "bepress_citation_pdf_url", "eprints.document_url"]),
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
        let kinds = self.work.map(|work| json_ld::strings(work.get("@type"))).unwrap_or_default();
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
            "citation_authors",
            "bepress_citation_author",
            "dc.creator",
            "dc.contributor.author",
            "eprints.creators_name",
        ];
        let lists = named.iter().map(|name| self.all(name)).find(|names| !names.is_empty());
        let names = lists.unwrap_or_else(|| self.metadata.authors.clone());
        let split = names.iter().flat_map(|name| name.split(';')).map(str::trim).filter(|name| !name.is_empty());
        split.map(name_parts).collect()
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
        let journal = || {
            let mut part = self.work?.get("isPartOf")?;
            // An issue is part of a volume, which is part of a journal: the outermost that has a name.
            let mut name = None;
            for _ in 0..4 {
                name = part.get("name").and_then(Value::as_str).or(name);
                match part.get("isPartOf") {
                    Some(outer) => part = outer,
                    None => break,
                }
            }
            name.map(one_line)
        };
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
            "prism.doi",
            "bepress_citation_doi",
            "dc.identifier.doi",
            "dc.identifier",
            "dcterms.identifier",
        ];
        let in_metas = named.iter().flat_map(|name| self.all(name)).find_map(|text| doi(&text));
        in_metas.or_else(|| {
            let work = self.work?;
            let values = ["doi", "identifier", "sameAs", "@id", "url"].iter().filter_map(|key| work.get(*key));
            values.flat_map(all_strings).find_map(doi)
        })
    }

    fn issn(&self) -> Vec<String> {
        let named = ["citation_issn", "prism.issn", "prism.eissn", "bepress_citation_issn", "dc.source.issn"];
        let in_metas: Vec<String> = named.iter().flat_map(|name| self.all(name)).collect();
        let in_json = || self.part("issn").into_iter().collect();
        let mut found = if in_metas.is_empty() { in_json() } else { in_metas };
        found.retain(|text| is_issn(text));
        found.dedup();
        found
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

    fn address(&self, url: Option<&Url>) -> Option<String> {
        let canonical = self.metadata.canonical.as_ref().or(url).map(ToString::to_string);
        canonical.or_else(|| {
            self.first(&["citation_abstract_html_url", "citation_public_url", "citation_fulltext_html_url"])
        })
    }

    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.all(name).into_iter().next())
    }

    fn all(&self, name: &str) -> Vec<String> {
        let named = self.metadata.scholarly.iter().filter(|(found, value)| found == name && !value.is_empty());
        named.map(|(_, value)| value.clone()).collect()
    }

    fn json(&self, key: &str) -> Option<String> {
        json_ld::strings(self.work?.get(key)).first().map(|text| one_line(text))
    }

    /// A property of the work, or of what it is part of.
    fn part(&self, key: &str) -> Option<String> {
        let mut at = self.work?;
        for _ in 0..4 {
            match at.get(key) {
                Some(Value::String(text)) => return Some(one_line(text)),
                Some(Value::Number(number)) => return Some(number.to_string()),
                Some(Value::Array(values)) => return values.first()?.as_str().map(one_line),
                _ => at = at.get("isPartOf")?.as_object()?,
            }
        }
        None
    }
}

/// Particles that belong to the family name behind them.
const PARTICLES: [&str; 12] = ["van", "von", "der", "den", "de", "del", "della", "di", "da", "du", "la", "le"];

/// The parts of a name, as far as it tells them.
fn name_parts(name: &str) -> Name {
    let name = one_line(name);
    if let Some((family, given)) = name.split_once([',', '，']) {
        let is_plain = !given.trim().is_empty() && !given.contains([',', '，']);
        if is_plain {
            return Name::Person { family: family.trim().to_owned(), given: given.trim().to_owned() };
        }
    }
    let words: Vec<&str> = name.split(' ').collect();
    let is_latin = name.chars().all(|character| character < '\u{250}' || ('\u{1e00}'..'\u{2100}').contains(&character));
    let is_body = words
        .iter()
        .any(|word| ["the", "of", "and", "for", "&", "Inc.", "Ltd", "University", "Team", "Staff"].contains(word));
    if !is_latin || is_body || !(2..=5).contains(&words.len()) {
        return Name::Whole(name);
    }
    let before_last = &words[..words.len() - 1];
    let particles = before_last.iter().rev().take_while(|word| PARTICLES.contains(word)).count();
    let first_of_family = (words.len() - 1 - particles).max(1);
    Name::Person { family: words[first_of_family..].join(" "), given: words[..first_of_family].join(" ") }
}

/// `2024`, `2024-03` or `2024-03-05`, of what metas write: `2024/3/5`, `2024/03`, `2024`, `March 2024`.
fn day(text: &str) -> Option<String> {
    if let Some(date) = super::date::normalise(text) {
        return Some(date.get(..10)?.to_owned());
    }
    let mut numbers = text.split(['/', '-', '.', ' ']).map(str::trim);
    let year = numbers.clone().find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit()))?;
    let begins_with_year = numbers.next() == Some(year);
    let month = numbers
        .next()
        .and_then(|part| part.parse::<u8>().ok())
        .filter(|month| begins_with_year && (1..=12).contains(month));
    Some(month.map_or_else(|| year.to_owned(), |month| format!("{year}-{month:02}")))
}

/// Longer than any DOI.
const DOI_LENGTH_MAX: usize = 300;

fn doi(text: &str) -> Option<String> {
    let start = text.find("10.")?;
    let before = &text[..start];
    let is_said = before.is_empty() || before.ends_with('/') || before.ends_with(':') || before.ends_with(' ');
    let doi = text[start..].split_whitespace().next()?.trim_end_matches(['.', ',', ';']);
    let (prefix, rest) = doi.split_once('/')?;
    let has_prefix = prefix.len() > 4 && prefix[3..].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_said && has_prefix && !rest.is_empty() && doi.len() <= DOI_LENGTH_MAX).then(|| doi.to_owned())
}

fn is_issn(text: &str) -> bool {
    let bytes = text.trim().as_bytes();
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    bytes.len() == 9
        && digits(&bytes[..4])
        && bytes[4] == b'-'
        && digits(&bytes[5..8])
        && matches!(bytes[8], b'0'..=b'9' | b'X' | b'x')
}

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
