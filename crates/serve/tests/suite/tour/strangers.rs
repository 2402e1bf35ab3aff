//! What strangers wrote into pages, titles, links and addresses does nothing in any view.

use kuai::in_memory;

use crate::chromium::Chromium;
use crate::served::{capture, serve};

/// Tries to run in every place that a text is put into.
const HIT: &str = "\"'><img src=x onerror=\"window.hit=1;top.hit=1\"><script>window.hit=1</script><svg onload=hit=1>{{hit=1}}${hit=1}</title></textarea><!--";
/// The same in an address, as browsers send it.
const ADDRESS: &str =
    "http://hostile.example/%22%27%3E%3Cimg%20src=x%20onerror=hit=1%3E?a=%22%3E%3Cscript%3Ehit=1%3C/script%3E";

fn page(version: u32) -> String {
    let text = HIT.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!doctype html><title>{text} keeper</title><h1>{text}</h1><p>The keeper number {version} says {text} and climbs the stairs every evening.</p>\
         <ul><li><a href=\"javascript:top.hit=1\">{text}</a><li><a href='/next'>The keeper's next page</a></ul>\
         <p>Another paragraph about the keeper, the lamp and the {text} that nobody should ever run, {version} times.</p>"
    )
}

#[test]
fn texts_that_try_to_run_are_shown_and_do_nothing() {
    let Some(mut browser) = Chromium::start() else { return };
    let archive = in_memory();
    for (day, version) in [("01", 1), ("02", 2)] {
        let time = format!("2026-01-{day}T00:00:00Z");
        let headers = [("Content-Type", "text/html; charset=utf-8")];
        archive.commit(&capture(ADDRESS, &time, &headers, page(version).as_bytes())).unwrap();
    }
    let served = serve(archive);
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let (address, hit) = (encode(ADDRESS), encode(HIT));
    let main = served.main;
    browser.open(&format!("http://{main}/"), 1280, 800);
    browser.until_loaded();
    browser.go(&format!("http://{main}/search?q=keeper&ever=true"));
    let block = browser.value("document.querySelector('a[href^=\"/block\"]').getAttribute('href')");
    let paths = [
        "/".to_owned(),
        "/search?q=keeper&ever=true".to_owned(),
        format!("/search?q={hit}"),
        format!("/search?q=keeper&site={hit}&kind={hit}&at={hit}"),
        "/site?name=hostile.example".to_owned(),
        format!("/site?name={hit}"),
        format!("/url?url={address}"),
        format!("/url?url=http://hostile.example/{hit}"),
        format!("/view?url={address}"),
        format!("/compare?url={address}"),
        format!("/compare?url={address}&from={hit}&to={hit}"),
        block.as_str().unwrap().to_owned(),
        format!("/block?id={hit}"),
        format!("/inspect?url={address}"),
        format!("/teach?url={address}"),
        format!("/jobs?url={address}"),
        format!("/jobs?url={hit}"),
        format!("/web/2026/{ADDRESS}"),
        format!("/cdx?url={address}&output=text"),
        format!("/{hit}"),
    ];
    for path in paths {
        browser.go(&format!("http://{main}{path}"));
        let hit = browser.value("String(window.hit)");
        assert_eq!(hit, "undefined", "{path}: something ran");
        let made = browser.value("document.querySelectorAll('img[src=\"x\"], svg[onload], [onerror]').length");
        assert_eq!(made, 0, "{path}: a text became an element");
        let dialogs: Vec<&String> = browser.faults.iter().filter(|fault| fault.contains("dialog")).collect();
        assert_eq!(dialogs, Vec::<&String>::new(), "{path}");
    }
}
