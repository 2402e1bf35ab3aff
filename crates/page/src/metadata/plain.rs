//! Values of metas and data as their writers meant them: many write for HTML what is not read as HTML.

use std::borrow::Cow;

use kuai_html::{Content, Tag, TokenKind, TokenOptions, tokens_with};

use crate::text::one_line;

/// How often a value is decoded at most: some programs escape what is escaped already.
const DECODINGS_MAX: usize = 2;

/// The longest name of a character reference, and a little more.
const REFERENCE_BYTES_MAX: usize = 34;

/// A value on one line, character references decoded that are left in it (`Fog &#8211; light`).
pub(super) fn plain(value: &str) -> String {
    let mut value = Cow::Borrowed(value);
    for _ in 0..DECODINGS_MAX {
        if !has_reference(&value) {
            break;
        }
        value = Cow::Owned(texts(&value, Content::Rcdata(Tag::Textarea)));
    }
    one_line(&value)
}

/// A value on one line, without markup.
pub(super) fn without_tags(value: &str) -> String {
    let value = plain(value);
    let has_tag = ["</", "<br", "<p>", "<img", "/>"].iter().any(|tag| value.contains(tag));
    if has_tag { one_line(&texts(&value, Content::Data)) } else { value }
}

fn texts(value: &str, content: Content) -> String {
    let mut text = String::with_capacity(value.len());
    for token in tokens_with(value, TokenOptions { content, ..TokenOptions::default() }) {
        match token.kind {
            TokenKind::Text(part) => text.push_str(&part),
            TokenKind::StartTag(tag) if matches!(tag.tag, Tag::Br | Tag::P | Tag::Div | Tag::Li) => text.push(' '),
            _ => {}
        }
    }
    text
}

/// Whether a reference with its semicolon is left: a lone ampersand is one (`R&D`).
fn has_reference(value: &str) -> bool {
    value.match_indices('&').any(|(place, _)| {
        let rest = &value.as_bytes()[place + 1..];
        let end = rest.iter().take(REFERENCE_BYTES_MAX).position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
        end.is_some_and(|end| end > 0 && rest[end] == b';')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_that_are_left_are_decoded() {
        assert_eq!(plain("Fog &#8211;  light"), "Fog – light");
        assert_eq!(plain("Fog &amp;amp; light"), "Fog & light");
        assert_eq!(plain("R&D; A&B, a&;"), "R&D; A&B, a&;");
        assert_eq!(plain("List&lt;Fog&gt; of <b>"), "List<Fog> of <b>");
    }

    #[test]
    fn markup_is_taken_out_where_a_value_holds_any() {
        assert_eq!(without_tags("<p>Fog <b>and</b> light.</p><p>More</p>"), "Fog and light. More");
        assert_eq!(without_tags("1 < 2 and 3 > 2"), "1 < 2 and 3 > 2");
        assert_eq!(without_tags("&lt;p&gt;Fog&lt;/p&gt;"), "Fog");
    }
}
