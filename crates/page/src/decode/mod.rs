//! Bytes to text, and back to the same bytes.
//!
//! A byte-order mark decides, then HTTP's charset, the page's own `<meta>` or XML declaration, and last the bytes
//! themselves; a label that the bytes prove wrong is overruled. Decoding never fails: what cannot be decoded becomes
//! U+FFFD. Where [`Decoded::lossless`] is set, [`encode`] gives the body back byte for byte; that was verified.

mod binary;
mod encode;
mod guess;
mod prescan;

use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

pub use encode::encode;
use guess::Utf8Shape;

/// What told us the charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A byte-order mark.
    ByteOrderMark,
    /// The HTTP header.
    Http,
    /// The page's own `<meta>`.
    Meta,
    /// The page's own XML declaration.
    Xml,
    /// The bytes themselves.
    Detected,
}

/// A body as text.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The text, without byte-order mark.
    pub text: String,
    /// The charset it was read by.
    pub encoding: &'static Encoding,
    /// What told us so.
    pub evidence: Evidence,
    /// The charset that HTTP or the page named, whether or not it was right.
    pub declared: Option<&'static Encoding>,
    /// Whether a byte-order mark stood before the text.
    pub bom: bool,
    /// Whether [`encode`] gives the body back.
    pub lossless: bool,
    /// Whether the declared charset was wrong.
    pub overruled: bool,
    /// Whether the body does not look like text at all.
    pub binary: bool,
}

impl Decoded {
    /// Text that came without bytes, taken as UTF-8.
    pub fn from_text(text: String) -> Decoded {
        Decoded {
            text,
            encoding: UTF_8,
            evidence: Evidence::Detected,
            declared: None,
            bom: false,
            lossless: true,
            overruled: false,
            binary: false,
        }
    }
}

/// Decodes a body, with the charset that HTTP named for it, if it did.
///
/// ```
/// use kuai_page::decode;
///
/// let page = decode(b"<meta charset=gb2312><p>\xbf\xe9", None);
/// assert_eq!((page.text.as_str(), page.encoding.name()), ("<meta charset=gb2312><p>块", "GBK"));
/// ```
pub fn decode(body: &[u8], http_charset: Option<&str>) -> Decoded {
    if let Some((encoding, mark_length)) = Encoding::for_bom(body) {
        let decoded = read_as(Body::of(&body[mark_length..]), encoding, Evidence::ByteOrderMark);
        return Decoded { bom: true, ..decoded };
    }
    let body = Body::of(body);
    if let Some(encoding) = guess::utf_16_by_zeros(body.bytes) {
        let declared = http_charset.and_then(label);
        let evidence = if declared == Some(encoding) { Evidence::Http } else { Evidence::Detected };
        return Decoded {
            declared,
            overruled: declared.is_some_and(|said| said != encoding),
            ..read_as(body, encoding, evidence)
        };
    }
    if binary::is_binary(body.bytes) {
        // Every byte has a place in windows-1252, so that whatever this is comes back as it was.
        return Decoded { binary: true, ..read_as(body, WINDOWS_1252, Evidence::Detected) };
    }
    match declared(body.bytes, http_charset) {
        Some((encoding, evidence)) => read_declared(body, encoding, evidence),
        None => read_unlabelled(body),
    }
}

/// Bytes that are to be decoded.
#[derive(Clone, Copy)]
struct Body<'a> {
    bytes: &'a [u8],
    /// The same as text, if they are UTF-8 throughout.
    as_utf_8: Option<&'a str>,
}

impl<'a> Body<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, as_utf_8: simdutf8::basic::from_utf8(bytes).ok() }
    }

    fn shape(self) -> Utf8Shape {
        Utf8Shape::of(self.bytes)
    }
}

fn declared(body: &[u8], http_charset: Option<&str>) -> Option<(&'static Encoding, Evidence)> {
    let http = http_charset.and_then(label).map(|encoding| (encoding, Evidence::Http));
    let meta = || prescan::meta_charset(body).filter(is_known).map(|encoding| (encoding, Evidence::Meta));
    let xml = || prescan::xml_charset(body).filter(is_known).map(|encoding| (encoding, Evidence::Xml));
    http.or_else(meta).or_else(xml)
}

fn label(charset: &str) -> Option<&'static Encoding> {
    Encoding::for_label(charset.as_bytes()).filter(is_known)
}

/// Decision: the standard blanks out pages in charsets that browsers no longer read (HZ, ISO-2022-KR). An archive
/// rather reads them as if nothing was declared, which keeps their ASCII and their bytes.
fn is_known(encoding: &&'static Encoding) -> bool {
    *encoding != REPLACEMENT
}

fn read_declared(body: Body<'_>, said: &'static Encoding, evidence: Evidence) -> Decoded {
    let as_said = || read_as(body, said, evidence);
    let as_found = |encoding| Decoded { overruled: true, ..read_as(body, encoding, Evidence::Detected) };
    let is_utf_16 = said == UTF_16LE || said == UTF_16BE;
    let decoded = match body.as_utf_8 {
        Some(_) if said == UTF_8 => as_said(),
        Some(text) if text.is_ascii() && !is_utf_16 => as_said(),
        Some(_) if is_utf_16 || guess::is_surely_utf_8(body.shape(), said) => as_found(UTF_8),
        None if said == UTF_8 => guess::instead_of_utf_8(body.bytes, body.shape()).map_or_else(as_said, as_found),
        None if said == WINDOWS_1252 => guess::instead_of_latin(body.bytes).map_or_else(as_said, as_found),
        // Decision: of the other charsets only the labelled one can tell that it is wrong, by failing.
        _ => {
            let decoded = as_said();
            let fails = !decoded.lossless && !is_utf_16;
            let found = if fails { guess::instead_of_legacy(body.bytes, &decoded.text) } else { None };
            found.map_or(decoded, as_found)
        }
    };
    Decoded { declared: Some(said), ..decoded }
}

fn read_unlabelled(body: Body<'_>) -> Decoded {
    let encoding = match body.as_utf_8 {
        // Escapes make ISO-2022-JP of ASCII; without them the standard's fallback is as good as any.
        Some(text) if text.is_ascii() && memchr::memchr(0x1b, body.bytes).is_none() => WINDOWS_1252,
        Some(text) if !text.is_ascii() => UTF_8,
        _ => guess::unlabelled(body.bytes, body.shape()),
    };
    read_as(body, encoding, Evidence::Detected)
}

/// Decodes by this charset and finds out whether the way back leads to the same bytes.
fn read_as(body: Body<'_>, encoding: &'static Encoding, evidence: Evidence) -> Decoded {
    let (text, encoding, lossless) = if encoding == UTF_8 || (body.bytes.is_ascii() && is_ascii_itself(encoding)) {
        match body.as_utf_8 {
            Some(text) => (text.to_owned(), encoding, true),
            None => (String::from_utf8_lossy(body.bytes).into_owned(), encoding, false),
        }
    } else {
        let (text, malformed) = encoding.decode_without_bom_handling(body.bytes);
        let mut text = text.into_owned();
        // The decoder asks for the most that the bytes could become, twice what Chinese ones do.
        text.shrink_to_fit();
        let back = if malformed { None } else { way_back(&text, encoding, body.bytes) };
        (text, back.unwrap_or(encoding), back.is_some())
    };
    Decoded { encoding, evidence, lossless, ..Decoded::from_text(text) }
}

/// Whether ASCII bytes are those characters, so that there is nothing to decode.
fn is_ascii_itself(encoding: &'static Encoding) -> bool {
    encoding != UTF_16LE && encoding != UTF_16BE && encoding != ISO_2022_JP
}

/// The charset by which the text encodes to the body. GBK decodes the four-byte characters of GB 18030, but only
/// GB 18030 writes them.
fn way_back(text: &str, encoding: &'static Encoding, body: &[u8]) -> Option<&'static Encoding> {
    let wider = (encoding == GBK).then_some(GB18030);
    [Some(encoding), wider].into_iter().flatten().find(|way| encode(text, way, false).as_deref() == Some(body))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CHINESE: &str =
        "<title>新闻</title><p>这是一个用来测试网页编码的段落，里面有很多常用的汉字，我们要把它读对。</p>";
    const TRADITIONAL: &str = "<p>這是一個用來測試網頁編碼的段落，裡面有很多常用的漢字，我們要把它讀對。</p>";
    const JAPANESE: &str = "<p>これはウェブページの文字コードを試すための文章です。漢字とかなが混ざっています。</p>";
    const KOREAN: &str = "<p>이것은 웹 페이지의 문자 인코딩을 시험하기 위한 문장입니다. 한글이 많이 있습니다.</p>";
    const RUSSIAN: &str = "<p>Это предложение проверяет кодировку страницы, в нём много обычных русских слов.</p>";
    const GREEK: &str = "<p>Αυτή η πρόταση ελέγχει την κωδικοποίηση της σελίδας με συνηθισμένες λέξεις.</p>";
    const FRENCH: &str = "<p>Cette phrase vérifie le codage de la page, où l’été précède déjà la fête à Orléans.</p>";

    fn bytes(text: &str, charset: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(charset.as_bytes()).expect("a charset of the Web");
        encode(text, encoding, false).expect("the sample has a place in the charset")
    }

    fn check(text: &str, written: &str, said: Option<&str>, overruled: bool) {
        let body = bytes(text, written);
        let decoded = decode(&body, said);
        assert_eq!(decoded.text, text, "{written} labelled {said:?} read as {}", decoded.encoding.name());
        assert_eq!(decoded.overruled, overruled, "{written} labelled {said:?}");
        assert!(decoded.lossless);
        assert_eq!(encode(&decoded.text, decoded.encoding, decoded.bom).as_deref(), Some(body.as_slice()));
    }

    const SAMPLES: [(&str, &str); 12] = [
        (CHINESE, "gbk"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso-2022-jp"),
        (KOREAN, "euc-kr"),
        (RUSSIAN, "windows-1251"),
        (RUSSIAN, "koi8-r"),
        (GREEK, "windows-1253"),
        (FRENCH, "windows-1252"),
        (CHINESE, "utf-8"),
    ];

    #[test]
    fn a_right_label_is_followed() {
        for (text, charset) in SAMPLES {
            check(text, charset, Some(charset), false);
        }
        check(CHINESE, "utf-16le", Some("utf-16"), false);
        check(CHINESE, "utf-16be", Some("utf-16be"), false);
    }

    #[test]
    fn a_charset_is_found_without_a_label() {
        for (text, charset) in SAMPLES {
            check(text, charset, None, false);
        }
        check(CHINESE, "utf-16le", None, false);
        check(CHINESE, "utf-16be", None, false);
    }

    #[test]
    fn a_page_labelled_utf_8_that_is_not_is_read_right() {
        for (text, charset) in SAMPLES {
            let plain_ascii = charset == "iso-2022-jp";
            if !plain_ascii && charset != "utf-8" {
                check(text, charset, Some("utf-8"), true);
            }
        }
        check(CHINESE, "utf-16le", Some("utf-8"), true);
    }

    #[test]
    fn a_page_labelled_otherwise_that_is_utf_8_is_read_right() {
        for said in ["gb2312", "big5", "shift_jis", "euc-kr", "windows-1251", "iso-8859-1", "utf-16"] {
            check(CHINESE, "utf-8", Some(said), true);
        }
        check("<p>Café", "utf-8", Some("iso-8859-1"), true);
    }

    #[test]
    fn a_chinese_page_labelled_latin_is_read_right() {
        check(CHINESE, "gbk", Some("iso-8859-1"), true);
        check(FRENCH, "windows-1252", Some("iso-8859-1"), false);
    }

    #[test]
    fn a_few_broken_bytes_do_not_overrule_utf_8() {
        let mut body = CHINESE.repeat(3).into_bytes();
        body.truncate(body.len() - 6);
        body.splice(40..41, *b"\xff\xd6\xd0");
        let decoded = decode(&body, Some("utf-8"));
        assert_eq!((decoded.encoding, decoded.overruled, decoded.lossless), (UTF_8, false, false));
        assert!(decoded.text.contains('\u{fffd}') && decoded.text.contains("这是一个"));
        assert_eq!(decode(&body, None).encoding, UTF_8);
    }

    #[test]
    fn four_byte_characters_in_a_page_labelled_gbk_come_back() {
        let body = bytes("<p>这里有一个四字节的字：㐀𠀀", "gb18030");
        let decoded = decode(&body, Some("gb2312"));
        assert_eq!((decoded.encoding, decoded.lossless), (GB18030, true));
    }

    #[test]
    fn a_byte_order_mark_beats_every_label() {
        for (mark, charset) in [("\u{feff}", "utf-16le"), ("\u{feff}", "utf-16be"), ("\u{feff}", "utf-8")] {
            let body = bytes(&format!("{mark}{CHINESE}"), charset);
            let decoded = decode(&body, Some("gbk"));
            assert_eq!((decoded.text.as_str(), decoded.bom, decoded.lossless), (CHINESE, true, true));
            assert_eq!(encode(&decoded.text, decoded.encoding, decoded.bom), Some(body));
        }
    }

    #[test]
    fn two_ways_to_write_one_character_are_not_lossless() {
        // Shift_JIS has the roman numeral one twice; only the NEC place is written.
        assert!(decode(b"<p>\x87\x54", Some("shift_jis")).lossless);
        assert!(!decode(b"<p>\xfa\x4a", Some("shift_jis")).lossless);
    }

    #[test]
    fn a_picture_called_html_is_binary_and_comes_back() {
        let body: Vec<u8> = b"\x89PNG\r\n\x1a\n".iter().copied().chain(0..=255).collect();
        let decoded = decode(&body, Some("utf-8"));
        assert!(decoded.binary && decoded.lossless);
        assert_eq!(encode(&decoded.text, decoded.encoding, decoded.bom), Some(body));
    }

    #[test]
    fn a_charset_that_browsers_gave_up_counts_as_none() {
        let decoded = decode(b"<p>~{<:Ky2;VpJ)~}", Some("hz-gb-2312"));
        assert!(decoded.lossless && decoded.text.starts_with("<p>~{"));
    }

    const CHARSETS: [&str; 12] = [
        "utf-8",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "utf-16le",
        "utf-16be",
        "windows-1252",
        "x-user-defined",
    ];

    proptest! {
        #[test]
        fn what_is_lossless_comes_back(body in any::<Vec<u8>>(), said in proptest::option::of(0..CHARSETS.len())) {
            let decoded = decode(&body, said.map(|index| CHARSETS[index]));
            if decoded.lossless {
                prop_assert_eq!(encode(&decoded.text, decoded.encoding, decoded.bom), Some(body));
            }
        }

        #[test]
        fn markup_with_any_bytes_never_panics(
            pieces in proptest::collection::vec(prop_oneof![
                Just(b"<meta charset=".to_vec()), Just(b"<!--".to_vec()), Just(b"-->".to_vec()), Just(b"big5>".to_vec()),
                Just(b"http-equiv=content-type content='charset=".to_vec()), Just(b"<?xml encoding='".to_vec()),
                Just(b"\x1b$B".to_vec()), Just(b"\xff\xfe".to_vec()), any::<[u8; 3]>().prop_map(|bytes| bytes.to_vec()),
            ], 0..20)
        ) {
            let body = pieces.concat();
            let decoded = decode(&body, None);
            if decoded.lossless {
                prop_assert_eq!(encode(&decoded.text, decoded.encoding, decoded.bom), Some(body));
            }
        }
    }
}
