//! How pages look: in light and dark, wide and narrow, nothing goes wrong, nothing is wider than the screen, and axe-core finds nothing serious.
//! With `KUAI_SCREENSHOTS=FOLDER` each is also kept as a picture (`just screenshots`).

use std::path::PathBuf;
use std::{env, fs};

use serde_json::json;

use super::Tour;
use super::scenes::SCENES;

/// Width and height of the screens.
const SCREENS: [(&str, u32, u32); 2] = [("wide", 1280, 800), ("narrow", 390, 780)];
const THEMES: [&str; 2] = ["light", "dark"];

/// What sticks out of the screen, unless it can be scrolled to inside of something that does not.
const STICKING_OUT: &str = "document.documentElement.scrollWidth <= innerWidth + 1 ? '' : \
    [...document.querySelectorAll('body *')].filter(element => element.getBoundingClientRect().right > innerWidth + 1 && \
    !element.closest('.scroll, iframe, svg')).slice(0, 3).map(element => element.outerHTML.slice(0, 160)).join(' | ')";

/// Faults that keep people out, in a line each.
const SERIOUS: &str = "axe.run(document, { resultTypes: ['violations'], iframes: false }).then(found => found.violations \
    .filter(fault => ['serious', 'critical'].includes(fault.impact)) \
    .map(fault => `${fault.id}: ${fault.nodes.map(node => node.html.slice(0, 120)).slice(0, 3).join(' ')}`).join('\\n'))";

#[test]
fn screenshots_show_every_page_sound_in_light_and_dark_and_on_any_screen() {
    let Some(mut tour) = Tour::start() else { return };
    let (axe, folder) = (axe(), env::var_os("KUAI_SCREENSHOTS").map(PathBuf::from));
    // A picture is as wide as what is laid out.
    tour.browser.ask("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
    let mut faults = Vec::new();
    for (screen, width, height) in SCREENS {
        for theme in THEMES {
            let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            tour.browser.ask("Emulation.setDeviceMetricsOverride", size);
            let theme_asked = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
            tour.browser.ask("Emulation.setEmulatedMedia", theme_asked);
            for scene in SCENES {
                let name = format!("{}-{screen}-{theme}", scene.name);
                tour.go(scene.path);
                faults.extend(
                    tour.faults().into_iter().filter(|fault| is_ours(fault)).map(|fault| format!("{name}: {fault}")),
                );
                let out = tour.browser.value(STICKING_OUT);
                faults
                    .extend(out.as_str().filter(|out| !out.is_empty()).map(|out| format!("{name} sticks out: {out}")));
                if let Some(axe) = &axe {
                    tour.browser.value(&format!("{axe}; 1"));
                    let found = tour.browser.value(SERIOUS);
                    faults.extend(found.as_str().unwrap_or_default().lines().map(|fault| format!("{name}: {fault}")));
                }
                if let Some(folder) = &folder {
                    tour.keep_picture(&folder.join(format!("{name}.png")));
                }
            }
        }
    }
    assert_eq!(faults, [""; 0]);
}

/// A page that answers 404 is told on the console although it is what was asked for.
fn is_ours(fault: &str) -> bool {
    !(fault.contains("status of 404") && fault.contains("nobody.example"))
}

/// The source of axe-core, which `./check` fetches; where it is missing, says so.
fn axe() -> Option<String> {
    let Some(file) = env::var_os("KUAI_AXE") else {
        eprintln!("SKIPPED: accessibility, no axe-core (KUAI_AXE=$(scripts/axe))");
        return None;
    };
    Some(fs::read_to_string(file).unwrap())
}

impl Tour {
    /// The whole page, also what lies below the screen.
    fn keep_picture(&mut self, file: &std::path::Path) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let picture = self.browser.ask("Page.captureScreenshot", json!({ "captureBeyondViewport": true }));
        let bytes = data_encoding::BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}
