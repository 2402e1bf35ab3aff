//! Random markup with a shape: tags that nest wrongly, tables in the wrong place, references, odd bytes.

/// A small generator of numbers; the same seed gives the same page on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            random.next(2);
        }
        random
    }

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
    "&#32;", "&nbsp;", "<!-- <script> ", "<!--", "&copy=1", "&NotEqualTilde;", "&ThickSpace;x", "&#x1F600;", "&#xD800;", "&#1114112;",
    "&lt;b>", "&ampx", "&notin", " \n\t", "a b", "<b", "<b a='", "</b x='>'>", "\r\n\r\n", "\n\n", "\0\0x", "]]&gt;", "</p\n>",
];

/// The elements in which fragments are parsed, as html5lib names them.
#[rustfmt::skip]
pub const CONTEXTS: &[&str] = &[
    "div", "body", "head", "html", "table", "tbody", "thead", "tr", "td", "caption", "colgroup", "select", "option", "template", "form",
    "frameset", "textarea", "script", "style", "noscript", "svg svg", "svg foreignObject", "svg desc", "svg path", "math math",
    "math mi", "math annotation-xml", "button", "p", "li",
];

/// The page of this seed.
pub fn page(seed: u64) -> String {
    pieces(seed).concat()
}

/// The page of this seed as tags, texts and comments.
pub fn pieces(seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut pieces = Vec::new();
    if random.next(3) == 0 {
        pieces.push("<!DOCTYPE html>".to_owned());
    }
    // Most pages are short, so that what differs is found; some are long, so that much comes together.
    let length = if random.next(8) == 0 { 200 } else { 30 };
    let piece_count = 1 + random.next(length);
    let mut open = Vec::new();
    for _ in 0..piece_count {
        pieces.push(piece(&mut random, &mut open));
    }
    pieces
}

/// A short run of pieces, many times over, inside others: what is slow by nature shows in the time a byte.
pub fn pumped(seed: u64, size: usize) -> String {
    let mut random = Random::new(seed);
    let mut run = |count: usize| -> String {
        let mut open = Vec::new();
        let count = random.next(count);
        (0..=count).map(|_| piece(&mut random, &mut open)).collect()
    };
    let (start, unit, end) = (run(4), run(6), run(4));
    let half = size / unit.len() / 2 + 1;
    start + &unit.repeat(half) + &end + &unit.repeat(half)
}

fn piece(random: &mut Random, open: &mut Vec<&'static str>) -> String {
    let tag = if random.next(3) == 0 { random.choose(TAGS) } else { random.choose(TROUBLE) };
    let name = if random.next(16) == 0 { tag.to_ascii_uppercase() } else { tag.to_owned() };
    match random.next(10) {
        0..=4 => {
            open.push(tag);
            let mut piece = format!("<{name}");
            while random.next(4) == 0 {
                piece.push_str(random.choose(ATTRIBUTES));
            }
            piece + if random.next(12) == 0 { "/>" } else { ">" }
        }
        // Half of the end tags close something that is open, though seldom what was opened last.
        5 | 6 if !open.is_empty() => {
            let back = random.next(open.len().min(3)) + 1;
            format!("</{}>", open.remove(open.len() - back))
        }
        5..=7 => format!("</{name}>"),
        _ => random.choose(TEXTS).to_owned(),
    }
}
