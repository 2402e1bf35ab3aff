//! Columns of how a unit stands to what names the page's text: its title, its description, its first heading, its article.

use kuai_page::Tag;

use super::super::outline::Outline;
use super::measures::Measures;
use super::own::Own;
use super::surroundings::meeting_points;
use super::{columns, log};

columns!(NAMES, write(title: &Relation, description: &Relation, heading: &Relation, article: &Article, text_since_title: f32, teaser: f32, linked_headings: f32) {
    "title_up" => title.up,
    "title_share" => title.share,
    "title_distance" => title.distance,
    "title_meeting" => title.depth,
    "description_up" => description.up,
    "description_share" => description.share,
    "description_distance" => description.distance,
    "h1_up" => heading.up,
    "h1_share" => heading.share,
    "article_index" => article.index,
    "article_has_title" => article.has_title,
    "article_share" => article.share,
    "articles" => article.count,
    "teaser" => teaser,
    "linked_headings" => linked_headings,
    "text_since_title" => text_since_title,
});

/// Words from which an article counts.
const ARTICLE_TEXT_MIN: f32 = 60.0;
/// Share of the page's text from which an element is no teaser.
const TEASER_SHARE_MAX: f32 = 0.25;

/// How a unit stands to another one.
struct Relation {
    /// Levels up to what is around both, that element's depth and share of the text.
    up: f32,
    depth: f32,
    share: f32,
    /// Units from there to here.
    distance: f32,
}

const NO_RELATION: Relation = Relation { up: -1.0, depth: -1.0, share: -1.0, distance: -1.0 };

/// The outermost article around a unit.
struct Article {
    index: f32,
    has_title: f32,
    share: f32,
    count: f32,
}

/// A unit that others are measured from.
struct Anchor {
    unit: usize,
    /// What is around both, by element.
    meeting: Vec<u32>,
}

pub(super) struct Anchors {
    title: Option<Anchor>,
    description: Option<Anchor>,
    heading: Option<Anchor>,
    /// The outermost article of each element.
    article: Vec<Option<u32>>,
    /// The number of each article among the outermost ones.
    article_index: Vec<u32>,
    large_articles: f32,
    text_before: Vec<f32>,
}

impl Anchors {
    pub(super) fn of(outline: &Outline, measures: &Measures, own: &Own) -> Anchors {
        let anchor = |unit: usize| Anchor { unit, meeting: meeting_points(outline, outline.units[unit].element) };
        let title = best(outline, 0.25, |index| {
            let (unit, overlap) = (&outline.units[index], &own.overlaps[index]);
            let is_h1 = f32::from(outline.tag_of(unit) == Tag::H1);
            overlap.title_recall * overlap.title_precision + 0.25 * is_h1 - 0.3 * unit.text.link
        });
        let description = best(outline, 0.45, |index| {
            own.overlaps[index].description_recall * outline.units[index].text.length.min(12.0) / 12.0
        });
        let heading = outline.units.iter().position(|unit| outline.tag_of(unit) == Tag::H1);
        let text_before = text_before(outline);
        let (article, article_index, large_articles) = articles(outline, measures);
        Anchors {
            title: title.map(anchor),
            description: description.map(anchor),
            heading: heading.map(anchor),
            article,
            article_index,
            large_articles,
            text_before,
        }
    }

    pub(super) fn write_unit(&self, outline: &Outline, measures: &Measures, index: usize, row: &mut Vec<f32>) {
        let relation = |anchor: &Option<Anchor>| match anchor {
            Some(anchor) => relation(outline, measures, anchor, index),
            None => NO_RELATION,
        };
        let since_title = self.title.as_ref().map_or(-1.0, |title| log((self.text_before[index] - self.text_before[title.unit]).max(0.0)));
        let element = outline.units[index].element;
        let above = outline.parent(outline.parent(element));
        write(
            &relation(&self.title),
            &relation(&self.description),
            &relation(&self.heading),
            &self.article_of(outline, measures, element),
            since_title,
            teaser(outline, measures, element),
            log(measures.at(above).linked_headings),
            row,
        );
    }

    fn article_of(&self, outline: &Outline, measures: &Measures, element: u32) -> Article {
        let count = self.large_articles;
        let Some(article) = self.article[element as usize] else {
            return Article { index: -1.0, has_title: -1.0, share: -1.0, count };
        };
        let of_title = self.title.as_ref().and_then(|title| self.article[outline.units[title.unit].element as usize]);
        Article {
            index: self.article_index[article as usize] as f32,
            has_title: f32::from(of_title == Some(article)),
            share: measures.at(article).text / measures.total,
            count,
        }
    }
}

/// The unit with the highest score above a limit, the first of equals.
fn best(outline: &Outline, limit: f32, score: impl Fn(usize) -> f32) -> Option<usize> {
    let mut best = None;
    let mut highest = limit;
    for index in 0..outline.units.len() {
        let score = score(index);
        if score > highest {
            (best, highest) = (Some(index), score);
        }
    }
    best
}

/// Words before each unit.
fn text_before(outline: &Outline) -> Vec<f32> {
    let mut text = 0.0;
    let before = |unit: &super::super::outline::Unit| {
        text += unit.text.length;
        text - unit.text.length
    };
    outline.units.iter().map(before).collect()
}

fn relation(outline: &Outline, measures: &Measures, anchor: &Anchor, index: usize) -> Relation {
    let element = outline.units[index].element as usize;
    let meeting = anchor.meeting[element];
    let depth = outline.elements[meeting as usize].depth;
    Relation {
        up: f32::from(outline.elements[element].depth - depth),
        depth: f32::from(depth),
        share: measures.at(meeting).text / measures.total,
        distance: (index as f32 - anchor.unit as f32).clamp(-60.0, 300.0),
    }
}

fn articles(outline: &Outline, measures: &Measures) -> (Vec<Option<u32>>, Vec<u32>, f32) {
    let mut article: Vec<Option<u32>> = Vec::with_capacity(outline.elements.len());
    let mut index = vec![0; outline.elements.len()];
    let (mut count, mut large) = (0, 0.0);
    for (own, element) in outline.elements.iter().enumerate() {
        let around = article.get(element.parent as usize).copied().flatten();
        let begins = around.is_none() && element.tag == Tag::Article;
        if begins {
            index[own] = count;
            count += 1;
            large += f32::from(measures.sums[own].text > ARTICLE_TEXT_MIN);
        }
        article.push(if begins { Some(own as u32) } else { around });
    }
    (article, index, large)
}

/// How surely a small element around the unit is one teaser: few headings that are links.
fn teaser(outline: &Outline, measures: &Measures, element: u32) -> f32 {
    let mut around = element;
    let mut most = 0.0_f32;
    for _ in 0..5 {
        let sums = measures.at(around);
        if sums.linked_headings > 0.0 && sums.text < TEASER_SHARE_MAX * measures.total {
            most = most.max(1.0 / sums.linked_headings);
        }
        around = outline.parent(around);
    }
    most
}
