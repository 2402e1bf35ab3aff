//! Texts that only this server can have written, each for one purpose and until a time. The key lives as long as the server does.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Longer ones are none of ours.
const SEALED_BYTES_MAX: usize = 1024;

/// Signs texts, and knows its own.
pub(crate) struct Seal {
    key: [u8; 32],
}

impl Seal {
    /// One with a key that nobody knows.
    pub(crate) fn new() -> Result<Seal, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Seal { key })
    }

    /// A text that is good for a purpose until a time, in seconds.
    pub(crate) fn seal(&self, purpose: &str, text: &str, until: i64) -> String {
        let text = BASE64URL_NOPAD.encode(text.as_bytes());
        let mac = self.mac(purpose, &text, until).finalize().into_bytes();
        format!("{until}.{text}.{}", BASE64URL_NOPAD.encode(&mac))
    }

    /// The text, where it is ours and still good.
    pub(crate) fn open(&self, purpose: &str, sealed: &str, now: i64) -> Option<String> {
        let mut parts = sealed.get(..SEALED_BYTES_MAX.min(sealed.len()))?.split('.');
        let (until, text, mac) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let mac = BASE64URL_NOPAD.decode(mac.as_bytes()).ok()?;
        self.mac(purpose, text, until).verify_slice(&mac).ok()?;
        let text = BASE64URL_NOPAD.decode(text.as_bytes()).ok().filter(|_| now < until && parts.next().is_none())?;
        String::from_utf8(text).ok()
    }

    fn mac(&self, purpose: &str, text: &str, until: i64) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any key is long enough");
        // No purpose has a full stop in it, nor has anything else here.
        mac.update(format!("{purpose}.{until}.{text}").as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_again_for_its_purpose_and_until_its_time_only() {
        let seal = Seal::new().expect("random numbers");
        let sealed = seal.seal("session", "anna read", 100);
        assert_eq!(seal.open("session", &sealed, 99).as_deref(), Some("anna read"));
        assert_eq!(seal.open("session", &sealed, 100), None);
        assert_eq!(seal.open("ticket", &sealed, 99), None);
        assert_eq!(Seal::new().expect("random numbers").open("session", &sealed, 99), None);
    }

    #[test]
    fn a_text_that_somebody_changed_is_not_known() {
        let seal = Seal::new().expect("random numbers");
        let sealed = seal.seal("session", "anna read", 100);
        let later = sealed.replacen("100", "999", 1);
        let other = sealed.replacen(&BASE64URL_NOPAD.encode(b"anna read"), &BASE64URL_NOPAD.encode(b"anna admin"), 1);
        for forged in [later.as_str(), &other, &sealed[..sealed.len() - 1], &format!("{sealed}."), "", "..", "1.é.x"] {
            assert_eq!(seal.open("session", forged, 50), None, "{forged}");
        }
    }
}
