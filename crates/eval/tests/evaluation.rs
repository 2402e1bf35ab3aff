//! Evaluation, report and tuning over small sets written for the purpose.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use kuai_eval::{
    Contender, Corpus, EvaluateOptions, Evaluation, Floors, TuneOptions, digest, evaluate, html, metric, tables, tune,
};
use kuai_segment::{METHODS, method};
use tempfile::TempDir;

/// Pages of several sites, each with a menu, a text and related links.
fn pages(count: usize) -> (TempDir, Corpus) {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..count {
        let menu: String = (0..8).map(|item| format!("<li>· <a href=/{item}>Menu item {item}</a>")).collect();
        let page = format!(
            "<title>Page {number}</title><!--kuai:navigation--><ul>{menu}</ul><!--/kuai-->\n<!--kuai:main--><div><p>The text of \
             page {number} is long enough to be told from a menu, with <a href=/word>a link</a> in it.</p></div><!--/kuai-->\n\
             <!--kuai:related--><div>See <a href=/more/{number}>More about {number}</a></div><!--/kuai-->"
        );
        let site = char::from(b'a' + number as u8 % 6);
        fs::write(folder.path().join(format!("{site}_{number}.html")), page).unwrap();
    }
    let corpus = Corpus::open(folder.path()).unwrap();
    (folder, corpus)
}

fn judged(corpus: &Corpus, jobs: usize) -> Evaluation {
    let methods = METHODS.iter().map(|method| Contender::method(method, method.defaults()));
    let contenders: Vec<Contender> = methods.chain(Contender::baselines()).collect();
    evaluate(corpus, &contenders, EvaluateOptions { jobs, keep_answers: true }, || ())
}

#[test]
fn scores_are_the_same_on_any_number_of_threads() {
    let (_folder, corpus) = pages(12);
    let scores = |evaluation: &Evaluation| -> Vec<_> {
        let pages = evaluation.methods.iter().flat_map(|method| &method.pages);
        pages.map(|page| (page.id.clone(), page.scores.clone(), page.answer.clone())).collect()
    };
    assert_eq!(scores(&judged(&corpus, 1)), scores(&judged(&corpus, 4)));
}

#[test]
fn nom_keeps_everything_and_gdom_takes_the_menu_out() {
    let (_folder, corpus) = pages(3);
    let evaluation = judged(&corpus, 2);
    let score = |name: &str, metric_name: &str| {
        let result = evaluation.methods.iter().find(|result| result.name == name).unwrap();
        result.score(metric(metric_name).unwrap())
    };
    assert_eq!(score("nom", "content_kept"), Some(1.0));
    assert_eq!(score("nom", "noise_removed"), Some(0.0));
    assert_eq!(score("gdom", "noise_removed"), Some(1.0));
    assert_eq!(score("gdom", "trf"), Some(1.0));
    assert_eq!(score("every div", "exact_p"), Some(1.0));
    assert_eq!(score("one block", "word_f"), None);
}

#[test]
fn a_page_that_cannot_be_read_is_named_and_the_others_are_judged() {
    let (folder, corpus) = pages(3);
    fs::remove_file(folder.path().join("b_1.html")).unwrap();
    let evaluation = judged(&corpus, 1);
    assert_eq!((evaluation.page_count, evaluation.faults.len()), (2, 1));
    assert!(evaluation.faults[0].to_string().contains("b_1.html: cannot be read"), "{}", evaluation.faults[0]);
}

#[test]
fn the_report_stands_alone_and_shows_every_method() {
    let (_folder, corpus) = pages(6);
    let evaluation = judged(&corpus, 2);
    assert_eq!(tables(&evaluation).len(), 5);
    let report = html(&evaluation, 3, &|method, page| (method.name == "gdom").then(|| format!("d/{}.html", page.id)));
    for method in METHODS {
        assert!(report.contains(method.name), "{}", method.name);
    }
    assert!(report.contains("<svg") && report.contains("a_0") && report.contains("Wang &amp; Zhu"));
    assert!(report.contains("<a href=\"d/a_0.html\">"));
    assert!(!report.contains("http") && !report.contains("<script"), "nothing is fetched and nothing runs");
}

#[test]
fn tuning_finds_a_better_value_that_holds_on_other_sites() {
    let (_folder, corpus) = pages(12);
    let gdom = method("gdom").unwrap();
    let mut start = gdom.defaults();
    start.set("link_text_ratio_max", 100.0).unwrap();
    let tuned = tune(&corpus, gdom, &start, &TuneOptions::default(), |_| ()).unwrap();
    assert!(tuned.holds && tuned.cross_validated > tuned.before, "{tuned:?}");
    let again = tune(&corpus, gdom, &start, &TuneOptions { jobs: 1, ..TuneOptions::default() }, |_| ()).unwrap();
    assert_eq!(tuned.settings.get("link_text_ratio_max"), again.settings.get("link_text_ratio_max"));
    let few = tune(&corpus, gdom, &start, &TuneOptions { trials_max: 3, ..TuneOptions::default() }, |_| ()).unwrap();
    assert!(few.trials <= 3, "{}", few.trials);
}

#[test]
fn a_method_without_parameters_cannot_be_tuned() {
    let (_folder, corpus) = pages(2);
    let nom = method("nom").unwrap();
    let error = tune(&corpus, nom, &nom.defaults(), &TuneOptions::default(), |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "nom has no parameters to tune");
}

#[test]
fn floors_hold_at_their_scores_and_break_below() {
    let (_folder, corpus) = pages(4);
    let evaluation = judged(&corpus, 2);
    let floors = Floors::default().raised(&evaluation, &digest(&corpus));
    assert_eq!(floors.broken(&evaluation), Vec::<String>::new());
    assert_eq!(Floors::parse(&floors.to_text()).unwrap(), floors);

    let mut higher = floors.clone();
    higher.methods.get_mut("nom").unwrap().insert("noise_removed".to_owned(), 0.5);
    assert_eq!(higher.broken(&evaluation), ["noise_removed of nom is 0.0000, its floor 0.5000"]);
    assert_eq!(higher.raised(&evaluation, &digest(&corpus)), higher, "floors are never lowered on the same pages");
    assert_eq!(higher.raised(&evaluation, "other pages").methods, floors.methods);
}
