//! An archive with a page whose history is known, for tests.

use kuai::{Archive, Capture, Url, in_memory};

const URL: &str = "https://light.example/keeper";

const STAIRS: &str = "<p>The keeper climbs two hundred and eleven stairs every evening, and comes down again every morning with the \
    log book under his arm, whatever the weather says about it.</p>";
const LAMP: &str = "<p>The lamp burns oil of the best sort, and a barrel of it lasts for three weeks in winter and for five weeks in \
    summer, when the nights are short and clear.</p>";
const FOG: &str = "<p>In fog the bell is rung by hand, twice in a minute, and everybody on the island knows then that nobody will \
    come over from the mainland today.</p>";
const FERRY: &str = "<p>The ferry calls on Mondays and Thursdays, if the swell lets it, and takes on the mail, the empty barrels, and \
    whoever has had enough of the wind. It brings flour, newspapers, and in some years a new assistant.</p>";
const GULLS: &str = "<p>Gulls nest under the gallery since the spring. They are counted on Sundays &amp; holidays: <b>&lt;script&gt;\
    alert(1)&lt;/script&gt;</b> is what somebody wrote into the log book.</p>";

/// The address of the page.
pub(crate) fn url() -> Url {
    Url::parse(URL).expect("a valid address")
}

/// Three versions: on the 4th of January the second paragraph is edited, on the 7th the third moves up, one is added behind
/// it, and a token in the menu is another.
pub(crate) fn archive() -> Archive {
    let edited = LAMP.replace("oil of the best sort", "petroleum").replace("five weeks", "six weeks");
    archive_of(&[
        ("2026-01-01T12:00:00Z", page("a", &[STAIRS, LAMP, FOG, FERRY])),
        ("2026-01-04T12:00:00Z", page("a", &[STAIRS, &edited, FOG, FERRY])),
        ("2026-01-07T12:00:00Z", page("b", &[FOG, GULLS, STAIRS, &edited, FERRY])),
    ])
}

/// An archive of versions of one page.
pub(crate) fn archive_of(versions: &[(&str, String)]) -> Archive {
    let archive = in_memory();
    for (time, body) in versions {
        let time = time.parse().expect("a time");
        archive.commit(&Capture::new(url(), time, body.clone().into_bytes())).expect("memory takes it");
    }
    archive
}

fn page(token: &str, paragraphs: &[&str]) -> String {
    format!(
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>The keeper</title></head><body>\n\
        <div class=menu data-token={token}><a href=/>Home</a> <a href=/map>Map of the island</a> <a href=/log>Log book</a></div>\n\
        <div class=text>\n<h1>The keeper of the light</h1>\n{}\n</div>\n\
        <div class=foot>© 2026 The Island Council. All rights reserved.</div><script>alert(2)</script></body></html>",
        paragraphs.join("\n")
    )
}
