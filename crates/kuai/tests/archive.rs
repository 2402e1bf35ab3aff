//! The archive in a folder, as a library's user sees it: what comes in goes out byte for byte, and its history is told right.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use kuai::{
    Access, Archive, Capture, ChangeCounts, ChangeKind, Outcome, Outline, Relation, Request, Rules, Timestamp, Url,
    Why, in_memory, open,
};
use proptest::prelude::*;

const STAIRS: &str = "The keeper climbs the stairs every evening, whatever the weather says about it.";
const LAMP: &str = "The lamp burns oil of the best sort, and a barrel lasts for three weeks in winter.";
const BOAT: &str = "A boat brings flour, letters and news once a month, unless the sea is too high.";
const GULLS: &str = "Gulls nest under the gallery, and nobody has ever managed to make them leave again.";

/// A paragraph in GBK: 中文网页，灯塔的档案。
const GBK_PARAGRAPH: &[u8] =
    b"\xD6\xD0\xCE\xC4\xCD\xF8\xD2\xB3\xA3\xAC\xB5\xC6\xCB\xFE\xB5\xC4\xB5\xB5\xB0\xB8\xA1\xA3";

fn url() -> Url {
    Url::parse("https://light.example/log/").unwrap()
}

/// Noon of a day of January 2026.
fn noon(day: u32) -> Timestamp {
    format!("2026-01-{day:02}T12:00:00Z").parse().unwrap()
}

fn page(paragraphs: &[&str]) -> String {
    let paragraphs: String = paragraphs.iter().map(|text| format!("<p>{text}</p>\n")).collect();
    format!("<!DOCTYPE html>\n<html><head><title>The log</title></head>\n<body>\n{paragraphs}</body></html>\n")
}

fn html(time: Timestamp, body: impl Into<Vec<u8>>) -> Capture {
    let headers = vec![("Content-Type".to_owned(), b"text/html; charset=utf-8".to_vec())];
    Capture { headers, ..Capture::new(url(), time, body.into()) }
}

fn failure(time: Timestamp, status: u16, body: &str) -> Capture {
    Capture { status, reason: String::new(), ..html(time, body) }
}

fn commit_all(archive: &Archive, captures: &[Capture]) {
    for capture in captures {
        archive.commit(capture).unwrap();
    }
}

/// An archive with these captures.
fn archive_of(captures: &[Capture]) -> Archive {
    let archive = in_memory();
    commit_all(&archive, captures);
    archive
}

/// An archive with a page a day.
fn archive_of_pages(pages: &[String]) -> Archive {
    let captures: Vec<_> = (1..).zip(pages).map(|(day, page)| html(noon(day), page.as_str())).collect();
    archive_of(&captures)
}

fn compact(archive: &Archive) {
    archive.compact(&mut |_, _| true).unwrap();
}

/// Every capture comes back as it was given, in the order of arrival.
fn check_restored(archive: &Archive, given: &[Capture]) {
    let changes = archive.changes(0, usize::MAX).unwrap();
    assert_eq!(changes.len(), given.len());
    for (change, given) in changes.iter().zip(given) {
        let restored = archive.read_change(change).unwrap();
        assert!(restored == *given, "{} at {} differs", given.url, given.time);
    }
}

/// What a history shows: day, status and days of being seen again of every version.
fn told(archive: &Archive) -> Vec<String> {
    let day = |time: Timestamp| time.to_string()[8..10].to_owned();
    let history = archive.history(&url()).unwrap();
    let again = |times: &[Timestamp]| times.iter().map(|time| format!(" again {}", day(*time))).collect::<String>();
    history
        .iter()
        .map(|version| format!("{} {}{}", day(version.time), version.status, again(&version.seen_again)))
        .collect()
}

/// The days on which the blocks of the newest page last came to say something else.
fn days_of_change(archive: &Archive) -> Vec<String> {
    let blame = archive.blame(&url(), None).unwrap();
    blame.blocks.iter().map(|block| block.last_changed.to_string()[8..10].to_owned()).collect()
}

/// How the newest version differs from the page before it.
fn newest_changes(archive: &Archive) -> (ChangeCounts, Vec<ChangeKind>) {
    let changes = archive.history(&url()).unwrap().last().unwrap().changes;
    (changes, changes.kinds.iter().collect())
}

/// Captures of all sorts, some of them several times.
fn captures_of_all_sorts() -> Vec<Capture> {
    let at = |path: &str| Url::parse("https://light.example/").unwrap().join(path).unwrap();
    let time = |nanoseconds: i128| Timestamp::from_nanosecond(1_700_000_000_000_000_000 + nanoseconds).unwrap();
    let of_type = |path: &str, content_type: &str, time: Timestamp, body: Vec<u8>| {
        let headers = vec![("content-type".to_owned(), content_type.as_bytes().to_vec())];
        Capture { headers, ..Capture::new(at(path), time, body) }
    };
    let gbk = |extra: &[u8]| [b"<html><body><p>".as_slice(), GBK_PARAGRAPH, b"</p><p>", extra, b"</p>"].concat();
    let picture: Vec<u8> =
        b"\x89PNG\r\n\x1A\n".iter().copied().chain((0..5000u32).map(|index| ((index * index) >> 3) as u8)).collect();
    let long_path = format!("search?q={}", "lamp+".repeat(2000));
    let odd_headers = vec![
        ("Set-Cookie".to_owned(), b"a=1".to_vec()),
        ("set-cookie".to_owned(), b"b=\xFF\xFE: 2".to_vec()),
        ("X-Empty".to_owned(), Vec::new()),
        ("Date".to_owned(), b"Tue, 14 Nov 2023 22:13:20 GMT".to_vec()),
        ("Content-Type".to_owned(), b"text/html".to_vec()),
    ];
    let asked = Request {
        method: "POST".to_owned(),
        headers: vec![("Accept".to_owned(), b"*/*".to_vec()), ("User-Agent".to_owned(), b"kuai \xE5\x9D\x97".to_vec())],
    };
    vec![
        of_type("", "text/html; charset=utf-8", time(123_456_789), page(&[STAIRS, LAMP, "灯塔的档案"]).into_bytes()),
        of_type("zh", "text/html; charset=gbk", time(1), gbk(GBK_PARAGRAPH)),
        of_type("lamp.png", "image/png", time(2), picture.clone()),
        of_type("lamp.css", "text/css", time(3), b"p { color: red }\r\n".to_vec()),
        of_type("empty", "text/html", time(4), Vec::new()),
        Capture::new(at(&long_path), time(5), page(&[BOAT]).into_bytes()),
        Capture {
            request: asked,
            protocol: "HTTP/2".to_owned(),
            status: 203,
            reason: "Non Authoritative, as it were".to_owned(),
            headers: odd_headers,
            ..Capture::new(at(""), time(6_000_000_000), page(&[STAIRS, "灯塔的档案", GULLS]).into_bytes())
        },
        of_type("zh", "text/html; charset=gbk", time(7), gbk(b"1")),
        of_type("copy.png", "image/png", time(8), picture),
        of_type("empty", "text/html", time(9_999_999_999), Vec::new()),
        Capture {
            status: 301,
            reason: "Moved".to_owned(),
            headers: vec![("Location".to_owned(), b"/new".to_vec())],
            ..Capture::new(at("old"), time(-2_000_000_000_000_000_001), Vec::new())
        },
        Capture { reason: String::new(), ..Capture::new(at("raw"), time(10), b"\0\x01<p>\r\r\n".to_vec()) },
    ]
}

#[test]
fn captures_of_all_sorts_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let given = captures_of_all_sorts();
    let reopened = || open(folder.path(), Access::Write).unwrap();
    let archive = reopened();
    commit_all(&archive, &given);
    check_restored(&archive, &given);
    drop(archive);
    let archive = reopened();
    check_restored(&archive, &given);
    compact(&archive);
    check_restored(&archive, &given);
    drop(archive);
    check_restored(&reopened(), &given);
    check_restored(&open(folder.path(), Access::Read).unwrap(), &given);
}

#[test]
fn a_snapshot_is_the_capture_as_it_came() {
    let given = captures_of_all_sorts();
    let archive = archive_of(&given);
    let restored = archive.snapshot(&given[6].url, None).unwrap().capture;
    assert_eq!(restored, given[6]);
    let restored = archive.snapshot(&given[0].url, Some(given[0].time)).unwrap().capture;
    assert_eq!(restored, given[0]);
}

#[test]
fn a_page_in_gbk_has_its_text_in_blocks() {
    let body = [b"<p>".as_slice(), GBK_PARAGRAPH, b"</p>"].concat();
    let headers = vec![("Content-Type".to_owned(), b"text/html; charset=gbk".to_vec())];
    let archive = archive_of(&[Capture { headers, ..html(noon(1), body) }]);
    assert_eq!(archive.blame(&url(), None).unwrap().blocks[0].text, "中文网页，灯塔的档案。");
}

#[test]
fn a_clock_that_runs_backwards_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let archive = open(folder.path(), Access::Write).unwrap();
    let texts = [STAIRS, LAMP, BOAT, GULLS];
    let given = [3, 1, 4, 2].map(|day| html(noon(day), page(&[texts[day as usize - 1], "Signed."])));
    commit_all(&archive, &given);
    compact(&archive);
    check_restored(&archive, &given);
    assert_eq!(told(&archive), ["01 200", "02 200", "03 200", "04 200"]);
    for day in 1..=4 {
        let evening = format!("2026-01-{day:02}T20:00:00Z").parse().unwrap();
        let body = archive.snapshot(&url(), Some(evening)).unwrap().capture.body;
        assert_eq!(String::from_utf8(body).unwrap(), page(&[texts[day - 1], "Signed."]), "day {day}");
    }
    let too_early = "2025-12-31T00:00:00Z".parse().unwrap();
    assert!(matches!(archive.snapshot(&url(), Some(too_early)), Err(kuai::Error::NoVersion { .. })));
}

#[test]
fn a_late_capture_between_two_that_are_alike_hides_neither() {
    let (one, other) = (page(&[STAIRS, LAMP]), page(&[STAIRS, BOAT]));
    let archive = archive_of(&[html(noon(1), &*one), html(noon(3), &*one), html(noon(2), &*other)]);
    let body_of = |day| String::from_utf8(archive.snapshot(&url(), Some(noon(day))).unwrap().capture.body).unwrap();
    assert_eq!([1, 2, 3].map(body_of), [one.clone(), other, one]);
    let diff = archive.diff(&url(), None, None).unwrap();
    assert_eq!((diff.from.time, diff.to.time, diff.counts.changed), (noon(2), noon(1), 1));
}

#[test]
fn two_captures_in_the_same_second_are_both_kept_in_order() {
    let (one, other) = (html(noon(1), page(&[STAIRS])), html(noon(1), page(&[LAMP])));
    let archive = archive_of(&[one.clone(), other.clone()]);
    let history = archive.history(&url()).unwrap();
    let kept: Vec<_> = history.iter().map(|version| archive.read(&url(), version).unwrap().capture).collect();
    assert_eq!(kept, [one, other.clone()]);
    assert_eq!(archive.snapshot(&url(), Some(noon(1))).unwrap().capture, other);
}

#[test]
fn a_failed_fetch_is_no_disappearance() {
    let (before, after) = (page(&[STAIRS, LAMP]), page(&[STAIRS, LAMP, BOAT]));
    let archive = archive_of(&[
        html(noon(1), &*before),
        failure(noon(2), 503, "<p>Come back later, please.</p>"),
        html(noon(3), &*before),
        failure(noon(4), 503, "<p>Come back later, please.</p>"),
        html(noon(5), after),
    ]);
    assert_eq!(told(&archive), ["01 200 again 03", "02 503", "04 503", "05 200"]);
    assert_eq!(days_of_change(&archive), ["01", "01", "05"]);
    let diff = archive.diff(&url(), None, None).unwrap();
    assert_eq!((diff.from.time, diff.to.time), (noon(1), noon(5)));
    assert_eq!((diff.counts.added, diff.counts.removed, diff.counts.changed), (1, 0, 0));
    assert_eq!(archive.page_snapshot(&url(), Some(noon(4))).unwrap().capture.time, noon(1));
}

#[test]
fn a_page_that_came_back_unchanged_is_what_is_there_now() {
    let kept = page(&[STAIRS, LAMP]);
    let archive = archive_of(&[html(noon(1), &*kept), failure(noon(2), 503, "later"), html(noon(3), &*kept)]);
    let status_at = |at| archive.snapshot(&url(), at).unwrap().info.status;
    assert_eq!([Some(noon(1)), Some(noon(2)), Some(noon(3)), None].map(status_at), [200, 503, 200, 200]);
}

#[test]
fn a_failure_that_says_what_the_page_said_is_told_from_it() {
    let archive =
        archive_of(&[html(noon(1), "<p>x</p>"), failure(noon(2), 503, "<p>x</p>"), html(noon(3), "<p>x</p>")]);
    assert_eq!(told(&archive), ["01 200 again 03", "02 503"]);
}

#[test]
fn a_failure_has_no_blocks() {
    let archive = archive_of(&[html(noon(1), page(&[STAIRS, LAMP])), failure(noon(2), 503, "<p>Come back later.</p>")]);
    assert_eq!(archive.snapshot(&url(), None).unwrap().outline, Outline::default());
}

#[test]
fn not_modified_is_seen_again() {
    let given = [
        html(noon(1), page(&[STAIRS, LAMP])),
        failure(noon(2), 503, ""),
        failure(noon(3), 304, ""),
        failure(noon(4), 304, ""),
    ];
    let archive = in_memory();
    let outcomes = given.each_ref().map(|capture| archive.commit(capture).unwrap().outcome);
    assert_eq!(outcomes[2..], [Outcome::SeenAgain; 2]);
    assert_eq!(told(&archive), ["01 200 again 03 again 04", "02 503"]);
    check_restored(&archive, &given);
}

#[test]
fn the_same_body_is_seen_again_and_one_that_comes_back_is_a_new_version() {
    let (one, other) = (page(&[STAIRS]), page(&[LAMP]));
    let archive = archive_of_pages(&[one.clone(), one.clone(), other, one.clone(), one]);
    assert_eq!(told(&archive), ["01 200 again 02", "03 200", "04 200 again 05"]);
    let stats = archive.stats().unwrap();
    assert_eq!((stats.urls, stats.versions, stats.captures), (1, 3, 5));
}

#[test]
fn blame_names_the_days_on_which_paragraphs_were_edited() {
    let (gas, ship) = (LAMP.replace("oil", "gas"), BOAT.replace("boat", "ship"));
    let archive = archive_of_pages(&[
        page(&[STAIRS, LAMP, BOAT]),
        page(&[STAIRS, &gas, BOAT]),
        page(&[STAIRS, &gas, &ship]),
        page(&[STAIRS, &gas, &ship, GULLS]),
    ]);
    assert_eq!(days_of_change(&archive), ["01", "02", "03", "04"]);
    let blame = archive.blame(&url(), None).unwrap();
    let first_seen: Vec<_> = blame.blocks.iter().map(|block| block.first_seen).collect();
    assert_eq!(first_seen, [noon(1), noon(1), noon(1), noon(4)]);
    let as_of_day_2 = archive.blame(&url(), Some(noon(2))).unwrap();
    assert_eq!(as_of_day_2.blocks[1].text, gas);
}

#[test]
fn a_moved_paragraph_keeps_its_age() {
    let archive = archive_of_pages(&[
        page(&[STAIRS, LAMP, BOAT]),
        page(&[STAIRS, LAMP, BOAT, GULLS]),
        page(&[GULLS, STAIRS, LAMP, BOAT]),
    ]);
    assert_eq!(days_of_change(&archive), ["02", "01", "01", "01"]);
    assert_eq!(newest_changes(&archive).0.moved, 1);
}

#[test]
fn a_token_makes_nothing_younger() {
    let with_token = |token: &str| page(&[STAIRS, LAMP]).replace("<p>", &format!("<p data-token=\"{token}\">"));
    let archive = archive_of_pages(&[with_token("a1"), with_token("b2"), with_token("c3")]);
    assert_eq!(days_of_change(&archive), ["01", "01"]);
}

#[test]
fn a_paragraph_put_in_is_added_and_one_taken_out_is_removed() {
    let (short, long) = (page(&[STAIRS, LAMP, GULLS]), page(&[STAIRS, LAMP, BOAT, GULLS]));
    let check = |pages: &[String], expected: ChangeCounts| {
        let (counts, kinds) = newest_changes(&archive_of_pages(pages));
        assert_eq!(ChangeCounts { kinds: expected.kinds, ..counts }, expected);
        assert_eq!(kinds, [ChangeKind::Main]);
    };
    check(&[short.clone(), long.clone()], ChangeCounts { blocks: 4, added: 1, ..ChangeCounts::default() });
    check(&[long, short], ChangeCounts { blocks: 3, removed: 1, ..ChangeCounts::default() });
}

#[test]
fn what_no_reader_sees_is_invisible() {
    let before = page(&[STAIRS, LAMP]);
    let head = |more: &str| before.replace("</head>", &format!("{more}</head>"));
    for after in [
        head("<script nonce=\"r4nd0m\">count(1)</script>"),
        before.replace("</body>", "<!-- made in 12 ms --></body>"),
        head("<meta name=csrf content=\"5ad1\">"),
    ] {
        let archive = archive_of_pages(&[before.clone(), after.clone()]);
        let (counts, kinds) = newest_changes(&archive);
        assert_eq!(kinds, [ChangeKind::Invisible], "{after}");
        assert_eq!((counts.added, counts.removed, counts.changed, counts.moved), (0, 0, 0, 0), "{after}");
        assert_eq!(days_of_change(&archive), ["01", "01"]);
    }
}

#[test]
fn a_diff_names_the_words_that_differ() {
    let archive = archive_of_pages(&[page(&[STAIRS, LAMP]), page(&[STAIRS, &LAMP.replace("oil", "gas")])]);
    let diff = archive.diff(&url(), None, None).unwrap();
    let relations: Vec<_> = diff.blocks.iter().map(|block| block.relation).collect();
    assert_eq!(relations, [Relation::Same, Relation::Changed]);
    let words: Vec<_> = diff.blocks[1].words.iter().map(|change| change.text.trim()).collect();
    assert!(words.contains(&"oil") && words.contains(&"gas"), "{words:?}");
}

#[test]
fn rules_describe_versions_and_say_how_pages_are_cut() {
    let rules = r#"
        [[rule]]
        url = "https://light.example/*"
        label = ["sea", "灯塔"]
        method = "nom"
        level = 1
        metadata = { collection = "Lights", title = "{field:title}", server = "{header:server}" }
    "#;
    let archive = in_memory().with_rules(Rules::read(rules).unwrap());
    let mut capture = html(noon(1), page(&[STAIRS, LAMP]));
    capture.headers.push(("Server".to_owned(), b"lamp/1".to_vec()));
    archive.commit(&capture).unwrap();
    let outline = archive.snapshot(&url(), None).unwrap().outline;
    assert_eq!((outline.method.as_str(), outline.level), ("nom", 1));
    assert_eq!(outline.labels, ["sea", "灯塔"]);
    let metadata: Vec<_> = outline.metadata.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(metadata, ["collection=Lights", "server=lamp/1", "title=The log"]);
}

#[test]
fn rules_that_name_no_method_are_an_error_and_nothing_is_stored() {
    let archive = in_memory().with_rules(Rules::read("[[rule]]\nmethod = 'magic'").unwrap());
    let error = archive.commit(&html(noon(1), page(&[STAIRS]))).unwrap_err();
    assert!(error.to_string().contains("there is no method \"magic\""), "{error}");
    assert_eq!(archive.stats().unwrap().captures, 0);
}

#[test]
fn a_steady_region_is_kept_whole_until_it_changes() {
    let steady = |day: u32| {
        let token = format!("<meta name=token content=\"{day}\"></head>");
        page(&[STAIRS, LAMP, BOAT, GULLS]).replace("</head>", &token)
    };
    let edited = |day: u32| steady(day).replace("three weeks", "four weeks");
    let archive = in_memory();
    let committed = |day: u32, page: String| {
        archive.commit(&html(noon(day), page)).unwrap();
        let outline = archive.snapshot(&url(), None).unwrap().outline;
        (outline.leaves().count(), outline.choices.iter().map(|choice| choice.why).collect::<Vec<_>>())
    };
    for day in 1..=8 {
        assert_eq!(committed(day, steady(day)), (4, vec![]), "day {day}");
    }
    let never_changed = vec![Why::NeverChanged(8)];
    assert_eq!(never_changed[0].to_string(), "no part changed in 8 visits");
    assert_eq!(committed(9, steady(9)), (4, never_changed.clone()), "chosen for the next version");
    assert_eq!(committed(10, steady(10)), (1, never_changed.clone()));
    assert_eq!(committed(11, steady(11)), (1, never_changed));
    assert_eq!(committed(12, edited(12)), (1, vec![]), "the choice is taken back for the next version");
    assert_eq!(committed(13, edited(13)), (4, vec![]));
    assert_eq!(told(&archive).len(), 13);
}

#[test]
fn the_change_feed_is_in_order_across_compaction_and_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b", "a", "c", "b", "a", "d"];
    let given: Vec<Capture> = (1..)
        .zip(paths)
        .map(|(day, path)| {
            let text = format!("{STAIRS} Day {day}.");
            Capture { url: url().join(path).unwrap(), ..html(noon(day), page(&[&text, LAMP])) }
        })
        .collect();
    for (index, capture) in given.iter().enumerate() {
        let archive = open(folder.path(), Access::Write).unwrap();
        assert_eq!(archive.commit(capture).unwrap().sequence, index as u64 + 1);
        if index == 3 {
            compact(&archive);
        }
    }
    let archive = open(folder.path(), Access::Read).unwrap();
    check_restored(&archive, &given);
    let sequences = |since, limit| {
        let changes = archive.changes(since, limit).unwrap();
        changes.iter().map(|change| change.row.sequence).collect::<Vec<_>>()
    };
    assert_eq!(sequences(2, 3), [3, 4, 5]);
    assert_eq!(sequences(5, 100), [6, 7]);
    assert!(sequences(7, 100).is_empty());
}

#[test]
fn links_belong_to_blocks_and_resolve_against_the_base() {
    let linked =
        format!("{BOAT} <a href=\"boat.html\">The boat</a> and <a href=\"//sea.example/?a&amp;b\">the sea</a>.");
    let links_of = |page: String| {
        let snapshot = archive_of_pages(&[page]).snapshot(&url(), None).unwrap();
        let source = String::from_utf8(snapshot.capture.body.clone()).unwrap();
        let told = |link: kuai::BlockLink| {
            assert!(snapshot.outline.blocks[link.block].span.of(&source).contains(&link.href.replace('&', "&amp;")));
            format!("{} {}", link.text, link.url.unwrap())
        };
        snapshot.links().into_iter().map(told).collect::<Vec<_>>()
    };
    let plain = page(&[STAIRS, &linked]);
    let sea = "the sea https://sea.example/?a&b";
    assert_eq!(links_of(plain.clone()), ["The boat https://light.example/log/boat.html", sea]);
    let with_base = plain.replace("</title>", "</title><base href=\"../docs/\">");
    assert_eq!(links_of(with_base), ["The boat https://light.example/docs/boat.html", sea]);
}

#[test]
fn a_base_that_changes_leads_links_elsewhere() {
    let with_base = |base: &str| {
        let link = format!("{BOAT} <a href=\"boat.html\">The boat</a> came.");
        page(&[STAIRS, &link]).replace("</title>", &format!("</title><base href=\"{base}\">"))
    };
    let archive = archive_of_pages(&[with_base("/old/"), with_base("/new/")]);
    let links = archive.snapshot(&url(), None).unwrap().links();
    assert_eq!(links[0].url.as_ref().unwrap().as_str(), "https://light.example/new/boat.html");
}

/// A step in the life of a page and of the archive that keeps it.
#[derive(Clone, Debug)]
enum Step {
    Insert { at: usize, text: String },
    Remove { at: usize },
    Move { from: usize, to: usize },
    Edit { at: usize, text: String },
    Token(u32),
    Fail(u16),
    Compact,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let text =
        || prop::sample::select(vec![STAIRS, LAMP, BOAT, GULLS, "短", "", "<b>Bold", "</div>", "<ul><li>One<li>Two"]);
    let place = || 0..8usize;
    prop_oneof![
        (place(), text()).prop_map(|(at, text)| Step::Insert { at, text: text.to_owned() }),
        place().prop_map(|at| Step::Remove { at }),
        (place(), place()).prop_map(|(from, to)| Step::Move { from, to }),
        (place(), text(), 0..99u32).prop_map(|(at, text, mark)| Step::Edit { at, text: format!("{text} {mark}") }),
        (0..9999u32).prop_map(Step::Token),
        prop::sample::select(vec![304, 404, 503]).prop_map(Step::Fail),
        Just(Step::Compact),
        Just(Step::Reopen),
    ]
}

/// A page under edit.
#[derive(Default)]
struct Draft {
    paragraphs: Vec<String>,
    token: u32,
}

impl Draft {
    fn edit(&mut self, step: &Step) {
        let count = self.paragraphs.len();
        match step {
            Step::Insert { at, text } => self.paragraphs.insert(at % (count + 1), text.clone()),
            Step::Token(token) => self.token = *token,
            _ if count == 0 => {}
            Step::Remove { at } => drop(self.paragraphs.remove(at % count)),
            Step::Move { from, to } => {
                let moved = self.paragraphs.remove(from % count);
                self.paragraphs.insert(to % count, moved);
            }
            Step::Edit { at, text } => self.paragraphs[at % count].clone_from(text),
            Step::Fail(_) | Step::Compact | Step::Reopen => {}
        }
    }

    fn page(&self) -> String {
        let paragraphs: Vec<_> = self.paragraphs.iter().map(String::as_str).collect();
        page(&paragraphs).replace("</head>", &format!("<meta name=token content={}></head>", self.token))
    }
}

/// Lives through the steps in a folder and in memory, and compares the two.
fn live(folder: &Path, steps: &[Step]) {
    let reopened = || open(folder, Access::Write).unwrap();
    let (model, mut archive) = (in_memory(), Some(reopened()));
    let mut draft = Draft::default();
    let mut given = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Compact => compact(archive.as_ref().unwrap()),
            Step::Reopen => {
                drop(archive.take());
                archive = Some(reopened());
            }
            step => {
                draft.edit(step);
                let time = Timestamp::from_second(1_700_000_000 + index as i64).unwrap();
                let capture = match step {
                    Step::Fail(status) => failure(time, *status, ""),
                    _ => html(time, draft.page()),
                };
                let outcome = archive.as_ref().unwrap().commit(&capture).unwrap().outcome;
                assert_eq!(outcome, model.commit(&capture).unwrap().outcome);
                given.push(capture);
            }
        }
    }
    let archive = archive.unwrap();
    check_restored(&archive, &given);
    if given.is_empty() {
        return;
    }
    let expected = model.history(&url()).unwrap();
    let history = archive.history(&url()).unwrap();
    assert_eq!(history.len(), expected.len());
    for (version, expected) in history.iter().zip(&expected) {
        assert_eq!((&version.changes, &version.seen_again), (&expected.changes, &expected.seen_again));
        let outline = archive.read(&url(), version).unwrap().outline;
        assert_eq!(outline, model.read(&url(), expected).unwrap().outline);
    }
    assert!(archive.verify(&mut |_, _| true).unwrap().damages.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_capture_of_an_edited_page_comes_back(steps in prop::collection::vec(step(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        live(folder.path(), &steps);
    }
}

#[test]
fn visits_tell_changes_of_content_from_changes_of_anything_else() {
    let links = |first: &str| {
        let items = [first, "Weather", "Tides", "Ships", "Lamps", "Letters", "About us", "Contact"];
        let items: String = items.iter().map(|text| format!("<li><a href=/a>{text}</a></li>")).collect();
        format!("<nav><ul>{items}</ul></nav>")
    };
    let body = |text: &str, nav: &str| page(&[STAIRS, text, BOAT]).replace("<body>", &format!("<body>{}", links(nav)));
    let archive = archive_of(&[
        html(noon(1), body(LAMP, "Home")),
        html(noon(2), body(LAMP, "Home")),
        html(noon(3), body(GULLS, "Home")),
        failure(noon(4), 503, "Come back later."),
        html(noon(5), body(GULLS, "Home").replace("<body>", "<body data-token=\"5\">")),
        failure(noon(6), 304, ""),
        html(noon(7), body(GULLS, "Start")),
        html(noon(8), body(LAMP, "Start")),
    ]);
    let told = |limit| {
        let visits = archive.visits(&url(), limit).unwrap();
        visits.iter().map(|(time, is_changed)| (time.to_string()[9..10].to_owned(), *is_changed)).collect::<Vec<_>>()
    };
    // Day 7 changes nothing but a link for moving about, and should be no change; today it is told as one of the main text.
    let expected = [("1", false), ("2", false), ("3", true), ("5", false), ("6", false), ("7", true), ("8", true)];
    assert_eq!(told(99), expected.map(|(day, is_changed)| (day.to_owned(), is_changed)));
    assert_eq!(
        told(2),
        expected[5..].iter().map(|(day, is_changed)| (day.to_string(), *is_changed)).collect::<Vec<_>>()
    );
    assert_eq!(archive.visits(&Url::parse("https://unknown.example/").unwrap(), 9).unwrap(), []);
}

#[test]
fn what_is_no_page_changed_when_its_bytes_did() {
    let picture = |day, body: &str| {
        let headers = vec![("Content-Type".to_owned(), b"image/png".to_vec())];
        Capture { headers, ..Capture::new(url(), noon(day), body.as_bytes().to_vec()) }
    };
    let archive = archive_of(&[picture(1, "one"), picture(2, "one"), picture(3, "two")]);
    let visits = archive.visits(&url(), 9).unwrap();
    assert_eq!(visits[1..], [(noon(2), false), (noon(3), true)]);
}
