//! Site models as a user makes and uses them: learn, clean, the archive, and how each fails.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::run;

fn page(paragraphs: &[&str]) -> String {
    let text: String = paragraphs.iter().map(|paragraph| format!("<p>{paragraph}</p>")).collect();
    format!(
        "<meta charset=utf-8><title>A page</title><ul class=menu><li>Home<li>All the books<li>About us</ul>\
         <div class=chapter><div class=text>{text}</div><div class=next>Next chapter, please</div></div>\
         <p class=foot>Since 1998, and for ever.</p>"
    )
}

const FIRST: [&str; 2] =
    ["The keeper climbs the stairs every evening, whatever the weather.", "The lamp burns oil & wick."];
const SECOND: [&str; 2] =
    ["A boat came in at noon with letters for nobody at all.", "The sea was the colour of slate."];

/// A folder with two pages of a site, an answer, and a page of another kind.
fn site() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("1.html", page(&FIRST).as_bytes());
    write("1.txt", FIRST.join("\r\n\r\n").as_bytes());
    write("2.html", page(&SECOND).as_bytes());
    write("odd.html", b"<table><tr><td>Nothing of the sort<td>is to be found here at all</table>");
    folder
}

fn taught() -> TempDir {
    let folder = site();
    let (code, text, error) = run(folder.path(), &["learn", "1.html", "1.txt", "-o", "site.json"]);
    assert_eq!(code, 0, "{error}");
    assert_eq!(text, "1.html: 100 % of the answer found\nsite.json: 1 kind of pages, learnt from 1 page\n");
    folder
}

#[test]
fn one_page_is_taught_and_another_comes_out_clean() {
    let folder = taught();
    let (code, text, error) = run(folder.path(), &["clean", "--model", "site.json", "2.html"]);
    assert_eq!((code, text.trim_end()), (0, SECOND.join("\n\n").as_str()), "{error}");
    let (_, text, _) = run(folder.path(), &["clean", "--model", "site.json", "--json", "2.html"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    let source = fs::read_to_string(folder.path().join("2.html")).unwrap();
    let span = |span: &Value| source[span[0].as_u64().unwrap() as usize..span[1].as_u64().unwrap() as usize].to_owned();
    let spans: Vec<String> = json["spans"].as_array().unwrap().iter().map(span).collect();
    assert_eq!(spans, SECOND);
}

#[test]
fn a_page_of_another_kind_is_left_out_with_the_reason() {
    let folder = taught();
    let (code, text, error) = run(folder.path(), &["clean", "--model", "site.json", "odd.html"]);
    assert_eq!((code, text.as_str()), (1, ""), "{error}");
    assert!(error.contains("odd.html: not this site's shape: "), "{error}");
    let (code, text, _) = run(folder.path(), &["clean", "--model", "site.json", "2.html", "odd.html"]);
    assert!(code == 1 && text.contains(SECOND[0]), "{text}");
    let (_, text, _) = run(folder.path(), &["clean", "--model", "site.json", "--batch", ".", "--json"]);
    assert!(
        text.lines().count() == 3 && text.lines().last().unwrap().contains("\"error\":\"not this site's shape"),
        "{text}"
    );
}

#[test]
fn a_site_that_changed_is_reported_with_a_page_to_teach_it_anew() {
    let folder = taught();
    let pages = folder.path().join("new");
    fs::create_dir(&pages).unwrap();
    for number in 0..8 {
        fs::write(
            pages.join(format!("{number}.html")),
            "<table><tr><td>Another shape<td>since last night, it seems</table>",
        )
        .unwrap();
    }
    let (code, _, error) = run(folder.path(), &["clean", "--model", "site.json", "--batch", "new", "--jobs", "1"]);
    assert_eq!(code, 1);
    assert!(
        error.contains("8 of the last 8 pages do not fit its model; teach it again, for example with new/7.html"),
        "{error}"
    );
}

#[test]
fn what_is_no_answer_of_the_page_makes_no_model() {
    let folder = site();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty.txt", b" \n");
    write("other.txt", SECOND.join("\n").as_bytes());
    write("binary.txt", b"\x7fELF\0\x01\x02\0\0\0\x03\0\x3e\0");
    write(
        "utf16.txt",
        &"x".encode_utf16()
            .chain("守塔人每天傍晚爬上台阶。".encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
    );
    let check = |answer: &str, expected: &str| {
        let (code, _, error) = run(folder.path(), &["learn", "1.html", answer, "-o", "none.json"]);
        assert_eq!(code, 2, "{answer}: {error}");
        assert!(error.contains(expected), "{answer}: {error}");
        assert!(!folder.path().join("none.json").exists(), "{answer}");
    };
    check("empty.txt", "empty.txt is empty");
    check("other.txt", "1.html and other.txt: the answer is not this page's text");
    check("binary.txt", "binary.txt is no text");
    check("utf16.txt", "utf16.txt");
    check("missing.txt", "cannot read missing.txt");
    let (code, _, error) = run(folder.path(), &["learn", "1.html", "-o", "none.json"]);
    assert!(code == 2 && error.contains("each page is followed by its answer"), "{error}");
    let (code, _, error) = run(folder.path(), &["clean", "--model", "1.txt", "2.html"]);
    assert!(code == 2 && error.contains("this is no site model"), "{error}");
}

#[test]
fn an_answer_in_another_charset_is_read_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = "守塔人每天傍晚都要爬那二百一十四级台阶，没有人再要求他上去，他还是上去。海面像一块刚擦过的铁板。";
    fs::write(folder.path().join("1.html"), page(&[text])).unwrap();
    // "GBK" of the text, as an editor of the 2000s saves it.
    let gbk: Vec<u8> = kuai_page::encode(text, kuai_page::Encoding::for_label(b"gbk").unwrap(), false).unwrap();
    fs::write(folder.path().join("1.txt"), gbk).unwrap();
    let (code, _, error) = run(folder.path(), &["learn", "1.html", "1.txt", "-o", "site.json"]);
    assert_eq!(code, 0, "{error}");
}

#[test]
fn a_model_in_the_archive_is_used_by_extract_unless_it_is_not_to_be() {
    let folder = site();
    let (code, text, error) = run(folder.path(), &["learn", "1.html", "1.txt", "--site", "books.example"]);
    assert!(code == 0 && text.contains("books.example: 1 kind of pages"), "{text}{error}");
    let extract = |more: &[&str]| {
        let arguments = [&["extract", "--json", "--url", "https://books.example/2", "2.html"], more].concat();
        let (_, text, _) = run(folder.path(), &arguments);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let json = extract(&[]);
    assert_eq!((json["method"].as_str(), json["text"].as_str()), (Some("wles"), Some(SECOND.join("\n\n").as_str())));
    assert_eq!(extract(&["--no-site-model"])["method"], "kuai");
    let (code, _, error) = run(folder.path(), &["extract", "--url", "https://books.example/3", "odd.html"]);
    assert!(code == 0 && error.contains("not this site's shape"), "{error}");
    let (code, _, error) = run(folder.path(), &["learn", "1.html", "1.txt", "--site", "no host"]);
    assert!(code == 2 && error.contains("is no host"), "{error}");
}

#[test]
fn answers_are_proposed_to_be_confirmed_or_edited() {
    let folder = site();
    let (code, text, error) =
        run(folder.path(), &["learn", "--auto", "1.html", "2.html", "--answers", "proposed", "-o", "site.json"]);
    assert_eq!(code, 0, "{error}");
    assert!(text.contains("site.json: 1 kind of pages, learnt from 2 pages"), "{text}");
    let answer = fs::read_to_string(folder.path().join("proposed/001-1.txt")).unwrap();
    assert!(answer.contains(FIRST[0]), "{answer}");
}

#[test]
fn each_page_of_a_host_teaches_in_turn_beside_the_default_method_or_what_it_is_said_to_tell() {
    let folder = site();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let third = ["Nobody had asked for the lamp to be lit that night.", "It burned until the morning came."];
    write("3.html", &page(&third));
    write(
        "list.tsv",
        "a\t1.html\thttps://b.example/1\nb\t2.html\thttps://b.example/2\nc\t3.html\thttps://b.example/3\n",
    );
    let [a, b, c] = [FIRST, SECOND, third].map(|text| text.join("\n"));
    write("gold.json", &serde_json::json!({"a": {"text": a}, "b": {"text": b}, "c": {"text": c}}).to_string());
    let series = |more: &[&str]| run(folder.path(), &[&["eval", "--series", "--set", "."], more].concat());
    let (code, text, error) = series(&[]);
    assert!(code == 0 && text.contains("mean of 6 pages that fit, of 6: model 1.0000"), "{text}{error}");

    let name = folder.path().file_name().unwrap().to_str().unwrap();
    fs::create_dir(folder.path().join("told")).unwrap();
    let (code, _, error) = series(&["--default-texts", "told"]);
    assert!(code == 2 && error.contains("cannot read told"), "{error}");
    for name in [name, "."] {
        write(&format!("told/{name}.json"), r#"{"a": "", "b": "", "c": ""}"#);
    }
    let (_, text, error) = series(&["--default-texts", "told"]);
    assert!(text.contains("model 1.0000, default 0.0000"), "{text}{error}");
}
