//! The JSON of the archive's commands.

use kuai::{
    BlameBlock, BlockDiff, ChangeCounts, ChangeKind, ChangeKinds, Diff, Outline, Stats, UrlRow, VersionInfo,
    WordChange, WordSide,
};
use serde::Serialize;

use crate::word_marks::words_of;
use crate::wording;

/// `kuai urls --json`.
#[derive(Serialize)]
pub(crate) struct UrlJson<'a> {
    url: &'a str,
    captures: u32,
    first: String,
    last: String,
}

/// `kuai history --json`.
#[derive(Serialize)]
pub(crate) struct HistoryJson<'a> {
    url: &'a str,
    time: String,
    version: String,
    status: u16,
    blocks: u32,
    added: u32,
    removed: u32,
    changed: u32,
    moved: u32,
    touched: u32,
    layout_changed: bool,
    content_changed: bool,
    kinds: Vec<&'static str>,
    bytes: u64,
    stored: u64,
    seen_again: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<CutJson>,
}

/// How a version was cut, and why so.
#[derive(Serialize)]
pub(crate) struct CutJson {
    method: String,
    level: u32,
    /// Regions that the next version keeps whole.
    whole: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<String>,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    metadata: serde_json::Map<String, serde_json::Value>,
}

/// `kuai diff --json`.
#[derive(Serialize)]
pub(crate) struct DiffJson<'a> {
    url: &'a str,
    from: SideJson,
    to: SideJson,
    counts: CountsJson,
    kinds: Vec<&'static str>,
    content_changed: bool,
    layout_changed: bool,
    /// The text outside all blocks, where it differs.
    layout: Vec<WordsJson>,
    /// Blocks that are not the same byte for byte in the same order.
    blocks: Vec<BlockDiffJson>,
}

#[derive(Serialize)]
struct SideJson {
    time: String,
    version: String,
}

#[derive(Serialize)]
struct CountsJson {
    blocks: u32,
    added: u32,
    removed: u32,
    changed: u32,
    moved: u32,
    touched: u32,
}

#[derive(Serialize)]
struct BlockDiffJson {
    change: &'static str,
    moved: bool,
    kind: Option<&'static str>,
    topic: Option<String>,
    old_span: Option<[u32; 2]>,
    new_span: Option<[u32; 2]>,
    words: Vec<WordsJson>,
}

#[derive(Serialize)]
struct WordsJson {
    side: &'static str,
    text: String,
}

/// `kuai blame --json`.
#[derive(Serialize)]
pub(crate) struct BlameJson<'a> {
    span: [u32; 2],
    kind: Option<&'static str>,
    topic: Option<&'a str>,
    text: &'a str,
    first_seen: String,
    last_changed: String,
    versions: u32,
}

/// `kuai stats --json`.
#[derive(Serialize)]
pub(crate) struct StatsJson {
    urls: u64,
    versions: u64,
    captures: u64,
    blocks: u64,
    layouts: u64,
    bytes_captured: u64,
    bytes_stored: u64,
    ratio: f64,
}

impl<'a> UrlJson<'a> {
    pub(crate) fn new(row: &'a UrlRow) -> UrlJson<'a> {
        UrlJson { url: &row.url, captures: row.entry_count, first: row.first.to_string(), last: row.last.to_string() }
    }
}

impl<'a> HistoryJson<'a> {
    pub(crate) fn new(url: &'a str, version: &VersionInfo, outline: Option<&Outline>) -> HistoryJson<'a> {
        let changes = &version.changes;
        HistoryJson {
            url,
            time: version.time.to_string(),
            version: version.hash.to_string(),
            status: version.status,
            blocks: changes.blocks,
            added: changes.added,
            removed: changes.removed,
            changed: changes.changed,
            moved: changes.moved,
            touched: changes.touched,
            layout_changed: changes.layout,
            content_changed: changes.kinds.has_content(),
            kinds: kind_names(changes.kinds),
            bytes: version.bytes,
            stored: version.stored,
            seen_again: version.seen_again.iter().map(ToString::to_string).collect(),
            cut: outline.filter(|outline| !outline.method.is_empty()).map(CutJson::new),
        }
    }
}

impl CutJson {
    fn new(outline: &Outline) -> CutJson {
        let metadata = outline.metadata.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
        CutJson {
            method: outline.method.clone(),
            level: outline.level,
            whole: outline.choices.iter().map(|choice| choice.why.to_string()).collect(),
            labels: outline.labels.clone(),
            metadata: metadata.collect(),
        }
    }
}

impl<'a> DiffJson<'a> {
    pub(crate) fn new(url: &'a str, diff: &Diff) -> DiffJson<'a> {
        DiffJson {
            url,
            from: SideJson::new(&diff.from),
            to: SideJson::new(&diff.to),
            counts: CountsJson::new(&diff.counts),
            kinds: kind_names(diff.counts.kinds),
            content_changed: diff.counts.kinds.has_content(),
            layout_changed: diff.counts.layout,
            layout: diff.layout.iter().map(WordsJson::new).collect(),
            blocks: diff.blocks.iter().filter_map(BlockDiffJson::new).collect(),
        }
    }
}

impl SideJson {
    fn new(version: &VersionInfo) -> SideJson {
        SideJson { time: version.time.to_string(), version: version.hash.to_string() }
    }
}

impl CountsJson {
    fn new(counts: &ChangeCounts) -> CountsJson {
        CountsJson {
            blocks: counts.blocks,
            added: counts.added,
            removed: counts.removed,
            changed: counts.changed,
            moved: counts.moved,
            touched: counts.touched,
        }
    }
}

impl BlockDiffJson {
    /// Nothing for a block that is the same in both versions.
    fn new(block: &BlockDiff) -> Option<BlockDiffJson> {
        Some(BlockDiffJson {
            change: wording::change(block)?,
            moved: block.is_moved,
            kind: block.label.map(|label| label.name()),
            topic: block.topic.clone(),
            old_span: block.old.map(|span| [span.start, span.end]),
            new_span: block.new.map(|span| [span.start, span.end]),
            words: words_of(block).iter().map(WordsJson::new).collect(),
        })
    }
}

impl WordsJson {
    fn new(change: &WordChange) -> WordsJson {
        let side = match change.side {
            WordSide::Both => "both",
            WordSide::Old => "old",
            WordSide::New => "new",
        };
        WordsJson { side, text: change.text.clone() }
    }
}

impl<'a> BlameJson<'a> {
    pub(crate) fn new(block: &'a BlameBlock) -> BlameJson<'a> {
        BlameJson {
            span: [block.span.start, block.span.end],
            kind: block.label.map(|label| label.name()),
            topic: block.topic.as_deref(),
            text: &block.text,
            first_seen: block.first_seen.to_string(),
            last_changed: block.last_changed.to_string(),
            versions: block.versions,
        }
    }
}

impl StatsJson {
    pub(crate) fn new(stats: &Stats) -> StatsJson {
        StatsJson {
            urls: stats.urls,
            versions: stats.versions,
            captures: stats.captures,
            blocks: stats.blocks,
            layouts: stats.layouts,
            bytes_captured: stats.bytes_captured,
            bytes_stored: stats.bytes_stored,
            ratio: stats.bytes_stored as f64 / stats.bytes_captured.max(1) as f64,
        }
    }
}

/// The names of kinds of change.
pub(crate) fn kind_names(kinds: ChangeKinds) -> Vec<&'static str> {
    kinds.iter().map(ChangeKind::name).collect()
}
