//! Answers that lie, break off or never end.

use std::time::Duration;

use kuai_crawl::{FetchError, FetchLimits};

use super::server::{Server, Step, answer, fetch_answer, fetch_steps, get, local_web};

#[tokio::test]
async fn a_body_over_the_limit_is_refused_whether_announced_or_not() {
    let limits = FetchLimits { body_bytes: 3, ..FetchLimits::default() };
    for sent in [answer("", b"four"), b"HTTP/1.1 200 OK\r\n\r\nfour".to_vec()] {
        let error = fetch_steps(vec![Step::Send(sent), Step::Close], limits.clone()).await.unwrap_err();
        assert!(matches!(error, FetchError::BodyTooLarge(_, 3)), "{error}");
    }
}

#[tokio::test]
async fn a_body_without_end_is_refused_at_the_limit() {
    let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    let steps = vec![Step::Send(head), Step::Repeat(vec![b'x'; 64 << 10], Duration::ZERO)];
    let limits = FetchLimits { body_bytes: 1 << 20, ..FetchLimits::default() };
    assert_eq!(fetch_steps(steps, limits).await.unwrap_err().kind(), "too-large");
}

#[tokio::test]
async fn a_body_shorter_than_announced_is_no_capture() {
    let error = fetch_answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort").await.unwrap_err();
    assert_eq!((error.kind(), error.is_transient()), ("broken-off", true));
}

#[tokio::test]
async fn what_follows_the_announced_body_is_never_taken_for_the_next_answer() {
    let sent = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    let server = Server::start(vec![vec![Step::Send(sent.into())], vec![Step::Send(answer("", b"two"))]]).await;
    let web = local_web();
    let first = get(&web, server.url("/1")).await.unwrap();
    assert_eq!((first.body.as_slice(), first.header("content-length")), (b"one".as_slice(), Some(b"3".as_slice())));
    assert_eq!(get(&web, server.url("/2")).await.unwrap().body, b"two");
}

#[tokio::test]
async fn lengths_that_contradict_each_other_are_not_http() {
    for lengths in ["Content-Length: 3\r\nContent-Length: 4", "Content-Length: many", "Content-Length: -1"] {
        let error = fetch_answer(format!("HTTP/1.1 200 OK\r\n{lengths}\r\n\r\nfour")).await.unwrap_err();
        assert_eq!(error.kind(), "not-http", "{lengths}");
    }
}

#[tokio::test]
async fn broken_chunks_are_no_capture() {
    for chunks in
        ["zz\r\nabc\r\n0\r\n\r\n", "3\r\nabcdef\r\n0\r\n\r\n", "3\r\nabc\r\n", "ffffffffffffffffff\r\na", "5\r\nabc"]
    {
        let sent = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
        assert_eq!(fetch_answer(sent).await.unwrap_err().kind(), "broken-off", "{chunks:?}");
    }
}

#[tokio::test]
async fn a_head_over_the_limits_is_refused() {
    let long = format!("HTTP/1.1 200 OK\r\nX-Long: {}\r\n\r\n", "x".repeat(1 << 20));
    assert_eq!(fetch_answer(long).await.unwrap_err().kind(), "too-large");
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X-Many: 1\r\n".repeat(1000));
    assert_eq!(fetch_answer(many).await.unwrap_err().kind(), "too-large");
    let endless =
        vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Step::Repeat(b"X-More: 1\r\n".repeat(100), Duration::ZERO)];
    assert_eq!(fetch_steps(endless, FetchLimits::default()).await.unwrap_err().kind(), "too-large");
}

#[tokio::test]
async fn odd_header_lines_are_left_out_or_mended_and_the_page_is_kept() {
    let odd_lines =
        "X Space: 1|X-Trail : 2|X-Fold: a\r\n b|: none|no colon|X-Lf: a\nX-More: b|\u{fc}: 1|X-High: \u{fc}";
    for odd in odd_lines.split('|') {
        let sent = answer(&format!("{odd}\r\nContent-Type: text/html\r\n"), b"page");
        let capture = fetch_answer(sent).await.unwrap();
        assert_eq!(capture.body, b"page", "{odd:?}");
        assert_eq!(capture.header("content-type"), Some(b"text/html".as_slice()), "{odd:?}");
        let clean = |value: &[u8]| !value.iter().any(|byte| matches!(byte, 0 | b'\r' | b'\n'));
        assert!(capture.headers.iter().all(|(_, value)| clean(value)), "{odd:?}: {:?}", capture.headers);
    }
}

#[tokio::test]
async fn headers_with_bare_returns_or_nul_are_not_http() {
    for odd in ["X-Cr: a\rb", "X-Cr: a\rLocation: b", "X-Nul: \0"] {
        let sent = answer(&format!("{odd}\r\n"), b"page");
        assert_eq!(fetch_answer(sent).await.unwrap_err().kind(), "not-http", "{odd:?}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_told_so() {
    for sent in [
        "<html><p>An answer of HTTP/0.9",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/3.7 200 OK\r\n\r\n",
        "\0\0\0\0",
    ] {
        let error = fetch_answer(sent).await.unwrap_err();
        assert_eq!((error.kind(), error.is_transient()), ("not-http", false), "{sent:?}: {error}");
    }
}

#[tokio::test]
async fn a_server_that_dies_in_the_middle_is_asked_again_only_later() {
    let server = Server::start(vec![vec![
        Step::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_vec()),
        Step::Reset,
    ]])
    .await;
    let error = get(&local_web(), server.url("/")).await.unwrap_err();
    assert_eq!((error.kind(), error.is_transient()), ("broken-off", true));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_kept_connection_that_has_died_is_replaced_once() {
    let good = || vec![Step::Send(answer("", b"x"))];
    let server = Server::start(vec![good(), vec![Step::Close], good()]).await;
    let web = local_web();
    get(&web, server.url("/1")).await.unwrap();
    assert_eq!(get(&web, server.url("/2")).await.unwrap().body, b"x");
    assert_eq!((server.requests().len(), server.connection_count()), (3, 2));
}

#[tokio::test]
async fn a_server_that_always_closes_at_once_is_asked_twice_and_no_more() {
    for step in [Step::Close, Step::Reset] {
        let server = Server::start(vec![vec![step]]).await;
        let error = get(&local_web(), server.url("/")).await.unwrap_err();
        assert_eq!((error.kind(), server.requests().len()), ("broken-off", 2));
    }
}

#[tokio::test]
async fn answers_without_body_are_captures() {
    for head in [
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.0 200\r\n\r\n",
        "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 205 \r\nContent-Length: 0\r\n\r\n",
    ] {
        let capture = fetch_answer(head).await.unwrap();
        assert_eq!(capture.body, b"", "{head}");
        assert!(matches!(capture.status, 200 | 204 | 205));
    }
}
