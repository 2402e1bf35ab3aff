//! Site models on series of real pages, as a table: a line a host, then what they come to.

use std::fmt::Write as _;

use kuai_eval::{METRICS, PUBLISHED, PageScores, Series, metric};

/// The figures of the paper that can stand beside ours.
const SHARES: [&str; 3] = ["noise_95", "noise_85", "noise_below"];

/// The table of these series.
pub(crate) fn series_table(all: &[Series]) -> String {
    let mut text = String::from(
        "Each page of a host teaches in turn and the model cleans the others; word F1 on those that it fits, beside the default\n\
         method's on the same. What does not fit is told so and left out.\n\n",
    );
    let width = all.iter().map(|series| series.host.len()).max().unwrap_or(0).max(4);
    let _ = writeln!(text, "{:width$}  pages  teach  judged  fit   model  default", "host");
    for series in all {
        let teachers = series.page_count.saturating_sub(series.refused.len());
        let _ = write!(
            text,
            "{:width$}  {:5}  {teachers:5}  {:6}  {:3}",
            series.host,
            series.page_count,
            series.lessons.len(),
            series.fitting().count()
        );
        let _ = match series.mean_f() {
            Some((model, default)) => writeln!(text, "   {model:.3}    {default:.3}"),
            None => writeln!(text),
        };
    }
    tell_means(&mut text, all);
    tell_noise(&mut text, all);
    text
}

/// The means over hosts, and over pages.
fn tell_means(text: &mut String, all: &[Series]) {
    let hosts: Vec<(f64, f64)> = all.iter().filter_map(Series::mean_f).collect();
    let pages: Vec<(f64, f64)> =
        all.iter().flat_map(Series::fitting).map(|(model, default)| (model.word_f, default)).collect();
    let judged: usize = all.iter().map(|series| series.lessons.len()).sum();
    let _ = writeln!(text);
    for (figures, of) in [
        (&hosts, format!("mean of {} hosts with pages that fit", hosts.len())),
        (&pages, format!("mean of {} pages that fit, of {judged}", pages.len())),
    ] {
        let mean =
            |figure: fn(&(f64, f64)) -> f64| figures.iter().map(figure).sum::<f64>() / figures.len().max(1) as f64;
        let _ = writeln!(text, "{of}: model {:.4}, default {:.4}", mean(|pair| pair.0), mean(|pair| pair.1));
    }
}

/// The paper's own measure, beside what it reports.
fn tell_noise(text: &mut String, all: &[Series]) {
    let scores = all.iter().flat_map(Series::fitting);
    let scores: Vec<PageScores> =
        scores.map(|(model, _)| PageScores { noise: Some(model.noise), ..PageScores::default() }).collect();
    let scores: Vec<&PageScores> = scores.iter().collect();
    let ours = |name: &str| metric(name).and_then(|metric| metric.of_set(&scores));
    let papers = |name: &str| {
        let figures =
            PUBLISHED.iter().filter(|published| published.method == "wles").flat_map(|published| published.figures);
        figures.into_iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    };
    let _ = writeln!(
        text,
        "\nNoise blocks removed, recall and precision both, on the pages that fit (the paper on its own pages):"
    );
    for metric in METRICS.iter().filter(|metric| SHARES.contains(&metric.name)) {
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{:.1} %", value * 100.0));
        let _ =
            writeln!(text, "  {:15} {:>8}  ({})", metric.title, shown(ours(metric.name)), shown(papers(metric.name)));
    }
}
