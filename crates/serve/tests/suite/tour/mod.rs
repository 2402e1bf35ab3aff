//! The pages on the archive of the demo, in a real browser, as people see and use them.

mod librarian;
mod looks;
mod scenes;
mod strangers;
mod walk;

use kuai::{Access, open};
use kuai_demo::{Town, last_visit, make};
use kuai_serve::Options;

use crate::chromium::Chromium;
use crate::served::{Served, options, serve_with};

/// A browser in front of the archive of the demo, whose sites are online.
struct Tour {
    browser: Chromium,
    served: Served,
    town: Town,
    _folder: tempfile::TempDir,
}

impl Tour {
    /// Where there is no browser, says so.
    fn start() -> Option<Tour> {
        let mut browser = Chromium::start()?;
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("demo");
        let town = Town::open(last_visit()).unwrap();
        make(&place, &town, &mut |_| true).unwrap();
        let archive = open(&place, Access::Read).unwrap();
        let served = serve_with(archive, Options { place: Some(place), ..options() });
        browser.open("about:blank", 1280, 800);
        Some(Tour { browser, served, town, _folder: folder })
    }

    /// Opens one of the server's pages.
    fn go(&mut self, path: &str) {
        self.browser.go(&format!("http://{}{path}", self.served.main));
    }

    /// What the page says.
    fn text(&mut self) -> String {
        self.browser.value("document.querySelector('main').innerText").as_str().unwrap_or_default().to_owned()
    }

    /// What went wrong since the last question. What scripts of archived pages are refused in their frame is as it should be.
    fn faults(&mut self) -> Vec<String> {
        let replay = self.served.replay.to_string();
        let is_refused = |fault: &String| {
            let from = fault.rsplit(' ').next().unwrap_or_default();
            fault.contains("Content Security Policy") && from.contains(&replay)
        };
        self.browser.faults.drain(..).filter(|fault| !is_refused(fault)).collect()
    }

    /// Nothing went wrong so far on any page.
    fn is_sound(&mut self, where_: &str) {
        assert_eq!(self.faults(), [""; 0], "{where_}");
    }
}
