//! `datapackage.json`: what a WACZ file holds, each part with its hash.

use std::io::{self, Read, Write};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of the format that is written.
pub(super) const VERSION: &str = "1.1.1";

/// The description of a file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Package {
    pub(super) profile: String,
    pub(super) wacz_version: String,
    pub(super) software: String,
    pub(super) title: String,
    pub(super) created: String,
    pub(super) resources: Vec<Resource>,
}

/// A part of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) path: String,
    /// `sha256:` and hex digits.
    pub(super) hash: String,
    pub(super) bytes: u64,
}

/// `datapackage-digest.json`: what the description itself hashes to.
#[derive(Debug, Serialize)]
pub(super) struct PackageDigest {
    pub(super) path: &'static str,
    pub(super) hash: String,
}

/// Hashes and counts what goes through it.
pub(super) struct Hashed<I> {
    pub(super) inner: I,
    hasher: Sha256,
    bytes: u64,
}

impl<I> Hashed<I> {
    pub(super) fn new(inner: I) -> Hashed<I> {
        Hashed { inner, hasher: Sha256::new(), bytes: 0 }
    }

    /// What went through, under its path, and what it went through.
    pub(super) fn finish(self, path: &str) -> (Resource, I) {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let resource = Resource { name, path: path.to_owned(), hash: written(self.hasher), bytes: self.bytes };
        (resource, self.inner)
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        self.hasher.update(&out[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

/// The hash of some bytes as it is written here.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    written(Sha256::new_with_prefix(bytes))
}

fn written(hasher: Sha256) -> String {
    format!("sha256:{}", HEXLOWER.encode(&hasher.finalize()))
}
