//! A book as EPUB 3: a ZIP file whose first entry says what it is.

use std::io::{self, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{Book, package};

pub(super) fn write(book: &Book, out: impl Write + Seek) -> io::Result<()> {
    // The same book is the same file, so no entry has a time of its own.
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    let stored = options.compression_method(CompressionMethod::Stored);
    let deflated = options.compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(out);
    // Readers look for the type at a fixed place: the first entry, not compressed.
    add(&mut zip, "mimetype", "application/epub+zip", stored)?;
    add(&mut zip, "META-INF/container.xml", package::CONTAINER, deflated)?;
    add(&mut zip, "EPUB/content.opf", &package::package(book), deflated)?;
    add(&mut zip, "EPUB/nav.xhtml", &package::contents(book), deflated)?;
    add(&mut zip, "EPUB/style.css", package::STYLE, deflated)?;
    let files = package::chapter_files(book);
    for (index, chapter) in book.chapters.iter().enumerate() {
        let name = format!("EPUB/{}", package::chapter_file(index));
        add(&mut zip, &name, &package::chapter(book, chapter, &files), deflated)?;
    }
    zip.finish()?.flush()
}

fn add(
    zip: &mut ZipWriter<impl Write + Seek>,
    name: &str,
    content: &str,
    options: SimpleFileOptions,
) -> io::Result<()> {
    zip.start_file(name, options)?;
    zip.write_all(content.as_bytes())
}
