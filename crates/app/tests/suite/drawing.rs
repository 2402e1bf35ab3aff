//! The drawing of blocks in a real browser: every frame stands where its block is.

use std::fs;
use std::process::Command;

use crate::browser;

const PAGE: &str = "<!DOCTYPE html><title>Boxes</title><style>
    body { margin: 0; height: 900px } div { position: absolute } nav { position: absolute; left: 20px; top: 30px; width: 200px; height: 90px }
    </style><nav><a href=/a>Here and there</a> <a href=/b>and elsewhere</a></nav>
    <div style='left: 300px; top: 40px; width: 640px; height: 480px'>A text that goes on for a while, so that nobody takes it for a list of
    links, and then goes on for a little while longer, because it can.</div><script>document.body.textContent = 'scripts ran'</script>";

#[test]
fn frames_stand_where_the_blocks_are() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), PAGE).unwrap();
    let drawing = Command::new(env!("CARGO_BIN_EXE_kuai"))
        .current_dir(folder.path())
        .args(["segment", "--html", "--method", "gdom", "page.html"])
        .output()
        .unwrap();
    let Some(dom) = browser::drawn(&String::from_utf8(drawing.stdout).unwrap()) else { return };
    assert_eq!(browser::frame(&dom, "navigation"), [20.0, 30.0, 200.0, 90.0]);
    assert_eq!(browser::frame(&dom, "main"), [300.0, 40.0, 640.0, 480.0]);
}
