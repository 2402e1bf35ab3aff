//! Finds the charset that a page names for itself: the standard's prescan for `<meta>`, then the XML declaration.
//!
//! Bytes in, a charset or nothing out. Follows "prescan a byte stream to determine its encoding" of the HTML
//! standard step by step; running out of bytes inside a tag is `None`, as there.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How far the standard looks, taking any `<meta` for one, even inside a script.
const STANDARD_BYTES: usize = 1024;

/// How far we look when the standard's look found nothing. Browsers get there too, by parsing; so here, as in a
/// parser, what stands in scripts and the like does not count.
const FURTHER_BYTES: usize = 64 << 10;

/// The charset that a `<meta>` of the page names.
pub(super) fn meta_charset(body: &[u8]) -> Option<&'static Encoding> {
    let standard = Scan { bytes: &body[..body.len().min(STANDARD_BYTES)], at: 0, skip_raw_text: false };
    let further = Scan { bytes: &body[..body.len().min(FURTHER_BYTES)], at: 0, skip_raw_text: true };
    standard.run().or_else(|| if body.len() > STANDARD_BYTES { further.run() } else { None })
}

/// The charset that `<?xml … encoding="…"?>` names.
pub(super) fn xml_charset(body: &[u8]) -> Option<&'static Encoding> {
    let body = &body[..body.len().min(STANDARD_BYTES)];
    let rest = body.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memchr(b'>', rest)?];
    let after_name = &declaration[memchr::memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let after_equals = skip_controls(after_name).strip_prefix(b"=")?;
    let (&quote, value) = skip_controls(after_equals).split_first()?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let value = &value[..memchr::memchr(quote, value)?];
    Encoding::for_label(value).map(readable_so_far)
}

fn skip_controls(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|&&byte| byte <= b' ').count()..]
}

/// A page whose ASCII could be read up to here is not UTF-16, and the standard reads `x-user-defined` as Latin.
fn readable_so_far(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// A place in the bytes, moving forward.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    skip_raw_text: bool,
}

/// An attribute of a tag, in lower case.
struct Attribute {
    name: Vec<u8>,
    value: Vec<u8>,
}

impl Scan<'_> {
    fn run(mut self) -> Option<&'static Encoding> {
        loop {
            self.at += memchr::memchr(b'<', self.bytes.get(self.at..)?)?;
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // The dashes that open a comment may also close it: `<!-->`.
                self.at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 2;
            } else if is_meta(rest) {
                self.at += b"<meta".len();
                if let Some(encoding) = self.meta()? {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                self.skip_tag()?;
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.at += memchr::memchr(b'>', rest)?;
            }
            self.at += 1;
        }
    }

    /// Reads a meta's attributes; the outer option is "the bytes ran out", the inner one "it names no charset".
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut is_pragma = false;
        let mut needs_pragma = None;
        let mut charset: Option<Option<&'static Encoding>> = None;
        while let Some(Attribute { name, value }) = self.attribute()? {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => is_pragma = value == b"content-type",
                b"content" if charset.is_none() => {
                    if let Some(encoding) = content_charset(&value) {
                        charset = Some(Some(encoding));
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(Encoding::for_label(&value));
                    needs_pragma = Some(false);
                }
                // Other names need not be remembered, which keeps a tag with a million attributes cheap.
                _ => continue,
            }
            seen.push(name);
        }
        let counts = needs_pragma.is_some_and(|needed| !needed || is_pragma);
        Some(charset.flatten().filter(|_| counts).map(readable_so_far))
    }

    fn skip_tag(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let name_end = rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
        let raw_text_end = if self.skip_raw_text { raw_text_end(&rest[1..name_end]) } else { None };
        self.at += name_end;
        while self.attribute()?.is_some() {}
        if let Some(end_tag) = raw_text_end {
            self.at += find_ignoring_case(&self.bytes[self.at..], end_tag)?.saturating_sub(1);
        }
        Some(())
    }

    /// The standard's "get an attribute"; the outer option is "the bytes ran out", the inner one "no more of them".
    fn attribute(&mut self) -> Option<Option<Attribute>> {
        self.skip(|byte| is_space(byte) || byte == b'/');
        let mut attribute = Attribute { name: Vec::new(), value: Vec::new() };
        if self.peek()? == b'>' {
            return Some(None);
        }
        loop {
            match self.peek()? {
                b'=' if !attribute.name.is_empty() => break,
                b'/' | b'>' => return Some(Some(attribute)),
                byte if is_space(byte) => {
                    self.skip(is_space);
                    if self.peek()? != b'=' {
                        return Some(Some(attribute));
                    }
                    break;
                }
                byte => attribute.name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.at += 1;
        self.skip(is_space);
        attribute.value = self.value()?;
        Some(Some(attribute))
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let first = self.peek()?;
        let rest = &self.bytes[self.at..];
        let (value, taken) = if first == b'"' || first == b'\'' {
            let length = memchr::memchr(first, &rest[1..])?;
            (&rest[1..1 + length], length + 2)
        } else {
            let length = rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
            (&rest[..length], length)
        };
        self.at += taken;
        Some(value.to_ascii_lowercase())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, skipped: impl Fn(u8) -> bool) {
        self.at += self.bytes[self.at..].iter().take_while(|&&byte| skipped(byte)).count();
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"))
        && rest.get(5).is_some_and(|&byte| is_space(byte) || byte == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { rest.get(2) } else { rest.get(1) };
    name.is_some_and(u8::is_ascii_alphabetic)
}

/// The end tag up to which an element of this name holds no tags.
fn raw_text_end(name: &[u8]) -> Option<&'static [u8]> {
    const RAW: [&[u8]; 6] = [b"</script", b"</style", b"</title", b"</textarea", b"</noframes", b"</iframe"];
    RAW.into_iter().find(|end_tag| end_tag[2..].eq_ignore_ascii_case(name))
}

fn find_ignoring_case(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memchr_iter(needle[0], bytes)
        .find(|&at| bytes[at..].get(..needle.len()).is_some_and(|found| found.eq_ignore_ascii_case(needle)))
}

/// The standard's "extract a character encoding from a meta element", of a value in lower case.
fn content_charset(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    loop {
        rest = &rest[memchr::memmem::find(rest, b"charset")? + b"charset".len()..];
        let spaces = rest.iter().take_while(|&&byte| is_space(byte)).count();
        rest = &rest[spaces..];
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = after;
            break;
        }
    }
    rest = &rest[rest.iter().take_while(|&&byte| is_space(byte)).count()..];
    let label = match rest.first()? {
        quote @ (b'"' | b'\'') => &rest[1..1 + memchr::memchr(*quote, &rest[1..])?],
        _ => &rest[..rest.iter().position(|&byte| is_space(byte) || byte == b';').unwrap_or(rest.len())],
    };
    Encoding::for_label(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &str, expected: Option<&str>) {
        assert_eq!(meta_charset(head.as_bytes()).map(Encoding::name), expected, "{head:.80}");
    }

    #[test]
    fn a_meta_names_the_charset_in_either_form() {
        check("<meta charset=gb2312>", Some("GBK"));
        check("<META Content='text/html; CHARSET = Big5' Http-Equiv=Content-Type>", Some("Big5"));
        check("<meta content='text/html; charset=big5'>", None);
        check("<meta name=x content='charset=big5' charset=''>", None);
    }

    #[test]
    fn comments_other_tags_and_cut_tags_name_nothing() {
        check("<!--<meta charset=big5>--><p title='<meta charset=big5>'>", None);
        check("<!--><meta charset=big5>", Some("Big5"));
        check("<meta charset=big5", None);
    }

    #[test]
    fn utf_16_in_a_meta_means_utf_8() {
        check("<meta charset=utf-16be>", Some("UTF-8"));
        check("<meta charset=x-user-defined>", Some("windows-1252"));
    }

    #[test]
    fn a_late_meta_counts_unless_it_stands_in_a_script() {
        let filler = format!("<!--{}-->", "x".repeat(2000));
        check(&format!("{filler}<meta charset=euc-kr>"), Some("EUC-KR"));
        check(&format!("{filler}<script>'<meta charset=euc-kr>'</script>"), None);
        check(&format!("{filler}<script>'<meta charset=euc-kr>'</script><meta charset=big5>"), Some("Big5"));
        check(&format!("<!--{}--><meta charset=euc-kr>", "x".repeat(FURTHER_BYTES)), None);
    }

    #[test]
    fn an_xml_declaration_names_the_charset() {
        let charset = |text: &str| xml_charset(text.as_bytes()).map(Encoding::name);
        assert_eq!(charset("<?xml version='1.0' encoding = \"gbk\" ?>"), Some("GBK"));
        assert_eq!(charset("<?xml encoding='utf-16'?>"), Some("UTF-8"));
        assert_eq!(charset("<?xml version='1.0'?><p encoding='gbk'>"), None);
    }
}
