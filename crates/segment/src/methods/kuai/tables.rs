//! Tables of names and words: how much oftener text under such a name, or with such a word, is main text than other text.
//!
//! `training/tables.py` makes them from labelled pages and says how. Names of block-level and inline elements share one
//! table, hashed apart.

use rustc_hash::FxHashMap;

use super::outline::Outline;
use super::reading::{NUMBER, WIDE};

/// Words of a unit that are looked up.
const WORDS_MAX: usize = 30;
/// Values are kept in steps of this size.
const STEP: f32 = 1.0 / 24.0;

/// The names of the columns that the tables give.
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

/// Log-odds by hash.
struct Table {
    values: FxHashMap<u32, f32>,
    /// Which last bits the hashes have: most words are in no table, and this small list says so without a look into the large one.
    endings: Box<[u64; ENDINGS / 64]>,
}

/// How many endings of hashes are told apart.
const ENDINGS: usize = 1 << 17;

impl Table {
    fn get(&self, hash: u32) -> Option<f32> {
        let ending = hash as usize % ENDINGS;
        let is_known = self.endings[ending / 64] >> (ending % 64) & 1 == 1;
        if is_known { self.values.get(&hash).copied() } else { None }
    }
}

impl FromIterator<(u32, f32)> for Table {
    fn from_iter<T: IntoIterator<Item = (u32, f32)>>(rows: T) -> Table {
        let mut table = Table { values: FxHashMap::default(), endings: Box::new([0; ENDINGS / 64]) };
        for (hash, value) in rows {
            let ending = hash as usize % ENDINGS;
            table.endings[ending / 64] |= 1 << (ending % 64);
            table.values.insert(hash, value);
        }
        table
    }
}

/// What the names of an element and of those around it say.
#[derive(Clone, Copy, Default)]
struct Path {
    own: f32,
    own_min: f32,
    sum: f32,
    min: f32,
    max: f32,
}

/// What some values say together.
#[derive(Default)]
struct Said {
    sum: f32,
    count: f32,
    min: f32,
    max: f32,
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
    pub(super) fn read_page<'a>(&'a self, outline: &'a Outline) -> Sayings<'a> {
        Sayings { tables: self, outline, paths: self.paths(outline) }
    }

    fn paths(&self, outline: &Outline) -> Vec<Path> {
        let mut paths: Vec<Path> = Vec::with_capacity(outline.elements.len());
        for element in &outline.elements {
            let said = said_of(&self.names, outline.names_of(element.names).iter().copied());
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
        said.sum += value;
        said.count += 1.0;
        said.min = if is_first { value } else { said.min.min(value) };
        said.max = if is_first { value } else { said.max.max(value) };
    }
    said
}

/// What the tables say of the units of a page.
pub(super) struct Sayings<'a> {
    tables: &'a Tables,
    outline: &'a Outline,
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
            path.own_min,
            at(second).own,
            at(third).own,
            path.sum,
            path.min,
            path.max,
            path.sum - at(sixth).sum,
            inline.together(),
            words.sum / words.count.max(1.0),
            words.max,
        ]);
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
    let keys = keys.chunks_exact(4).map(|key| u32::from_le_bytes([key[0], key[1], key[2], key[3]]));
    keys.zip(values.iter().map(|&value| f32::from(value as i8) * STEP)).collect()
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
