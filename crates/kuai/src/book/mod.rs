//! A collected work as one book: plain text, Markdown or EPUB 3, with a contents list.
//!
//! Comes in: chapters in order, each of one or more pages. Goes out: one file, the same bytes for the same book. What is kept of a page is
//! its main text; its images, scripts and styles are left out.

mod chapter;
mod clean;
mod epub;
mod markdown;
mod package;
mod text;
pub(crate) mod xml;

use std::io::{self, Seek, Write};
use std::path::Path;

use kuai_page::{Timestamp, Url};

pub use chapter::{Chapter, chapter_title};

/// A work, chapter by chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// The language it is in, as Web pages name it: `zh-CN`.
    pub language: Option<String>,
    /// The page that it was collected from.
    pub source: Url,
    /// When it was collected.
    pub time: Timestamp,
    /// Its chapters, in the order of the contents page.
    pub chapters: Vec<Chapter>,
}

/// A form that a book can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// EPUB 3.
    Epub,
}

impl BookFormat {
    /// The form that a file's name asks for by its ending: `.txt`, `.md` or `.epub`.
    pub fn of_file(file: &Path) -> Option<BookFormat> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "txt" => Some(BookFormat::Text),
            "md" | "markdown" => Some(BookFormat::Markdown),
            "epub" => Some(BookFormat::Epub),
            _ => None,
        }
    }
}

/// Writes a book.
///
/// ```
/// use kuai::{Book, BookFormat, Chapter, Page, Url, write_book};
/// # use kuai::Label;
/// # use kuai_page::BlockTree;
///
/// let source = Url::parse("https://example.org/book/")?;
/// let page = Page::from_html("<p>It was a dark night.</p>");
/// let blocks = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
/// let mut chapter = Chapter::new("The first night", source.join("1.html")?);
/// chapter.add_page(&page, &blocks, &source.join("1.html")?);
/// let time = "2026-01-01T12:00:00Z".parse()?;
/// let book = Book { title: "Nights".to_owned(), author: None, language: None, source, time, chapters: vec![chapter] };
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_book(&book, BookFormat::Text, &mut file)?;
/// assert!(String::from_utf8(file.into_inner())?.ends_with("The first night\n\nIt was a dark night.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_book(book: &Book, format: BookFormat, out: impl Write + Seek) -> io::Result<()> {
    match format {
        BookFormat::Text => text::write(book, out),
        BookFormat::Markdown => markdown::write(book, out),
        BookFormat::Epub => epub::write(book, out),
    }
}

impl Book {
    /// What stands under the title: who wrote it, where it comes from and when it was collected.
    fn origin(&self) -> impl Iterator<Item = String> {
        let collected = format!("{}, {}", self.source, self.day());
        self.author.clone().into_iter().chain([collected])
    }

    /// The day on which it was collected.
    fn day(&self) -> String {
        self.time.to_string().chars().take_while(|character| *character != 'T').collect()
    }
}

#[cfg(test)]
mod tests;
