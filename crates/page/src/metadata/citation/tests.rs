//! Pages of publishers, and how they are cited.

use super::*;
use crate::{Limits, Page};

fn citation(html: &str) -> Citation {
    let url = Url::parse("https://example.org/a").expect("a valid address");
    let page = Page::from_bytes(html.as_bytes(), Some(&url), None, &Limits::default());
    page.metadata().citation(page.url())
}

fn person(family: &str, given: &str) -> Name {
    Name::Person { family: family.to_owned(), given: given.to_owned() }
}

/// A journal's page, as Highwire's metas have it.
const JOURNAL: &str = "<title>Fog | Journal</title><meta name=citation_title content='Fog &amp; light: 50% more'>\
    <meta name=citation_author content='Holm, Ines'><meta name=citation_author content='Jan van der Berg'>\
    <meta name=citation_author content='王小明'><meta name=citation_publication_date content='2024/03/05'>\
    <meta name=citation_journal_title content='Journal of Fog'><meta name=citation_volume content=12>\
    <meta name=citation_issue content=3><meta name=citation_firstpage content=45><meta name=citation_lastpage content=67>\
    <meta name=citation_doi content='https://doi.org/10.1000/fog.12'><meta name=citation_issn content=1234-567X>\
    <meta name=citation_pdf_url content='https://example.org/fog.pdf'><meta name=citation_keywords content='fog; light'>";

#[test]
fn highwire_metas_make_an_article() {
    let found = citation(JOURNAL);
    assert_eq!(found.kind, CitationKind::Article);
    assert_eq!(found.title.as_deref(), Some("Fog & light: 50% more"));
    assert_eq!(
        found.authors,
        [person("Holm", "Ines"), person("van der Berg", "Jan"), Name::Whole("王小明".to_owned())]
    );
    assert_eq!(found.date.as_deref(), Some("2024-03-05"));
    assert_eq!((found.volume.as_deref(), found.issue.as_deref()), (Some("12"), Some("3")));
    assert_eq!((found.first_page.as_deref(), found.last_page.as_deref()), (Some("45"), Some("67")));
    assert_eq!(found.doi.as_deref(), Some("10.1000/fog.12"));
    assert_eq!(found.issn, ["1234-567X"]);
    assert_eq!(found.pdf.as_deref(), Some("https://example.org/fog.pdf"));
    assert_eq!(found.keywords, ["fog", "light"]);
}

#[test]
fn json_ld_tells_journal_volume_and_issue_from_what_the_article_is_part_of() {
    let found = citation(
        r#"<script type="application/ld+json">{"@type":"ScholarlyArticle","headline":"Fog","author":{"name":"Ines Holm"},
        "sameAs":"https://doi.org/10.1000/fog","datePublished":"2024-03","pageStart":"1","pageEnd":"9",
        "isPartOf":{"@type":"PublicationIssue","issueNumber":2,"isPartOf":{"@type":"PublicationVolume","volumeNumber":"7",
        "isPartOf":{"@type":"Periodical","name":"Journal of Fog","issn":["1234-5678"]}}}}</script>"#,
    );
    assert_eq!(found.container.as_deref(), Some("Journal of Fog"));
    assert_eq!(
        (found.volume.as_deref(), found.issue.as_deref(), found.date.as_deref()),
        (Some("7"), Some("2"), Some("2024-03"))
    );
    assert_eq!((found.doi.as_deref(), found.issn), (Some("10.1000/fog"), vec!["1234-5678".to_owned()]));
    assert_eq!(found.authors, [person("Holm", "Ines")]);
}

#[test]
fn prism_and_dublin_core_are_read() {
    let found = citation(
        "<meta name=dc.title content=Fog><meta name=DC.Creator content='Holm, Ines'><meta name=prism.publicationName content='Fog Letters'>\
         <meta name=prism.doi content='doi:10.1000/1'><meta name=prism.issn content=12345678><meta name=prism.pageRange content='3-9'>\
         <meta name=dc.date content=2019>",
    );
    assert_eq!(found.container.as_deref(), Some("Fog Letters"));
    assert_eq!((found.doi.as_deref(), found.issn.len(), found.date.as_deref()), (Some("10.1000/1"), 1, Some("2019")));
    assert_eq!((found.first_page.as_deref(), found.last_page.as_deref()), (Some("3"), Some("9")));
}

#[test]
fn a_plain_page_is_cited_by_title_date_and_address() {
    let found = citation("<title>Fog - Harbour</title><h1>Fog</h1><p>By Ines Holm</p><p>March 5, 2024</p>");
    assert_eq!((found.kind, found.title.as_deref()), (CitationKind::Page, Some("Fog")));
    assert_eq!((found.date.as_deref(), found.url.as_deref()), (Some("2024-03-05"), Some("https://example.org/a")));
    assert_eq!(found.authors, [person("Holm", "Ines")]);
    assert!(!Page::from_html("<title>x</title>").metadata().is_scholarly());
}

#[test]
fn bibtex_escapes_what_tex_would_take_for_commands() {
    let entry = citation(JOURNAL).to_bibtex();
    assert!(entry.starts_with("@article{holm2024fog,\n"), "{entry}");
    assert!(entry.contains("  title = {Fog \\& light: 50\\% more},\n"), "{entry}");
    assert!(entry.contains("  author = {Holm, Ines and van der Berg, Jan and {王小明}},\n"), "{entry}");
    assert!(entry.contains("  pages = {45--67},\n") && entry.contains("  month = mar,\n"), "{entry}");
    assert!(entry.ends_with("}\n"), "{entry}");
}

#[test]
fn bibtex_of_a_page_without_metadata_is_a_misc_entry() {
    let entry = citation("<title>雾 {与} 光_100%</title><h1>雾 {与} 光_100%</h1>").to_bibtex();
    assert!(entry.starts_with("@misc{exampleorg") && !entry.starts_with("@misc{exampleorg,"), "{entry}");
    assert!(entry.contains("  title = {雾 \\{与\\} 光\\_100\\%},\n"), "{entry}");
    assert!(entry.contains("  url = {https://example.org/a}"), "{entry}");
}

#[test]
fn braces_in_an_entry_always_balance() {
    for title in ["{", "}", "\\", "\\}", "a{b}c", "~^", "$#"] {
        let entry = citation(&format!("<title>{title}</title>")).to_bibtex();
        let escaped = entry.replace("\\{", "").replace("\\}", "");
        assert_eq!(escaped.matches('{').count(), escaped.matches('}').count(), "{entry}");
    }
}

#[test]
fn keys_of_pages_without_latin_words_differ_by_address() {
    let key = |path: &str| {
        let url = Url::parse(&format!("https://example.org/{path}")).expect("a valid address");
        let page = Page::from_bytes("<title>雾</title>".as_bytes(), Some(&url), None, &Limits::default());
        page.metadata().citation(page.url()).to_bibtex().lines().next().map(str::to_owned)
    };
    assert_eq!(key("a"), key("a"));
    assert_ne!(key("a"), key("b"));
}

#[test]
fn a_doi_is_written_as_it_is() {
    let entry =
        citation("<meta name=citation_title content=Fog><meta name=citation_doi content=10.1000/fog_1%5>").to_bibtex();
    assert!(entry.contains("  doi = {10.1000/fog_1%5},\n"), "{entry}");
}

#[test]
fn all_ways_in_which_publishers_write_are_read() {
    let found = citation(
        "<meta name=citation_title content=Fog><meta name=citation_authors content='Holm, Ines; Berg, Jan'>\
         <meta name=citation_issnOnline content=1234567X><meta name=citation_arxiv_id content=2401.00001v2>\
         <meta name=citation_publication_date content='March 2024'><meta name=citation_pdf_url content=/fog.pdf>",
    );
    assert_eq!(found.authors, [person("Holm", "Ines"), person("Berg", "Jan")]);
    assert_eq!(found.issn, ["1234-567X"]);
    assert_eq!(
        (found.doi.as_deref(), found.arxiv.as_deref()),
        (Some("10.48550/arXiv.2401.00001"), Some("2401.00001v2"))
    );
    assert_eq!((found.date.as_deref(), found.pdf.as_deref()), (Some("2024-03"), Some("https://example.org/fog.pdf")));
    let found = citation(
        "<meta name=DC:title content=Fog><meta name=doi content=10.1000/1><meta name=DC:date content=05/2024>",
    );
    assert_eq!(
        (found.title.as_deref(), found.doi.as_deref(), found.date.as_deref()),
        (Some("Fog"), Some("10.1000/1"), Some("2024-05"))
    );
    let names =
        citation("<meta name=citation_title content=Fog><meta name=citation_authors content='Ines Holm, Jan Berg'>")
            .authors;
    assert_eq!(names, [person("Holm", "Ines"), person("Berg", "Jan")]);
}

#[test]
fn a_journal_is_found_in_lists_and_where_references_lead() {
    let found = citation(
        r##"<script type="application/ld+json">{"@graph":[{"@type":"ScholarlyArticle","name":"Fog","isPartOf":[{"@id":"#i"}]},
        {"@id":"#i","@type":"PublicationIssue","issueNumber":"2","isPartOf":{"@id":"#j"}},
        {"@id":"#j","@type":"Periodical","name":"Journal of Fog","issn":"1234-5678"}]}</script>"##,
    );
    assert_eq!((found.container.as_deref(), found.issue.as_deref()), (Some("Journal of Fog"), Some("2")));
    assert_eq!(found.issn, ["1234-5678"]);
}

#[test]
fn a_body_that_data_tell_is_cited_whole() {
    let authors = |kind: &str| {
        citation(&format!(
            r#"<script type="application/ld+json">{{"@type":"Article","author":{{"@type":"{kind}","name":"Fog Light"}}}}</script>"#
        ))
        .authors
    };
    assert_eq!(authors("Organization"), [Name::Whole("Fog Light".to_owned())]);
    assert_eq!(authors("Person"), [person("Light", "Fog")]);
    assert_eq!(
        citation("<meta name=author content='Ines Holm, Jan Berg'>").authors,
        [person("Holm", "Ines"), person("Berg", "Jan")]
    );
}
