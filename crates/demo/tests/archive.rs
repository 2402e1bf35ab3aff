//! The archive of the sample web: what the tour shows is there.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use kuai::search::Index;
use kuai::{Access, Archive, Url, open, search_folder};
use kuai_demo::{DemoError, Town, VISITS, last_visit, make};

const LIBRARY: &str = "http://saltmarsh-library.example";

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// It takes a while to make, so it is made once.
#[test]
fn what_the_tour_shows_is_there() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("demo");
    make(&folder, &Town::open(last_visit()).unwrap(), &mut |_| true).unwrap();
    let archive = open(&folder, Access::Read).unwrap();
    every_page_was_captured_at_every_visit_from_its_first_day_on(&archive);
    all_links_lead_somewhere_but_those_that_broke(&archive);
    tokens_and_counters_are_no_change_of_the_text(&archive);
    the_director_of_each_time_is_found(&archive, &folder);
    the_model_of_the_novels_site_cleans_its_other_chapters(&archive, &folder);
}

fn every_page_was_captured_at_every_visit_from_its_first_day_on(archive: &Archive) {
    for (path, captures) in [("/", 12), ("/news/flood", 5), ("/news/two-hundred-voices", 2), ("/exhibitions/lamps", 12)]
    {
        let page = url(&format!("{LIBRARY}{path}"));
        let history = archive.history(&page).unwrap();
        let seen: usize = history.iter().map(|version| 1 + version.seen_again.len()).sum();
        assert_eq!(seen, captures, "{path}");
    }
    let first = archive.history(&url(&format!("{LIBRARY}/"))).unwrap()[0].time;
    assert_eq!(first.to_string(), format!("{}T09:00:00Z", VISITS[0]));
}

fn all_links_lead_somewhere_but_those_that_broke(archive: &Archive) {
    let rows = archive.urls("", None, 1000).unwrap();
    let missing = |row: &&kuai::UrlRow| archive.snapshot(&url(&row.url), None).unwrap().capture.status == 404;
    let missing: Vec<&str> = rows.iter().filter(missing).map(|row| row.url.as_str()).collect();
    assert_eq!(missing, ["http://intertidal.example/t/103", "http://saltmarsh-library.example/exhibitions/lamps"]);
}

fn the_director_of_each_time_is_found(archive: &Archive, folder: &Path) {
    let index = Index::open(&search_folder(folder)).unwrap().index;
    for (question, expected) in [
        ("who was the director of the library in 2024?", "Margaret Hale"),
        ("who was the director of the library in 2026?", "Daniel Osei"),
    ] {
        let replies = index.ask(archive, question, None, 3).unwrap();
        assert!(replies[0].sentence.contains(expected), "{question}: {replies:#?}");
    }
}

fn the_model_of_the_novels_site_cleans_its_other_chapters(archive: &Archive, folder: &Path) {
    let capture = archive.snapshot(&url("http://chaosheng.example/tide/6"), None).unwrap().capture;
    let page = kuai::Page::read(&capture, &Default::default());
    let cleaned = kuai::SiteModels::beside(folder).clean(&page).unwrap().unwrap().unwrap();
    assert!(cleaned.text.starts_with("第六章 大潮\n"), "{}", cleaned.text);
    assert!(cleaned.text.ends_with("他第一次在灯亮着的时候下楼去看海。"), "{}", cleaned.text);
    assert!(!cleaned.text.contains("一秒记住"), "{}", cleaned.text);
}

fn tokens_and_counters_are_no_change_of_the_text(archive: &Archive) {
    let history = archive.history(&url("http://tidal-studies.example/articles/carbon")).unwrap();
    let changed = history.iter().skip(1).filter(|version| version.changes.kinds.has(kuai::ChangeKind::Main));
    let changed: Vec<String> = changed.map(|version| version.time.to_string()[..7].to_owned()).collect();
    assert_eq!(changed, ["2025-01", "2025-07", "2026-01", "2026-06"], "when the review was edited");
}

#[test]
fn a_demo_that_is_stopped_leaves_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let town = Town::open(last_visit()).unwrap();
    let stopped = make(&parent.path().join("demo"), &town, &mut |progress| progress.done < 2);
    assert!(matches!(stopped, Err(DemoError::Stopped)));
    assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
}
