//! The sites of the local web, and where their files lie.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

/// Where `scripts/local-web` unpacks the packages.
pub const DEFAULT_FOLDER: &str = "/tmp/localweb";

/// A documentation package of Debian that is served as a site.
pub struct SiteEntry {
    /// What the site is called; `NAME.localhost` where such names resolve.
    pub name: &'static str,
    /// The Debian package that holds its pages, and the folder that it is unpacked into.
    pub package: &'static str,
    /// The folder in the package that is the site's `/`.
    pub root: &'static str,
    /// The page that leads to the others, relative to `/`.
    pub start: &'static str,
}

/// Every site. Its place in the table gives its address: the first is 127.0.0.2, the next 127.0.0.3 and so on.
pub const SITES: [SiteEntry; 7] = [
    entry("postgresql-doc", "postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html", "index.html"),
    entry("rust-doc", "rust-doc", "usr/share/doc/rust-doc/html", "index.html"),
    entry("cppreference", "cppreference-doc-en-html", "usr/share/cppreference/doc/html", "en/index.html"),
    entry("python-doc", "python3.11-doc", "usr/share/doc/python3.11/html", "index.html"),
    entry("debian-handbook", "debian-handbook", "usr/share/doc/debian-handbook/html", "en-US/index.html"),
    entry("libreoffice-help", "libreoffice-help-zh-cn", "usr/share/libreoffice/help", "zh-CN/noscript.html"),
    entry("gimp-help", "gimp-help-zh-cn", "usr/share/gimp/2.0/help/zh_CN", "index.html"),
];

/// The last number of the address of the first site in the table.
const FIRST_ADDRESS: u8 = 2;

/// The last number of the address of the first folder that is served beside the table.
const FIRST_OWN_ADDRESS: u8 = 101;

/// A site that can be served.
#[derive(Clone, Debug)]
pub struct Site {
    /// What it is called.
    pub name: String,
    /// The loopback address that it has to itself.
    pub address: Ipv4Addr,
    /// Its `/`, without links in the path.
    pub root: PathBuf,
    /// Files are served when they lie in here after links are followed: Debian links from one folder of a package to another.
    pub boundary: PathBuf,
    /// The page that leads to the others, relative to `/`.
    pub start: String,
}

impl Site {
    /// The sites of the table whose packages are unpacked in `folder`.
    pub fn unpacked_in(folder: &Path) -> Vec<Site> {
        let numbered = (FIRST_ADDRESS..).zip(&SITES);
        numbered.filter_map(|(number, entry)| Site::of_entry(folder, entry, number)).collect()
    }

    /// The `index`-th folder that is served beside the table; none where there is no such folder.
    pub fn of_folder(name: &str, folder: &Path, index: u8) -> Option<Site> {
        let root = fs::canonicalize(folder).ok().filter(|root| root.is_dir())?;
        let address = loopback(FIRST_OWN_ADDRESS.checked_add(index)?);
        Some(Site { name: name.to_owned(), address, boundary: root.clone(), root, start: "index.html".to_owned() })
    }

    fn of_entry(folder: &Path, entry: &SiteEntry, number: u8) -> Option<Site> {
        let boundary = fs::canonicalize(folder.join(entry.package)).ok()?;
        let root = fs::canonicalize(boundary.join(entry.root)).ok().filter(|root| root.is_dir())?;
        let (name, start) = (entry.name.to_owned(), entry.start.to_owned());
        Some(Site { name, address: loopback(number), root, boundary, start })
    }

    /// The address of the page that leads to the others.
    pub fn start_url(&self, port: u16) -> String {
        format!("http://{}:{port}/{}", self.address, self.start)
    }
}

const fn entry(name: &'static str, package: &'static str, root: &'static str, start: &'static str) -> SiteEntry {
    SiteEntry { name, package, root, start }
}

fn loopback(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_keeps_its_address_when_others_are_not_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(SITES[3].package).join(SITES[3].root)).unwrap();
        let sites = Site::unpacked_in(folder.path());
        assert_eq!(sites.len(), 1);
        assert_eq!(sites[0].start_url(80), "http://127.0.0.5:80/index.html");
    }
}
