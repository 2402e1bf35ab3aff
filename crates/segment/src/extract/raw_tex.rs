//! Formulas that stand in the text as TeX between signs, for a script of the page to draw.

use kuai_page::{Dom, NodeId, Span};
use memchr::memmem;

/// A stretch of text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Formula {
        /// The formula as it stands in the text.
        shown: &'a str,
        tex: &'a str,
        /// Whether it stands on a line of its own.
        display: bool,
    },
}

/// Where in a page text may hold formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Nowhere,
    /// In elements that are marked so.
    Marked,
    Everywhere,
}

/// What such a formula begins with, what it ends with, and whether it stands on a line of its own.
const SIGNS: [(&str, &str, bool); 3] = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true)];

/// What the addresses of scripts that draw formulas hold, or the calls of them.
const SCRIPTS: [&str; 6] =
    ["MathJax.js", "mathjax@", "mathjax/", "MathJax-script", "renderMathInElement", "katex/contrib/auto-render"];

/// Elements around a text that are asked whether they are marked as formulas.
const AROUND_MAX: usize = 8;

impl Reach {
    /// What the source of a page promises, of which a span is wanted.
    pub(super) fn of(source: &str, wanted: Span) -> Reach {
        let mentions = |source: &str, sign: &str| memmem::find(source.as_bytes(), sign.as_bytes()).is_some();
        let part = &source[wanted.range()];
        if !SIGNS.iter().any(|(open, ..)| mentions(part, open)) && !mentions(part, "math-container") {
            Reach::Nowhere
        } else if SCRIPTS.iter().any(|script| mentions(source, script)) {
            Reach::Everywhere
        } else {
            Reach::Marked
        }
    }

    /// The formulas in a text whose white space is collapsed, and what stands between them.
    pub(super) fn pieces<'t>(self, dom: Dom<'_>, node: NodeId, text: &'t str) -> Vec<Piece<'t>> {
        let may_hold = self != Reach::Nowhere && text.contains(['\\', '$']);
        let is_marked = may_hold && dom.ancestors(node).take(AROUND_MAX).any(|around| is_marked(dom, around));
        match whole(text).filter(|_| is_marked) {
            Some(tex) => vec![Piece::Formula { shown: text, tex, display: false }],
            None if is_marked || (may_hold && self == Reach::Everywhere) => pieces(text),
            None => vec![Piece::Text(text)],
        }
    }
}

fn is_marked(dom: Dom<'_>, node: NodeId) -> bool {
    let is_mark =
        |class: &str| matches!(class, "math" | "math-container" | "arithmatex" | "tex2jax_process" | "mathjax_process");
    dom.attribute(node, "class").is_some_and(|classes| classes.split_ascii_whitespace().any(is_mark))
}

/// The formula that a marked text is as a whole, between single signs.
fn whole(text: &str) -> Option<&str> {
    let tex = text.strip_prefix('$')?.strip_suffix('$')?;
    (!tex.trim().is_empty() && !tex.contains('$')).then(|| tex.trim())
}

/// Every sign that opens a formula is looked for once, and what none ends for at most once more.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut told, mut place) = (0, 0);
    let mut never_ends = [false; SIGNS.len()];
    while let Some(length) = text[place..].find(['\\', '$']) {
        place += length;
        let opens = |index: &usize| !never_ends[*index] && text[place..].starts_with(SIGNS[*index].0);
        let Some(index) = (0..SIGNS.len()).find(opens) else {
            place += 1;
            continue;
        };
        let (open, close, display) = SIGNS[index];
        let start = place + open.len();
        let Some(length) = text[start..].find(close) else {
            never_ends[index] = true;
            continue;
        };
        let (tex, end) = (text[start..start + length].trim(), start + length + close.len());
        if !tex.is_empty() {
            pieces.extend((told < place).then(|| Piece::Text(&text[told..place])));
            pieces.push(Piece::Formula { shown: &text[place..end], tex, display });
            told = end;
        }
        place = end;
    }
    pieces.extend((told < text.len()).then(|| Piece::Text(&text[told..])));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_from_the_text_around_them() {
        let formula = |shown, tex, display| Piece::Formula { shown, tex, display };
        let expected = [Piece::Text("a "), formula("\\( x \\)", "x", false), Piece::Text(", \\[ b")];
        assert_eq!(pieces("a \\( x \\), \\[ b"), expected);
        assert_eq!(pieces("$$y$$\\[z\\]"), [formula("$$y$$", "y", true), formula("\\[z\\]", "z", true)]);
        assert_eq!(pieces("US$5 \\a $$$$ $"), [Piece::Text("US$5 \\a $$$$ $")]);
    }
}
