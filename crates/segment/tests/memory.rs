//! Users of other extractors complain of memory that grows page by page. One test, so that nothing else uses memory beside it.
#![cfg(target_os = "linux")]

use kuai_page::Page;
use kuai_segment::{DEFAULT_METHOD, Wanted, extract, html, markdown, method};

/// What may be left of all pages together: a tenth of their sources.
const GROWTH_MAX_KIB: usize = 1024;

#[test]
fn hundreds_of_pages_leave_memory_flat() {
    (0..100).for_each(read_page);
    let before = resident_kib();
    (100..600).for_each(read_page);
    let grown = resident_kib().saturating_sub(before);
    assert!(grown < GROWTH_MAX_KIB, "{grown} KiB are left of 500 pages");
}

/// Makes all that can be made of a page that is like no other.
fn read_page(number: usize) {
    let section = |part: usize| {
        let text = format!("On night {part} of winter {number} the keeper saw {} ships pass. ", number * part);
        format!("<h2>Night {part}-{number}</h2><p class=c{number}>{}</p>", text.repeat(4))
    };
    let source = format!("<title>Winter {number}</title><body>{}", (0..40).map(section).collect::<String>());
    let page = Page::from_html(&source);
    let method = method(DEFAULT_METHOD).expect("it is in the table");
    let tree = method.segmenter(&method.defaults()).judge(&page).tree;
    let wanted = Wanted::of(method);
    let told = extract(&page, &tree, method).text.len();
    assert!(told > 0 && markdown(&page, &tree, &wanted).len() >= told && html(&page, &tree, &wanted).len() > told);
}

fn resident_kib() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells of its processes");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("their memory among the rest");
    line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).expect("as a number of KiB")
}
