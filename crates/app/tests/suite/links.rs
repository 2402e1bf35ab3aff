//! Links and discoveries as a user asks for them.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{Came, run};

const URL: &str = "https://light.example/keeper";

/// A page whose text links to the fog bell, which was there on the first day and is dead on the third.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let page = "<title>The keeper</title><h1>The keeper of the light</h1><p>The keeper climbs the stairs every evening, whatever the weather says \
        about it, and rings <a href=/bell>the fog bell</a> by hand in fog, twice in a minute, until the morning comes.</p>";
    fs::write(folder.path().join("page.html"), page).unwrap();
    let put = |url: &str, day: &str, status: &str| {
        let time = format!("2026-01-{day}T12:00:00Z");
        let arguments = ["put", "--url", url, "--time", &time, "--status", status, "page.html"];
        assert_eq!(run(folder.path(), &arguments).0, 0);
    };
    put(URL, "01", "200");
    put("https://light.example/bell", "01", "200");
    put("https://light.example/bell", "03", "404");
    folder
}

fn json_lines(came: &Came) -> Vec<Value> {
    came.1.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_link_is_told_with_its_block_its_times_and_that_it_is_dead() {
    let folder = archive();
    let out = json_lines(&run(folder.path(), &["links", URL, "--out", "--json"]));
    assert_eq!(out.len(), 1, "{out:?}");
    assert_eq!((&out[0]["to"], &out[0]["text"]), (&"https://light.example/bell".into(), &"the fog bell".into()));
    assert_eq!(out[0]["first_seen"], "2026-01-01T12:00:00Z");
    assert_eq!(
        (&out[0]["target"]["state"], &out[0]["target"]["since"]),
        (&"dead".into(), &"2026-01-03T12:00:00Z".into())
    );
    let told = run(folder.path(), &["links", URL]).1;
    assert!(told.contains("dead since 2026-01-03T12:00:00Z (404)"), "{told}");
    let then = run(folder.path(), &["links", URL, "--at", "2026-01-02", "--json"]).1;
    assert!(then.contains(r#""state":"there""#), "{then}");
}

#[test]
fn links_into_a_page_and_ranks_are_listed() {
    let folder = archive();
    let into = json_lines(&run(folder.path(), &["links", "https://light.example/bell", "--in", "--json"]));
    assert_eq!((into.len(), &into[0]["from"]), (1, &URL.into()));
    let ranked = json_lines(&run(folder.path(), &["links", "--rank", "1", "--json"]));
    assert_eq!((ranked.len(), &ranked[0]["url"]), (1, &"https://light.example/bell".into()));
}

#[test]
fn pages_that_others_recommend_come_first_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let page = format!("<title>{name}</title><h1>{name}</h1><p>{text}</p>");
        fs::write(folder.path().join("page.html"), page).unwrap();
        let url = format!("https://light.example/{name}");
        let arguments = ["put", "--url", &url, "--time", "2026-01-01T12:00:00Z", "page.html"];
        assert_eq!(run(folder.path(), &arguments).0, 0);
    };
    // The same words in another order, so that nothing but votes tells the two apart.
    put("one", "The lamp of the tower burns petroleum through the night and the keeper trims its wick.");
    put("two", "The keeper trims its wick and the lamp of the tower burns petroleum through the night.");
    for voter in ["a", "b", "c", "d", "e", "f"] {
        put(
            voter,
            &format!("What {voter} wrote about the sea is long, and it says that <a href=/two>all of it is here</a>."),
        );
    }
    let first = || json_lines(&run(folder.path(), &["search", "petroleum", "wick", "--json"]))[0].clone();
    let plain = first()["score"].as_f64().unwrap();
    assert_eq!(run(folder.path(), &["index", "--rank"]).0, 0);
    assert_eq!(first()["url"], "https://light.example/two");
    assert!(first()["score"].as_f64().unwrap() > plain);
    assert_eq!(run(folder.path(), &["index", "--no-rank"]).0, 0);
    assert_eq!(first()["score"].as_f64().unwrap(), plain);
}

#[test]
fn what_cannot_be_asked_is_refused_with_the_way_out() {
    let folder = archive();
    let (code, _, error) = run(folder.path(), &["links", URL, "--kind", "text"]);
    assert_eq!(code, 2);
    assert!(error.contains("there is no kind text; there are main, title"), "{error}");
    assert_eq!(run(folder.path(), &["links"]).0, 2);
    assert_eq!(run(folder.path(), &["links", "https://dark.example/"]).0, 1);
}

#[test]
fn a_dead_link_is_discovered_with_its_evidence() {
    let folder = archive();
    let found = json_lines(&run(folder.path(), &["discover", "--json"]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["sort"], &found[0]["status"]), (&"died".into(), &404.into()));
    assert_eq!(found[0]["last_there"], "2026-01-01T12:00:00Z");
    assert_eq!(found[0]["linked_from"][0], URL);
    assert_eq!(run(folder.path(), &["discover", "--to", "2026-01-02"]).0, 1);
    assert_eq!(run(folder.path(), &["discover", "--from", "2026-01-03"]).0, 0);
}
