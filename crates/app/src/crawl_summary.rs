//! What a crawl has done, what failed, and what to do next.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use kuai::{End, Plan, Report, Stage};
use serde::Serialize;

use crate::pages::json_line;
use crate::wording::{counted, size};

/// Reasons that are told one by one.
const REASONS_TOLD: usize = 8;

/// The end of a crawl for people.
pub(crate) fn summary(report: &Report, plan: &Plan, folder: &Path) -> String {
    let status = &report.status;
    let mut out = String::new();
    let mut line = |text: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}");
    };
    line(heading(report));
    if report.recovered > 0 {
        line(format!("  {} archived by the run that was killed", counted(report.recovered, "page")));
    }
    if report.end != End::Already {
        line(format!("  {} new, {} changed, {} the same as before", status.new, status.changed, status.same));
    }
    if status.bytes > 0 {
        line(format!("  {} captured, kept in {}", size(status.bytes), size(status.stored)));
    }
    if status.judged > 0 {
        let share = 100.0 * status.on_topic as f64 / status.judged as f64;
        line(format!("  {} of {} on topic ({share:.0} %)", status.on_topic, counted(status.judged, "page")));
    }
    told_reasons(report).into_iter().for_each(&mut line);
    let (skipped, open) = (status.counts.of(Stage::Skipped), status.counts.open());
    if skipped > 0 {
        line(format!("  {} found and not visited: out of scope, forbidden or off topic", counted(skipped, "address")));
    }
    if open > 0 {
        line(format!("  {} left to visit", counted(open, "address")));
    }
    next_steps(report, plan, folder).into_iter().for_each(&mut line);
    out
}

/// How it ended, and what came of it in a word.
fn heading(report: &Report) -> String {
    let Report { status, end, .. } = report;
    if *end == End::Already {
        let [done, failed] = [Stage::Done, Stage::Failed].map(|stage| status.counts.of(stage));
        return format!("{}: {} visited, {failed} failed; nothing was asked for", how(*end), counted(done, "address"));
    }
    let begun = if report.is_resumed { ", going on from an earlier run" } else { "" };
    format!("{}{begun}: {} in {}", how(*end), counted(status.kept, "capture"), time(status.elapsed))
}

fn how(end: End) -> String {
    match end {
        End::Complete => "Complete".to_owned(),
        End::Already => "Complete since an earlier run".to_owned(),
        End::Waiting(wait) => format!("All but what has to wait for its host ({})", time(wait)),
        End::Pages => "The page budget is used up".to_owned(),
        End::Bytes => "The byte budget is used up".to_owned(),
        End::Time => "The time budget is used up".to_owned(),
        End::Stopped => "Stopped".to_owned(),
    }
}

/// Why addresses failed, the most frequent reasons first.
fn told_reasons(report: &Report) -> Vec<String> {
    let mut reasons: Vec<(&String, &u64)> = report.status.reasons.iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
    let rest: u64 = reasons.iter().skip(REASONS_TOLD).map(|(_, count)| **count).sum();
    let mut told: Vec<String> =
        reasons.iter().take(REASONS_TOLD).map(|(reason, count)| format!("  {count} failed: {reason}")).collect();
    if rest > 0 {
        told.push(format!("  {rest} for other reasons"));
    }
    told
}

fn next_steps(report: &Report, plan: &Plan, folder: &Path) -> Vec<String> {
    let archive =
        if folder == Path::new("kuai-archive") { String::new() } else { format!(" --archive {}", folder.display()) };
    let mut steps = Vec::new();
    if report.status.reasons.keys().any(|reason| reason.ends_with("not an address of the public Web")) {
        steps.push(("--allow-private".to_owned(), "also asks private and loopback addresses"));
    }
    if report.end == End::Already {
        steps.push(("the same command without --once".to_owned(), "visits everything again"));
    } else if report.end != End::Complete {
        steps.push(("the same command again".to_owned(), "goes on where this run ended"));
    }
    if report.status.failed > 0 {
        steps.push((format!("kuai urls --failed{archive}"), "what failed, and why"));
    }
    let look = "what is in the archive; kuai history, show, diff and blame look into a page";
    steps.push((format!("kuai urls{archive}"), look));
    if let [seed] = &plan.seeds[..]
        && report.status.changed > 0
    {
        steps.push((format!("kuai diff {seed}{archive}"), "what changed"));
    }
    let due = "when pages are worth another visit; kuai collect --again makes it";
    steps.push((format!("kuai due{archive}"), due));
    let width = steps.iter().map(|(step, _)| step.chars().count()).max().unwrap_or(0);
    let lines = steps.into_iter().map(|(step, what)| format!("  {step:<width$}   {what}"));
    std::iter::once("Next:".to_owned()).chain(lines).collect()
}

/// A duration for people.
pub(crate) fn time(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{} ms", duration.as_millis()),
        seconds @ 1..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The summary's JSON.
#[derive(Serialize)]
struct SummaryJson<'a> {
    end: &'static str,
    resumed: bool,
    recovered: u64,
    seconds: f64,
    captures: u64,
    new: u64,
    changed: u64,
    same: u64,
    failed: u64,
    bytes: u64,
    stored: u64,
    on_topic: Option<u64>,
    done: u64,
    left: u64,
    skipped: u64,
    reasons: &'a std::collections::BTreeMap<String, u64>,
}

/// The end of a crawl for scripts.
pub(crate) fn summary_json(report: &Report) -> String {
    let status = &report.status;
    json_line(&SummaryJson {
        end: report.end.name(),
        resumed: report.is_resumed,
        recovered: report.recovered,
        seconds: status.elapsed.as_secs_f64(),
        captures: status.kept,
        new: status.new,
        changed: status.changed,
        same: status.same,
        failed: status.failed,
        bytes: status.bytes,
        stored: status.stored,
        on_topic: (status.judged > 0).then_some(status.on_topic),
        done: status.counts.of(Stage::Done),
        left: status.counts.open(),
        skipped: status.counts.of(Stage::Skipped),
        reasons: &status.reasons,
    })
}
