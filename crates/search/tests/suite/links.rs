//! Links by block and time, what became of where they lead, which pages are recommended, and what there is to discover.

use kuai_archive::{Archive, Cutter};
use kuai_page::{BlockTree, Capture, Label, Page, Span, Timestamp, Url};
use kuai_search::{Extent, Finding, Index, Period, Target, links_in, links_out, rank, target};
use kuai_store::MemoryStore;

/// A menu, where there is a `<nav>`, and the text behind it.
struct MenuAndText;

impl Cutter for MenuAndText {
    fn cut(&self, page: &Page, _: &str) -> Option<BlockTree> {
        let menu = page.source().find("</nav>").map_or(0, |end| end as u32 + 6);
        let parts =
            [(Span::new(0, menu), Some(Label::Navigation)), (Span::new(menu, page.span().end), Some(Label::Main))];
        Some(BlockTree::from_labelled(parts))
    }

    fn topic(&self, _: &Page, _: &str, _: Span) -> Option<String> {
        None
    }

    fn default_method(&self) -> &str {
        "menu-and-text"
    }
}

fn url(path: &str) -> Url {
    Url::parse(&format!("https://{path}")).unwrap()
}

fn day(day: u32) -> Timestamp {
    format!("2026-01-{day:02}T12:00:00Z").parse().unwrap()
}

fn archive() -> Archive {
    Archive::new(Box::new(MemoryStore::new()), Box::new(MenuAndText))
}

fn put(archive: &Archive, path: &str, on: u32, body: &str) {
    archive.commit(&Capture::new(url(path), day(on), body.as_bytes().to_vec())).unwrap();
}

fn put_status(archive: &Archive, path: &str, on: u32, status: u16, headers: &[(&str, &str)]) {
    let header = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
    let headers = headers.iter().map(header).collect();
    archive.commit(&Capture { status, headers, ..Capture::new(url(path), day(on), b"sorry".to_vec()) }).unwrap();
}

/// Links as `from to kind first last gone`, in days.
fn lines(links: &[kuai_search::PageLink]) -> Vec<String> {
    let day = |time: Timestamp| time.to_string()[8..10].to_owned();
    let line = |link: &kuai_search::PageLink| {
        let (from, to) = (link.from.path(), link.to.path());
        let kind = link.label.map_or("-", Label::name);
        format!(
            "{from} {to} {kind} {} {} {}",
            day(link.first_seen),
            day(link.last_seen),
            link.gone.map_or("-".to_owned(), day)
        )
    };
    links.iter().map(line).collect()
}

/// A page whose text links to `/b` until the third day, and to `/c` from then on.
fn linked() -> Archive {
    let archive = archive();
    let page = |to: &str| {
        format!("<nav><a href=/menu>Menu</a></nav><p>See <a href='{to}#part'>this</a>, or <a href=#x>below</a>.")
    };
    put(&archive, "a.example/a", 1, &page("/b"));
    put(&archive, "a.example/a", 2, &page("/b"));
    put(&archive, "a.example/a", 3, &page("/c"));
    archive
}

#[test]
fn a_link_lives_from_the_capture_that_shows_it_to_the_first_that_does_not() {
    let archive = linked();
    let out = |period| lines(&links_out(&archive, &url("a.example/a"), period).unwrap());
    assert_eq!(out(Period::Now), ["/a /c main 03 03 -", "/a /menu navigation 01 03 -"]);
    assert_eq!(out(Period::At(day(2))), ["/a /b main 01 02 03", "/a /menu navigation 01 03 -"]);
    assert_eq!(out(Period::Ever).len(), 3);
}

#[test]
fn links_into_a_page_are_found_on_all_others() {
    let archive = linked();
    let into = |to: &str, period| lines(&links_in(&archive, &url(to), period, &mut |_, _| true).unwrap());
    assert_eq!(into("a.example/c", Period::Now), ["/a /c main 03 03 -"]);
    assert_eq!(into("a.example/b", Period::Now), Vec::<String>::new());
    assert_eq!(into("a.example/b", Period::Ever), ["/a /b main 01 02 03"]);
    assert_eq!(into("a.example/b", Period::At(day(1))), ["/a /b main 01 02 03"]);
}

#[test]
fn a_target_is_there_dead_moved_or_unknown() {
    let archive = archive();
    put(&archive, "a.example/b", 1, "<p>Here");
    put_status(&archive, "a.example/b", 2, 404, &[]);
    put_status(&archive, "a.example/b", 3, 410, &[]);
    put_status(&archive, "a.example/old", 1, 301, &[("Location", "/new")]);
    put_status(&archive, "a.example/ill", 1, 503, &[]);
    let of = |path: &str, on: u32| target(&archive, &url(path), day(on)).unwrap();
    assert_eq!(of("a.example/b", 1), Target::There { seen: day(1) });
    assert_eq!(of("a.example/b", 9), Target::Dead { status: 410, since: day(2), last_there: Some(day(1)) });
    assert_eq!(of("a.example/old", 9), Target::Moved { status: 301, since: day(1), to: Some(url("a.example/new")) });
    assert_eq!(of("a.example/ill", 9), Target::Failing { status: 503, since: day(1) });
    assert_eq!(of("a.example/never", 9), Target::NotArchived);
}

#[test]
fn menus_have_no_vote() {
    let archive = archive();
    for page in ["x", "y", "z"] {
        put(
            &archive,
            &format!("a.example/{page}"),
            1,
            "<nav><a href=/menu>Menu</a></nav><p>Read <a href=/good>this</a>.",
        );
    }
    put(&archive, "a.example/menu", 1, "<p>A menu");
    put_status(&archive, "a.example/good", 1, 302, &[("Location", "/better")]);
    let ranked = rank(&archive, None, &mut |_, _| true).unwrap();
    let place = |path: &str| ranked.iter().position(|page| page.url.ends_with(path)).unwrap();
    assert!(place("/better") < place("/menu") && place("/good") < place("/menu"), "{ranked:?}");
    assert!(!ranked[place("/better")].is_archived);
    assert_eq!(ranked[place("/menu")].links_in, 0);
    assert_eq!(ranked[place("/good")].links_in, 3);
    assert_eq!(rank(&archive, None, &mut |_, _| true).unwrap(), ranked);
}

fn discover(archive: &Archive, extent: &Extent) -> Vec<Finding> {
    let mut index = Index::in_memory().unwrap();
    index.follow(archive, &mut |_, _| true).unwrap();
    index.discover(archive, extent, &mut |_, _| true).unwrap()
}

fn always() -> Extent {
    Extent { from: Timestamp::MIN, to: Timestamp::MAX, site: None }
}

#[test]
fn a_text_that_comes_to_another_site_has_spread() {
    let archive = archive();
    let text = "The keeper of the light climbs two hundred and eleven stairs every evening, whatever the weather.";
    put(&archive, "b.example/copy", 4, &format!("<p>{text}"));
    put(&archive, "a.example/own", 2, &format!("<p>{text}"));
    put(&archive, "www.a.example/again", 3, &format!("<p>{text}"));
    let stations = vec![("https://a.example/own".to_owned(), day(2)), ("https://b.example/copy".to_owned(), day(4))];
    assert_eq!(discover(&archive, &always()), [Finding::Spread { text: text.to_owned(), stations }]);
    assert_eq!(discover(&archive, &Extent { from: day(5), ..always() }), []);
    assert_eq!(discover(&archive, &Extent { site: Some("c.example".to_owned()), ..always() }), []);
}

#[test]
fn a_page_that_talks_of_something_else_has_drifted() {
    let archive = archive();
    let lamp = "The keeper climbs stairs every evening because ships need light; petroleum burns behind polished lenses while fog bells ring \
        across rocky islands, gulls nest below galleries, barrels arrive quarterly";
    let loans = "Cheap instant credit without questions! Compare mortgage lenders, refinance debts online today, receive bonus money, casino \
        jackpots, roulette tips, poker rooms, betting odds, discount pills";
    for (on, text) in [(1, lamp), (2, lamp), (3, loans), (4, loans)] {
        put(&archive, "a.example/keeper", on, &format!("<p>{text}.<p>Edition {on}."));
    }
    let found = discover(&archive, &always());
    let [Finding::Drift { from, to, likeness, before, .. }] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((*from, *to), (day(1), day(4)));
    assert!(*likeness < 0.15 && !before.is_empty(), "{found:?}");
    assert_eq!(discover(&archive, &Extent { to: day(2), ..always() }), []);
}

#[test]
fn a_link_in_a_text_that_died_is_told_with_the_page_that_has_it() {
    let archive = linked();
    put(&archive, "a.example/c", 2, "<p>Here");
    put_status(&archive, "a.example/c", 5, 404, &[]);
    put_status(&archive, "a.example/menu", 5, 404, &[]);
    let died = Finding::Died {
        url: url("a.example/c"),
        status: 404,
        since: day(5),
        last_there: Some(day(2)),
        linked_from: vec![url("a.example/a")],
    };
    assert_eq!(discover(&archive, &always()), [died]);
    assert_eq!(discover(&archive, &Extent { to: day(4), ..always() }), []);
}
