use super::*;

fn url(target: &str) -> Url {
    Url::parse(&format!("https://example.org{target}")).expect("a valid address")
}

/// Whether these are allowed and those are not.
fn check(robots: &str, allowed: &[&str], disallowed: &[&str]) {
    let read = Robots::read(robots.as_bytes(), "kuai");
    for target in allowed {
        assert!(read.allows(&url(target)), "{robots:?} should allow {target}");
    }
    for target in disallowed {
        assert!(!read.allows(&url(target)), "{robots:?} should not allow {target}");
    }
}

#[test]
fn the_longest_pattern_decides_and_of_equal_ones_the_one_that_allows() {
    check("User-agent: *\nDisallow: /a\nAllow: /a/b", &["/", "/b", "/a/b", "/a/b/c"], &["/a", "/ab", "/a/c"]);
    check("User-agent: *\nAllow: /a\nDisallow: /a", &["/a"], &[]);
    check("User-agent: *\nAllow: /$\nDisallow: /", &["/", "/robots.txt"], &["/a", "/?a"]);
    check("User-agent: *\nAllow: /fish\nDisallow: /fish$", &["/fishes"], &["/fish"]);
}

#[test]
fn stars_and_ends_are_understood() {
    check("User-agent: *\nDisallow: /*.gif$", &["/a.gif?x", "/gif"], &["/a.gif", "/a/b.gif.gif"]);
    check("User-agent: *\nDisallow: *?id=", &["/a?ids"], &["/a?id=1", "/?id="]);
    check("User-agent: *\nDisallow: /a*/b*c", &["/ab/c"], &["/a/bc", "/axx/b/c"]);
    check("User-agent: *\nDisallow: /a$b", &["/a"], &["/a$b"]);
}

#[test]
fn our_groups_are_merged_and_come_before_those_for_everyone() {
    let robots = "User-agent: KUAI/2.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: kuai\nDisallow: /b";
    check(robots, &["/c"], &["/a", "/b"]);
    check("User-agent: kuaiku\nDisallow: /", &["/"], &[]);
    check("User-agent: kuai\nUser-agent: *\nDisallow: /a", &["/b"], &["/a"]);
    check("User-agent: *\nDisallow: /\nUser-agent: kuai\nDisallow:", &["/a"], &[]);
    check("Disallow: /a\nUser-agent: *\nDisallow: /b", &["/a"], &["/b"]);
}

#[test]
fn sitemaps_and_unknown_lines_end_no_group() {
    check("User-agent: kuai\nSitemap: https://example.org/s\nHost: x\nUser-agent: b\nDisallow: /a", &[], &["/a"]);
}

#[test]
fn escapes_are_compared_by_what_they_mean() {
    check(
        "User-agent: *\nDisallow: /%7euser\nDisallow: /汉\nDisallow: /a%2fb",
        &["/a/b"],
        &["/~user", "/%E6%B1%89", "/a%2Fb"],
    );
    check("User-agent: *\nDisallow: /~x\nDisallow: /%2A", &["/y"], &["/%7Ex", "/*"]);
    check("User-agent: *\nDisallow: /a b\nDisallow: /?q='", &["/a"], &["/a%20b", "/?q=%27"]);
}

#[test]
fn lines_are_read_however_they_are_written() {
    check("\u{feff}uSER-aGENT : * # all\r\n\r\ndisallow:/a# no\rDISALLOW :  /b  ", &["/c"], &["/a", "/b"]);
    check("User-agent: *\nDisallow: private", &["/x"], &["/private"]);
    check("User-agent: *\nDisallow\nDisallow /x\n: /y\n:::", &["/x", "/y"], &[]);
}

#[test]
fn an_empty_or_binary_file_allows_everything() {
    check("", &["/"], &[]);
    let junk: Vec<u8> = (0..100_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert!(Robots::read(&junk, "kuai").allows(&url("/a")));
    check("<!DOCTYPE html><title>Not found</title><p>User-agent: *<p>Disallow: /", &["/a"], &[]);
}

#[test]
fn what_lies_beyond_500_kib_is_not_read() {
    let padding = "#".repeat(ROBOTS_BYTES_MAX - 40);
    check(
        &format!("User-agent: *\nDisallow: /a\n{padding}\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nDisallow: /b"),
        &["/b"],
        &["/a"],
    );
    let many: String = (0..60_000).map(|number| format!("Disallow: /{number}\n")).collect();
    assert!(many.len() > 600 * 1024);
    check(&format!("User-agent: *\n{many}"), &["/x"], &["/0", "/19999"]);
}

#[test]
fn a_delay_is_read_and_bounded() {
    let delay =
        |value: &str| Robots::read(format!("User-agent: *\nCrawl-delay: {value}").as_bytes(), "kuai").crawl_delay();
    assert_eq!(delay("2"), Some(Duration::from_secs(2)));
    assert_eq!(delay("0.5"), Some(Duration::from_millis(500)));
    assert_eq!(delay("1e300"), Some(CRAWL_DELAY_MAX));
    assert_eq!(delay("inf"), Some(CRAWL_DELAY_MAX));
    for nonsense in ["-1", "nan", "soon", "", "1 s"] {
        assert_eq!(delay(nonsense), None, "{nonsense}");
    }
    let other = Robots::read(b"User-agent: a\nCrawl-delay: 9\nUser-agent: kuai\nDisallow: /x", "kuai");
    assert_eq!(other.crawl_delay(), None);
}

#[test]
fn sitemaps_are_listed_for_every_agent() {
    let text = b"Sitemap: https://example.org/a.xml\nUser-agent: x\nSITEMAP:http://b.example/\nSitemap: /relative\nSitemap: file:///x";
    let robots = Robots::read(text, "kuai");
    assert_eq!(
        robots.sitemaps().iter().map(Url::as_str).collect::<Vec<_>>(),
        ["https://example.org/a.xml", "http://b.example/"]
    );
}

#[test]
fn everything_and_nothing_mean_what_they_say() {
    assert!(Robots::everything().allows(&url("/a?b")));
    assert!(!Robots::nothing().allows(&url("/a?b")) && !Robots::nothing().allows(&url("/")));
}

#[test]
fn answers_are_judged_as_the_rfc_says() {
    let check = |answer, expected| assert_eq!(judge_robots(answer, Duration::ZERO), expected, "{answer:?}");
    let disallow = RobotsOutcome::DisallowAll { ask_again_after: ROBOTS_ASKED_AGAIN_AFTER };
    check(RobotsAnswer::Status(200), RobotsOutcome::Read);
    for status in [301, 400, 401, 403, 404, 410, 451] {
        check(RobotsAnswer::Status(status), RobotsOutcome::AllowAll);
    }
    for status in [100, 429, 500, 503, 599, 999] {
        check(RobotsAnswer::Status(status), disallow);
    }
    check(RobotsAnswer::Unreachable, disallow);
    check(RobotsAnswer::TooManyRedirects, RobotsOutcome::AllowAll);
}

#[test]
fn a_site_that_fails_for_a_month_counts_as_having_no_rules() {
    let late = judge_robots(RobotsAnswer::Unreachable, ROBOTS_GIVEN_UP_AFTER);
    assert_eq!(late, RobotsOutcome::AllowAll);
}
