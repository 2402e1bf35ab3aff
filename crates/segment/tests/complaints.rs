//! What users of other extractors complain of, each on a page of our own.

use std::collections::HashSet;

use kuai_page::{BlockTree, Encoding, Label, Limits, Page, Span};
use kuai_segment::{DEFAULT_METHOD, Wanted, extract, html, markdown, method, text};

/// A site around a text: menus before, related links and an imprint after.
fn site(main: &str) -> String {
    let menu =
        "<div id=nav><ul><li><a href=/>Home</a><li><a href=/ports>Ports</a><li><a href=/weather>Weather</a></ul></div>";
    let related = "<div class=related><h3>Related reading</h3><ul><li><a href=/fog>How fog signals fell silent</a>\
        <li><a href=/margit>The night the Margit went aground</a></ul></div>";
    format!(
        "<title>Lamp</title><body>{menu}<div id=content>{main}</div>{related}<div id=footer>Copyright 2026 Harbour Weekly</div>"
    )
}

fn paragraphs(count: usize) -> String {
    let text = "For thirty-one years the keeper climbed the same steps every evening, and nobody asked him to. ";
    (0..count).map(|number| format!("<p>Evening {number}. {}</p>", text.repeat(3))).collect()
}

fn sections(count: usize) -> String {
    let section = |number| {
        let text =
            format!("In year {number} of the lamp, he counted {} ships and wrote each of them down. ", 7 * number);
        format!("<h2>Section {number}</h2><p>{}</p><p>Then came winter {number}. {text}</p>", text.repeat(3))
    };
    (0..count).map(section).collect()
}

/// A page as `kuai extract` reads it for the default method: without its styles.
fn as_extract_reads(source: &str) -> Page {
    Page::from_html(source).plain()
}

fn by_default(page: &Page) -> BlockTree {
    let method = method(DEFAULT_METHOD).expect("it is in the table");
    method.segmenter(&method.defaults()).judge(page).tree
}

fn main_text(source: &str) -> String {
    let page = as_extract_reads(source);
    let tree = by_default(&page);
    text(&page, &tree, &Wanted::default())
}

/// The tree of a page in which these stretches of the source have these labels.
fn labelled(source: &str, labels: &[(&str, Label)]) -> BlockTree {
    BlockTree::from_labelled(labels.iter().map(|(part, label)| {
        let start = source.find(part).expect("the part is in the page") as u32;
        (Span::new(start, start + part.len() as u32), Some(*label))
    }))
}

#[test]
fn lists_and_tables_in_an_article_are_not_lost() {
    let main = format!(
        "<h1>The keeper</h1>{}<ul><li>fog and ships,<li>the colour of the sea at noon,</ul>\
         <table><tr><th>Year<th>Nights of fog</tr><tr><td>1995<td>41</tr><tr><td>1996<td>38</table>{}",
        paragraphs(3),
        paragraphs(2)
    );
    let page = as_extract_reads(&site(&main));
    let told = markdown(&page, &by_default(&page), &Wanted::default());
    assert!(told.contains("- fog and ships,\n- the colour of the sea at noon,"), "{told}");
    assert!(told.contains("| Year | Nights of fog |\n| --- | --- |\n| 1995 | 41 |"), "{told}");
}

#[test]
fn no_section_of_a_long_article_is_cut() {
    let told = main_text(&site(&format!("<h1>The keeper</h1>{}", sections(30))));
    for number in 0..30 {
        for part in [format!("Section {number}\n"), format!("Then came winter {number}.")] {
            assert!(told.contains(&part), "{part:?} in {told}");
        }
    }
}

#[test]
fn comments_below_an_article_are_not_taken_for_it() {
    let comment = |number: usize| {
        let text = format!("I was on that ferry too, in seat {number}, and I remember the fog quite differently. ");
        format!(
            "<li class=comment><b>Reader {number}</b> <time>January {number}, 2026</time><p>{}</p><a href=#>Reply</a>",
            text.repeat(2)
        )
    };
    let comments = format!("<ol id=comments>{}</ol>", (1..9).map(comment).collect::<String>());
    let told = main_text(&site(&format!("<article><h1>The keeper</h1>{}</article>{comments}", sections(6))));
    assert!(told.contains("Then came winter 5.") && !told.contains("that ferry too"), "{told}");
    let short = main_text(&site(&format!("<article><h1>The keeper</h1>{}</article>{comments}", sections(1))));
    assert!(short.contains("Then came winter 0.") && !short.contains("that ferry too"), "{short}");
}

#[test]
fn surer_text_is_a_part_of_the_text_and_the_text_a_part_of_more() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/pages");
    let pages = std::fs::read_dir(folder).expect("the pages are there").flatten().map(|entry| entry.path());
    for path in pages.filter(|path| path.extension().is_some_and(|extension| extension == "html")) {
        let page = as_extract_reads(&std::fs::read_to_string(&path).expect("the page is UTF-8"));
        let [surer, usual, more] = [-1.0, 0.0, 1.0].map(|leaning| words(&page, leaning));
        assert!(surer.is_subset(&usual) && usual.is_subset(&more), "{path:?}");
    }
}

/// The words of the main text for who leans so far.
fn words(page: &Page, leaning: f64) -> HashSet<String> {
    let method = method(DEFAULT_METHOD).expect("it is in the table");
    let mut settings = method.defaults();
    settings.set("leaning", leaning).expect("it is a parameter");
    let told = text(page, &method.segmenter(&settings).judge(page).tree, &Wanted::of(method));
    told.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_comment_is_not_the_article_and_can_be_asked_for() {
    let article = "<p>Short.</p>";
    let comment = format!("<div class=comment>{}</div>", paragraphs(5));
    let source = format!("<body>{article}{comment}");
    let page = Page::from_html(&source);
    let tree = labelled(&source, &[(article, Label::Main), (&comment, Label::Comment)]);
    assert_eq!(text(&page, &tree, &Wanted::default()), "Short.");
    let extract = extract(&page, &tree, method("spcola").expect("it is in the table"));
    assert!(extract.text == "Short." && extract.comments.len() == 1 && extract.comments[0].contains("Evening 4"));
    let with = Wanted { labels: vec![Label::Main, Label::Comment], ..Wanted::default() };
    assert!(text(&page, &tree, &with).contains("Evening 4"));
}

#[test]
fn chinese_is_neither_empty_nor_garbled_in_any_charset() {
    let sentence = "三十一年来，老任每天傍晚都要爬那二百一十四级台阶，后来灯由港务处的电脑开关，没有人再要求他上去。";
    let main = format!("<h1>最后一夜</h1>{}", format!("<p>{sentence}</p>").repeat(4));
    for charset in ["gb2312", "gb18030", "utf-8"] {
        let source = format!("<meta charset={charset}>{}", site(&main));
        let encoding = Encoding::for_label(charset.as_bytes()).expect("a charset of the Web");
        let page = Page::from_bytes(&encoding.encode(&source).0, None, None, &Limits::default()).plain();
        let told = text(&page, &by_default(&page), &Wanted::default());
        assert!(told.contains(sentence), "{charset}: {told}");
    }
}

#[test]
fn related_links_stand_apart_from_the_text() {
    let related = "<ul class=related><li><a href=/margit>The night the Margit went aground</a></ul>";
    let article = format!("<h1>The keeper</h1>{}", paragraphs(4));
    let source = format!("<body><ul><li><a href=/weather>Weather</a></ul>{article}{related}");
    let page = Page::from_html(&source);
    let tree = labelled(&source, &[(&article, Label::Main), (related, Label::Related)]);
    let extract = extract(&page, &tree, method("spcola").expect("it is in the table"));
    assert!(!extract.text.contains("Margit") && !extract.text.contains("Weather"), "{}", extract.text);
    let texts: Vec<&str> = extract.related.iter().map(|link| link.text.as_str()).collect();
    assert_eq!(texts, ["The night the Margit went aground"]);
    assert!(!main_text(&site(&article)).contains("Margit"));
}

#[test]
fn a_page_of_links_can_be_had_by_its_kind() {
    let list: String =
        (0..20).map(|number| format!("<li><a href=/{number}>Ferry number {number} leaves late</a>")).collect();
    let source = format!("<body><ul>{list}</ul>");
    let page = Page::from_html(&source);
    let tree = labelled(&source, &[(&format!("<ul>{list}</ul>"), Label::Related)]);
    let told = markdown(&page, &tree, &Wanted { labels: vec![Label::Related], ..Wanted::default() });
    assert!(told.starts_with("- [Ferry number 0 leaves late](/0)\n- [Ferry number 1"), "{told}");
}

#[test]
fn list_pages_and_home_pages_are_not_empty() {
    let teaser = |number| {
        format!(
            "<div class=teaser><h3><a href=/{number}>Ferry number {number} leaves late</a></h3>\
             <p>Passengers of ferry {number} waited at the north quay until the fog had lifted.</p></div>"
        )
    };
    let told = main_text(&site(&(0..12).map(teaser).collect::<String>()));
    for number in 0..12 {
        assert!(told.contains(&format!("Ferry number {number} leaves late")), "{number} of {told}");
    }
    let section = |name: &str| format!("<section><h2>{name}</h2>{}</section>", (0..3).map(teaser).collect::<String>());
    let told = main_text(&site(&["Ports", "Weather", "People"].map(section).concat()));
    assert!(told.contains("Ferry number 2 leaves late"), "{told}");
}

#[test]
fn code_keeps_its_lines_in_every_format() {
    let source = "<pre><code class=language-python>def turn(n):\n    if n:\n        return n</code></pre>";
    let page = Page::from_html(source);
    let tree = labelled(source, &[(source, Label::Main)]);
    let wanted = Wanted::default();
    let lines = "def turn(n):\n    if n:\n        return n";
    assert_eq!(text(&page, &tree, &wanted), lines);
    assert_eq!(markdown(&page, &tree, &wanted), format!("```python\n{lines}\n```"));
    assert_eq!(html(&page, &tree, &wanted), format!("<pre><code class=\"language-python\">{lines}</code></pre>"));
}

#[test]
fn asking_for_links_or_images_changes_no_word() {
    let main = format!(
        "<h1>The <a href=/k>keeper</a></h1>{}<p>See <a href=/x>the <b>log</b></a>.<img src=i.png alt=Lamp></p>",
        paragraphs(3)
    );
    let page = Page::from_html(&main);
    let tree = labelled(&main, &[(&main, Label::Main)]);
    let with = |links, images| text(&page, &tree, &Wanted { links, images, ..Wanted::default() });
    assert!(with(true, true).contains("See the log."));
    for (links, images) in [(false, false), (true, false), (false, true)] {
        assert_eq!(with(links, images), with(true, true));
    }
}

#[test]
fn no_format_grows_much_beyond_its_page() {
    let pages = [
        "<ul><li>x".repeat(5_000),
        "<blockquote>x".repeat(5_000),
        "<b><p>x".repeat(5_000),
        format!("<table><tr><th>a<th>b{}</table>", "<tr><td rowspan=9999 colspan=999>x".repeat(5_000)),
        "<a href=/a-long-address-that-is-told-once-a-paragraph><p>x<p>y</a>".repeat(2_000),
        "<pre>x<br><br></pre>".repeat(5_000),
        "*_`[".repeat(20_000),
    ];
    for source in &pages {
        let page = Page::from_html(source);
        let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
        let wanted = Wanted::default();
        for told in [text(&page, &tree, &wanted), markdown(&page, &tree, &wanted), html(&page, &tree, &wanted)] {
            assert!(told.len() < source.len() * 20, "{} bytes of {}", told.len(), source.len());
        }
    }
}
