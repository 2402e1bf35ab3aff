//! Random markup with a shape: tags that nest wrongly, tables in the wrong place, references, odd bytes.

/// A small generator of numbers; the same seed gives the same page on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn choose<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.next(options.len())]
    }
}

#[rustfmt::skip]
const TAGS: &[&str] = &[
    "a", "b", "i", "em", "font", "nobr", "code", "u", "p", "div", "span", "ul", "ol", "li", "dl", "dt", "dd", "table",
    "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "colgroup", "col", "form", "input", "button", "select",
    "option", "optgroup", "hr", "br", "img", "image", "h1", "h2", "h6", "pre", "listing", "textarea", "title", "script",
    "style", "xmp", "iframe", "noscript", "noframes", "noembed", "template", "svg", "math", "mi", "mo", "mtext",
    "annotation-xml", "foreignObject", "desc", "mglyph", "path", "html", "head", "body", "frameset", "frame", "object",
    "applet", "marquee", "ruby", "rb", "rt", "rp", "rtc", "x-unknown", "menuitem", "link", "meta", "base", "center",
    "address", "section", "details", "summary", "main", "search", "dialog", "keygen", "param", "track", "wbr", "area",
    "plaintext", "selectedcontent", "label", "fieldset", "legend", "video", "source", "big", "tt", "strike", "s",
];
/// Those that interact most, drawn more often.
#[rustfmt::skip]
const TROUBLE: &[&str] = &[
    "a", "b", "i", "nobr", "p", "div", "table", "tr", "td", "tbody", "caption", "select", "option", "template", "svg",
    "math", "mi", "foreignObject", "li", "form", "button", "body", "html", "head", "font",
];
#[rustfmt::skip]
const ATTRIBUTES: &[&str] = &[
    " a", " a=b", " id='x&amp;y'", " class=\"p q\"", " color=red", " type=hidden", " type=HIDDEN", " A=1 a=2", " =x",
    " encoding=text/html", " xlink:href=x", " viewbox=0", " definitionurl=y", " a='&not;'", " b=&notit;", " c=&amp",
    " d=\"x\ry\"", " e='\0'", " selected", " /", " f=a/b", " g = h", " \"q",
];
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "x", "text", " ", "\n", "\r\n", "\r", "\t a", "\0", "&amp;", "&lt", "&notin;", "&notit;", "&#65;", "&#x80;", "&#0;",
    "&", "&&amp", "&#;", "<", "< ", "</", "</>", "</ x>", "<?pi?>", "<!x>", "<!-->", "<!--->", "<!-- c -->", "<!--a--!>",
    "<!doctype html>", "<!doctype>", "<![CDATA[c]]>", "<![CDATA[a\0b]]>", "]]>", "-->", "&#13;", "é", "漢字", "\u{c}",
    "&#32;", "&nbsp;", "<!-- <script> ", "<!--", "&copy=1",
];

/// The page of this seed.
pub fn page(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        random.next(2);
    }
    let mut page = String::new();
    if random.next(3) == 0 {
        page.push_str("<!DOCTYPE html>");
    }
    let piece_count = 1 + random.next(30);
    for _ in 0..piece_count {
        piece(&mut random, &mut page);
    }
    page
}

fn piece(random: &mut Random, page: &mut String) {
    let tag = if random.next(3) == 0 { random.choose(TAGS) } else { random.choose(TROUBLE) };
    match random.next(10) {
        0..=4 => {
            page.push('<');
            page.push_str(tag);
            while random.next(4) == 0 {
                page.push_str(random.choose(ATTRIBUTES));
            }
            page.push_str(if random.next(12) == 0 { "/>" } else { ">" });
        }
        5..=7 => {
            page.push_str("</");
            page.push_str(tag);
            page.push('>');
        }
        _ => page.push_str(random.choose(TEXTS)),
    }
}
