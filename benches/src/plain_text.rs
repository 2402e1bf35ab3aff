//! What a page says, read in another way than kuai does: tags are cut out of the source by regular expressions.

use regex::Regex;

/// Takes the text out of HTML.
pub struct PlainText {
    unseen: Regex,
    inline: Regex,
    tag: Regex,
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
        let spelt = lines.lines().map(|line| collapsed(&unescaped(line)));
        spelt.filter(|line| !line.is_empty()).collect()
    }
}

/// A line with one space for each stretch of white space.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The commonest character references; lines with others are not asked about.
fn unescaped(text: &str) -> String {
    let known = [
        ("&nbsp;", "\u{A0}"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&rsquo;", "’"),
        ("&lsquo;", "‘"),
        ("&ldquo;", "“"),
        ("&rdquo;", "”"),
        ("&mdash;", "—"),
        ("&ndash;", "–"),
        ("&amp;", "&"),
    ];
    known.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter))
}
