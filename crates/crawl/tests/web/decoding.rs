//! Bodies that come compressed, truly or not.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use kuai_crawl::{FetchError, FetchLimits};
use kuai_page::Capture;

use super::server::{Step, answer, fetch_answer, fetch_steps};

const TEXT: &[u8] = "块 is a block. ".as_bytes();

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn bare_deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zstd(plain: &[u8]) -> Vec<u8> {
    let mut coded = Vec::with_capacity(zstd_safe::compress_bound(plain.len()));
    zstd_safe::compress(&mut coded, plain, 3).unwrap();
    coded
}

async fn fetch_coded(encoding: &str, body: &[u8]) -> Result<Capture, FetchError> {
    fetch_answer(answer(&format!("Content-Encoding: {encoding}\r\n"), body)).await
}

#[tokio::test]
async fn every_coding_that_is_asked_for_is_undone() {
    let long = TEXT.repeat(3000);
    for (encoding, coded) in [
        ("gzip", gzip(&long)),
        ("X-GZIP", gzip(&long)),
        ("deflate", zlib(&long)),
        ("deflate", bare_deflate(&long)),
        ("zstd", zstd(&long)),
        ("zstd", [zstd(&long[..100]), zstd(&long[100..])].concat()),
        ("gzip", [gzip(&long[..100]), gzip(&long[100..])].concat()),
        ("gzip", [gzip(&long), b"\0\0\0".to_vec()].concat()),
    ] {
        let capture = fetch_coded(encoding, &coded).await.unwrap();
        assert!(capture.body == long, "{encoding}: {} bytes", capture.body.len());
        assert_eq!(capture.header("content-encoding"), None);
        assert_eq!(capture.header("x-orig-content-encoding"), Some(encoding.as_bytes()));
        assert_eq!(capture.header("content-length"), None);
        assert_eq!(capture.header("x-orig-content-length"), Some(coded.len().to_string().as_bytes()));
    }
    assert_eq!(fetch_coded("br", b"\x0b\x02\x80hello\x03").await.unwrap().body, b"hello");
}

#[tokio::test]
async fn chunks_are_joined_and_no_longer_announced() {
    let sent =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\none\r\n4\r\n two\r\n0\r\nX-Trailer: 1\r\n\r\n";
    let capture = fetch_answer(sent).await.unwrap();
    assert_eq!(capture.body, b"one two");
    assert_eq!(capture.header("transfer-encoding"), None);
    assert_eq!(capture.header("x-orig-transfer-encoding"), Some(b"chunked".as_slice()));
}

#[tokio::test]
async fn two_codings_are_undone_in_reverse() {
    let both = zstd(&gzip(TEXT));
    let one_line = fetch_coded("gzip, zstd", &both).await.unwrap();
    assert_eq!(one_line.body, TEXT);
    let two_lines = answer("Content-Encoding: gzip\r\nContent-Encoding: zstd\r\n", &both);
    let two_lines = fetch_answer(two_lines).await.unwrap();
    assert_eq!(two_lines.body, TEXT);
    assert_eq!(two_lines.headers.iter().filter(|(name, _)| name == "x-orig-content-encoding").count(), 2);
}

#[tokio::test]
async fn a_body_that_is_not_what_its_header_says_is_kept_as_it_came() {
    let cut = gzip(&TEXT.repeat(3000));
    let cut = &cut[..cut.len() / 2];
    let cut_zstd = zstd(&TEXT.repeat(3000));
    let cut_zstd = &cut_zstd[..cut_zstd.len() / 2];
    for (encoding, body) in [
        ("gzip", TEXT),
        ("br", TEXT),
        ("zstd", TEXT),
        ("deflate", TEXT),
        ("gzip", cut),
        ("zstd", cut_zstd),
        ("rot13", TEXT),
        ("gzip, rot13", TEXT),
        ("gzip", b"\x1f\x8b"),
    ] {
        let capture = fetch_coded(encoding, body).await.unwrap();
        assert_eq!(capture.body, body, "{encoding}");
        assert_eq!(capture.header("content-encoding"), Some(encoding.as_bytes()));
        assert_eq!(capture.header("content-length"), Some(body.len().to_string().as_bytes()));
    }
}

#[tokio::test]
async fn an_empty_body_needs_no_decoding() {
    assert_eq!(fetch_coded("gzip", b"").await.unwrap().body, b"");
}

#[tokio::test]
async fn bombs_are_refused_in_every_coding() {
    let zeros = vec![0; 3 << 19];
    for (encoding, bomb) in [
        ("gzip", gzip(&zeros)),
        ("deflate", zlib(&zeros)),
        ("zstd", zstd(&zeros)),
        ("gzip, gzip", gzip(&gzip(&zeros))),
        ("zstd, gzip", gzip(&zstd(&zeros))),
    ] {
        let error = fetch_coded(encoding, &bomb).await.unwrap_err();
        assert_eq!((error.kind(), error.is_transient()), ("bomb", false), "{encoding} of {} bytes", bomb.len());
    }
}

#[tokio::test]
async fn a_decoded_body_over_the_limit_is_refused() {
    let limits = FetchLimits { body_bytes: 10_000, ..FetchLimits::default() };
    let coded = gzip(&TEXT.repeat(1000));
    assert!(coded.len() < 10_000);
    let sent = answer("Content-Encoding: gzip\r\n", &coded);
    let error = fetch_steps(vec![Step::Send(sent), Step::Close], limits).await.unwrap_err();
    assert!(matches!(error, FetchError::BodyTooLarge(_, 10_000)), "{error}");
}
