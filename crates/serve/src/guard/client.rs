//! Whom a request comes from, as far as that is counted: an address, or in IPv6 the network that one household has.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::HeaderMap;

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Whom requests are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    /// Whom a request comes from. A proxy on this machine says for whom it asks, in the last place of `X-Forwarded-For`; anybody could have written the others.
    pub(crate) fn of(peer: IpAddr, headers: &HeaderMap, is_proxied: bool) -> Client {
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
        let last = forwarded.and_then(|value| value.rsplit(',').next()).and_then(|last| last.trim().parse().ok());
        Client(network(if is_proxied && peer.is_loopback() { last.unwrap_or(peer) } else { peer }))
    }

    /// Whether it is this machine.
    pub(crate) fn is_local(self) -> bool {
        self.0.is_loopback()
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => mapped.into(),
            None if address.is_loopback() => address.into(),
            None => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        },
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn check(peer: &str, forwarded: &'static str, is_proxied: bool, expected: &str) {
        let mut headers = HeaderMap::new();
        if !forwarded.is_empty() {
            headers.insert("x-forwarded-for", HeaderValue::from_static(forwarded));
        }
        let client = Client::of(peer.parse().expect("an address"), &headers, is_proxied);
        assert_eq!(client.0.to_string(), expected, "{peer} {forwarded}");
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_believed() {
        check("127.0.0.1", "192.0.2.1, 192.0.2.2", true, "192.0.2.2");
        check("127.0.0.1", "192.0.2.1", false, "127.0.0.1");
        check("192.0.2.9", "192.0.2.1", true, "192.0.2.9");
        check("127.0.0.1", "nonsense", true, "127.0.0.1");
    }

    #[test]
    fn a_household_is_one_client() {
        check("2001:db8:1:2:3:4:5:6", "", false, "2001:db8:1:2::");
        check("::ffff:192.0.2.1", "", false, "192.0.2.1");
        check("::1", "", false, "::1");
    }
}
