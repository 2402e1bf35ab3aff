//! One source parsed by us and by html5ever: whether the trees are equal, and if not, which known fault of html5ever's it is.
//!
//! A source whose trees differ is first made as small as it can be while they still do. What is left holds nothing but the
//! cause, so that a fault can be recognised by the tags that are left.

use std::panic::{self, AssertUnwindSafe};

use html5ever::{LocalName, QualName, ns};
use kuai_html::{Context, Limits, Namespace, NodeId, Options, Quirks, Tree, parse, parse_fragment};

use crate::{arena, outline};

/// How a source is parsed.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Whether scripts run.
    pub scripting: bool,
    /// The element around a fragment, as html5lib names it; `None` for a document.
    pub context: Option<&'a str>,
}

/// The two trees of a source as html5lib writes them.
pub struct Outlines {
    /// Ours.
    pub ours: String,
    /// html5ever's.
    pub theirs: String,
}

impl Reading<'_> {
    /// Parses with both; `None` if one of the two panicked, which is told on standard error.
    pub fn outlines(&self, source: &str) -> Option<Outlines> {
        let ours = panic::catch_unwind(AssertUnwindSafe(|| self.ours(source, &Options::default())));
        let theirs = panic::catch_unwind(AssertUnwindSafe(|| self.theirs(source)));
        Some(Outlines { ours: ours.ok()?, theirs: theirs.ok()? })
    }

    /// Whether the trees differ.
    pub fn differs(&self, source: &str) -> bool {
        self.outlines(source).is_none_or(|outlines| outlines.ours != outlines.theirs)
    }

    /// Our tree. The limits are ours alone, so they are out of the way here.
    pub fn ours(&self, source: &str, options: &Options) -> String {
        let limits = Limits { depth: 100_000, formatting: 100_000, attributes: 100_000, ..options.limits };
        let options = Options { scripting: self.scripting, limits, ..*options };
        let mut tree = Tree::default();
        let Some(context) = self.context else {
            parse(source, &options, &mut tree);
            return outline::ours(tree.dom(source), NodeId::DOCUMENT);
        };
        let (namespace, name) = context_of(context);
        parse_fragment(source, &Context { namespace, name, quirks: Quirks::No }, &options, &mut tree);
        let dom = tree.dom(source);
        outline::ours(dom, dom.html().expect("a fragment has a root"))
    }

    /// html5ever's tree.
    pub fn theirs(&self, source: &str) -> String {
        let arena = typed_arena::Arena::new();
        let Some(context) = self.context else {
            return outline::theirs(arena::parse(source, self.scripting, &arena));
        };
        let (namespace, name) = context_of(context);
        let namespace = match namespace {
            Namespace::Html => ns!(html),
            Namespace::Svg => ns!(svg),
            Namespace::MathMl => ns!(mathml),
        };
        let context = QualName::new(None, namespace, LocalName::from(name));
        let document = arena::parse_in(source, context, self.scripting, &arena);
        document.first_child.get().map(outline::theirs).unwrap_or_default()
    }
}

/// The namespace and name of a fragment's context.
fn context_of(text: &str) -> (Namespace, &str) {
    match text.split_once(' ') {
        Some(("svg", name)) => (Namespace::Svg, name),
        Some(("math", name)) => (Namespace::MathMl, name),
        _ => (Namespace::Html, text),
    }
}

/// Leaves out whatever can be left out while the trees still differ.
pub fn smallest(mut pieces: Vec<String>, reading: &Reading<'_>) -> Vec<String> {
    let mut size = pieces.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < pieces.len() {
            let mut rest = pieces.clone();
            rest.drain(at..(at + size).min(pieces.len()));
            match reading.differs(&rest.concat()) {
                true => pieces = rest,
                false => at += size,
            }
        }
        size = if size > 1 { size / 2 } else { 0 };
    }
    pieces
}

/// Where html5ever 0.40 leaves the standard.
pub struct Fault {
    /// What it does instead of what the standard says, and where that stands.
    pub reason: &'static str,
    explains: fn(&str, &Reading<'_>) -> bool,
}

/// The fault that a smallest source shows, if it is a known one.
pub fn fault_of(source: &str, reading: &Reading<'_>) -> Option<&'static Fault> {
    let source = source.to_ascii_lowercase();
    FAULTS.iter().find(|fault| (fault.explains)(&source, reading))
}

/// All known faults.
pub const FAULTS: &[Fault] = &[
    Fault {
        reason: "search and keygen are special elements (13.2.4.2 The stack of open elements)",
        explains: |source, _| has_tag(source, &["search", "keygen"]),
    },
    Fault {
        reason: "mi, mo, mn, ms, mtext, annotation-xml, foreignObject, desc and SVG's title are special elements (13.2.4.2 The \
                 stack of open elements), and annotation-xml bounds scopes (has an element in the specific scope)",
        explains: |source, reading| {
            let names = ["mi", "mo", "mn", "ms", "mtext", "annotation-xml", "foreignobject", "desc", "title"];
            is_foreign(source, reading) && has_tag(source, &names)
        },
    },
    Fault {
        reason: "a doctype among the text of a table ends that text (13.2.6.4.10 in table text: anything else)",
        explains: |source, reading| {
            let in_table = matches!(reading.context, Some("table" | "tbody" | "thead" | "tfoot" | "tr"));
            source.contains("<!doctype") && (in_table || has_tag(source, &["table", "tr", "tbody", "template"]))
        },
    },
    Fault {
        reason: "in table body, a tbody, thead or tfoot must be in table scope (13.2.6.4.13), not a table, tbody or tfoot",
        explains: |source, reading| {
            has_tag(source, &["thead"]) || (reading.context == Some("thead") && has_tag(source, &["template"]))
        },
    },
    Fault {
        reason: "text in a template that has been in a table is gathered first (13.2.6.4.9 in table: a character token)",
        explains: |source, reading| {
            (has_tag(source, &["template"]) || reading.context == Some("template")) && has_text(source)
        },
    },
    Fault {
        reason: "an input in a fragment of a select is dropped (13.2.6.4.7 in body: a start tag whose tag name is input)",
        explains: |source, reading| reading.context == Some("select") && has_tag(source, &["input"]),
    },
    Fault {
        reason: "`</>` is no token, so the line feed behind it is the next token after <pre> (13.2.6.4.7 in body: a start tag whose tag name \
                 is pre or listing, textarea)",
        explains: |source, _| has_tag(source, &["pre", "listing", "textarea"]) && source.contains("</>"),
    },
    Fault {
        reason: "an end tag in foreign content whose search comes to the root of a fragment, an HTML element, is for the insertion mode \
                 (13.2.6.5 any other end tag: steps 5 to 7)",
        explains: |source, reading| reading.context.is_some() && is_foreign(source, reading) && source.contains("</"),
    },
];

/// Whether there is SVG or MathML.
fn is_foreign(source: &str, reading: &Reading<'_>) -> bool {
    has_tag(source, &["svg", "math"]) || reading.context.is_some_and(|context| context.contains(' '))
}

/// Whether anything stands outside tags.
fn has_text(source: &str) -> bool {
    let outside = source.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    outside.into_iter().any(|text| !text.is_empty())
}

/// Whether a start tag of one of these lower-case names is there.
fn has_tag(source: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        source.match_indices(&format!("<{name}")).any(|(at, found)| {
            let follower = source.as_bytes().get(at + found.len());
            follower.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_by_its_whole_name() {
        assert!(has_tag("<p><search a>", &["search"]));
        assert!(!has_tag("<searching></search>", &["search"]));
    }

    #[test]
    fn differences_that_were_looked_into_have_their_reasons() {
        let check = |source: &str, context: Option<&str>, reason: &str| {
            let reading = Reading { scripting: false, context };
            assert!(reading.differs(source), "{source}");
            assert!(fault_of(source, &reading).is_some_and(|fault| fault.reason.contains(reason)), "{source}");
        };
        check("<i><search></i>", None, "search");
        check("<li><svg><desc><li>", None, "special");
        check("<table>x<!doctype>\n", None, "doctype");
        check("<td></TD>A<!doctype html> ", Some("table"), "doctype");
        check("<thead><tbody>", Some("table"), "in table body");
        check("<template><tr><i></tr> ", None, "gathered");
        check("<input>", Some("select"), "dropped");
        check("<pre></>\n", None, "no token");
        check("<form><math></form><p><form>", Some("tr"), "the insertion mode");
        check("<dd><tt></dd><td></tt><nobr>", Some("svg path"), "the insertion mode");
    }

    #[test]
    fn what_does_not_matter_is_left_out() {
        let pieces = ["<p>", "a", "<i>", "<search>", "</i>"].map(str::to_owned).to_vec();
        let reading = Reading { scripting: false, context: None };
        let smallest = smallest(pieces, &reading);
        assert!(
            smallest.len() < 5 && fault_of(&smallest.concat(), &reading).is_some_and(|f| f.reason.contains("search"))
        );
    }
}
