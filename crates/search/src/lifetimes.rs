//! From when to when each block of an address said what it said.
//!
//! A lifetime begins with the capture that shows a text where the capture before did not, and ends with the first capture of the page
//! that does not show it. A failed fetch ends nothing. A text that comes back begins another lifetime.

use kuai_archive::Sighting;
use kuai_page::Timestamp;
use rustc_hash::FxHashMap;

use crate::said::{BlockId, Said};

/// A block's text at an address, from when to when.
#[derive(Clone, Debug)]
pub(crate) struct Lifetime {
    pub(crate) block: BlockId,
    /// The capture that showed it first.
    pub(crate) first: Timestamp,
    /// The version that it was first shown by.
    pub(crate) number: u32,
    /// The last capture that showed it, so far.
    pub(crate) last: Timestamp,
    /// The first capture of the page that did not show it any more.
    pub(crate) gone: Option<Timestamp>,
    /// What it says, where its beginning was read just now.
    pub(crate) born: Option<Said>,
}

/// What a version says, block by block; each text once.
pub(crate) trait Says {
    fn blocks(&self) -> Vec<BlockId>;
    fn said(&self, block: BlockId) -> Option<Said>;
}

/// What stands at an address so far.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// Blocks that the newest page shows.
    pub(crate) open: FxHashMap<BlockId, Lifetime>,
    /// The version that the newest page is.
    pub(crate) shown: Option<u32>,
    /// When it was last seen.
    pub(crate) last: Option<Timestamp>,
}

impl Standing {
    /// Takes in a capture that comes behind all taken in so far; `read` gives the page of its version, if it can be read. Hands out the
    /// lifetimes that ended with it.
    pub(crate) fn see<P: Says, E>(
        &mut self,
        sighting: &Sighting,
        read: impl FnOnce() -> Result<Option<P>, E>,
    ) -> Result<Vec<Lifetime>, E> {
        if self.shown == Some(sighting.number) {
            self.last = Some(sighting.time);
            return Ok(Vec::new());
        }
        let Some(page) = read()? else { return Ok(Vec::new()) };
        let mut before = std::mem::take(&mut self.open);
        for block in page.blocks() {
            let lifetime = before.remove(&block).unwrap_or_else(|| born(sighting, block, page.said(block)));
            self.open.insert(block, lifetime);
        }
        let last = self.last.replace(sighting.time);
        self.shown = Some(sighting.number);
        let end = |lifetime: Lifetime| Lifetime {
            last: last.unwrap_or(lifetime.first),
            gone: Some(sighting.time),
            ..lifetime
        };
        Ok(before.into_values().map(end).collect())
    }

    /// What stands, with when it was last seen.
    pub(crate) fn into_open(self) -> impl Iterator<Item = Lifetime> {
        let last = self.last;
        self.open.into_values().map(move |lifetime| Lifetime { last: last.unwrap_or(lifetime.first), ..lifetime })
    }
}

fn born(sighting: &Sighting, block: BlockId, said: Option<Said>) -> Lifetime {
    let (first, number) = (sighting.time, sighting.number);
    Lifetime { block, first, number, last: first, gone: None, born: said }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::Language;

    /// A version by its texts.
    struct Texts(&'static [&'static str]);

    impl Says for Texts {
        fn blocks(&self) -> Vec<BlockId> {
            self.0.iter().map(|text| BlockId::of(text)).collect()
        }

        fn said(&self, block: BlockId) -> Option<Said> {
            let text = self.0.iter().find(|text| BlockId::of(text) == block)?;
            let (text, title) = ((*text).to_owned(), "".into());
            Some(Said { text, piece: 0, label: None, topic: None, language: Language::default(), title })
        }
    }

    fn day(day: i64) -> Timestamp {
        Timestamp::from_second(day * 86_400).expect("a time")
    }

    /// Captures of versions, a day each; what each version says; the lifetimes as `text first last gone`.
    fn check(shown: &[u32], versions: &[&'static [&'static str]], expected: &[&str]) {
        let mut standing = Standing::default();
        let mut lifetimes = Vec::new();
        for (index, number) in shown.iter().enumerate() {
            let sighting = Sighting { time: day(index as i64), sequence: index as u64, number: *number };
            let read = || Ok::<_, Infallible>(Some(Texts(versions[*number as usize])));
            let Ok(ended) = standing.see(&sighting, read);
            lifetimes.extend(ended);
        }
        lifetimes.extend(standing.into_open());
        let day = |time: Timestamp| time.as_second() / 86_400;
        let text = |lifetime: &Lifetime| lifetime.born.as_ref().map(|born| born.text.clone()).unwrap_or_default();
        let line = |lifetime: &Lifetime| {
            let gone = lifetime.gone.map_or("-".to_owned(), |gone| day(gone).to_string());
            format!("{} {} {} {gone}", text(lifetime), day(lifetime.first), day(lifetime.last))
        };
        let mut lines: Vec<String> = lifetimes.iter().map(line).collect();
        lines.sort();
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_block_that_stays_has_one_lifetime_however_often_it_is_seen() {
        check(&[0, 0, 0, 0], &[&["a"]], &["a 0 3 -"]);
        check(&[0, 1, 2], &[&["a", "b"], &["c", "a"], &["a"]], &["a 0 2 -", "b 0 0 1", "c 1 1 2"]);
    }

    #[test]
    fn a_block_that_comes_back_has_two() {
        check(&[0, 0, 1, 2], &[&["a"], &["b"], &["a"]], &["a 0 1 2", "a 3 3 -", "b 2 2 3"]);
    }
}
