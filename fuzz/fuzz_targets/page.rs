//! Any bytes give a page, every method gives a tree, and the body comes back byte for byte.
#![no_main]

use kuai_page::{Limits, Page, TextOptions, Version};
use kuai_segment::{METHODS, Wanted, extract, html, markdown};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let page = Page::from_bytes(body, None, None, &Limits::default());
    page.text(page.span(), TextOptions::default());
    for method in METHODS {
        let tree = method.segmenter(&method.defaults()).segment(&page);
        let version = Version::cut(&page, &tree);
        assert_eq!(version.rebuild(), page.source());
        assert_eq!(version.body(), body);
        extract(&page, &tree, method);
        markdown(&page, &tree, &Wanted::of(method));
        html(&page, &tree, &Wanted::of(method));
    }
    page.boxes();
});
