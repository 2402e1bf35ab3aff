//! An administrator's rules: which metadata and labels a version gets, and how pages of a site are cut.
//!
//! ```toml
//! [[rule]]
//! url = "https://news.example.org/*"      # `*` stands for anything; without it every URL matches
//! header = { name = "content-language", contains = "zh" }
//! label = ["news"]
//! method = "spcola"                       # how such pages are cut
//! level = 3
//! [rule.metadata]
//! collection = "Newspapers"               # said as it is
//! author = "{field:author}"               # what the page says about itself
//! server = "{header:server}"              # what the answer said
//! ```

use kuai_page::{Capture, Metadata, Page};
use serde::Deserialize;

use crate::Error;
use crate::outline::Outline;

/// The rules of an archive, in order; of two that set the same thing the later one wins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    #[serde(default)]
    rule: Vec<Rule>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    url: Option<String>,
    header: Option<HeaderRule>,
    #[serde(default)]
    label: Vec<String>,
    method: Option<String>,
    level: Option<u32>,
    #[serde(default)]
    metadata: std::collections::BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderRule {
    name: String,
    contains: Option<String>,
}

/// How a page is to be cut, as far as the rules say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cutting {
    pub(crate) method: Option<String>,
    pub(crate) level: Option<u32>,
}

impl Rules {
    /// Reads rules from TOML.
    pub fn read(text: &str) -> Result<Rules, Error> {
        let rules: Rules = toml::from_str(text).map_err(|error| Error::BadRules { what: error.to_string() })?;
        for rule in &rules.rule {
            if let Some(name) = rule.metadata.keys().find(|name| name.contains(['=', '\n'])) {
                return Err(Error::BadRules { what: format!("the name {name:?} holds `=` or a line break") });
            }
        }
        Ok(rules)
    }

    /// How a page is to be cut.
    pub(crate) fn cutting(&self, capture: &Capture) -> Cutting {
        self.matching(capture).fold(Cutting::default(), |cutting, rule| Cutting {
            method: rule.method.clone().or(cutting.method),
            level: rule.level.or(cutting.level),
        })
    }

    /// Adds the labels and metadata of a version.
    pub(crate) fn describe(&self, capture: &Capture, page: Option<&Page>, outline: &mut Outline) {
        for rule in self.matching(capture) {
            for label in &rule.label {
                if !outline.labels.contains(label) {
                    outline.labels.push(label.clone());
                }
            }
            for (name, template) in &rule.metadata {
                outline.metadata.retain(|(known, _)| known != name);
                let value = fill(template, capture, page);
                outline.metadata.extend(value.map(|value| (name.clone(), value)));
            }
        }
    }

    fn matching<'a>(&'a self, capture: &'a Capture) -> impl Iterator<Item = &'a Rule> {
        self.rule.iter().filter(|rule| rule.matches(capture))
    }
}

impl Rule {
    fn matches(&self, capture: &Capture) -> bool {
        let is_url = self.url.as_ref().is_none_or(|pattern| matches_pattern(pattern, capture.url.as_str()));
        let is_header = self.header.as_ref().is_none_or(|header| {
            let value = capture.header(&header.name).map(String::from_utf8_lossy);
            value.is_some_and(|value| header.contains.as_ref().is_none_or(|part| value.contains(part.as_str())))
        });
        is_url && is_header
    }
}

/// Whether a text is of a pattern's form, in which `*` stands for anything.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Fills the places of a template; `None` where a place has nothing to say.
fn fill(template: &str, capture: &Capture, page: Option<&Page>) -> Option<String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}')?;
        filled.push_str(before);
        filled.push_str(&value_of(place, capture, page)?);
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

fn value_of(place: &str, capture: &Capture, page: Option<&Page>) -> Option<String> {
    match place.split_once(':')? {
        ("header", name) => capture.header(name).map(|value| String::from_utf8_lossy(value).into_owned()),
        ("field", name) => field(page?.metadata(), name),
        _ => None,
    }
}

/// What a page says about itself under this name.
fn field(metadata: &Metadata, name: &str) -> Option<String> {
    match name {
        "title" => metadata.title.clone(),
        "headline" => metadata.headline.clone(),
        "language" => metadata.language.clone(),
        "description" => metadata.description.clone(),
        "author" => Some(metadata.authors.join(", ")).filter(|authors| !authors.is_empty()),
        "site" => metadata.site_name.clone(),
        "published" => metadata.published.clone(),
        "modified" => metadata.modified.clone(),
        "keywords" => Some(metadata.keywords.join(", ")).filter(|keywords| !keywords.is_empty()),
        "canonical" => metadata.canonical.as_ref().map(ToString::to_string),
        _ => metadata.scholarly.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use kuai_page::{Limits, Timestamp, Url};

    use super::*;

    const RULES: &str = r#"
        [[rule]]
        label = ["web"]
        metadata = { title = "{field:title}", server = "{header:server}", collection = "All" }

        [[rule]]
        url = "https://*.example.org/news/*"
        header = { name = "Content-Language", contains = "zh" }
        label = ["web", "news"]
        method = "spcola"
        level = 3
        metadata = { collection = "Newspapers" }
    "#;

    fn described(url: &str, language: &str) -> (Outline, Cutting) {
        let url = Url::parse(url).expect("valid");
        let mut capture = Capture::new(url, Timestamp::UNIX_EPOCH, b"<title>T</title>".to_vec());
        capture.headers = vec![("content-language".to_owned(), language.as_bytes().to_vec())];
        let rules = Rules::read(RULES).expect("valid rules");
        let mut outline = Outline::default();
        rules.describe(&capture, Some(&Page::read(&capture, &Limits::default())), &mut outline);
        (outline, rules.cutting(&capture))
    }

    #[test]
    fn the_later_rule_wins_and_empty_places_say_nothing() {
        let (outline, cutting) = described("https://a.example.org/news/1", "zh-CN");
        assert_eq!(outline.labels, ["web", "news"]);
        let pairs: Vec<_> = outline.metadata.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(pairs, ["title=T", "collection=Newspapers"]);
        assert_eq!(cutting, Cutting { method: Some("spcola".to_owned()), level: Some(3) });
    }

    #[test]
    fn a_rule_that_does_not_match_says_nothing() {
        assert_eq!(described("https://a.example.org/news/1", "en").0.labels, ["web"]);
        assert_eq!(described("https://example.org/news/1", "zh").1, Cutting::default());
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, expected) in
            [("a*c", "abc", true), ("a*c", "acb", false), ("*", "", true), ("abc", "abcd", false), ("*b*", "abc", true)]
        {
            assert_eq!(matches_pattern(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn an_unknown_word_in_the_rules_is_named() {
        assert!(Rules::read("[[rule]]\nurls = 'x'").expect_err("no such word").to_string().contains("urls"));
    }
}
