//! What holds for the formats of any page: they tell the same words in the same order, and clean HTML is clean.

use kuai_page::{BlockTree, Edge, Label, NodeKind, Page, Tag};
use kuai_segment::{Wanted, html, markdown, text};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, TagEnd};

fn whole(source: &str) -> (Page, BlockTree) {
    let page = Page::from_html(source);
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
    (page, tree)
}

/// The words that a reader of the Markdown sees.
fn markdown_words(source: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_DEFINITION_LIST;
    let mut words = String::new();
    let mut image_depth = 0;
    for event in Parser::new_ext(source, options) {
        match event {
            Event::Start(pulldown_cmark::Tag::Image { .. }) => image_depth += 1,
            Event::End(TagEnd::Image) => image_depth -= 1,
            Event::Text(text) | Event::Code(text) if image_depth == 0 => words.push_str(&text),
            Event::InlineHtml(html) | Event::Html(html) if html.starts_with("<br") => words.push(' '),
            Event::SoftBreak | Event::HardBreak | Event::Rule => words.push(' '),
            Event::FootnoteReference(name) => words.push_str(&name),
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link) => {}
            Event::Start(
                pulldown_cmark::Tag::Emphasis
                | pulldown_cmark::Tag::Strong
                | pulldown_cmark::Tag::Strikethrough
                | pulldown_cmark::Tag::Link { .. },
            ) => {}
            Event::Start(_) | Event::End(_) => words.push(' '),
            _ => {}
        }
    }
    one_line(&words)
}

fn html_words(source: &str) -> String {
    let page = Page::from_html(source);
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
    one_line(&text(&page, &tree, &Wanted::default()))
}

/// The words of a text. Brackets go, since a footnote is `[1]` on some pages and always `[^1]` in Markdown, and so do the
/// signs around formulas, which are others in each format.
fn one_line(text: &str) -> String {
    let text = text.replace("\\(", "").replace("\\)", "").replace("\\[", "").replace("\\]", "");
    text.replace(['[', ']', '$'], "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Clean HTML is read by ourselves, and so without a `#` beside the words of a heading; links that blocks part can be one.
fn without_signs(words: &str) -> String {
    words.replace('#', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check_words(source: &str) {
    let (page, tree) = whole(source);
    check_words_of(&page, &tree, source);
    check_words_of(&Page::from_html(source).plain(), &tree, source);
}

fn check_words_of(page: &Page, tree: &BlockTree, source: &str) {
    let wanted = Wanted::default();
    let words = one_line(&text(page, tree, &wanted));
    let told = markdown(page, tree, &wanted);
    assert_eq!(markdown_words(&told), words, "Markdown of {source:?}:\n{told}");
    let told = html(page, tree, &wanted);
    assert_eq!(without_signs(&html_words(&told)), without_signs(&words), "HTML of {source:?}:\n{told}");
    let plain = Wanted { links: false, images: false, ..Wanted::default() };
    assert_eq!(one_line(&text(page, tree, &plain)), words, "links and images change no word");
    assert_eq!(markdown_words(&markdown(page, tree, &plain)), words, "links and images change no word");
}

/// Elements and attributes that clean HTML may hold.
const ELEMENTS: [&str; 34] = [
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "table",
    "tbody",
    "tr",
    "th",
    "td",
    "caption",
    "figure",
    "figcaption",
    "dl",
    "dt",
    "dd",
    "div",
    "a",
    "strong",
    "em",
    "del",
    "sub",
    "sup",
    "span",
    "img",
    "hr",
];
const ATTRIBUTES: [&str; 11] =
    ["href", "src", "alt", "start", "reversed", "type", "value", "colspan", "rowspan", "id", "class"];

fn check_clean(source: &str) {
    let (page, tree) = whole(source);
    let clean = Page::from_html(&html(&page, &tree, &Wanted::default()));
    let dom = clean.dom();
    for edge in dom.walk(dom.root()) {
        let Edge::Enter(node) = edge else { continue };
        assert!(dom.kind(node) != NodeKind::Comment, "{}", clean.source());
        if !dom.is_element(node) || matches!(dom.tag(node), Tag::Html | Tag::Head | Tag::Body | Tag::Br) {
            continue;
        }
        assert!(ELEMENTS.contains(&dom.name(node)), "<{}> in {}", dom.name(node), clean.source());
        for attribute in dom.attributes(node) {
            assert!(ATTRIBUTES.contains(&attribute.name), "{} in {}", attribute.name, clean.source());
            let is_address = matches!(attribute.name, "href" | "src");
            let begins = |scheme: &str| attribute.value.trim_start().to_ascii_lowercase().starts_with(scheme);
            let is_unsafe = ["javascript:", "data:", "vbscript:", "file:"].into_iter().any(begins);
            assert!(!is_address || !is_unsafe, "{} in {}", attribute.value, clean.source());
        }
    }
}

/// Elements of articles, well or badly nested, and signs that mean something in Markdown.
fn article() -> impl Strategy<Value = String> {
    let tags = [
        "p",
        "h2",
        "ul",
        "ol",
        "li",
        "blockquote",
        "b",
        "i",
        "em",
        "code",
        "a href=/x",
        "table",
        "tr",
        "td",
        "th",
        "div",
        "span",
        "sup",
        "sub",
        "del",
        "figure",
        "figcaption",
        "dl",
        "dt",
        "dd",
        "section",
        "caption",
        "a href=#n",
        "li id=n",
    ];
    let open = prop::sample::select(tags.map(|tag| format!("<{tag}>")).to_vec());
    let close = prop::sample::select(tags.map(|tag| format!("</{}>", tag.split(' ').next().unwrap_or(tag))).to_vec());
    let other = prop::sample::select(
        vec![
            "<br>",
            "<hr>",
            "<img src=a.png alt='an a'>",
            " ",
            "\n",
            "<pre>a\n  b</pre>",
            "&lt;",
            "&amp;amp;",
            "- ",
            "# ",
            "1. ",
            "* ",
            "> ",
            "|",
            "`",
            "_a_",
            "**",
            "!",
            "[x](y)",
            "\\",
            "~",
            "---",
            "===",
            "：",
            "“",
            "”",
            "#",
            "$",
            "^",
            ": ",
            "&nbsp;",
            "\u{3000}",
            "<b></b>",
            "<ol start=3>",
            "<ol reversed type=a>",
            "<li value=7>",
            "<td colspan=2>",
            "<td rowspan=2>",
            "<p id=n>",
            "<sup><a href=#n>1</a></sup>",
            "<table role=presentation>",
            "<pre class=language-c>int\n\n  x;</pre>",
            "<math alttext='a_1 * b'><mi>a</math>",
            "<math display=block alttext='c^2'><mi>c</math>",
            "<span style=display:none>hidden</span>",
            "<span class=math>\\(a_1 * b\\)</span>",
            "<span class=arithmatex>a $$c^2$$",
            "<math alttext=a> <mi>a</mi> </math>",
            "<math><msup><mi>x</mi><mn>2</mn></msup></math>",
            "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</ruby>",
            "<pre><span class=line>a</span><span class=line>b</span></pre>",
        ]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>(),
    );
    let words = "[a-z]{1,6}( [a-z]{1,6}){0,3}";
    let chinese = "[\u{4e00}-\u{4e20}]{1,6}";
    let piece = prop_oneof![3 => open, 2 => close, 2 => other, 4 => words, 1 => chinese];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// What attackers write.
fn attack() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "<a href='javascript:alert(1)'>x</a>",
        "<img src=x onerror=alert(1) alt=x>",
        "<svg onload=alert(1)>",
        "<a href=' jav&#x09;ascript:alert(1)'>y</a>",
        "<math><mi xlink:href='javascript:x'>z",
        "<p onclick=x>",
        "<style>p{}</style>",
        "<img alt='\"><script>x</script>' src=y>",
        "<a href='x\" onclick=\"y'>q</a>",
        "<iframe src=x></iframe>",
        "&lt;script&gt;",
        "<pre class='language-\"><script>'>a</pre>",
        "<math alttext='</span><script>x</script>'><mi>x</math>",
        "<object data=x>",
        "<form action=x>",
        "<li id='\"x'><sup><a href='#\"x'>1</a></sup>",
        "<table><td colspan='2\" onx=1'>",
        "<img data-src='data:text/html,x' alt=d>",
        "<p>",
        "</p>",
        "word",
        "<!--",
        "-->",
        "<textarea>",
        "<template>",
        "<noscript><img src=n onerror=x alt=n></noscript>",
        "<base href='javascript:x'>",
        "<svg><a href='javascript:x'>t",
    ]);
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn all_formats_tell_the_same_words(source in article()) {
        check_words(&source);
    }

    #[test]
    fn clean_html_is_clean(source in attack(), article in article()) {
        check_clean(&source);
        check_clean(&format!("{source}{article}"));
    }
}

#[test]
fn our_own_pages_tell_the_same_words_in_all_formats() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/pages");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the pages are there").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "html") {
            let source = std::fs::read_to_string(entry.path()).expect("the page is UTF-8");
            check_words(&source);
            check_clean(&source);
            count += 1;
        }
    }
    assert!(count > 20);
}
