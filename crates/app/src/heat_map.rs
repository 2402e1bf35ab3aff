//! A page as captured with every block tinted by when what it says last changed.

use kuai::{Blame, BlameBlock, HEAT_COLOURS, Heat, Timestamp};

use crate::drawing::{Drawing, DrawnBlock, Group, Look, View, based_source, preview};
use crate::wording::{age, counted};

/// Draws the heat map of a page.
pub(crate) fn heat_map(blame: &Blame) -> String {
    let page = blame.version.page();
    let capture = &blame.version.capture;
    let heat = Heat::of(&blame.blocks);
    let legend = Legend::new(&heat, capture.time);
    Drawing {
        title: page.metadata().title.as_deref().unwrap_or(capture.url.as_str()),
        about: format!("{} as captured at {}, by when each block last changed", capture.url, capture.time),
        look: Look::HeatMap,
        groups: legend.groups(),
        views: vec![View {
            name: capture.time.to_string(),
            source: based_source(&page, blame.blocks.iter().map(|block| (block.span, 0))),
            blocks: blame.blocks.iter().map(|block| drawn(block, &legend, capture.time)).collect(),
        }],
    }
    .to_html()
}

/// What each step of heat is called.
struct Legend<'a> {
    heat: &'a Heat,
    names: Vec<(usize, String)>,
}

impl<'a> Legend<'a> {
    fn new(heat: &'a Heat, now: Timestamp) -> Legend<'a> {
        let name = |(step, latest, earliest)| match latest == earliest {
            true => (step, format!("{} ({})", heat.short(latest), age(latest, now))),
            false => (step, format!("{} to {}", heat.short(earliest), heat.short(latest))),
        };
        Legend { heat, names: heat.ranges().into_iter().map(name).collect() }
    }

    fn groups(&self) -> Vec<Group> {
        let group =
            |(step, name): &(usize, String)| Group { name: name.clone(), colour: HEAT_COLOURS[*step].to_owned() };
        self.names.iter().map(group).collect()
    }

    fn name(&self, last_changed: Timestamp) -> String {
        let step = self.heat.step(last_changed);
        self.names.iter().find(|(known, _)| *known == step).map(|(_, name)| name.clone()).unwrap_or_default()
    }
}

fn drawn(block: &BlameBlock, legend: &Legend<'_>, now: Timestamp) -> DrawnBlock {
    let kind = block.label.map_or("block", |label| label.name());
    let topic = block.topic.as_ref().map_or(String::new(), |topic| format!(", about {topic}"));
    let old = match age(block.last_changed, now) {
        old if block.last_changed < now => format!("{old} before this capture"),
        _ => "in this capture".to_owned(),
    };
    let about = [
        format!("{kind}{topic}"),
        format!("Last changed: {}, {old}", block.last_changed),
        format!("First seen: {}, stands in {}", block.first_seen, counted(u64::from(block.versions), "version")),
    ];
    DrawnBlock {
        depth: 0,
        group: legend.name(block.last_changed),
        name: format!("{}, {kind}", age(block.last_changed, now)),
        preview: preview(&block.text),
        about: about.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{browser, sample};

    /// A menu, and two texts beside each other.
    fn page(left: &str, right: &str) -> String {
        format!(
            "<!DOCTYPE html><title>Boxes</title><style>
            body {{ margin: 0; height: 900px }} p {{ position: absolute; margin: 0; top: 140px; width: 400px; height: 300px }}
            </style><p style='left: 30px'>{left}</p>\n<p style='left: 500px'>{right}</p>
            <script>document.body.textContent = 'scripts ran'</script>"
        )
    }

    #[test]
    fn tints_lie_where_the_blocks_are() {
        let left =
            "The left text stands as it is since the first day, and nobody ever thought of changing a word of it.";
        let right = "The right text was written anew on the fourth, which is why it is the hottest thing on this page.";
        let archive = sample::archive_of(&[
            ("2026-01-01T12:00:00Z", page(left, &right.replace("fourth", "third"))),
            ("2026-01-04T12:00:00Z", page(left, right)),
        ]);
        let map = heat_map(&archive.blame(&sample::url(), None).expect("the page is there"));
        let Some(dom) = browser::drawn(&map) else { return };
        assert_eq!(browser::frame(&dom, "2026-01-04 (new)"), [500.0, 140.0, 400.0, 300.0]);
        assert_eq!(browser::frame(&dom, "2026-01-01 (3 days)"), [30.0, 140.0, 400.0, 300.0]);
        assert!(dom.contains("First seen: 2026-01-01T12:00:00Z, stands in 2 versions"), "{dom}");
    }

    #[test]
    fn a_page_cannot_break_out_of_its_heat_map() {
        let map = heat_map(&sample::archive().blame(&sample::url(), None).expect("the page is there"));
        assert!(map.contains("\\u003cscript>alert(2)"), "{map}");
        assert!(!map.contains("<script>alert("), "{map}");
    }
}
