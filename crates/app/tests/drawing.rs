//! The drawing of blocks in a real browser: every frame stands where its block is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const PAGE: &str = "<!DOCTYPE html><title>Boxes</title><style>
    body { margin: 0; height: 900px } div { position: absolute } nav { position: absolute; left: 20px; top: 30px; width: 200px; height: 90px }
    </style><nav><a href=/a>Here and there</a> <a href=/b>and elsewhere</a></nav>
    <div style='left: 300px; top: 40px; width: 640px; height: 480px'>A text that goes on for a while, so that nobody takes it for a list of
    links, and then goes on for a little while longer, because it can.</div><script>document.body.textContent = 'scripts ran'</script>";

/// The browser that draws, or why there is none.
fn browser() -> Option<&'static str> {
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    known.into_iter().find(|path| Path::new(path).exists())
}

#[test]
fn frames_stand_where_the_blocks_are() {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no Chromium here (Debian: chromium)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), PAGE).unwrap();
    let drawing = Command::new(env!("CARGO_BIN_EXE_kuai"))
        .current_dir(folder.path())
        .args(["segment", "--html", "--method", "gdom", "page.html"])
        .output()
        .unwrap();
    fs::write(folder.path().join("drawing.html"), drawing.stdout).unwrap();
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
    assert_eq!(frame(&dom, "navigation"), [20.0, 30.0, 200.0, 90.0]);
    assert_eq!(frame(&dom, "main"), [300.0, 40.0, 640.0, 480.0]);
}

/// Left, top, width and height of the first frame of this kind.
fn frame(dom: &str, kind: &str) -> [f64; 4] {
    let marker = "class=\"frame\"";
    let tag =
        dom.split('<').find(|tag| tag.contains(marker) && tag.contains(&format!("data-kind=\"{kind}\""))).unwrap();
    ["left", "top", "width", "height"].map(|property| {
        let value = tag.split(&format!("{property}: ")).nth(1).unwrap();
        value.split("px").next().unwrap().parse().unwrap()
    })
}
