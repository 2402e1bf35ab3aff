//! A book as Markdown: the title, a contents list that leads to the chapters, the chapters.

use std::io::{self, Write};

use kuai_page::{BlockTree, Label, Page};

use super::Book;

pub(super) fn write(book: &Book, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "# {}\n", escape(&book.title))?;
    for line in book.origin() {
        writeln!(out, "{}  ", escape(&line))?;
    }
    writeln!(out)?;
    for (index, chapter) in book.chapters.iter().enumerate() {
        writeln!(out, "{}. [{}](#chapter-{})", index + 1, escape(&chapter.title), index + 1)?;
    }
    for (index, chapter) in book.chapters.iter().enumerate() {
        // An anchor of our own: how a heading's text becomes one differs from reader to reader.
        writeln!(out, "\n<a id=\"chapter-{}\"></a>\n\n## {}", index + 1, escape(&chapter.title))?;
        for part in &chapter.parts {
            writeln!(out, "\n{}", markdown(part))?;
        }
    }
    out.flush()
}

fn markdown(part: &str) -> String {
    let page = Page::from_html(part);
    kuai_segment::markdown(
        &page,
        &BlockTree::from_labelled([(page.span(), Some(Label::Main))]),
        &kuai_segment::Wanted::default(),
    )
}

/// A title on one line, with nothing in it that Markdown would take for markup.
fn escape(title: &str) -> String {
    let mut escaped = String::with_capacity(title.len());
    for character in title.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '#') {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}
