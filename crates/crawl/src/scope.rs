//! Which addresses belong to a crawl.
//!
//! A crawl starts from seeds; an address belongs to it if it lies where one of them does (same host, same owner, same folder),
//! is not too many links away and is not excluded. The answer to "why not" is part of the answer.

use std::fmt;

use kuai_page::Url;
use rustc_hash::FxHashMap;
use url::Position;

use crate::wildcard::matches_whole;

/// How far a crawl reaches from its seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    /// The hosts of the seeds, and the ports given with them.
    #[default]
    Host,
    /// Every host of the domains that the seeds' owners registered: `a.example.co.uk` for `example.co.uk`.
    Domain,
    /// The folders of the seeds: `/docs/` for `/docs/index.html`.
    Prefix,
    /// The whole Web.
    Any,
}

/// What belongs to a crawl.
///
/// ```
/// use kuai_crawl::{Scope, ScopeKind};
/// use kuai_page::Url;
///
/// let url = |address| Url::parse(address).expect("a valid address");
/// let mut scope = Scope::new(ScopeKind::Prefix, &[url("https://example.org/docs/start.html")]);
/// scope.exclude.push("*.pdf".to_owned());
/// assert!(scope.check(&url("https://example.org/docs/a/b.html"), 2).is_ok());
/// let reason = scope.check(&url("https://example.org/docs/a.pdf"), 2).unwrap_err();
/// assert_eq!(reason.to_string(), "excluded by the pattern *.pdf");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scope {
    kind: ScopeKind,
    /// Host or domain, and what of it belongs.
    places: FxHashMap<Box<str>, Vec<Place>>,
    /// How many links away from a seed a page may be.
    pub depth_max: Option<u32>,
    /// If any, one of them has to match. `*` stands for any run of characters; patterns that begin with `/` are matched
    /// with path and query, others with the whole address, and both in whole.
    pub include: Vec<String>,
    /// None of them may match; these win over `include`.
    pub exclude: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    port: Option<u16>,
    folder: Box<str>,
}

/// Why an address does not belong to a crawl.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutOfScope {
    /// It is not http or https.
    NotOfTheWeb,
    /// It is on a host that no seed is on.
    AnotherHost,
    /// It is in a domain that no seed is in.
    AnotherDomain,
    /// It is in a folder that no seed is in.
    AnotherFolder,
    /// It is too many links away.
    TooDeep {
        /// How many there may be.
        depth_max: u32,
    },
    /// It is excluded.
    Excluded {
        /// By which pattern.
        pattern: String,
    },
    /// There are patterns to include, and none matches.
    NotIncluded,
}

impl fmt::Display for OutOfScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfScope::NotOfTheWeb => f.write_str("not http or https"),
            OutOfScope::AnotherHost => f.write_str("another host"),
            OutOfScope::AnotherDomain => f.write_str("another domain"),
            OutOfScope::AnotherFolder => f.write_str("another folder"),
            OutOfScope::TooDeep { depth_max: 1 } => f.write_str("deeper than 1 link"),
            OutOfScope::TooDeep { depth_max } => write!(f, "deeper than {depth_max} links"),
            OutOfScope::Excluded { pattern } => write!(f, "excluded by the pattern {pattern}"),
            OutOfScope::NotIncluded => f.write_str("included by no pattern"),
        }
    }
}

impl Scope {
    /// The scope of a crawl from these seeds, without patterns and as deep as links lead.
    pub fn new(kind: ScopeKind, seeds: &[Url]) -> Scope {
        let mut scope = Scope { kind, ..Scope::default() };
        seeds.iter().for_each(|seed| scope.add_seed(seed));
        scope
    }

    /// Adds a seed.
    pub fn add_seed(&mut self, seed: &Url) {
        let place = Place { port: seed.port(), folder: folder_of(seed.path()).into() };
        let key = self.key(seed);
        let places = self.places.entry(key.into()).or_default();
        // Places are told apart only as far as this kind of scope looks, so that many seeds of a site are one place.
        let is_known = |known: &Place| match self.kind {
            ScopeKind::Any | ScopeKind::Domain => true,
            ScopeKind::Host => known.port == place.port,
            ScopeKind::Prefix => known.port == place.port && place.folder.starts_with(&*known.folder),
        };
        if !places.iter().any(is_known) {
            places.push(place);
        }
    }

    /// Whether an address that is `depth` links away from a seed belongs to the crawl, or why not.
    pub fn check(&self, url: &Url, depth: u32) -> Result<(), OutOfScope> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(OutOfScope::NotOfTheWeb);
        }
        self.check_place(url)?;
        if let Some(depth_max) = self.depth_max.filter(|&depth_max| depth > depth_max) {
            return Err(OutOfScope::TooDeep { depth_max });
        }
        self.check_patterns(url)
    }

    fn check_place(&self, url: &Url) -> Result<(), OutOfScope> {
        let places = self.places.get(self.key(url));
        let at_port = || places.into_iter().flatten().filter(|place| place.port == url.port());
        match self.kind {
            ScopeKind::Any => Ok(()),
            ScopeKind::Domain => places.map(|_| ()).ok_or(OutOfScope::AnotherDomain),
            ScopeKind::Host => at_port().next().map(|_| ()).ok_or(OutOfScope::AnotherHost),
            ScopeKind::Prefix if at_port().next().is_none() => Err(OutOfScope::AnotherHost),
            ScopeKind::Prefix if at_port().any(|place| url.path().starts_with(&*place.folder)) => Ok(()),
            ScopeKind::Prefix => Err(OutOfScope::AnotherFolder),
        }
    }

    fn check_patterns(&self, url: &Url) -> Result<(), OutOfScope> {
        if let Some(pattern) = self.exclude.iter().find(|pattern| matches(pattern, url)) {
            return Err(OutOfScope::Excluded { pattern: pattern.clone() });
        }
        if !self.include.is_empty() && !self.include.iter().any(|pattern| matches(pattern, url)) {
            return Err(OutOfScope::NotIncluded);
        }
        Ok(())
    }

    fn key<'a>(&self, url: &'a Url) -> &'a str {
        let host = url.host_str().unwrap_or_default();
        match self.kind {
            ScopeKind::Any => "",
            ScopeKind::Domain => registered_domain(url).unwrap_or(host),
            // Decision: `www.` makes no other host; sites send visitors from one to the other, and a crawl of
            // `example.org` that ends at its first redirect helps no one. Nor do http and https.
            ScopeKind::Host | ScopeKind::Prefix => host.strip_prefix("www.").unwrap_or(host),
        }
    }
}

/// The domain that the owner of a host registered; none for addresses in numbers and for bare suffixes.
pub fn registered_domain(url: &Url) -> Option<&str> {
    // The domain of the URL standard is a name, never a number; it is lower case and ASCII, as the list is.
    url.domain().and_then(psl::domain_str)
}

/// The path up to its last slash.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("/", |place| &path[..=place])
}

fn matches(pattern: &str, url: &Url) -> bool {
    let start = if pattern.starts_with('/') { Position::BeforePath } else { Position::BeforeScheme };
    matches_whole(pattern, &url[start..Position::AfterQuery])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(address: &str) -> Url {
        Url::parse(address).expect("a valid address")
    }

    fn check(scope: &Scope, address: &str, expected: Result<(), OutOfScope>) {
        assert_eq!(scope.check(&url(address), 1), expected, "{address}");
    }

    #[test]
    fn a_host_is_one_with_and_without_www_and_tls() {
        let scope = Scope::new(ScopeKind::Host, &[url("http://example.org/a/b")]);
        check(&scope, "https://www.example.org/c", Ok(()));
        check(&scope, "http://sub.example.org/", Err(OutOfScope::AnotherHost));
        check(&scope, "http://example.org:8080/", Err(OutOfScope::AnotherHost));
        check(&scope, "ftp://example.org/", Err(OutOfScope::NotOfTheWeb));
    }

    #[test]
    fn a_domain_is_what_its_owner_registered() {
        let scope = Scope::new(ScopeKind::Domain, &[url("http://www.example.co.uk/")]);
        check(&scope, "https://a.b.example.co.uk:99/c", Ok(()));
        check(&scope, "http://other.co.uk/", Err(OutOfScope::AnotherDomain));
        check(&scope, "http://notexample.co.uk/", Err(OutOfScope::AnotherDomain));
        let pages = Scope::new(ScopeKind::Domain, &[url("https://me.github.io/")]);
        check(&pages, "https://you.github.io/", Err(OutOfScope::AnotherDomain));
    }

    #[test]
    fn domains_in_other_scripts_are_understood() {
        let scope = Scope::new(ScopeKind::Domain, &[url("http://www.食狮.公司.cn/")]);
        check(&scope, "http://新闻.食狮.公司.cn/", Ok(()));
        check(&scope, "http://别的.公司.cn/", Err(OutOfScope::AnotherDomain));
    }

    #[test]
    fn numbers_and_local_names_are_their_own_domain() {
        let scope = Scope::new(
            ScopeKind::Domain,
            &[url("http://127.0.0.1:80/"), url("http://[::1]/"), url("http://localhost/")],
        );
        check(&scope, "http://127.0.0.1:8000/", Ok(()));
        check(&scope, "http://127.0.0.2/", Err(OutOfScope::AnotherDomain));
        check(&scope, "http://[::1]/a", Ok(()));
        check(&scope, "http://localhost/a", Ok(()));
        let scope = Scope::new(ScopeKind::Domain, &[url("http://a.localhost/")]);
        check(&scope, "http://x.a.localhost/", Ok(()));
        check(&scope, "http://b.localhost/", Err(OutOfScope::AnotherDomain));
    }

    #[test]
    fn a_prefix_is_the_folder_of_the_seed() {
        let scope =
            Scope::new(ScopeKind::Prefix, &[url("http://example.org/docs/a.html"), url("http://example.org/x/")]);
        check(&scope, "http://example.org/docs/b/c?d", Ok(()));
        check(&scope, "http://example.org/x/y", Ok(()));
        check(&scope, "http://example.org/docs", Err(OutOfScope::AnotherFolder));
        check(&scope, "http://example.org/docs-old/", Err(OutOfScope::AnotherFolder));
        check(&scope, "http://other.org/docs/", Err(OutOfScope::AnotherHost));
    }

    #[test]
    fn any_is_the_whole_web() {
        check(&Scope::new(ScopeKind::Any, &[]), "http://anywhere.example/", Ok(()));
    }

    #[test]
    fn depth_and_patterns_are_checked() {
        let mut scope = Scope::new(ScopeKind::Any, &[]);
        scope.depth_max = Some(0);
        check(&scope, "http://e.org/", Err(OutOfScope::TooDeep { depth_max: 0 }));
        scope.depth_max = Some(1);
        scope.include = vec!["/docs/*".to_owned(), "https://e.org/*.html".to_owned()];
        scope.exclude = vec!["*?print=*".to_owned()];
        check(&scope, "http://e.org/docs/a#b", Ok(()));
        check(&scope, "https://e.org/a.html#b", Ok(()));
        check(&scope, "http://e.org/a.html", Err(OutOfScope::NotIncluded));
        check(&scope, "http://e.org/docs/a?print=1", Err(OutOfScope::Excluded { pattern: "*?print=*".to_owned() }));
    }

    #[test]
    fn reasons_read_well() {
        assert_eq!(OutOfScope::AnotherHost.to_string(), "another host");
        assert_eq!(OutOfScope::TooDeep { depth_max: 3 }.to_string(), "deeper than 3 links");
    }
}
