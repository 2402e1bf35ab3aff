//! What visitors do, in a real browser: a site taught by clicking, a crawl watched to its end, a hostile page looked into.

use serde_json::{Value, json};

use crate::acting::{order, poems, row_of_pages, serve_folder};
use crate::chromium::Chromium;
use crate::served::options;

/// Clicks that are tried until a frame has drawn itself.
const CLICKS_MAX: usize = 100;

fn evaluate(browser: &mut Chromium, expression: &str) -> Value {
    let answer = browser.ask("Runtime.evaluate", json!({ "expression": expression, "awaitPromise": true }));
    answer["result"]["value"].clone()
}

/// Clicks at the menu of the page in the frame until so many boxes of the list are not as they came. A frame that is not drawn yet lets a click
/// pass, and one that was clicked then may have its effect late.
fn click_until_changed(browser: &mut Chromium, wanted: u64) -> bool {
    let place = "(() => { const frame = document.querySelector('iframe'); frame.scrollIntoView({ behavior: 'instant' }); const place = frame.getBoundingClientRect(); return JSON.stringify([place.left, place.top]) })()";
    let changed = "new Promise(done => setTimeout(() => done([...document.querySelectorAll('input[name=unit]')].filter(box => box.checked !== box.defaultChecked).length), 100))";
    (0..CLICKS_MAX).any(|_| {
        let place = evaluate(browser, place);
        let [left, top]: [f64; 2] = serde_json::from_str(place.as_str().unwrap()).unwrap();
        click(browser, left + 70.0, top + 26.0);
        evaluate(browser, changed).as_u64() == Some(wanted)
    })
}

fn click(browser: &mut Chromium, x: f64, y: f64) {
    for kind in ["mousePressed", "mouseReleased"] {
        browser.ask(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 }),
        );
    }
}

#[test]
fn a_site_is_taught_by_clicking_on_a_page() {
    let Some(mut browser) = Chromium::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    poems(folder.path());
    let served = serve_folder(folder.path(), options());
    browser.open(&format!("http://{}/teach?url=http://poems.example/0", served.main), 1200, 900);
    browser.until_loaded();
    // The menu stands at the top of the page and does not belong to its text, unless somebody says so.
    assert!(click_until_changed(&mut browser, 1), "no click had an effect: {:#?}", browser.told);
    assert!(click_until_changed(&mut browser, 0), "another click takes it back");
    browser.click("button[value=save]");
    browser.wait_for("document.querySelector('#learnt')?.textContent.includes('poems.example')");
    assert!(folder.path().join("sites/poems.example.json").exists());
}

#[test]
fn a_crawl_is_watched_to_its_end() {
    let Some(mut browser) = Chromium::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let live = row_of_pages(40);
    let served = serve_folder(folder.path(), options());
    assert_eq!(served.post_json("/api/v1/jobs", &order(&live, 0.05), &[]).status, 201);
    browser.open(&format!("http://{}/job?id=1", served.main), 1000, 900);
    browser.until_loaded();
    let ended = "new Promise(done => { const look = () => document.querySelector('.state-ended') ? done(document.querySelector('.figures dd').textContent) : setTimeout(look, 50); look() })";
    assert_eq!(evaluate(&mut browser, ended), "41", "the page follows by itself");
}

#[test]
fn nothing_of_a_hostile_page_runs_when_it_is_looked_into() {
    let Some(mut browser) = Chromium::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = serve_folder(folder.path(), options());
    browser.open(&format!("http://{}/inspect", served.main), 1000, 900);
    browser.until_loaded();
    let hostile = "<!doctype html><script>console.log('pwned 1')</script><img src=x onerror=\"console.log('pwned 2')\"><svg onload=\"console.log('pwned 3')\"></svg>\
        <script src='data:text/javascript,console.log(`pwned 4`)'></script><iframe srcdoc=\"<script>console.log('pwned 5')</script>\"></iframe><p>Some text that is long enough to be one.</p>";
    let fill = format!(
        "document.querySelector('textarea[name=html]').value = {}; document.querySelector('form[action=\"/inspect\"]').submit()",
        json!(hostile)
    );
    browser.told.clear();
    evaluate(&mut browser, &fill);
    browser.wait_for("document.querySelector('iframe.drawing')");
    evaluate(&mut browser, "new Promise(done => setTimeout(done, 1500))");
    let ran: Vec<&String> = browser.told.iter().filter(|told| told.contains("pwned")).collect();
    assert_eq!(ran, Vec::<&String>::new());
    let text = evaluate(&mut browser, "document.querySelector('.text').textContent");
    assert!(text.as_str().is_some_and(|text| text.contains("Some text that is long enough")), "{text}");
}
