//! The style sheet that a browser brings along, as a table of elements and declarations.

use std::sync::LazyLock;

use cssparser::Parser;
use kuai_html::Tag;

use super::parse::{Lists, parse_block};
use super::property::{Declaration, Value};
use super::value::Display;

/// The browser's declarations for every element.
pub(super) struct UserAgent {
    by_tag: Vec<Vec<Declaration>>,
    hides: Vec<bool>,
    /// The lists that the declarations point into; a page's own start from them.
    pub(super) lists: Lists,
}

impl UserAgent {
    /// The browser's own style sheet, parsed once.
    pub(super) fn get() -> &'static UserAgent {
        &USER_AGENT
    }

    /// The declarations for an element.
    pub(super) fn declarations(&self, tag: Tag) -> &[Declaration] {
        self.by_tag.get(tag as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether an element is not shown unless the page says otherwise.
    pub(super) fn hides(&self, tag: Tag) -> bool {
        self.hides.get(tag as usize).is_some_and(|&hides| hides)
    }
}

static USER_AGENT: LazyLock<UserAgent> = LazyLock::new(|| {
    let mut agent = UserAgent { by_tag: vec![Vec::new(); 256], hides: Vec::new(), lists: Lists::default() };
    for (names, text) in SHEET {
        let declarations = parse_block(&mut Parser::new(text), &mut agent.lists).normal;
        for name in names.split(' ') {
            agent.by_tag[Tag::from_name(name) as usize].extend(declarations.iter().cloned());
        }
    }
    let is_none = |declaration: &Declaration| declaration.value == Value::Display(Display::None);
    agent.hides = agent.by_tag.iter().map(|declarations| declarations.iter().any(is_none)).collect();
    agent
});

/// Elements and what browsers say of them: the standard's rendering section, with Chromium's numbers.
const SHEET: &[(&str, &str)] = &[
    (
        "html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption \
         figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend listing main menu nav ol optgroup option p \
         plaintext pre search section summary ul xmp frameset frame",
        "display: block",
    ),
    (
        "area base basefont bgsound datalist head link meta noembed noframes param rp script style template title \
         source track",
        "display: none",
    ),
    ("slot", "display: contents"),
    ("body", "margin: 8px"),
    ("p dl blockquote figure listing plaintext pre xmp", "margin-top: 1em; margin-bottom: 1em"),
    ("dir menu ol ul", "margin-top: 1em; margin-bottom: 1em; padding-left: 40px"),
    ("ol", "list-style-type: decimal"),
    ("blockquote figure", "margin-left: 40px; margin-right: 40px"),
    ("dd", "margin-left: 40px"),
    ("li", "display: list-item"),
    ("h1", "font-size: 2em; font-weight: bold; margin-top: .67em; margin-bottom: .67em"),
    ("h2", "font-size: 1.5em; font-weight: bold; margin-top: .83em; margin-bottom: .83em"),
    ("h3", "font-size: 1.17em; font-weight: bold; margin-top: 1em; margin-bottom: 1em"),
    ("h4", "font-weight: bold; margin-top: 1.33em; margin-bottom: 1.33em"),
    ("h5", "font-size: .83em; font-weight: bold; margin-top: 1.67em; margin-bottom: 1.67em"),
    ("h6", "font-size: .67em; font-weight: bold; margin-top: 2.33em; margin-bottom: 2.33em"),
    ("b strong", "font-weight: bolder"),
    ("i cite em var dfn address", "font-style: italic"),
    ("small", "font-size: smaller"),
    ("sub sup", "font-size: smaller; line-height: normal"),
    ("big", "font-size: larger"),
    ("pre listing plaintext xmp", "white-space: pre"),
    ("pre listing plaintext xmp tt code kbd samp", "font-family: monospace; font-size: .8125em"),
    ("nobr", "white-space: nowrap"),
    ("center", "text-align: -webkit-center"),
    ("table", "display: table; box-sizing: border-box; border-spacing: 2px; text-indent: 0"),
    ("tbody thead tfoot", "display: table-row-group"),
    ("tr", "display: table-row"),
    ("td th", "display: table-cell; padding: 1px"),
    ("th", "font-weight: bold; text-align: center"),
    ("caption", "display: table-caption; text-align: center"),
    ("col colgroup", "display: table-column"),
    ("hr", "margin: .5em auto; border: 1px inset; overflow: hidden"),
    ("fieldset", "margin-left: 2px; margin-right: 2px; padding: .35em .75em .625em; border: 2px groove"),
    ("legend", "padding-left: 2px; padding-right: 2px"),
    (
        "input button select textarea keygen",
        "display: inline-block; font: 13.333px Arial; text-align: left; text-indent: 0; letter-spacing: normal; \
         text-transform: none; line-height: normal; white-space: normal",
    ),
    ("input", "padding: 1px 2px; border: 2px inset"),
    ("button", "padding: 1px 6px; border: 2px outset; text-align: center; box-sizing: border-box"),
    ("select", "border: 1px solid; box-sizing: border-box; white-space: nowrap"),
    ("textarea", "padding: 2px; border: 1px solid; font-family: monospace; white-space: pre-wrap"),
    ("meter progress marquee", "display: inline-block"),
    ("marquee", "width: 100%; overflow: hidden; white-space: nowrap"),
    ("iframe", "border: 2px inset"),
    ("rt", "display: none; font-size: 50%"),
    ("mark", "background-color: yellow; color: black"),
    ("dialog", "display: none"),
    ("details summary", "display: block"),
    ("audio", "display: none"),
];

/// What the browser says of tables in the layout of the nineties.
pub(super) fn quirks_table() -> &'static [Declaration] {
    static DECLARATIONS: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
        let text = "white-space: normal; line-height: normal; font-weight: normal; font-size: medium; \
                    font-style: normal; text-align: left";
        parse_block(&mut Parser::new(text), &mut Lists::default()).normal
    });
    &DECLARATIONS
}
