//! `kuai serve` as far as it says no. What it serves is tested in `crates/serve/tests`.

use std::fs;

use crate::running::run;

#[test]
fn what_cannot_be_served_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("page.html"), "<p>Hello</p>").unwrap();
    let check = |arguments: &[&str], expected: &str| {
        let (code, _, error) = run(folder, arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    };
    check(&["serve"], "there is no kuai archive");
    run(folder, &["put", "--url", "https://light.example/", "page.html"]);
    check(&["serve", "--listen", "0.0.0.0:0"], "--allow-public");
    check(&["serve", "--listen", "127.0.0.1:0", "--replay-origin", "replay.example"], "is no origin");
    check(&["serve", "--listen", "127.0.0.1:47114", "--replay-listen", "127.0.0.1:47114"], "an address of their own");
}
