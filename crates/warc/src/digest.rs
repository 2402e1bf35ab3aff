//! Digests as WARC files write them: `sha1:` and base32, `sha256:` and base32 or hex.

use std::fmt;

use data_encoding::{BASE32_NOPAD, HEXLOWER_PERMISSIVE};
use sha1::{Digest as _, Sha1};
use sha2::Sha256;

/// A digest of some bytes. Two are the same if their bytes are, however they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digest {
    /// What nearly all WARC files have.
    Sha1([u8; 20]),
    /// What newer ones may have beside it or instead.
    Sha256([u8; 32]),
}

/// Bytes of a SHA-1 and a SHA-256.
const SHA1: usize = 20;
const SHA256: usize = 32;

impl Digest {
    /// The SHA-1 of some bytes.
    pub fn sha1(bytes: &[u8]) -> Digest {
        Digest::Sha1(Sha1::digest(bytes).into())
    }

    /// The SHA-256 of some bytes.
    pub fn sha256(bytes: &[u8]) -> Digest {
        Digest::Sha256(Sha256::digest(bytes).into())
    }

    /// Reads `sha1:…`, `sha-1:…`, `sha256:…` or `sha-256:…`, base32 or hex; `None` for anything else.
    pub fn parse(text: &str) -> Option<Digest> {
        let (algorithm, value) = text.trim().split_once(':')?;
        let bytes = |length: usize| -> Option<Vec<u8>> {
            let value = value.trim_end_matches('=');
            let read = match value.len() == length * 2 {
                true => HEXLOWER_PERMISSIVE.decode(value.as_bytes()),
                false => BASE32_NOPAD.decode(value.to_ascii_uppercase().as_bytes()),
            };
            read.ok()
        };
        match algorithm.to_ascii_lowercase().as_str() {
            "sha1" | "sha-1" => Some(Digest::Sha1(bytes(SHA1)?.try_into().ok()?)),
            "sha256" | "sha-256" => Some(Digest::Sha256(bytes(SHA256)?.try_into().ok()?)),
            _ => None,
        }
    }

    /// Computes the same kind of digest over bytes that come bit by bit.
    pub(crate) fn hasher(&self) -> Hasher {
        match self {
            Digest::Sha1(_) => Hasher::Sha1(Sha1::new()),
            Digest::Sha256(_) => Hasher::Sha256(Sha256::new()),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Digest::Sha1(bytes) => write!(out, "sha1:{}", BASE32_NOPAD.encode(bytes)),
            Digest::Sha256(bytes) => write!(out, "sha256:{}", BASE32_NOPAD.encode(bytes)),
        }
    }
}

/// A digest in the making.
#[derive(Clone)]
pub(crate) enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Hasher {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha1(hasher) => hasher.update(bytes),
            Hasher::Sha256(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Digest {
        match self {
            Hasher::Sha1(hasher) => Digest::Sha1(hasher.finalize().into()),
            Hasher::Sha256(hasher) => Digest::Sha256(hasher.finalize().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_in_every_way_it_is_written() {
        let empty = Digest::sha1(b"");
        assert_eq!(empty.to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        for text in ["sha-1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj", "SHA1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"] {
            assert_eq!(Digest::parse(text), Some(empty), "{text}");
        }
        let long = Digest::sha256(b"kuai");
        assert_eq!(Digest::parse(&long.to_string()), Some(long));
        assert_eq!(Digest::parse("sha256:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"), None);
        assert_eq!(Digest::parse("md5:d41d8cd98f00b204e9800998ecf8427e"), None);
    }
}
