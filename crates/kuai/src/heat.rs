//! How hot each block of a page is: in steps from what changed last to what has stood longest.

use kuai_archive::BlameBlock;
use kuai_page::Timestamp;

/// Steps of heat; 0 is the hottest.
pub const HEAT_STEPS: usize = 6;

/// A colour for each step of heat, from red over yellow to blue, so that nobody has to tell red from green.
pub const HEAT_COLOURS: [&str; HEAT_STEPS] = ["#d73027", "#f4703a", "#f5a742", "#d9c23c", "#6aaed6", "#4575b4"];

const DAY_LENGTH: usize = "2024-01-31".len();
const MINUTE_LENGTH: usize = "2024-01-31 23:59".len();
const SECOND_LENGTH: usize = "2024-01-31 23:59:59".len();

/// When the blocks of a page last changed.
#[derive(Debug)]
pub struct Heat {
    /// All times, each once, the latest first.
    times: Vec<Timestamp>,
    /// Characters by which the times can be told apart.
    time_length: usize,
}

impl Heat {
    /// The heat of the blocks of a page.
    pub fn of(blocks: &[BlameBlock]) -> Heat {
        let mut times: Vec<Timestamp> = blocks.iter().map(|block| block.last_changed).collect();
        times.sort_by(|a, b| b.cmp(a));
        times.dedup();
        let mut all: Vec<Timestamp> = blocks.iter().flat_map(|block| [block.first_seen, block.last_changed]).collect();
        all.sort();
        all.dedup();
        let are_apart = |length: &usize| all.windows(2).all(|pair| cut(pair[0], *length) != cut(pair[1], *length));
        let time_length = [DAY_LENGTH, MINUTE_LENGTH].into_iter().find(are_apart).unwrap_or(SECOND_LENGTH);
        Heat { times, time_length }
    }

    /// The step of a block that last changed at this time.
    // Decision: steps follow the order of changes and not their distance, so that last week's edit is told from today's on a
    // page that is ten years old.
    pub fn step(&self, last_changed: Timestamp) -> usize {
        let rank = self.times.iter().position(|time| *time <= last_changed).unwrap_or(0);
        match self.times.len() {
            // Nothing is newer than anything else.
            0 | 1 => HEAT_STEPS - 1,
            count if count <= HEAT_STEPS => (rank * (HEAT_STEPS - 1) + (count - 1) / 2) / (count - 1),
            count => rank * HEAT_STEPS / count,
        }
    }

    /// The steps that are in use, the hottest first: each with its latest and its earliest time.
    pub fn ranges(&self) -> Vec<(usize, Timestamp, Timestamp)> {
        let mut ranges: Vec<(usize, Timestamp, Timestamp)> = Vec::new();
        for time in &self.times {
            let step = self.step(*time);
            match ranges.last_mut() {
                Some((last, _, earliest)) if *last == step => *earliest = *time,
                _ => ranges.push((step, *time, *time)),
            }
        }
        ranges
    }

    /// A time as short as it may be: a day, or a minute or second where days are not enough.
    pub fn short(&self, time: Timestamp) -> String {
        cut(time, self.time_length)
    }
}

fn cut(time: Timestamp, length: usize) -> String {
    time.to_string()[..length].replace('T', " ")
}

#[cfg(test)]
mod tests {
    use kuai_page::Span;

    use super::*;

    fn heat(seconds: &[i64]) -> Heat {
        let block = |second: &i64| {
            let time = Timestamp::from_second(*second).expect("a time");
            BlameBlock {
                span: Span::new(0, 0),
                label: None,
                topic: None,
                text: String::new(),
                first_seen: time,
                last_changed: time,
                versions: 1,
            }
        };
        Heat::of(&seconds.iter().map(block).collect::<Vec<_>>())
    }

    fn check(seconds: &[i64], expected: &[usize]) {
        let heat = heat(seconds);
        let steps: Vec<_> = heat.ranges().iter().map(|(step, ..)| *step).collect();
        assert_eq!(steps, expected);
    }

    #[test]
    fn the_latest_is_hottest_and_the_earliest_coldest() {
        check(&[5, 900_000, 5], &[0, 5]);
        check(&[1, 2, 3, 4], &[0, 2, 3, 5]);
        check(&[1, 2, 3, 4, 5, 6], &[0, 1, 2, 3, 4, 5]);
        check(&(0..100).collect::<Vec<_>>(), &[0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_page_that_never_changed_is_cold() {
        check(&[7, 7], &[5]);
        check(&[], &[]);
    }

    #[test]
    fn times_are_as_short_as_they_may_be() {
        let time = Timestamp::UNIX_EPOCH;
        assert_eq!(heat(&[0, 90_000]).short(time), "1970-01-01");
        assert_eq!(heat(&[0, 90]).short(time), "1970-01-01 00:00");
        assert_eq!(heat(&[0, 9]).short(time), "1970-01-01 00:00:00");
    }
}
