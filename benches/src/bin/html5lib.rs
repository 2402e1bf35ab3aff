//! Runs the html5lib tests over our tokenizer and parser, and the tree tests over html5ever beside us.
//!
//! `html5lib [--failures] [folder]`; the folder is `$KUAI_DATA/html5lib-tests` unless told.

use std::path::{Path, PathBuf};

use kuai_benches::data::data_folder;
use kuai_benches::differ::Reading;
use kuai_html::{Content, Options, Tag, TokenKind, TokenOptions, tokens_with};
use serde_json::{Value, json};

fn main() {
    let mut show_failures = false;
    let mut folder = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--failures" => show_failures = true,
            path => folder = Some(PathBuf::from(path)),
        }
    }
    let folder = folder.unwrap_or_else(|| data_folder().join("html5lib-tests"));
    let tokenizer = run_tokenizer(&folder.join("tokenizer"), show_failures);
    println!("tokenizer: ours {}/{} ({} not expressible as text)", tokenizer.ours, tokenizer.count, tokenizer.skipped);
    let trees = run_trees(&folder.join("tree-construction"), show_failures);
    let Counts { count, ours, theirs, mirrored, .. } = trees;
    println!("tree construction: ours {ours}/{count}, html5ever {theirs}/{count}");
    println!("{} of them only with `mirror_selected`, which is off unless asked for ({MIRRORED}):", mirrored.len());
    mirrored.iter().for_each(|test| println!("  {test}"));
}

#[derive(Default)]
struct Counts {
    count: usize,
    ours: usize,
    theirs: usize,
    skipped: usize,
    /// Tests that pass only where chosen options are copied.
    mirrored: Vec<String>,
}

fn data_files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

// ---- tokenizer ----

fn run_tokenizer(folder: &Path, show_failures: bool) -> Counts {
    let mut counts = Counts::default();
    for file in data_files(folder, "test") {
        let text = std::fs::read_to_string(&file).expect("a test file is readable");
        let data: Value = serde_json::from_str(&replace_surrogates(&text)).expect("a test file is JSON");
        let Some(tests) = data["tests"].as_array() else {
            continue;
        };
        for test in tests {
            run_token_test(&file, test, show_failures, &mut counts);
        }
    }
    counts
}

/// Lone surrogates, which JSON may hold and Rust's strings may not, become a mark that is left out later.
fn replace_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let code = |text: &str| text.strip_prefix("\\u").and_then(|text| u32::from_str_radix(text.get(..4)?, 16).ok());
        let length = match code(escape) {
            Some(0xD800..=0xDBFF) if matches!(escape.get(6..).and_then(code), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str("LONE-SURROGATE");
                rest = &escape[6..];
                continue;
            }
            _ => 2,
        };
        out.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    out.push_str(rest);
    out
}

fn run_token_test(file: &Path, test: &Value, show_failures: bool, counts: &mut Counts) {
    let unescape = |text: &str| match test["doubleEscaped"].as_bool() {
        Some(true) => unescape(text),
        _ => Some(text.to_owned()),
    };
    let last_tag = Tag::from_name(test["lastStartTag"].as_str().unwrap_or(""));
    let states: Vec<&str> = match test["initialStates"].as_array() {
        Some(states) => states.iter().filter_map(Value::as_str).collect(),
        None => vec!["Data state"],
    };
    for state in states {
        let (content, cdata) = match state {
            "PLAINTEXT state" => (Content::PlainText, false),
            "RCDATA state" => (Content::Rcdata(last_tag), false),
            "RAWTEXT state" => (Content::RawText(last_tag), false),
            "Script data state" if last_tag == Tag::Script || last_tag == Tag::Unknown => (Content::Script, false),
            "Script data state" => (Content::RawText(last_tag), false),
            "CDATA section state" => (Content::Cdata, true),
            _ => (Content::Data, false),
        };
        let input = test["input"].as_str().unwrap_or("");
        let expected_text = test["output"].to_string();
        if test.to_string().contains("LONE-SURROGATE") {
            counts.skipped += 1;
            continue;
        }
        let (Some(input), Some(expected)) = (unescape(input), unescape_json(&test["output"], &unescape)) else {
            counts.skipped += 1;
            continue;
        };
        counts.count += 1;
        let found = token_output(&input, TokenOptions { content, raw_text: false, cdata });
        let expected = merge_text(expected.as_array().cloned().unwrap_or_default());
        if found == expected {
            counts.ours += 1;
        } else if show_failures {
            println!("{} [{state}]: {}", file.display(), test["description"]);
            println!("  input    {input:?}\n  expected {expected_text}\n  found    {}", Value::from(found));
        }
    }
}

/// `\uXXXX` written out twice; `None` for a lone surrogate.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let code = u32::from_str_radix(rest.get(at + 2..at + 6)?, 16).ok()?;
        out.push(char::from_u32(code)?);
        rest = &rest[at + 6..];
    }
    out.push_str(rest);
    Some(out)
}

fn unescape_json(value: &Value, unescape: &dyn Fn(&str) -> Option<String>) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(unescape(text)?),
        Value::Array(items) => {
            items.iter().map(|item| unescape_json(item, unescape)).collect::<Option<Vec<_>>>()?.into()
        }
        Value::Object(items) => {
            let items = items.iter().map(|(name, item)| Some((unescape(name)?, unescape_json(item, unescape)?)));
            Value::Object(items.collect::<Option<_>>()?)
        }
        _ => value.clone(),
    })
}

fn token_output(input: &str, options: TokenOptions) -> Vec<Value> {
    let tokens = tokens_with(input, options).map(|token| match token.kind {
        TokenKind::Text(text) => json!(["Character", text]),
        TokenKind::Comment(text) => json!(["Comment", text]),
        TokenKind::EndTag(tag) => json!(["EndTag", tag.name]),
        TokenKind::Doctype(doctype) => {
            json!(["DOCTYPE", doctype.name, doctype.public_id, doctype.system_id, !doctype.force_quirks])
        }
        TokenKind::StartTag(tag) => {
            let attributes: serde_json::Map<String, Value> = tag
                .attributes()
                .into_iter()
                .map(|attribute| (attribute.name.into_owned(), Value::from(attribute.value.into_owned())))
                .collect();
            match tag.self_closing {
                true => json!(["StartTag", tag.name, attributes, true]),
                false => json!(["StartTag", tag.name, attributes]),
            }
        }
    });
    merge_text(tokens.collect())
}

/// Joins runs of text that follow one another.
fn merge_text(tokens: Vec<Value>) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for token in tokens {
        if token[0] == "Character"
            && let Some(last) = merged.last_mut().filter(|last| last[0] == "Character")
        {
            let joined = format!("{}{}", last[1].as_str().unwrap_or(""), token[1].as_str().unwrap_or(""));
            *last = json!(["Character", joined]);
            continue;
        }
        merged.push(token);
    }
    merged
}

// ---- tree construction ----

/// What the standard says of the tests that only [`Options::mirror_selected`] passes: all have a `selectedcontent`.
const MIRRORED: &str = "HTML standard, 4.10.10 The option element: when an option is popped off the stack of open elements of a parser, \
                        maybe clone an option into selectedcontent";

#[derive(Default)]
struct TreeTest {
    data: String,
    fragment: Option<String>,
    document: String,
    scripting: Option<bool>,
}

fn run_trees(folder: &Path, show_failures: bool) -> Counts {
    let mut counts = Counts::default();
    for file in data_files(folder, "dat") {
        let text = std::fs::read_to_string(&file).expect("a test file is readable");
        for test in tree_tests(&text) {
            for scripting in [false, true] {
                if test.scripting.is_some_and(|wanted| wanted != scripting) {
                    continue;
                }
                counts.count += 1;
                let reading = Reading { scripting, context: test.fragment.as_deref() };
                let ours = or_empty(reading.ours(&test.data, &Options { mirror_selected: true, ..Options::default() }));
                let theirs = or_empty(reading.theirs(&test.data));
                counts.theirs += usize::from(theirs == test.document);
                if ours != test.document {
                    if show_failures {
                        println!("{} (scripting {scripting}, fragment {:?})", file.display(), test.fragment);
                        println!("--- data\n{}\n--- expected\n{}--- ours\n{ours}", test.data, test.document);
                        println!("html5ever agrees with us: {}\n", ours == theirs);
                    }
                    continue;
                }
                counts.ours += 1;
                if ours != or_empty(reading.ours(&test.data, &Options::default())) {
                    counts.mirrored.push(format!("{} (scripting {scripting})", test.data));
                }
            }
        }
    }
    counts
}

/// Cuts a file into tests. A section runs to the next line that names one; a blank line ends a test.
fn tree_tests(text: &str) -> Vec<TreeTest> {
    let mut tests: Vec<TreeTest> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        match line {
            "#data" => {
                tests.push(TreeTest::default());
                section = line;
                continue;
            }
            "#script-on" | "#script-off" => {
                if let Some(test) = tests.last_mut() {
                    test.scripting = Some(line == "#script-on");
                }
                continue;
            }
            "#errors" | "#new-errors" | "#document-fragment" | "#document" => {
                section = line;
                continue;
            }
            _ => {}
        }
        let Some(test) = tests.last_mut() else { continue };
        match section {
            "#data" => {
                test.data.push_str(line);
                test.data.push('\n');
            }
            "#document-fragment" => test.fragment = Some(line.to_owned()),
            "#document" => {
                test.document.push_str(line);
                test.document.push('\n');
            }
            _ => {}
        }
    }
    for test in &mut tests {
        test.data.pop();
        let length = test.document.trim_end_matches('\n').len();
        test.document.truncate(length);
        test.document.push('\n');
    }
    tests
}

fn or_empty(outline: String) -> String {
    if outline.is_empty() { "\n".to_owned() } else { outline }
}
