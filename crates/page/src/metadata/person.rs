//! Names of authors: what of a text is one, and what only stands where one should.
//!
//! Two ways to read: [`said`] takes what metas and data say for a name unless it is surely none; [`shown`] takes of the
//! page's own text only what looks like the name of a person.

mod chinese;
mod words;

use super::han::is_han;
use super::plain::without_tags;
pub(super) use words::PARTICLES;
use words::{NO_NAME_WORDS, PLACEHOLDERS, SIGNS};

/// Longer than a name or a list of them; what is longer tells of an author.
const NAMES_CHARACTERS_MAX: usize = 400;

/// The longest name that a page shows.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// Words of the longest name that a page shows.
const SHOWN_WORDS_MAX: usize = 6;

/// The names in what a meta or data says of its author; none where that is a placeholder.
pub(super) fn said(text: &str) -> Vec<String> {
    let text = without_tags(text);
    if text.to_lowercase().starts_with("discuz!") || text.chars().count() > NAMES_CHARACTERS_MAX {
        return Vec::new();
    }
    // What stands behind a bar is a claim or the site.
    let text = text.split('|').next().unwrap_or_default();
    let listed = text.split([';', '；', '、']).map(str::trim);
    listed.flat_map(people).map(|name| clean(without_signs(&name))).filter(|name| is_said(name)).collect()
}

/// A name without the quotation marks around it; a Chinese one without the spaces that pad it (`赵  培`).
fn clean(name: &str) -> String {
    let unquoted = name.strip_prefix(['"', '“', '「']).and_then(|name| name.strip_suffix(['"', '”', '」']));
    let name = unquoted.unwrap_or(name).trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_padded = words.len() > 1 && words.iter().all(|word| word.chars().count() == 1 && word.starts_with(is_han));
    if is_padded && words.len() <= PADDED_CHARACTERS_MAX { words.concat() } else { name.to_owned() }
}

/// Characters of a Chinese name that may be padded.
const PADDED_CHARACTERS_MAX: usize = 4;

/// The names in a list of authors that metas of publishers hold, as they are written there.
pub(super) fn listed(list: &str) -> Vec<String> {
    list.split([';', '；', '|']).map(str::trim).filter(|name| !name.is_empty()).flat_map(people).collect()
}

/// The names in a list parted by commas or `and`, where each is surely one.
fn people(list: &str) -> Vec<String> {
    let words = |part: &str| part.split(' ').filter(|word| !word.contains('@')).collect::<Vec<_>>().join(" ");
    let list =
        list.split(',').map(|part| words(part.trim())).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    // Behind a comma an ampersand stands between words of a title.
    let ampersand = if list.contains(',') { " and " } else { " & " };
    let parts: Vec<&str> =
        list.split(", ").flat_map(|part| part.split(" and ")).flat_map(|part| part.split(ampersand)).collect();
    let (titles, names): (Vec<&str>, Vec<&str>) = parts.iter().partition(|part| is_title(part));
    if names.len() > 1 && titles.is_empty() && names.iter().all(|name| is_full_name(name)) {
        return names.into_iter().map(str::to_owned).collect();
    }
    vec![list]
}

/// Whether this is a title, degree or rank behind a name: `MS`, `Ph.D.`, `CEPF®`, `Jr.`
pub(super) fn is_title(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|character| character.is_alphabetic()).collect();
    let capitals = letters.iter().filter(|letter| letter.is_uppercase()).count();
    let is_word = !text.contains(' ') && letters.len() <= 8;
    is_word && (is_rank(text) || (letters.len() >= 2 && capitals * 2 >= letters.len()))
}

/// Whether this is a part of a family name that stands behind it: `Jr.`, `III`.
pub(super) fn is_rank(text: &str) -> bool {
    ["jr", "sr", "jnr", "snr", "ii", "iii", "iv"].contains(&text.trim_end_matches('.').to_lowercase().as_str())
}

/// Whether this is a given and a family name: two to four words with capitals.
fn is_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    (2..=4).contains(&words.len()) && has_capitals(&words) && !text.contains(|sign: char| sign.is_numeric())
}

fn has_capitals(words: &[&str]) -> bool {
    let is_capital = |word: &&str| word.starts_with(|first: char| first.is_uppercase() || !first.is_alphabetic());
    words.iter().all(|word| is_capital(word) || PARTICLES.contains(word))
}

/// Whether what is said to be a name may be one.
fn is_said(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_template = ["{{", "}}", "{%", "${", "%%", "<%", "[[", "://", "@"].iter().any(|sign| name.contains(sign));
    let is_address = name.split_once('/').is_some_and(|(host, _)| host.contains('.'));
    let is_path = !name.contains(' ') && (name.matches('.').count() > 2 || is_address);
    let count = |is: fn(char) -> bool| name.chars().filter(|&sign| is(sign)).count();
    let is_identifier = !name.contains(' ') && count(char::is_numeric) * 2 >= count(char::is_alphanumeric);
    name.chars().any(char::is_alphabetic)
        && !is_template
        && !is_path
        && !is_identifier
        && !PLACEHOLDERS.contains(&lower.as_str())
        && !is_sign(name)
        && !ends_in_sign(name)
        && !name.starts_with("//")
}

/// The name that a link to an author shows, which may be that of an account.
pub(super) fn linked(text: &str) -> Option<String> {
    let is_account = |text: &&str| {
        text.chars().count() > 2 && !text.contains(char::is_whitespace) && text.chars().all(char::is_alphanumeric)
    };
    let account = || Some(without_signs(text)).filter(is_account).filter(|text| is_said(text));
    let is_word = |text: &&str| NO_NAME_WORDS.contains(&text.to_lowercase().as_str());
    shown(text).or_else(|| account().filter(|text| !is_word(text)).map(str::to_owned))
}

/// The name that a text near the title, or a link to an author, shows; `None` where it is no name.
pub(super) fn shown(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_suffix("のすべての投稿を表示").unwrap_or(text);
    let text = without_signs(text);
    let end = text
        .find(['|', '｜', '·', '•', '—', '–', '/', '，', '；', ';', '\n', '　', '(', '（', '【', '[', ',', '<', '、']);
    let text = text[..end.unwrap_or(text.len())].trim_end_matches(['.', '-', ' ', '\u{a0}']);
    let text =
        [" on ", " am ", " - ", "  ", " for "].iter().fold(text, |text, sign| text.split(sign).next().unwrap_or(text));
    let text = text.trim();
    // A Chinese name ends at the next word of the line.
    let text = if text.starts_with(is_han) { text.split([' ', '\u{a0}']).next().unwrap_or_default() } else { text };
    (is_shown(text) && is_said(text)).then(|| text.to_owned())
}

fn is_shown(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_ui_word = |word: &&str| NO_NAME_WORDS.contains(&word.trim_end_matches(['.', ',']).to_lowercase().as_str());
    let length = text.chars().count();
    let begins =
        text.starts_with(|first: char| first.is_uppercase() || (first.is_alphabetic() && !first.is_lowercase()));
    begins
        && (2..=SHOWN_CHARACTERS_MAX).contains(&length)
        && words.len() <= SHOWN_WORDS_MAX
        && !text.chars().any(char::is_numeric)
        && !text.contains([':', '：', '。', '？', '！', '?', '!', '…', '“', '"', '=', '»', '›', '→', '+', '*'])
        && !words.iter().any(is_ui_word)
        && !is_prose(&words)
}

/// Whether more than a few words are in small letters.
fn is_prose(words: &[&str]) -> bool {
    let is_small = |word: &&&str| word.starts_with(char::is_lowercase) && !PARTICLES.contains(*word);
    words.iter().filter(is_small).count() > usize::from(words.len() > 3)
}

/// The names that a text shows: one, or several that are surely names each.
pub(super) fn shown_names(text: &str) -> Vec<String> {
    let several = chinese::several(without_signs(text));
    if several.is_empty() { shown(text).map(|names| parted(&names)).unwrap_or_default() } else { several }
}

/// The names that a word joins; what is no list is one name.
fn parted(names: &str) -> Vec<String> {
    let parts =
        JOINTS.iter().fold(vec![names], |parts, joint| parts.into_iter().flat_map(|part| part.split(joint)).collect());
    let is_list = parts.len() > 1 && parts.iter().all(|part| is_full_name(part));
    let parts = if is_list { parts } else { vec![names] };
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

/// Words between two names.
const JOINTS: [&str; 5] = [" and ", " & ", " und ", " et ", " y "];

/// The names in a line that says whose it is: `By Ines Holm`, `March 5, 2024 by Ines Holm`, `来源：报　作者：王小明 李大海`.
pub(super) fn in_line(line: &str) -> Vec<String> {
    let at_start = || after_sign(line).filter(|text| shows_sure_names(text));
    let behind_sign = at_start().or_else(|| in_latin_line(line)).or_else(|| in_chinese_line(line));
    behind_sign.map_or_else(|| chinese::reporters(line), shown_names)
}

fn shows_sure_names(text: &str) -> bool {
    let names = shown_names(text);
    !names.is_empty() && names.iter().all(|name| is_sure(name))
}

/// The reporters whom a text names where it begins: `本报讯（记者王小明）…`.
pub(super) fn at_start(text: &str) -> Vec<String> {
    chinese::reporters_in_brackets(text)
}

/// What stands behind a `by` that stands behind a date, a time or a sign, and not behind a word (`Shop by`).
fn in_latin_line(line: &str) -> Option<&str> {
    let (before, after) = ["by ", "By ", "BY "].iter().find_map(|sign| line.split_once(sign))?;
    let before = before.trim_end();
    let is_apart = before.ends_with(|sign: char| {
        sign.is_numeric() || matches!(sign, '|' | '·' | '•' | '–' | '—' | '-' | ',' | ':' | '/')
    });
    Some(after).filter(|text| is_apart && shows_sure_names(text))
}

fn in_chinese_line(line: &str) -> Option<&str> {
    let signs =
        ["作者：", "作者:", "作者｜", "作者|", "记者：", "记者:", "记者｜", "文：", "文/", "文｜", "撰文：", "撰文｜"];
    signs.iter().find_map(|sign| {
        let (before, after) = line.split_once(sign)?;
        let is_apart =
            before.is_empty() || before.ends_with(|sign: char| !sign.is_alphabetic()) || sign.chars().count() > 2;
        let is_name = |text: &&str| shown(text).is_some_and(|name| name.chars().count() <= CHINESE_NAME_MAX);
        Some(after).filter(is_name).filter(|_| is_apart)
    })
}

/// The longest name behind a Chinese sign.
const CHINESE_NAME_MAX: usize = 12;

/// Whether a text is a name of at least two words, or a Chinese one: sure enough where only a word before it says so.
pub(super) fn is_sure(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_chinese = name.chars().all(|character| is_han(character) || character == '·');
    (is_chinese && name.chars().count() <= 8) || (words.len() >= 2 && has_capitals(&words))
}

/// Whether a whole text says that a name follows: `By`, `Written by:`, `作者：`.
pub(super) fn is_sign(text: &str) -> bool {
    let text = text.trim_matches(is_edge).to_lowercase();
    SIGNS.contains(&text.as_str())
}

/// Whether a text says that a name follows, of which nothing came: `Eingestellt von`.
fn ends_in_sign(text: &str) -> bool {
    ["by", "von", "par", "por"].contains(&text.rsplit(' ').next().unwrap_or_default())
}

/// What of a text stands behind a sign at its start; the text where there is no sign.
pub(super) fn without_signs(text: &str) -> &str {
    let mut text = text.trim_matches(|sign: char| sign.is_whitespace() || sign == '\u{200b}');
    for _ in 0..SIGNS_MAX {
        match after_sign(text) {
            Some(rest) => text = rest,
            None => break,
        }
    }
    text
}

/// Signs in a row that are taken off.
const SIGNS_MAX: usize = 3;

/// What stands behind a sign that the text begins with.
pub(super) fn after_sign(text: &str) -> Option<&str> {
    SIGNS.iter().find_map(|sign| {
        let rest = strip_start(text, sign)?;
        let is_parted = rest.starts_with(is_edge) && !rest.trim_matches(is_edge).is_empty();
        // A word of two letters is a name of its own in some languages where no capital follows.
        is_parted.then(|| rest.trim_start_matches(is_edge))
    })
}

/// A text without a start that is written in lower case.
fn strip_start<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    let is_start = start.chars().all(|wanted| rest.next().is_some_and(|found| found.to_lowercase().eq([wanted])));
    is_start.then_some(rest.as_str())
}

/// Signs between a word for authors and a name.
fn is_edge(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ':' | '：' | '|' | '｜' | '/' | '／' | '-' | '–' | '—' | '•' | '·' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_for_a_name_is_cleaned() {
        let check = |text: &str, expected: &[&str]| assert_eq!(said(text), expected, "{text}");
        check("Written By: Ines Holm", &["Ines Holm"]);
        check("By\u{a0} Ines Holm, Jan Berg", &["Ines Holm", "Jan Berg"]);
        check("Ines Holm and Jan Berg", &["Ines Holm", "Jan Berg"]);
        check("Ines Holm, MS, RD", &["Ines Holm, MS, RD"]);
        check("Ines Holm, ines@example.org", &["Ines Holm"]);
        check("<a href=/i>Ines Holm</a>", &["Ines Holm"]);
        check("Von Ines Holm", &["Ines Holm"]);
        check("作者：王小明", &["王小明"]);
        check("Ines Holm, Master Gardener & Fog Expert", &["Ines Holm, Master Gardener & Fog Expert"]);
        check("Ines Holm | All about fog", &["Ines Holm"]);
        check("Harbour and Fog Office", &["Harbour and Fog Office"]);
        check("Holm, Ines", &["Holm, Ines"]);
        check("Byron Holm", &["Byron Holm"]);
        check("赵  培", &["赵培"]);
        check("王小明 李大海", &["王小明 李大海"]);
        check("\"Ines Holm\"", &["Ines Holm"]);
    }

    #[test]
    fn what_stands_for_no_author_is_no_name() {
        for text in [
            "admin",
            "Admin",
            "-",
            "105464",
            "page.head.extra.author",
            "{{author}}",
            "name, i@x.org",
            "https://x.org/i",
            "harbour.example/ines",
        ] {
            assert_eq!(said(text), Vec::<String>::new(), "{text}");
        }
        for text in ["von", "Eingestellt von", "Written by", "作者"] {
            assert_eq!(said(text), Vec::<String>::new(), "{text}");
        }
        for text in ["5f3a-99", "L_104485", "Discuz! Team and Comsenz UI Team", "undefined", "No Author", ""] {
            assert_eq!(said(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_shown_name_looks_like_one() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(shown(text).as_deref(), expected, "{text}");
        check("Ines Holm on 5 March 2024", Some("Ines Holm"));
        check("View all posts by Ines Holm", Some("Ines Holm"));
        check("Zeige alle Beiträge von Ines Holm", Some("Ines Holm"));
        check("王小明 编辑：李", Some("王小明"));
        check("选稿：许文杰", None);
        check("Category", None);
        check("Written By", None);
        check("the end of the year", None);
        check("Ask your doctor about all of this", None);
        assert_eq!(linked("ines").as_deref(), Some("ines"));
        assert_eq!(linked("weiter"), None);
    }
}
