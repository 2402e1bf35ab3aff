//! Which addresses are asked, and under which name.

use std::sync::Arc;

use kuai_crawl::{FakeWeb, Fetch, FetchError, FetchOptions, FetchRequest, Refusal, Web, fetch_following};
use kuai_page::{Capture, Url};

use super::server::{Names, Server, answer, get, local, local_web};

/// A made-up start in front of the real, guarded network.
struct StartThenNetwork {
    start: FakeWeb,
    network: Web,
}

impl Fetch for StartThenNetwork {
    async fn fetch(&self, request: &FetchRequest) -> Result<Capture, FetchError> {
        if request.url.host_str() == Some("start.example") {
            return self.start.fetch(request).await;
        }
        self.network.fetch(request).await
    }
}

#[tokio::test]
async fn no_redirect_leads_to_a_closed_address() {
    let server = Server::saying(answer("", b"secret")).await;
    let hosts = "127.0.0.1 10.0.0.1 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 255.255.255.255 224.0.0.1 \
        [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [fe80::1] [fd00::1] [64:ff9b::7f00:1] [2002:7f00:1::1] \
        2130706433 017700000001 0177.0.0.1 0x7f.1 0x7f000001 127.1 private.example";
    for host in hosts.split_whitespace() {
        let start = FakeWeb::new().redirect("http://start.example/", &format!("http://{host}:{}/", server.port()));
        let network = Web::with_resolver(&FetchOptions::default(), Names::answering(&["127.0.0.1"])).unwrap();
        let url = Url::parse("http://start.example/").unwrap();
        let error = fetch_following(&StartThenNetwork { start, network }, &url, 5).await.unwrap_err();
        assert!(matches!(error, FetchError::Refused(_, Refusal::Private(_))), "{host}: {error}");
        assert!(!error.is_transient());
    }
    assert_eq!(server.connection_count(), 0);
}

#[tokio::test]
async fn redirects_to_other_schemes_and_ports_are_refused() {
    for (target, refusal) in [
        ("file:///etc/passwd", Refusal::Scheme),
        ("ftp://example.org/", Refusal::Scheme),
        ("data:text/html,x", Refusal::Scheme),
        ("http://start.other:25/", Refusal::Port(25)),
    ] {
        let start = FakeWeb::new().redirect("http://start.example/", target);
        let network = Web::new(&FetchOptions::default()).unwrap();
        let url = Url::parse("http://start.example/").unwrap();
        let error = fetch_following(&StartThenNetwork { start, network }, &url, 5).await.unwrap_err();
        assert_eq!(error, FetchError::Refused(Url::parse(target).unwrap(), refusal));
    }
}

#[tokio::test]
async fn a_name_is_looked_up_once_for_both_judging_and_connecting() {
    let server = Server::saying(answer("", b"secret")).await;
    let url = Url::parse(&format!("http://rebind.example:{}/", server.port())).unwrap();
    // Whoever judges the first answer and connects to the second one is lost either way round.
    let names = Names::answering(&["10.0.0.1", "127.0.0.1"]);
    let web = Web::with_resolver(&FetchOptions::default(), Arc::clone(&names) as _).unwrap();
    let refused = |address: &str| Err(FetchError::Refused(url.clone(), Refusal::Private(address.parse().unwrap())));
    assert_eq!(get(&web, url.clone()).await, refused("10.0.0.1"));
    assert_eq!(names.asked.lock().unwrap().len(), 1);
    assert_eq!(get(&web, url.clone()).await, refused("127.0.0.1"));
    assert_eq!(server.connection_count(), 0);
}

#[tokio::test]
async fn a_redirect_loop_ends_after_as_many_hops_as_allowed() {
    let web = FakeWeb::new().redirect("http://a.example/1", "/2").redirect("http://a.example/2", "/1");
    let url = Url::parse("http://a.example/1").unwrap();
    assert_eq!(fetch_following(&web, &url, 5).await, Err(FetchError::Redirects(url, 5)));
    assert_eq!(web.asked().len(), 6);
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_a_failure_of_the_dns() {
    let names = Names::answering(&[]);
    let web = Web::with_resolver(&local(), names).unwrap();
    let error = get(&web, Url::parse("http://nowhere.example/").unwrap()).await.unwrap_err();
    assert_eq!((error.kind(), error.is_transient()), ("dns", true));
    assert!(error.to_string().starts_with("http://nowhere.example/ could not be fetched: the host's name"), "{error}");
    let web = Web::with_resolver(&local(), Names::answering(&[""])).unwrap();
    assert_eq!(get(&web, Url::parse("http://nowhere.example/").unwrap()).await.unwrap_err().kind(), "dns");
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_unreachable() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let error = get(&local_web(), url).await.unwrap_err();
    assert_eq!((error.kind(), error.is_transient()), ("unreachable", true));
}

#[tokio::test]
async fn the_second_address_of_a_host_is_tried_when_the_first_is_dead() {
    let server = Server::saying(answer("", b"x")).await;
    let names = Names::answering(&["127.0.0.77 127.0.0.1"]);
    let web = Web::with_resolver(&local(), names).unwrap();
    let url = Url::parse(&format!("http://two.example:{}/", server.port())).unwrap();
    assert_eq!(get(&web, url).await.unwrap().body, b"x");
}

#[tokio::test]
async fn hosts_of_every_script_are_asked_by_their_ascii_name() {
    let server = Server::saying(answer("", b"x")).await;
    let names = Names::answering(&["127.0.0.1"]);
    let web = Web::with_resolver(&local(), Arc::clone(&names) as _).unwrap();
    let url = Url::parse(&format!("http://Bücher.中国.example:{}/", server.port())).unwrap();
    get(&web, url).await.unwrap();
    assert_eq!(*names.asked.lock().unwrap(), ["xn--bcher-kva.xn--fiqs8s.example"]);
    let host = format!("\r\nhost: xn--bcher-kva.xn--fiqs8s.example:{}\r\n", server.port());
    assert!(server.requests()[0].to_ascii_lowercase().contains(&host), "{:?}", server.requests());
}

#[tokio::test]
async fn odd_characters_and_bad_escapes_are_asked_as_they_stand() {
    let server = Server::saying(answer("", b"x")).await;
    let printable: String = (' '..='~').filter(|character| !"#?/\\".contains(*character)).collect();
    let odd = ["/%".to_owned(), "/%zz/%1/100%?q=%&r=%e4%b8".to_owned(), "/中文?查=询".to_owned()];
    let all = odd.into_iter().chain([format!("/{printable}"), format!("/?{printable}")]);
    for path in all {
        let url = server.url(&path);
        let capture = get(&local_web(), url.clone()).await;
        assert!(capture.is_ok(), "{path}: {capture:?}");
        let request = server.requests().pop().unwrap();
        let asked = request.split(' ').nth(1).unwrap();
        assert_eq!(server.url(asked), url);
    }
}

#[tokio::test]
async fn an_address_longer_than_any_request_line_is_refused() {
    let url = Url::parse(&format!("http://127.0.0.1/{}", "a".repeat(70_000))).unwrap();
    assert_eq!(get(&local_web(), url).await.unwrap_err().kind(), "address");
}
