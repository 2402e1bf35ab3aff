//! What a site answers for a path: the file there, as a static server gives it.

use std::fs::{self, Metadata};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use percent_encoding::percent_decode_str;

use super::sites::Site;

/// Types by the ending of the name. No charset is named: the pages say it themselves, or leave it open, as most do.
const TYPES: [(&str, &str); 12] = [
    ("html", "text/html"),
    ("htm", "text/html"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("txt", "text/plain"),
    ("xml", "application/xml"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("gif", "image/gif"),
    ("woff2", "font/woff2"),
];

/// Endings of what gzip makes smaller.
const TEXT_ENDINGS: [&str; 7] = ["html", "htm", "css", "js", "json", "txt", "svg"];

/// A status with headers and a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// A short answer in plain text.
    pub(super) fn text(status: u16, text: &str) -> Answer {
        Answer { status, headers: vec![("Content-Type", "text/plain".to_owned())], body: text.as_bytes().to_vec() }
    }
}

/// What the client has, and what it takes.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    pub(super) if_none_match: Option<String>,
    pub(super) if_modified_since: Option<String>,
    pub(super) gzip: bool,
}

/// The answer of a site for the path of a request, which begins with `/` and may end in a query.
pub(super) fn answer(site: &Site, path: &str, wishes: &Wishes) -> Answer {
    let plain = path.split(['?', '#']).next().unwrap_or_default();
    match find(site, plain) {
        Found::File(file, metadata) => file_answer(&file, &metadata, wishes),
        Found::Folder => {
            let location = ("Location", format!("{plain}/"));
            Answer { status: 301, headers: vec![location], body: Vec::new() }
        }
        Found::Nothing => Answer::text(404, "there is no such page\n"),
    }
}

/// What lies at a path of a site.
#[derive(Debug)]
pub enum Found {
    /// A file.
    File(PathBuf, Metadata),
    /// A folder that was asked for without the slash at its end.
    Folder,
    /// Nothing that is served.
    Nothing,
}

/// What a site has at a path, which begins with `/` and has no query.
pub fn find(site: &Site, path: &str) -> Found {
    let decoded = percent_decode_str(path.trim_start_matches('/')).decode_utf8_lossy();
    let Some((mut file, mut metadata)) = look(site, &site.root.join(decoded.as_ref())) else { return Found::Nothing };
    if metadata.is_dir() {
        if !path.ends_with('/') {
            return Found::Folder;
        }
        let Some(index) = look(site, &file.join("index.html")) else { return Found::Nothing };
        (file, metadata) = index;
    }
    if metadata.is_file() { Found::File(file, metadata) } else { Found::Nothing }
}

/// Follows links, and sees nothing outside of the package.
fn look(site: &Site, path: &Path) -> Option<(PathBuf, Metadata)> {
    let path = fs::canonicalize(path).ok().filter(|path| path.starts_with(&site.boundary))?;
    let metadata = fs::metadata(&path).ok()?;
    Some((path, metadata))
}

fn file_answer(file: &Path, metadata: &Metadata, wishes: &Wishes) -> Answer {
    let modified = metadata.modified().ok().and_then(|time| jiff::Timestamp::try_from(time).ok()).unwrap_or_default();
    let etag = format!("\"{:x}-{:x}\"", modified.as_second(), metadata.len());
    let last_modified = http_date(modified);
    let mut headers = vec![("ETag", etag.clone()), ("Last-Modified", last_modified.clone())];
    let is_known = match (&wishes.if_none_match, &wishes.if_modified_since) {
        (Some(known), _) => *known == etag,
        (None, Some(known)) => *known == last_modified,
        (None, None) => false,
    };
    if is_known {
        return Answer { status: 304, headers, body: Vec::new() };
    }
    let Ok(mut body) = fs::read(file) else { return Answer::text(404, "there is no such page\n") };
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let kind = TYPES.iter().find(|(name, _)| *name == ending).map_or("application/octet-stream", |(_, kind)| kind);
    headers.push(("Content-Type", kind.to_owned()));
    if wishes.gzip && TEXT_ENDINGS.contains(&ending) {
        headers.push(("Content-Encoding", "gzip".to_owned()));
        body = gzip(&body);
    }
    Answer { status: 200, headers, body }
}

fn http_date(time: jiff::Timestamp) -> String {
    // A file from before the year 0 has no time that HTTP could say.
    jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time).unwrap_or_default()
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> (tempfile::TempDir, Site) {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        fs::create_dir_all(package.join("html/part")).unwrap();
        fs::create_dir_all(package.join("other")).unwrap();
        fs::write(package.join("html/index.html"), "<p>start").unwrap();
        fs::write(package.join("html/part/index.html"), "<p>part").unwrap();
        fs::write(package.join("html/a b.css"), "p{}").unwrap();
        fs::write(package.join("other/linked.html"), "<p>linked").unwrap();
        fs::write(folder.path().join("secret.html"), "<p>outside").unwrap();
        let mut site = Site::of_folder("test", &package.join("html"), 0).unwrap();
        site.boundary = fs::canonicalize(&package).unwrap();
        (folder, site)
    }

    fn check(path: &str, status: u16, body: &str) {
        let (_folder, site) = site();
        let answer = answer(&site, path, &Wishes::default());
        assert_eq!((answer.status, String::from_utf8_lossy(&answer.body).as_ref()), (status, body), "{path}");
    }

    #[test]
    fn a_folder_answers_with_its_index() {
        check("/", 200, "<p>start");
        check("/part/?query", 200, "<p>part");
        check("/part", 301, "");
    }

    #[test]
    fn names_are_decoded() {
        check("/a%20b.css", 200, "p{}");
    }

    #[test]
    fn what_is_missing_or_outside_is_not_found() {
        check("/gone.html", 404, "there is no such page\n");
        check("/../../secret.html", 404, "there is no such page\n");
        check("/%2e%2e/%2e%2e/secret.html", 404, "there is no such page\n");
        check("/a\0b", 404, "there is no such page\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_the_package() {
        let (folder, site) = site();
        std::os::unix::fs::symlink("../other/linked.html", site.root.join("inside.html")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret.html"), site.root.join("outside.html")).unwrap();
        assert_eq!(answer(&site, "/inside.html", &Wishes::default()).body, b"<p>linked");
        assert_eq!(answer(&site, "/outside.html", &Wishes::default()).status, 404);
    }

    #[test]
    fn a_page_that_the_client_has_is_not_sent_again() {
        let (_folder, site) = site();
        let first = answer(&site, "/", &Wishes::default());
        let header = |name| first.headers.iter().find(|(given, _)| *given == name).map(|(_, value)| value.clone());
        let by_tag = Wishes { if_none_match: header("ETag"), ..Wishes::default() };
        let by_time = Wishes { if_modified_since: header("Last-Modified"), ..Wishes::default() };
        assert_eq!(answer(&site, "/", &by_tag).status, 304);
        assert_eq!(answer(&site, "/", &by_time).status, 304);
        let other = Wishes { if_none_match: Some("\"other\"".to_owned()), ..by_time };
        assert_eq!(answer(&site, "/", &other).status, 200);
    }

    #[test]
    fn text_is_packed_where_it_is_wished() {
        let (_folder, site) = site();
        let packed = answer(&site, "/", &Wishes { gzip: true, ..Wishes::default() });
        assert!(packed.headers.contains(&("Content-Encoding", "gzip".to_owned())));
        assert!(packed.body.starts_with(&[0x1f, 0x8b]));
    }
}
