//! RFC 7089, by its sections: what a client relies on when it negotiates a time.

use crate::served::{Answer, Served, archive, ask, options, serve, serve_with};

const URL: &str = "https://light.example/";
const TIMES: [&str; 3] = ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"];

fn served() -> Served {
    let pages = TIMES.map(|time| (URL, time, "text/html", time.as_bytes()));
    serve(archive(&pages))
}

fn timegate(served: &Served, accept_datetime: Option<&str>) -> Answer {
    let headers: Vec<String> = accept_datetime.iter().map(|time| format!("Accept-Datetime: {time}")).collect();
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    served.ask(&format!("/timegate/{URL}"), &headers)
}

/// Where the TimeGate leads, as year.
fn led_to(answer: &Answer) -> &str {
    &answer.header("location").unwrap().split("/web/").nth(1).unwrap()[..4]
}

/// The links of a header or a TimeMap: target, relations, and time where there is one.
fn links(text: &str) -> Vec<(String, String, Option<String>)> {
    let quoted = |link: &str, name: &str| {
        link.split(&format!("{name}=\"")).nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
    };
    let parts = text.split('<').skip(1);
    parts
        .map(|link| {
            (link.split('>').next().unwrap().to_owned(), quoted(link, "rel").unwrap(), quoted(link, "datetime"))
        })
        .collect()
}

fn target<'a>(links: &'a [(String, String, Option<String>)], relation: &str) -> Option<&'a str> {
    let has = |relations: &str| relations.split(' ').any(|known| known == relation);
    links.iter().find(|(_, relations, _)| has(relations)).map(|(target, ..)| target.as_str())
}

#[test]
fn pattern_2_1_a_timegate_redirects_to_the_nearest_memento() {
    let served = served();
    let answer = timegate(&served, Some("Fri, 31 Jan 2025 00:00:00 GMT"));
    assert_eq!(answer.status, 302);
    assert!(answer.header("vary").unwrap().contains("accept-datetime"));
    assert_eq!(led_to(&answer), "2025");
    assert_eq!(answer.header("memento-datetime"), None, "a TimeGate is no memento");
    let links = links(answer.header("link").unwrap());
    assert_eq!(target(&links, "original"), Some(URL));
    assert_eq!(target(&links, "timemap"), Some(format!("http://{}/timemap/link/{URL}", served.main).as_str()));
    for (relation, year) in
        [("first", "2024"), ("prev", "2024"), ("memento", "2024"), ("next", "2026"), ("last", "2026")]
    {
        let target = target(&links, relation).unwrap();
        assert!(target.starts_with(&format!("http://{}/web/{year}", served.replay)), "{relation}: {target}");
    }
}

#[test]
fn section_4_5_1_a_time_outside_the_range_gives_the_first_or_the_last() {
    let served = served();
    assert_eq!(led_to(&timegate(&served, Some("Thu, 01 Jan 1998 00:00:00 GMT"))), "2024");
    assert_eq!(led_to(&timegate(&served, Some("Thu, 01 Jan 2099 00:00:00 GMT"))), "2026");
}

#[test]
fn section_4_5_2_without_a_time_the_latest_memento_is_given() {
    assert_eq!(led_to(&timegate(&served(), None)), "2026");
}

#[test]
fn section_4_5_3_a_time_that_cannot_be_read_is_a_bad_request() {
    let served = served();
    for nonsense in ["yesterday", "2025-01-31", "Fri, 31 Jan 2025 00:00:00", "Fri, 99 Jan 2025 00:00:00 GMT"] {
        let answer = timegate(&served, Some(nonsense));
        assert_eq!(answer.status, 400, "{nonsense}");
        assert!(answer.text().contains("Accept-Datetime"));
        assert!(answer.header("vary").unwrap().contains("accept-datetime"));
    }
}

#[test]
fn section_4_5_4_only_reading_is_allowed() {
    let served = served();
    assert_eq!(ask(served.main, "POST", &format!("/timegate/{URL}"), &[]).status, 405);
    let head = ask(served.main, "HEAD", &format!("/timegate/{URL}"), &[]);
    assert_eq!((head.status, head.body.len()), (302, 0));
}

#[test]
fn an_address_that_is_not_in_the_archive_is_not_found() {
    let served = served();
    for path in ["timegate", "timemap/link", "timemap/json"] {
        assert_eq!(served.ask(&format!("/{path}/https://dark.example/"), &[]).status, 404, "{path}");
        assert_eq!(served.ask(&format!("/{path}/javascript:alert(1)"), &[]).status, 400, "{path}");
    }
}

#[test]
fn section_4_2_a_memento_tells_its_time_its_original_and_its_neighbours() {
    let served = served();
    let path = format!("/web/20250101000000/{URL}");
    let answer = served.replay(&path, &[]);
    assert_eq!((answer.status, answer.text().as_str()), (200, TIMES[1]));
    assert_eq!(answer.header("memento-datetime"), Some("Wed, 01 Jan 2025 00:00:00 GMT"));
    let links = links(answer.header("link").unwrap());
    assert_eq!(target(&links, "original"), Some(URL));
    assert_eq!(target(&links, "timegate"), Some(format!("http://{}/timegate/{URL}", served.main).as_str()));
    let itself = links.iter().find(|(target, ..)| target.ends_with(&path)).unwrap();
    assert_eq!((itself.1.as_str(), itself.2.as_deref()), ("memento", Some("Wed, 01 Jan 2025 00:00:00 GMT")));
    assert!(target(&links, "prev").unwrap().contains("/web/2024"));
}

#[test]
fn a_memento_has_one_address_and_others_lead_to_it() {
    let served = served();
    let stable = format!("/web/20250101000000/{URL}");
    for near in ["/web/20250202/https://light.example/", "/web/20250101000000/http://www.light.example"] {
        let answer = served.replay(near, &[]);
        assert_eq!((answer.status, answer.header("location")), (302, Some(stable.as_str())), "{near}");
    }
    let from_main = served.ask(&stable, &[]);
    let there = format!("http://{}{stable}", served.replay);
    assert_eq!((from_main.status, from_main.header("location")), (307, Some(there.as_str())));
}

#[test]
fn section_5_a_timemap_lists_all_mementos() {
    let served = served();
    let answer = served.ask(&format!("/timemap/link/{URL}"), &[]);
    assert_eq!(answer.header("content-type"), Some("application/link-format"));
    let links = links(&answer.text());
    assert_eq!(target(&links, "original"), Some(URL));
    assert_eq!(target(&links, "self"), Some(format!("http://{}/timemap/link/{URL}", served.main).as_str()));
    let mementos: Vec<_> = links.iter().filter(|(_, relations, _)| relations.ends_with("memento")).collect();
    assert_eq!(mementos.len(), 3);
    assert_eq!(mementos[0].1, "first memento");
    assert_eq!(mementos[2].1, "last memento");
    assert!(answer.text().contains("from=\"Mon, 01 Jan 2024 00:00:00 GMT\"; until=\"Thu, 01 Jan 2026 00:00:00 GMT\""));
    for (target, ..) in mementos {
        let path = target.split(&served.replay.to_string()).nth(1).unwrap();
        assert_eq!(served.replay(path, &[]).status, 200);
    }
}

#[test]
fn a_long_timemap_comes_in_pages() {
    let pages = TIMES.map(|time| (URL, time, "text/html", time.as_bytes()));
    let mut options = options();
    options.limits.timemap_page = 2;
    let served = serve_with(archive(&pages), options);
    let first = links(&served.ask(&format!("/timemap/link/{URL}"), &[]).text());
    assert_eq!(first.iter().filter(|(_, relations, _)| relations.ends_with("memento")).count(), 2);
    let next = target(&first, "next").unwrap();
    assert!(next.ends_with(&format!("/timemap/link/2/{URL}")));
    let second = links(&served.ask(&format!("/timemap/link/2/{URL}"), &[]).text());
    assert_eq!(target(&second, "prev"), target(&first, "self"));
    assert_eq!(target(&second, "next"), None);
    for page in ["0", "3", "99999999999999999999999"] {
        assert_eq!(served.ask(&format!("/timemap/link/{page}/{URL}"), &[]).status, 404, "{page}");
    }
}

#[test]
fn a_timemap_in_json_says_the_same() {
    let served = served();
    let answer = served.ask(&format!("/timemap/json/{URL}"), &[]);
    let map: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    assert_eq!(map["original_uri"], URL);
    assert_eq!(map["mementos"]["list"].as_array().unwrap().len(), 3);
    assert_eq!(map["mementos"]["first"]["datetime"], TIMES[0]);
    assert!(map["timegate_uri"].as_str().unwrap().ends_with(&format!("/timegate/{URL}")));
}

#[test]
fn what_was_seen_again_is_a_memento_of_its_own() {
    let pages = TIMES.map(|time| (URL, time, "text/html", b"always the same".as_slice()));
    let served = serve(archive(&pages));
    let answer = served.replay(&format!("/web/20250101000000/{URL}"), &[]);
    assert_eq!(answer.header("memento-datetime"), Some("Wed, 01 Jan 2025 00:00:00 GMT"));
    assert_eq!(answer.text(), "always the same");
}
