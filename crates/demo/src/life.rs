//! When something is there: `2025-03..2025-09`, from the first month on and until the second begins. Either end may be left out.

use kuai_page::Timestamp;

/// A span of months, as a site's file writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Life {
    from: Option<&'static str>,
    until: Option<&'static str>,
}

impl Life {
    /// Reads `2025-03..`; `None` where it is something else.
    pub(crate) fn read(text: &'static str) -> Option<Life> {
        let (from, until) = text.split_once("..")?;
        let month = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let life = Life { from: month(from), until: month(until) };
        [life.from, life.until].into_iter().flatten().all(is_month).then_some(life)
    }

    /// Whether it is there at a moment.
    pub(crate) fn holds(self, moment: Timestamp) -> bool {
        let moment = moment.to_string();
        // Months that are written with four and two digits are ordered as texts are.
        let month = moment.get(..7).unwrap_or_default();
        self.from.is_none_or(|from| from <= month) && self.until.is_none_or(|until| month < until)
    }
}

fn is_month(text: &str) -> bool {
    text.len() == 7
        && text.bytes().enumerate().all(|(index, byte)| if index == 4 { byte == b'-' } else { byte.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_begins_with_its_first_month_and_ends_before_its_second() {
        let life = Life::read("2025-03..2025-09").unwrap();
        let holds = |time: &str| life.holds(time.parse().unwrap());
        assert_eq!(
            ["2025-02-28T23:59:59Z", "2025-03-01T00:00:00Z", "2025-08-31T23:59:59Z", "2025-09-01T00:00:00Z"].map(holds),
            [false, true, true, false]
        );
    }

    #[test]
    fn an_end_may_be_left_out_and_nonsense_is_no_life() {
        let now = "2026-11-16T00:00:00Z".parse().unwrap();
        assert!(Life::read("2025-03..").unwrap().holds(now));
        assert!(!Life::read("..2025-03").unwrap().holds(now));
        assert!(Life::read("..").unwrap().holds(now));
        assert!(Life::read("token").is_none());
        assert!(Life::read("March..").is_none());
    }
}
