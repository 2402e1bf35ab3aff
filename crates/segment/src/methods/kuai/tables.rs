//! Tables of names and words: how much oftener text under such a name, or with such a word, is main text than other text.
//!
//! `training/tables.py` makes them from labelled pages and says how. Names of block-level and inline elements share one
//! table, hashed apart.

use super::outline::Outline;
use super::reading::{NUMBER, WIDE};

/// Words of a unit that are looked up.
const WORDS_MAX: usize = 30;
/// What is said of so many names is kept in mind: elements of a page share theirs with others.
const KNOWN_MAX: usize = 64;
/// Values are kept in steps of this size.
const STEP: f32 = 1.0 / 24.0;

/// The names of the columns that the tables give, as `training/tables.py` has them.
#[cfg(test)]
pub(super) const NAMES: &[&str] = &[
    "t_own",
    "t_own_min",
    "t_parent",
    "t_grandparent",
    "t_path",
    "t_min",
    "t_max",
    "t_path5",
    "t_inline",
    "w_mean",
    "w_max",
];

/// The tables that come with the program.
pub(super) struct Tables {
    names: Table,
    words: Table,
}

/// Log-odds by hash, the hashes in ascending order and found by their first bits: small enough to stay in the processor's caches.
struct Table {
    hashes: Vec<u32>,
    /// In steps of [`STEP`].
    values: Vec<i8>,
    /// Where the hashes with certain first bits begin, and where all end.
    starts: Vec<u16>,
    /// Bits of a hash that are not its first ones.
    rest_bits: u32,
}

impl Table {
    fn new(hashes: Vec<u32>, values: Vec<i8>) -> Table {
        assert!(hashes.is_sorted() && hashes.len() <= usize::from(u16::MAX), "a small table in order");
        // Hashes of words leave two bits to other things, so that only a quarter of the beginnings is used by most.
        let first_bits = hashes.len().max(1).ilog2() + 2;
        let rest_bits = u32::BITS - first_bits;
        let mut starts = vec![0_u16; (1 << first_bits) + 1];
        for hash in &hashes {
            starts[(hash >> rest_bits) as usize + 1] += 1;
        }
        for first in 1..starts.len() {
            starts[first] += starts[first - 1];
        }
        Table { hashes, values, starts, rest_bits }
    }

    fn get(&self, hash: u32) -> Option<i8> {
        let first = (hash >> self.rest_bits) as usize;
        let start = usize::from(self.starts[first]);
        let place = self.hashes[start..usize::from(self.starts[first + 1])].iter().position(|known| *known == hash)?;
        Some(self.values[start + place])
    }
}

/// What the names of an element and of those around it say.
#[derive(Clone, Copy, Default)]
struct Path {
    own: f32,
    sum: f32,
    own_min: i8,
    min: i8,
    max: i8,
}

impl Path {
    fn most(&self) -> f32 {
        f32::from(self.max) * STEP
    }
}

/// What some values say together.
#[derive(Clone, Copy, Default)]
struct Said {
    sum: f32,
    count: f32,
    min: i8,
    max: i8,
}

impl Tables {
    /// Reads the tables that come with the program: of each its length, its hashes, and a byte for each.
    pub(super) fn read(mut bytes: &[u8]) -> Tables {
        let names = read_table(&mut bytes);
        let words = read_table(&mut bytes);
        assert!(bytes.is_empty(), "more in the file than two tables");
        Tables { names, words }
    }

    /// What the tables say of a page.
    pub(super) fn read_page<'a>(&'a self, outline: &'a Outline<'a>) -> Sayings<'a> {
        Sayings { tables: self, outline, paths: self.paths(outline) }
    }

    fn paths(&self, outline: &Outline) -> Vec<Path> {
        let mut paths: Vec<Path> = Vec::with_capacity(outline.elements.len());
        let mut known = [((0, 0), Said::default()); KNOWN_MAX];
        for element in &outline.elements {
            let (range, said) = &mut known[element.names.0 as usize % KNOWN_MAX];
            if *range != element.names {
                *range = element.names;
                *said = said_of(&self.names, outline.names_of(element.names).iter().copied());
            }
            let around = paths.get(element.parent as usize).copied().unwrap_or_default();
            let own = said.together();
            paths.push(Path {
                own,
                own_min: said.min,
                sum: around.sum + own,
                min: around.min.min(said.min),
                max: around.max.max(said.max),
            });
        }
        paths
    }
}

fn said_of(table: &Table, keys: impl Iterator<Item = u32>) -> Said {
    let mut said = Said::default();
    for value in keys.filter_map(|key| table.get(key)) {
        let is_first = said.count == 0.0;
        said.sum += f32::from(value) * STEP;
        said.count += 1.0;
        said.min = if is_first { value } else { said.min.min(value) };
        said.max = if is_first { value } else { said.max.max(value) };
    }
    said
}

/// What the tables say of the units of a page.
pub(super) struct Sayings<'a> {
    tables: &'a Tables,
    outline: &'a Outline<'a>,
    /// Of each element.
    paths: Vec<Path>,
}

impl Sayings<'_> {
    /// Adds the tables' columns of a unit to a row.
    pub(super) fn write_unit(&self, index: usize, row: &mut Vec<f32>) {
        let Sayings { tables, outline, paths } = self;
        let unit = &outline.units[index];
        let own = unit.element;
        let second = outline.parent(own);
        let third = outline.parent(second);
        let sixth = outline.parent(outline.parent(outline.parent(third)));
        let at = |element: u32| &paths[element as usize];
        let inline = said_of(&tables.names, outline.names_of(unit.names).iter().copied());
        let words = said_of(&tables.words, terms(outline.words_of(unit)).take(WORDS_MAX));
        let path = at(own);
        row.extend([
            path.own,
            f32::from(path.own_min) * STEP,
            at(second).own,
            at(third).own,
            path.sum,
            f32::from(path.min) * STEP,
            path.most(),
            path.sum - at(sixth).sum,
            inline.together(),
            words.sum / words.count.max(1.0),
            f32::from(words.max) * STEP,
        ]);
    }

    /// Adds the column of a unit that the second stage sees again.
    pub(super) fn write_again(&self, index: usize, row: &mut Vec<f32>) {
        row.push(self.paths[self.outline.units[index].element as usize].most());
    }
}

impl Said {
    /// Several names that say the same say it more surely, but not as often as they are.
    fn together(&self) -> f32 {
        if self.count == 0.0 { 0.0 } else { self.sum / self.count.sqrt() }
    }
}

fn read_table(bytes: &mut &[u8]) -> Table {
    let length = u32::from_le_bytes(*bytes.split_first_chunk().expect("a table says its length").0) as usize;
    let (keys, rest) = bytes[4..].split_at(4 * length);
    let (values, rest) = rest.split_at(length);
    *bytes = rest;
    let hashes = keys.chunks_exact(4).map(|key| u32::from_le_bytes([key[0], key[1], key[2], key[3]]));
    let values = values.iter().map(|&value| value as i8);
    Table::new(hashes.collect(), values.collect())
}

/// Words as the table has them: Chinese characters two by two, all numbers alike.
fn terms(words: &[u32]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().filter_map(|(index, &word)| match (word & WIDE != 0, words.get(index + 1)) {
        (true, Some(next)) if next & WIDE != 0 => Some(pair(word, *next)),
        (true, _) => None,
        (false, _) => Some(if word & NUMBER != 0 { NUMBER } else { word }),
    })
}

/// Two Chinese characters that stand together.
pub(super) fn pair(first: u32, second: u32) -> u32 {
    first.wrapping_mul(0x9e37_79b1).wrapping_add(second) | WIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_table_is_found_and_nothing_else() {
        let hashes = vec![0, 1, 7, 1 << 29, (1 << 29) + 1, WIDE, WIDE + 5, u32::MAX];
        let table = Table::new(hashes.clone(), (0..8).collect());
        let found: Vec<_> = hashes.iter().map(|&hash| table.get(hash)).collect();
        assert_eq!(found, (0..8).map(Some).collect::<Vec<_>>());
        assert_eq!([2, NUMBER, WIDE - 1, u32::MAX - 1].map(|hash| table.get(hash)), [None; 4]);
        assert_eq!(Table::new(vec![], vec![]).get(3), None);
    }
}
