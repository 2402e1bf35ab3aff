//! HTTPS and HTTP/2, with a certificate made for these tests (`secure.pem`, for `secure.example`, good until 2126).

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use kuai_crawl::{FetchOptions, Web};
use kuai_page::Url;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::server::{Names, get, local};

const PEM: &[u8] = include_bytes!("secure.pem");

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(PEM).unwrap()
}

/// Serves this page over HTTP/2 or, if the client prefers, HTTP/1.1; gives its port.
async fn start(protocols: &[&[u8]], page: Response<Full<Bytes>>) -> u16 {
    let key = PrivateKeyDer::from_pem_slice(PEM).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_no_client_auth().with_single_cert(vec![certificate()], key).unwrap();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(acceptor.clone(), stream, page.clone()));
        }
    });
    port
}

async fn serve(acceptor: TlsAcceptor, stream: TcpStream, page: Response<Full<Bytes>>) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let service = service_fn(move |_: Request<Incoming>| std::future::ready(Ok::<_, Infallible>(page.clone())));
    let stream = TokioIo::new(stream);
    let _ = if is_http2 {
        hyper::server::conn::http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service).await
    } else {
        hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await
    };
}

fn page() -> Response<Full<Bytes>> {
    Response::new(Full::from("<p>safe"))
}

fn trusting() -> Web {
    let options = FetchOptions { extra_roots: vec![certificate().to_vec()], ..local() };
    Web::with_resolver(&options, Names::answering(&["127.0.0.1"])).unwrap()
}

fn url(host: &str, port: u16) -> Url {
    Url::parse(&format!("https://{host}:{port}/page")).unwrap()
}

#[tokio::test]
async fn a_page_comes_over_http2() {
    let port = start(&[b"h2", b"http/1.1"], page()).await;
    let web = trusting();
    for _ in 0..3 {
        let capture = get(&web, url("secure.example", port)).await.unwrap();
        assert_eq!((capture.protocol.as_str(), capture.reason.as_str()), ("HTTP/2.0", ""));
        assert_eq!(capture.body, b"<p>safe");
        assert!(capture.request.headers.iter().all(|(name, _)| name != "host"));
    }
}

#[tokio::test]
async fn a_page_comes_over_https_without_http2() {
    let port = start(&[], page()).await;
    let capture = get(&trusting(), url("127.0.0.1", port)).await.unwrap();
    assert_eq!((capture.protocol.as_str(), capture.body.as_slice()), ("HTTP/1.1", b"<p>safe".as_slice()));
}

#[tokio::test]
async fn a_head_over_the_limit_is_no_capture_over_http2_either() {
    let mut large = page();
    for index in 0..7 {
        let name = hyper::header::HeaderName::try_from(format!("x-{index}")).unwrap();
        large.headers_mut().insert(name, "x".repeat(10_000).try_into().unwrap());
    }
    let port = start(&[b"h2"], large).await;
    let error = get(&trusting(), url("secure.example", port)).await.unwrap_err();
    // HTTP/2 resets the stream and does not say why, so this cannot be told from a server that gave up.
    assert_eq!(error.kind(), "broken-off", "{error}");
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_refused() {
    let port = start(&[b"h2"], page()).await;
    let web = Web::with_resolver(&local(), Names::answering(&["127.0.0.1"])).unwrap();
    let error = get(&web, url("secure.example", port)).await.unwrap_err();
    assert_eq!((error.kind(), error.is_transient()), ("tls", false), "{error}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let port = start(&[b"h2"], page()).await;
    let error = get(&trusting(), url("other.example", port)).await.unwrap_err();
    assert_eq!(error.kind(), "tls", "{error}");
}

#[tokio::test]
async fn a_server_without_tls_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await
    });
    let error = get(&trusting(), url("secure.example", port)).await.unwrap_err();
    assert_eq!(error.kind(), "tls", "{error}");
}
