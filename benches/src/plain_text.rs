//! What a page says, read in another way than kuai does: tags are cut out of the source by regular expressions.

use regex::{Captures, Regex};

/// Takes the text out of HTML.
pub struct PlainText {
    unseen: Regex,
    inline: Regex,
    tag: Regex,
    numbered: Regex,
}

impl Default for PlainText {
    fn default() -> PlainText {
        let regex = |pattern: &str| Regex::new(pattern).expect("a good pattern");
        let unseen =
            ["script", "style", "noscript", "template", "svg"].map(|name| format!("<{name}\\b.*?</{name}\\s*>"));
        let inline = "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|ins|kbd|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr";
        PlainText {
            unseen: regex(&format!("(?is)<!--.*?-->|{}", unseen.join("|"))),
            inline: regex(&format!("(?is)</?(?:{inline})\\b[^>]*>")),
            tag: regex("(?is)<[^>]*>"),
            numbered: regex("&#([0-9]{1,7});"),
        }
    }
}

impl PlainText {
    /// The lines of a page: one for each stretch without a tag that lays out.
    pub fn lines(&self, source: &str) -> Vec<String> {
        let seen = self.unseen.replace_all(source, "");
        // The white space of a source says nothing; only tags begin lines.
        let flat = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        let joined = self.inline.replace_all(&flat, "");
        let lines = self.tag.replace_all(&joined, "\n");
        let spelt = lines.lines().map(|line| collapsed(&self.unescaped(line)));
        spelt.filter(|line| !line.is_empty()).collect()
    }

    /// Without character references; lines with names that are not known here are not asked about.
    fn unescaped(&self, text: &str) -> String {
        let spelt = NAMED.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter));
        let letter = |found: &Captures<'_>| found[1].parse().ok().and_then(char::from_u32).map(String::from);
        let spelt = self.numbered.replace_all(&spelt, |found: &Captures<'_>| letter(found).unwrap_or_default());
        // What is left of other references begins with it.
        spelt.replace("&amp;", "&")
    }
}

/// The commonest named references.
const NAMED: [(&str, &str); 11] = [
    ("&nbsp;", "\u{A0}"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#x27;", "'"),
    ("&rsquo;", "’"),
    ("&lsquo;", "‘"),
    ("&ldquo;", "“"),
    ("&rdquo;", "”"),
    ("&mdash;", "—"),
    ("&ndash;", "–"),
];

/// A line with one space for each stretch of white space.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
