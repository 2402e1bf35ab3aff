//! Who gets in, and as what.

use kuai::in_memory;
use kuai_serve::{Access, Options, Role, ServeError, Server, password_line};

use crate::served::{Answer, Served, archive, ask, options, send, serve, serve_with};

const TIME: &str = "2026-01-01T00:00:00Z";
const PAGE: &str = "http://e.org/";
const WAY: &str = "/web/20260101000000id_/http://e.org/";
const READER: &str = "reader-reader-reader-1";
const COLLECTOR: &str = "collector-collector-1";
const ADMIN: &str = "admin-admin-admin-admin-1";

fn access() -> Access {
    let anna = password_line("anna", Role::Read, "correct horse").unwrap();
    let tokens = [("r", Role::Read, READER), ("c", Role::Collect, COLLECTOR), ("a", Role::Admin, ADMIN)];
    tokens.iter().fold(Access::read(&anna).unwrap(), |access, (name, role, token)| {
        access.with_token(name, *role, token).unwrap()
    })
}

/// A server as others reach it.
fn public() -> Options {
    Options { access: Some(access()), ..options() }
}

fn guarded(options: Options) -> Served {
    serve_with(archive(&[(PAGE, TIME, "text/html", b"<p>secret text")]), options)
}

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}

/// Logs anna in and gives her cookie.
fn anna(served: &Served) -> String {
    let answer = served.post("/login", "name=anna&password=correct+horse&to=%2Fcdx%3Furl%3De.org", &[]);
    assert_eq!((answer.status, answer.header("location")), (303, Some("/cdx?url=e.org")));
    cookie(&answer)
}

fn cookie(answer: &Answer) -> String {
    format!("Cookie: other=1; {}", answer.header("set-cookie").unwrap().split(';').next().unwrap())
}

#[test]
fn a_stranger_gets_nothing_and_is_told_the_way_in() {
    let served = guarded(public());
    let asked = served.ask("/cdx?url=e.org", &["Accept: text/html", "Sec-Fetch-Dest: document"]);
    assert_eq!((asked.status, asked.header("location")), (303, Some("/login?to=%2Fcdx%3Furl%3De.org")));
    let program = served.ask("/cdx?url=e.org", &[]);
    assert_eq!((program.status, program.header("www-authenticate")), (401, Some("Bearer realm=\"kuai\"")));
    for answer in [&asked, &program] {
        assert!(!answer.text().contains("e.org/"), "{}", answer.text());
        assert!(answer.header("content-security-policy").is_some());
    }
    for path in ["/login", "/health"] {
        assert_eq!(served.ask(path, &[]).status, 200, "{path}");
    }
}

#[test]
fn who_logs_in_stays_in_until_they_leave() {
    let served = guarded(public());
    let answer = served.post("/login", "name=anna&password=correct+horse&to=https%3A%2F%2Fevil.example%2F", &[]);
    assert_eq!(answer.header("location"), Some("/"), "nobody is sent elsewhere");
    let set = answer.header("set-cookie").unwrap();
    assert!(set.contains("; HttpOnly; SameSite=Strict; ") && set.contains("; Path=/;"), "{set}");
    let anna = anna(&served);
    assert_eq!(served.ask("/cdx?url=e.org", &[&anna]).status, 200);
    let gone = served.post("/logout", "", &[&anna]);
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    let forged = anna.replace('.', "x");
    assert_eq!(served.ask("/cdx?url=e.org", &[&forged]).status, 401);
    let other = guarded(public());
    assert_eq!(other.ask("/cdx?url=e.org", &[&anna]).status, 401, "another server's cookie");
}

#[test]
fn a_cookie_goes_over_https_alone_where_the_server_is_reached_by_it() {
    let by_https = Options {
        origin: Some("https://archive.example".to_owned()),
        replay_origin: Some("https://replay.example".to_owned()),
        ..public()
    };
    let served = guarded(by_https);
    let answer = served.post("/login", "name=anna&password=correct+horse", &["Host: archive.example"]);
    assert!(answer.header("set-cookie").unwrap().ends_with("; Secure"));
}

#[test]
fn a_program_comes_in_by_its_token() {
    let served = guarded(public());
    assert_eq!(served.ask("/cdx?url=e.org", &[&bearer(READER)]).status, 200);
    assert_eq!(served.ask("/metrics", &[&bearer(READER)]).status, 200);
    assert_eq!(served.replay(WAY, &[&bearer(READER)]).text(), "<p>secret text");
    assert_eq!(served.ask("/cdx?url=e.org", &[&bearer("reader-reader-reader-2")]).status, 401);
}

#[test]
fn guessing_gets_slower_and_slower() {
    let served = guarded(public());
    assert_eq!(served.post("/login", "name=anna&password=wrong", &[]).status, 401);
    let guesses: Vec<Answer> =
        (0..12).map(|number| served.ask("/cdx?url=e.org", &[&bearer(&format!("guess-{number}"))])).collect();
    assert_eq!(guesses[0].status, 401);
    let refused = guesses.iter().find(|answer| answer.status == 429).expect("twelve guesses are too many");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(served.ask("/cdx?url=e.org", &[&bearer(READER)]).status, 200, "who is known does not wait");
}

#[test]
fn pages_of_others_cannot_act_for_somebody_who_is_logged_in() {
    let served = guarded(options());
    for header in
        ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"]
    {
        assert_eq!(served.post("/logout", "", &[header]).status, 403, "{header}");
    }
    let replay = format!("Origin: http://{}", served.replay);
    assert_eq!(served.post("/logout", "", &[&replay]).status, 403, "archived pages are others");
    let own = format!("Origin: http://{}", served.main);
    assert_eq!(served.post("/logout", "", &[&own, "Sec-Fetch-Site: same-origin"]).status, 303);
    assert_eq!(served.post("/logout", "", &[]).status, 303, "a program has no page");
}

#[test]
fn archived_pages_are_for_those_who_are_logged_in() {
    let served = guarded(public());
    assert_eq!(served.replay(WAY, &[]).status, 401);
    let page = ["Accept: text/html", "Sec-Fetch-Dest: document"];
    let way = "/web/20260101000000/http://e.org/";
    let sent_back = served.replay(way, &page);
    assert_eq!(sent_back.header("location").unwrap(), format!("http://{}{way}", served.main));

    // From the main side one is let in with a ticket, which becomes a cookie that says no more than that.
    let anna = anna(&served);
    let over = served.ask(way, &[page[0], page[1], &anna]);
    let over = over.header("location").unwrap().strip_prefix(&format!("http://{}", served.replay)).unwrap().to_owned();
    let entered = served.replay(&over, &page);
    assert_eq!((entered.status, entered.header("location")), (303, Some(way)));
    let reader = cookie(&entered);
    let frame = served.replay(way, &[page[0], page[1], &reader]);
    assert_eq!(frame.status, 200);
    assert_eq!(served.replay(WAY, &[&reader]).text(), "<p>secret text");
    assert_eq!(served.ask("/cdx?url=e.org", &[&reader]).status, 401, "it opens the other side only");
    assert_eq!(served.replay(&over.replace("ticket=", "ticket=9"), &page).status, 401);

    // What is in a page is read from addresses that nobody knows who was not let in.
    let inner = frame.text().split("src=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(served.replay(&inner, &["Origin: null"]).status, 200);
    assert_ne!(served.ask(&inner, &[]).status, 200, "they are nothing on the main side");
    let token = inner.split('/').nth(1).unwrap();
    assert_eq!(served.ask("/cdx?url=e.org", &[&bearer(token)]).status, 401);
}

#[test]
fn everybody_may_read_where_that_was_allowed_and_nothing_else() {
    let served = guarded(Options { allow_public: true, ..public() });
    assert_eq!(served.ask("/cdx?url=e.org", &[]).status, 200);
    assert_eq!(served.replay(WAY, &[]).text(), "<p>secret text");
    assert_eq!(send(served.main, "POST", "/api/v1/jobs", &[], b"{}").status, 401);
    assert_eq!(send(served.main, "POST", "/api/v1/jobs", &[&bearer(READER)], b"{}").status, 403);
}

#[test]
fn a_proxy_makes_a_server_public() {
    let behind = Options { origin: Some("https://archive.example".to_owned()), ..options() };
    assert!(matches!(Server::bind(in_memory(), behind.clone()), Err(ServeError::Public { .. })));
    assert!(Server::bind(in_memory(), Options { access: Some(access()), ..behind }).is_ok());
    let local = Options { origin: Some("http://kuai.localhost".to_owned()), ..options() };
    assert!(Server::bind(in_memory(), local).is_ok());
}

#[test]
fn a_client_that_asks_too_much_is_told_to_wait_and_others_are_not() {
    let mut options = Options { origin: Some("http://archive.example".to_owned()), ..public() };
    options.limits.requests_at_once = 3;
    options.limits.requests_per_second = 1;
    let served = guarded(options);
    let ask = |client: &str| {
        let forwarded = format!("X-Forwarded-For: 198.51.100.99, {client}");
        ask(served.main, "GET", "/health", &["Host: archive.example", &forwarded])
    };
    let statuses: Vec<u16> = (0..5).map(|_| ask("198.51.100.1").status).collect();
    assert_eq!(statuses[..3], [200; 3]);
    assert_eq!(statuses[4], 429);
    assert!(ask("198.51.100.1").header("retry-after").is_some());
    assert_eq!(ask("198.51.100.2").status, 200);
}

#[test]
fn what_is_too_large_to_be_sent_is_refused() {
    let served = guarded(options());
    let large = vec![b'x'; 5 << 20];
    let answer = send(served.main, "POST", "/login", &["Content-Type: application/x-www-form-urlencoded"], &large);
    assert_eq!(answer.status, 413);
}

#[test]
fn metrics_tell_what_was_asked_and_what_there_is() {
    let served = serve(archive(&[(PAGE, TIME, "text/html", b"<p>x")]));
    served.ask("/cdx?url=e.org", &[]);
    served.ask("/nowhere", &[]);
    served.replay(WAY, &[]);
    let told = served.ask("/metrics", &[]).text();
    for line in [
        "kuai_http_requests_total{route=\"/cdx\",method=\"GET\",status=\"200\"} 1\n",
        "kuai_http_requests_total{route=\"other\",method=\"GET\",status=\"404\"} 1\n",
        "kuai_http_requests_total{route=\"replay\",method=\"GET\",status=\"200\"} 1\n",
        "kuai_http_request_seconds_count{route=\"/cdx\"} 1\n",
        "kuai_urls 1\n",
        "kuai_jobs{state=\"running\"} 0\n",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
}
