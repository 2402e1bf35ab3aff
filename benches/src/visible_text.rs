//! What a reader sees of a page, made in another way than the archive does it: scripts, styles, comments and tags are cut out of the bytes.

use regex::bytes::Regex;

/// The text of a page by regular expressions over its bytes.
pub struct VisibleText {
    hidden: Regex,
    tags: Regex,
    spaces: Regex,
}

impl Default for VisibleText {
    fn default() -> VisibleText {
        let regex = |pattern: &str| Regex::new(pattern).expect("the pattern is well formed");
        let hidden = ["script", "style", "noscript", "template", "svg"].map(|tag| format!(r"<{tag}\b.*?</{tag}\s*>"));
        VisibleText {
            hidden: regex(&format!("(?is){}|<!--.*?-->", hidden.join("|"))),
            tags: regex("(?s)<[^>]*>"),
            spaces: regex(r"\s+"),
        }
    }
}

impl VisibleText {
    /// The text, with one space for each stretch of white space and tags.
    pub fn of(&self, body: &[u8]) -> Vec<u8> {
        let text = self.hidden.replace_all(body, b" ".as_slice());
        let text = self.tags.replace_all(&text, b" ".as_slice());
        self.spaces.replace_all(&text, b" ".as_slice()).into_owned()
    }
}
