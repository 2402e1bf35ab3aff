//! Blocks of code: what language they are in.

use kuai_page::{Dom, NodeId, Tag};

/// Elements around a block of code whose classes may name its language.
const AROUND_MAX: usize = 3;

/// The language of a code block, as its highlighter wrote it; empty where none says.
pub(super) fn language<'a>(dom: Dom<'a>, pre: NodeId) -> &'a str {
    let inner = dom.children(pre).find(|&child| dom.is_element(child)).filter(|&child| dom.tag(child) == Tag::Code);
    if let Some(language) = [inner, Some(pre)].into_iter().flatten().find_map(|node| named(dom, node)) {
        return language;
    }
    let is_wrapper =
        |&node: &NodeId| matches!(dom.tag(node), Tag::Div | Tag::Figure | Tag::Td | Tag::Tr | Tag::Tbody | Tag::Table);
    let around = dom.ancestors(pre).take(AROUND_MAX * 2).take_while(is_wrapper);
    // A wrapper of the whole article may name a language too, one that people speak.
    let around = around.filter(|&node| dom.tag(node) != Tag::Tbody && dom.tag(node) != Tag::Tr).take(AROUND_MAX);
    let mut wrappers = around.filter(|&node| mentions_code(dom, node));
    wrappers.find_map(|node| named(dom, node)).unwrap_or("")
}

/// Names of classes after which a language stands as a class of its own: `hljs rust`.
const NEIGHBOURS: [&str; 5] = ["hljs", "sourceCode", "highlight", "brush:", "rust-example-rendered"];

/// What classes that name a language begin with, the longest first where one begins another.
const PREFIXES: [&str; 8] = [
    "mw-highlight-lang-",
    "highlight-source-",
    "highlight-text-",
    "highlight-",
    "language-",
    "lang-",
    "brush:",
    "syntax-",
];

fn named<'a>(dom: Dom<'a>, node: NodeId) -> Option<&'a str> {
    let attribute =
        ["data-lang", "data-language", "data-code-language"].iter().find_map(|name| dom.attribute(node, name));
    if let Some(language) = attribute.and_then(as_language) {
        return Some(language);
    }
    let classes = || dom.attribute(node, "class").unwrap_or("").split_ascii_whitespace();
    let prefixed = |class: &'a str| PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix)).and_then(as_language);
    let beside = || {
        let after = classes().skip_while(|class| !NEIGHBOURS.contains(class)).nth(1);
        after.and_then(as_language)
    };
    classes().find_map(prefixed).or_else(beside).or_else(|| {
        // rustdoc puts the language first.
        classes().next().filter(|class| *class == "rust")
    })
}

fn mentions_code(dom: Dom<'_>, node: NodeId) -> bool {
    let is_sign = |class: &str| {
        ["highlight", "language-", "lang-", "code", "brush", "syntax"].iter().any(|sign| class.contains(sign))
    };
    dom.attribute(node, "class").is_some_and(is_sign) || dom.attribute(node, "data-lang").is_some()
}

/// What stands where languages do and is none.
const NO_LANGUAGES: [&str; 15] = [
    "none",
    "default",
    "notranslate",
    "nohighlight",
    "plain",
    "wrapper",
    "block",
    "example",
    "highlight",
    "code",
    "auto",
    "tab-size",
    "line-numbers",
    "linenums",
    "numberlines",
];

/// Longer than the name of any language.
const LANGUAGE_LENGTH_MAX: usize = 24;

fn as_language(name: &str) -> Option<&str> {
    let name = name.trim_matches([';', ',', ' ', '"', '\'']);
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'.' | b'-' | b'_');
    let is_name = (1..=LANGUAGE_LENGTH_MAX).contains(&name.len()) && name.bytes().all(fits);
    let is_known_word = NO_LANGUAGES.iter().any(|word| name.eq_ignore_ascii_case(word));
    let begins_well = name.starts_with(|first: char| first.is_ascii_alphabetic());
    (is_name && begins_well && !is_known_word).then_some(name)
}
