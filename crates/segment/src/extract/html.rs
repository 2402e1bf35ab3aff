//! The kept parts of a page as clean HTML: only elements and attributes named here, and only what a reader sees.

use kuai_page::Gap;

use super::part::{Numbers, Part};
use super::walk::Sink;

/// Writes clean HTML.
#[derive(Default)]
pub(super) struct Html {
    out: String,
    /// The `<p>`, or in a list the `<li>`, that we opened for text.
    paragraph: Option<&'static str>,
    holders: Vec<Holder>,
    list_depth: u32,
    heading_depth: u32,
    /// Whether something stands on the current line.
    has_line: bool,
}

/// An open element, and how text stands in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// In paragraphs.
    Paragraphs,
    /// In items.
    Items,
    /// Bare, up to the first end of a paragraph.
    Bare,
    /// Bare throughout, where there can be no paragraphs.
    Lines,
}

impl Html {
    pub(super) fn finish(mut self) -> String {
        self.end_paragraph();
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    /// Opens a paragraph where text needs one.
    fn begin_text(&mut self) {
        let holder = self.holders.last().copied().unwrap_or(Holder::Paragraphs);
        let element = match holder {
            Holder::Paragraphs => Some("p"),
            Holder::Items => Some("li"),
            Holder::Bare | Holder::Lines => None,
        };
        if let Some(element) = element.filter(|_| self.paragraph.is_none()) {
            self.out.extend(["<", element, ">"]);
            self.paragraph = Some(element);
        }
        self.has_line = true;
    }

    fn open_element(&mut self, part: &Part<'_>) {
        match part {
            Part::Link(href) => {
                self.out.push_str("<a href=\"");
                escape(href, &mut self.out);
                self.out.push_str("\">");
            }
            Part::List { numbers: Some(numbers) } => self.open_numbered_list(numbers),
            Part::Item { number } => {
                let list = if self.list_depth == 0 { "<ul>" } else { "" };
                let value = number.map_or(String::new(), |number| format!(" value=\"{number}\""));
                self.out.push_str(&format!("{list}<li{value}>"));
            }
            Part::Note(name) => {
                self.out.extend(["<", self.note_element(), " id=\"fn-"]);
                escape(name, &mut self.out);
                self.out.push_str("\">");
            }
            // A heading ends another; what is inside of one is a block of it.
            Part::Heading(_) if self.heading_depth > 0 => self.out.push_str("<div>"),
            Part::Pre { language } if !language.is_empty() => {
                self.out.push_str("<pre><code class=\"language-");
                escape(language, &mut self.out);
                self.out.push_str("\">");
            }
            Part::Pre { .. } => self.out.push_str("<pre><code>"),
            Part::Cell { columns, rows, .. } => {
                self.out.extend(["<", tag(part)]);
                for (name, count) in
                    [("colspan", columns), ("rowspan", rows)].into_iter().filter(|(_, count)| **count > 1)
                {
                    self.out.push_str(&format!(" {name}=\"{count}\""));
                }
                self.out.push('>');
            }
            _ => self.out.extend(["<", tag(part), ">"]),
        }
    }

    fn open_numbered_list(&mut self, numbers: &Numbers<'_>) {
        self.out.push_str("<ol");
        if numbers.start != 1 {
            self.out.push_str(&format!(" start=\"{}\"", numbers.start));
        }
        if numbers.reversed {
            self.out.push_str(" reversed=\"\"");
        }
        if let Some(style) = numbers.style {
            self.out.extend([" type=\"", style, "\""]);
        }
        self.out.push('>');
    }

    fn close_element(&mut self, part: &Part<'_>) {
        match part {
            Part::Heading(_) if self.heading_depth > 0 => self.out.push_str("</div>"),
            Part::Pre { .. } => self.out.push_str("</code></pre>"),
            Part::Note(_) => self.out.extend(["</", self.note_element(), ">"]),
            Part::Item { .. } if self.list_depth == 0 => self.out.push_str("</li></ul>"),
            _ => self.out.extend(["</", tag(part), ">"]),
        }
    }

    fn note_element(&self) -> &'static str {
        if self.list_depth > 0 { "li" } else { "div" }
    }
}

impl Sink for Html {
    fn open(&mut self, part: &Part<'_>) {
        if part.is_inline() {
            self.begin_text();
            self.open_element(part);
            return;
        }
        self.end_paragraph();
        self.open_element(part);
        self.has_line = false;
        self.list_depth += u32::from(matches!(part, Part::List { .. }));
        self.heading_depth += u32::from(matches!(part, Part::Heading(_)));
        self.holders.push(holder(part));
    }

    fn close(&mut self, part: &Part<'_>) {
        if part.is_inline() {
            self.close_element(part);
            return;
        }
        self.end_paragraph();
        self.holders.pop();
        self.list_depth -= u32::from(matches!(part, Part::List { .. }));
        self.heading_depth -= u32::from(matches!(part, Part::Heading(_)));
        self.close_element(part);
        self.out.push('\n');
        self.has_line = false;
    }

    fn gap(&mut self, gap: Gap, is_break: bool) {
        if !self.has_line || gap == Gap::None {
            return;
        }
        match self.holders.last_mut() {
            _ if gap == Gap::Space => self.out.push(' '),
            _ if is_break => self.out.push_str("<br>"),
            Some(Holder::Lines) => self.out.push_str("<br>"),
            Some(holder @ Holder::Bare) => {
                *holder = Holder::Paragraphs;
                self.has_line = false;
            }
            _ => self.end_paragraph(),
        }
    }

    fn text(&mut self, text: &str) {
        self.begin_text();
        escape(text, &mut self.out);
    }

    /// As pandoc writes formulas, and MathJax and KaTeX find them.
    fn formula(&mut self, tex: &str, display: bool) {
        self.begin_text();
        let (class, signs) = if display { ("display", ["\\[", "\\]"]) } else { ("inline", ["\\(", "\\)"]) };
        self.out.extend(["<span class=\"math ", class, "\">", signs[0]]);
        escape(tex, &mut self.out);
        self.out.extend([signs[1], "</span>"]);
    }

    fn raw_formula(&mut self, _: &str, tex: &str, display: bool) {
        self.formula(tex, display);
    }

    fn reference(&mut self, name: &str, shown: &str) {
        self.begin_text();
        self.out.push_str("<sup><a href=\"#fn-");
        escape(name, &mut self.out);
        self.out.push_str("\">");
        escape(shown, &mut self.out);
        self.out.push_str("</a></sup>");
    }

    fn end_paragraph(&mut self) {
        if let Some(element) = self.paragraph.take() {
            self.out.extend(["</", element, ">\n"]);
            self.has_line = false;
        }
    }

    fn numbers_items(&self) -> bool {
        true
    }

    fn rule(&mut self) {
        if self.holders.last() != Some(&Holder::Lines) {
            self.end_paragraph();
            self.out.push_str("<hr>\n");
        }
    }

    fn image(&mut self, source: &str, alt: &str) {
        self.begin_text();
        self.out.push_str("<img src=\"");
        escape(source, &mut self.out);
        self.out.push_str("\" alt=\"");
        escape(alt, &mut self.out);
        self.out.push_str("\">");
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
        Part::List { numbers: Some(_) } => "ol",
        Part::List { numbers: None } => "ul",
        Part::Item { .. } => "li",
        Part::Quote => "blockquote",
        Part::Pre { .. } => "pre",
        Part::Table => "table",
        Part::Row => "tr",
        Part::Cell { header: true, .. } => "th",
        Part::Cell { header: false, .. } => "td",
        Part::Figure => "figure",
        Part::Caption => "figcaption",
        Part::TableCaption => "caption",
        Part::Terms => "dl",
        Part::Term => "dt",
        Part::Meaning => "dd",
        Part::Note(_) => "div",
        Part::Link(_) => "a",
        Part::Strong => "strong",
        Part::Emphasis => "em",
        Part::Strike => "del",
        Part::Code => "code",
        Part::Below => "sub",
        Part::Above => "sup",
    }
}

fn holder(part: &Part<'_>) -> Holder {
    match part {
        Part::Heading(_) | Part::Pre { .. } | Part::Term | Part::Caption | Part::TableCaption => Holder::Lines,
        Part::Item { .. } | Part::Cell { .. } | Part::Meaning | Part::Note(_) | Part::Figure => Holder::Bare,
        Part::List { .. } => Holder::Items,
        _ => Holder::Paragraphs,
    }
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(place) = rest.find(['&', '<', '>', '"']) {
        out.push_str(&rest[..place]);
        out.push_str(match rest.as_bytes()[place] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[place + 1..];
    }
    out.push_str(rest);
}
