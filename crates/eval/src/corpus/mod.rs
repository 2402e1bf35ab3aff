//! Labelled pages on disk: what form a folder has is told by what lies in it, and every form gives [`LabelledPage`]s.
//!
//! | in the folder | form | gold |
//! | --- | --- | --- |
//! | `gold.json`, `list.tsv`, pages | [`Form::Texts`] | main text, strings that must and must not occur |
//! | `labels/NAME.txt`, `pages/NAME.html` | [`Form::Runs`] | a label for every visible run of text and link |
//! | `gold.jsonl`, pages with style sheets | [`Form::Ranges`] | nested blocks as ranges of the page's text |
//! | `*.html` with `<!--kuai:LABEL-->…<!--/kuai-->` | [`Form::Marked`] | labelled, nested blocks: everything above follows |
//!
//! A broken label is a [`Fault`] that names file and line; the rest of the set goes on.

mod marked;
mod ranges;
mod runs;
mod sheets;
mod texts;

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use kuai_page::{Label, Limits, Page, StyleSheet, Url};

use crate::Error;
use crate::metrics::GoldSegment;

/// How labels are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Main text and strings, in `gold.json`.
    Texts,
    /// Labels of visual blocks over the page's segments, in `labels/`.
    Runs,
    /// Blocks as ranges of the page's text, in `gold.jsonl`.
    Ranges,
    /// Blocks marked by comments in the pages themselves.
    Marked,
}

/// A folder of labelled pages.
#[derive(Debug)]
pub struct Corpus {
    /// The folder's name.
    pub name: String,
    /// Where it lies.
    pub folder: PathBuf,
    /// How its labels are written.
    pub form: Form,
    /// What was wrong with its labels so far.
    pub faults: Vec<Fault>,
    entries: Vec<Entry>,
}

/// A page of a corpus, not yet read.
#[derive(Debug)]
pub struct Entry {
    /// Its name in the corpus.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// Its address, where the corpus knows it.
    pub url: Option<Url>,
    /// What sort of page it is, where the corpus says so.
    pub kind: Option<String>,
    labels: Labels,
}

/// Labels as read, before the page is there to apply them to.
#[derive(Debug)]
enum Labels {
    Texts(Gold),
    Runs { file: PathBuf, lines: Vec<runs::Line> },
    Ranges(ranges::Marks),
    Marked,
}

/// A page with what people say about it.
#[derive(Debug)]
pub struct LabelledPage {
    /// The page's bytes; without the marks where they stood in the page itself.
    pub body: Vec<u8>,
    /// The page's address.
    pub url: Option<Url>,
    /// The charset that the corpus prescribes.
    pub charset: Option<&'static str>,
    /// The style sheets that lie beside the page.
    pub sheets: Vec<StyleSheet>,
    /// What people say.
    pub gold: Gold,
    /// Labels of this page that are broken.
    pub faults: Vec<Fault>,
}

impl LabelledPage {
    /// The page itself, fresh: nothing is read off it yet.
    pub fn page(&self) -> Page {
        let page = Page::from_bytes(&self.body, self.url.as_ref(), self.charset, &Limits::default());
        if self.sheets.is_empty() { page } else { page.with_style_sheets(self.sheets.clone()) }
    }
}

/// What people say about a page; each corpus has some of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gold {
    /// The main text.
    pub text: Option<String>,
    /// Strings that must occur in the main text, and strings that must not.
    pub snippets: Option<(Vec<String>, Vec<String>)>,
    /// Every visible run of text and link that has a label.
    pub segments: Option<Vec<GoldSegment>>,
    /// Blocks as ranges of the page's text without white space.
    pub blocks: Option<Vec<Vec<Range<usize>>>>,
}

/// Something wrong with a label; the rest of its corpus is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(out, ", line {line}")?;
        }
        write!(out, ": {}", self.message)
    }
}

impl Corpus {
    /// Opens a folder of labelled pages; the pages are read when they are asked for.
    pub fn open(folder: &Path) -> Result<Corpus, Error> {
        let has = |name: &str| folder.join(name).exists();
        let mut faults = Vec::new();
        let (form, entries) = if !folder.is_dir() {
            return Err(Error::NoFolder(folder.to_owned()));
        } else if has("gold.json") && has("list.tsv") {
            (Form::Texts, texts::entries(folder, &mut faults)?)
        } else if has("labels") && has("pages") {
            (Form::Runs, runs::entries(folder, &mut faults)?)
        } else if has("gold.jsonl") {
            (Form::Ranges, ranges::entries(folder, &mut faults)?)
        } else {
            (Form::Marked, marked::entries(folder)?)
        };
        if entries.is_empty() {
            return Err(Error::NoLabels { folder: folder.to_owned(), faults });
        }
        let name = folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let name = name.unwrap_or_else(|| folder.display().to_string());
        Ok(Corpus { name, folder: folder.to_owned(), form, faults, entries })
    }

    /// The pages, in the order of the corpus.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Reads a page and applies its labels.
    pub fn read(&self, entry: &Entry) -> Result<LabelledPage, Fault> {
        let body = fs::read(&entry.path).map_err(|error| Fault {
            file: entry.path.clone(),
            line: None,
            message: format!("cannot be read: {error}"),
        })?;
        let url = entry.url.clone();
        let mut page =
            LabelledPage { body, url, charset: None, sheets: Vec::new(), gold: Gold::default(), faults: Vec::new() };
        match &entry.labels {
            Labels::Texts(gold) => page.gold = gold.clone(),
            Labels::Runs { file, lines } => runs::apply(&mut page, file, lines),
            Labels::Ranges(marks) => ranges::apply(&mut page, marks),
            Labels::Marked => marked::apply(&mut page, &entry.path),
        }
        if matches!(self.form, Form::Ranges | Form::Marked) {
            page.sheets = sheets::beside(page.page(), &entry.path, &self.folder);
        }
        Ok(page)
    }
}

/// Reads a file of the corpus whole.
fn read_text(path: &Path) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
    // One wrong byte must not take the rest of the labels with it.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The files of a folder whose names end so, sorted.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |source| Error::Unreadable { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() && path.extension().is_some_and(|end| end.eq_ignore_ascii_case(extension)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The label of this name; the short names of the label files are taken too.
fn label(name: &str) -> Option<Label> {
    match name {
        "nav" => Some(Label::Navigation),
        "other" => Some(Label::Noise),
        name => Label::ALL.into_iter().find(|label| label.name() == name),
    }
}

fn unknown_label(name: &str) -> String {
    let names: Vec<_> = Label::ALL.iter().map(|label| label.name()).collect();
    format!("there is no label {name}; there are {}", names.join(", "))
}

#[cfg(test)]
mod tests;
