//! Times our parser on input made to be slow: each shape at two sizes, so that more than linear growth shows.
//!
//! `hostile` prints nanoseconds of processor time a byte at a size and at four times that size; the two should be alike.

use kuai_eval::thread_seconds;
use kuai_html::{Note, Options, Tree, parse, tokens};

/// A name, and a page of roughly `size` repetitions.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("nested divs", |size| "<div>".repeat(size)),
    ("nested divs, closed", |size| "<div>".repeat(size) + &"</div>".repeat(size)),
    ("unclosed b with its own id, then p", |size| numbered(size, |number| format!("<b id={number}><p>"))),
    ("unclosed b alike, then p", |size| "<b><p>".repeat(size)),
    ("a then p", |size| "<a><p>".repeat(size)),
    ("a with its own href in divs", |size| numbered(size, |number| format!("<a href={number}><div>"))),
    ("adoption storm", |size| "<b><i><u><s><p>x</b></i></u></s>".repeat(size)),
    ("adoption of a deep stack", |size| "<b>".repeat(size) + &"<p>x</b>".repeat(size)),
    ("nested tables", |size| "<table><tr><td>".repeat(size)),
    ("nested tables without cells", |size| "<table>".repeat(size)),
    ("text put before a table", |size| format!("<table>{}", "x<tr>".repeat(size))),
    ("text and references put before a table", |size| format!("<table>{}", "x&amp;<tr id='&amp;'>".repeat(size))),
    ("elements put before a table", |size| format!("<table>{}", "<b>x<tr>".repeat(size))),
    ("text joined over dropped tags", |size| "a</x>".repeat(size)),
    ("text cut by NULs", |size| "a\0".repeat(size)),
    ("NULs", |size| "\0".repeat(size * 4)),
    ("carriage returns", |size| "a\r".repeat(size)),
    ("one long attribute", |size| format!("<p title=\"{}\">", "x".repeat(size * 10))),
    ("one long attribute of references", |size| format!("<p title=\"{}\">", "&amp;".repeat(size))),
    ("many attributes", |size| format!("<p {}>", numbered(size, |number| format!("a{number}=1 ")))),
    ("many tags with many attributes", |size| {
        let attributes = numbered(500, |number| format!("a{number} "));
        format!("<p {attributes}>").repeat(size / 500 + 1)
    }),
    ("many html tags with attributes", |size| numbered(size, |number| format!("<html a{number}><body b{number}>"))),
    ("links", |size| "<a href=/x>y</a> ".repeat(size)),
    ("one line", |size| "word ".repeat(size * 4)),
    ("nested svg", |size| "<svg>".repeat(size)),
    ("nested svg and math text", |size| "<math><mi><svg><desc>".repeat(size)),
    ("nested templates", |size| "<template>".repeat(size)),
    ("nested templates, closed", |size| "<template>".repeat(size) + &"</template>".repeat(size)),
    ("unclosed comments", |size| "<!--".repeat(size)),
    ("declarations", |size| "<!".repeat(size)),
    ("declarations, closed", |size| "<!>".repeat(size)),
    ("dashes in a comment", |size| format!("<!--{}", "--!".repeat(size))),
    ("ampersands", |size| "&".repeat(size * 4) + "amp"),
    ("references without end", |size| "&amp&notit&CounterClockwiseContourIntegra".repeat(size / 4)),
    ("numbers in references", |size| format!("&#{};", "9".repeat(size * 4))),
    ("less-than signs", |size| "<".repeat(size * 4)),
    ("end tags of nothing", |size| "</div>".repeat(size)),
    ("end tags of unknown names in a deep stack", |size| "<x>".repeat(400) + &"</y>".repeat(size)),
    ("unfinished tag", |size| "<a ".repeat(size)),
    ("unfinished script", |size| format!("<script>{}", "<!--<script>".repeat(size))),
    ("script ends that are none", |size| format!("<script>{}", "</scrip".repeat(size))),
    ("title ends that are none", |size| format!("<title>{}", "</titl &amp;".repeat(size))),
    ("cdata ends that are none", |size| format!("<svg><![CDATA[{}", "]]".repeat(size))),
    ("select and options", |size| format!("<select>{}", "<option><optgroup>".repeat(size))),
    ("p in a button", |size| format!("<p><button>{}", "<div>".repeat(size))),
    ("list items in spans", |size| "<li><span>".repeat(size)),
    ("definition items in divs", |size| "<dd><div>".repeat(size)),
    ("framesets", |size| "<frameset>".repeat(size)),
    ("applets", |size| "<applet><b>".repeat(size)),
    ("forms", |size| "<form><div></form>".repeat(size)),
    ("buttons", |size| "<button><b>".repeat(size)),
    ("headings", |size| "<h1><b></h2>".repeat(size)),
    ("nobr", |size| "<nobr><div>".repeat(size)),
    ("body ends", |size| "</body>x</html>".repeat(size)),
    ("white space after the body", |size| format!("<p>x{}", "</body> <!--c-->".repeat(size))),
];

fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

fn main() {
    let size = 50_000;
    let mut tree = Tree::default();
    println!("{:<46} {:>10} {:>10} {:>10}  notes", "ns per byte", "once", "4 times", "tokens");
    for (name, shape) in SHAPES {
        let (small, _) = time(&shape(size), &mut tree);
        let (large, notes) = time(&shape(size * 4), &mut tree);
        let source = shape(size);
        let start = thread_seconds();
        let count = tokens(&source).count();
        let token_time = nanoseconds_since(start) / source.len() as f64;
        let warning = if large > 3.0 * small && large > 50.0 { "  <- grows" } else { "" };
        println!("{name:<46} {small:>10.1} {large:>10.1} {token_time:>10.1}  {notes:?}{warning}");
        assert!(count <= source.len(), "a token takes a byte at least");
    }
}

fn time(source: &str, tree: &mut Tree) -> (f64, Vec<Note>) {
    let start = thread_seconds();
    let notes = parse(source, &Options::default(), tree);
    (nanoseconds_since(start) / source.len() as f64, notes)
}

fn nanoseconds_since(start: f64) -> f64 {
    (thread_seconds() - start) * 1e9
}
