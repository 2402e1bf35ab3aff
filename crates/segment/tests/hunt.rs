#![allow(warnings)]
//! What holds for the formats of any page: they tell the same words in the same order, and clean HTML is clean.

use kuai_page::{BlockTree, Edge, Label, NodeKind, Page, Tag};
use kuai_segment::{Wanted, html, markdown, text};

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
            Event::InlineMath(tex) => words.push_str(&format!("${tex}$")),
            Event::DisplayMath(tex) => words.push_str(&format!(" $${tex}$$ ")),
            Event::SoftBreak | Event::HardBreak | Event::Rule => words.push(' '),
            Event::FootnoteReference(name) => words.push_str(&name),
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link) => {}
            Event::End(_)
            | Event::Start(
                pulldown_cmark::Tag::CodeBlock(_) | pulldown_cmark::Tag::Item | pulldown_cmark::Tag::List(_),
            ) => {
                words.push(' ');
            }
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

/// The words of a text. Brackets go, since a footnote is `[1]` on some pages and always `[^1]` in Markdown.
fn one_line(text: &str) -> String {
    text.replace("\\(", "")
        .replace("\\)", "")
        .replace("\\[", "")
        .replace("\\]", "")
        .replace(['[', ']', '$'], "")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn check_words(source: &str) -> Result<(), String> {
    let (page, tree) = whole(source);
    let wanted = Wanted::default();
    let words = one_line(&text(&page, &tree, &wanted));
    let told = markdown(&page, &tree, &wanted);
    let got = markdown_words(&told);
    if got != words {
        return Err(format!("MD\n{told}\n  got  {got}\n  want {words}"));
    }
    let told = html(&page, &tree, &wanted);
    let got = html_words(&told);
    if got != words {
        return Err(format!("HTML\n{told}\n  got  {got}\n  want {words}"));
    }
    Ok(())
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
const ATTRIBUTES: [&str; 9] = ["href", "src", "alt", "start", "value", "colspan", "rowspan", "id", "class"];

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

#[test]
fn hunt() {
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
    let mut pieces: Vec<String> = Vec::new();
    for tag in tags {
        pieces.push(format!("<{tag}>"));
        pieces.push(format!("</{}>", tag.split(' ').next().unwrap()));
    }
    let others = [
        "$",
        "$5",
        "x$",
        "$y$",
        "<math alttext='a_1 * b'><mi>a</math>",
        "<math display=block alttext='c^2'><mi>c</math>",
        "<div role=presentation>",
        "<table role=presentation>",
        "<ol start=3>",
        "<li value=7>",
        "<pre class=language-c>int\n\n  x;</pre>",
        "<span style=display:none>hid</span>",
        "<sup><a href=#n>1</a></sup>",
        "<p id=n>",
        "<div id=n>",
        "<td colspan=2>",
        "<td rowspan=2>",
        "<thead>",
        "<kbd>",
        "<tt>",
        "<center>",
        "<br/><br/>",
        "<s>",
        "<var>",
        "<h1>",
        "<h3>",
        "<a href='/y z(1)'>",
        "<a>",
        "<button>",
        "<label>",
        "<summary>",
        "<textarea>t</textarea>",
        "<svg><text>s</text></svg>",
        "<ruby>r<rt>t</rt></ruby>",
        "\u{3000}",
        "&nbsp;",
        "+ ",
        "=",
        "[^1]",
        "<b></b>",
        "<i> </i>",
        "http://a.b/c_d*e",
        "^",
        "{",
        "}",
        "$$",
        "\t",
        "<wbr>",
        "&#8203;",
        "a@b.c",
        "<https://x.y>",
        ":",
        ": ",
        "<!--c-->",
        "<fieldset><legend>",
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
    ];
    for _ in 0..1 {
        pieces.extend(others.iter().map(|s| s.to_string()));
    }
    for _ in 0..4 {
        pieces.extend(["word", "two words", "aa bb cc", "汉字", "一", "x", "yz"].iter().map(|s| s.to_string()));
    }
    let mut seed: u64 = std::env::var("HUNT").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20000 {
        let mut chosen: Vec<String> = (0..next(40)).map(|_| pieces[next(pieces.len())].clone()).collect();
        if check_words(&chosen.concat()).is_ok() {
            continue;
        }
        loop {
            let mut shrunk = false;
            for i in (0..chosen.len()).rev() {
                let mut less = chosen.clone();
                less.remove(i);
                if check_words(&less.concat()).is_err() {
                    chosen = less;
                    shrunk = true;
                }
            }
            if !shrunk {
                break;
            }
        }
        let source = chosen.concat();
        let shape: String = source.chars().filter(|c| !c.is_alphanumeric() || true).collect();
        if seen.insert(shape) && seen.len() < 60 {
            println!("=== {source:?}\n{}", check_words(&source).unwrap_err());
        }
    }
    println!("{} distinct", seen.len());
}
