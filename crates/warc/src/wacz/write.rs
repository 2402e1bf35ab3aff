//! Writes a WACZ file: records go straight into it, the index and the list of pages are kept aside until the last record was written.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::package::{Hashed, Package, PackageDigest, Resource, VERSION, hash_of};
use super::sorted::SortedLines;
use crate::{CdxLine, Fields, Packing, Writer};

const ARCHIVE: &str = "data.warc.gz";
const INDEX: &str = "index.cdx.gz";

/// Lines of the index that are packed together, and found by one line of the index's index; as many as others take.
const LINES_PACKED: usize = 1024;

/// What is said about a whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaczAbout {
    /// What it is called.
    pub title: String,
    /// When it was made: `2026-01-31T23:59:59Z`.
    pub created: String,
    /// Who made it: `kuai/0.1.0`.
    pub software: String,
}

/// A page that readers may begin at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WaczPage {
    /// A name that no other page of the file has.
    pub id: String,
    /// Its address.
    pub url: String,
    /// When it was captured: `2026-01-31T23:59:59Z`.
    #[serde(rename = "ts")]
    pub time: String,
    /// Its title.
    pub title: String,
    /// What it says, to be searched.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Writes a WACZ file.
pub struct WaczWriter<W: Write + Seek> {
    archive: Writer<Hashed<ZipWriter<W>>>,
    lines: SortedLines,
    pages: BufWriter<File>,
}

impl<W: Write + Seek> WaczWriter<W> {
    /// Writes to a new file; what has to wait lies in files without a name in the folder `scratch`.
    pub fn new(out: W, scratch: &Path) -> io::Result<WaczWriter<W>> {
        let mut zip = ZipWriter::new(out);
        zip.start_file(format!("archive/{ARCHIVE}"), stored())?;
        let mut pages = BufWriter::new(tempfile::tempfile_in(scratch)?);
        let head =
            serde_json::json!({ "format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true });
        writeln!(pages, "{head}")?;
        let archive = Writer::new(Hashed::new(zip), Packing::Gzip);
        Ok(WaczWriter { archive, lines: SortedLines::new(scratch.to_owned()), pages })
    }

    /// Writes a record of WARC 1.1, and indexes it where it is a capture.
    pub fn write(&mut self, fields: &Fields, block: &[u8]) -> io::Result<()> {
        let offset = self.archive.write(fields, block.len() as u64, block)?;
        let length = self.archive.offset() - offset;
        match CdxLine::of_record(fields, block, ARCHIVE, offset, length) {
            Some(line) => self.lines.add(line.to_string()),
            None => Ok(()),
        }
    }

    /// Lists a page.
    pub fn add_page(&mut self, page: &WaczPage) -> io::Result<()> {
        writeln!(self.pages, "{}", serde_json::to_string(page)?)
    }

    /// How many bytes the records have so far.
    pub fn offset(&self) -> u64 {
        self.archive.offset()
    }

    /// Writes what is left, and gives back what was written to, flushed.
    pub fn finish(self, about: &WaczAbout) -> io::Result<W> {
        let (archive, zip) = self.archive.finish()?.finish(&format!("archive/{ARCHIVE}"));
        let (index, index_index, zip) = write_index(zip, self.lines)?;
        let mut pages = self.pages.into_inner()?;
        pages.rewind()?;
        let (pages, mut zip) = add(zip, "pages/pages.jsonl", deflated(), pages)?;
        let package = Package {
            profile: "data-package".to_owned(),
            wacz_version: VERSION.to_owned(),
            software: about.software.clone(),
            title: about.title.clone(),
            created: about.created.clone(),
            resources: vec![pages, archive, index, index_index],
        };
        let package = serde_json::to_vec_pretty(&package)?;
        let digest = PackageDigest { path: "datapackage.json", hash: hash_of(&package) };
        for (name, content) in
            [(digest.path, &package), ("datapackage-digest.json", &serde_json::to_vec_pretty(&digest)?)]
        {
            zip.start_file(name, deflated())?;
            zip.write_all(content)?;
        }
        let mut out = zip.finish()?;
        out.flush()?;
        Ok(out)
    }
}

/// Writes the index: lines packed some at a time, and where each such part begins.
fn write_index<W: Write + Seek>(
    mut zip: ZipWriter<W>,
    lines: SortedLines,
) -> io::Result<(Resource, Resource, ZipWriter<W>)> {
    let path = format!("indexes/{INDEX}");
    zip.start_file(&path, stored())?;
    let mut parts = Parts::new(Hashed::new(zip));
    lines.merge(|line| parts.add(line))?;
    let (out, places) = parts.finish()?;
    let (index, zip) = out.finish(&path);
    let (index_index, zip) = add(zip, "indexes/index.idx", deflated(), places.as_bytes())?;
    Ok((index, index_index, zip))
}

/// The parts of an index, and where they are.
struct Parts<W: Write> {
    out: W,
    part: String,
    line_count: usize,
    /// Key and time of the part's first line.
    first: String,
    offset: u64,
    places: String,
}

impl<W: Write> Parts<W> {
    fn new(out: W) -> Parts<W> {
        let places = format!("!meta 0 {}\n", serde_json::json!({ "format": "cdxj-gzip-1.0", "filename": INDEX }));
        Parts { out, part: String::new(), line_count: 0, first: String::new(), offset: 0, places }
    }

    fn add(&mut self, line: &str) -> io::Result<()> {
        if self.part.is_empty() {
            self.first = line.split(" {").next().unwrap_or(line).to_owned();
        }
        self.part.push_str(line);
        self.part.push('\n');
        self.line_count += 1;
        if self.line_count == LINES_PACKED { self.put_away() } else { Ok(()) }
    }

    fn put_away(&mut self) -> io::Result<()> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(self.part.as_bytes())?;
        let packed = packed.finish()?;
        self.out.write_all(&packed)?;
        let place = serde_json::json!({ "offset": self.offset, "length": packed.len(), "digest": hash_of(&packed) });
        self.places.push_str(&format!("{} {place}\n", self.first));
        self.offset += packed.len() as u64;
        self.part.clear();
        self.line_count = 0;
        Ok(())
    }

    fn finish(mut self) -> io::Result<(W, String)> {
        if !self.part.is_empty() {
            self.put_away()?;
        }
        Ok((self.out, self.places))
    }
}

/// Adds a part to the ZIP file.
fn add<W: Write + Seek>(
    mut zip: ZipWriter<W>,
    path: &str,
    options: SimpleFileOptions,
    mut content: impl Read,
) -> io::Result<(Resource, ZipWriter<W>)> {
    zip.start_file(path, options)?;
    let mut out = Hashed::new(zip);
    io::copy(&mut content, &mut out)?;
    Ok(out.finish(path))
}

/// As it is, and of any length. The same content is the same file, so no part has a time of its own.
fn stored() -> SimpleFileOptions {
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default()).large_file(true);
    options.compression_method(CompressionMethod::Stored)
}

fn deflated() -> SimpleFileOptions {
    stored().compression_method(CompressionMethod::Deflated)
}
