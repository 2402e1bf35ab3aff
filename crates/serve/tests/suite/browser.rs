//! Archived pages in a real browser: hostile ones do nothing outside their frame, and others look as they did.

use std::net::TcpListener;

use kuai::in_memory;
use kuai_serve::Options;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::live::{Live, Site};
use crate::served::{Served, archive, capture, options, serve, serve_with};

const TIME: &str = "2026-01-01T00:00:00Z";
const HOSTILE: &str = include_str!("hostile.js");
const SITE: &str = "http://hostile.example";

/// Of 255: edges are smoothed a little differently where a page does not begin at the window's edge.
const DIFFERENCE_MAX: u64 = 2;

fn way(served: &Served, url: &str) -> String {
    // From the main side, as a reader comes.
    format!("http://{}/web/20260101000000/{url}", served.main)
}

/// The same page under the bar of the main side.
fn view(served: &Served, url: &str) -> String {
    format!("http://{}/view?url={}&time=2026", served.main, url.replace(':', "%3A").replace('/', "%2F"))
}

#[test]
fn a_hostile_page_does_nothing_outside_its_frame() {
    let Some(mut browser) = Chromium::start() else { return };
    let live = Live::start(Site::new());
    let there = format!("http://{}", live.address);
    // That the live Web remembers what a browser asks for, where it may.
    browser.open(&format!("{there}/control"), 800, 600);
    browser.until("control");
    assert!(live.asked().contains(&"/control".to_owned()));

    // The page is to know the address of the API before there is one.
    let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let served = serve_with(hostile_archive(&there, &format!("http://{listen}")), Options { listen, ..options() });
    let secret = json!({ "url": format!("http://{}/", served.main), "name": "session", "value": "secret" });
    browser.ask("Network.setCookie", secret);
    // In the frame of the replay side, and under the bar of the main side.
    for way in [way(&served, &format!("{SITE}/")), view(&served, &format!("{SITE}/"))] {
        browser.open(&way, 800, 600);
        browser.until("over: yes");
        assert_confined(&browser);
    }
    let left: Vec<String> = live.asked().into_iter().filter(|path| path.starts_with("/hit/")).collect();
    assert_eq!(left, [""; 0], "the live Web was asked");

    for (page, end) in [
        ("location", "chrome-error:"),
        ("click", "chrome-error:"),
        ("form", "chrome-error:"),
        ("made-refresh", "chrome-error:"),
        // This one stands in the page and is led into the archive, which does not have it.
        ("refresh", "mp_/http://127.0.0.1"),
    ] {
        for (way, top) in [
            (way(&served, &format!("{SITE}/{page}")), served.replay),
            (view(&served, &format!("{SITE}/{page}")), served.main),
        ] {
            browser.open(&way, 800, 600);
            browser.until(end);
            let host = browser.ask("Runtime.evaluate", json!({ "expression": "location.host" }));
            assert_eq!(host["result"]["value"], Value::from(top.to_string()), "{page}: the frame is where it was");
        }
    }
    let left: Vec<String> = live.asked().into_iter().filter(|path| path.starts_with("/hit/")).collect();
    assert_eq!(left, [""; 0], "the live Web was gone to");
}

/// Checks what a hostile page said of its attempts.
fn assert_confined(browser: &Chromium) {
    let told = |name: &str| {
        let start = format!("{name}: ");
        let found = browser.told.iter().find_map(|told| told.strip_prefix(&start));
        found.unwrap_or_else(|| panic!("{name} was not tried: {:#?}", browser.told)).to_owned()
    };
    assert_eq!(told("own"), "gave proof", "archived pages may read the archive");
    for name in ["cookie", "storage", "database", "parent", "top"] {
        assert_eq!(told(name), "threw SecurityError", "{name}");
    }
    for name in ["api", "api blind", "archive", "fetch", "module", "cache", "service worker"] {
        assert!(told(name).starts_with("failed ") || told(name).starts_with("threw "), "{name}: {}", told(name));
    }
    assert_eq!(told("popup"), "gave null");
}

fn hostile_archive(live: &str, main: &str) -> kuai::Archive {
    let headers = |kind: &'static str| {
        let link = format!("<{live}/hit/link>; rel=preload; as=script");
        [
            ("Content-Type", kind.to_owned()),
            ("Set-Cookie", "a=b".to_owned()),
            ("Refresh", format!("0;url={live}/hit/header")),
            ("Link", link),
        ]
    };
    let script = format!("const LIVE = '{live}', MAIN = '{main}';\n{HOSTILE}");
    let go = |script: &str| format!("<body><script>{}</script>", script.replace("HIT", &format!("{live}/hit/go")));
    let pages = [
        ("/proof.txt", "text/plain", "proof".to_owned()),
        ("/location", "text/html", go("location = 'HIT'")),
        (
            "/click",
            "text/html",
            go(
                "const a = document.createElement('a'); a.setAttributeNS(null, 'href', 'HIT'); document.body.append(a); a.click()",
            ),
        ),
        (
            "/form",
            "text/html",
            go("document.body.innerHTML = '<form method=post action=\"HIT\">'; document.forms[0].submit()"),
        ),
        (
            "/made-refresh",
            "text/html",
            go("document.head.innerHTML = '<meta http-equiv=refresh content=\"0;url=HIT\">'"),
        ),
        ("/refresh", "text/html", format!("<meta http-equiv=refresh content='0;url={live}/hit/refresh'>")),
        (
            "/",
            "text/html",
            format!(
                "<!doctype html><title>x</title><link rel=preconnect href='{live}/hit/static'><body><script>{script}</script>"
            ),
        ),
    ];
    let archive = in_memory();
    for (path, kind, body) in &pages {
        let headers = headers(kind);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        archive.commit(&capture(&format!("{SITE}{path}"), TIME, &headers, body.as_bytes())).unwrap();
    }
    archive
}

#[test]
fn what_scripts_ask_for_is_found_in_the_archive() {
    let Some(mut browser) = Chromium::start() else { return };
    let page = b"<!doctype html><body><iframe src=inner></iframe><script>
        const tell = (name, load) => load.then(text => console.log(name + ' ' + text), error => console.log(name + ' ' + error));
        tell('root', fetch('/data.json').then(answer => answer.text()));
        tell('near', fetch('data.json').then(answer => answer.text()));
        tell('far', fetch('https://other.example/data.json').then(answer => answer.text()));
        const picture = new Image(); picture.onload = () => console.log('picture ' + picture.naturalWidth); picture.src = '/made.gif';
        const made = document.createElement('script'); made.setAttribute('src', '/made.js'); document.body.append(made);
        </script><script type=module src=/module.js></script>";
    let gif = b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    let served = serve(archive(&[
        ("http://a.example/d/", TIME, "text/html", page),
        ("http://a.example/d/inner", TIME, "text/html", b"<body><script>console.log('inner')</script>"),
        ("http://a.example/data.json", TIME, "application/json", b"of the root"),
        ("http://a.example/d/data.json", TIME, "application/json", b"of the folder"),
        ("https://other.example/data.json", TIME, "application/json", b"of another"),
        ("http://a.example/made.gif", TIME, "image/gif", gif),
        ("http://a.example/made.js", TIME, "text/javascript", b"console.log('made')"),
        ("http://a.example/module.js", TIME, "text/javascript", b"import './further.js'"),
        ("http://a.example/further.js", TIME, "text/javascript", b"console.log('further')"),
    ]));
    browser.open(&way(&served, "http://a.example/d/"), 800, 600);
    for told in ["root of the root", "near of the folder", "far of another", "picture 1", "inner", "made", "further"] {
        browser.until(told);
    }
}

#[test]
fn a_page_looks_as_it_did() {
    let Some(mut browser) = Chromium::start() else { return };
    let (gbk, _, _) = encoding_rs::GBK.encode("<meta charset=gb2312><link rel=stylesheet href=/s.css><h1>灯塔</h1><p class=lamp>三十一年来</p><img srcset='/lamp.svg 1x' width=80>");
    let lamp = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'><circle cx='5' cy='5' r='4' fill='orange'/></svg>";
    let site: Site = vec![
        ("/".to_owned(), "text/html", gbk.into_owned()),
        ("/s.css".to_owned(), "text/css", b"@import 'more.css'; h1 { color: navy }".to_vec()),
        ("/more.css".to_owned(), "text/css", b"p { padding: 40px; background: url(lamp.svg) 0 0 / 30px }".to_vec()),
        ("/lamp.svg".to_owned(), "image/svg+xml", lamp.to_vec()),
    ];
    let live = Live::start(site.clone());
    let home = format!("http://{}/", live.address);
    let archive = in_memory();
    for (path, kind, body) in &site {
        let url = format!("{home}{}", path.trim_start_matches('/'));
        archive.commit(&capture(&url, TIME, &[("Content-Type", kind)], body)).unwrap();
    }
    let served = serve(archive);
    browser.open(&way(&served, &home), 800, 600);
    browser.until_loaded();
    let place = "JSON.stringify(document.querySelector('iframe').getBoundingClientRect())";
    let place = browser.ask("Runtime.evaluate", json!({ "expression": place }));
    let place: Value = serde_json::from_str(place["result"]["value"].as_str().unwrap()).unwrap();
    let side = |name: &str| place[name].as_f64().unwrap();
    let clip = json!({ "x": side("x"), "y": side("y"), "width": side("width"), "height": side("height"), "scale": 1 });
    let archived = browser.ask("Page.captureScreenshot", json!({ "clip": clip }));
    browser.open(&home, side("width") as u32, side("height") as u32);
    browser.until_loaded();
    let clip = json!({ "x": 0, "y": 0, "width": side("width"), "height": side("height"), "scale": 1 });
    let lively = browser.ask("Page.captureScreenshot", json!({ "clip": clip }));
    assert!(lively["data"].as_str().unwrap().len() > 2000, "there is something to see");
    let difference =
        browser.ask("Runtime.evaluate", json!({ "expression": compare(&archived, &lively), "awaitPromise": true }));
    let difference = difference["result"]["value"].as_u64().unwrap();
    assert!(difference <= DIFFERENCE_MAX, "by {difference}: {}", kept(&[("archived", &archived), ("live", &lively)]));
}

/// What says by how much the colours of two pictures differ at most.
fn compare(one: &Value, other: &Value) -> String {
    let sources = json!([one["data"], other["data"]]);
    format!(
        "Promise.all({sources}.map(async source => {{
            const picture = Object.assign(new Image(), {{ src: 'data:image/png;base64,' + source }});
            await picture.decode();
            const canvas = Object.assign(document.createElement('canvas'), {{ width: picture.width, height: picture.height }});
            const context = canvas.getContext('2d');
            context.drawImage(picture, 0, 0);
            return context.getImageData(0, 0, canvas.width, canvas.height).data;
        }})).then(([one, other]) => one.length === other.length ? one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at])), 0) : 255)"
    )
}

/// Keeps pictures that differ where somebody can look at them, and says where.
fn kept(pictures: &[(&str, &Value)]) -> String {
    let folder = tempfile::tempdir().unwrap().keep();
    for (name, picture) in pictures {
        let bytes = data_encoding::BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }
    format!("look at {}", folder.display())
}
