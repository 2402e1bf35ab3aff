//! How counts, sizes and changes are put into words for people.

use kuai::{ChangeCounts, ChangeKind};

/// What changed, in a line: `2 blocks changed, 1 added (main, navigation)`.
pub(crate) fn changes(changes: &ChangeCounts) -> String {
    let counts = [
        (changes.changed, "changed"),
        (changes.added, "added"),
        (changes.removed, "absent now"),
        (changes.moved, "moved"),
    ];
    let told: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let kinds: Vec<&str> = changes.kinds.iter().map(ChangeKind::name).collect();
    match (told.is_empty(), kinds.as_slice()) {
        (false, []) => told.join(", "),
        (false, kinds) => format!("{} ({})", told.join(", "), kinds.join(", ")),
        (true, []) => "nothing changed".to_owned(),
        (true, ["invisible"]) => "no change that a reader sees".to_owned(),
        (true, kinds) => format!("no change of the text ({})", kinds.join(", ")),
    }
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

/// A count with its noun: `1 page`, `2 pages`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
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
    fn changes_are_told_by_what_a_reader_sees() {
        let counts = ChangeCounts { changed: 2, removed: 1, ..ChangeCounts::default() };
        assert_eq!(changes(&counts), "2 changed, 1 absent now");
        assert_eq!(changes(&ChangeCounts::default()), "nothing changed");
    }
}
