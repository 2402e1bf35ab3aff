//! What the models are told about each group: facts of its own, and some of them about the groups around and inside it.

use kuai_page::{Dom, Tag};
use rustc_hash::FxHashMap;

use super::children::Children;
use super::group::Group;

/// What is said where there is nobody to tell a fact about.
const NOBODY: f32 = -1.0;

macro_rules! facts {
    ($($fact:ident),* $(,)?) => {
        /// A fact about a group by itself; lengths are in characters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Fact { $($fact),* }

        const FACTS: &[Fact] = &[$(Fact::$fact),*];
    };
}

facts! {
    Share, Start, End, Length, PageLength, LengthToParent, LengthToSiblings,
    Elements, Blocks, Links, Items, LinkShare, LinkLength, HiddenShare, IsHidden,
    Depth, GroupDepth, ChainLength, ChainBlocks, Tag, PageAlike,
    Children, LargestChild, FirstChild, SiblingsAlike, SiblingsAlikeShare, SiblingsBlocks,
    // Told about others only: about a group itself they cost .017 fuzzy on the Chinese pages.
    Headings, ChildrenAlike, ChildrenBlocks,
}

/// How many facts are told about a group itself.
const OWN: usize = Fact::Headings as usize;

/// Whose fact is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Parent,
    Grandparent,
    ChildrenMean,
    ChildrenMax,
}

#[rustfmt::skip]
const CONTEXT: &[(Of, &[Fact])] = {
    use Fact::*;
    &[
        (Of::Parent, &[
            Share, Length, LargestChild, Children, ChainLength, LinkShare, Links, ChildrenAlike, ChildrenBlocks, IsHidden, Headings,
        ]),
        (Of::Grandparent, &[Share, LinkShare, Children, ChildrenAlike]),
        (Of::ChildrenMean, &[Share, Elements]),
        (Of::ChildrenMax, &[Elements]),
    ]
};

/// How many columns there are.
pub(super) const COLUMNS: usize = {
    let (mut count, mut index) = (OWN, 0);
    while index < CONTEXT.len() {
        count += CONTEXT[index].1.len();
        index += 1;
    }
    count
};

/// The names of the columns.
pub(super) fn columns() -> Vec<String> {
    let own = FACTS[..OWN].iter().map(|fact| format!("{fact:?}"));
    let context = CONTEXT.iter().flat_map(|(of, facts)| facts.iter().map(move |fact| format!("{of:?}:{fact:?}")));
    own.chain(context).collect()
}

/// All columns of the groups that are asked about, row after row.
pub(super) fn rows(dom: Dom<'_>, groups: &[Group], children: &Children, asked: &[usize]) -> Vec<f32> {
    let page = PageFacts::of(groups);
    let mut table = Table(vec![0.0; FACTS.len() * groups.len()]);
    for (index, group) in groups.iter().enumerate() {
        let row = table.row_mut(index);
        text_facts(group, &page, row);
        row[Fact::Tag as usize] = tag_number(dom.tag(group.outer));
        child_facts(groups, children.of(index), group, row);
    }
    for index in 0..groups.len() {
        sibling_facts(groups, children.of(index), &mut table);
    }
    let mut rows = Vec::with_capacity(COLUMNS * asked.len());
    for &index in asked {
        rows.extend_from_slice(&table.row_mut(index)[..OWN]);
        table.tell_context(groups, children, index, &mut rows);
    }
    rows
}

/// The facts of all groups.
struct Table(Vec<f32>);

impl Table {
    fn row_mut(&mut self, group: usize) -> &mut [f32] {
        &mut self.0[group * FACTS.len()..(group + 1) * FACTS.len()]
    }

    fn get(&self, group: usize, fact: Fact) -> f32 {
        self.0[group * FACTS.len() + fact as usize]
    }

    fn set(&mut self, group: usize, fact: Fact, value: f32) {
        self.0[group * FACTS.len() + fact as usize] = value;
    }

    fn tell_context(&self, groups: &[Group], children: &Children, group: usize, row: &mut Vec<f32>) {
        let parent = groups[group].parent;
        let grandparent = parent.and_then(|parent| groups[parent].parent);
        let inside = children.of(group);
        for &(of, facts) in CONTEXT {
            row.extend(facts.iter().map(|&fact| {
                let told = |of: Option<usize>| of.map_or(NOBODY, |of| self.get(of, fact));
                let values = inside.iter().map(|&child| self.get(child, fact));
                match of {
                    Of::Parent => told(parent),
                    Of::Grandparent => told(grandparent),
                    Of::ChildrenMean if !inside.is_empty() => values.sum::<f32>() / inside.len() as f32,
                    Of::ChildrenMax if !inside.is_empty() => values.fold(f32::MIN, f32::max),
                    Of::ChildrenMean | Of::ChildrenMax => NOBODY,
                }
            }));
        }
    }
}

/// What holds for the page as a whole.
struct PageFacts {
    length: f32,
    /// How many groups have a signature.
    alike: FxHashMap<u64, u32>,
}

impl PageFacts {
    fn of(groups: &[Group]) -> PageFacts {
        let mut alike: FxHashMap<u64, u32> = FxHashMap::default();
        for group in groups {
            *alike.entry(group.signature).or_default() += 1;
        }
        let length = groups.first().map_or(1, Group::length) as f32;
        PageFacts { length, alike }
    }
}

/// A share of something that may be nothing.
fn ratio(part: f32, whole: f32) -> f32 {
    part / whole.max(1.0)
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn text_facts(group: &Group, page: &PageFacts, row: &mut [f32]) {
    let mut set = |fact: Fact, value: f32| row[fact as usize] = value;
    let length = group.length() as f32;
    let tally = group.tally;
    set(Fact::Share, length / page.length);
    set(Fact::Start, group.text.start as f32 / page.length);
    set(Fact::End, group.text.end as f32 / page.length);
    set(Fact::Length, length);
    set(Fact::PageLength, page.length);
    set(Fact::Elements, tally.elements as f32);
    set(Fact::Blocks, tally.blocks as f32);
    set(Fact::Links, tally.links as f32);
    set(Fact::Headings, tally.headings as f32);
    set(Fact::Items, tally.items as f32);
    set(Fact::LinkShare, tally.link_characters as f32 / length);
    set(Fact::LinkLength, ratio(tally.link_characters as f32, tally.links as f32));
    set(Fact::HiddenShare, tally.hidden_characters as f32 / length);
    set(Fact::IsHidden, flag(group.is_hidden));
    set(Fact::Depth, group.depth as f32);
    set(Fact::GroupDepth, group.group_depth as f32);
    set(Fact::ChainLength, group.chain_length as f32);
    set(Fact::ChainBlocks, group.chain_blocks as f32);
    set(Fact::PageAlike, page.alike.get(&group.signature).copied().unwrap_or(0) as f32);
}

fn child_facts(groups: &[Group], children: &[usize], group: &Group, row: &mut [f32]) {
    let mut set = |fact: Fact, value: f32| row[fact as usize] = value;
    let length = group.length() as f32;
    let length_of = |&child: &usize| groups[child].length() as f32;
    set(Fact::Children, children.len() as f32);
    set(Fact::LargestChild, children.iter().map(length_of).fold(0.0, f32::max) / length);
    set(Fact::FirstChild, children.first().map_or(0.0, length_of) / length);
    let around = group.parent.map_or(length, |parent| groups[parent].length() as f32);
    set(Fact::LengthToParent, length / around);
}

/// Facts that are read off all children of a group together.
fn sibling_facts(groups: &[Group], siblings: &[usize], table: &mut Table) {
    let Some(parent) = siblings.first().and_then(|&first| groups[first].parent) else { return };
    let count = siblings.len() as f32;
    let mut signatures: Vec<u64> = siblings.iter().map(|&sibling| groups[sibling].signature).collect();
    signatures.sort_unstable();
    let most_alike = signatures.chunk_by(u64::eq).map(<[u64]>::len).max().unwrap_or(0) as f32;
    let blocks = siblings.iter().filter(|&&sibling| groups[sibling].chain_blocks > 0).count() as f32 / count;
    let length_mean = siblings.iter().map(|&sibling| groups[sibling].length() as f32).sum::<f32>() / count;
    table.set(parent, Fact::ChildrenAlike, most_alike / count);
    table.set(parent, Fact::ChildrenBlocks, blocks);
    for &sibling in siblings {
        let signature = groups[sibling].signature;
        let until = signatures.partition_point(|&other| other <= signature);
        let before = signatures.partition_point(|&other| other < signature);
        let alike = (until - before) as f32;
        table.set(sibling, Fact::SiblingsAlike, alike);
        table.set(sibling, Fact::SiblingsAlikeShare, alike / count);
        table.set(sibling, Fact::SiblingsBlocks, blocks);
        table.set(sibling, Fact::LengthToSiblings, groups[sibling].length() as f32 / length_mean);
    }
}

/// A number for a tag. A tree asks whether it is at most so large, so frequent tags that mean much come first.
fn tag_number(tag: Tag) -> f32 {
    use Tag::*;
    #[rustfmt::skip]
    const ORDER: &[Tag] = &[
        Div, Ul, Li, A, P, Table, Tbody, Tr, Td, Span, H1, H2, H3, H4, Form, Section, Article, Nav, Header, Footer, Aside, Dl, Dt,
        Dd, Ol, Fieldset, Center, Main, Body, B, Strong, Em, Font,
    ];
    ORDER.iter().position(|&known| known == tag).map_or(0.0, |place| place as f32 + 1.0)
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::*;
    use crate::blocks::group::groups;

    fn fact(source: &str, group: usize, column: &str) -> f32 {
        let page = Page::from_html(source);
        let groups = groups(&page);
        let place = columns().iter().position(|name| name == column).expect("the column is there");
        rows(page.dom(), &groups, &Children::read(&groups), &[group])[place]
    }

    #[test]
    fn a_group_is_told_about_itself_its_parent_and_its_children() {
        let source = "<body><ul><li class=a1>one<li class=a2>three<li>seventy</ul><p>rest</p></body>";
        assert_eq!(fact(source, 1, "Children"), 3.0);
        assert_eq!(fact(source, 2, "Parent:ChildrenAlike"), 2.0 / 3.0);
        assert_eq!(fact(source, 2, "SiblingsAlike"), 2.0);
        assert_eq!(fact(source, 2, "Parent:Children"), 3.0);
        assert_eq!(fact(source, 2, "Grandparent:Children"), 2.0);
        assert_eq!(fact(source, 1, "ChildrenMean:Elements"), 1.0);
        assert_eq!(fact(source, 0, "Parent:Children"), NOBODY);
    }
}
