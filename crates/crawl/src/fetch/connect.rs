//! Opens connections: looks a name up, lets the guard judge every address, connects, and secures what is https.
//!
//! Nothing lies between judging an address and connecting to it, so a name that leads elsewhere at the next look-up gains nothing.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper_rustls::MaybeHttpsStream;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tower_service::Service;

use super::FetchOptions;
use crate::guard::{Guard, Refusal};

/// Finds the addresses of a host: the system's look-up, or one made up for a test.
pub trait Resolve: Send + Sync {
    /// Looks one name up.
    fn resolve(&self, host: &str) -> LookUp;
}

/// The addresses of a name, when they are there.
pub type LookUp = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Asks the system, with its hosts file and its cache.
pub(super) struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: &str) -> LookUp {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect()) })
    }
}

/// Why there is no connection.
#[derive(Clone, Debug)]
pub(super) enum ConnectFailure {
    Refused(Refusal),
    Dns(String),
    Unreachable(String),
    Tls(String),
    TimedOut,
}

impl fmt::Display for ConnectFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self:?}")
    }
}

impl std::error::Error for ConnectFailure {}

/// Opens connections for the HTTP client.
#[derive(Clone)]
pub(super) struct Connector(Arc<Parts>);

struct Parts {
    guard: Guard,
    resolver: Arc<dyn Resolve>,
    connect_time: Duration,
    extra_roots: Vec<Vec<u8>>,
    /// Made at the first https address: reading the system's certificates takes a while, and may fail where none are installed.
    tls: OnceLock<Result<TlsConnector, ConnectFailure>>,
}

type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;

impl Connector {
    pub(super) fn new(options: &FetchOptions, resolver: Arc<dyn Resolve>) -> Connector {
        Connector(Arc::new(Parts {
            guard: Guard { allow_private: options.allow_private },
            resolver,
            connect_time: options.limits.connect_time,
            extra_roots: options.extra_roots.clone(),
            tls: OnceLock::new(),
        }))
    }
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = ConnectFailure;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, ConnectFailure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectFailure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let parts = Arc::clone(&self.0);
        Box::pin(async move {
            let connecting = timeout(parts.connect_time, parts.connect(&target));
            connecting.await.unwrap_or(Err(ConnectFailure::TimedOut))
        })
    }
}

impl Parts {
    async fn connect(&self, target: &Uri) -> Result<Stream, ConnectFailure> {
        let secure = target.scheme_str() == Some("https");
        let port = target.port_u16().unwrap_or(if secure { 443 } else { 80 });
        // An IPv6 address stands in brackets.
        let host = target.host().unwrap_or_default().trim_matches(['[', ']']);
        let stream = self.connect_any(&self.addresses(host).await?, port).await?;
        if !secure {
            return Ok(MaybeHttpsStream::Http(TokioIo::new(stream)));
        }
        let failed = |error: io::Error| ConnectFailure::Tls(error.to_string());
        let name = ServerName::try_from(host.to_owned()).map_err(|error| ConnectFailure::Tls(error.to_string()))?;
        let connector = self.tls.get_or_init(|| tls_connector(&self.extra_roots)).clone()?;
        let stream = connector.connect(name, TokioIo::new(TokioIo::new(stream))).await.map_err(failed)?;
        Ok(MaybeHttpsStream::Https(TokioIo::new(stream)))
    }

    /// The addresses of a host that may be asked; a host that is an address has itself.
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, ConnectFailure> {
        let found = match host.parse() {
            Ok(address) => vec![address],
            Err(_) => self.resolver.resolve(host).await.map_err(|error| ConnectFailure::Dns(error.to_string()))?,
        };
        let Some(&first) = found.first() else { return Err(ConnectFailure::Dns("it has no address".to_owned())) };
        let open: Vec<IpAddr> = found
            .into_iter()
            .filter(|&address| self.guard.check_address(address).is_ok())
            .take(ADDRESSES_MAX)
            .collect();
        if open.is_empty() { Err(ConnectFailure::Refused(Refusal::Private(first))) } else { Ok(open) }
    }

    /// Tries one address after the other; each gets its share of the time, so that a dead one does not use up all of it.
    async fn connect_any(&self, addresses: &[IpAddr], port: u16) -> Result<TcpStream, ConnectFailure> {
        let share = self.connect_time / addresses.len().max(1) as u32;
        let mut failure = ConnectFailure::TimedOut;
        for &address in addresses {
            match timeout(share, TcpStream::connect(SocketAddr::new(address, port))).await {
                Ok(Ok(stream)) => {
                    // Requests are small and wait for their answer; without this they may wait for each other.
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Ok(Err(error)) => failure = ConnectFailure::Unreachable(error.to_string()),
                Err(_) => {}
            }
        }
        Err(failure)
    }
}

/// Addresses of one host that are tried.
const ADDRESSES_MAX: usize = 4;

fn tls_connector(extra_roots: &[Vec<u8>]) -> Result<TlsConnector, ConnectFailure> {
    let failed = |error: rustls::Error| ConnectFailure::Tls(error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let extra_roots = extra_roots.iter().map(|root| CertificateDer::from(root.clone()));
    let verifier = Verifier::new_with_extra_roots(extra_roots, Arc::clone(&provider)).map_err(failed)?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        // The builder calls any verifier of one's own so; this one is the system's.
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Gives one answer after the other.
    struct Answers(Mutex<Vec<&'static str>>);

    impl Resolve for Answers {
        fn resolve(&self, _: &str) -> LookUp {
            let answer = self.0.lock().unwrap().remove(0);
            let addresses = answer.split_whitespace().map(|address| address.parse().unwrap()).collect();
            Box::pin(std::future::ready(Ok(addresses)))
        }
    }

    /// The addresses of one name at each look-up, as far as they may be asked.
    async fn looked_up(answers: &[&'static str]) -> Vec<Option<String>> {
        let resolver = Arc::new(Answers(Mutex::new(answers.to_vec())));
        let connector = Connector::new(&FetchOptions::default(), resolver);
        let mut all = Vec::new();
        for _ in answers {
            let open = connector.0.addresses("name.example").await.ok();
            all.push(open.map(|open| open.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")));
        }
        all
    }

    #[tokio::test]
    async fn a_name_that_turns_private_is_closed_from_that_look_up_on() {
        let found = looked_up(&["1.1.1.1", "127.0.0.1", "1.1.1.1", "::ffff:10.0.0.1"]).await;
        assert_eq!(found, [Some("1.1.1.1".to_owned()), None, Some("1.1.1.1".to_owned()), None]);
    }

    #[tokio::test]
    async fn private_addresses_among_public_ones_are_passed_over() {
        assert_eq!(looked_up(&["10.0.0.1 1.1.1.1 ::1 2606:4700::1"]).await, [Some("1.1.1.1 2606:4700::1".to_owned())]);
    }
}
