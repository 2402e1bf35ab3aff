//! Where paragraphs begin and end, told by the one, two or three marks before their beginnings and after their ends.
//!
//! As WLES has it, a page is split three ways, by contexts of one, two and three marks, and the smoothest way is taken. A context counts
//! only in the area that it was seen in, so that `<p>` in the text is not `<p>` in the imprint.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use super::areas::hash;
use super::reading::{Mark, MarkKind, Reading, RunBlocks};
use super::shape::write_shape;

/// Marks of the longest context.
pub(super) const MARKS_MAX: usize = 3;
/// Contexts of each sort that are kept.
const CONTEXTS_MAX: usize = 5_000;
/// How the place of a text is written among marks.
const TEXT: &str = "text";

/// The marks on one side of a paragraph, nearest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) area: u32,
    pub(super) marks: Vec<String>,
}

/// What stands before and after the paragraphs of examples.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraphs {
    before: Side,
    after: Side,
    /// How much of the examples each split gets right, by the number of marks.
    agreement: [f64; MARKS_MAX],
}

/// The contexts on one side, with how often each was seen.
#[derive(Clone, Debug, Default)]
struct Side {
    contexts: Vec<(Context, u32)>,
    /// By number of marks.
    seen: [FxHashMap<u64, u32>; MARKS_MAX],
}

/// A page split into paragraphs.
pub(super) struct Split {
    /// By run: whether it stands in a paragraph.
    pub(super) inside: Vec<bool>,
    /// From 0 to 1: how well begins and ends alternate.
    smoothness: f64,
    text_blocks: usize,
}

/// Whether a run begins and ends a paragraph that is not to count.
pub(super) type LeftOut<'a> = &'a dyn Fn(usize) -> (bool, bool);

impl Paragraphs {
    /// Contexts as listed.
    pub(super) fn from_lists(
        before: Vec<(Context, u32)>,
        after: Vec<(Context, u32)>,
        agreement: [f64; MARKS_MAX],
    ) -> Paragraphs {
        Paragraphs { before: Side::from_list(before), after: Side::from_list(after), agreement }
    }

    pub(super) fn before(&self) -> &[(Context, u32)] {
        &self.before.contexts
    }

    pub(super) fn after(&self) -> &[(Context, u32)] {
        &self.after.contexts
    }

    pub(super) fn agreement(&self) -> [f64; MARKS_MAX] {
        self.agreement
    }

    pub(super) fn set_agreement(&mut self, agreement: [f64; MARKS_MAX]) {
        self.agreement = agreement;
    }

    /// Splits a page by contexts of so many marks.
    pub(super) fn split(&self, reading: &Reading<'_>, mark_count: usize, left_out: LeftOut<'_>) -> Split {
        let mut split = Split { inside: Vec::with_capacity(reading.runs.len()), smoothness: 0.0, text_blocks: 0 };
        let (mut marks, mut rough) = (0_usize, 0_usize);
        let mut is_inside = false;
        for (index, run) in reading.runs.iter().enumerate() {
            let (own_begin, own_end) = left_out(index);
            if self.before.has(before(reading, run, mark_count), run, mark_count, own_begin) {
                marks += 1;
                rough += usize::from(is_inside);
                is_inside = true;
            }
            split.inside.push(is_inside);
            split.text_blocks += if is_inside { run.blocks.len() } else { 0 };
            if self.after.has(after(reading, run, mark_count), run, mark_count, own_end) {
                marks += 1;
                rough += usize::from(!is_inside);
                is_inside = false;
            }
        }
        rough += usize::from(is_inside);
        split.smoothness = if marks == 0 { 0.0 } else { 1.0 - (rough.min(marks)) as f64 / marks as f64 };
        split
    }

    /// The best of the three splits; `None` where no context is found.
    ///
    /// Decision: the paper takes the smoothest that yields most text, which favours short contexts. How right each was on the examples
    /// counts too, and text only where they are equal.
    pub(super) fn best_split(&self, reading: &Reading<'_>) -> Option<Split> {
        let splits =
            (1..=MARKS_MAX).map(|count| (self.split(reading, count, &|_| (false, false)), self.agreement[count - 1]));
        let ranked = splits.map(|(split, agreement)| (split.smoothness * agreement, split));
        let best = ranked
            .max_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.text_blocks.cmp(&other.1.text_blocks)));
        best.filter(|(rank, _)| *rank > 0.0).map(|(_, split)| split)
    }
}

impl Side {
    fn from_list(contexts: Vec<(Context, u32)>) -> Side {
        let mut side = Side::default();
        for (context, count) in &contexts {
            for mark_count in 1..=MARKS_MAX {
                let codes = context.marks.iter().take(mark_count).map(|mark| code(mark));
                *side.seen[mark_count - 1].entry(key(context.area, codes)).or_default() += count;
            }
        }
        side.contexts = contexts;
        side
    }

    fn has<'m>(&self, marks: impl Iterator<Item = &'m Mark>, run: &RunBlocks, mark_count: usize, is_own: bool) -> bool {
        let key = key(run.place.area, marks.map(|mark| mark.code));
        run.place.is_own && self.seen[mark_count - 1].get(&key).is_some_and(|count| *count > u32::from(is_own))
    }
}

/// The contexts of these runs, each with its number; bounded, the first seen stay.
pub(super) fn contexts<'r>(
    reading: &Reading<'_>,
    runs: impl Iterator<Item = &'r RunBlocks>,
    is_before: bool,
    out: &mut Vec<(Context, u32)>,
) {
    let mut places: FxHashMap<Context, usize> =
        out.iter().enumerate().map(|(place, (context, _))| (context.clone(), place)).collect();
    for run in runs {
        let written = |mark: &Mark| write_mark(reading, mark);
        let marks = if is_before {
            before(reading, run, MARKS_MAX).map(written).collect()
        } else {
            after(reading, run, MARKS_MAX).map(written).collect()
        };
        let context = Context { area: run.place.area, marks };
        match places.get(&context) {
            Some(&place) => out[place].1 += 1,
            None if out.len() < CONTEXTS_MAX => {
                places.insert(context.clone(), out.len());
                out.push((context, 1));
            }
            None => {}
        }
    }
}

/// The marks before a run, nearest first.
fn before<'r>(reading: &'r Reading<'_>, run: &RunBlocks, count: usize) -> impl Iterator<Item = &'r Mark> {
    let range: Range<usize> = run.mark.saturating_sub(count)..run.mark;
    reading.marks[range].iter().rev()
}

/// The marks after a run, nearest first.
fn after<'r>(reading: &'r Reading<'_>, run: &RunBlocks, count: usize) -> impl Iterator<Item = &'r Mark> {
    let start = run.mark + 1;
    reading.marks[start..(start + count).min(reading.marks.len())].iter()
}

fn key(area: u32, codes: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(area);
    codes.for_each(|code| hasher.write_u64(code));
    hasher.finish()
}

fn write_mark(reading: &Reading<'_>, mark: &Mark) -> String {
    let dom = reading.page.dom();
    let mut shape = String::new();
    match mark.kind {
        MarkKind::Text => TEXT.to_owned(),
        MarkKind::Close => format!("</{}>", dom.name(mark.node)),
        MarkKind::Open => {
            write_shape(dom, mark.node, &mut shape);
            format!("<{shape}>")
        }
    }
}

/// The code of a mark as it is written; what is no mark has one of its own, too.
fn code(mark: &str) -> u64 {
    let inner = mark.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    match inner.map(|inner| (inner, inner.strip_prefix('/'))) {
        None => Mark::TEXT_CODE,
        Some((_, Some(name))) => Mark::close_code(name),
        Some((shape, None)) => hash(shape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::areas::Place;
    use kuai_page::Page;

    /// Learns from the runs that hold `x`, and tells the runs of another page that stand in paragraphs.
    fn check(example: &str, page: &str, expected: &[&str]) {
        let example = Page::from_html(example);
        let reading = Reading::of(&example, |_, _| Place::ROOT);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let runs = || reading.runs.iter().filter(|run| reading.blocks[run.blocks.start].text.contains('x'));
        contexts(&reading, runs(), true, &mut before);
        contexts(&reading, runs(), false, &mut after);
        let paragraphs = Paragraphs::from_lists(before, after, [0.8, 0.9, 1.0]);
        let page = Page::from_html(page);
        let reading = Reading::of(&page, |_, _| Place::ROOT);
        let split = paragraphs.best_split(&reading);
        let inside = split.map_or(Vec::new(), |split| split.inside);
        let texts = reading.runs.iter().zip(inside).filter(|(_, inside)| *inside);
        let texts: Vec<_> = texts.map(|(run, _)| reading.blocks[run.blocks.start].text).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn paragraphs_are_told_by_what_stands_around_them() {
        check(
            "<td>menu<hr>x one<br><br>x two<hr>imprint</td>",
            "<td>menu<hr>first<br><br>second<br><br>third<hr>imprint</td>",
            &["first", "second", "third"],
        );
    }

    #[test]
    fn what_stands_inside_a_paragraph_belongs_to_it() {
        check(
            "<h1>head</h1><p>x</p><p>x</p><div>foot</div>",
            "<h1>head</h1><p>one <b>bold</b> more</p><div>foot</div>",
            &["one ", "bold", " more"],
        );
    }

    #[test]
    fn where_no_context_is_found_there_is_no_split() {
        check("<p>x</p>", "<ul><li>a</ul>", &[]);
    }
}
