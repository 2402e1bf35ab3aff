//! Which time a search is about.

use kuai_page::Timestamp;

use crate::schema::{NEVER, moment};

/// Which time a search is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Period {
    /// What the newest page of each address says.
    #[default]
    Now,
    /// What the Web said at a time, as far as it had been captured by then.
    At(Timestamp),
    /// What it ever said between two times, both included.
    Between(Timestamp, Timestamp),
    /// What it ever said.
    Ever,
}

impl Period {
    /// Whether a block that was first seen at one moment, and gone at another, stood in the period.
    pub(crate) fn has(self, first: i64, gone: i64) -> bool {
        match self {
            Period::Now => gone == NEVER,
            Period::At(time) => first <= moment(time) && moment(time) < gone,
            // A block that one capture showed and another of the same moment did not stood for no time, but it was there.
            Period::Between(from, to) => first <= moment(to) && (moment(from) < gone || moment(from) <= first),
            Period::Ever => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(period: Period, first: i64, gone: i64, expected: bool) {
        assert_eq!(period.has(first, gone), expected, "{period:?} {first} {gone}");
    }

    fn at(microsecond: i64) -> Timestamp {
        Timestamp::from_microsecond(microsecond).expect("a time")
    }

    #[test]
    fn a_block_stands_from_its_first_capture_to_before_the_one_without_it() {
        for (time, expected) in [(9, false), (10, true), (19, true), (20, false)] {
            check(Period::At(at(time)), 10, 20, expected);
        }
        check(Period::Now, 10, 20, false);
        check(Period::Now, 10, NEVER, true);
        check(Period::Ever, 10, 20, true);
    }

    #[test]
    fn it_stood_in_a_period_that_it_overlaps() {
        for (from, to, expected) in [(0, 9, false), (0, 10, true), (12, 13, true), (19, 30, true), (20, 30, false)] {
            check(Period::Between(at(from), at(to)), 10, 20, expected);
        }
    }
}
