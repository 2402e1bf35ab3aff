//! The local web that crawls by topic are measured on: Debian's documentation packages, each a host, cut by the real pipeline.
//!
//! Cutting all pages takes minutes, so the cut web is kept in a file beside the packages.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use kuai::{Archive, Capture, Label, Page, Span, Timestamp, Url, in_memory};
use kuai_page::{Dom, Flow, TextOptions};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::pages_below;

/// A package: its host, the folder of its pages, and the pages by which it is entered.
pub struct Package {
    /// The name of its host.
    pub host: &'static str,
    folder: &'static str,
    /// Paths of the pages that its readers start from.
    pub entries: &'static [&'static str],
}

/// The packages that make the web.
pub const PACKAGES: [Package; 7] = [
    Package { host: "rust.localhost", folder: "rust-doc/usr/share/doc/rust-doc/html", entries: &["index.html"] },
    Package {
        host: "cpp.localhost",
        folder: "cppreference-doc-en-html/usr/share/cppreference/doc/html",
        entries: &["en/index.html"],
    },
    Package {
        host: "debian.localhost",
        folder: "debian-handbook/usr/share/doc/debian-handbook/html",
        entries: &["en-US/index.html", "zh-CN/index.html", "de-DE/index.html"],
    },
    Package {
        host: "postgres.localhost",
        folder: "postgresql-doc-15/usr/share/doc/postgresql-doc-15/html",
        entries: &["index.html"],
    },
    Package {
        host: "python.localhost",
        folder: "python3.11-doc/usr/share/doc/python3.11/html",
        entries: &["index.html"],
    },
    Package {
        host: "libreoffice.localhost",
        folder: "libreoffice-help-zh-cn/usr/share/libreoffice/help",
        entries: &["zh-CN/text/shared/05/new_help.html", "zh-CN/text/scalc/main0000.html"],
    },
    Package {
        host: "gimp.localhost",
        folder: "gimp-help-zh-cn/usr/share/gimp/2.0/help",
        entries: &["zh_CN/index.html"],
    },
];

/// Pages that are left out: 26,256 pages of machine instructions, all alike, which no subject needs and which only breadth-first visits.
const LEFT_OUT: [&str; 2] = ["core/arch/", "core/core_arch/"];

/// A page of the web, cut into blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WebPage {
    /// Its address.
    #[serde(serialize_with = "write_url", deserialize_with = "read_url")]
    pub url: Url,
    /// Its title.
    pub title: String,
    /// All its text, as a browser shows it.
    pub text: String,
    /// Its innermost blocks in source order, and those around them that have links of their own.
    pub blocks: Vec<WebBlock>,
}

/// A block of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WebBlock {
    /// Its bytes in the source.
    pub span: (u32, u32),
    label: Option<u8>,
    /// What it says; empty for a block around others.
    pub text: String,
    /// Its links.
    pub links: Vec<WebLink>,
}

/// A link to another page of the web.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WebLink {
    /// The number of the page that it leads to.
    pub target: u32,
    /// What it says.
    pub text: String,
    /// Where it stands in the page's text, with some text around it.
    pub context: (u32, u32),
}

impl WebBlock {
    /// What it is for.
    pub fn label(&self) -> Option<Label> {
        self.label.and_then(|label| Label::ALL.get(usize::from(label)).copied())
    }
}

/// The pages by their addresses.
pub type Numbers = HashMap<Url, u32>;

/// The cut pages of all packages below a folder; read from `cache` where they were cut before.
pub fn local_web(folder: &Path, cache: &Path) -> Vec<WebPage> {
    if !cache.is_file() {
        let files = files(folder);
        let unfinished = cache.with_extension("unfinished");
        write_web(&files, &unfinished);
        fs::rename(&unfinished, cache).expect("the folder of the cache can be written");
    }
    let lines = BufReader::new(File::open(cache).expect("the cache was there a moment ago")).lines();
    lines.map(|line| serde_json::from_str(&line.expect("a line of text")).expect("a page that was cut")).collect()
}

/// The address that a link leads to, as pages are known by.
pub fn canonical(mut url: Url) -> Url {
    url.set_fragment(None);
    url.set_query(None);
    if url.path().ends_with('/') {
        let path = format!("{}index.html", url.path());
        url.set_path(&path);
    }
    let doubled = url.path().contains("//");
    if doubled {
        let path = url.path().replace("//", "/");
        url.set_path(&path);
    }
    url
}

/// Every page with its address.
fn files(folder: &Path) -> Vec<(Url, PathBuf)> {
    let mut files = Vec::new();
    for package in &PACKAGES {
        let root = folder.join(package.folder);
        let base = Url::parse(&format!("http://{}/", package.host)).expect("a valid address");
        for path in pages_below(&root).into_iter().filter(|path| path.extension().is_some()) {
            let name = path.strip_prefix(&root).expect("it lies below").to_string_lossy().into_owned();
            if LEFT_OUT.iter().any(|folder| name.starts_with(folder)) {
                continue;
            }
            let mut url = base.clone();
            url.set_path(&name);
            files.push((url, path));
        }
    }
    files
}

fn write_web(files: &[(Url, PathBuf)], place: &Path) {
    let numbers: Numbers = files.iter().zip(0..).map(|((url, _), number)| (url.clone(), number)).collect();
    let mut out = BufWriter::new(File::create(place).expect("the cache can be written"));
    for chunk in files.chunks(CHUNK) {
        let (first, second) = chunk.split_at(chunk.len() / 2);
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(|| cut_all(first, &numbers));
            let second = cut_all(second, &numbers);
            (first.join().expect("cutting never fails"), second)
        });
        for page in first.iter().chain(&second) {
            serde_json::to_writer(&mut out, page).expect("the cache can be written");
            out.write_all(b"\n").expect("the cache can be written");
        }
        eprint!(".");
    }
    eprintln!();
    out.flush().expect("the cache can be written");
}

/// Pages that are cut in one archive, which is then thrown away.
const CHUNK: usize = 1000;

fn cut_all(files: &[(Url, PathBuf)], numbers: &Numbers) -> Vec<WebPage> {
    let archive = in_memory();
    files
        .iter()
        .map(|(url, path)| cut_page(&archive, url, fs::read(path).expect("the page was listed a moment ago"), numbers))
        .collect()
}

/// Cuts a page as the archive does.
pub fn cut_page(archive: &Archive, url: &Url, body: Vec<u8>, numbers: &Numbers) -> WebPage {
    archive.commit(&Capture::new(url.clone(), Timestamp::UNIX_EPOCH, body)).expect("memory takes any capture");
    let snapshot = archive.snapshot(url, None).expect("it was committed a moment ago");
    let page = snapshot.page();
    let outline = &snapshot.outline;
    let (dom, flow) = (page.dom(), page.flow());
    let text = flow.text(dom, page.span(), TextOptions::default());
    let mut links = links(&page, url, &text, numbers);
    let mut blocks = Vec::new();
    for (index, block) in outline.blocks.iter().enumerate() {
        let is_leaf = outline.is_leaf(index);
        if !is_leaf && block.links.is_empty() {
            continue;
        }
        blocks.push(WebBlock {
            span: (block.span.start, block.span.end),
            label: block
                .label
                .and_then(|label| Label::ALL.iter().position(|&known| known == label))
                .map(|place| place as u8),
            text: if is_leaf { text_of(dom, flow, block.span) } else { String::new() },
            links: block.links.iter().filter_map(|start| links.remove(start)).collect(),
        });
    }
    let title = page.metadata().title.clone().unwrap_or_default();
    WebPage { url: url.clone(), title, text, blocks }
}

fn text_of(dom: Dom<'_>, flow: &Flow, span: Span) -> String {
    flow.text(dom, span, TextOptions::default())
}

/// Bytes of text around a link that are its context.
const CONTEXT_BYTES: usize = 200;

/// The links to other pages of the web, by where they begin in the source.
fn links(page: &Page, url: &Url, text: &str, numbers: &Numbers) -> HashMap<u32, WebLink> {
    let mut links = HashMap::new();
    let mut place = 0;
    for link in page.links() {
        let start = text[place..].find(&link.text).map_or(place, |found| place + found);
        let end = start + link.text.len().min(text.len() - start);
        place = text.floor_char_boundary(end);
        let Some(target) = link.url.clone().map(canonical).filter(|target| target != url) else { continue };
        let Some(&target) = numbers.get(&target) else { continue };
        let before = text.floor_char_boundary(start.saturating_sub(CONTEXT_BYTES));
        let after = text.floor_char_boundary((end + CONTEXT_BYTES).min(text.len()));
        let context = (before as u32, after as u32);
        links.insert(link.span.start, WebLink { target, text: link.text.clone(), context });
    }
    links
}

fn write_url<S: Serializer>(url: &Url, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(url.as_str())
}

fn read_url<'de, D: Deserializer<'de>>(from: D) -> Result<Url, D::Error> {
    Url::parse(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}
