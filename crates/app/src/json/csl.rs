//! A citation as CSL-JSON, the form that Zotero, pandoc and citeproc read.

use kuai_page::{Citation, CitationKind, Name};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct CslJson<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    author: Vec<NameJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<DateJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    container_title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    #[serde(rename = "DOI", skip_serializing_if = "Option::is_none")]
    doi: Option<&'a str>,
    #[serde(rename = "ISSN", skip_serializing_if = "Option::is_none")]
    issn: Option<String>,
    #[serde(rename = "ISBN", skip_serializing_if = "Option::is_none")]
    isbn: Option<&'a str>,
    #[serde(rename = "URL", skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(rename = "abstract", skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keyword: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum NameJson<'a> {
    Person { family: &'a str, given: &'a str },
    Whole { literal: &'a str },
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct DateJson {
    date_parts: [Vec<u16>; 1],
}

impl<'a> CslJson<'a> {
    /// `id` tells the entry from others of its list.
    pub(crate) fn new(citation: &'a Citation, id: &'a str) -> CslJson<'a> {
        let joined = |list: &[String]| (!list.is_empty()).then(|| list.join(", "));
        CslJson {
            id: citation.url.as_deref().unwrap_or(id),
            kind: kind(citation.kind),
            title: citation.title.as_deref(),
            author: citation.authors.iter().map(NameJson::new).collect(),
            issued: citation.date.as_deref().map(DateJson::new),
            container_title: citation.container.as_deref(),
            publisher: citation.publisher.as_deref(),
            volume: citation.volume.as_deref(),
            issue: citation.issue.as_deref(),
            page: citation.first_page.as_ref().map(|first| match &citation.last_page {
                Some(last) => format!("{first}-{last}"),
                None => first.clone(),
            }),
            doi: citation.doi.as_deref(),
            issn: joined(&citation.issn),
            isbn: citation.isbn.as_deref(),
            url: citation.url.as_deref(),
            language: citation.language.as_deref(),
            summary: citation.summary.as_deref(),
            keyword: joined(&citation.keywords),
        }
    }
}

impl<'a> NameJson<'a> {
    fn new(name: &'a Name) -> NameJson<'a> {
        match name {
            Name::Person { family, given } => NameJson::Person { family, given },
            Name::Whole(literal) => NameJson::Whole { literal },
        }
    }
}

impl DateJson {
    fn new(date: &str) -> DateJson {
        DateJson { date_parts: [date.split('-').filter_map(|part| part.parse().ok()).collect()] }
    }
}

fn kind(kind: CitationKind) -> &'static str {
    match kind {
        CitationKind::Article => "article-journal",
        CitationKind::Paper => "paper-conference",
        CitationKind::Chapter => "chapter",
        CitationKind::Book => "book",
        CitationKind::Thesis => "thesis",
        CitationKind::Report => "report",
        CitationKind::Page => "webpage",
    }
}
