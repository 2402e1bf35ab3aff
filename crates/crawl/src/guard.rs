//! Which addresses may be asked at all: http(s) on ports of the Web, at hosts that anybody can reach.
//!
//! A page must not make the collector read the owner's router, a neighbour's database or a cloud's metadata. A name says
//! nothing about that, so hosts are judged by the address that is about to be connected to, after every look-up.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use kuai_page::Url;

/// Judges addresses before they are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Whether private, loopback and other addresses that are not of the public Web may be asked.
    pub allow_private: bool,
}

/// Why an address is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It is neither http nor https, or names no host.
    Scheme,
    /// Another service than the Web lives at this port.
    Port(u16),
    /// The host is at an address that is not of the public Web.
    Private(IpAddr),
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Scheme => write!(out, "it is neither http nor https"),
            Refusal::Port(port) => write!(out, "port {port} is not a port of the Web"),
            Refusal::Private(address) => write!(out, "{address} is not an address of the public Web"),
        }
    }
}

impl Guard {
    /// Judges what can be known without a look-up: scheme, port, and hosts that are addresses themselves.
    pub fn check_url(self, url: &Url) -> Result<(), Refusal> {
        let port = match (url.scheme(), url.port_or_known_default()) {
            ("http" | "https", Some(port)) if url.has_host() => port,
            _ => return Err(Refusal::Scheme),
        };
        if BAD_PORTS.binary_search(&port).is_ok() {
            return Err(Refusal::Port(port));
        }
        literal_address(url).map_or(Ok(()), |address| self.check_address(address))
    }

    /// Judges the address that is about to be connected to.
    pub fn check_address(self, address: IpAddr) -> Result<(), Refusal> {
        if self.allow_private || is_public(address) { Ok(()) } else { Err(Refusal::Private(address)) }
    }
}

/// Whether an address belongs to the public Internet, also where it wraps one of the older kind.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// The address in a URL whose host is one: `http://[::1]/`, and `http://0x7f.1/`, which the URL standard reads as 127.0.0.1.
fn literal_address(url: &Url) -> Option<IpAddr> {
    // The parsed host is written without brackets by nobody else, and a domain never parses as an address.
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !CLOSED_V4.iter().any(|&(base, prefix)| (bits ^ base.to_bits()) >> (32 - prefix) == 0)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(wrapped) = wrapped_v4(address) {
        return is_public_v4(wrapped);
    }
    // Only 2000::/3 has been given out; loopback, link-local, unique-local and multicast all lie outside.
    let bits = address.to_bits();
    bits >> 125 == 0b001 && !CLOSED_V6.iter().any(|&(base, prefix)| (bits ^ base.to_bits()) >> (128 - prefix) == 0)
}

/// The address that a translator or tunnel would send packets on to: IPv4-mapped, NAT64 and 6to4.
fn wrapped_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let bits = address.to_bits();
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => Some(Ipv4Addr::from_bits(bits as u32)),
        [0x2002, ..] => Some(Ipv4Addr::from_bits((bits >> 80) as u32)),
        _ => None,
    }
}

/// What the registry of special-purpose addresses keeps from the public Internet, and one metadata server outside of it.
const CLOSED_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // this host
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // shared by carriers; Alibaba's metadata
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // Azure's wire server
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local; most clouds' metadata
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments; Oracle's metadata
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // relays of 6to4
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// The same inside 2000::/3. Teredo is closed as a whole: its relays are gone, and what it wraps is hidden on purpose.
const CLOSED_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo, benchmarks
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// Ports that browsers refuse ("bad ports" of the Fetch standard), because other services take a request for commands.
const BAD_PORTS: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str) -> Result<(), Refusal> {
        Guard::default().check_url(&Url::parse(url).unwrap())
    }

    #[test]
    fn addresses_of_the_public_web_pass() {
        for address in
            ["1.1.1.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "198.20.0.1", "2606:4700::1111", "2a00::1"]
        {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for wrapped in ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"] {
            assert!(is_public(wrapped.parse().unwrap()), "{wrapped}");
        }
    }

    #[test]
    fn addresses_that_are_not_of_the_public_web_are_closed() {
        let closed_v4 = "0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 \
            169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 \
            198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255";
        for address in closed_v4.split_whitespace() {
            let address: Ipv4Addr = address.parse().unwrap();
            let [a, b, c, d] = address.octets().map(u16::from);
            let (high, low) = (a << 8 | b, c << 8 | d);
            assert!(!is_public(address.into()), "{address}");
            for wrapped in [
                address.to_ipv6_mapped(),
                address.to_ipv6_compatible(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, high, low, 0, 0, !high, !low),
            ] {
                assert!(!is_public(wrapped.into()), "{wrapped} wraps {address}");
            }
        }
        for address in "::1 :: fe80::1 fec0::1 fc00::1 fd00:ec2::254 fd20:ce::254 ff02::1 100::1 64:ff9b:1::808:808 \
            2001:2::1 2001:db8::1 3fff::1 5f00::1"
            .split_whitespace()
        {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn hosts_that_spell_a_closed_address_are_refused_in_every_spelling() {
        let spellings = "http://127.0.0.1/ http://2130706433/ http://0177.0.0.1/ http://0x7f.1/ http://0x7f000001/ http://127.1/ \
            http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[0:0:0:0:0:ffff:7f00:1]/ http://127.0.0.1./ \
            http://%31%32%37.0.0.1/ http://１２７.０.０.１/ http://127。0。0。1/ http://user:word@10.0.0.1/ http://0/";
        for url in spellings.split_whitespace() {
            assert!(matches!(check(url), Err(Refusal::Private(_))), "{url}");
        }
        let open = Guard { allow_private: true };
        assert_eq!(open.check_url(&Url::parse("http://[::1]/").unwrap()), Ok(()));
    }

    #[test]
    fn only_http_at_ports_of_the_web_is_asked() {
        for url in
            ["file:///etc/passwd", "ftp://example.org/", "data:text/html,x", "javascript:1", "gopher://example.org/"]
        {
            assert_eq!(check(url), Err(Refusal::Scheme), "{url}");
        }
        assert_eq!(check("http://example.org:25/"), Err(Refusal::Port(25)));
        assert_eq!(check("https://example.org:6667/"), Err(Refusal::Port(6667)));
        assert_eq!(check("http://example.org:8080/"), Ok(()));
        assert!(BAD_PORTS.is_sorted());
    }
}
