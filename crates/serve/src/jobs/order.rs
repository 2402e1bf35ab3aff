//! What a crawl is asked to be, by a form or by the API, and the plan that it comes to.

use std::time::Duration;

use kuai::{Archive, Budget, CrawlKind, Example, Page, Plan, Politeness, Scope, ScopeKind, Topic, Url, canonical};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::guard::Role;
use crate::refusal::Refusal;
use crate::target::address;

/// Seeds, patterns and examples of one crawl.
const LIST_MAX: usize = 200;
/// Bytes of each, and of a topic.
const TEXT_BYTES_MAX: usize = 4000;
/// A crawl that is faster is nobody's but an administrator's.
const POLITE_SECONDS_MIN: f64 = 0.5;
const DELAY_SECONDS_MAX: f64 = 3600.0;
/// Requests at a time where a host may be asked without delay.
const CONNECTIONS: usize = 16;

/// What a crawl is asked to be.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Order {
    /// Where to begin.
    pub(crate) urls: Vec<String>,
    /// What kind of crawl it is.
    pub(crate) kind: Kind,
    /// How far it reaches from where it begins.
    pub(crate) scope: Reach,
    /// At most so many links away from where it begins.
    pub(crate) depth: Option<u32>,
    /// Only addresses like these (`*` stands for anything).
    pub(crate) include: Vec<String>,
    /// No addresses like these.
    pub(crate) exclude: Vec<String>,
    /// Also what pages need to be shown.
    pub(crate) requisites: bool,
    /// Also what sites list in their sitemaps and feeds.
    pub(crate) sitemaps: bool,
    /// Collect about a topic: words, or a text about it.
    pub(crate) topic: Option<String>,
    /// Pages of the archive that are on topic, by address.
    pub(crate) like: Vec<String>,
    /// Pages of the archive that are off topic, by address.
    pub(crate) unlike: Vec<String>,
    /// At most so many pages.
    pub(crate) max_pages: Option<u64>,
    /// At most so many megabytes.
    pub(crate) max_megabytes: Option<u64>,
    /// At most so many minutes.
    pub(crate) max_minutes: Option<u64>,
    /// Seconds between two requests to a host.
    pub(crate) delay: f64,
    /// Do not ask for robots.txt. Needs the role admin.
    pub(crate) ignore_robots: bool,
    /// Also private and loopback addresses. Needs the role admin.
    pub(crate) allow_private: bool,
}

/// What kind of crawl it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// From the seeds on, link by link.
    #[default]
    Site,
    /// One work: the pages that the seeds link to, and those that continue them.
    Work,
    /// What was visited before and is due again.
    Again,
}

/// How far a crawl reaches from where it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reach {
    /// The same hosts.
    #[default]
    Host,
    /// All hosts of the same registered domains.
    Domain,
    /// The same folders.
    Prefix,
    /// The whole Web: only with a topic, a depth or a budget.
    Any,
}

impl Default for Order {
    fn default() -> Order {
        Order {
            urls: Vec::new(),
            kind: Kind::Site,
            scope: Reach::Host,
            depth: None,
            include: Vec::new(),
            exclude: Vec::new(),
            requisites: false,
            sitemaps: false,
            topic: None,
            like: Vec::new(),
            unlike: Vec::new(),
            max_pages: None,
            max_megabytes: None,
            max_minutes: None,
            delay: 1.0,
            ignore_robots: false,
            allow_private: false,
        }
    }
}

impl Order {
    /// Whether it makes sense, as far as it tells itself.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let bad = |detail: &str| Err(Refusal::bad_request(detail));
        let lists = [&self.urls, &self.include, &self.exclude, &self.like, &self.unlike];
        let is_long = |text: &String| text.len() > TEXT_BYTES_MAX;
        if lists.iter().any(|list| list.len() > LIST_MAX || list.iter().any(is_long)) {
            return bad("a list has at most 200 lines of 4000 bytes");
        }
        let topic = self.topic.as_deref();
        if topic.is_some_and(|topic| topic.len() > TEXT_BYTES_MAX || topic.trim().is_empty()) {
            return bad("a topic is some words, at most 4000 bytes");
        }
        if topic.is_none() && !(self.like.is_empty() && self.unlike.is_empty()) {
            return bad("examples teach a topic: name it");
        }
        if topic.is_some() && self.kind != Kind::Site {
            return bad("only a crawl of a site has a topic");
        }
        if self.urls.is_empty() != (self.kind == Kind::Again) {
            return bad("a crawl begins at some addresses, unless it visits again what is due");
        }
        if !(0.0..=DELAY_SECONDS_MAX).contains(&self.delay) {
            return bad("a delay is 0 to 3600 seconds");
        }
        let is_bounded = topic.is_some() || self.depth.is_some() || self.has_budget() || self.kind != Kind::Site;
        if self.scope == Reach::Any && !is_bounded {
            return bad("the whole Web has no end: give a topic, a depth or a number of pages");
        }
        self.seeds().map(drop)
    }

    /// What somebody must be to ask for it.
    pub(crate) fn role(&self) -> Role {
        let is_harmless = self.delay >= POLITE_SECONDS_MIN && !self.ignore_robots && !self.allow_private;
        if is_harmless { Role::Collect } else { Role::Admin }
    }

    /// What the crawl is known by.
    pub(crate) fn name(&self) -> Result<String, Refusal> {
        Ok(self.crawl_kind().crawl_name(&self.seeds()?, self.topic.as_deref()))
    }

    /// What is to be done.
    pub(crate) fn plan(&self, archive: &Archive) -> Result<Plan, Refusal> {
        let seeds = self.seeds()?;
        Ok(Plan {
            scope: self.scope(&seeds),
            kind: self.crawl_kind(),
            topic: self.topic(archive)?,
            requisites: self.requisites,
            sitemaps: self.sitemaps,
            politeness: self.politeness(),
            budget: Budget {
                pages: self.max_pages,
                bytes: self.max_megabytes.map(|megabytes| megabytes.saturating_mul(1_000_000)),
                time: self.max_minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
            },
            ..Plan::new(seeds)
        })
    }

    fn seeds(&self) -> Result<Vec<Url>, Refusal> {
        self.urls.iter().map(|url| address(url.trim())).collect()
    }

    fn has_budget(&self) -> bool {
        self.max_pages.is_some() || self.max_megabytes.is_some() || self.max_minutes.is_some()
    }

    fn crawl_kind(&self) -> CrawlKind {
        match self.kind {
            Kind::Site => CrawlKind::Site,
            Kind::Work => CrawlKind::Work,
            Kind::Again => CrawlKind::Again,
        }
    }

    fn scope(&self, seeds: &[Url]) -> Scope {
        let kind = match (self.scope, self.kind) {
            // What is due again was in scope when it was found.
            (_, Kind::Again) | (Reach::Any, _) => ScopeKind::Any,
            (Reach::Host, _) => ScopeKind::Host,
            (Reach::Domain, _) => ScopeKind::Domain,
            (Reach::Prefix, _) => ScopeKind::Prefix,
        };
        let mut scope = Scope::new(kind, seeds);
        scope.depth_max = self.depth;
        scope.include.clone_from(&self.include);
        scope.exclude.clone_from(&self.exclude);
        scope
    }

    fn politeness(&self) -> Politeness {
        Politeness {
            delay: Duration::from_secs_f64(self.delay),
            connections: CONNECTIONS,
            connections_per_host: if self.delay == 0.0 { CONNECTIONS } else { 1 },
            obeys_robots: !self.ignore_robots,
            ..Politeness::default()
        }
    }

    fn topic(&self, archive: &Archive) -> Result<Option<Topic>, Refusal> {
        let Some(words) = &self.topic else { return Ok(None) };
        if self.like.is_empty() && self.unlike.is_empty() {
            return Ok(Some(Topic::from_words(words)));
        }
        let mut good = examples(archive, &self.like)?;
        good.insert(0, (words.clone(), words.clone()));
        let bad = examples(archive, &self.unlike)?;
        Ok(Some(Topic::from_examples(&borrowed(&good), &borrowed(&bad))))
    }
}

/// The titles and texts of pages of the archive.
fn examples(archive: &Archive, urls: &[String]) -> Result<Vec<(String, String)>, Refusal> {
    let example = |url: &String| {
        let page = archive.page_snapshot(&canonical(&address(url.trim())?), None)?.page();
        Ok((page.title().to_owned(), text_of(&page)))
    };
    urls.iter().map(example).collect()
}

fn text_of(page: &Page) -> String {
    page.text(page.span(), Default::default())
}

fn borrowed(texts: &[(String, String)]) -> Vec<Example<'_>> {
    texts.iter().map(|(title, text)| Example { title, text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(json: &str) -> Order {
        serde_json::from_str(json).expect("an order")
    }

    #[test]
    fn a_crawl_is_known_by_the_name_that_the_command_gives_it() {
        let site = order(r#"{"urls": ["https://example.org"], "topic": "web archives"}"#);
        assert_eq!(site.name().ok().as_deref(), Some("site https://example.org/ about web archives"));
        assert_eq!(order(r#"{"kind": "again"}"#).name().ok().as_deref(), Some("again"));
    }

    #[test]
    fn what_could_do_harm_is_for_administrators() {
        assert_eq!(order(r#"{"urls": ["https://example.org"]}"#).role(), Role::Collect);
        for risk in [r#""allow_private": true"#, r#""ignore_robots": true"#, r#""delay": 0"#] {
            assert_eq!(order(&format!(r#"{{"urls": ["https://example.org"], {risk}}}"#)).role(), Role::Admin, "{risk}");
        }
    }

    #[test]
    fn an_order_that_makes_no_sense_is_refused() {
        for (json, part) in [
            ("{}", "begins at some addresses"),
            (r#"{"urls": ["javascript:alert(1)"]}"#, "no address of the Web"),
            (r#"{"urls": ["http://e.org"], "kind": "again"}"#, "begins at some addresses"),
            (r#"{"urls": ["http://e.org"], "scope": "any"}"#, "has no end"),
            (r#"{"urls": ["http://e.org"], "delay": -1}"#, "0 to 3600"),
            (r#"{"urls": ["http://e.org"], "topic": " "}"#, "some words"),
            (r#"{"urls": ["http://e.org"], "like": ["http://e.org/a"]}"#, "name it"),
        ] {
            let refusal = order(json).check().expect_err(json);
            assert!(refusal.detail.contains(part), "{json}: {}", refusal.detail);
        }
        assert!(order(r#"{"urls": ["http://e.org"], "scope": "any", "max_pages": 10}"#).check().is_ok());
    }
}
