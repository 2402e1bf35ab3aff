//! The trained model: what sort of page it is, then how likely each unit is main text, in two stages.
//!
//! `training/extract.py` makes the files in `models/` from labelled pages; `training/extract-report.md` says how good they are.

use std::sync::LazyLock;

use super::columns::{self, Columns};
use super::context::Context;
use super::outline::Outline;
use super::tables::{Sayings, Tables};
use crate::model::Forest;

/// The places of some among the types of pages: article, collection, documentation, forum, listing, product, service.
const ARTICLE: usize = 0;
const COLLECTION: usize = 1;
const DOCUMENTATION: usize = 2;
const FORUM: usize = 3;
const LISTING: usize = 4;
const SERVICE: usize = 6;

/// How likely a page is an article from which it is taken for one.
const ARTICLE_MIN: f32 = 0.8;
/// The same for documentation.
const DOCUMENTATION_MIN: f32 = 0.5;
/// The same for forums.
const FORUM_MIN: f32 = 0.5;
const MAYBE_FORUM_MIN: f32 = 0.3;
/// The same for pages that are there to be read, articles, documentation and pages of services together.
const READ_MIN: f32 = 0.5;
/// The same for pages that list things, collections and listings together.
const LIST_MIN: f32 = 0.5;
/// The same where a mistake costs more.
const SURE_LIST_MIN: f32 = 0.6;

/// The model that comes with the program.
pub(super) static MODEL: LazyLock<Model> = LazyLock::new(|| Model {
    types: Forest::read(include_bytes!("../../../models/types.forest")),
    tables: Tables::read(include_bytes!("../../../models/tables.bin")),
    first: Forest::read(include_bytes!("../../../models/first.forest")),
    first_chinese: Forest::read(include_bytes!("../../../models/first-chinese.forest")),
    second: Forest::read(include_bytes!("../../../models/second.forest")),
    wide: columns::page_columns().iter().position(|&name| name == "page_wide").expect("a page has this column"),
});

/// Share of Chinese characters from which a page is Chinese. Of the labelled pages none lies between .2 and .5.
const CHINESE_MIN: f32 = 0.4;
/// How far the second stage may move the log-odds that the first gives a unit: on pages that are like none it has seen, such as a post above the
/// tree of its replies, what it makes of the page as a whole would overrule what the first saw in each unit.
const MOVED_MAX: f32 = 1.0;
/// How much of that counts: two that are not sure err less together.
const SECOND_WEIGHT: f32 = 0.85;
/// Likelihoods nearer to 0 or 1 than this are as sure as can be.
const SURE: f32 = 1e-6;

pub(super) struct Model {
    types: Forest,
    tables: Tables,
    first: Forest,
    /// For Chinese pages: the largest set of labelled pages has none, and what it calls main text differs (`training/extract.py`).
    first_chinese: Forest,
    second: Forest,
    /// The column of the page that tells its share of Chinese characters.
    wide: usize,
}

/// What the model thinks of a page.
pub(super) struct Judgement {
    /// How likely the page is of each type.
    pub(super) types: Vec<f32>,
    /// How likely each unit is main text.
    pub(super) likely: Vec<f32>,
    pub(super) is_chinese: bool,
}

impl Judgement {
    pub(super) fn is_article(&self) -> bool {
        self.types[ARTICLE] >= ARTICLE_MIN
    }

    pub(super) fn is_documentation(&self) -> bool {
        self.types[DOCUMENTATION] >= DOCUMENTATION_MIN
    }

    pub(super) fn is_forum(&self) -> bool {
        self.types[FORUM] >= FORUM_MIN
    }

    /// Whether what readers wrote may be what the page is there for.
    pub(super) fn may_be_forum(&self) -> bool {
        self.types[FORUM] >= MAYBE_FORUM_MIN
    }

    pub(super) fn is_read(&self) -> bool {
        self.types[ARTICLE] + self.types[DOCUMENTATION] + self.types[SERVICE] >= READ_MIN
    }

    pub(super) fn is_list(&self) -> bool {
        self.lists() >= LIST_MIN
    }

    pub(super) fn is_surely_list(&self) -> bool {
        self.lists() >= SURE_LIST_MIN
    }

    fn lists(&self) -> f32 {
        self.types[COLLECTION] + self.types[LISTING]
    }
}

impl Model {
    pub(super) fn judge(&self, outline: &Outline, columns: &Columns) -> Judgement {
        let mut types = Vec::new();
        self.types.score(&columns.page, &mut types);
        softmax(&mut types);
        let sayings = self.tables.read_page(outline);
        let first = self.first_answers(outline, columns, &sayings, &types);
        let context = Context::of(outline, &columns.shapes, &first);
        let mut likely = Vec::new();
        let write = |index: usize, row: &mut Vec<f32>| {
            context.write_unit(index, row);
            columns.write_again(outline, index, row);
            sayings.write_again(index, row);
            row.extend(&types);
        };
        self.second.score_each(outline.units.len(), write, &mut likely);
        for (likely, first) in likely.iter_mut().zip(&first) {
            *likely = moved(log_odds(*first), *likely);
        }
        likely.iter_mut().for_each(squash);
        Judgement { types, likely, is_chinese: self.is_chinese(columns) }
    }

    fn is_chinese(&self, columns: &Columns) -> bool {
        columns.page[self.wide] >= CHINESE_MIN
    }

    /// What the first stage says of each unit.
    fn first_answers(&self, outline: &Outline, columns: &Columns, sayings: &Sayings<'_>, types: &[f32]) -> Vec<f32> {
        let mut answers = Vec::new();
        let write = |index: usize, row: &mut Vec<f32>| {
            columns.write_unit(outline, index, row);
            sayings.write_unit(index, row);
            row.extend(types);
        };
        let forest = if self.is_chinese(columns) { &self.first_chinese } else { &self.first };
        forest.score_each(outline.units.len(), write, &mut answers);
        answers.iter_mut().for_each(squash);
        answers
    }
}

/// What both stages say together, given what each says.
fn moved(first: f32, second: f32) -> f32 {
    first + SECOND_WEIGHT * (second - first).clamp(-MOVED_MAX, MOVED_MAX)
}

/// What [`squash`] makes this likelihood of.
fn log_odds(likely: f32) -> f32 {
    let likely = likely.clamp(SURE, 1.0 - SURE);
    (likely / (1.0 - likely)).ln()
}

fn squash(value: &mut f32) {
    *value = 1.0 / (1.0 + (-*value).exp());
}

fn softmax(values: &mut [f32]) {
    let most = values.iter().copied().fold(f32::MIN, f32::max);
    values.iter_mut().for_each(|value| *value = (*value - most).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use kuai_page::Page;

    use super::super::head::Head;
    use super::super::subject::Subject;
    use super::super::tables;
    use super::*;

    /// The columns of the first stage that the second sees again, as `training/context.py` has them.
    const AGAIN: [&str; 9] = [
        "rep_best",
        "rep_link",
        "item_count",
        "item_share",
        "in_holder",
        "title_recall",
        "copies",
        "text_since_title",
        "t_max",
    ];

    fn with_columns<T>(html: &str, ask: impl Fn(&Outline, &Columns) -> T) -> T {
        let page = Page::from_html(html);
        let head = Head::read(&page);
        let subject = Subject::of(&head);
        let outline = Outline::read(&page, &subject);
        ask(&outline, &Columns::read(&page, &outline, &head, &subject))
    }

    #[test]
    fn the_model_asks_for_the_columns_that_there_are() {
        let html = "<title>t</title><p>Some words of a text, and some more of them.<p>And a second paragraph.";
        with_columns(html, |outline, columns| {
            assert_eq!(MODEL.types.columns(), columns.page.len());
            assert_eq!(MODEL.types.columns(), columns::page_columns().len());
            let judgement = MODEL.judge(outline, columns);
            assert_eq!(judgement.likely.len(), 2);
            assert!(judgement.likely.iter().chain(&judgement.types).all(|likely| (0.0..=1.0).contains(likely)));
            assert!((judgement.types.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        });
    }

    #[test]
    fn the_second_stage_sees_again_what_the_first_saw() {
        let html = "<title>the moon</title><h1>The moon</h1><div class=content><p>The moon is far away.<p>It is cold.<p>It is cold.</div>
            <ul class=menu><li><a href=a>Sun and its light</a><li><a href=b>Stars and their names</a><li><a href=c>Mars is red today</a></ul>";
        let names: Vec<&str> = columns::unit_columns().into_iter().chain(tables::NAMES.iter().copied()).collect();
        let place = |wanted: &&str| names.iter().position(|name| name == wanted).expect("a column of the first stage");
        with_columns(html, |outline, columns| {
            let sayings = MODEL.tables.read_page(outline);
            for index in 0..outline.units.len() {
                let (mut row, mut again) = (Vec::new(), Vec::new());
                columns.write_unit(outline, index, &mut row);
                sayings.write_unit(index, &mut row);
                columns.write_again(outline, index, &mut again);
                sayings.write_again(index, &mut again);
                assert_eq!(again, AGAIN.iter().map(|name| row[place(name)]).collect::<Vec<_>>());
            }
        });
    }

    #[test]
    fn the_second_stage_moves_the_first_only_so_far() {
        assert!((moved(0.5, 0.9) - 0.84).abs() < 1e-6);
        assert!((moved(-4.0, 3.0) - (SECOND_WEIGHT * MOVED_MAX - 4.0)).abs() < 1e-6);
        assert!((moved(4.0, -3.0) - (4.0 - SECOND_WEIGHT * MOVED_MAX)).abs() < 1e-6);
    }

    #[test]
    fn a_page_without_text_is_judged_too() {
        assert!(with_columns("<img src=x>", |outline, columns| MODEL.judge(outline, columns).likely.is_empty()));
    }
}
