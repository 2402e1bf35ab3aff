//! The kept parts of a page as clean HTML: no classes, scripts or styles, only what a reader sees.

use super::walk::{Part, Sink};

/// Writes clean HTML.
#[derive(Default)]
pub(super) struct Html {
    out: String,
    /// Whether a `<p>` that we opened is open.
    in_paragraph: bool,
    /// How many headings, cells and the like are open, in which text needs no paragraph of its own.
    holders: u32,
}

impl Html {
    pub(super) fn finish(mut self) -> String {
        self.end_paragraph();
        self.out
    }

    fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.in_paragraph) {
            self.out.push_str("</p>\n");
        }
    }

    fn begin_inline(&mut self) {
        if !self.in_paragraph && self.holders == 0 {
            self.out.push_str("<p>");
            self.in_paragraph = true;
        }
    }

    fn tag(part: &Part<'_>) -> &'static str {
        match part {
            Part::Heading(1) => "h1",
            Part::Heading(2) => "h2",
            Part::Heading(3) => "h3",
            Part::Heading(4) => "h4",
            Part::Heading(5) => "h5",
            Part::Heading(_) => "h6",
            Part::List { ordered: true } => "ol",
            Part::List { ordered: false } => "ul",
            Part::Item => "li",
            Part::Quote => "blockquote",
            Part::Pre { .. } => "pre",
            Part::Table => "table",
            Part::Row => "tr",
            Part::Cell { header: true } => "th",
            Part::Cell { header: false } => "td",
            Part::Link(_) => "a",
            Part::Strong => "strong",
            Part::Emphasis => "em",
            Part::Code => "code",
            Part::Block => "",
        }
    }

    fn holds_text(part: &Part<'_>) -> bool {
        matches!(part, Part::Heading(_) | Part::Item | Part::Pre { .. } | Part::Cell { .. })
    }
}

impl Sink for Html {
    fn open(&mut self, part: &Part<'_>) {
        if part.is_inline() {
            self.begin_inline();
        } else {
            self.end_paragraph();
        }
        let tag = Html::tag(part);
        if let Part::Link(href) = part {
            self.out.push_str("<a href=\"");
            escape(href, &mut self.out);
            self.out.push_str("\">");
        } else if !tag.is_empty() {
            self.out.extend(["<", tag, ">"]);
        }
        self.holders += u32::from(Html::holds_text(part));
    }

    fn close(&mut self, part: &Part<'_>) {
        if !part.is_inline() {
            self.end_paragraph();
        }
        let tag = Html::tag(part);
        if !tag.is_empty() {
            self.out.extend(["</", tag, ">"]);
        }
        if !part.is_inline() && !tag.is_empty() {
            self.out.push('\n');
        }
        self.holders = self.holders.saturating_sub(u32::from(Html::holds_text(part)));
    }

    fn text(&mut self, text: &str) {
        self.begin_inline();
        escape(text, &mut self.out);
    }

    fn line_break(&mut self) {
        if self.in_paragraph || self.holders > 0 {
            self.out.push_str("<br>");
        }
    }

    fn rule(&mut self) {
        self.end_paragraph();
        self.out.push_str("<hr>\n");
    }

    fn image(&mut self, source: &str, alt: &str) {
        self.begin_inline();
        self.out.push_str("<img src=\"");
        escape(source, &mut self.out);
        self.out.push_str("\" alt=\"");
        escape(alt, &mut self.out);
        self.out.push_str("\">");
    }
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
}
