//! The documents inside an EPUB: what it consists of, its contents list, its chapters.

use std::collections::HashMap;
use std::fmt::Write;

use kuai_page::Timestamp;

use super::xml::escape;
use super::{Book, Chapter};

/// Says where the package document is.
pub(super) const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/content.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"#;

pub(super) const STYLE: &str = "\
body { line-height: 1.6; margin: 1em; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; }
p { margin: 0.6em 0; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.5em; text-align: start; vertical-align: top; }
";

/// The name of a chapter's file.
pub(super) fn chapter_file(index: usize) -> String {
    format!("chapter-{:05}.xhtml", index + 1)
}

/// The package document: title and origin, all files, the order of reading.
pub(super) fn package(book: &Book) -> String {
    let author = book.author.as_deref().map(|author| format!("    <dc:creator>{}</dc:creator>\n", escape(author)));
    let mut manifest = String::new();
    let mut spine = String::new();
    for index in 0..book.chapters.len() {
        let (number, file) = (index + 1, chapter_file(index));
        let _ = writeln!(manifest, r#"    <item id="c{number}" href="{file}" media-type="application/xhtml+xml"/>"#);
        let _ = writeln!(spine, r#"    <itemref idref="c{number}"/>"#);
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="source" xml:lang="{language}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="source">{source}</dc:identifier>
    <dc:title>{title}</dc:title>
    <dc:language>{language}</dc:language>
{author}    <dc:source>{source}</dc:source>
    <meta property="dcterms:modified">{time}</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="style" href="style.css" media-type="text/css"/>
{manifest}  </manifest>
  <spine>
    <itemref idref="nav"/>
{spine}  </spine>
</package>
"#,
        language = language(book),
        source = escape(book.source.as_str()),
        title = escape(title_or_source(book)),
        author = author.unwrap_or_default(),
        time = whole_second(book.time),
    )
}

/// The contents list, which is also the title page.
pub(super) fn contents(book: &Book) -> String {
    let mut body = format!("<h1>{}</h1>\n", escape(title_or_source(book)));
    for line in book.origin() {
        let _ = writeln!(body, "<p>{}</p>", escape(&line));
    }
    body.push_str("<nav epub:type=\"toc\" id=\"toc\">\n<ol>\n");
    for (index, chapter) in book.chapters.iter().enumerate() {
        let _ = writeln!(body, r#"<li><a href="{}">{}</a></li>"#, chapter_file(index), escape(name(chapter)));
    }
    body.push_str("</ol>\n</nav>\n");
    document(book, title_or_source(book), &body)
}

/// The files of chapters by the addresses they were collected from, written as in a quoted value.
pub(super) type ChapterFiles = HashMap<String, String>;

pub(super) fn chapter_files(book: &Book) -> ChapterFiles {
    let file = |(index, chapter): (usize, &Chapter)| (escape(chapter.url.as_str()).into_owned(), chapter_file(index));
    book.chapters.iter().enumerate().map(file).collect()
}

/// A chapter; links to other chapters stay inside the book.
pub(super) fn chapter(book: &Book, chapter: &Chapter, files: &ChapterFiles) -> String {
    let body = link_chapters(&chapter.parts.concat(), files);
    document(book, name(chapter), &format!("<h2>{}</h2>\n{body}", escape(name(chapter))))
}

fn document(book: &Book, title: &str, body: &str) -> String {
    let (language, title) = (language(book), escape(title));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}" xml:lang="{language}">
<head>
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
{body}</body>
</html>
"#
    )
}

/// A chapter's text with the addresses of other chapters replaced by their files. A quotation mark in the text is always escaped, so what looks
/// like a link is one.
fn link_chapters(body: &str, files: &ChapterFiles) -> String {
    const LINK: &str = " href=\"";
    let mut pieces = body.split(LINK);
    let mut linked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (address, rest) = piece.split_once('"').unwrap_or((piece, ""));
        let page = address.split('#').next().unwrap_or(address);
        let target = files.get(page).map_or(address, String::as_str);
        linked.extend([LINK, target, "\"", rest]);
    }
    linked
}

/// The language, where it looks like one; otherwise "undetermined", which is one too.
fn language(book: &Book) -> &str {
    let is_tag = |tag: &&str| {
        tag.split('-').all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    book.language.as_deref().filter(is_tag).unwrap_or("und")
}

/// A book must have a title.
fn title_or_source(book: &Book) -> &str {
    if book.title.trim().is_empty() { book.source.as_str() } else { &book.title }
}

/// A chapter must have a name.
fn name(chapter: &Chapter) -> &str {
    if chapter.title.trim().is_empty() { chapter.url.as_str() } else { &chapter.title }
}

/// The only form of a time that a package document may have.
fn whole_second(time: Timestamp) -> String {
    Timestamp::from_second(time.as_second()).unwrap_or(time).to_string()
}
