//! What holds for every method on any page: trees nest, cutting and rebuilding is exact, the body comes back.

use kuai_page::{BlockTree, Limits, Page, Span, Version};
use kuai_segment::{METHODS, Wanted, extract, html, markdown};
use proptest::prelude::*;

/// Pieces of tag soup, such as the Web serves: broken nesting, tables, entities, comments, raw text.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<p>",
            "</p>",
            "<div class=a>",
            "</div>",
            "<table>",
            "<tr>",
            "<td>",
            "</table>",
            "<ul>",
            "<li>",
            "</ul>",
            "<b>",
            "</b>",
            "<i>",
            "</i>",
            "<a href=/x>",
            "</a>",
            "<br>",
            "<h1>",
            "</h1>",
            "<script>x<y</script>",
            "<!--",
            "-->",
            "<!doctype html>",
            "<style>p{display:none}</style>",
            "<pre>\n",
            "</pre>",
            "<svg>",
            "</svg>",
            "<math>",
            "<select>",
            "<option>",
            "<form>",
            "<template>",
            "</template>",
            "<frameset>",
            "</body>",
            "</html>",
            "<body class=b>",
            "&amp;",
            "&lt",
            "&#xD800;",
            "&#0;",
            "\0",
            "\r\n",
            "<",
            ">",
            "\"",
            "<textarea>",
            "</textarea>",
            "<noscript>",
            "<plaintext>",
            "<img alt=图 src=a>",
            "<hr>",
            "<nav>",
        ])
        .prop_map(str::to_owned),
        "[a-z ]{0,12}",
        "[\u{4e00}-\u{4eff}，。]{0,8}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn check(body: &[u8]) {
    let page = Page::from_bytes(body, None, None, &Limits::default());
    for method in METHODS {
        let segmenter = method.segmenter(&method.defaults());
        let tree = segmenter.segment(&page);
        let judged = segmenter.judge(&page);
        assert_eq!(segmenter.segment(&page), tree, "{}: the same page gives the same tree", method.name);
        assert_eq!(segmenter.judge(&page), judged, "{}: the same page is judged alike", method.name);
        check_tree(&page, &tree);
        check_tree(&page, &judged.tree);
        let version = Version::cut(&page, &tree);
        assert_eq!(version.rebuild(), page.source(), "{}: rebuilding is exact", method.name);
        assert_eq!(version.body(), body, "{}: the body comes back", method.name);
        extract(&page, &judged.tree, method);
        markdown(&page, &judged.tree, &Wanted::of(method));
        html(&page, &judged.tree, &Wanted::of(method));
    }
}

fn check_tree(page: &Page, tree: &BlockTree) {
    assert!(!tree.blocks().is_empty() || page.source().is_empty(), "any page has a block");
    let mut open: Vec<Span> = Vec::new();
    let mut last_start = 0;
    for block in tree.blocks() {
        assert!(block.span.start >= last_start, "blocks stand in source order");
        last_start = block.span.start;
        assert!(!block.span.is_empty() && page.span().contains(block.span));
        open.truncate(block.depth as usize);
        assert_eq!(open.len(), block.depth as usize, "a block's parent stands before it");
        assert!(open.last().is_none_or(|parent| parent.contains(block.span)), "children lie inside their parent");
        open.push(block.span);
    }
}

proptest! {
    #[test]
    fn tag_soup_is_cut_and_rebuilt(source in soup()) {
        check(source.as_bytes());
    }

    #[test]
    fn any_bytes_are_cut_and_rebuilt(body in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&body);
    }

    #[test]
    fn bytes_around_markup_are_cut_and_rebuilt(source in soup(), noise in prop::collection::vec(any::<u8>(), 0..40)) {
        check(&[source.as_bytes(), &noise, source.as_bytes()].concat());
    }
}

/// Pages that ask for too much: each gives a tree and its bytes back.
#[test]
fn hostile_pages_are_cut_and_rebuilt() {
    let numbered = |count: u32, item: fn(u32) -> String| (0..count).map(item).collect::<String>();
    let pages = [
        "<div>".repeat(200_000),
        format!("<p title=\"{}\">x", "a".repeat(1 << 20)),
        numbered(200_000, |number| format!("<a href=/{number}>{number}</a>")),
        numbered(50_000, |number| format!("<b id=b{number}><p>")),
        numbered(20_000, |number| format!("<a{number} a{number}=1 ")),
        "<table><tr><td>".repeat(20_000),
        "<ul><li>x".repeat(50_000),
        "x".repeat(5_000_000),
        "<table>a".repeat(20_000),
        "&#xD800;\0".repeat(50_000),
        format!("<style>{}</style><p class=a>", ".a .b{color:red}".repeat(20_000)),
    ];
    for page in &pages {
        check(page.as_bytes());
    }
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\\r\xa8f");
}
