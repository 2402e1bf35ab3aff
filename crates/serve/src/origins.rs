//! The two origins of a server as a browser sees them, and which names it may be asked by.
//!
//! A page of the live Web whose name is made to resolve to this machine must not be taken for us, so a name has to be known. Numeric addresses
//! cannot be rebound and are always fine.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header};
use kuai_page::Url;

use crate::options::Options;
use crate::refusal::Refusal;

/// How both sides are reached by whoever sent a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origins {
    /// The side of the API.
    pub(crate) main: String,
    /// The side of archived pages.
    pub(crate) replay: String,
}

/// What is known about names and ports.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    main: Option<String>,
    replay: Option<String>,
    hosts: Vec<String>,
    main_port: u16,
    replay_port: u16,
}

impl Names {
    pub(crate) fn new(options: &Options, main: SocketAddr, replay: SocketAddr) -> Names {
        let origin = |given: &Option<String>| given.as_deref().and_then(|given| Url::parse(given).ok());
        let given = [origin(&options.origin), origin(&options.replay_origin)];
        let hosts = given.iter().flatten().filter_map(|url| url.host_str().map(str::to_owned)).collect();
        let [main_origin, replay_origin] = given.map(|url| url.map(|url| url.origin().ascii_serialization()));
        Names { main: main_origin, replay: replay_origin, hosts, main_port: main.port(), replay_port: replay.port() }
    }

    /// The origins for a request; refused where it asks by a name that is not ours.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Result<Origins, Refusal> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let name = host_name(host).ok_or_else(|| Refusal::bad_request("a request needs a Host header"))?;
        if !self.is_known(&name) {
            let detail =
                format!("{name:?} is no name of this server: start it with --origin http://{name}… if it is to be");
            return Err(Refusal::bad_request(detail));
        }
        let reached = |given: &Option<String>, port: u16| given.clone().unwrap_or_else(|| origin(&name, port));
        Ok(Origins { main: reached(&self.main, self.main_port), replay: reached(&self.replay, self.replay_port) })
    }

    fn is_known(&self, name: &str) -> bool {
        let is_numeric = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        is_numeric || is_local_name(name) || self.hosts.iter().any(|host| host == name)
    }
}

/// Whether a name is of this machine wherever it is asked for.
pub(crate) fn is_local_name(name: &str) -> bool {
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    name == "localhost" || name.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// The name in a `Host` header, without its port.
fn host_name(host: &str) -> Option<String> {
    let url = Url::parse(&format!("http://{host}/")).ok()?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.username().is_empty() && url.password().is_none();
    url.host_str().filter(|_| is_bare).map(str::to_owned)
}

fn origin(name: &str, port: u16) -> String {
    if port == 80 { format!("http://{name}") } else { format!("http://{name}:{port}") }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn origins(options: &Options, host: &str) -> Option<Origins> {
        let names =
            Names::new(options, SocketAddr::from(([127, 0, 0, 1], 80)), SocketAddr::from(([127, 0, 0, 1], 8081)));
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).expect("a header"));
        names.of(&headers).ok()
    }

    fn options() -> Options {
        Options::new(SocketAddr::from(([127, 0, 0, 1], 80)))
    }

    #[test]
    fn both_sides_are_reached_by_the_name_that_was_asked() {
        for name in ["127.0.0.1", "localhost", "[::1]", "kuai.localhost"] {
            let found = origins(&options(), &format!("{name}:80")).expect(name);
            assert_eq!(found, Origins { main: format!("http://{name}"), replay: format!("http://{name}:8081") });
        }
    }

    #[test]
    fn a_foreign_name_is_refused() {
        for host in ["evil.example", "evil.example:80", "localhost.evil.example", "a@127.0.0.1", "127.0.0.1/x", ""] {
            assert_eq!(origins(&options(), host), None, "{host}");
        }
    }

    #[test]
    fn a_name_that_was_given_is_known() {
        let given = Options { origin: Some("https://archive.example/".to_owned()), ..options() };
        let found = origins(&given, "archive.example").expect("known");
        assert_eq!(found.main, "https://archive.example");
        assert_eq!(found.replay, "http://archive.example:8081");
    }
}
