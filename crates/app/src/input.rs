//! What a command reads: pages named by file, address or `-`, and lists of them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kuai_crawl::{FetchOptions, Guard, Refusal, fetch_blocking};
use kuai_eval::saved_style_sheets;
use kuai_page::{Limits, Page, Url};

/// A page to read: where it is, and the address that it is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// A file, `-` for standard input, or an http(s) address, as it is told.
    pub(crate) place: String,
    /// The file, whose name need not be text.
    file: PathBuf,
    /// The address that links are resolved against.
    pub(crate) url: Option<Url>,
}

impl Source {
    /// A page given on the command line, with the address given for it.
    pub(crate) fn new(place: impl Into<PathBuf>, url: Option<&str>) -> anyhow::Result<Source> {
        let url = url.map(parse_address).transpose()?;
        Ok(Source::at(place.into(), url))
    }

    fn at(file: PathBuf, url: Option<Url>) -> Source {
        let place = file.to_string_lossy().into_owned();
        let url = url.or_else(|| address(&place));
        Source { place, file, url }
    }

    /// Whether the page is to be fetched.
    pub(crate) fn is_address(&self) -> bool {
        address(&self.place).is_some()
    }

    /// Reads the page, which can fail only for what the world does: no such file, no answer.
    pub(crate) fn read(&self) -> anyhow::Result<Page> {
        let limits = Limits::default();
        if let Some(address) = address(&self.place) {
            let capture = fetch_blocking(&address, &fetch_options(&address))?;
            if capture.status >= 400 {
                bail!("{address} answers {}", capture.status);
            }
            return Ok(Page::read(&capture, &limits));
        }
        let body = if self.place == "-" {
            beginning_of(io::stdin().lock(), 0, &limits).context("cannot read standard input")?
        } else {
            read_file(&self.file, &limits).with_context(|| format!("cannot read {}", self.place))?
        };
        Ok(Page::from_bytes(&body, self.url.as_ref(), None, &limits))
    }

    /// Gives a page the style sheets that lie beside it, for those who look at styles: one saved from a browser has them in a folder of its own.
    pub(crate) fn with_sheets(&self, page: Page) -> Page {
        if self.place == "-" || self.is_address() {
            return page;
        }
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let sheets = saved_style_sheets(&page, &self.file, folder);
        page.with_style_sheets(sheets)
    }
}

fn read_file(path: &Path, limits: &Limits) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    beginning_of(file, size, limits)
}

/// As much as is read of a page, and a byte more where there is more, so that the page says so. What never ends takes no more memory.
fn beginning_of(from: impl Read, size: u64, limits: &Limits) -> io::Result<Vec<u8>> {
    let most = limits.bytes as u64 + 1;
    let mut body = Vec::with_capacity(size.min(most) as usize);
    from.take(most).read_to_end(&mut body)?;
    Ok(body)
}

/// Whoever names a private address wants it; a page of the public Web that redirects to one does not get there.
fn fetch_options(address: &Url) -> FetchOptions {
    let is_private = matches!(Guard::default().check_url(address), Err(Refusal::Private(_)));
    let is_this_machine = address.host_str().is_some_and(|host| host == "localhost" || host.ends_with(".localhost"));
    FetchOptions { allow_private: is_private || is_this_machine, ..FetchOptions::default() }
}

fn parse_address(url: &str) -> anyhow::Result<Url> {
    Url::parse(url).with_context(|| format!("{url} is not an address"))
}

fn address(place: &str) -> Option<Url> {
    let begins = |scheme: &str| place.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    (begins("http://") || begins("https://")).then(|| Url::parse(place).ok()).flatten()
}

/// Pages that are told one after another, so that a list may be longer than memory is large.
pub(crate) struct Sources {
    pub(crate) count: usize,
    pub(crate) each: Box<dyn Iterator<Item = Source> + Send>,
}

impl From<Vec<Source>> for Sources {
    fn from(sources: Vec<Source>) -> Sources {
        Sources { count: sources.len(), each: Box::new(sources.into_iter()) }
    }
}

/// The pages of a batch: every `.html` and `.htm` below a folder, sorted, or the lines of a list
/// (`path`, or `path<TAB>url`; paths are relative to the list's folder unless they exist as they are).
pub(crate) fn batch(place: &Path) -> anyhow::Result<Sources> {
    let sources = if place.is_dir() { pages_below(place)? } else { listed_pages(place)? };
    if sources.count == 0 {
        bail!("{} names no page: a folder needs .html or .htm files, a list one path a line", place.display());
    }
    Ok(sources)
}

fn pages_below(folder: &Path) -> anyhow::Result<Sources> {
    let mut pages: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read the folder {}", folder.display()))?;
            let path = entry.path();
            // Links to folders are not followed: they may lead in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if is_page(&path) {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(Sources { count: pages.len(), each: Box::new(pages.into_iter().map(|page| Source::at(page, None))) })
}

/// Whether it is called as pages are and is a file: pipes would be waited for.
fn is_page(path: &Path) -> bool {
    let is_called_so = |end: &OsStr| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm");
    path.extension().is_some_and(is_called_so) && path.metadata().map_or(true, |file| file.is_file())
}

/// What can be read from its start again.
trait Reread: BufRead + Seek + Send {}

impl<R: BufRead + Seek + Send> Reread for R {}

/// Reads a list twice: first to know how long it is and that every line is good, then line by line as pages are asked for.
fn listed_pages(list: &Path) -> anyhow::Result<Sources> {
    let cannot_read = || format!("cannot read the list {}", list.display());
    let mut count = 0;
    let check = |(index, line): (usize, io::Result<Vec<u8>>)| -> anyhow::Result<()> {
        let line = line.with_context(cannot_read)?;
        let Some((_, url)) = listed(&line) else { return Ok(()) };
        count += 1;
        url.map(|url| parse_address(&url))
            .transpose()
            .with_context(|| format!("{}, line {}", list.display(), index + 1))?;
        Ok(())
    };
    let folder = list.parent().unwrap_or(Path::new("")).to_owned();
    let source = move |line: Vec<u8>| listed(&line).map(|(path, url)| listed_page(&folder, path, url.as_deref()));
    let mut reader: Box<dyn Reread> = if list.is_file() {
        Box::new(BufReader::new(File::open(list).with_context(cannot_read)?))
    } else {
        // What comes through a pipe can be read once only.
        Box::new(Cursor::new(fs::read(list).with_context(cannot_read)?))
    };
    reader.by_ref().split(b'\n').enumerate().try_for_each(check)?;
    reader.rewind().with_context(cannot_read)?;
    Ok(Sources { count, each: Box::new(reader.split(b'\n').map_while(Result::ok).filter_map(source)) })
}

/// The path and the address in a line of a list, if there is anything. Some editors begin a file with a mark; further columns are somebody else's.
fn listed(line: &[u8]) -> Option<(PathBuf, Option<String>)> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let mut columns = line.split(|&byte| byte == b'\t');
    let path = columns.next()?;
    let url = columns.next().map(|url| String::from_utf8_lossy(url.trim_ascii()).into_owned());
    (!line.trim_ascii().is_empty()).then(|| (path_of(path), url.filter(|url| !url.is_empty())))
}

/// The path that a list writes: its bytes, whatever they are, where paths are bytes.
fn path_of(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes));
    #[cfg(not(unix))]
    return PathBuf::from(String::from_utf8_lossy(bytes).into_owned());
}

fn listed_page(folder: &Path, path: PathBuf, url: Option<&str>) -> Source {
    let beside_list = folder.join(&path);
    let file = if !path.exists() && beside_list.exists() { beside_list } else { path };
    Source::at(file, url.and_then(|url| Url::parse(url).ok()))
}
