//! A librarian teaches a site and collects one, by mouse and keyboard.

use super::Tour;

#[test]
fn a_librarian_teaches_a_site_by_clicking() {
    let Some(mut tour) = Tour::start() else { return };
    tour.go("/teach?url=http://tidal-studies.example/articles/breakwater&lang=en");
    tour.browser.wait_for("document.querySelector('.units input')");
    // The byline is not to belong to the text, and the heading is.
    let tick = |part: &str, is_kept: bool| {
        format!(
            "[...document.querySelectorAll('.units label')].filter(label => label.textContent.includes('{part}') && \
             label.querySelector('input').checked != {is_kept}).forEach(label => label.click())"
        )
    };
    tour.browser.value(&tick("How a breakwater moved a beach", true));
    tour.browser.value(&tick("Tomas Marek", false));
    tour.browser.click("button[value=try]");
    tour.browser.wait_for("document.querySelector('.preview')");
    let previews = tour.text();
    assert!(previews.contains("The surge of November 2025"), "other pages are cleaned at once: {previews}");
    tour.browser.click("button[value=save]");
    // What is only tried can be taught more.
    tour.browser.wait_for("document.querySelector('.learnt') && !document.querySelector('.learnt button')");
    tour.go("/teach");
    assert!(tour.text().contains("tidal-studies.example"), "it is kept: {}", tour.text());
    tour.is_sound("teaching");
}

#[test]
fn a_librarian_collects_a_site_and_watches_it_end() {
    let Some(mut tour) = Tour::start() else { return };
    let seed = format!("http://{}/", tour.town.doors()[0].1);
    tour.go("/jobs?lang=en");
    tour.browser.write("textarea[name=urls]", &seed);
    tour.browser.value("document.querySelector('form.order details').open = true");
    tour.browser.click("input[name=allow_private]");
    tour.browser.value("document.querySelector('input[name=delay]').value = 0");
    tour.browser.click("form.order button");
    tour.browser.wait_for("location.pathname == '/job'");
    tour.browser.wait_for("document.querySelector('.state-ended')");
    tour.go(&format!("/url?url={seed}about"));
    assert!(tour.text().contains("The people of the library"), "{}", tour.text());
    tour.is_sound("collecting");
}
