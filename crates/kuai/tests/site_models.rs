//! A collected work is cleaned by the model of its site, and a site that changed is noticed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Cursor;
use std::time::Duration;

use kuai::{
    BookFormat, CrawlKind, Page, Plan, Politeness, SiteModels, Url, collect, in_memory, work_as_book, write_book,
};
use kuai_crawl::FakeWeb;
use kuai_segment::{Example, SiteModel};
use kuai_store::MemoryFrontier;

const CONTENTS: &str = "http://books.example/log/";

/// What the site says in the middle of every chapter, and a reader does not want.
const NOTE: &str =
    "This chapter was typed by the friends of the library, who would be glad of your letters and your help.";

fn text(number: usize) -> [String; 2] {
    [
        format!("On day {number} the keeper climbed the stairs in the evening, and the lamp was lit at once."),
        format!("Nobody passed but the mail boat, {number} hours late, and the sea was the colour of slate."),
    ]
}

fn chapter(number: usize) -> String {
    let [one, other] = text(number);
    format!("<title>Day {number}</title><div class=text><p>{one}</p><p class=note>{NOTE}</p><p>{other}</p></div>")
}

/// The book that a crawl of these chapters makes, as text.
fn book(chapters: &[String], models: Option<&SiteModels>) -> String {
    let links: String =
        (0..chapters.len()).map(|number| format!("<p><a href={number}.html>Day {number}</a></p>")).collect();
    let mut web = FakeWeb::new().page(CONTENTS, format!("<title>The log</title>{links}"));
    for (number, chapter) in chapters.iter().enumerate() {
        web = web.page(&format!("{CONTENTS}{number}.html"), chapter.clone());
    }
    let contents = Url::parse(CONTENTS).unwrap();
    let politeness =
        Politeness { delay: Duration::ZERO, patience: Duration::ZERO, connections: 1, ..Politeness::default() };
    let plan = Plan { kind: CrawlKind::Work, politeness, ..Plan::new(vec![contents.clone()]) };
    let (archive, frontier) = (in_memory(), MemoryFrontier::new());
    collect(&archive, &frontier, &web, &plan, &mut |_| true).unwrap();
    let book = work_as_book(&archive, &frontier, &contents, models).unwrap();
    let mut file = Cursor::new(Vec::new());
    write_book(&book, BookFormat::Text, &mut file).unwrap();
    String::from_utf8(file.into_inner()).unwrap()
}

fn models() -> (tempfile::TempDir, SiteModels) {
    let folder = tempfile::tempdir().unwrap();
    let models = SiteModels::beside(folder.path());
    let learnt =
        SiteModel::learn(&[Example { page: &Page::from_html(&chapter(0)), answer: &text(0).join("\n") }]).unwrap();
    models.keep("books.example", &learnt.model).unwrap();
    (folder, models)
}

#[test]
fn a_book_is_cleaned_as_its_site_was_taught() {
    let chapters: Vec<String> = (0..4).map(chapter).collect();
    let (_folder, models) = models();
    let (taught, untaught) = (book(&chapters, Some(&models)), book(&chapters, None));
    assert!(untaught.contains(NOTE) && !taught.contains(NOTE), "{taught}");
    assert!((0..4).all(|number| text(number).iter().all(|line| taught.contains(line))), "{taught}");
    assert!(models.drifts().is_empty());
}

#[test]
fn a_site_that_changed_keeps_its_text_and_is_reported() {
    let changed =
        |number| format!("<title>Day {number}</title><table><tr><td>{}</td></tr></table>", text(number).join(" "));
    let chapters: Vec<String> = (0..6).map(changed).collect();
    let (_folder, models) = models();
    let book = book(&chapters, Some(&models));
    assert!((0..6).all(|number| text(number).iter().all(|line| book.contains(line))), "{book}");
    let drifts = models.drifts();
    assert_eq!(drifts[0].0, "books.example");
    assert!(drifts[0].1.to_string().contains("6 of the last 6 pages do not fit"), "{}", drifts[0].1);
}
