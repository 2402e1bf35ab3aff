//! What holds for every input: nothing panics, places lie in the source, and fast code agrees with slow.

use kuai_crawl::{
    Directives, PageLinks, Robots, Scope, ScopeKind, TrapLimits, TrapWatch, canonical, check_trap, css_links,
    looks_like_soft_404, read_links, read_requisites, read_sitemap,
};
use kuai_page::{Encoding, Timestamp, Url};
use proptest::prelude::*;

fn page_url() -> Url {
    Url::parse("https://user@www.example.org:8443/a/b?c#d").expect("a valid address")
}

fn encodings() -> impl Strategy<Value = &'static Encoding> {
    let known = |label: &'static str| Encoding::for_label(label.as_bytes()).expect("a known label");
    prop_oneof![Just("utf-8"), Just("gbk"), Just("big5"), Just("utf-16le")].prop_map(known)
}

/// Text that is nearly markup with links.
fn markup() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "<a href=",
        "<A HREF='",
        "<base href=",
        "<area href=\"",
        "<iframe src=",
        "<img srcset='",
        "<link rel=canonical href=",
        "<meta http-equiv=refresh content='0;url=",
        "<meta name=robots content=",
        "<style>",
        "</style>",
        "url(",
        "@import '",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "</a>",
        ">",
        "'",
        "\"",
        " ",
        "#",
        "?",
        "//",
        "http://",
        "javascript:",
        "data:,",
        "&amp;",
        "&#0;",
        "%",
        "%4",
        "%zz",
        "汉",
        "\u{fffd}",
        "\0",
        "\n",
        "[",
        "]",
        "@",
        ":",
        "1x,",
        "/*",
        "*/",
        ")",
        " style='",
        " title=x",
        " rel=next",
        "x",
        "é",
    ]);
    prop_oneof![prop::collection::vec(parts, 0..60).prop_map(|parts| parts.concat()), any::<String>()]
}

/// Addresses, most of them odd.
fn addresses() -> impl Strategy<Value = Url> {
    let parts = prop::sample::select(vec![
        "/",
        "//",
        "a",
        "b",
        ".",
        "..",
        "%2e",
        "%2E%2e",
        "%",
        "%%32e",
        "%4",
        "%41",
        "%7e",
        "%zz",
        "%e6%b1%89",
        "%25",
        "汉",
        ";",
        ";jsessionid=1",
        "?",
        "&",
        "=",
        "utm_source=1",
        "sid=0a1b2c3d4e5f60718293",
        "PHPSESSID",
        "#",
        "2031",
        "-05",
        "year=",
        "1",
        "@",
        ":",
        "'",
        "*",
        "$",
        " ",
        "\\",
    ]);
    let hosts = prop::sample::select(vec![
        "example.org",
        "EXAMPLE.org.",
        "a..",
        "例子.测试",
        "127.1",
        "[::1]",
        "me:pw@h",
        "x.co.uk",
        "localhost:81",
    ]);
    (hosts, prop::collection::vec(parts, 0..20)).prop_filter_map("not an address", |(host, parts)| {
        Url::parse(&format!("http://{host}/{}", parts.concat())).ok()
    })
}

proptest! {
    #[test]
    fn links_are_read_from_anything_and_lie_in_the_source(source in markup(), encoding in encodings()) {
        let PageLinks { base, links, canonical, next, refresh, .. } = read_links(&source, &page_url(), encoding);
        for link in &links {
            prop_assert!(source[link.place as usize..].starts_with('<'));
            prop_assert!(link.text.len() < 520 && !link.text.contains('\n'));
        }
        prop_assert!(links.is_sorted_by_key(|link| link.place));
        let addresses = links.iter().map(|link| &link.url).chain([&canonical, &next, &refresh].into_iter().flatten());
        for url in addresses {
            prop_assert!(matches!(url.scheme(), "http" | "https") && url.fragment().is_none(), "{}", url);
        }
        prop_assert!(matches!(base.scheme(), "http" | "https"));
    }

    #[test]
    fn requisites_are_read_from_anything(source in markup(), encoding in encodings()) {
        for requisite in read_requisites(&source, &page_url(), encoding) {
            prop_assert!(matches!(requisite.url.scheme(), "http" | "https"));
        }
        css_links(&source, &page_url());
    }

    #[test]
    fn a_canonical_address_is_canonical(url in addresses()) {
        let once = canonical(&url);
        prop_assert_eq!(canonical(&once), once.clone());
        prop_assert_eq!(Url::parse(once.as_str()).expect("an address"), once.clone());
        prop_assert!(once.fragment().is_none() && once.username().is_empty() && once.password().is_none());
    }

    #[test]
    fn every_address_is_judged(url in addresses(), robots in any::<Vec<u8>>(), depth in any::<u32>(), second in any::<i32>()) {
        let now = Timestamp::from_second(i64::from(second)).expect("a time");
        check_trap(&url, now);
        let _ = TrapWatch::new(TrapLimits::default()).note(&url);
        Robots::read(&robots, "kuai").allows(&url);
        for kind in [ScopeKind::Host, ScopeKind::Domain, ScopeKind::Prefix, ScopeKind::Any] {
            let scope = Scope::new(kind, std::slice::from_ref(&url));
            prop_assert_eq!(scope.check(&url, depth), Ok(()), "a seed belongs to its crawl");
        }
    }

    #[test]
    fn sitemaps_and_directives_are_read_from_anything(bytes in any::<Vec<u8>>(), xml in nearly_xml(), text in any::<String>()) {
        read_sitemap(&bytes, &page_url());
        read_sitemap(xml.as_bytes(), &page_url());
        Directives::of_headers(&[("X-Robots-Tag".to_owned(), bytes)]);
        looks_like_soft_404(&text, &xml);
    }

    #[test]
    fn robots_agree_with_a_slow_reader(rules in prop::collection::vec(rules(), 0..6), target in "[ab/?]{0,8}") {
        let mut text = "User-agent: *\n".to_owned();
        for (is_allowed, pattern) in &rules {
            text.push_str(&format!("{}: {pattern}\n", if *is_allowed { "Allow" } else { "Disallow" }));
        }
        let url = Url::parse(&format!("https://example.org/{target}")).expect("an address");
        let allowed = Robots::read(text.as_bytes(), "kuai").allows(&url);
        prop_assert_eq!(allowed, slowly_allows(&rules, &format!("/{target}")), "{} {}", text, url);
    }
}

fn nearly_xml() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "<?xml encoding='",
        "gbk'?>",
        "<urlset>",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "http://e.org/",
        "<item>",
        "</item>",
        "<link",
        " href='",
        "'/>",
        ">",
        "&amp;",
        "&x;",
        "&#0;",
        "&",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE x [",
        "]>",
        "<!--",
        "-->",
        "<lastmod>",
        "2026-05",
        "</lastmod>",
        "汉",
        "\0",
        "<",
        "<a:loc/>",
    ]);
    prop::collection::vec(parts, 0..40).prop_map(|parts| parts.concat())
}

fn rules() -> impl Strategy<Value = (bool, String)> {
    (any::<bool>(), "[ab/?*]{0,5}[$]?")
}

/// Tries every rule, and of every star every length.
fn slowly_allows(rules: &[(bool, String)], target: &str) -> bool {
    let mut best = (0, true);
    for (is_allowed, pattern) in rules.iter().filter(|(_, pattern)| !pattern.is_empty()) {
        let rooted = if pattern.starts_with(['/', '*']) { pattern.clone() } else { format!("/{pattern}") };
        if slowly_matches(rooted.as_bytes(), target.as_bytes()) {
            best = best.max((rooted.len(), *is_allowed));
        }
    }
    best.1
}

fn slowly_matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => text.is_empty(),
        [b'*', rest @ ..] => (0..=text.len()).any(|skipped| slowly_matches(rest, &text[skipped..])),
        [first, rest @ ..] => text.first() == Some(first) && slowly_matches(rest, &text[1..]),
    }
}
