//! A citation as a BibTeX entry, in UTF-8: letters stay what they are, and what TeX would take for commands is escaped.

use std::fmt::Write;

use super::{Citation, CitationKind, Name};

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl Citation {
    /// The BibTeX entry; of a page that says little, an `@misc` with title, address and date.
    pub fn to_bibtex(&self) -> String {
        let mut entry = format!("@{}{{{},\n", entry_type(self.kind), self.key());
        let container = match self.kind {
            CitationKind::Article => "journal",
            CitationKind::Paper | CitationKind::Chapter => "booktitle",
            _ => "howpublished",
        };
        let publisher = match self.kind {
            CitationKind::Thesis => "school",
            CitationKind::Report => "institution",
            _ => "publisher",
        };
        let text = |value: &Option<String>| value.as_deref().map(escaped);
        let issn = (!self.issn.is_empty()).then(|| self.issn.join(", "));
        let fields = [
            ("title", text(&self.title)),
            ("author", self.author_list()),
            (container, text(&self.container)),
            (publisher, text(&self.publisher)),
            ("volume", text(&self.volume)),
            ("number", text(&self.issue)),
            ("pages", self.page_range()),
            ("year", self.date.as_ref().map(|date| date.chars().take(4).collect())),
            ("doi", self.doi.as_deref().map(verbatim)),
            ("eprint", self.arxiv.as_deref().map(verbatim)),
            ("archiveprefix", self.arxiv.as_ref().map(|_| "arXiv".to_owned())),
            ("issn", issn),
            ("isbn", text(&self.isbn)),
            ("url", self.url.as_deref().map(verbatim)),
            ("language", text(&self.language)),
            ("keywords", (!self.keywords.is_empty()).then(|| escaped(&self.keywords.join(", ")))),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                writeln!(entry, "  {name} = {{{value}}},").expect("a string takes any text");
            }
            if name == "year"
                && let Some(month) = self.month()
            {
                writeln!(entry, "  month = {month},").expect("a string takes any text");
            }
        }
        entry.push_str("}\n");
        entry
    }

    /// `holm2024fog`: the first author, the year and the first word of the title; the host where no letter is ASCII, and
    /// something of the address where the title has no word that a key may hold.
    fn key(&self) -> String {
        let ascii = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
        };
        let author = self.authors.first().map(|name| match name {
            Name::Person { family, .. } => ascii(family),
            Name::Whole(name) => ascii(name),
        });
        let host =
            || self.url.as_deref().and_then(|url| url::Url::parse(url).ok()).and_then(|url| url.host_str().map(ascii));
        let name = author.filter(|name| !name.is_empty()).or_else(host).unwrap_or_else(|| "page".to_owned());
        let year: String = self.date.iter().flat_map(|date| date.chars().take(4)).collect();
        let words = self.title.as_deref().unwrap_or_default().split_whitespace().map(ascii);
        let word = words
            .filter(|word| !word.is_empty() && !["a", "an", "the"].contains(&word.as_str()))
            .find(|word| word.len() > 1);
        let word = word.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
        let hash = || self.url.as_deref().or(self.title.as_deref()).map(short_hash).unwrap_or_default();
        format!("{name}{year}{}", word.unwrap_or_else(hash))
    }

    fn author_list(&self) -> Option<String> {
        let names = self.authors.iter().map(|name| match name {
            Name::Person { family, given } => format!("{}, {}", escaped(family), escaped(given)),
            // Braces keep BibTeX from taking the name apart.
            Name::Whole(name) => format!("{{{}}}", escaped(name)),
        });
        let list = names.collect::<Vec<_>>().join(" and ");
        (!list.is_empty()).then_some(list)
    }

    fn page_range(&self) -> Option<String> {
        let first = escaped(self.first_page.as_deref()?);
        Some(self.last_page.as_deref().map_or(first.clone(), |last| format!("{first}--{}", escaped(last))))
    }

    fn month(&self) -> Option<&'static str> {
        let month: usize = self.date.as_ref()?.get(5..7)?.parse().ok()?;
        MONTHS.get(month.checked_sub(1)?).copied()
    }
}

fn entry_type(kind: CitationKind) -> &'static str {
    match kind {
        CitationKind::Article => "article",
        CitationKind::Paper => "inproceedings",
        CitationKind::Chapter => "incollection",
        CitationKind::Book => "book",
        CitationKind::Thesis => "phdthesis",
        CitationKind::Report => "techreport",
        CitationKind::Page => "misc",
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '\\' => out.push_str("\\textbackslash "),
            '~' => out.push_str("\\textasciitilde "),
            '^' => out.push_str("\\textasciicircum "),
            other => out.push(other),
        }
    }
    out
}

/// A DOI or an address is read without TeX, but its braces must balance.
fn verbatim(text: &str) -> String {
    text.replace('\\', "%5C").replace('{', "%7B").replace('}', "%7D")
}

/// Five letters and figures that tell an address from others: FNV-1a, which stays the same from release to release.
fn short_hash(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{:05x}", (hash ^ (hash >> 32)) & 0xf_ffff)
}
