//! Why an address was visited, or not, told from what the crawls know of it.

use kuai::{Frontier, Known, LinkJudgement, Stage, Url, Via};

use crate::Outcome;

/// Links that are told on the way back to where a crawl began.
const STEPS_MAX: usize = 20;

/// Tells what every crawl knows of an address.
pub(crate) fn explain(frontiers: &[(String, Box<dyn Frontier>)], url: &Url) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Nothing;
    for (name, frontier) in frontiers {
        let Some(known) = frontier.look_up(url)? else { continue };
        outcome = Outcome::Done;
        anstream::println!("{url}");
        anstream::println!("  in the crawl: {name}");
        anstream::println!("  {}", stage(&known));
        let mut step = known;
        for _ in 0..STEPS_MAX {
            anstream::println!("  {}", found(&step));
            let Some(parent) = step.parent.map(|id| frontier.known(id)).transpose()?.flatten() else { break };
            anstream::println!("  on {}", parent.url);
            step = parent;
        }
    }
    if outcome == Outcome::Nothing {
        anstream::eprintln!("no crawl of this archive has come across {url}");
    }
    Ok(outcome)
}

/// A reason as crawls keep it, in plain words.
pub(crate) fn explained(reason: &str) -> String {
    LinkJudgement::from_compact(reason).map_or_else(|| reason.to_owned(), |judgement| judgement.to_string())
}

/// What became of it.
fn stage(known: &Known) -> String {
    let reason = explained(&known.reason);
    match known.stage {
        Stage::Ready => "is to be visited".to_owned(),
        Stage::Claimed => "is being visited".to_owned(),
        Stage::Later => format!("is tried again later: {reason}"),
        Stage::Done => match known.status {
            Some(status) => format!("was visited, and is in the archive (status {status})"),
            None => "was visited, and is in the archive".to_owned(),
        },
        Stage::Failed => format!("failed: {reason}"),
        Stage::Skipped => format!("was not visited: {reason}"),
    }
}

/// How it came to be known, and why it was worth following.
fn found(known: &Known) -> String {
    let how = match known.via {
        Via::Seed => "the crawl began there".to_owned(),
        Via::Link => {
            format!("a link, {} from where the crawl began", crate::wording::counted(known.depth.into(), "step"))
        }
        Via::Redirect => "a redirect".to_owned(),
        Via::Next => "the page that continues another".to_owned(),
        Via::Sitemap => "a sitemap".to_owned(),
        Via::Requisite => "needed to show a page".to_owned(),
        Via::Again => format!("due again: {}", known.why),
    };
    match LinkJudgement::from_compact(&known.why) {
        Some(judgement) => format!("{how}; {judgement}"),
        None => how,
    }
}
