//! `kuai collect --once`, as whoever starts workers again by themselves runs it: into a folder and into a shared archive.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::collect::Site;
use crate::running::{finish, kuai, shared_place};

/// Collects the example site into an archive, once.
fn collect(folder: &Path, archive: &str, site: &Site, arguments: &[&str]) -> String {
    let command = ["collect", &site.at("/"), "--once", "--allow-private", "--delay", "0", "--archive", archive];
    let (code, told, error) = finish(kuai(folder, &[&command, arguments].concat()));
    assert_eq!(code, 0, "{arguments:?}: {told}{error}");
    told
}

/// A crawl that ended early is gone on with, one that is complete is left alone.
fn check_once(folder: &Path, archive: &str) {
    let site = Site::example();
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&collect(folder, archive, &site, &[arguments, &["--json"]].concat())).unwrap()
    };
    assert_eq!(json(&["--max-pages", "3"])["end"], "pages");
    let rest = json(&[]);
    assert_eq!((&rest["end"], &rest["resumed"], &rest["left"]), (&"complete".into(), &true.into(), &0.into()));
    let over = json(&[]);
    assert_eq!((&over["end"], &over["captures"], &over["done"]), (&"already".into(), &0.into(), &6.into()));
    let told = collect(folder, archive, &site, &[]);
    assert!(told.starts_with("Complete since an earlier run: 6 addresses visited, 2 failed"), "{told}");
    assert!(told.contains("the same command without --once"), "{told}");
    let (_, urls, _) = finish(kuai(folder, &["urls", "--json", "--archive", archive]));
    let captures: Vec<Value> = urls.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(captures.len(), 8);
    assert!(captures.iter().all(|url: &Value| url["captures"] == 1), "{urls}");
}

#[test]
fn a_crawl_into_a_folder_runs_once_however_often_it_is_started() {
    let folder = TempDir::new().unwrap();
    check_once(folder.path(), "kuai-archive");
}

#[test]
fn a_crawl_into_a_shared_archive_runs_once_however_often_it_is_started() {
    let folder = TempDir::new().unwrap();
    if let Some(place) = shared_place(folder.path()) {
        check_once(folder.path(), &place);
    }
}
