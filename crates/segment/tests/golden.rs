//! What every method makes of a few of our own pages, as a person reads it. `just bless` rewrites the files; read the diff.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use kuai_page::{Block, BlockTree, Label, Page, TextOptions};
use kuai_segment::{
    DEFAULT_METHOD, FeatureUnit, METHODS, PageType, Wanted, extract, features, html, markdown, method, text,
};

/// Pages of different makes: semantic markup, nested tables, dense links, code, Chinese, minified.
const CASES: [&str; 7] = [
    "news-en-semantic",
    "news-zh-2003-table",
    "novel-zh-chapter",
    "docs-en-guide",
    "library-zh-home",
    "magazine-en-minified",
    "recipe-en",
];

/// Pages all of whose text is content, each about one thing that formats must keep: `golden/pages/`.
const FORMAT_CASES: [&str; 5] = ["tables", "code", "lists", "notes-and-maths", "images"];

fn page(case: &str) -> Page {
    let path = folder().join(format!("../eval/pages/{case}.html"));
    let marked = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // The labels in the pages are for the evaluation; no method may see them.
    let parts = marked.split("<!--kuai:").map(|part| part.split_once("-->").map_or(part, |(_, rest)| rest));
    let first = marked.split("<!--kuai:").next().unwrap_or("");
    let rest: String = parts.skip(1).collect();
    Page::from_html(&format!("{first}{rest}").replace("<!--/kuai-->", ""))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Compares with the golden file, or writes it when asked to.
fn check(name: &str, actual: &str) -> Result<(), String> {
    let path = folder().join("golden").join(name);
    if std::env::var_os("KUAI_BLESS").is_some() {
        let parent = path.parent().unwrap_or(Path::new(""));
        return fs::create_dir_all(parent).and_then(|()| fs::write(&path, actual)).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let line = expected.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual).count();
    let (was, is) = (expected.lines().nth(line).unwrap_or(""), actual.lines().nth(line).unwrap_or(""));
    Err(format!("{name}, line {}:\n  was {was}\n  is  {is}", line + 1))
}

fn report(failures: Vec<String>) {
    assert!(failures.is_empty(), "{}\n`just bless` accepts the change", failures.join("\n"));
}

#[test]
fn golden_blocks() {
    let mut failures = Vec::new();
    for case in CASES {
        let page = page(case);
        for method in METHODS {
            let tree = method.segmenter(&method.defaults()).segment(&page);
            let mut lines = String::new();
            for block in tree.blocks() {
                let indent = "  ".repeat(block.depth as usize);
                let label = block.label.map_or("block", |label| label.name());
                let topic = block.topic.as_deref().map_or(String::new(), |topic| format!(" [{topic}]"));
                let text = page.text(block.span, TextOptions::default());
                let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(90).collect();
                writeln!(lines, "{indent}{label}{topic}: {words}").expect("a string takes any text");
            }
            failures.extend(check(&format!("{}/{case}.txt", method.name), &lines).err());
        }
    }
    report(failures);
}

#[test]
fn golden_formats() {
    let mut failures = Vec::new();
    let method = method(DEFAULT_METHOD).expect("the default is in the table");
    for case in CASES {
        // As `kuai extract` reads it.
        let page = page(case).plain();
        let tree = method.segmenter(&method.defaults()).judge(&page).tree;
        assert_eq!(extract(&page, &tree, method).text, text(&page, &tree, &Wanted::of(method)));
        failures.extend(check_formats(case, &page, &tree));
    }
    for case in FORMAT_CASES {
        let path = folder().join(format!("golden/pages/{case}.html"));
        let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Nothing in them hangs on styles, so all is the same where none are read.
        for page in [Page::from_html(&source), Page::from_html(&source).plain()] {
            let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
            failures.extend(check_formats(case, &page, &tree));
        }
    }
    report(failures);
}

/// What is judged and what is told are read off a page by different code.
#[test]
fn the_text_has_the_words_of_the_units_that_are_kept() {
    let method = method(DEFAULT_METHOD).expect("the default is in the table");
    let wanted = Wanted::of(method);
    for entry in fs::read_dir(folder().join("../eval/pages")).expect("the folder is there") {
        let path = entry.expect("a folder can be listed").path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let case = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let page = page(&case).plain();
        let judged = method.segmenter(&method.defaults()).judge(&page);
        if judged.page_type.is_some_and(|guess| guess.page_type == PageType::Hub) {
            // It is left to SPCOLA, which knows no units.
            continue;
        }
        let is_kept = |unit: &FeatureUnit| {
            let is_around = |block: &Block| block.span.start <= unit.span.start && unit.span.start < block.span.end;
            judged
                .tree
                .leaves()
                .any(|block| is_around(block) && block.label.is_some_and(|label| wanted.labels.contains(&label)))
        };
        let units = features(&page).units;
        let kept: Vec<&str> = units.iter().filter(|unit| is_kept(unit)).map(|unit| unit.text.as_str()).collect();
        // Links to edit a part are judged with the heading that they stand in, and not told.
        let kept = kept.join(" ").replace("[edit]", "").replace("[ edit ]", "");
        assert_eq!(words(&kept), words(&text(&page, &judged.tree, &wanted)), "{case}");
    }
}

/// The words of a text, in alphabetical order: markup can put text elsewhere than it stands in the source.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split(|character: char| !character.is_alphanumeric()).collect();
    words.retain(|word| !word.is_empty());
    words.sort_unstable();
    words
}

fn check_formats(case: &str, page: &Page, tree: &BlockTree) -> Vec<String> {
    let wanted = Wanted::default();
    let checks = [
        check(&format!("text/{case}.txt"), &text(page, tree, &wanted)),
        check(&format!("markdown/{case}.md"), &markdown(page, tree, &wanted)),
        check(&format!("html/{case}.html"), &html(page, tree, &wanted)),
    ];
    checks.into_iter().filter_map(Result::err).collect()
}
