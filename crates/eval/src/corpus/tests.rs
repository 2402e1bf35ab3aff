use std::fs;

use tempfile::TempDir;

use super::*;
use crate::metrics::SegmentKind;

/// A corpus with these files, given as path and content.
fn corpus(files: &[(&str, &str)]) -> (TempDir, Result<Corpus, Error>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    let corpus = Corpus::open(folder.path());
    (folder, corpus)
}

/// The gold of a corpus's first page, and all faults without the folder's name.
fn read(files: &[(&str, &str)]) -> (Form, Gold, Vec<String>) {
    let (folder, corpus) = corpus(files);
    let corpus = corpus.expect("the corpus can be opened");
    let page = corpus.read(&corpus.entries()[0]).expect("the page can be read");
    let faults = corpus.faults.iter().chain(&page.faults).map(ToString::to_string);
    let prefix = format!("{}/", folder.path().display());
    (corpus.form, page.gold, faults.map(|fault| fault.replace(&prefix, "")).collect())
}

#[test]
fn texts_are_read_by_list_and_gold() {
    let (form, gold, faults) = read(&[
        ("list.tsv", "a\tpages/a.html\thttp://x.example/\nb\tpages/b.html\t\nc\tpages/a.html\t\nbroken\n"),
        ("gold.json", "{\"a\": {\"text\": \"t\", \"with\": [\"w\"]},\n\"c\": {\"text\": 5},\n\"d\": {}}"),
        ("pages/a.html", "<p>t"),
    ]);
    assert_eq!(form, Form::Texts);
    assert_eq!((gold.text.as_deref(), gold.snippets), (Some("t"), Some((vec!["w".to_owned()], Vec::new()))));
    assert_eq!(faults.len(), 4, "{faults:?}");
    assert!(faults[0].starts_with("list.tsv, line 2: there is no file"), "{faults:?}");
    assert!(faults[1].starts_with("gold.json, line 2: c: invalid type"), "{faults:?}");
    assert!(faults[2].starts_with("list.tsv, line 4: a line is"), "{faults:?}");
    assert!(faults[3].starts_with("gold.json, line 3: list.tsv names no page d"), "{faults:?}");
}

#[test]
fn runs_are_labelled_by_their_numbers() {
    let (form, gold, faults) = read(&[
        ("labels/a.txt", "# note\n1 nav menu\n2-3 main\n4-9 other\nx main\n2 nonsense\n3-2 main\n"),
        ("labels/b.txt", "1 main\n"),
        ("pages/a.html", "<a href=/>home</a><p>one<p>two<p>three"),
    ]);
    assert_eq!(form, Form::Runs);
    let segments = gold.segments.expect("runs have labels");
    let labels: Vec<_> = segments.iter().map(|segment| (segment.label, segment.text.as_str())).collect();
    let expected = [(Label::Navigation, "home"), (Label::Main, "one"), (Label::Main, "two"), (Label::Noise, "three")];
    assert_eq!(labels, expected);
    assert_eq!(gold.blocks, Some(vec![vec![0..4], vec![4..10], vec![10..15]]));
    let begins = [
        "labels/a.txt, line 5: x is no range of segments",
        "labels/a.txt, line 6: there is no label nonsense; there are main, title",
        "labels/a.txt, line 7: 3-2 is no range of segments",
        "labels/b.txt: there is no page",
        "labels/a.txt, line 4: segments 4-9 are not all there: the page has 4",
    ];
    assert_eq!(faults.len(), begins.len(), "{faults:?}");
    for (fault, begin) in faults.iter().zip(begins) {
        assert!(fault.starts_with(begin), "{fault}");
    }
}

#[test]
fn ranges_count_characters_without_white_space() {
    let (form, gold, faults) = read(&[
        (
            "gold.jsonl",
            "{\"id\": \"a\", \"html\": \"a/a.html\", \"chars\": 6, \"blocks\": [{\"start\": 0, \"end\": 3}, {\"start\": 3, \"end\": 9}]}\n\
             {broken\n{\"id\": \"c\", \"html\": \"c.html\", \"chars\": 1, \"blocks\": []}\n",
        ),
        ("a/a.html", "<link rel=stylesheet href=../s.css><p>o n e<p>two"),
        ("s.css", "p { display: none }"),
    ]);
    assert_eq!((form, gold.blocks), (Form::Ranges, Some(vec![vec![0..3]])));
    assert!(faults[0].starts_with("gold.jsonl, line 1: the block 3..9 does not lie in"), "{faults:?}");
    assert!(faults[1].starts_with("gold.jsonl, line 2: "), "{faults:?}");
    assert!(faults[2].starts_with("gold.jsonl, line 3: c: there is no file"), "{faults:?}");
}

#[test]
fn style_sheets_beside_a_page_are_read() {
    let gold = "{\"id\": \"a\", \"html\": \"a/a.html\", \"chars\": 3, \"blocks\": []}\n";
    let page = "<link rel=stylesheet href='../s.css?x%20y'><link rel=stylesheet href=../../outside.css><p>one";
    let (_folder, corpus) = corpus(&[("gold.jsonl", gold), ("a/a.html", page), ("s.css", "p { color: red }")]);
    let corpus = corpus.expect("the corpus can be opened");
    let sheets = corpus.read(&corpus.entries()[0]).expect("the page can be read").sheets;
    assert_eq!(sheets.iter().map(|sheet| sheet.href.as_str()).collect::<Vec<_>>(), ["../s.css?x%20y"]);
}

#[test]
fn marks_enclose_blocks_and_the_innermost_counts() {
    let marked = "<!-- other --><!--kuai:main--><p>one <!--kuai:advert-->buy<!--/kuai--> two</p>\n<!--/kuai-->\
                  <!--kuai:related--><a href=/x>more</a><!--/kuai--><p>unlabelled";
    let (form, gold, faults) = read(&[("a.html", marked), ("b.html", "no marks"), ("README.md", "")]);
    assert_eq!((form, faults.is_empty()), (Form::Marked, true), "{faults:?}");
    let segments = gold.segments.expect("marks give labels");
    let found: Vec<_> = segments.iter().map(|segment| (segment.label, segment.text.as_str())).collect();
    let expected = [(Label::Main, "one"), (Label::Advert, "buy"), (Label::Main, "two"), (Label::Related, "more")];
    assert_eq!(found, expected);
    assert_eq!(segments[3].kind, SegmentKind::Link("/x".to_owned()));
    assert_eq!(gold.blocks, Some(vec![vec![0..9], vec![3..6], vec![9..13]]));
}

#[test]
fn a_broken_mark_names_its_line_and_the_rest_counts() {
    let marked = "<!--kuai:nonsense--><p>a</p><!--/kuai-->\n<!--/kuai-->\n<!--kuai:main--><p>text</p><!--/kuai-->\n<!--kuai:title-->";
    let (_, gold, faults) = read(&[("a.html", marked)]);
    assert_eq!(gold.segments.map(|segments| segments.len()), Some(1));
    assert!(faults[0].starts_with("a.html, line 1: there is no label nonsense"), "{faults:?}");
    assert_eq!(faults[1], "a.html, line 2: a block ends that was not begun");
    assert_eq!(faults[2], "a.html, line 4: a block is begun and never ended");
}

#[test]
fn a_folder_without_labels_says_what_was_expected() {
    let (_folder, nothing) = corpus(&[("a.html", "<p>no marks")]);
    let message = nothing.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("holds no labelled pages: neither gold.json"), "{message}");
    let message = Corpus::open(Path::new("/no/such/folder")).err().map(|error| error.to_string());
    assert_eq!(message.as_deref(), Some("there is no folder /no/such/folder"));
    let (_folder, broken) = corpus(&[("gold.json", "{\n\"a\": "), ("list.tsv", "")]);
    let message = broken.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("gold.json, line 2: "), "{message}");
}
