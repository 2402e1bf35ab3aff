//! What comes back from servers that mean well.

use kuai_crawl::{Fetch, FetchOptions, FetchRequest, Web};

use super::server::{Server, Step, answer, fetch_answer, get, local, local_web};

#[tokio::test]
async fn body_and_headers_come_as_they_were_sent() {
    let sent = b"HTTP/1.1 404 Gone Fishing\r\nContent-Type: text/html; charset=gbk\r\nX-A: 1\r\nContent-Length: 4\r\nX-A: \xff\r\n\r\n\xc4\xe3\x00\xff";
    let capture = fetch_answer(sent).await.unwrap();
    assert_eq!((capture.status, capture.body.as_slice()), (404, b"\xc4\xe3\x00\xff".as_slice()));
    assert_eq!((capture.reason.as_str(), capture.protocol.as_str()), ("Gone Fishing", "HTTP/1.1"));
    assert_eq!(capture.charset(), Some("gbk"));
    let values: Vec<&[u8]> =
        capture.headers.iter().filter(|(name, _)| name == "x-a").map(|(_, value)| &value[..]).collect();
    assert_eq!(values, [b"1".as_slice(), b"\xff"]);
}

#[tokio::test]
async fn the_request_says_who_asks_and_the_capture_says_what_was_sent() {
    let server = Server::saying(answer("", b"x")).await;
    let options = FetchOptions { contact: Some("https://example.org/bot".to_owned()), ..local() };
    let capture = get(&Web::new(&options).unwrap(), server.url("/a?b#c")).await.unwrap();
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /a?b http/1.1\r\n"), "{request}");
    assert!(request.contains(concat!(
        "user-agent: kuai/",
        env!("CARGO_PKG_VERSION"),
        " (+https://example.org/bot)\r\n"
    )));
    assert_eq!(capture.url, server.url("/a?b"));
    let mut lines: Vec<&str> = request.lines().skip(1).filter(|line| !line.is_empty()).collect();
    let mut told: Vec<String> = capture
        .request
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value)).to_ascii_lowercase())
        .collect();
    lines.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, lines);
}

#[tokio::test]
async fn a_contact_of_two_lines_is_refused() {
    let options = FetchOptions { contact: Some("a\r\nX-Evil: 1".to_owned()), ..local() };
    assert_eq!(Web::new(&options).err().map(|error| error.kind()), Some("options"));
}

#[tokio::test]
async fn a_redirect_is_an_answer_of_its_own() {
    let capture =
        fetch_answer("HTTP/1.1 302 Found\r\nLocation: /next#part\r\nContent-Length: 3\r\n\r\nhop").await.unwrap();
    assert_eq!((capture.status, capture.body.as_slice()), (302, b"hop".as_slice()));
    assert_eq!(kuai_crawl::redirect_target(&capture).unwrap(), capture.url.join("/next").unwrap());
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_304_without_body() {
    let server = Server::saying("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 5000\r\n\r\n").await;
    let request = FetchRequest {
        etag: Some(b"\"a\"".to_vec()),
        last_modified: Some(b"Wed, 21 Oct 2015 07:28:00 GMT".to_vec()),
        ..FetchRequest::from(server.url("/"))
    };
    let capture = local_web().fetch(&request).await.unwrap();
    assert_eq!((capture.status, capture.body.len()), (304, 0));
    assert_eq!(capture.header("content-length"), Some(b"5000".as_slice()));
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.contains("if-none-match: \"a\"\r\n") && request.contains("if-modified-since: wed, 21 oct 2015"));
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = Server::saying(answer("", b"x")).await;
    let web = local_web();
    for _ in 0..5 {
        get(&web, server.url("/")).await.unwrap();
    }
    assert_eq!((server.connection_count(), server.requests().len()), (1, 5));
}

#[tokio::test]
async fn cookies_go_back_to_the_host_that_set_them() {
    let answers = vec![
        vec![Step::Send(answer("Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Path=/x\r\n", b""))],
        vec![Step::Send(answer("", b""))],
    ];
    let server = Server::start(answers).await;
    let web = local_web();
    get(&web, server.url("/")).await.unwrap();
    let capture = get(&web, server.url("/y")).await.unwrap();
    assert!(server.requests()[1].contains("cookie: a=1\r\n"));
    assert!(capture.request.headers.contains(&("cookie".to_owned(), b"a=1".to_vec())));
}

#[tokio::test]
async fn credentials_in_an_address_are_not_sent() {
    let server = Server::saying(answer("", b"x")).await;
    let mut url = server.url("/");
    url.set_username("me").unwrap();
    url.set_password(Some("secret")).unwrap();
    let capture = get(&local_web(), url).await.unwrap();
    assert_eq!(capture.url, server.url("/"));
    assert!(!server.requests()[0].to_ascii_lowercase().contains("authorization"));
}
