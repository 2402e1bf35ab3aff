//! Response headers as servers send them, made up for captures that came without: some lines are the same every time, some
//! follow from the capture, and some are random.

use kuai::{Capture, Timestamp};

/// Makes headers; the same ones in every run.
pub struct Heads {
    state: u64,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads { state: 7 }
    }
}

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const HEX: &[u8] = b"0123456789abcdef";

impl Heads {
    /// Gives a capture 15 header lines, 0.5 kB: a cookie and a request number of its own, and a tag that follows its body.
    pub fn add(&mut self, capture: &mut Capture) {
        let tag = capture.body.iter().fold(7u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3));
        let server = ["nginx/1.24.0", "Apache/2.4.57 (Debian)", "cloudflare"][capture.url.as_str().len() % 3];
        let lines = [
            ("Date", http_date(capture.time)),
            ("Content-Type", "text/html; charset=utf-8".to_owned()),
            ("Content-Length", capture.body.len().to_string()),
            ("Connection", "keep-alive".to_owned()),
            ("Server", server.to_owned()),
            ("ETag", format!("\"{tag:016x}\"")),
            ("Cache-Control", "max-age=600".to_owned()),
            ("Vary", "Accept-Encoding".to_owned()),
            ("Set-Cookie", format!("session={}; Path=/; HttpOnly; Secure; SameSite=Lax", self.token(22, BASE64))),
            ("X-Request-Id", self.token(16, HEX)),
            ("Strict-Transport-Security", "max-age=31536000; includeSubDomains".to_owned()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
            ("X-Frame-Options", "SAMEORIGIN".to_owned()),
            ("Accept-Ranges", "bytes".to_owned()),
        ];
        capture.headers = lines.into_iter().map(|(name, value)| (name.to_owned(), value.into_bytes())).collect();
    }

    fn token(&mut self, length: usize, letters: &[u8]) -> String {
        let mut letter = || {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            char::from(letters[(self.state >> 20) as usize % letters.len()])
        };
        (0..length).map(|_| letter()).collect()
    }
}

fn http_date(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
