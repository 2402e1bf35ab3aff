//! The title of what a page holds, without the name of the site.
//!
//! In: `<title>`, what metas, data and headings call the page, and what the site is called. Out: the headline. What two of them
//! agree on is believed sooner than what one says alone: a headline stands in `<title>`, beside the name of the site.

use std::collections::HashSet;

use super::parts::{Parts, key};
use super::plain::plain;
use crate::text::one_line;

/// What a page and its site are called.
#[derive(Debug)]
pub(super) struct Titles<'a> {
    /// `<title>`.
    pub(super) title: Option<&'a str>,
    /// What metas and data for machines say, the surest first.
    pub(super) said: Vec<String>,
    /// The `h1`s.
    pub(super) headings: &'a [String],
    /// Headings below them.
    pub(super) subheadings: &'a [String],
    /// Names of the site.
    pub(super) sites: &'a SiteNames,
}

impl Titles<'_> {
    /// The headline, from the first of these that there is: a name that a heading has too, one that is a whole part of
    /// `<title>`, one that metas or data tell, the only heading, `<title>` itself.
    pub(super) fn headline(&self) -> Option<String> {
        let said = self.own(&self.said);
        let headings = self.own(self.headings);
        let title = self.title.map(plain);
        let parts = title.as_deref().map(Parts::of).unwrap_or_default();
        let in_heading = || said.iter().find_map(|name| of_heading(name, &headings));
        let held = || said.iter().find(|name| parts.holds(name));
        let begins = || headings.iter().find(|heading| parts.has_at_start(heading));
        // An `h1` may be the logo or the name of the book, and an `h2` behind it what the page holds.
        let subheadings = self.own(self.subheadings);
        let ends = || headings.iter().find(|heading| parts.has_at_end(heading));
        let is_rest = |heading: &str| headings.first().is_some_and(|logo| parts.is_row(&[heading, logo]));
        let is_title = |heading: &&String| {
            let is_most = || parts.has_most_at_start(heading) || ends().is_some();
            (parts.has_at_start(heading) && is_most()) || is_rest(heading)
        };
        let begins_below = || subheadings.iter().find(is_title);
        let in_title = || held().or_else(begins).or_else(begins_below).or_else(ends);
        let uncut = || said.iter().find(|name| !title.as_deref().is_some_and(|title| is_cut_at_quote(name, title)));
        // What stands amid a title is what the page is part of.
        let only_heading = || match headings.as_slice() {
            [heading] if !parts.holds(heading) => Some(heading),
            _ => None,
        };
        let said_or_shown = || in_title().or_else(uncut).or_else(only_heading).cloned();
        let found = in_heading().or_else(said_or_shown).or_else(|| self.of_title(title.as_deref()?))?;
        let shorter = headings.iter().find_map(|heading| Parts::of(&found).start_that_is(heading));
        Some(shorter.unwrap_or(found)).filter(|headline| !headline.is_empty())
    }

    /// `<title>` without the name of the site, known or not.
    fn of_title(&self, title: &str) -> Option<String> {
        let own = self.sites.taken_off(title);
        if own == title { Parts::of(title).without_site() } else { Some(own) }
    }

    /// The names without that of the site, and without those that are nothing else.
    fn own(&self, names: &[String]) -> Vec<String> {
        let cleaned = names.iter().map(|name| self.sites.taken_off(without_mark(name)));
        cleaned.filter(|name| !key(name).is_empty() && !self.sites.has(name)).collect()
    }
}

/// What a title of many parts begins with that may be the whole headline, the longest first.
pub(super) fn starts(title: &str) -> Vec<String> {
    let parts = Parts::of(title);
    let counts = (1..parts.parts.len()).rev().filter(|&count| parts.begins_with_most(count));
    counts.map(|count| parts.between(0, count)).collect()
}

/// A title without the sign of a link to itself or to its source (`Fog¶`, `Fog[edit]`).
fn without_mark(title: &str) -> &str {
    let title = ["[edit]", "[编辑]", "[編輯]", "[編集]", "[Bearbeiten]"]
        .iter()
        .find_map(|mark| title.strip_suffix(mark))
        .unwrap_or(title);
    let is_mark = |sign: char| sign.is_whitespace() || matches!(sign, '¶' | '#' | '🔗' | '\u{e000}'..='\u{f8ff}');
    title.trim_start().trim_end_matches(is_mark)
}

/// The longest ending of a site's name that need not be known, and the shortest name that may have one.
const ENDING_BYTES_MAX: usize = 4;
const NAME_BYTES_MIN: usize = 4;

/// Names that a site goes by, to be known again however they are written.
#[derive(Debug, Default)]
pub(super) struct SiteNames {
    keys: HashSet<String>,
}

impl SiteNames {
    /// Of names that the page tells, and of the host it is on.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>, host: Option<&'a str>) -> SiteNames {
        let host = host.map(|host| host.strip_prefix("www.").unwrap_or(host));
        let labels = host.iter().flat_map(|host| host.split('.')).filter(|label| label.len() > 3);
        let ends = host.iter().flat_map(|host| host.match_indices('.').map(|(dot, _)| &host[dot + 1..]));
        let ends = ends.filter(|end| end.contains('.'));
        let keys = names.chain(host).chain(labels).chain(ends).map(key).filter(|key| !key.is_empty());
        SiteNames { keys: keys.collect() }
    }

    /// Whether this is a name of the site and nothing else.
    pub(super) fn has(&self, name: &str) -> bool {
        let key = key(name);
        self.keys.contains(&key) || key.strip_prefix("the").is_some_and(|name| self.keys.contains(name))
    }

    /// Whether this part behind a title is the site: also with its country or ending (`Fog News US`, `fog.com`).
    fn has_ending(&self, part: &str) -> bool {
        let part = key(part);
        let endings = (0..=ENDING_BYTES_MAX).filter_map(|length| part.get(..part.len().checked_sub(length)?));
        endings.filter(|name| name.len() >= NAME_BYTES_MIN || *name == part).any(|name| self.keys.contains(name))
    }

    /// A title without the names of the site at its ends; as it is where it has no other part.
    fn taken_off(&self, title: &str) -> String {
        let parts = Parts::of(title);
        let count = parts.parts.len();
        let behind = parts.parts.iter().rev().take_while(|part| self.has_ending(part.text)).count();
        let before = parts.parts.iter().take_while(|part| self.has(part.text)).count();
        if behind + before == 0 || behind + before >= count {
            return one_line(title);
        }
        parts.between(before, count - behind)
    }
}

/// A name that a heading has too; the heading where the name is its beginning and says so: metas are cut where they would be long.
fn of_heading(name: &str, headings: &[String]) -> Option<String> {
    let is_cut = name.ends_with(['…', '.']);
    let wanted = key(name);
    let fits = |heading: &&String| key(heading) == wanted || (is_cut && key(heading).starts_with(&wanted));
    let heading = headings.iter().find(fits)?;
    Some(if key(heading) == wanted { name.to_owned() } else { heading.clone() })
}

/// Whether a name ends in a title where a quotation mark stands, as values of metas do that are not escaped.
fn is_cut_at_quote(name: &str, title: &str) -> bool {
    title.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headline of a page of `Fog News` on `news.fog.org`.
    fn headline(title: &str, said: &[&str], headings: &[&str]) -> Option<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let sites = SiteNames::new(["Fog News"].into_iter(), Some("news.fog.org"));
        let title = Some(title).filter(|title| !title.is_empty());
        Titles { title, said: owned(said), headings: &owned(headings), subheadings: &[], sites: &sites }.headline()
    }

    fn check(title: &str, said: &[&str], headings: &[&str], expected: &str) {
        assert_eq!(headline(title, said, headings).as_deref(), Some(expected), "{title} {said:?} {headings:?}");
    }

    #[test]
    fn the_name_of_the_site_is_taken_off() {
        check("Light | Fog News", &["Light | Fog News"], &[], "Light");
        check("Light - Fog.org", &["Light - Fog.org"], &[], "Light");
        check("Fog News: Light", &["Fog News: Light"], &[], "Light");
        check("Light - Fog News US", &["Light - Fog News US"], &[], "Light");
        check("雾散了_fog.org", &[], &[], "雾散了");
        check("雾散了_新闻频道_雾网", &[], &[], "雾散了");
        check("Light | Part 2 | Fog News", &["Light | Part 2 | Fog News"], &[], "Light | Part 2");
        check("Fog News", &["Fog News"], &["Fog News"], "Fog News");
    }

    #[test]
    fn a_heading_tells_what_of_a_longer_name_is_the_headline() {
        check("Light | Elsewhere", &["Light | Elsewhere"], &["Light"], "Light");
        check("Light: how it is made", &["Light: how it is made"], &["Light"], "Light: how it is made");
        check("Light", &["Light"], &["Fog News"], "Light");
    }

    #[test]
    fn a_name_that_title_or_heading_has_too_is_believed_first() {
        check("Light - Elsewhere", &["what lets us see"], &["Light"], "Light");
        check("Light and more", &["Light, and what is more"], &["Light, and what is more"], "Light, and what is more");
        check("Light - Fog News", &[], &["Other", "Light", "Third"], "Light");
        check("Light — Handbook 2.0", &[], &["Handbook 2.0", "Light"], "Light");
        check("Letters: light in the fog - Elsewhere", &[], &["Letters"], "Letters: light in the fog - Elsewhere");
        check("Light | Fog News", &["Light"], &["LIGHT"], "Light");
        check("«Light» - Fog News", &["«Light» - Fog News"], &["Light"], "«Light»");
        check("Fog News » Light", &[], &[], "Light");
        check("#light", &["#light"], &[], "#light");
        check("He said \"no\" today", &["He said"], &[], "He said \"no\" today");
        let whole = "A light in the fog over the harbour of the town";
        check("Fog", &["A light in the fog over the …"], &[whole], whole);
    }

    #[test]
    fn a_page_without_other_names_has_its_title() {
        check("Light | Elsewhere", &[], &["One", "Two"], "Light");
        check("Fog News | Light", &[], &[], "Light");
        check("Light", &["Fog News"], &["Fog News"], "Light");
        check("Light - Harbour Blog - Elsewhere", &[], &["Harbour Blog"], "Light - Harbour Blog - Elsewhere");
        check("Light¶", &[], &["Light ¶"], "Light");
        check("", &[], &["Light ¶"], "Light");
        check("Light", &[], &["Light[edit]", "Other"], "Light");
        check("雾散了--健康--雾网", &[], &[], "雾散了--健康");
        check("雾散了！-雾网", &[], &[], "雾散了！");
        check("今天说“雾散了”-雾网", &[], &[], "今天说“雾散了”");
        check("雾散了(图)--雾网", &[], &[], "雾散了(图)");
        check("为什么大家都在看雾：因为没有网", &[], &[], "为什么大家都在看雾：因为没有网");
        assert_eq!(headline("", &[], &[]), None);
        assert_eq!(headline("|_|", &["¶"], &["#"]).as_deref(), Some("|_|"));
    }
}
