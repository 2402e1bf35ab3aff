//! What the second model is told besides: what the first one thinks of a group and of its relatives.

use rustc_hash::FxHashMap;

use super::children::Children;
use super::decode::Near;
use super::group::Group;

/// The names of the columns.
pub(super) const RELATIVES: [&str; 9] =
    ["Chance", "Rank", "Joint", "Siblings", "SiblingsAlike", "PageAlike", "Covered", "AncestorsSum", "AncestorsMax"];
/// What is said where there is nobody to have a chance.
const NOBODY: f64 = -1.0;

/// A row of these for each group that is asked about, one after another. `chances` are those of all groups.
pub(super) fn relatives(
    groups: &[Group],
    children: &Children,
    near: &Near,
    asked: &[usize],
    chances: &[f64],
) -> Vec<f32> {
    let ranks = ranks(chances);
    let covered = covered(groups, children, chances);
    let ancestors = ancestors(groups, chances);
    let siblings = siblings(groups, children, chances);
    let alike = alike(groups, 0..groups.len(), chances);
    let mut rows = Vec::with_capacity(asked.len() * RELATIVES.len());
    for &index in asked {
        let page_alike = alike[&groups[index].signature].of_others(chances[index]);
        let joint = near.joint(index, |near| chances[near]);
        let [sibling_mean, sibling_alike] = siblings[index];
        let (sum, max) = ancestors[index];
        let row =
            [chances[index], ranks[index], joint, sibling_mean, sibling_alike, page_alike, covered[index], sum, max];
        rows.extend(row.map(|value| value as f32));
    }
    rows
}

/// The place of each when the likeliest come first.
fn ranks(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&one, &other| chances[other].total_cmp(&chances[one]));
    let mut ranks = vec![0.0; chances.len()];
    for (rank, group) in order.into_iter().enumerate() {
        ranks[group] = rank as f64;
    }
    ranks
}

/// The share of each text that likely blocks inside it cover.
fn covered(groups: &[Group], children: &Children, chances: &[f64]) -> Vec<f64> {
    let mut covered = vec![0.0; groups.len()];
    for index in (0..groups.len()).rev() {
        let part = |&child: &usize| f64::from(groups[child].length()) * f64::max(chances[child], covered[child]);
        let parts: f64 = children.of(index).iter().map(part).sum();
        covered[index] = parts / f64::from(groups[index].length());
    }
    covered
}

/// The sum and the largest of the chances of the groups around each.
fn ancestors(groups: &[Group], chances: &[f64]) -> Vec<(f64, f64)> {
    let mut ancestors: Vec<(f64, f64)> = Vec::with_capacity(groups.len());
    for group in groups {
        ancestors.push(group.parent.map_or((0.0, 0.0), |parent| {
            let (sum, max) = ancestors[parent];
            (sum + chances[parent], max.max(chances[parent]))
        }));
    }
    ancestors
}

/// The mean chances of each group's siblings, and of those with its signature.
fn siblings(groups: &[Group], children: &Children, chances: &[f64]) -> Vec<[f64; 2]> {
    let mut means = vec![[NOBODY; 2]; groups.len()];
    for parent in 0..groups.len() {
        let siblings = children.of(parent);
        if siblings.len() < 2 {
            continue;
        }
        let all = siblings.iter().fold(Chances::default(), |all, &sibling| all.with(chances[sibling]));
        let alike = alike(groups, siblings.iter().copied(), chances);
        for &sibling in siblings {
            let chance = chances[sibling];
            means[sibling] = [all.of_others(chance), alike[&groups[sibling].signature].of_others(chance)];
        }
    }
    means
}

/// The chances of some groups together, by their signatures.
fn alike(groups: &[Group], of: impl Iterator<Item = usize>, chances: &[f64]) -> FxHashMap<u64, Chances> {
    let mut alike: FxHashMap<u64, Chances> = FxHashMap::default();
    for group in of {
        let sum = alike.entry(groups[group].signature).or_default();
        *sum = sum.with(chances[group]);
    }
    alike
}

#[derive(Clone, Copy, Default)]
struct Chances {
    sum: f64,
    count: u32,
}

impl Chances {
    fn with(self, chance: f64) -> Chances {
        Chances { sum: self.sum + chance, count: self.count + 1 }
    }

    /// The mean without one of them.
    fn of_others(self, chance: f64) -> f64 {
        if self.count < 2 { NOBODY } else { (self.sum - chance) / f64::from(self.count - 1) }
    }
}
