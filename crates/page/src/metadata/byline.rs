//! What stands near a page's title for readers: who wrote it and when.
//!
//! Only short texts around the title are looked at: a name or a date in running text is not the page's own.

use kuai_html::{Dom, Edge, NodeId, NodeKind, Tag};

use super::dateline::{self, Role};
use super::marks::mark;
use super::{anchor, date, person};
use crate::text::one_line;

/// What a page shows near its title. Dates are in the form of [`date::normalise`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Byline {
    pub(super) authors: Vec<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
}

/// Nodes behind the title that are looked at.
const NODES_MAX: usize = 150;

/// Texts before the title that are looked at.
const TEXTS_BEFORE_MAX: usize = 6;

/// Nodes before the title among which those texts are.
const NODES_BEFORE_MAX: usize = 40;

/// Characters of a text that may be a date line or a byline; longer ones are prose.
const LINE_CHARACTERS_MAX: usize = 120;

/// Bytes of a text that may say what the next one is.
const LABEL_BYTES_MAX: usize = 60;

/// Characters of a line before the title that is a date and nothing else.
const DATE_CHARACTERS_MAX: usize = 45;

/// Letters before a date that stands alone: a word such as `Published` or a day of the week.
const LETTERS_BEFORE_DATE_MAX: usize = 12;

/// Nodes below an element that names an author which are looked at.
const AUTHOR_NODES_MAX: usize = 40;

/// Reads the byline off a page of these titles.
pub(super) fn read(dom: Dom<'_>, titles: &[&str]) -> Byline {
    let mut reading = Reading::default();
    let Some(title) = anchor::find(dom, titles) else { return reading.byline };
    reading.read_behind(dom, title);
    if reading.byline.published.is_none() {
        reading.read_before(dom, title);
    }
    reading.byline
}

/// What was read, and what the last text says of the next one.
#[derive(Default)]
struct Reading {
    byline: Byline,
    /// The last text says that a name follows.
    expects_name: bool,
    /// The last text says what the date is that follows.
    expects_date: Option<Role>,
}

impl Reading {
    fn read_behind(&mut self, dom: Dom<'_>, title: NodeId) {
        let mut walk = dom.walk(dom.root());
        walk.by_ref().find(|edge| *edge == Edge::Leave(title));
        for _ in 0..NODES_MAX * 2 {
            let Some(edge) = walk.next() else { break };
            let Edge::Enter(node) = edge else { continue };
            match (dom.kind(node), dom.tag(node)) {
                (NodeKind::Text, _) => self.read_line(&one_line(dom.text(node))),
                (_, Tag::Script | Tag::Style | Tag::Template) => walk.skip_children(node),
                (_, Tag::Article) if has_heading(dom, node) => break,
                (_, Tag::Time) if self.read_time(dom, node) => walk.skip_children(node),
                (NodeKind::Element, _) if self.byline.authors.is_empty() && names_author(dom, node) => {
                    self.byline.authors = authors_below(dom, node);
                }
                _ => {}
            }
            if !self.byline.authors.is_empty() && self.byline.published.is_some() {
                break;
            }
        }
    }

    /// A date that stands alone just before the title is the page's own.
    fn read_before(&mut self, dom: Dom<'_>, title: NodeId) {
        let nodes = dom.descendants(dom.root()).take_while(|&node| node != title);
        // Places of a page are counted as it is read: numbers of nodes may be in another order.
        let texts: Vec<(usize, NodeId)> = nodes.enumerate().filter(|&(_, node)| is_shown_text(dom, node)).collect();
        let last = texts.last().map_or(0, |(place, _)| *place);
        let near = texts.iter().rev().take(TEXTS_BEFORE_MAX).filter(|(place, _)| last - place < NODES_BEFORE_MAX);
        let lines = near.map(|&(_, text)| one_line(dom.text(text)));
        self.byline.published =
            lines.filter(|line| line.chars().count() <= DATE_CHARACTERS_MAX).find_map(|line| lone_date(&line));
    }

    fn read_line(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        let expects_name = std::mem::take(&mut self.expects_name);
        let expects_date = std::mem::take(&mut self.expects_date);
        if self.byline.authors.is_empty() {
            self.byline.authors = person::at_start(line);
        }
        if line.chars().count() > LINE_CHARACTERS_MAX {
            return;
        }
        let dates = dateline::read(line, expects_date);
        if dates.is_empty() && line.len() <= LABEL_BYTES_MAX {
            self.expects_date = dateline::role(line);
        }
        for (role, date) in dates {
            self.keep(role, date);
        }
        if self.byline.authors.is_empty() {
            self.byline.authors = person::in_line(line);
            if self.byline.authors.is_empty() && expects_name {
                self.byline.authors = person::shown_names(line);
            }
            self.expects_name = person::is_sign(line);
        }
    }

    /// Reads a `<time>`; whether it tells a date for machines.
    fn read_time(&mut self, dom: Dom<'_>, node: NodeId) -> bool {
        let Some(date) = dom.attribute(node, "datetime").and_then(date::normalise) else { return false };
        let said = self.expects_date.take();
        self.keep(time_role(dom, node).or(said).unwrap_or(Role::Published), date);
        true
    }

    fn keep(&mut self, role: Role, date: String) {
        let place = match role {
            Role::Published => &mut self.byline.published,
            Role::Modified => &mut self.byline.modified,
            Role::Other => return,
        };
        place.get_or_insert(date);
    }
}

/// The date of a line that holds one date of publication, and hardly a word beside it.
fn lone_date(line: &str) -> Option<String> {
    let letters = |text: &str| text.chars().filter(|sign| sign.is_alphabetic()).count();
    let is_alone = date::find(line).is_some_and(|dated| letters(dated.before) <= LETTERS_BEFORE_DATE_MAX);
    match dateline::read(line, None).as_slice() {
        [(Role::Published, date)] if is_alone => Some(date.clone()),
        _ => None,
    }
}

/// What a `<time>` says of itself, by its class and its text.
pub(super) fn time_role(dom: Dom<'_>, node: NodeId) -> Option<Role> {
    let marks = ["itemprop", "class"].map(|name| mark(dom, node, name).to_ascii_lowercase());
    let has = |wanted: &[&str]| {
        let mut words = marks.iter().flat_map(|mark| mark.split(|sign: char| !sign.is_ascii_alphanumeric()));
        words.any(|word| wanted.contains(&word))
    };
    if has(&["published", "datepublished", "pubdate"]) {
        Some(Role::Published)
    } else if has(&["updated", "modified", "datemodified", "lastmod"]) {
        Some(Role::Modified)
    } else {
        let text = dom.children(node).find(|&child| dom.is_text(child))?;
        dateline::role(dom.text(text))
    }
}

fn has_heading(dom: Dom<'_>, node: NodeId) -> bool {
    let near = dom.descendants(node).take(AUTHOR_NODES_MAX);
    near.into_iter().any(|below| matches!(dom.tag(below), Tag::H1 | Tag::H2 | Tag::H3))
}

fn is_shown_text(dom: Dom<'_>, node: NodeId) -> bool {
    let is_shown = |above: NodeId| !matches!(dom.tag(above), Tag::Script | Tag::Style | Tag::Template | Tag::Title);
    dom.is_text(node) && dom.parent(node).is_some_and(is_shown) && !dom.text(node).trim().is_empty()
}

/// Whether an element says that it holds the name of who wrote the page.
fn names_author(dom: Dom<'_>, node: NodeId) -> bool {
    let has = |name: &str| {
        let value = mark(dom, node, name);
        value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("author"))
    };
    let classes = mark(dom, node, "class");
    has("itemprop") || has("rel") || classes.split_ascii_whitespace().any(is_author_class)
}

/// Whether a class is that of a byline: a part of it says so, and none that it is a picture of the author or a text about them.
fn is_author_class(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    let mut parts = class.split(['-', '_']).filter(|part| !part.is_empty());
    let is_author = |part: &str| matches!(part, "author" | "byline" | "authorname" | "writer");
    let is_about = |part: &str| {
        matches!(
            part,
            "bio"
                | "box"
                | "avatar"
                | "image"
                | "img"
                | "photo"
                | "picture"
                | "title"
                | "role"
                | "date"
                | "time"
                | "description"
                | "social"
                | "list"
                | "posts"
                | "follow"
                | "comment"
                | "comments"
                | "label"
                | "no"
                | "has"
                | "wrapper"
                | "location"
                | "local"
                | "place"
                | "origin"
        )
    };
    parts.clone().any(is_author) && !parts.any(is_about)
}

/// The names below an element that holds some: those of its whole text, or the first text in it that is a name.
fn authors_below(dom: Dom<'_>, root: NodeId) -> Vec<String> {
    let below = dom.descendants(root).take(AUTHOR_NODES_MAX).filter(|&node| is_shown_text(dom, node));
    let texts: Vec<String> = below.map(|node| one_line(dom.text(node))).filter(|text| !text.is_empty()).collect();
    let whole = texts.join(" ");
    let of_whole = if whole.len() <= LINE_CHARACTERS_MAX { person::shown_names(&whole) } else { Vec::new() };
    if of_whole.len() > 1 {
        return of_whole;
    }
    let of_whole = of_whole.into_iter().next().filter(|name| person::is_sure(name));
    let first =
        |is_sure: fn(&str) -> bool| texts.iter().filter_map(|text| person::linked(text)).find(|name| is_sure(name));
    first(person::is_sure).or(of_whole).or_else(|| first(|_| true)).into_iter().collect()
}

#[cfg(test)]
mod tests;
