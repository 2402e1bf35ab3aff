//! The JSON of watches: what commands and webhooks are told.

use kuai::watch::{Alert, AlertBlock, Watch, Way};
use kuai::{WordChange, WordSide};
use serde::Serialize;

/// An alert, as commands and webhooks get it.
#[derive(Serialize)]
pub(crate) struct AlertJson<'a> {
    id: String,
    watch: u32,
    subject: &'a str,
    url: &'a str,
    title: &'a str,
    /// The capture before; null where the page is new.
    before: Option<String>,
    time: String,
    blocks: Vec<AlertBlockJson<'a>>,
    /// Blocks that are left out.
    more: usize,
}

#[derive(Serialize)]
struct AlertBlockJson<'a> {
    change: &'static str,
    kind: Option<&'static str>,
    topic: Option<&'a str>,
    old: String,
    new: String,
}

/// `kuai watch list --json`. Secrets stay out of it.
#[derive(Serialize)]
pub(crate) struct WatchJson {
    number: u32,
    subject: String,
    kinds: Vec<&'static str>,
    ways: Vec<WayJson>,
}

#[derive(Serialize)]
struct WayJson {
    way: &'static str,
    to: Option<String>,
    /// The last capture of the change feed that is done with.
    mark: u64,
}

impl<'a> AlertJson<'a> {
    pub(crate) fn new(alert: &'a Alert) -> AlertJson<'a> {
        AlertJson {
            id: alert.id(),
            watch: alert.watch,
            subject: &alert.subject,
            url: &alert.url,
            title: &alert.title,
            before: alert.before.map(|time| time.to_string()),
            time: alert.time.to_string(),
            blocks: alert.blocks.iter().map(AlertBlockJson::new).collect(),
            more: alert.more,
        }
    }
}

impl<'a> AlertBlockJson<'a> {
    fn new(block: &'a AlertBlock) -> AlertBlockJson<'a> {
        AlertBlockJson {
            change: block.happening.name(),
            kind: block.label.map(|label| label.name()),
            topic: block.topic.as_deref(),
            old: side(&block.words, WordSide::New),
            new: side(&block.words, WordSide::Old),
        }
    }
}

/// The words of a block without those of one side.
fn side(words: &[WordChange], left_out: WordSide) -> String {
    words.iter().filter(|change| change.side != left_out).map(|change| change.text.as_str()).collect()
}

impl WatchJson {
    pub(crate) fn new(watch: &Watch) -> WatchJson {
        let way = |channel: &kuai::watch::Channel| {
            let (way, to) = way_and_place(&channel.way);
            WayJson { way, to, mark: channel.mark }
        };
        WatchJson {
            number: watch.number,
            subject: watch.subject.to_string(),
            kinds: watch.kinds.iter().map(|kind| kind.name()).collect(),
            ways: watch.channels.iter().map(way).collect(),
        }
    }
}

/// The name of a way, and where it leads.
pub(crate) fn way_and_place(way: &Way) -> (&'static str, Option<String>) {
    match way {
        Way::Show => ("show", None),
        Way::Command { command } => ("command", Some(command.clone())),
        Way::Webhook { url, .. } => ("webhook", Some(url.clone())),
        Way::Mail { file } => ("mail", Some(file.display().to_string())),
        Way::Feed { file } => ("feed", Some(file.display().to_string())),
    }
}
