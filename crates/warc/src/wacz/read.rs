//! Reads the WARC files inside a WACZ file, one after the other, and checks them against their hashes.

use std::io::{Read, Seek};

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::package::{Hashed, Package};

/// A longer description is not read.
const PACKAGE_BYTES_MAX: u64 = 64 << 20;

/// A WACZ file to read.
pub struct Wacz<R> {
    zip: ZipArchive<R>,
    package: Package,
    warcs: Vec<String>,
}

/// Why a WACZ file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaczError {
    /// It is no ZIP file, or a damaged one.
    #[error("not a WACZ file that can be read")]
    Zip(#[from] ZipError),
    /// There are no WARC files in it.
    #[error("no WARC file in its folder `archive`")]
    NoWarc,
}

impl<R: Read + Seek> Wacz<R> {
    /// Opens a file and lists what is in it. A description that is absent or damaged is no reason not to read the rest.
    pub fn open(file: R) -> Result<Wacz<R>, WaczError> {
        let mut zip = ZipArchive::new(file)?;
        let names = zip.file_names().filter_map(Result::ok).map(|name| name.into_owned());
        let mut warcs: Vec<String> = names.filter(|name| is_warc(name)).collect();
        warcs.sort_unstable();
        if warcs.is_empty() {
            return Err(WaczError::NoWarc);
        }
        let package = read_package(&mut zip).unwrap_or_default();
        Ok(Wacz { zip, package, warcs })
    }

    /// The paths of the WARC files in it, in the order of their names.
    pub fn warcs(&self) -> &[String] {
        &self.warcs
    }

    /// Hands one of the WARC files to `reading`. Also tells whether it was other than `datapackage.json` says, as far as it was read to its end.
    pub fn read<T>(&mut self, path: &str, reading: impl FnOnce(&mut dyn Read) -> T) -> Result<(T, bool), WaczError> {
        let expected = self.package.resources.iter().find(|resource| resource.path == path);
        let mut file: Hashed<ZipFile<'_, R>> = Hashed::new(self.zip.by_name(path)?);
        let size = file.inner.size();
        let read = reading(&mut file);
        let (found, _) = file.finish(path);
        let is_other = expected.is_some_and(|expected| {
            found.bytes == size && expected.hash.starts_with("sha256:") && expected.hash != found.hash
        });
        Ok((read, is_other))
    }
}

fn is_warc(name: &str) -> bool {
    let is_named = [".warc", ".warc.gz", ".warc.zst"].iter().any(|ending| name.ends_with(ending));
    name.starts_with("archive/") && is_named
}

fn read_package<R: Read + Seek>(zip: &mut ZipArchive<R>) -> Option<Package> {
    let mut text = Vec::new();
    zip.by_name("datapackage.json").ok()?.take(PACKAGE_BYTES_MAX).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
