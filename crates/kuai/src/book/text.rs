//! A book as plain text.

use std::io::{self, Write};

use kuai_page::Page;

use super::Book;

pub(super) fn write(book: &Book, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "{}\n", book.title)?;
    book.origin().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    book.chapters.iter().try_for_each(|chapter| writeln!(out, "  {}", chapter.title))?;
    for chapter in &book.chapters {
        writeln!(out, "\n\n{}\n", chapter.title)?;
        for part in &chapter.parts {
            writeln!(out, "{}", plain(part))?;
        }
    }
    out.flush()
}

fn plain(part: &str) -> String {
    let page = Page::from_html(part);
    page.flow().text_where(page.dom(), |_| true)
}
