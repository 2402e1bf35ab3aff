//! Small pages, all of them content, and what comes out of them.

use super::*;

fn whole(html: &str) -> (Page, BlockTree) {
    let page = Page::from_html(html);
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
    (page, tree)
}

fn as_markdown(html: &str) -> String {
    let (page, tree) = whole(html);
    markdown(&page, &tree, &Wanted::default())
}

fn as_html(html: &str) -> String {
    let (page, tree) = whole(html);
    super::html(&page, &tree, &Wanted::default())
}

fn as_text(html: &str) -> String {
    let (page, tree) = whole(html);
    text(&page, &tree, &Wanted::default())
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(as_markdown(html), expected, "{html}");
}

#[test]
fn lists_keep_their_nesting_and_numbers() {
    check("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d");
    check("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c");
    check("<ul><li>a</li><ul><li>b</li></ul><li>c</ul>", "- a\n  - b\n- c");
    check("<p>x</p><ul><li><p>a</p><p>b</p></li><li>c</ul><p>y</p>", "x\n\n- a\n\n  b\n- c\n\ny");
}

#[test]
fn a_list_directly_in_a_list_stands_below_its_last_item() {
    check("<ol><li>a</li><ol><li>x</li></ol><li>b</li></ol>", "1. a\n   1. x\n2. b");
    check("<ol><li>a</li><ul><li>x</li></ul><li>b</li></ol>", "1. a\n   - x\n2. b");
    check("<ol start=10><li>a</li><ol start=2><li>x</li></ol></ol>", "10. a\n\n    2. x");
    check("<ol><li>a</li><ul>x</ul><li>b</li></ol>", "1. a\n\n   x\n2. b");
}

#[test]
fn lists_that_follow_each_other_do_not_become_one() {
    check("<ol><li>a<li>b</ol><ol><li>c</ol><ol><li>d</ol>", "1. a\n2. b\n\n1) c\n\n1. d");
    check("<ul><li>a</ul><div><ul><li>b</ul></div>", "- a\n\n* b");
    check("<ul><li>a</ul>x<ul><li>b</ul><ol><li>c</ol>", "- a\n\nx\n\n- b\n\n1. c");
    check("<ul><li>a<ul><li>b</ul><li>c<ul><li>d</ul><ul><li>e</ul></ul>", "- a\n  - b\n- c\n  - d\n  * e");
}

#[test]
fn lists_are_numbered_as_the_page_says() {
    let down = "<ol reversed type=A><li>a<li>b</ol>";
    check(down, "2. a\n1. b");
    assert_eq!(as_html(down), "<ol start=\"2\" reversed=\"\" type=\"A\"><li>a</li>\n<li>b</li>\n</ol>");
    assert_eq!(as_html("<ol start=-2 type=x><li>a</ol>"), "<ol start=\"-2\"><li>a</li>\n</ol>");
}

#[test]
fn an_item_with_a_paragraph_keeps_its_words_apart() {
    assert_eq!(as_html("<ul><li>one<p>two</ul>"), "<ul><li>one<p>two</p>\n</li>\n</ul>");
    assert_eq!(as_text("<ul><li>one<p>two</ul>"), "one\n\ntwo");
}

#[test]
fn clean_html_nests_headings_and_lists_as_readers_expect() {
    assert_eq!(as_html("<h2>a<div><h3>b</h3></div></h2>"), "<h2>a<br><div>b</div>\n</h2>");
    assert_eq!(as_html("<ul>a<li>b</ul>"), "<ul><li>a</li>\n<li>b</li>\n</ul>");
}

#[test]
fn elements_that_are_cells_by_role_do_not_glue() {
    check("<div role=row><span role=cell>a</span><span role=cell>b</span></div>", "a b");
}

#[test]
fn tables_keep_rows_and_columns() {
    let table = "<table><tr><th>a<th>b|c</tr><tr><td>1<br>2<td><p>3</p><p>4</p></table>";
    check(table, "| a | b\\|c |\n| --- | --- |\n| 1<br>2 | 3<br>4 |");
    assert_eq!(as_text(table), "a\tb|c\n1 2\t3 4");
    let gaps = "<table><tr><th>a<th>b<th>c</tr><tr><td><td>1<td></td></tr><tr><td>2<td> <td>3</table>";
    check(gaps, "| a | b | c |\n| --- | --- | --- |\n| | 1 |\n| 2 | | 3 |");
    assert_eq!(as_text(gaps), "a\tb\tc\n\t1\n2\t\t3");
    let spans = "<table><tr><th colspan=2>a<th>b</tr><tr><td rowspan=2>1<td>2<td>3</tr><tr><td>4<td>5</table>";
    check(spans, "| a | | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| | 4 | 5 |");
    assert_eq!(as_text("<table><tr><th>a<th>b</tr><tr><td>1<td>2</table>"), "a\tb\n1\t2");
    assert!(as_html(spans).contains("<th colspan=\"2\">a</th>"));
    let below = "<table><tr><th>a<th>b<tr><td>1<td rowspan=2>2<tr><td>3<tr><td>4<td>5</table>";
    check(below, "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 |\n| 4 | 5 |");
    let caption = "<table><tr><th>a<th>b<tr><td>1<td>2<caption>c</caption></table>";
    check(caption, "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nc");
}

#[test]
fn lines_of_code_in_a_cell_are_lines() {
    let cell = "<pre><i>a\n</i><span class=line>b</span><span class=line>c</span></pre>";
    check(
        &format!("<table><tr><th>x<th>y<tr><td>1<td>{cell}</table>"),
        "| x | y |\n| --- | --- |\n| 1 | a<br>b<br>c |",
    );
}

#[test]
fn headers_beside_the_rows_are_no_header_above_them() {
    check("<table><tr><th>a<td>1</tr><tr><th>b<td>2</table>", "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |");
}

#[test]
fn a_table_for_layout_is_none() {
    check("<table><tr><td>left<td>right</table>", "left\n\nright");
    check("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd");
    check("<table><tr><td><h2>Title</h2><p>text<td>more</table>", "## Title\n\ntext\n\nmore");
    let full = "<p>a<p>b<p>c<p>d";
    check(&format!("<table><tr><td>{full}<td>1<tr><td>x<td>2</table>"), "a\n\nb\n\nc\n\nd\n\n1\n\nx\n\n2");
}

#[test]
fn one_odd_cell_makes_no_layout_of_a_table() {
    let headed =
        "<table><caption><h3>Dough</h3></caption><tr><th><h3>how much</h3><th>what<tr><td>125 g<td>flour</table>";
    check(headed, "Dough\n\n| how much | what |\n| --- | --- |\n| 125 g | flour |");
    let wrapped = "<table><tr><td><div><div><div><div>x</div></div></div></div><td>1<tr><td>y<td>2</table>";
    check(wrapped, "| x | 1 |\n| --- | --- |\n| y | 2 |");
    let rows = "<tr><td>1<td>2".repeat(10);
    let full = format!("<table>{rows}<tr><td><p>a<p>b<p>c<p>d<td>3</table>");
    assert!(as_markdown(&full).ends_with("| 1 | 2 |\n| a<br>b<br>c<br>d | 3 |"), "{}", as_markdown(&full));
}

#[test]
fn code_keeps_its_lines_and_language() {
    for html in [
        "<pre><code class=language-rust>fn a() {\n    b\n}\n</code></pre>",
        "<div class='highlight highlight-source-rust'><pre>fn a() {\n    b\n}</pre></div>",
        "<pre class='brush: rust'>fn a() {\n    b\n}</pre>",
        "<pre data-lang=rust>fn a() {<br>    b<br>}</pre>",
        "<pre class=lang-rust><code><div>fn a() {</div><div>    b</div><div>}</div></code></pre>",
        "<pre><code class='hljs rust'><span>fn</span> a() {\n    <a href=x>b</a>\n}</code></pre>",
        "<div class='highlight-rust notranslate'><div class=highlight><pre>fn a() {\n    b\n}</pre></div></div>",
        "<table class=highlight><tr><td class=gutter><pre>1\n2\n3</pre><td class=code><pre class=rust>fn a() {\n    b\n}</pre></table>",
        "<pre class=rust><span class=lineno>1 </span>fn a() {\n<span class=lineno>2 </span>    b\n<span class=lineno>3 </span>}</pre>",
    ] {
        check(html, "```rust\nfn a() {\n    b\n}\n```");
    }
    check("<pre><div>a</div><div></div><div>b</div></pre>", "```\na\n\nb\n```");
    check(
        "<table class=js-file-line-container><tr><td class=blob-num data-line-number=1></td><td class=blob-code>a</tr>\
         <tr><td class=blob-num></td><td>  b</table>",
        "```\na\n  b\n```",
    );
}

#[test]
fn elements_that_are_lines_of_code_are_lines() {
    let line = |code: &str| format!("<span class=line>{code}</span>");
    let block = |lines: &[&str], between: &str| {
        let lines: Vec<String> = lines.iter().map(|code| line(code)).collect();
        format!("<pre><code>{}</code></pre>", lines.join(between))
    };
    for html in [
        block(&["<b>a</b> = 1", "", "  b = 2"], ""),
        block(&["a = 1", "", "  b = 2"], "<!---->"),
        block(&["a = 1", "", "  b = 2"], "\n"),
        block(&["a = 1\n", "\n", "  b = 2\n"], ""),
        block(&["a = 1<br>", "<br>", "  b = 2<br>"], ""),
    ] {
        check(&html, "```\na = 1\n\n  b = 2\n```");
        assert_eq!(as_text(&html), "a = 1\n\n  b = 2", "{html}");
    }
    check(
        "<table><tr><td class=blob-num><td class=blob-code>a<tr><td class=blob-num><td class=blob-code>\n</td>\
         <tr><td class=blob-num><td class=blob-code>b</table>",
        "```\na\n\nb\n```",
    );
}

#[test]
fn line_numbers_are_told_by_their_names_or_their_rows() {
    let row = |number: u32, code: &str| format!("<div><span class=x1>{number}</span><div><i>{code}</i>\n</div></div>");
    check(&format!("<pre>{}{}{}</pre>", row(1, "a"), row(2, ""), row(3, "b")), "```\na\n\nb\n```");
    check(&format!("<pre>{}{}</pre>", row(1, "a"), row(3, "b")), "```\n1\na\n3\nb\n```");
    check(
        "<pre><span class=Code_lineNumber__x1Y>1</span>a\n<span class=Code_lineNumber__x1Y>2</span>b</pre>",
        "```\na\nb\n```",
    );
    check("<div><div class='CodeMirror-linenumber elt'>1</div><pre>a</pre></div>", "```\na\n```");
    check(
        "<pre><span class=line><span>1</span><span>,a</span></span>\n<span class=line><span>2</span><span>,b</span></span></pre>",
        "```\n1,a\n2,b\n```",
    );
}

#[test]
fn buttons_in_code_and_names_of_no_language_are_left_out() {
    check("<pre><button>Copy</button><code>a</code></pre>", "```\na\n```");
    assert_eq!(as_text("<pre><button>Copy</button><code>a</code></pre>"), "a");
    check("<div class='highlight tab-size'><pre class=lang-auto>a</pre></div>", "```\na\n```");
}

#[test]
fn inline_code_takes_backticks() {
    check("<p>use <code>a`b</code> or <kbd>c</kbd>", "use ``a`b`` or `c`");
}

#[test]
fn inline_code_keeps_its_links_and_lines() {
    check("<code>Vec&lt;<a href=/t>T</a>&gt;</code>", "`Vec<`[`T`](/t)`>`");
    check("<p><code>a = 1<br>b = 2</code>", "`a = 1`\\\n`b = 2`");
    check(
        "<table><tr><th>a<th>b<tr><td><code>x<br>y</code><td>1</table>",
        "| a | b |\n| --- | --- |\n| `x`<br>`y` | 1 |",
    );
    check("<code>a</code><code>b</code> <em>c</em><code>d</code>", "`ab` *c*`d`");
}

#[test]
fn code_moved_out_of_a_table_leaves_no_empty_marks() {
    check("<table><code>|<tr>&lt;", "`|<`");
}

#[test]
fn emphasis_is_marked_and_survives_the_end_of_a_paragraph() {
    check("<p>a <b>b</b>, <em>c</em><del>d</del>", "a **b**, *c*<del>d</del>");
    check("<b>a<p>b</p></b>", "**a**\n\n**b**");
    assert_eq!(as_html("<b>a<p>b</p></b>"), "<p><strong>a</strong></p>\n<p><strong>b</strong></p>");
    check("<h2><b>a</b></h2>", "## a");
    check("<p><b>Sol</b><b>VES</b> <b>is&nbsp;</b><i>it</i>", "**SolVES** **is**\u{a0}*it*");
    check("<p><b>Note: </b>read<br><b>“So”</b><br>c", "**Note:** read\\\n**“So”**\\\nc");
    check("H<sub>2</sub>O, x<sup>2</sup>", "H<sub>2</sub>O, x<sup>2</sup>");
}

#[test]
fn emphasis_inside_emphasis_is_kept() {
    check("<em><strong>b</strong></em> <strong>a <em>b</em> c</strong>", "***b*** **a *b* c**");
    check("<b>a <i>b</i></b><b><i>c</i> <s>d</s></b>", "**a *bc* ~~d~~**");
    check("<b><i>a</i></b><s><i>b</i></s>", "<strong><em>a</em></strong><del><em>b</em></del>");
    check("<i>a<b>b</b></i>c", "<em>a<strong>b</strong></em>c");
    check("<h2><b>a <i>b</i></b></h2><i>c</i>", "## a b\n\n*c*");
    check("<code>a</code><b><i><code>b</code></i></b><code>c</code>", "`a`***`b`***`c`");
}

#[test]
fn a_link_around_blocks_is_a_link_in_each() {
    check("<a href=/x><h2>a</h2><p>b</p></a>", "## [a](/x)\n\n[b](/x)");
    check("Look!<a href=/x>a</a>", "Look\\![a](/x)");
    check(
        "<b>a</b> <i><b>Look!</b></i><a href=/x>a</a><b>!<a href=/x>a</a></b>",
        "**a** ***Look\\!***[a](/x)**\\![a](/x)**",
    );
}

#[test]
fn quotations_rules_and_breaks_are_kept() {
    check("<blockquote><p>a</p><p>b</p></blockquote><hr><p>c<br>d", "> a\n>\n> b\n\n***\n\nc\\\nd");
    check("<div>a</div><div>b<br></div><div>c</div>", "a\n\nb\n\nc");
    check("<p>a<hr><hr><p>b<hr>", "a\n\n***\n\nb");
    check("<ul><li>a<hr><li>b</ul>", "- a\n- b");
}

#[test]
fn lines_of_spaces_part_paragraphs_and_indents_are_left_out() {
    let page = "　　甲<br>　　<br>　　乙<br>　　丙<p>&nbsp;</p><p>丁";
    check(page, "甲\n\n乙\\\n丙\n\n丁");
    assert_eq!(as_text(page), "　　甲\n\n　　乙\n　　丙\n\n丁");
    check("<p>a<a href=/x>&nbsp;</a>b", "a\u{a0}b");
}

#[test]
fn images_come_from_where_they_really_are() {
    check("<p><img src=a.png alt='an a'></p>", "![an a](a.png)");
    check("<p><img src='data:image/gif;base64,x' data-src=b.png alt=b></p>", "![b](b.png)");
    check("<p><img srcset='s.png 300w, l.png 900w' alt=c></p>", "![c](l.png)");
    check("<picture><source srcset=p.webp><img alt=p></picture>", "![p](p.webp)");
    check("<p>x<img src=a.gif alt='' ><img src=b.gif width=1 alt=b></p>", "x");
    check("<p><a href=/big.png><img src=a.gif alt=''></a></p>", "[![](a.gif)](/big.png)");
    check("<p><img src=/1x1.trans.gif srcset='/a.png 700w' alt=a></p>", "![a](/a.png)");
    check("<p><img src='data:image/svg+xml,x' nitro-lazy-src=/b.png data-lazy=true alt=b></p>", "![b](/b.png)");
    check("<p><img src=/img/Placeholder.png?v=1 alt=c>x</p>", "x");
    check("<p><img data-src=a.png alt=a><noscript><img src=a.png alt=a></noscript></p>", "![a](a.png)");
    check("<figure><img src=a.png alt=a><figcaption>The <b>a</b>.</figcaption></figure>", "![a](a.png)\n\nThe **a**.");
    let (page, tree) =
        whole("<figure><img src=a.png alt=a><figcaption>The <b>a</b>.</figcaption></figure><img src=b.png>");
    let found = images(&page, &tree, &Wanted::default());
    assert_eq!((found.len(), found[0].caption.as_str(), found[1].caption.as_str()), (2, "The a.", ""));
}

#[test]
fn footnotes_are_referred_to_and_told() {
    let page = "<p>Fog<sup><a href=#fn1>1</a></sup> is wet.</p><ol><li id=fn1>It is. <a href=#ref1>↩</a></li></ol>";
    check(page, "Fog[^1] is wet.\n\n[^1]: It is.");
    assert_eq!(
        as_html(page),
        "<p>Fog<sup><a href=\"#fn-1\">1</a></sup> is wet.</p>\n<ol><li id=\"fn-1\">It is.</li>\n</ol>"
    );
    assert_eq!(as_text(page), "Fog1 is wet.\n\nIt is.");
    check(
        "<p>Fog<sup class=reference><a href='#cite_note-1'>[1]</a></sup>.</p><div id=other>x</div>\
         <p id=cite_note-1><a href='#cite_ref'>[1]</a> It is.</p>",
        "Fog[^1].\n\nx\n\n[^1]: It is.",
    );
    check("<p>a<sup><a href=#n>1</a></sup><p id=n><a href=#>1</a>&nbsp;</p>", "a<sup>[1](#n)</sup>\n\n[1](#)");
    check("<p><sup><a href=#n>1</a></sup>: a<p id=n>b", "[^1]\\: a\n\n[^1]: b");
    check("<p>a<sup><a href=#n>1</a></sup>: b<p id=n>c", "a[^1]: b\n\n[^1]: c");
    check("<p>a<br><sup><a href=#n>1</a></sup>: b<p id=n>c", "a\\\n[^1]\\: b\n\n[^1]: c");
    check("<p>a<sup><a href=#n>1</a></sup><a href=/x>b</a><p id=n>c", "a[^1] [b](/x)\n\n[^1]: c");
    check(
        "<p>a<sup><a href=#n>1</a></sup> b<sup><a href=#n>2</a></sup><p id=n>c",
        "a[^1] b<sup>[2](#fn-1)</sup>\n\n[^1]: c",
    );
    check("<p>see <sup><a href=#top>1</a></sup>", "see <sup>[1](#top)</sup>");
}

#[test]
fn labels_of_footnotes_are_no_part_of_them() {
    let reference = "<p>F<a class='footnote-reference brackets' href=#n role=doc-noteref>[1]</a>";
    let bracket = |sign: char| format!("<span class=fn-bracket>{sign}</span>");
    let label = format!("<span class=label>{}<a role=doc-backlink href=#r>1</a>{}</span>", bracket('['), bracket(']'));
    for note in [
        format!("<aside class='footnote brackets' id=n>{label}<p>Text.</p></aside>"),
        format!("<aside class='footnote brackets' id=n>{label}<span class=backrefs>(<a href=#r>1</a>)</span><p>Text.</p></aside>"),
        "<dl class='footnote brackets'><dt class=label id=n><span class=brackets><a class=fn-backref href=#r>1</a></span></dt>\
         <dd><p>Text.</p></dd></dl>"
            .to_owned(),
        "<table class='docutils footnote' id=n><colgroup><col></colgroup><tbody><tr><td class=label>[1]</td>\
         <td>Text.</td></tr></table>"
            .to_owned(),
    ] {
        check(&format!("{reference}{note}"), "F[^1]\n\n[^1]: Text.");
        let text = as_text(&format!("{reference}{note}"));
        assert_eq!(text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(), ["F[1]", "Text."], "{note}");
    }
}

#[test]
fn footnotes_are_found_by_the_address_of_the_page_too() {
    let url = kuai_page::Url::parse("https://example.org/p/x?from=y").expect("a valid address");
    let html = "<p>F<a class=footnote-anchor href=https://example.org/p/x#n>1</a> \
        <a class=footnote-anchor href=https://example.org/p/y#n>2</a></p>\
        <div><a id=n href=https://example.org/p/x#r>1</a><div><p>Text.</div></div>";
    let page = Page::from_bytes(html.as_bytes(), Some(&url), None, &kuai_page::Limits::default());
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
    let expected = "F[^1] [2](https://example.org/p/y#n)\n\n[^1]: Text.";
    assert_eq!(markdown(&page, &tree, &Wanted::default()), expected);
}

#[test]
fn formulas_are_kept_as_tex() {
    let mathml =
        "<math><semantics><mi>x</mi><annotation encoding=application/x-tex>x^2</annotation></semantics></math>";
    check(&format!("<p>a {mathml}, b"), "a $x^2$, b");
    check("<p>a <math alttext='{\\displaystyle x}'><mi>x</mi></math> b", "a $x$ b");
    check("<math display=block alttext=x><mi>x</mi></math>", "$$\nx\n$$");
    check(
        "<p>a <script type=math/tex>x</script> b<script type='math/tex; mode=display'>y</script>",
        "a $x$ b\n\n$$\ny\n$$",
    );
    let katex =
        format!("<span class=katex><span>{mathml}</span><span class=katex-html aria-hidden=true>x2</span></span>");
    check(&format!("<p>a {katex} b"), "a $x^2$ b");
    let wiki = "<span><span style='display:none'><math alttext='{\\displaystyle x}'><mi>x</mi></math></span>\
        <img class=mwe-math-fallback-image-inline alt='{\\displaystyle x}' src=x.svg></span>";
    check(&format!("<p>Let {wiki}, then"), "Let $x$, then");
    assert_eq!(as_html(&format!("<p>a {mathml}")), "<p>a <span class=\"math inline\">\\(x^2\\)</span></p>");
    check("<p>a <math><mi>x</mi></math>", "a x");
    check("<code>a<math display=block alttext=x><mi>x</mi></math>b</code>", "`a`\n\n$$\nx\n$$\n\n`b`");
    assert_eq!(as_text("<p>a<p><script type=math/tex>x</script>"), "a\n\n$x$");
}

#[test]
fn formulas_without_tex_are_lines_of_text() {
    let line = |inside: &str, expected: &str| {
        let html = format!("<p>a <math>{inside}</math>.");
        assert_eq!(as_text(&html), format!("a {expected}."));
    };
    line("<msup> <mi>x</mi> <mn>2</mn> </msup>", "x^2");
    line("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", "a/(b+1)");
    line("<msubsup><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></msubsup>", "∑_(i=1)^n");
    line("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)");
    line("<mi>x</mi>", "x");
    check("<p>a <math><msub><mi>x</mi><mn>1</mn></msub></math>, b", "a x_1, b");
}

#[test]
fn formulas_that_a_script_draws_are_kept_as_tex() {
    let inline = "<p>a <span class='math inline'>\\(x_1*y_2\\)</span>, b";
    check(inline, "a $x_1*y_2$, b");
    assert_eq!(as_text(inline), "a \\(x_1*y_2\\), b");
    assert_eq!(as_html(inline), "<p>a <span class=\"math inline\">\\(x_1*y_2\\)</span>, b</p>");
    check("<p>a <span class=math-container>$x_1*y$</span>, US$5", "a $x_1*y$, US$5");
    check("<p>\\(x_1*y_2\\)", "\\\\(x_1\\*y_2\\\\)");
    let script = "<script src=/mathjax/tex.js></script>";
    check(&format!("{script}<p>Let \\(a*b*c\\):\n\\[d\n_1\\] <code>\\(e\\)</code>"), "Let $a*b*c$: $$d _1$$ `\\(e\\)`");
}

#[test]
fn spaces_inside_of_a_formula_are_none_around_it() {
    check(
        "<p>Let (<math alttext=x>\n <mi>x</mi>\n</math>), <math alttext=y> <mi>y</mi> </math> be",
        "Let ($x$), $y$ be",
    );
}

#[test]
fn terms_stand_before_their_meanings() {
    check("<dl><dt>Fog</dt><dd>Wet air.</dd><dt>Rain</dt><dd>Wetter.</dd></dl>", "Fog\n: Wet air.\n\nRain\n: Wetter.");
    check("<dl><dt>Fog<dd>Wet air.<p>Grey.<dd>Doubt.</dl>x", "Fog\n: Wet air.\n\n  Grey.\n: Doubt.\n\nx");
    assert_eq!(as_html("<dl><dt>a<dd>b</dl>"), "<dl><dt>a</dt>\n<dd>b</dd>\n</dl>");
}

#[test]
fn signs_that_link_to_a_heading_are_no_part_of_it() {
    check("<h2>Install<a class=headerlink href=#install>¶</a></h2>", "## Install");
    check("<h2>About <a href=#c>C</a></h2>", "## About [C](#c)");
    check("<h2>Install <a href=#install>#</a></h2>", "## Install");
    check("<h2>Install <a href=#install>#install</a></h2>", "## Install");
    check("<h2><a href=#install>#install</a></h2>", "## [#install](#install)");
}

#[test]
fn addresses_are_resolved_and_safe() {
    let url = kuai_page::Url::parse("https://example.org/a/").expect("a valid address");
    let html = "<p><a href=b>c</a> <a href='javascript:x()'>d</a><img src=/i.png alt=i></p>";
    let page = Page::from_bytes(html.as_bytes(), Some(&url), None, &kuai_page::Limits::default());
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Main))]);
    let expected = "[c](https://example.org/a/b) d![i](https://example.org/i.png)";
    assert_eq!(markdown(&page, &tree, &Wanted::default()), expected);
}

#[test]
fn what_is_not_wanted_is_left_out_and_nothing_else() {
    let (page, tree) = whole("<p>a <a href=x>b</a><img src=i.png alt=i></p><table><tr><th>c<th>d</table>");
    let with = |wanted: &Wanted| (text(&page, &tree, wanted), markdown(&page, &tree, wanted));
    let all = with(&Wanted::default());
    assert_eq!(all.1, "a [b](x)![i](i.png)\n\n| c | d |\n| --- | --- |");
    let plain = with(&Wanted { links: false, images: false, ..Wanted::default() });
    assert_eq!((plain.0, plain.1.as_str()), (all.0, "a b\n\n| c | d |\n| --- | --- |"));
    let no_tables = with(&Wanted { tables: false, ..Wanted::default() });
    assert_eq!((no_tables.0.as_str(), no_tables.1.as_str()), ("a b", "a [b](x)![i](i.png)"));
}

#[test]
fn blocks_of_any_label_can_be_asked_for() {
    let html = "<p>main</p><div>comment</div><ul><li><a href=x>related</a></ul>";
    let page = Page::from_html(html);
    let place = |part: &str| {
        let start = html.find(part).expect("it is in the page") as u32;
        Span::new(start, start + part.len() as u32)
    };
    let tree = BlockTree::from_labelled([
        (place("<p>main</p>"), Some(Label::Main)),
        (place("<div>comment</div>"), Some(Label::Comment)),
        (place("<ul><li><a href=x>related</a></ul>"), Some(Label::Related)),
    ]);
    let of = |labels: &[Label]| markdown(&page, &tree, &Wanted { labels: labels.to_vec(), ..Wanted::default() });
    assert_eq!(markdown(&page, &tree, &Wanted::default()), "main");
    assert_eq!(of(&[Label::Main, Label::Comment]), "main\n\ncomment");
    assert_eq!(of(&[Label::Related]), "- [related](x)");
    let method = crate::method("spcola").expect("it is in the table");
    assert_eq!(extract(&page, &tree, method).comments, ["comment"]);
}

#[test]
fn items_that_tell_their_number_are_numbered_once() {
    let list = "<ol><li><span class=counter>1.</span><p>One <span>2.</span></p><li><span>2.</span>Two<li><span>1984</span> is a book</ol>";
    check(list, "1. One 2.\n2. Two\n3. 1984 is a book");
    assert_eq!(as_text(list), "1.\n\nOne 2.\n\n2.Two\n1984 is a book");
}

#[test]
fn words_are_not_parted_by_what_nobody_sees() {
    check("<p>Leucht\u{ad}turm<b>wär\u{200b}ter</b></p><p>\u{feff}</p><p>x</p>", "Leuchtturm**wärter**\n\nx");
    check("<pre>a\u{200b}b</pre>", "```\na\u{200b}b\n```");
}

#[test]
fn a_unit_has_the_heading_of_its_block_for_a_title() {
    let source = "<title>Fog at sea - Harbour</title><div><span>Share</span><h1>Fog at\nsea</h1><p>By Ines Holm</p></div><p>Grey all day.</p>\
                  <div>Lamps<br>12 May<br>Print</div><p>Lit every night.</p>";
    let page = Page::from_html(source);
    let place = |part: &str| {
        let start = source.find(part).expect("it is in the source") as u32;
        kuai_page::Span::new(start, start + part.len() as u32)
    };
    let title = |from: &str, to: &str| (place(from).union(place(to)), Some(Label::Title));
    let tree = BlockTree::from_labelled([
        title("<div><span>Share", "Holm</p></div>"),
        (place("<p>Grey all day.</p>"), Some(Label::Main)),
        title("<div>Lamps", "Print</div>"),
        (place("<p>Lit every night.</p>"), Some(Label::Main)),
    ]);
    let method = crate::method("spcola").expect("it is in the table");
    let units = extract(&page, &tree, method).units;
    let told: Vec<_> = units.iter().map(|unit| (unit.title.as_deref(), unit.text.as_str())).collect();
    assert_eq!(told, [(Some("Fog at sea"), "Grey all day."), (Some("Lamps"), "Lit every night.")]);
}

#[test]
fn related_links_are_told_once_each_with_most_words() {
    let source = "<ul><li><a href=/a><img src=x></a><a href=/a>All about lamps</a><li><a href=/b>Oil</a></ul>";
    let page = Page::from_html(source);
    let tree = BlockTree::from_labelled([(page.span(), Some(Label::Related))]);
    let method = crate::method("spcola").expect("it is in the table");
    let related = extract(&page, &tree, method).related;
    assert_eq!(related.iter().map(|link| link.text.as_str()).collect::<Vec<_>>(), ["All about lamps", "Oil"]);
}

#[test]
fn links_to_edit_a_part_are_none_of_its_heading() {
    let edit = "<span class=mw-editsection><span>[</span><a href=/edit?1>编辑</a><span>]</span></span>";
    let html = format!("<h2>历史{edit}</h2><p>灯塔建于一八三四年。</p>");
    assert_eq!(as_text(&html), "历史\n\n灯塔建于一八三四年。");
    check(&html, "## 历史\n\n灯塔建于一八三四年。");
}

#[test]
fn hidden_text_is_not_told_and_parts_nothing() {
    check("<p>one<span style='display:none'>no</span>two</p>", "onetwo");
    let (page, tree) = whole("<p>one <span style='display:none'>and</span> two</p>");
    assert_eq!(text(&page, &tree, &Wanted { hidden: true, ..Wanted::default() }).replace('\n', " "), "one and two");
}

#[test]
fn words_are_told_without_the_readings_above_them() {
    let html = "<p>我们说<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>是";
    check(html, "我们说漢字是");
    let (page, tree) = whole(html);
    let all = Wanted { hidden: true, ..Wanted::default() };
    assert_eq!(
        (text(&page, &tree, &all), text(&page.plain(), &tree, &all)),
        ("我们说漢字是".into(), "我们说漢字是".into())
    );
}

#[test]
fn deep_nesting_costs_no_more_than_its_size() {
    let (page, tree) = whole(&"<ul><li>x".repeat(20_000));
    assert!(markdown(&page, &tree, &Wanted::default()).len() < 20_000 * 60);
    let row = format!("<tr>{}</tr>", "<td colspan=1000 rowspan=1000>x".repeat(4));
    let (page, tree) = whole(&format!("<table><tr><th>a<th>b</tr>{}</table>", row.repeat(2_000)));
    assert!(markdown(&page, &tree, &Wanted::default()).len() < 2_000 * 4 * 100);
}
