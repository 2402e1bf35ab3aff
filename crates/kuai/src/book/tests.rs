//! Whole books of small pages, read back by an XML parser.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Read};

use kuai_page::{BlockTree, Label, Page};
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::{CompressionMethod, ZipArchive};

use super::*;

const FIRST: &str = r#"<h1>第一章 灯塔</h1><p>守塔人每天傍晚<b>上楼</b>，不管天气 &amp; 风浪。<br>灯要亮到天明。<p>见<a href="2.html#end">下一章</a>，
    <a href="/about?a=1&b=2">说明</a>，<a href="javascript:alert(1)">无</a>。<img src=x.png alt="一座 <灯塔>">"#;

const SECOND: &str = "<ul><li>flour<li>letters<ul>news</ul></ul><table><tr><th>day<th>wind<tr><td>1<td>west</table>\
    <pre>a &lt; b\n  c</pre><li>stray</li><p>A form feed \x0C and a bell \x07 and \u{FFFF}.</p></b></div>";

fn add_page(chapter: &mut Chapter, html: &str, address: &str) {
    let page = Page::from_html(html);
    let blocks = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
    chapter.add_page(&page, &blocks, &Url::parse(address).unwrap());
}

fn chapter(title: &str, address: &str, pages: &[&str]) -> Chapter {
    let mut chapter = Chapter::new(title, Url::parse(address).unwrap());
    pages.iter().for_each(|html| add_page(&mut chapter, html, address));
    chapter
}

fn book() -> Book {
    Book {
        title: "长夜 & <Light>".to_owned(),
        author: Some("Lin \"Lamp\" Mo".to_owned()),
        language: Some("zh-CN".to_owned()),
        source: Url::parse("https://books.example/night/?a=1&b=2").unwrap(),
        time: "2026-01-02T03:04:05.678Z".parse().unwrap(),
        chapters: vec![
            chapter("第一章 灯塔", "https://books.example/night/1.html", &[FIRST]),
            chapter("The boat", "https://books.example/night/2.html", &[SECOND, "<p>The second page of it.</p>"]),
        ],
    }
}

fn written(book: &Book, format: BookFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    write_book(book, format, &mut file).unwrap();
    file.into_inner()
}

fn text(book: &Book, format: BookFormat) -> String {
    String::from_utf8(written(book, format)).unwrap()
}

/// The names and contents of an EPUB's files, in order.
fn files(epub: &[u8]) -> Vec<(String, String)> {
    let mut zip = ZipArchive::new(Cursor::new(epub)).unwrap();
    let mut files = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut content = String::new();
        entry.read_to_string(&mut content).unwrap();
        files.push((entry.name().unwrap().into_owned(), content));
    }
    files
}

/// Fails unless this is well-formed XML; gives the values of an attribute of all elements of a name.
fn values(xml: &str, element: &str, attribute: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let mut values = Vec::new();
    let mut depth = 0;
    loop {
        let event = reader.read_event().unwrap();
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            for found in tag.attributes().map(Result::unwrap) {
                if tag.name().0 == element && found.key.0 == attribute {
                    values.push(found.value.into_owned());
                }
            }
        }
    }
    assert_eq!(depth, 0, "every element is closed");
    values
}

#[test]
fn an_epub_begins_with_its_type_where_readers_look_for_it() {
    let epub = written(&book(), BookFormat::Epub);
    assert_eq!(&epub[30..58], b"mimetypeapplication/epub+zip");
    let mut zip = ZipArchive::new(Cursor::new(epub.as_slice())).unwrap();
    assert_eq!(zip.by_index(0).unwrap().compression(), CompressionMethod::Stored);
}

#[test]
fn an_epub_lists_all_its_files_and_reads_in_the_order_of_the_chapters() {
    let files = files(&written(&book(), BookFormat::Epub));
    let content = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    assert_eq!(values(content("META-INF/container.xml"), "rootfile", "full-path"), ["EPUB/content.opf"]);
    let package = content("EPUB/content.opf");
    let mut listed = values(package, "item", "href");
    let mut inside: Vec<_> = files.iter().filter_map(|(name, _)| name.strip_prefix("EPUB/")).collect();
    inside.retain(|name| *name != "content.opf");
    listed.sort();
    inside.sort();
    assert_eq!(listed, inside);
    assert_eq!(values(package, "itemref", "idref"), ["nav", "c1", "c2"]);
    assert_eq!(values(content("EPUB/nav.xhtml"), "a", "href"), ["chapter-00001.xhtml", "chapter-00002.xhtml"]);
    assert!(package.contains(r#"<meta property="dcterms:modified">2026-01-02T03:04:05Z</meta>"#));
    assert!(package.contains("<dc:language>zh-CN</dc:language>") && package.contains("Lin &quot;Lamp&quot; Mo"));
}

#[test]
fn chapters_are_well_formed_and_keep_what_a_reader_wants() {
    let files = files(&written(&book(), BookFormat::Epub));
    let chapter = |number: usize| &files[files.len() - 3 + number].1;
    let first = chapter(1);
    assert_eq!(values(first, "a", "href"), ["chapter-00002.xhtml", "https://books.example/about?a=1&amp;b=2"]);
    assert_eq!(first.matches("第一章 灯塔").count(), 2, "in the head and above the text, and not a third time");
    assert!(first.contains("<strong>上楼</strong>，不管天气 &amp; 风浪。<br/>") && first.contains("一座 &lt;灯塔&gt;"));
    let second = chapter(2);
    assert_eq!(values(second, "img", "src"), [""; 0]);
    assert!(second.contains("<pre><code>a &lt; b\n  c</code></pre>") && second.contains("<li>stray</li>"), "{second}");
    assert!(second.contains("<p>The second page of it.</p>"));
}

#[test]
fn the_same_book_is_the_same_file() {
    assert_eq!(written(&book(), BookFormat::Epub), written(&book(), BookFormat::Epub));
}

#[test]
fn a_book_without_anything_in_it_is_still_a_book() {
    let empty = Book {
        title: String::new(),
        author: None,
        language: Some("no <such>".to_owned()),
        chapters: Vec::new(),
        ..book()
    };
    let files = files(&written(&empty, BookFormat::Epub));
    files
        .iter()
        .filter(|(name, _)| name.ends_with("ml") || name.ends_with("opf"))
        .for_each(|(_, xml)| drop(values(xml, "", "")));
    assert!(files.iter().any(|(_, content)| content.contains("<dc:language>und</dc:language>")));
}

#[test]
fn plain_text_has_contents_and_chapters() {
    let book = Book {
        chapters: vec![chapter("One", "https://a.example/1", &["<h2>One</h2><p>First.</p><p>Second.</p>"])],
        ..book()
    };
    let expected = "长夜 & <Light>\n\nLin \"Lamp\" Mo\nhttps://books.example/night/?a=1&b=2, 2026-01-02\n\n  One\n\n\nOne\n\nFirst.\n\nSecond.\n";
    assert_eq!(text(&book, BookFormat::Text), expected);
}

#[test]
fn markdown_leads_from_the_contents_to_the_chapters() {
    let markdown = text(&book(), BookFormat::Markdown);
    assert!(markdown.starts_with("# 长夜 & \\<Light>\n"), "{markdown}");
    assert!(markdown.contains("\n2. [The boat](#chapter-2)\n"), "{markdown}");
    assert!(markdown.contains("<a id=\"chapter-2\"></a>\n\n## The boat\n\n- flour\n"), "{markdown}");
    assert!(markdown.contains("[下一章](https://books.example/night/2.html#end)"), "{markdown}");
}

#[test]
fn the_form_is_told_by_the_ending() {
    let format = |name: &str| BookFormat::of_file(Path::new(name));
    assert_eq!(format("night.EPUB"), Some(BookFormat::Epub));
    assert_eq!(format("night.v2.md"), Some(BookFormat::Markdown));
    assert_eq!(format("night.txt"), Some(BookFormat::Text));
    assert_eq!(format("night.pdf"), None);
    assert_eq!(format("epub"), None);
}

proptest::proptest! {
    #[test]
    fn any_page_becomes_well_formed(html in "[<>/&\"'=a-c \\x00-\\x1F灯]{0,40}(<(a href=b|p|li|ul|table|td|pre|h1|br|b)/?>[^<]{0,5}(</(a|p|ul|td|b)>)?){0,12}") {
        let book = Book { chapters: vec![chapter("t", "https://a.example/", &[&html])], ..book() };
        files(&written(&book, BookFormat::Epub)).iter().filter(|(name, _)| name.ends_with("xhtml")).for_each(|(_, xml)| drop(values(xml, "", "")));
    }
}
