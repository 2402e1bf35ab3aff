//! What keeps archived pages where they are, header by header. `browser.rs` shows that it does.

use kuai::in_memory;
use kuai_serve::{Options, ServeError, Server};

use crate::served::{archive, ask, capture, serve};

const TIME: &str = "2026-01-01T00:00:00Z";
const PAGE: &str = "http://evil.example/";

#[test]
fn everything_from_the_replay_side_is_confined() {
    let served = serve(archive(&[
        (PAGE, TIME, "text/html", b"<p>x"),
        ("http://evil.example/i.svg", TIME, "image/svg+xml", b"<svg/>"),
    ]));
    let there = format!("http://{}", served.replay);
    for path in [
        format!("/web/20260101000000mp_/{PAGE}"),
        format!("/web/20260101000000id_/{PAGE}"),
        format!("/web/20260101000000/{PAGE}"),
        "/web/20260101000000im_/http://evil.example/i.svg".to_owned(),
        "/web/2026mp_/http://missing.example/".to_owned(),
        "/elsewhere".to_owned(),
        "/".to_owned(),
    ] {
        let answer = served.replay(&path, &[]);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("sandbox allow-scripts allow-forms; "), "{path}");
        for forbidden in ["allow-same-origin", "allow-top-navigation", "allow-popups", "*", "'self'"] {
            assert!(!policy.contains(forbidden), "{path}: {forbidden}");
        }
        assert!(policy.contains(&format!("default-src {there} ")) && policy.contains(&format!("form-action {there};")));
        assert!(policy.contains("worker-src 'none'"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}: others may not read the archive");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-site"), "{path}");
    }
}

#[test]
fn headers_that_act_are_told_and_do_nothing() {
    let acting = [
        "Set-Cookie",
        "Service-Worker-Allowed",
        "Clear-Site-Data",
        "Content-Security-Policy",
        "Strict-Transport-Security",
        "Refresh",
        "Access-Control-Allow-Origin",
        "SourceMap",
        "Public-Key-Pins",
        "Report-To",
        "NEL",
        "Alt-Svc",
        "WWW-Authenticate",
        "Speculation-Rules",
        "Location",
    ];
    let headers: Vec<(&str, &str)> =
        acting.iter().map(|name| (*name, "from-the-past")).chain([("Link", "<x>; rel=preload")]).collect();
    let archive = in_memory();
    archive.commit(&capture(PAGE, TIME, &headers, b"<p>x")).unwrap();
    let served = serve(archive);
    for modifier in ["mp_", "id_", ""] {
        let answer = served.replay(&format!("/web/20260101000000{modifier}/{PAGE}"), &[]);
        for name in acting {
            assert_ne!(answer.header(name), Some("from-the-past"), "{modifier} {name}");
            assert_eq!(answer.header(&format!("x-archive-orig-{name}")), Some("from-the-past"), "{modifier} {name}");
        }
        assert!(!answer.header("link").unwrap().contains("preload"));
    }
}

#[test]
fn only_archived_pages_may_read_each_other() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>x")]));
    let inner = served.inner_way(&format!("/web/20260101000000/{PAGE}"));
    let answer = served.replay(&inner, &["Origin: null"]);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let asked = ask(served.replay, "OPTIONS", &inner, &["Origin: null", "Access-Control-Request-Method: GET"]);
    assert_eq!((asked.status, asked.header("access-control-allow-headers")), (204, Some("*")));
    let other = serve(archive(&[(PAGE, TIME, "text/html", b"<p>x")]));
    assert_ne!(inner, other.inner_way(&format!("/web/20260101000000/{PAGE}")), "nobody can guess the way");
    assert_eq!(other.replay(&inner, &["Origin: null"]).status, 404);
}

#[test]
fn the_frame_shows_archived_pages_and_nothing_else() {
    let served = serve(archive(&[("http://evil.example/?\"><script>alert(1)</script>", TIME, "text/html", b"<p>x")]));
    let path = "/web/20260101000000/http://evil.example/?%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let frame = served.replay(path, &["Accept: text/html", "Sec-Fetch-Dest: document"]);
    let policy = frame.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(policy.contains(&format!("frame-src http://{};", served.replay)), "{policy}");
    assert!(!frame.text().contains("<script"), "{}", frame.text());
}

#[test]
fn the_main_side_is_read_by_nobody_but_its_visitor() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>x")]));
    for path in ["/", "/cdx?url=evil.example", "/timemap/link/http://evil.example/", "/nowhere"] {
        let answer = served.ask(path, &["Origin: null"]);
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
        assert!(answer.header("content-security-policy").unwrap().contains("default-src 'none'"), "{path}");
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
    }
}

#[test]
fn a_name_that_is_made_to_resolve_to_us_is_not_ours() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>x")]));
    for host in ["Host: evil.example", "Host: evil.example:8080", "Host: 127.0.0.1.evil.example", "Host:"] {
        assert_eq!(served.ask("/cdx?url=evil.example", &[host]).status, 400, "{host}");
        assert_eq!(served.replay(&format!("/web/20260101000000id_/{PAGE}"), &[host]).status, 400, "{host}");
    }
    assert_eq!(served.ask("/cdx?url=evil.example", &["Host: localhost:1"]).status, 200);
}

#[test]
fn others_are_let_in_only_on_purpose() {
    let public: Options = Options::new(([0, 0, 0, 0], 0).into());
    let refused = Server::bind(in_memory(), public.clone());
    let Err(error @ ServeError::Public { .. }) = refused else { panic!("it listens") };
    assert!(error.to_string().contains("--allow-public"));
    assert!(Server::bind(in_memory(), Options { allow_public: true, ..public }).is_ok());
}

#[test]
fn both_sides_need_an_address_each() {
    let mut options = Options::new(([127, 0, 0, 1], 47_113).into());
    options.replay_listen = options.listen;
    assert!(matches!(Server::bind(in_memory(), options), Err(ServeError::SameOrigin { .. })));
    let bad = Options { origin: Some("archive.example".to_owned()), ..Options::new(([127, 0, 0, 1], 0).into()) };
    assert!(matches!(Server::bind(in_memory(), bad), Err(ServeError::BadOrigin { .. })));
}
