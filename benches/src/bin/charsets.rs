//! Checks decoding on the data of `$KUAI_DATA`: html5lib's encoding tests, the Chinese pages as served, and whether
//! every page of every set gives its bytes back. Prints counts, and a line for each failure.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kuai_benches::data::{data_folder, pages_below};
use kuai_page::{Decoded, Encoding, Page, decode, encode};

/// The sets whose pages are bytes or text of the Web.
const SETS: [&str; 9] = [
    "wcxb/pages",
    "articles/pages",
    "snippets/pages",
    "segment/pages",
    "blocks-zh/pages",
    "chinese/pages",
    "chinese/raw",
    "dev",
    "even",
];

fn main() -> ExitCode {
    let data = data_folder();
    let encoding_failures = check_encoding_tests(&data.join("html5lib-tests/encoding"));
    let chinese_failures = check_chinese(&data.join("chinese"));
    check_relabelled(&data);
    let lost = SETS.iter().map(|set| check_set(&data, set)).sum::<usize>();
    if encoding_failures + chinese_failures + lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// html5lib's tests ask for the charset that the standard takes, which is the declared one where there is one.
fn check_encoding_tests(folder: &Path) -> usize {
    let mut failures = 0;
    let mut total = 0;
    for file in ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"] {
        for (body, expected) in encoding_tests(&read(&folder.join(file))) {
            let decoded = decode(&body, None);
            let found = decoded.declared.filter(|_| !decoded.bom).unwrap_or(decoded.encoding);
            total += 1;
            if Encoding::for_label(expected.as_bytes()) != Some(found) {
                failures += 1;
                let start = String::from_utf8_lossy(&body[..body.len().min(120)]).into_owned();
                println!("  {file}: expected {expected}, found {}: {start:?}", found.name());
            }
        }
    }
    total += 1;
    let big5 = decode(&read(&folder.join("chardet/test_big5.txt")), None).encoding;
    if big5.name() != "Big5" {
        failures += 1;
        println!("  chardet/test_big5.txt: expected Big5, found {}", big5.name());
    }
    println!("html5lib encoding tests: {} of {total} (scripted/ left out: scripting is off)", total - failures);
    failures
}

/// The `#data` and `#encoding` parts of a test file.
fn encoding_tests(file: &[u8]) -> Vec<(Vec<u8>, String)> {
    let mut tests = Vec::new();
    let mut data: Vec<u8> = Vec::new();
    let mut lines = file.split(|&byte| byte == b'\n');
    while let Some(line) = lines.next() {
        match line {
            b"#data" => data.clear(),
            b"#encoding" => {
                let expected = lines.next().unwrap_or_default();
                tests.push((data.clone(), String::from_utf8_lossy(expected).trim().to_owned()));
            }
            _ => {
                data.extend_from_slice(line);
                data.push(b'\n');
            }
        }
    }
    tests
}

/// Every page of `raw/` decodes to the text of `pages/`.
fn check_chinese(folder: &Path) -> usize {
    let files = pages_below(&folder.join("raw"));
    let mut failures = 0;
    for file in &files {
        let decoded = decode(&read(file), None);
        let name = file.file_name().unwrap_or_default();
        let expected = read(&folder.join("pages").join(name));
        // The expected text was made by Python, whose GB 18030 reads A3 A0 as a private character; the Encoding
        // standard, and so every browser, reads it as the ideographic space that its writers meant.
        let expected = String::from_utf8_lossy(&expected).replace('\u{e5e5}', "\u{3000}");
        let expected = expected.strip_prefix('\u{feff}').unwrap_or(&expected);
        if decoded.text != expected {
            failures += 1;
            println!(
                "  {}: read as {}: {}",
                file.display(),
                decoded.encoding.name(),
                difference(&decoded.text, expected)
            );
        }
    }
    println!("chinese/raw: {} of {} decode to the text of chinese/pages", files.len() - failures, files.len());
    failures
}

fn difference(found: &str, expected: &str) -> String {
    match found.chars().zip(expected.chars()).position(|(one, other)| one != other) {
        Some(at) => {
            let around = |text: &str| text.chars().skip(at.saturating_sub(6)).take(14).collect::<String>();
            format!("at {at}: {:?}, expected {:?}", around(found), around(expected))
        }
        None => format!("{} bytes, expected {}", found.len(), expected.len()),
    }
}

/// Gives the number of pages that say they are lossless and are not.
fn check_set(data: &Path, set: &str) -> usize {
    let files = pages_below(&data.join(set));
    let (mut lossless, mut overruled, mut binary, mut wrong, mut byte_count) = (0, 0, 0, 0, 0);
    let mut time = Duration::ZERO;
    for file in &files {
        let body = read(file);
        let start = Instant::now();
        let decoded = decode(&body, None);
        time += start.elapsed();
        byte_count += body.len();
        lossless += usize::from(decoded.lossless);
        overruled += usize::from(decoded.overruled);
        binary += usize::from(decoded.binary);
        wrong += usize::from(decoded.lossless && !comes_back(&decoded, &body));
        if decoded.overruled || !decoded.lossless || decoded.binary {
            let said = decoded.declared.map_or("nothing", Encoding::name);
            println!(
                "  {}: said {said}, read as {}, lossless {}, binary {}",
                file.display(),
                decoded.encoding.name(),
                decoded.lossless,
                decoded.binary
            );
        }
    }
    let speed = byte_count as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    let raw = files.len() - lossless;
    println!(
        "{set}: {} pages, {lossless} lossless, {raw} raw kept, {overruled} overruled, {binary} binary, {wrong} wrong; {speed:.0} MB/s",
        files.len()
    );
    wrong
}

/// The legacy charsets in which pages of a language were written.
const CHARSETS_OF_LANGUAGES: [(&str, &[&str]); 20] = [
    ("zh", &["gbk", "big5"]),
    ("ja", &["shift_jis", "euc-jp"]),
    ("ko", &["euc-kr"]),
    ("ru", &["windows-1251", "koi8-r"]),
    ("uk", &["windows-1251"]),
    ("bg", &["windows-1251"]),
    ("el", &["windows-1253"]),
    ("tr", &["windows-1254"]),
    ("he", &["windows-1255"]),
    ("ar", &["windows-1256"]),
    ("fa", &["windows-1256"]),
    ("th", &["windows-874"]),
    ("vi", &["windows-1258"]),
    ("pl", &["windows-1250"]),
    ("cs", &["windows-1250"]),
    ("hu", &["windows-1250"]),
    ("de", &["windows-1252"]),
    ("fr", &["windows-1252"]),
    ("es", &["windows-1252"]),
    ("pt", &["windows-1252"]),
];

/// Writes pages in the old charsets of their language, with a right, a wrong and no label, and counts those read right.
fn check_relabelled(data: &Path) {
    let mut rows: BTreeMap<(&str, &str), [usize; 5]> = BTreeMap::new();
    for set in ["wcxb/pages", "articles/pages", "snippets/pages", "blocks-zh/pages", "chinese/pages"] {
        for file in pages_below(&data.join(set)) {
            let text = decode(&read(&file), None).text;
            for (language, charset, text, body) in in_old_charsets(&text) {
                let row = rows.entry((language, charset)).or_default();
                let unlabelled = without_labels(&body);
                let expected = without_labels(text.as_bytes());
                row[0] += 1;
                row[1] += usize::from(decode(&body, Some(charset)).text == text);
                row[2] += usize::from(decode(&body, Some("utf-8")).text == text);
                row[3] += usize::from(decode(&body, Some("iso-8859-1")).text == text);
                row[4] += usize::from(decode(&unlabelled, None).text.as_bytes() == expected);
            }
        }
    }
    println!("pages written in old charsets, read right when labelled so, as utf-8, as iso-8859-1, not at all:");
    for ((language, charset), [all, labelled, utf_8, latin, unlabelled]) in rows {
        println!("  {language} {charset}: {all} pages, {labelled} {utf_8} {latin} {unlabelled}");
    }
}

/// The page in each charset of its language, with what that charset cannot write left out of text and bytes alike.
fn in_old_charsets(text: &str) -> Vec<(&'static str, &'static str, String, Vec<u8>)> {
    let language = Page::from_html(text).metadata().language.clone().unwrap_or_default().to_ascii_lowercase();
    let primary = language.split('-').next().unwrap_or_default();
    let charsets = CHARSETS_OF_LANGUAGES.iter().find(|(name, _)| *name == primary);
    let is_traditional = language.contains("tw") || language.contains("hk") || language.contains("hant");
    let Some((language, charsets)) = charsets else { return Vec::new() };
    let fitting = charsets.iter().filter(|charset| match **charset {
        "big5" => is_traditional,
        "gbk" => !is_traditional,
        _ => true,
    });
    fitting
        .filter_map(|charset| {
            let encoding = Encoding::for_label(charset.as_bytes())?;
            let writable = |character: &char| {
                character.is_ascii() || encode(character.encode_utf8(&mut [0; 4]), encoding, false).is_some()
            };
            let text: String = text.chars().filter(writable).collect();
            let wide = text.chars().filter(|character| !character.is_ascii()).count();
            let body = encode(&text, encoding, false)?;
            // A page with next to nothing outside ASCII asks nothing.
            (wide >= 40).then_some((*language, *charset, text, body))
        })
        .collect()
}

/// The page with its declarations made unreadable.
fn without_labels(body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    for at in 0..body.len().saturating_sub(8) {
        if body[at..at + 7].eq_ignore_ascii_case(b"charset") || body[at..at + 8].eq_ignore_ascii_case(b"encoding") {
            body[at] = b'x';
        }
    }
    body
}

fn comes_back(decoded: &Decoded, body: &[u8]) -> bool {
    encode(&decoded.text, decoded.encoding, decoded.bom).as_deref() == Some(body)
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| {
        eprintln!("cannot read {}: {error}", path.display());
        Vec::new()
    })
}
