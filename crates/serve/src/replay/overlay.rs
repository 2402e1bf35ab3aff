//! An archived page with something drawn over it: its blocks by kind, by age, or by what changed since the page before.
//!
//! Marks in the source tell our script where blocks are, and a list tells it in which colour and what to say. The page's own scripts stay off, so that what
//! is drawn is the page as it was cut.

use kuai::{BlockDiff, HEAT_COLOURS, Heat, Relation, Snapshot, Span, diff, marked_source};
use serde::Serialize;

use super::modifier::Modifier;
use crate::holdings::{Holdings, Moment};
use crate::refusal::Refusal;

/// What kinds of blocks and changes are drawn in: the light colours of `ui/style.css`, since pages are drawn on white.
const KIND_COLOURS: [(&str, &str); 11] = [
    ("main", "#257547"),
    ("title", "#12703a"),
    ("small", "#0c6e77"),
    ("meta", "#0f6f9e"),
    ("comment", "#5558d9"),
    ("related", "#1f56d0"),
    ("navigation", "#a35505"),
    ("advert", "#a21caf"),
    ("copyright", "#6b6560"),
    ("noise", "#6f675f"),
    ("none", "#475569"),
];
const CHANGE_COLOURS: [(&str, &str); 3] = [("added", "#15803d"), ("changed", "#c2610c"), ("moved", "#1d4ed8")];

/// A colour by name.
fn colour(colours: &[(&str, &'static str)], name: &str) -> &'static str {
    colours.iter().find(|(known, _)| *known == name).map_or("#475569", |(_, colour)| colour)
}

/// Blocks to draw over a page.
pub(super) struct Overlay(Vec<Drawn>);

/// A block that is drawn.
#[derive(Serialize)]
struct Drawn {
    #[serde(skip)]
    span: Span,
    #[serde(skip)]
    depth: u32,
    colour: &'static str,
    /// What is told when it is pointed at.
    about: String,
}

impl Overlay {
    /// What is to be drawn over a page; nothing where only the page is wanted, or where it is none.
    pub(super) fn of(
        holdings: &Holdings,
        moment: &Moment,
        snapshot: &Snapshot,
        modifier: Modifier,
    ) -> Result<Option<Overlay>, Refusal> {
        if !snapshot.info.is_page {
            return Ok(None);
        }
        let archive = holdings.archive();
        let blocks = match modifier {
            Modifier::Kinds => kinds(snapshot),
            Modifier::Ages => {
                let blame = archive.blame(&moment.url, Some(moment.time))?;
                let heat = Heat::of(&blame.blocks);
                let drawn = |block: &kuai::BlameBlock| Drawn {
                    span: block.span,
                    depth: 0,
                    colour: HEAT_COLOURS[heat.step(block.last_changed)],
                    about: format!("{}  ({} – )", heat.short(block.last_changed), heat.short(block.first_seen)),
                };
                blame.blocks.iter().map(drawn).collect()
            }
            Modifier::Changes => {
                let history = archive.history(&moment.url)?;
                let before = history.iter().rfind(|version| version.is_page && version.time < snapshot.info.time);
                let Some(before) = before else { return Ok(Some(Overlay(Vec::new()))) };
                let before = archive.read(&moment.url, before)?;
                diff(&before, snapshot).blocks.iter().filter_map(changed).collect()
            }
            _ => return Ok(None),
        };
        Ok(Some(Overlay(blocks)))
    }

    /// The page with marks in its source.
    pub(super) fn marked(&self, source: &str) -> String {
        marked_source(source, self.0.iter().map(|block| (block.span, block.depth)))
    }

    /// What the page begins with.
    pub(super) fn begin(&self) -> String {
        // Inside a script element only `</` and `<!--` would be read as markup.
        let blocks = serde_json::to_string(&self.0).unwrap_or_default().replace('<', "\\u003c");
        format!(
            "<script type=\"application/json\" id=\"kuai-blocks\">{blocks}</script><script src=\"{}\"></script>",
            super::own_files::OVERLAY_PATH
        )
    }
}

fn kinds(snapshot: &Snapshot) -> Vec<Drawn> {
    let outline = &snapshot.outline;
    let leaves = outline.blocks.iter().enumerate().filter(|(index, _)| outline.is_leaf(*index));
    let drawn = |(_, block): (usize, &kuai::OutlineBlock)| {
        let kind = block.label.map_or("none", |label| label.name());
        let topic = block.topic.as_ref().map_or(String::new(), |topic| format!(": {topic}"));
        Drawn {
            span: block.span,
            depth: block.depth,
            colour: colour(&KIND_COLOURS, kind),
            about: format!("{kind}{topic}"),
        }
    };
    leaves.map(drawn).collect()
}

fn changed(block: &BlockDiff) -> Option<Drawn> {
    let name = match (block.relation, block.is_moved) {
        (Relation::Added, _) => "added",
        (Relation::Changed, _) => "changed",
        (_, true) => "moved",
        _ => return None,
    };
    Some(Drawn { span: block.new?, depth: 0, colour: colour(&CHANGE_COLOURS, name), about: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_cannot_break_out_of_what_the_page_begins_with() {
        let about = "</script><script>alert(1)</script>".to_owned();
        let overlay = Overlay(vec![Drawn { span: Span::new(0, 1), depth: 0, colour: "#000", about }]);
        assert_eq!(overlay.begin().matches("</script>").count(), 2);
    }
}
