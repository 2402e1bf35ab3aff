//! The commands as a user runs them: output, exit codes, errors, batches, and what the README shows.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

use crate::running::{self, Came, finish};

fn kuai(arguments: &[&str]) -> Command {
    running::kuai(&repository(), arguments)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs kuai and gives exit code, standard output and standard error.
fn run(arguments: &[&str]) -> Came {
    finish(kuai(arguments))
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn extract_gives_the_main_text_without_menus() {
    let (code, text, _) = run(&["extract", "examples/lighthouse.html"]);
    assert_eq!(code, 0);
    assert!(text.contains("A light that nobody looks after is only a lamp"), "{text}");
    assert!(!text.contains("Classifieds"), "{text}");
}

#[test]
fn extract_keeps_structure_in_markdown_and_html() {
    let (_, text, _) = run(&["extract", "--format", "markdown", "examples/lighthouse.html"]);
    assert!(text.contains("\n## What the log book knows\n"), "{text}");
    assert!(text.contains("\n- the colour of the sea at noon,\n"), "{text}");
    let (_, text, _) = run(&["extract", "--format", "html", "examples/lighthouse.html"]);
    assert!(text.contains("<li>the colour of the sea at noon,</li>"), "{text}");
}

#[test]
fn extract_json_has_the_fields_of_the_contract() {
    let (_, text, _) = run(&["extract", "--json", "--url", "http://h.example/a/", "examples/lighthouse.html"]);
    let page = &json_lines(&text)[0];
    for field in [
        "title", "author", "date", "language", "site", "kind", "text", "markdown", "units", "related", "links",
        "method", "notes",
    ] {
        assert!(page.get(field).is_some(), "{field} in {page}");
    }
    assert_eq!((page["author"].as_str(), page["site"].as_str()), (Some("Ines Holm"), Some("Harbour Weekly")));
    assert_eq!(page["links"][0]["href"], "http://h.example/");
}

#[test]
fn extract_writes_what_is_asked_for() {
    let page = "<title>Fog</title><meta name=citation_title content='Fog &amp; light'><meta name=citation_author content='Holm, Ines'>\
        <meta name=citation_journal_title content=Fog><meta name=citation_publication_date content=2024/03>\
        <link rel=license href=https://creativecommons.org/licenses/by/4.0/>\
        <h1>Fog</h1><p>Fog is <a href=/wet>wet</a>, and it is grey, and it lies on the water all the long morning.<img src=i.png alt=grey></p>";
    let extract = |arguments: &[&str]| {
        let output =
            kuai(&[&["extract", "-", "--method", "nom"], arguments].concat()).write_stdin(page).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let markdown = extract(&["--format", "markdown"]);
    assert!(markdown.contains("[wet](/wet)") && markdown.contains("![grey](i.png)"), "{markdown}");
    let plain = extract(&["--format", "markdown", "--without", "links,images"]);
    assert!(plain.contains("Fog is wet, and") && !plain.contains("!["), "{plain}");
    assert_eq!(extract(&["--without", "links,images"]), extract(&["--with", "links,images"]));
    assert_eq!(extract(&["--kind", "related"]), "\n");
    let entry = extract(&["--format", "bibtex"]);
    assert!(entry.starts_with("@article{holm2024fog,\n  title = {Fog \\& light},"), "{entry}");
    let csl = &json_lines(&extract(&["--format", "csl"]))[0];
    assert_eq!((csl["type"].as_str(), csl["author"][0]["family"].as_str()), (Some("article-journal"), Some("Holm")));
    assert_eq!(csl["issued"]["date-parts"][0], serde_json::json!([2024, 3]));
    let all = &json_lines(&extract(&["--json"]))[0];
    assert_eq!((all["citation"]["journal"].as_str(), all["images"][0]["alt"].as_str()), (Some("Fog"), Some("grey")));
    assert_eq!((all["date"].as_str(), all["citation"]["date"].as_str()), (None, Some("2024-03")));
    assert_eq!(all["licence"], "https://creativecommons.org/licenses/by/4.0/");
}

#[test]
fn segment_json_nests_blocks_by_their_spans() {
    let (_, text, _) = run(&["segment", "--json", "examples/lighthouse.html"]);
    let page = &json_lines(&text)[0];
    let source = fs::read_to_string(repository().join("examples/lighthouse.html")).unwrap();
    assert_eq!(page["length"], source.len());
    let blocks = page["blocks"].as_array().unwrap();
    assert!(blocks.len() > 1);
    let mut last_end = 0;
    for block in blocks {
        let (start, end) = (block["span"][0].as_u64().unwrap(), block["span"][1].as_u64().unwrap());
        assert!(last_end <= start && start < end);
        last_end = end;
    }
}

#[test]
fn a_level_is_asked_of_methods_that_cut_to_one() {
    let depth = |level: &str| {
        let page = "crates/eval/pages/portal-zh.html";
        let (_, text, _) = run(&["segment", "--json", "--method", "bwap", "--level", level, page]);
        json_lines(&text)[0]["level"].as_u64().unwrap()
    };
    assert_eq!((depth("1"), depth("2")), (1, 2));
}

#[test]
fn a_batch_keeps_the_order_and_goes_on_after_a_bad_page() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.html", "a.htm", "sub/c.html", "not-a-page.txt"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("<title>{name}</title><p>The text of {name}, long enough.")).unwrap();
    }
    let place = folder.path().to_str().unwrap();
    let (code, text, _) = run(&["extract", "--batch", place, "--json", "--jobs", "2"]);
    let titles: Vec<_> = json_lines(&text).iter().map(|page| page["title"].as_str().unwrap().to_owned()).collect();
    assert_eq!((code, titles), (0, vec!["a.htm".to_owned(), "b.html".to_owned(), "sub/c.html".to_owned()]));

    let list = folder.path().join("list.tsv");
    fs::write(&list, "b.html\thttp://x.example/b\nmissing.html\na.htm\n").unwrap();
    let (code, text, messages) = run(&["extract", "--batch", list.to_str().unwrap(), "--json"]);
    let pages = json_lines(&text);
    assert_eq!(code, 2);
    assert_eq!(pages[0]["url"], "http://x.example/b");
    assert!(pages[1]["error"].as_str().unwrap().contains("cannot read"), "{}", pages[1]);
    assert_eq!(pages[2]["title"], "a.htm");
    assert!(messages.contains("missing.html") && messages.contains("1 of 3 pages"), "{messages}");

    fs::write(&list, "\u{feff}b.html\thttp://x.example/b\tmine\n").unwrap();
    let (code, text, _) = run(&["extract", "--batch", list.to_str().unwrap(), "--json"]);
    assert_eq!((code, &json_lines(&text)[0]["url"]), (0, &Value::from("http://x.example/b")));

    fs::write(&list, "\na.htm\n\nb.html\tnowhere\n").unwrap();
    let (code, text, messages) = run(&["extract", "--batch", list.to_str().unwrap(), "--json"]);
    assert_eq!((code, text.as_str()), (2, ""), "nothing is begun that a list with a bad line would break off");
    assert!(messages.contains("list.tsv, line 4: nowhere is not an address"), "{messages}");
}

#[cfg(unix)]
#[test]
fn names_of_pages_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    // 灯塔 as an archive unpacked from GBK has it.
    let name = b"\xb5\xc6\xcb\xfe.html";
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join(std::ffi::OsStr::from_bytes(name));
    fs::copy(repository().join("examples/lighthouse.html"), &page).unwrap();
    let list = folder.path().join("list.txt");
    fs::write(&list, [name.as_slice(), b"\r\n"].concat()).unwrap();
    let batch = |place: &Path| vec!["--batch".into(), place.as_os_str().to_owned()];
    for arguments in [vec![page.into_os_string()], batch(folder.path()), batch(&list)] {
        let mut command = kuai(&["extract", "--json"]);
        command.args(arguments);
        let (code, text, _) = finish(command);
        assert_eq!((code, &json_lines(&text)[0]["author"]), (0, &Value::from("Ines Holm")), "{text}");
    }
}

#[test]
fn extracting_makes_no_folder_for_a_shared_archive() {
    let local = tempfile::tempdir().unwrap();
    let mut command = kuai(&[
        "extract",
        "--archive",
        "postgres://nobody@127.0.0.1:1/none?objects=file:///none",
        "examples/lighthouse.html",
    ]);
    command.env("KUAI_LOCAL", local.path().join("kuai"));
    assert_eq!(finish(command).0, 0);
    assert!(!local.path().join("kuai").exists());
}

#[test]
fn a_list_may_come_through_a_pipe() {
    let list = "examples/lighthouse.html\n".repeat(2);
    let mut command = kuai(&["extract", "--batch", "/dev/stdin", "--json"]);
    command.write_stdin(list);
    let (code, text, _) = finish(command);
    assert_eq!((code, json_lines(&text).len()), (0, 2));
}

#[test]
fn errors_name_the_thing_and_the_way_out() {
    let check = |arguments: &[&str], expected: &str| {
        let (code, _, messages) = run(arguments);
        assert_eq!(code, 2, "{messages}");
        assert!(messages.contains(expected), "{messages}");
    };
    check(&["extract", "no-such-page.html"], "kuai: cannot read no-such-page.html: No such file");
    check(
        &["extract", "--method", "magic", "examples/lighthouse.html"],
        "there is no method magic; there are kuai, nom",
    );
    check(&["extract", "--method", "gdom", "--set", "x=1", "examples/lighthouse.html"], "gdom has no parameter x");
    check(&["extract", "--set", "link_text_ratio_max=much", "examples/lighthouse.html"], "takes a number, not much");
    check(&["extract", "--batch", "crates/app/src"], "names no page");
    check(&["extract"], "required");
    check(&["extract", "http://127.0.0.1:1/"], "could not be fetched");
}

#[test]
fn what_finds_nothing_says_so() {
    let output = kuai(&["extract", "-"]).write_stdin("<p>").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("nothing was found"));
}

#[test]
fn a_variable_that_is_set_to_nothing_names_no_archive() {
    let mut command = kuai(&["extract", "examples/lighthouse.html"]);
    let (code, text, _) = finish({
        command.env("KUAI_ARCHIVE", "");
        command
    });
    assert!(code == 0 && text.contains("only a lamp"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_page_that_never_ends_and_a_pipe_among_pages_stop_nothing() {
    let (code, text, _) = run(&["extract", "--json", "/dev/zero"]);
    assert!(code == 0 && json_lines(&text)[0]["notes"].to_string().contains("byte limit"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.html"), "<p>The text of a page, long enough.").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("b.html")).status().unwrap().success());
    let (code, text, _) = run(&["extract", "--json", "--batch", folder.path().to_str().unwrap()]);
    assert_eq!((code, json_lines(&text).len()), (0, 1));
}

#[test]
fn style_sheets_beside_a_page_count_where_styles_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    fs::write(folder.path().join("looks.css"), ".gone { display: none }").unwrap();
    fs::write(&page, "<link rel=stylesheet href=looks.css><p>What is shown.<p class=gone>What is not.").unwrap();
    let (code, text, _) = run(&["extract", "--method", "ypm", page.to_str().unwrap()]);
    assert_eq!((code, text.as_str()), (0, "What is shown.\n"));
}

#[test]
fn no_character_of_a_text_is_lost_on_the_way_to_a_file() {
    let page = "<pre>a log with colours: &#27;[31mred&#27;[0m</pre>";
    let output = kuai(&["extract", "--method", "nom", "-"]).write_stdin(page).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a log with colours: \u{1b}[31mred\u{1b}[0m\n");
}

#[test]
fn a_page_comes_from_standard_input_too() {
    let output = kuai(&["extract", "-"]).write_stdin("<p>Read from a pipe, as one does.").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Read from a pipe, as one does.\n");
}

#[test]
fn a_page_without_text_is_nothing_found() {
    let output = kuai(&["extract", "-"]).write_stdin("").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_table_of_methods_is_shown() {
    let (_, text, _) = run(&["methods"]);
    assert!(text.contains("gdom") && text.contains("link_text_ratio_max = 1"), "{text}");
    let (_, text, _) = run(&["methods", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()[0]["name"], "kuai");
}

/// Every `./kuai …` command in the READMEs runs, and prints what the README shows below it.
#[test]
fn the_readme_shows_what_really_happens() {
    for readme in ["README.md", "README.zh-CN.md"] {
        let text = fs::read_to_string(repository().join(readme)).unwrap();
        let archive = tempfile::tempdir().unwrap();
        let mut shown = 0;
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().unwrap();
            let (command, expected) = block.split_once('\n').unwrap();
            let Some(arguments) = command.strip_prefix("$ ./kuai ") else { continue };
            let arguments: Vec<&str> = arguments.split_whitespace().collect();
            let output = kuai(&arguments).env("KUAI_ARCHIVE", archive.path()).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{readme}: {command}");
            shown += 1;
        }
        assert!(shown > 0, "{readme} shows no command");
    }
}

#[test]
fn eval_judges_methods_and_tune_writes_what_the_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    fs::create_dir(&set).unwrap();
    for name in ["a", "b", "c"] {
        let page = "<!--kuai:navigation--><ul><li><a href=/>Home page</a></ul><!--/kuai--><!--kuai:main--><p>The text.<!--/kuai-->";
        fs::write(set.join(format!("{name}.html")), page).unwrap();
    }
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let set = path("set");
    let (code, text, _) = run(&["eval", "--set", &set, "--method", "nom", "gdom", "--pages", "1"]);
    assert_eq!(code, 0);
    assert!(
        text.contains("set: 3 pages") && text.contains("Wang & Zhu") && text.contains("Worst pages of gdom"),
        "{text}"
    );

    let (report, answers) = (path("report.html"), path("answers.jsonl"));
    let arguments = ["eval", "--set", &set, "--method", "gdom", "--json", "--html", &report, "--predictions", &answers];
    let (_, text, _) = run(&arguments);
    let scores: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(scores["methods"][0]["scores"]["content_kept"], 1.0);
    assert_eq!(scores["methods"][0]["pages"].as_array().unwrap().len(), 3);
    assert!(fs::read_to_string(&report).unwrap().contains("<a href=\"report-drawings/gdom-a.html\">a</a>"));
    assert!(folder.path().join("report-drawings/gdom-a.html").is_file());
    assert_eq!(json_lines(&fs::read_to_string(&answers).unwrap())[0]["text"], "The text.");

    let parameters = path("tuned.toml");
    let (code, _, messages) = run(&["tune", "gdom", "--set", &set, "-o", &parameters]);
    assert!(code == 0 && messages.contains("by cross-validation"), "{messages}");
    let (code, _, messages) = run(&["extract", "--parameters", &parameters, "examples/lighthouse.html"]);
    assert_eq!(code, 0, "{messages}");
}

#[test]
fn eval_and_tune_say_what_is_wrong_and_what_there_is() {
    let check = |arguments: &[&str], expected: &str| {
        let (code, _, messages) = run(arguments);
        assert_eq!(code, 2, "{messages}");
        assert!(messages.contains(expected), "{messages}");
    };
    check(&["eval", "--set", "no-such-set"], "there is no folder no-such-set");
    check(&["eval", "--set", "examples", "--method", "magic"], "there is no method magic; there are kuai");
    check(&["eval", "--set", "examples"], "holds no labelled pages");
    check(
        &["tune", "gdom", "--set", "crates/eval/pages", "--metric", "beauty"],
        "there is no metric beauty; there are noise",
    );
    check(&["tune", "nom", "--set", "crates/eval/pages"], "nom has no parameters to tune");
    check(&["eval", "--parameters", "Cargo.toml"], "Cargo.toml, line 1");
}
