//! Percent escapes in one form: upper-case digits, and no escape for what needs none.
//!
//! Bad escapes are left as they are, and nothing beside them is unescaped that would make a good one of them; so doing it
//! twice changes nothing.

/// Appends `text` with its escapes in normal form; bytes for which `must_escape` holds are escaped.
pub(crate) fn push_normal(normal: &mut String, text: &[u8], must_escape: impl Fn(u8) -> bool) {
    // Where a `%` that begins no escape stands in `normal`: the two places after it must not become digits.
    let mut stray: Option<usize> = None;
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, escaped_byte(after)) {
            (b'%', Some(value)) => {
                rest = &after[2..];
                let would_mend = stray.is_some_and(|place| normal.len() - place <= 2) && value.is_ascii_hexdigit();
                if is_unreserved(value) && !would_mend {
                    normal.push(char::from(value));
                } else {
                    push_escape(normal, value);
                }
            }
            (b'%', None) => {
                stray = Some(normal.len());
                normal.push('%');
            }
            _ if must_escape(byte) || !byte.is_ascii() => push_escape(normal, byte),
            _ => normal.push(char::from(byte)),
        }
    }
}

/// Whether a text has escapes at all.
pub(crate) fn has_escapes(text: &str) -> bool {
    memchr::memchr(b'%', text.as_bytes()).is_some()
}

/// The byte that the two digits after a `%` stand for.
fn escaped_byte(digits: &[u8]) -> Option<u8> {
    let digit = |place: usize| digits.get(place).and_then(|&byte| char::from(byte).to_digit(16));
    Some((digit(0)? * 16 + digit(1)?) as u8)
}

/// What RFC 3986 says means the same escaped or not.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn push_escape(normal: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    normal.push('%');
    normal.push(char::from(DIGITS[usize::from(byte >> 4)]));
    normal.push(char::from(DIGITS[usize::from(byte & 15)]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let normal = |text: &str| {
            let mut normal = String::new();
            push_normal(&mut normal, text.as_bytes(), |byte| byte == b'*');
            normal
        };
        assert_eq!(normal(text), expected, "{text:?}");
        assert_eq!(normal(expected), expected, "twice {text:?}");
    }

    #[test]
    fn escapes_that_need_not_be_are_undone_and_the_others_are_upper_case() {
        check("/%7Euser/%e6%b1%89%2f%41", "/~user/%E6%B1%89%2FA");
        check("汉*", "%E6%B1%89%2A");
    }

    #[test]
    fn bad_escapes_stay_and_are_not_mended() {
        check("%", "%");
        check("%zz%4", "%zz%4");
        check("%%32e", "%%32e");
        check("%4%31", "%4%31");
        check("%z%41", "%z%41");
        check("%zz%41", "%zzA");
        check("%252e", "%252e");
    }
}
