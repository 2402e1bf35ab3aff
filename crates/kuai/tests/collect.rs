//! Crawls of webs that were made up for the purpose: what is collected, what is not, and what is said about it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use kuai::{
    Archive, Budget, Capture, CrawlKind, End, FetchError, Frontier, Known, Plan, Politeness, Report, Scope, ScopeKind,
    Stage, Timestamp, Topic, Url, canonical, collect, in_memory,
};
use kuai_crawl::{FakeWeb, Wait};
use kuai_store::MemoryFrontier;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// A plan without delays, that waits for nothing.
fn plan(seeds: &[&str]) -> Plan {
    let politeness = Politeness { delay: Duration::ZERO, patience: Duration::ZERO, ..Politeness::default() };
    Plan { politeness, ..Plan::new(seeds.iter().map(|seed| url(seed)).collect()) }
}

/// A crawl that was run.
struct Crawl {
    archive: Archive,
    frontier: MemoryFrontier,
    report: Report,
}

fn crawl(web: &FakeWeb, plan: &Plan) -> Crawl {
    let (archive, frontier) = (in_memory(), MemoryFrontier::new());
    let report = collect(&archive, &frontier, web, plan, &mut |_| true).unwrap();
    Crawl { archive, frontier, report }
}

impl Crawl {
    /// Goes on with the same archive and frontier.
    fn again(self, web: &FakeWeb, plan: &Plan) -> Crawl {
        let Crawl { archive, frontier, .. } = self;
        let report = collect(&archive, &frontier, web, plan, &mut |_| true).unwrap();
        Crawl { archive, frontier, report }
    }

    /// The addresses in the archive.
    fn urls(&self) -> Vec<String> {
        self.archive.urls("", None, 1000).unwrap().into_iter().map(|row| row.url).collect()
    }

    fn known(&self, address: &str) -> Known {
        self.frontier.look_up(&canonical(&url(address))).unwrap().expect("the crawl came across it")
    }

    fn check(&self, address: &str, stage: Stage, reason: &str) {
        let known = self.known(address);
        assert_eq!((known.stage, known.reason.as_str()), (stage, reason), "{address}");
    }
}

/// A page with links.
fn links(targets: &[&str]) -> String {
    let links: Vec<String> =
        targets.iter().map(|target| format!("<p><a href='{target}'>A link to {target}</a></p>")).collect();
    format!("<title>A page</title><p>Some text that says something of its own.</p>{}", links.concat())
}

fn answer(address: &str, status: u16, headers: &[(&str, &str)], body: &str) -> Capture {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect();
    Capture { status, reason: String::new(), headers, ..Capture::new(url(address), Timestamp::UNIX_EPOCH, body.into()) }
}

fn asked(web: &FakeWeb) -> Vec<String> {
    web.asked().into_iter().map(|request| request.url.to_string()).filter(|url| !url.ends_with("robots.txt")).collect()
}

#[test]
fn every_page_in_scope_is_kept_once_as_it_came() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/one", "/two#part", "/one?utm_source=x", "http://b.example/"]))
        .page("http://a.example/one", links(&["/", "/two", "three"]))
        .page("http://a.example/two", links(&["/one"]))
        .page("http://a.example/three", links(&[]));
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    assert_eq!(
        crawl.urls(),
        ["http://a.example/", "http://a.example/one", "http://a.example/three", "http://a.example/two"]
    );
    assert_eq!(asked(&web).len(), 4);
    let body = crawl.archive.snapshot(&url("http://a.example/two"), None).unwrap().capture.body;
    assert_eq!(body, links(&["/one"]).into_bytes());
    crawl.check("http://b.example/", Stage::Skipped, "another host");
    assert_eq!((crawl.report.end, crawl.report.status.new), (End::Complete, 4));
}

#[test]
fn a_crawl_goes_no_deeper_and_no_further_than_it_may() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/1"]))
        .page("http://a.example/1", links(&["/2"]))
        .page("http://a.example/2", links(&["/3"]));
    let mut shallow = plan(&["http://a.example/"]);
    shallow.scope.depth_max = Some(1);
    let crawl_of_one_step = crawl(&web, &shallow);
    assert_eq!(crawl_of_one_step.urls(), ["http://a.example/", "http://a.example/1"]);
    let few = Plan { budget: Budget { pages: Some(2), ..Budget::default() }, ..plan(&["http://a.example/"]) };
    let crawl_of_two_pages = crawl(&web, &few);
    assert_eq!((crawl_of_two_pages.urls().len(), crawl_of_two_pages.report.end), (2, End::Pages));
    let rest = crawl_of_two_pages.again(&web, &plan(&["http://a.example/"]));
    assert!(rest.report.is_resumed);
    assert_eq!(rest.urls().len(), 4, "the last is a page that is not there, and is kept as such");
    assert_eq!(rest.report.status.new, 2);
}

#[test]
fn a_crawl_that_is_done_visits_all_again_when_it_is_asked_to() {
    let etag = [("content-type", "text/html"), ("etag", "\"one\"")];
    let web = FakeWeb::new().page("http://a.example/", links(&["/1"])).answer(answer(
        "http://a.example/1",
        200,
        &etag,
        "<p>A text that stays as it is.</p>",
    ));
    let first = crawl(&web, &plan(&["http://a.example/"]));
    let second = first.again(&web, &plan(&["http://a.example/"]));
    assert_eq!((second.report.status.same, second.report.is_resumed), (2, false));
    assert_eq!(web.asked().last().unwrap().etag.as_deref(), Some(b"\"one\"".as_slice()));
    assert_eq!(second.archive.history(&url("http://a.example/1")).unwrap().len(), 1);
}

#[test]
fn a_crawl_that_is_to_run_once_goes_on_until_it_is_complete_and_then_asks_for_nothing() {
    let web = FakeWeb::new().page("http://a.example/", links(&["/1"])).page("http://a.example/1", links(&[]));
    let once = Plan { only_once: true, ..plan(&["http://a.example/"]) };
    let begun = crawl(&web, &Plan { budget: Budget { pages: Some(1), ..Budget::default() }, ..once.clone() });
    assert_eq!(begun.report.end, End::Pages);
    let complete = begun.again(&web, &once);
    assert_eq!((complete.report.end, complete.report.is_resumed), (End::Complete, true));
    let asked = web.asked().len();
    let over = complete.again(&web, &once);
    assert_eq!((over.report.end, over.report.status.counts.of(Stage::Done)), (End::Already, 2));
    assert_eq!(web.asked().len(), asked);
}

#[test]
fn what_another_crawl_archived_is_not_taken_for_what_this_one_left_behind() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["http://b.example/"]))
        .page("http://b.example/", links(&["/1"]))
        .page("http://b.example/1", links(&[]));
    let first = crawl(&web, &plan(&["http://a.example/"]));
    let other = MemoryFrontier::new();
    collect(&first.archive, &other, &web, &plan(&["http://b.example/"]), &mut |_| true).unwrap();
    let again = first.again(&web, &plan(&["http://a.example/"]));
    assert_eq!((again.report.recovered, again.report.is_resumed), (0, false));
    again.check("http://b.example/", Stage::Skipped, "another host");
    assert_eq!(again.frontier.look_up(&url("http://b.example/1")).unwrap(), None);
}

#[test]
fn redirects_are_kept_hop_by_hop_and_end() {
    let web = FakeWeb::new()
        .redirect("http://a.example/", "http://www.a.example/start")
        .page("http://www.a.example/start", links(&["/loop", "http://a.example/old"]))
        .redirect("http://www.a.example/loop", "/loop2")
        .redirect("http://www.a.example/loop2", "/loop");
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    assert_eq!(crawl.archive.snapshot(&url("http://a.example/"), None).unwrap().capture.status, 301);
    assert_eq!(crawl.known("http://www.a.example/start").stage, Stage::Done, "where a seed leads is in scope");
    assert_eq!(crawl.known("http://www.a.example/loop2").stage, Stage::Done);
    assert_eq!(asked(&web).iter().filter(|url| url.contains("loop")).count(), 2, "a loop is walked once");
}

#[test]
fn a_long_way_of_redirects_is_cut() {
    let web = (0..20).fold(FakeWeb::new(), |web, step| {
        web.redirect(&format!("http://a.example/r{step}/"), &format!("http://a.example/r{}/", step + 1))
    });
    let crawl = crawl(&web, &plan(&["http://a.example/r0/"]));
    crawl.check("http://a.example/r10/", Stage::Failed, "more than 10 redirects, the last to http://a.example/r11/");
}

#[test]
fn robots_txt_is_obeyed() {
    let web = FakeWeb::new()
        .page("http://a.example/robots.txt", "User-agent: *\nDisallow: /private/\nCrawl-delay: 0\n")
        .page("http://a.example/", links(&["/private/x", "/open"]))
        .page("http://a.example/private/x", links(&[]))
        .page("http://a.example/open", links(&[]));
    let obedient = crawl(&web, &plan(&["http://a.example/"]));
    obedient.check("http://a.example/private/x", Stage::Skipped, "robots.txt forbids it");
    assert_eq!(obedient.urls().len(), 2);
    let mut own_site = plan(&["http://a.example/"]);
    own_site.politeness.obeys_robots = false;
    assert_eq!(crawl(&web, &own_site).urls().len(), 3);
}

#[test]
fn robots_txt_that_is_missing_or_forbidden_or_loops_allows() {
    for robots in [404, 403, 410] {
        let web = FakeWeb::new()
            .answer(answer("http://a.example/robots.txt", robots, &[], ""))
            .page("http://a.example/", links(&[]));
        assert_eq!(crawl(&web, &plan(&["http://a.example/"])).urls().len(), 1, "{robots}");
    }
    let web =
        FakeWeb::new().redirect("http://a.example/robots.txt", "/robots.txt").page("http://a.example/", links(&[]));
    assert_eq!(crawl(&web, &plan(&["http://a.example/"])).urls().len(), 1, "a loop");
}

#[test]
fn robots_txt_that_is_out_of_reach_forbids_for_now() {
    let broken = FakeWeb::new().answer(answer("http://a.example/robots.txt", 500, &[], ""));
    let silent =
        FakeWeb::new().failing("http://a.example/robots.txt", |url| FetchError::TimedOut(url, Wait::FirstByte));
    for web in [broken, silent] {
        let web = web.page("http://a.example/", links(&[]));
        let crawl = crawl(&web, &plan(&["http://a.example/"]));
        let reason = "robots.txt is out of reach, and until it is read nothing may be fetched";
        crawl.check("http://a.example/", Stage::Later, reason);
        assert!(matches!(crawl.report.end, End::Waiting(_)));
        assert_eq!(asked(&web), [] as [&str; 0]);
    }
}

#[test]
fn robots_txt_of_any_size_and_bytes_is_survived() {
    let long = format!("User-agent: *\n{}Disallow: /private/\n", "# a comment that goes on\n".repeat(30_000));
    let long = FakeWeb::new().page("http://a.example/robots.txt", long);
    let binary = FakeWeb::new().page("http://a.example/robots.txt", vec![0xFF, 0x00, 0xFE, b'\n', 0x80]);
    for web in [long, binary] {
        let web = web.page("http://a.example/", links(&[]));
        assert_eq!(crawl(&web, &plan(&["http://a.example/"])).urls().len(), 1);
    }
}

#[test]
fn what_pages_ask_of_crawlers_is_done() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/hidden", "/leaf", "/header"]) + "<a rel=nofollow href=/no>no</a>")
        .page("http://a.example/hidden", "<meta name=robots content=noarchive><a href=/behind>behind</a>")
        .page(
            "http://a.example/leaf",
            "<meta name=robots content=noindex,nofollow><p>Text.</p><a href=/never>never</a>",
        )
        .answer(answer(
            "http://a.example/header",
            200,
            &[("content-type", "text/html"), ("x-robots-tag", "noarchive")],
            "<p>Not to be kept.</p>",
        ))
        .page("http://a.example/behind", "<p>Behind the hidden page.</p>");
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    let reason = "the page asks not to be kept (noarchive)";
    crawl.check("http://a.example/hidden", Stage::Skipped, reason);
    crawl.check("http://a.example/header", Stage::Skipped, reason);
    crawl.check("http://a.example/no", Stage::Skipped, "the link asks not to be followed");
    assert_eq!(crawl.urls(), ["http://a.example/", "http://a.example/behind", "http://a.example/leaf"]);
}

#[test]
fn a_header_can_ask_that_no_link_is_followed() {
    let headers = [("content-type", "text/html"), ("x-robots-tag", "nofollow")];
    let web = FakeWeb::new().answer(answer("http://a.example/", 200, &headers, &links(&["/1"])));
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    assert_eq!(asked(&web), ["http://a.example/"]);
    assert_eq!(crawl.urls().len(), 1);
}

#[test]
fn failures_are_kept_with_their_reasons() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/gone", "/slow", "/broken", "/busy", "/large"]))
        .answer(answer("http://a.example/gone", 410, &[], "gone"))
        .answer(answer("http://a.example/broken", 500, &[], "oh"))
        .answer(answer("http://a.example/busy", 503, &[("retry-after", "120")], ""))
        .failing("http://a.example/slow", |url| FetchError::TimedOut(url, Wait::FirstByte))
        .failing("http://a.example/large", |url| FetchError::BodyTooLarge(url, 1000));
    let hasty = crawl(&web, &plan(&["http://a.example/"]));
    hasty.check("http://a.example/gone", Stage::Failed, "410");
    hasty.check("http://a.example/large", Stage::Failed, "it is larger than 1000 bytes");
    hasty.check("http://a.example/slow", Stage::Later, "the host took too long to answer");
    hasty.check("http://a.example/broken", Stage::Later, "500");
    hasty.check("http://a.example/busy", Stage::Later, "503");
    let mut once = plan(&["http://a.example/"]);
    once.politeness.attempts_max = 1;
    let once = crawl(&web, &once);
    once.check("http://a.example/slow", Stage::Failed, "the host took too long to answer");
    once.check("http://a.example/broken", Stage::Failed, "500");
    assert_eq!(once.report.status.failed, 5);
    assert_eq!(once.archive.snapshot(&url("http://a.example/broken"), None).unwrap().capture.body, b"oh");
}

#[test]
fn a_host_that_never_answers_is_given_up() {
    let targets: Vec<String> = (0..40).map(|number| format!("http://dead.example/page{number}x")).collect();
    let page = links(&targets.iter().map(String::as_str).collect::<Vec<_>>());
    let web = targets.iter().fold(FakeWeb::new().page("http://a.example/", page), |web, target| {
        web.failing(target, |url| FetchError::Unreachable(url, "refused".to_owned()))
    });
    let mut plan = plan(&["http://a.example/"]);
    plan.scope = Scope::new(ScopeKind::Any, &plan.seeds);
    plan.politeness.attempts_max = 1;
    plan.politeness.connections = 1;
    plan.politeness.obeys_robots = false;
    let crawl = crawl(&web, &plan);
    assert_eq!(crawl.frontier.counts().unwrap().of(Stage::Failed), 40);
    crawl.check("http://dead.example/page39x", Stage::Failed, "the host failed 8 times in a row and was given up");
}

#[test]
fn traps_are_bounded_and_named() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/a/a/a/a/", "/list;jsessionid=ABCDEF0123456789ABCDEF0123456789", "/list"]))
        .page("http://a.example/list", links(&["/"]));
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    let known = crawl.known("http://a.example/a/a/a/a/");
    assert_eq!(known.stage, Stage::Skipped);
    assert!(known.reason.starts_with("a trap: "), "{}", known.reason);
    assert_eq!(crawl.urls(), ["http://a.example/", "http://a.example/list"], "session ids make no new address");
}

#[test]
fn a_page_that_says_it_is_missing_is_kept_and_told() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/gone", "/zh"]))
        .page(
            "http://a.example/gone",
            "<title>404 Not Found</title><p>Sorry, the page you asked for does not exist.</p>",
        )
        .page("http://a.example/zh", "<title>提示信息</title><p>您访问的页面不存在</p>");
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    for address in ["http://a.example/gone", "http://a.example/zh"] {
        crawl.check(address, Stage::Failed, "a soft 404: it says that it is not there, but not by its status");
    }
    assert_eq!(crawl.urls().len(), 3);
}

#[test]
fn an_endless_calendar_ends() {
    let months: Vec<String> =
        (1..=12).flat_map(|month| (1..=28).map(move |day| format!("/cal?date=2199-{month:02}-{day:02}"))).collect();
    let web = FakeWeb::new().page("http://a.example/", links(&months.iter().map(String::as_str).collect::<Vec<_>>()));
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    assert_eq!(crawl.urls(), ["http://a.example/"]);
    let reason = crawl.known("http://a.example/cal?date=2199-05-05").reason;
    assert!(reason.starts_with("a trap: "), "{reason}");
}

#[test]
fn a_hostile_base_and_bad_escapes_lead_nowhere_bad() {
    let web = FakeWeb::new()
        .page(
            "http://a.example/",
            "<base href='javascript:alert(1)//'>".to_owned() + &links(&["/%zz%41", "one", "//b.example:99999/"]),
        )
        .page("http://a.example/one", links(&[]))
        .page("http://a.example/%zzA", links(&[]));
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    assert_eq!(crawl.urls(), ["http://a.example/", "http://a.example/%zzA", "http://a.example/one"]);
}

#[test]
fn a_page_in_gbk_that_says_utf_8_is_read_and_kept() {
    let (body, _, _) = encoding_rs::GBK
        .encode("<meta charset=utf-8><p>这是一个说明编码错误的中文页面，内容足够长。</p><a href='/one'>下一页</a>");
    let web = FakeWeb::new().page("http://a.example/", body.clone()).page("http://a.example/one", links(&[]));
    let crawl = crawl(&web, &plan(&["http://a.example/"]));
    assert_eq!(crawl.urls().len(), 2);
    assert_eq!(crawl.archive.snapshot(&url("http://a.example/"), None).unwrap().capture.body, body.as_ref());
}

#[test]
fn sitemaps_are_read_when_asked_for_and_end() {
    let sitemap = "<sitemapindex><sitemap><loc>http://a.example/sitemap.xml</loc></sitemap>\
                   <sitemap><loc>http://a.example/more.xml</loc></sitemap></sitemapindex>";
    let more = "<urlset><url><loc>http://a.example/unlinked</loc></url></urlset>";
    let web = FakeWeb::new()
        .page("http://a.example/", links(&[]))
        .answer(answer("http://a.example/sitemap.xml", 200, &[("content-type", "application/xml")], sitemap))
        .answer(answer("http://a.example/more.xml", 200, &[("content-type", "application/xml")], more))
        .page("http://a.example/unlinked", links(&[]));
    assert_eq!(crawl(&web, &plan(&["http://a.example/"])).urls().len(), 1);
    let with_sitemaps = Plan { sitemaps: true, ..plan(&["http://a.example/"]) };
    let crawl = crawl(&web, &with_sitemaps);
    assert!(crawl.urls().contains(&"http://a.example/unlinked".to_owned()));
}

#[test]
fn a_sitemap_that_moved_is_read_where_it_is_and_takes_nobody_along() {
    let sitemap = "<urlset><url><loc>http://a.example/unlinked</loc></url><url><loc>http://cdn.example/other</loc></url></urlset>";
    let web = FakeWeb::new()
        .page("http://a.example/", links(&[]))
        .redirect("http://a.example/sitemap.xml", "/maps/all.xml")
        .answer(answer("http://a.example/maps/all.xml", 200, &[("content-type", "application/xml")], sitemap))
        .page("http://a.example/unlinked", links(&[]));
    let crawl = crawl(&web, &Plan { sitemaps: true, ..plan(&["http://a.example/"]) });
    assert_eq!(crawl.known("http://a.example/unlinked").stage, Stage::Done);
    crawl.check("http://cdn.example/other", Stage::Skipped, "another host");
}

#[test]
fn what_is_gone_is_not_due_for_ever() {
    let web = FakeWeb::new();
    let (archive, frontier) = (in_memory(), MemoryFrontier::new());
    let (gone, due) = (url("http://a.example/gone"), Timestamp::UNIX_EPOCH);
    let visits = vec![kuai::DueVisit { url: gone, due, why: String::new() }];
    frontier.record(&kuai_crawl::Batch { visits, ..kuai_crawl::Batch::default() }).unwrap();
    let again = Plan { kind: CrawlKind::Again, scope: Scope::new(ScopeKind::Any, &[]), ..plan(&[]) };
    collect(&archive, &frontier, &web, &again, &mut |_| true).unwrap();
    assert_eq!(asked(&web), ["http://a.example/gone"]);
    assert!(frontier.due(None, 1).unwrap()[0].due > due);
}

#[test]
fn requisites_come_with_their_pages_from_anywhere() {
    let css = "@import 'more.css'; p { background: url(back.png) }";
    let web = FakeWeb::new()
        .page("http://a.example/", "<link rel=stylesheet href='http://cdn.example/s.css'><img src=/i.png><p>Text</p>")
        .answer(answer("http://cdn.example/s.css", 200, &[("content-type", "text/css")], css));
    let plan = Plan { requisites: true, ..plan(&["http://a.example/"]) };
    let crawl = crawl(&web, &plan);
    assert_eq!(
        crawl.urls(),
        [
            "http://a.example/",
            "http://a.example/i.png",
            "http://cdn.example/back.png",
            "http://cdn.example/more.css",
            "http://cdn.example/s.css"
        ]
    );
}

#[test]
fn a_work_is_the_pages_of_its_contents_in_order_with_what_continues_them() {
    let web = FakeWeb::new()
        .page("http://a.example/book/", links(&["2.html", "1.html", "2.html"]))
        .page("http://a.example/book/1.html", links(&["/elsewhere"]) + "<a rel=next href=1b.html>Next page</a>")
        .page("http://a.example/book/1b.html", links(&["/elsewhere"]))
        .page("http://a.example/book/2.html", links(&["/elsewhere"]))
        .page("http://a.example/elsewhere", links(&[]));
    let mut work = Plan { kind: CrawlKind::Work, ..plan(&["http://a.example/book/"]) };
    work.politeness.connections = 1;
    let crawl = crawl(&web, &work);
    let expected = ["", "2.html", "1.html", "1b.html"].map(|page| format!("http://a.example/book/{page}"));
    assert_eq!(asked(&web), expected);
    assert_eq!(crawl.urls().len(), 4);
}

#[test]
fn a_crawl_by_topic_takes_the_links_that_matter_first() {
    let about = |what: &str| {
        format!(
            "<title>{what}</title><h1>{what}</h1><p>{}</p>",
            format!("All about {what}, and more on {what}. ").repeat(8)
        )
    };
    let hub = "<title>A portal</title><div><h2>Web archives</h2><ul><li><a href=/archives>Web archives and their formats</a></li></ul></div>\
               <div><h2>Cooking</h2><ul><li><a href=/cooking>Recipes for pasta</a></li></ul></div>";
    let web = FakeWeb::new()
        .page("http://a.example/", hub)
        .page("http://a.example/archives", about("web archives"))
        .page("http://a.example/cooking", about("cooking pasta"));
    let mut plan = Plan { topic: Some(Topic::from_words("web archives")), ..plan(&["http://a.example/"]) };
    plan.politeness.connections = 1;
    plan.budget.pages = Some(2);
    let crawl = crawl(&web, &plan);
    assert_eq!(asked(&web), ["http://a.example/", "http://a.example/archives"]);
    assert!(crawl.report.status.on_topic >= 1);
    assert!(crawl.frontier.memory().unwrap().is_some());
}

#[test]
fn what_a_killed_run_archived_is_not_fetched_again() {
    let web = FakeWeb::new()
        .page("http://a.example/", links(&["/1", "/2"]))
        .page("http://a.example/1", links(&["/3"]))
        .page("http://a.example/2", links(&[]))
        .page("http://a.example/3", links(&[]));
    let few = Plan { budget: Budget { pages: Some(1), ..Budget::default() }, ..plan(&["http://a.example/"]) };
    let begun = crawl(&web, &few);
    // As a run does that is killed between archiving a page and recording it.
    begun
        .archive
        .commit(&answer("http://a.example/1", 200, &[("content-type", "text/html")], &links(&["/3"])))
        .unwrap();
    let rest = begun.again(&web, &plan(&["http://a.example/"]));
    assert_eq!(rest.report.recovered, 1);
    let mut all = asked(&web);
    all.sort();
    assert_eq!(all, ["http://a.example/", "http://a.example/2", "http://a.example/3"]);
    assert_eq!(rest.urls().len(), 4);
}

#[test]
fn a_crawl_that_is_stopped_gives_back_what_it_had_claimed() {
    let web = FakeWeb::new().page("http://a.example/", links(&["/1", "/2"]));
    let (archive, frontier) = (in_memory(), MemoryFrontier::new());
    let report = collect(&archive, &frontier, &web, &plan(&["http://a.example/"]), &mut |_| false).unwrap();
    assert_eq!((report.end, frontier.counts().unwrap().of(Stage::Ready)), (End::Stopped, 1));
}
