//! Drawings in a real browser, for tests of the command and tests inside it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::time::Duration;

/// What a browser makes of a drawing, once it is drawn. Where there is no browser, says so and gives nothing.
pub(crate) fn drawn(html: &str) -> Option<String> {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no Chromium here (Debian: chromium)");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("drawing.html"), html).unwrap();
    let output = assert_cmd::Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--window-size=1600,1000"])
        .args(["--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", folder.path().join("drawing.html").display()))
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dom.contains("data-drawn=\"yes\""), "{dom}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(dom)
}

/// Left, top, width and height of the first frame of this kind.
pub(crate) fn frame(dom: &str, kind: &str) -> [f64; 4] {
    let marker = "class=\"frame\"";
    let tag =
        dom.split('<').find(|tag| tag.contains(marker) && tag.contains(&format!("data-kind=\"{kind}\""))).unwrap();
    ["left", "top", "width", "height"].map(|property| {
        let value = tag.split(&format!("{property}: ")).nth(1).unwrap();
        value.split("px").next().unwrap().parse().unwrap()
    })
}

fn browser() -> Option<&'static str> {
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    known.into_iter().find(|path| Path::new(path).exists())
}
