//! Where on a page of the site content stands, and where noise: a tree of shapes with the words that examples have in each.
//!
//! An area that holds only one of the two tells all by itself, and what lies in it need not be known. Where both stand in one area,
//! paragraphs have to be told apart by what stands before and after them.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::shape::likeness;

/// Areas of a model; what lies deeper belongs to the area around it.
pub(super) const AREAS_MAX: usize = 20_000;
/// Shapes that are told of an area.
const HOLDS_MAX: usize = 500;
/// A shape that is not known is taken for a known one of at least this likeness.
const LIKENESS_MIN: f64 = 0.5;

/// A kind of element in a kind of place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) shape: String,
    /// The area around it, which stands before it; the root stands in itself.
    pub(super) parent: u32,
    /// Words of content and of noise in it and below it, over all examples.
    pub(super) all: Words,
    /// Words that stand directly in it.
    pub(super) own: Words,
    /// The shapes of elements in it, where it holds content or noise alone and its own areas are not told.
    pub(super) holds: Vec<String>,
}

/// How many words are content, and how many noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) kept: u32,
    pub(super) noise: u32,
}

impl Words {
    pub(super) fn add(&mut self, count: u32, is_kept: bool) {
        let words = if is_kept { &mut self.kept } else { &mut self.noise };
        *words = words.saturating_add(count);
    }

    fn add_all(&mut self, words: Words) {
        self.add(words.kept, true);
        self.add(words.noise, false);
    }

    /// Without some of them.
    pub(super) fn without(self, some: Words) -> Words {
        Words { kept: self.kept.saturating_sub(some.kept), noise: self.noise.saturating_sub(some.noise) }
    }

    /// Whether there are both.
    pub(super) fn is_mixed(self) -> bool {
        self.kept > 0 && self.noise > 0
    }

    /// What all of them are, if they are all one.
    pub(super) fn verdict(self) -> Option<bool> {
        match (self.kept, self.noise) {
            (0, 0) => None,
            (_, 0) => Some(true),
            (0, _) => Some(false),
            _ => None,
        }
    }
}

/// The areas of a site.
#[derive(Clone, Debug)]
pub(super) struct Areas {
    areas: Vec<Area>,
    children: FxHashMap<(u32, u64), u32>,
}

/// Where an element stands, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The innermost known area.
    pub(super) area: u32,
    /// Whether it is the element's own, or only that of an element around it.
    pub(super) is_own: bool,
    /// Whether it stands in an element that the area does not have in the examples.
    pub(super) is_strange: bool,
}

impl Place {
    pub(super) const ROOT: Place = Place { area: 0, is_own: true, is_strange: false };
}

impl Areas {
    pub(super) fn new() -> Areas {
        Areas { areas: vec![Area::default()], children: FxHashMap::default() }
    }

    /// The areas as listed; `None` where one stands before that around it.
    pub(super) fn from_list(list: Vec<Area>) -> Option<Areas> {
        let is_placed = |(index, area): (usize, &Area)| (area.parent as usize) < index.max(1);
        if list.is_empty() || list.len() > AREAS_MAX || !list.iter().enumerate().all(is_placed) {
            return None;
        }
        let children = list.iter().enumerate().skip(1);
        let children = children.map(|(index, area)| ((area.parent, hash(&area.shape)), index as u32)).collect();
        Some(Areas { areas: list, children })
    }

    pub(super) fn list(&self) -> &[Area] {
        &self.areas
    }

    pub(super) fn get(&self, area: u32) -> &Area {
        &self.areas[area as usize]
    }

    /// The area of an element of this shape; a new one where there is none yet.
    pub(super) fn enter(&mut self, parent: Place, shape: &str) -> Place {
        let key = (parent.area, hash(shape));
        if let Some(&area) = self.children.get(&key).filter(|_| parent.is_own) {
            return Place { area, ..Place::ROOT };
        }
        if !parent.is_own || self.areas.len() >= AREAS_MAX {
            return Place { area: parent.area, is_own: false, is_strange: false };
        }
        let area = self.areas.len() as u32;
        self.areas.push(Area { shape: shape.to_owned(), parent: parent.area, ..Area::default() });
        self.children.insert(key, area);
        Place { area, ..Place::ROOT }
    }

    /// Counts words of an example.
    pub(super) fn add(&mut self, place: Place, words: Words) {
        self.areas[place.area as usize].own.add_all(words);
        let mut area = place.area;
        loop {
            let Area { all, parent, .. } = &mut self.areas[area as usize];
            all.add_all(words);
            if area == 0 {
                break;
            }
            area = *parent;
        }
    }

    /// Without those that say nothing of their own: the ones below an area that holds only content or only noise, and the ones without
    /// words. Gives the new number of each area: its own, or that of the one around it.
    pub(super) fn pruned(self) -> (Areas, Vec<u32>) {
        let mut list: Vec<Area> = Vec::new();
        let mut numbers: Vec<u32> = Vec::with_capacity(self.areas.len());
        for (index, area) in self.areas.into_iter().enumerate() {
            let around = numbers.get(area.parent as usize).copied().unwrap_or(0);
            let is_told = index > 0 && list.get(around as usize).is_some_and(|around| around.all.verdict().is_some());
            let is_empty = area.all == Words::default();
            if index > 0 && (is_told || is_empty) {
                numbers.push(around);
                if is_told
                    && !list[around as usize].holds.contains(&area.shape)
                    && list[around as usize].holds.len() < HOLDS_MAX
                {
                    list[around as usize].holds.push(area.shape);
                }
            } else {
                numbers.push(list.len() as u32);
                list.push(Area { parent: around, ..area });
            }
        }
        let areas = Areas::from_list(list).expect("areas stand behind those around them, and no more were added");
        (areas, numbers)
    }
}

/// Finds areas on a page, each pair of area and shape once.
pub(super) struct Finder<'a> {
    areas: &'a Areas,
    found: FxHashMap<(u32, u64), Option<u32>>,
    held: FxHashMap<(u32, u64), bool>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(areas: &'a Areas) -> Finder<'a> {
        Finder { areas, found: FxHashMap::default(), held: FxHashMap::default() }
    }

    /// The area of an element of this shape, or the innermost known one around it.
    pub(super) fn enter(&mut self, parent: Place, shape: &str) -> Place {
        if parent.is_strange {
            return parent;
        }
        let area = self.areas.get(parent.area);
        if area.all.verdict().is_some() {
            let holds = &area.holds;
            let key = (parent.area, hash(shape));
            let known =
                self.held.entry(key).or_insert_with(|| holds.iter().any(|held| likeness(held, shape) >= LIKENESS_MIN));
            return Place { is_own: false, is_strange: !*known, ..parent };
        }
        let around = Place { is_own: false, is_strange: true, ..parent };
        let key = (parent.area, hash(shape));
        if let Some(&area) = self.areas.children.get(&key) {
            return Place { area, ..Place::ROOT };
        }
        let areas = self.areas;
        let found = self.found.entry(key).or_insert_with(|| most_alike(areas, parent.area, shape));
        found.map_or(around, |area| Place { area, ..Place::ROOT })
    }
}

/// The area in `parent` whose shape is most like this one.
fn most_alike(areas: &Areas, parent: u32, shape: &str) -> Option<u32> {
    let children = areas.areas.iter().enumerate().skip(1).filter(|(_, area)| area.parent == parent);
    let alike = children.map(|(index, area)| (likeness(&area.shape, shape), index as u32));
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))?;
    (best.0 >= LIKENESS_MIN).then_some(best.1)
}

pub(super) fn hash(shape: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(shape.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas() -> Areas {
        let mut areas = Areas::new();
        let body = areas.enter(Place::ROOT, "body");
        let text = areas.enter(body, "div.text.post-0");
        let paragraph = areas.enter(text, "p");
        let menu = areas.enter(body, "ul.menu");
        areas.add(paragraph, Words { kept: 30, noise: 0 });
        areas.add(menu, Words { kept: 0, noise: 5 });
        areas.pruned().0
    }

    #[test]
    fn what_lies_in_an_area_of_one_kind_is_not_kept() {
        let shapes: Vec<_> = areas().list().iter().map(|area| area.shape.clone()).collect();
        assert_eq!(shapes, ["", "body", "div.text.post-0", "ul.menu"]);
    }

    #[test]
    fn a_shape_with_half_of_its_marks_is_found_and_what_is_below_belongs_to_it() {
        let areas = areas();
        let mut finder = Finder::new(&areas);
        let body = finder.enter(Place::ROOT, "body");
        let text = finder.enter(body, "div.text.other");
        assert_eq!(areas.get(text.area).shape, "div.text.post-0");
        let below = finder.enter(text, "table");
        assert_eq!((below.area, below.is_own), (text.area, false));
        assert_eq!(finder.enter(body, "div.foot"), Place { area: body.area, is_own: false, is_strange: true });
    }

    #[test]
    fn a_list_out_of_order_is_refused() {
        let area = |parent| Area { parent, ..Area::default() };
        assert!(Areas::from_list(vec![area(0), area(2), area(0)]).is_none());
        assert!(Areas::from_list(Vec::new()).is_none());
        assert!(Areas::from_list(vec![area(0), area(0), area(1)]).is_some());
    }
}
