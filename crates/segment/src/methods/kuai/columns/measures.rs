//! How much text stands in each element, and of what sort.

use super::super::outline::Outline;

/// Words from which a unit is long, unless it is mostly links.
const LONG_MIN: f32 = 12.0;
/// Share of links from which text is not long text.
const LONG_LINK_MAX: f32 = 0.35;

/// Sums over the units of an element and of all elements in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Words.
    pub(super) text: f32,
    /// Words in links.
    pub(super) link: f32,
    /// Punctuation.
    pub(super) marks: f32,
    /// Words in long units.
    pub(super) long: f32,
    /// The first unit, and the one after the last: those of an element stand together.
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Sums {
    pub(super) fn units(&self) -> f32 {
        self.end.saturating_sub(self.first) as f32
    }

    fn add(&mut self, other: Sums) {
        self.text += other.text;
        self.link += other.link;
        self.marks += other.marks;
        self.long += other.long;
        self.first = self.first.min(other.first);
        self.end = self.end.max(other.end);
    }
}

/// The sums of all elements.
pub(super) struct Measures {
    pub(super) sums: Vec<Sums>,
    /// Words of the page, at least one.
    pub(super) total: f32,
}

impl Measures {
    pub(super) fn of(outline: &Outline) -> Measures {
        let none = Sums { first: u32::MAX, ..Sums::default() };
        let mut sums = vec![none; outline.elements.len()];
        for (index, unit) in outline.units.iter().enumerate() {
            let text = &unit.text;
            let is_long = text.length >= LONG_MIN && text.link < LONG_LINK_MAX;
            sums[unit.element as usize].add(Sums {
                text: text.length,
                link: text.link * text.length,
                marks: text.marks as f32,
                long: if is_long { text.length } else { 0.0 },
                first: index as u32,
                end: index as u32 + 1,
            });
        }
        for index in (1..outline.elements.len()).rev() {
            let below = sums[index];
            sums[outline.elements[index].parent as usize].add(below);
        }
        let total = sums.first().map_or(1.0, |sums| sums.text.max(1.0));
        Measures { sums, total }
    }

    pub(super) fn at(&self, element: u32) -> &Sums {
        &self.sums[element as usize]
    }

    /// Descends from the root as long as one child has this share of what `of` gives for the root.
    pub(super) fn holder(&self, outline: &Outline, share: f32, of: impl Fn(&Sums) -> f32) -> u32 {
        let Some(root) = self.sums.first() else { return 0 };
        let least = share * of(root);
        let mut holder = 0;
        if least <= 0.0 {
            return 0;
        }
        // Elements stand behind their parents, so one pass follows the path down.
        for index in 1..outline.elements.len() {
            if outline.elements[index].parent == holder && of(&self.sums[index]) >= least {
                holder = index as u32;
            }
        }
        holder
    }
}
