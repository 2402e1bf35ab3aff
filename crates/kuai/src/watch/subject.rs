//! What is watched, and which blocks of it matter.

use std::fmt;

use kuai_archive::ChangeKind;
use kuai_page::{Label, Url};
use kuai_search::Query;
use serde::{Deserialize, Serialize};

/// What is watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A page, by its address.
    Page(String),
    /// All pages of a host and of those below it.
    Site(String),
    /// Blocks that a query finds, on any page.
    Query(String),
}

/// Which blocks matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Kind {
    /// What pages are there for: no links, adverts, copyright lines or noise.
    Content,
    /// Everything that a reader sees.
    Any,
    /// Blocks with this label.
    Label(Label),
}

impl Subject {
    /// The subject that somebody names: an address, a host, or a query.
    pub fn read(text: &str) -> Result<Subject, String> {
        let text = text.trim();
        if text.contains("://") && !text.contains(char::is_whitespace) {
            return match Url::parse(text) {
                Ok(url) if url.has_host() => Ok(Subject::Page(url.to_string())),
                Ok(_) => Err(format!("{text} names no host; write it like https://example.org/page")),
                Err(error) => Err(format!("{error}; write it like https://example.org/page")),
            };
        }
        if let Some(host) = host(text) {
            return Ok(Subject::Site(host));
        }
        match text.parse::<Query>() {
            Ok(_) => Ok(Subject::Query(text.to_owned())),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Whether blocks of this address may matter.
    pub(super) fn covers(&self, url: &Url) -> bool {
        match self {
            Subject::Page(page) => page == url.as_str(),
            Subject::Site(site) => url.host_str().is_some_and(|host| {
                host.strip_suffix(site.as_str()).is_some_and(|below| below.is_empty() || below.ends_with('.'))
            }),
            Subject::Query(_) => true,
        }
    }

    /// Whether the first capture of a page is news: where that page itself is watched, it is what later ones are compared with.
    pub(super) fn rings_for_new_pages(&self) -> bool {
        !matches!(self, Subject::Page(_))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Page(name) | Subject::Site(name) | Subject::Query(name) => out.pad(name),
        }
    }
}

/// The host that a text without scheme names, if it looks like one: `example.org`, `site:example.org`.
fn host(text: &str) -> Option<String> {
    let name = text.strip_prefix("site:").unwrap_or(text);
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '.';
    let has_dot = name.trim_matches('.').contains('.');
    if !has_dot || !name.chars().all(is_name) {
        return None;
    }
    Url::parse(&format!("http://{name}/")).ok()?.host_str().map(str::to_owned)
}

impl Kind {
    /// Whether a block with this label matters.
    pub(super) fn takes(self, label: Option<Label>) -> bool {
        match self {
            Kind::Content => ChangeKind::of_label(label) == ChangeKind::Main,
            Kind::Any => true,
            Kind::Label(wanted) => label == Some(wanted),
        }
    }

    /// The kind with this name.
    pub fn read(name: &str) -> Result<Kind, String> {
        let label = || Label::ALL.into_iter().find(|label| label.name() == name).map(Kind::Label);
        match name {
            "content" => Ok(Kind::Content),
            "any" => Ok(Kind::Any),
            name => label().ok_or_else(|| {
                format!("there is no kind {name}; there are content, any, {}", Label::ALL.map(Label::name).join(", "))
            }),
        }
    }

    /// The name used in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Content => "content",
            Kind::Any => "any",
            Kind::Label(label) => label.name(),
        }
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(name: String) -> Result<Kind, String> {
        Kind::read(&name)
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> String {
        kind.name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hosts_and_queries_are_told_apart() {
        let check = |text: &str, expected: Subject| assert_eq!(Subject::read(text), Ok(expected), "{text}");
        check("https://Example.org/a", Subject::Page("https://example.org/a".to_owned()));
        check("Example.org", Subject::Site("example.org".to_owned()));
        check("site:example.org", Subject::Site("example.org".to_owned()));
        check("lamp keeper", Subject::Query("lamp keeper".to_owned()));
        check("site:example.org lamp", Subject::Query("site:example.org lamp".to_owned()));
        check("灯塔", Subject::Query("灯塔".to_owned()));
        assert!(Subject::read("mailto://").is_err());
        assert!(Subject::read("kind:wood lamp").is_err());
    }

    #[test]
    fn a_site_covers_its_hosts_and_no_other() {
        let site = Subject::Site("example.org".to_owned());
        let covers = |url: &str| site.covers(&Url::parse(url).unwrap());
        assert!(covers("https://example.org/a") && covers("http://www.example.org/"));
        assert!(!covers("https://badexample.org/") && !covers("https://example.org.evil.test/"));
    }
}
