//! A reader walks through the pages by mouse and keyboard, from a question to the words that changed.

use super::Tour;

#[test]
fn a_reader_goes_from_a_search_to_a_block_its_page_and_what_changed() {
    let Some(mut tour) = Tour::start() else { return };
    tour.go("/?lang=en");
    assert!(tour.text().contains("saltmarsh-library.example"), "{}", tour.text());
    tour.browser.write("main input[name=q]", "director of the library");
    tour.browser.press("Enter");
    tour.browser.wait_for("location.pathname == '/search' && document.querySelector('.hits li')");
    assert!(tour.text().contains("Daniel Osei"), "{}", tour.text());
    tour.browser.click(".when .tabs a:nth-child(2)");
    tour.browser.wait_for("location.search.includes('ever') && document.querySelector('.hits li')");
    assert!(tour.text().contains("Margaret Hale"), "{}", tour.text());

    tour.browser.click(".hits h2 a");
    tour.browser.wait_for("location.pathname == '/block' && document.querySelector('blockquote')");
    assert!(tour.text().contains("director"), "{}", tour.text());
    tour.browser.click("table.list a[href^='/view']");
    tour.browser.wait_for("location.pathname == '/view' && document.querySelector('iframe')");

    tour.go("/view?url=http://saltmarsh-library.example/about&time=20250310090000");
    let framed = tour.framed_text("http://saltmarsh-library.example/about");
    assert!(framed.contains("Margaret Hale") && !framed.contains("Daniel Osei"), "{framed}");
    tour.browser.click(".steps a:last-child");
    tour.browser.wait_for("location.search.includes('20250512090000')");
    let framed = tour.framed_text("http://saltmarsh-library.example/about");
    assert!(framed.contains("Daniel Osei"), "the next change of the content: {framed}");

    tour.browser.click(".what a");
    tour.browser.wait_for("location.pathname == '/compare' && document.querySelector('.pair-row')");
    let (gone, come) = (tour.browser.value(&words("del")), tour.browser.value(&words("ins")));
    assert!(gone.as_str().unwrap().contains("Margaret Hale"), "{gone}");
    assert!(come.as_str().unwrap().contains("Daniel Osei"), "{come}");
    tour.is_sound("from a search to what changed");
}

/// All words in elements of a kind.
fn words(kind: &str) -> String {
    format!("[...document.querySelectorAll('{kind}')].map(element => element.textContent).join(' ')")
}

impl Tour {
    /// What an archived page says in its frame.
    fn framed_text(&mut self, url: &str) -> String {
        let path = frame_path(url, &self.frame_source());
        self.served.replay(&path, &[]).text()
    }

    fn frame_source(&mut self) -> String {
        self.browser.wait_for("document.querySelector('iframe')");
        self.browser.value("document.querySelector('iframe').src").as_str().unwrap().to_owned()
    }
}

/// The path of a frame's source, which is an address of the replay side.
fn frame_path(url: &str, source: &str) -> String {
    assert!(source.ends_with(url), "{source}");
    let path = source.splitn(4, '/').nth(3).unwrap();
    format!("/{path}")
}
