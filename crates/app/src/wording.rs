//! How counts, sizes and changes are put into words for people.

use kuai::{BlockDiff, ChangeCounts, ChangeKind, Diff, Relation, Timestamp};

/// What changed, in a line: `2 blocks changed, 1 added; main text, navigation`.
pub(crate) fn changes(changes: &ChangeCounts) -> String {
    let counts = [
        (changes.changed, "changed"),
        (changes.added, "added"),
        (changes.removed, "absent now"),
        (changes.moved, "moved"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0).enumerate().map(|(index, (count, what))| match index {
        0 => format!("{} {what}", counted(u64::from(*count), "block")),
        _ => format!("{count} {what}"),
    });
    let told: Vec<String> = told.collect();
    let kinds: Vec<&str> = changes.kinds.iter().map(kind).collect();
    match (told.is_empty(), kinds.is_empty()) {
        (false, true) => told.join(", "),
        (false, false) => format!("{}; {}", told.join(", "), kinds.join(", ")),
        (true, true) => "nothing changed".to_owned(),
        (true, false) if !changes.kinds.has(ChangeKind::Frame) => "no change that a reader sees".to_owned(),
        (true, false) => format!("no change of the text; {}", kinds.join(", ")),
    }
}

/// A kind of change in plain words.
fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Main => "main text",
        ChangeKind::Navigation => "navigation",
        ChangeKind::Advert => "advertising",
        ChangeKind::Other => "small print",
        ChangeKind::Frame => "layout",
        ChangeKind::Invisible => "markup",
    }
}

/// What became of a block, where something did. JSON uses the same words.
pub(crate) fn change(block: &BlockDiff) -> Option<&'static str> {
    match (block.relation, block.is_moved) {
        (Relation::Added, _) => Some("added"),
        (Relation::Removed, _) => Some("removed"),
        (Relation::Changed, _) => Some("changed"),
        (Relation::Same | Relation::Touched, true) => Some("moved"),
        (Relation::Touched, false) => Some("touched"),
        (Relation::Same, false) => None,
    }
}

/// How it is known that a block came or went.
pub(crate) fn evidence(block: &BlockDiff, diff: &Diff) -> Option<String> {
    let (from, to) = (diff.from.time, diff.to.time);
    match block.relation {
        Relation::Added => Some(format!("absent at {from}, present at {to}")),
        Relation::Removed => Some(format!("present at {from}, absent at {to}")),
        _ => None,
    }
}

/// How long before a time another was, in its largest unit: `3 days`; months and years from the second on.
pub(crate) fn age(then: Timestamp, now: Timestamp) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    const YEAR: u64 = 365 * DAY;
    const MONTH: u64 = YEAR / 12;
    let seconds = u64::try_from(now.as_second() - then.as_second()).unwrap_or(0);
    if seconds == 0 {
        return "new".to_owned();
    }
    let (unit, name) = match seconds {
        0..MINUTE => (1, "second"),
        MINUTE..HOUR => (MINUTE, "minute"),
        HOUR..DAY => (HOUR, "hour"),
        _ if seconds < 2 * MONTH => (DAY, "day"),
        _ if seconds < 2 * YEAR => (MONTH, "month"),
        _ => (YEAR, "year"),
    };
    counted(seconds / unit, name)
}

/// A size for people: `1.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ if value < 9.95 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

/// A count with its noun: `1 page`, `2 pages`, `3 addresses`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_digits() {
        assert_eq!(
            [0, 999, 1000, 9_940, 12_345, 999_600, 1_400_000].map(size),
            ["0 B", "999 B", "1.0 kB", "9.9 kB", "12 kB", "1.0 MB", "1.4 MB"]
        );
    }

    #[test]
    fn an_age_is_told_in_its_largest_unit() {
        let then = Timestamp::UNIX_EPOCH;
        let told = |seconds: i64| age(then, Timestamp::from_second(seconds).expect("a time"));
        assert_eq!(
            [0, 1, 119, 7_200, 86_400, 3 * 86_400, 90 * 86_400, 800 * 86_400].map(told),
            ["new", "1 second", "1 minute", "2 hours", "1 day", "3 days", "2 months", "2 years"]
        );
    }

    #[test]
    fn changes_are_told_by_what_a_reader_sees() {
        let counts = ChangeCounts { changed: 2, removed: 1, ..ChangeCounts::default() };
        assert_eq!(changes(&counts), "2 blocks changed, 1 absent now");
        assert_eq!(changes(&ChangeCounts::default()), "nothing changed");
    }
}
