//! What the `<time>` elements of a page say of the page itself, and not of comments, other stories or things on it.

use kuai_html::{Dom, NodeId, Tag};

use super::byline::time_role;
use super::dateline::{self, Role};
use super::marks::mark;
use super::{collect::TimeElement, date};

/// Elements that are looked at; behind so many stand the dates of other things.
const TIMES_MAX: usize = 40;

/// Different dates of a page that is one text; pages with more list others.
const DATES_MAX: usize = 3;

/// Elements around one that are asked what they hold.
const ANCESTORS_MAX: usize = 16;

/// The date of the elements that are marked with this property, which are not those of a review or comment.
pub(super) fn marked(dom: Dom<'_>, times: &[TimeElement<'_>], property: &str) -> Option<String> {
    let is_marked = |time: &&TimeElement<'_>| time.property.split_ascii_whitespace().any(|word| word == property);
    let own = times.iter().filter(is_marked).filter(|time| !is_of_other(dom, time.node));
    own.take(TIMES_MAX).find_map(|time| date::normalise(&time.value))
}

/// The first date of publication outside comments, menus and the like, where the page has few dates, or where no other is
/// earlier, as in a thread: lists of other pages begin with the latest.
pub(super) fn published(dom: Dom<'_>, times: &[TimeElement<'_>]) -> Option<String> {
    let own = times.iter().take(TIMES_MAX).filter(|time| !is_aside(dom, time.node) && !is_of_other(dom, time.node));
    let told = own.filter(|time| matches!(role(dom, time.node), None | Some(Role::Published)));
    let dates: Vec<String> = told.filter_map(|time| date::normalise(&time.value)).collect();
    let mut days: Vec<&str> = dates.iter().filter_map(|date| date.get(..10)).collect();
    let first = days.first().copied();
    days.sort_unstable();
    days.dedup();
    let is_own = days.len() <= DATES_MAX || first == days.first().copied();
    if is_own { dates.into_iter().next() } else { None }
}

/// The first date of change, which may stand in the footer.
pub(super) fn modified(dom: Dom<'_>, times: &[TimeElement<'_>]) -> Option<String> {
    let own = times.iter().take(TIMES_MAX).filter(|time| !is_of_other(dom, time.node));
    let mut told = own.filter(|time| role(dom, time.node) == Some(Role::Modified));
    told.find_map(|time| date::normalise(&time.value))
}

/// What an element or the words before it say of its date.
fn role(dom: Dom<'_>, node: NodeId) -> Option<Role> {
    let before = || {
        let sibling = dom.previous_sibling(node)?;
        let text =
            if dom.is_text(sibling) { Some(sibling) } else { dom.children(sibling).find(|&child| dom.is_text(child)) };
        dateline::role(dom.text(text?))
    };
    time_role(dom, node).or_else(before)
}

/// Whether an element stands beside the text of the page.
fn is_aside(dom: Dom<'_>, node: NodeId) -> bool {
    dom.ancestors(node).take(ANCESTORS_MAX).any(|above| {
        let class = mark(dom, above, "class").to_ascii_lowercase();
        let says = |word: &str| class.contains(word);
        matches!(dom.tag(above), Tag::Footer | Tag::Aside | Tag::Nav)
            || ["comment", "related", "footer", "sidebar", "widget", "recommend"].into_iter().any(says)
    })
}

/// Whether an element is of a review or comment on the page.
pub(super) fn is_of_other(dom: Dom<'_>, node: NodeId) -> bool {
    dom.ancestors(node).take(ANCESTORS_MAX).any(|above| {
        let says = |name: &str, words: &[&str]| {
            let value = mark(dom, above, name);
            words.iter().any(|word| value.split_ascii_whitespace().any(|part| part.ends_with(word)))
        };
        says("itemprop", &["review", "reviews", "comment", "comments"])
            || says("itemtype", &["/Review", "Comment", "UserComments"])
    })
}
