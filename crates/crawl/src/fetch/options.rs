//! What a fetcher is told once: who it is, what it may touch, and how much of everything it may take.

use std::time::Duration;

/// Who asks, and what may be asked.
#[derive(Clone, Debug)]
pub struct FetchOptions {
    /// Where the owner of a site finds who collects it: an address of a page or of a mailbox.
    pub contact: Option<String>,
    /// The languages that are preferred, as `Accept-Language` says them.
    pub languages: String,
    /// Whether addresses that are not of the public Web may be asked (see [`Guard`](crate::Guard)).
    pub allow_private: bool,
    /// Certificates (DER) that are trusted beside those of the system: the authority of an intranet.
    pub extra_roots: Vec<Vec<u8>>,
    /// Bounds of size and time.
    pub limits: FetchLimits,
}

impl Default for FetchOptions {
    fn default() -> Self {
        FetchOptions {
            contact: None,
            languages: "zh-CN,zh;q=0.9,en;q=0.8".to_owned(),
            allow_private: false,
            extra_roots: Vec::new(),
            limits: FetchLimits::default(),
        }
    }
}

impl FetchOptions {
    /// `kuai/0.1.0 (+https://example.org/about)`: the name, and whom to ask.
    pub(super) fn user_agent(&self) -> String {
        let name = concat!("kuai/", env!("CARGO_PKG_VERSION"));
        self.contact.as_ref().map_or(name.to_owned(), |contact| format!("{name} (+{contact})"))
    }
}

/// How much and how long one fetch may take.
#[derive(Clone, Debug)]
pub struct FetchLimits {
    /// Bytes of the body, both as it comes and decoded.
    pub body_bytes: usize,
    /// Decoded bytes for one that came. Deflate reaches 1,032 at its best; pages that people write stay below 100.
    pub ratio: usize,
    /// Bytes of the answer's head.
    pub header_bytes: usize,
    /// Header lines of the answer.
    pub header_count: usize,
    /// From the look-up of the name until the connection stands, TLS included.
    pub connect_time: Duration,
    /// From asking until the answer's head is there, connecting included.
    pub first_byte_time: Duration,
    /// Between two pieces of the body.
    pub idle_time: Duration,
    /// From asking to the last byte.
    pub whole_time: Duration,
    /// How slow a body may come, once [`rate_grace`](Self::rate_grace) is over.
    pub bytes_per_second_min: u32,
    /// How long a body may come at any rate.
    pub rate_grace: Duration,
}

impl Default for FetchLimits {
    fn default() -> Self {
        FetchLimits {
            body_bytes: 64 << 20,
            ratio: 200,
            header_bytes: 64 << 10,
            header_count: 256,
            connect_time: Duration::from_secs(10),
            first_byte_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(20),
            whole_time: Duration::from_secs(120),
            bytes_per_second_min: 256,
            rate_grace: Duration::from_secs(10),
        }
    }
}
