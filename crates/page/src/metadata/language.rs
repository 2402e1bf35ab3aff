//! The language of a page, as a tag in the form that BCP 47 recommends.

use super::han::is_han;

/// A language tag in its usual form (`zh-Hans-CN`); `None` where the words are something else.
pub(super) fn tag(text: &str) -> Option<String> {
    let tag = text.split([',', ';']).next()?.trim().replace('_', "-");
    let mut parts = tag.split('-');
    let primary = parts.next().filter(|primary| is_language(primary))?.to_ascii_lowercase();
    let mut found = primary;
    for part in parts {
        if !(1..=8).contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        found.push('-');
        found.push_str(&in_usual_case(part));
    }
    Some(found)
}

/// Two or three letters that are no encoding (`utf-8`).
fn is_language(primary: &str) -> bool {
    let is_word = (2..=3).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word && !["utf", "iso", "gbk"].contains(&primary.to_ascii_lowercase().as_str())
}

/// Scripts begin with a capital, regions are all capitals, all else is small.
fn in_usual_case(part: &str) -> String {
    let is_letters = part.bytes().all(|byte| byte.is_ascii_alphabetic());
    match part.len() {
        2 if is_letters => part.to_ascii_uppercase(),
        4 if is_letters => part[..1].to_ascii_uppercase() + &part[1..].to_ascii_lowercase(),
        _ => part.to_ascii_lowercase(),
    }
}

/// The language of a title that is told by its script: Chinese, where nothing in it is Japanese.
pub(super) fn of_title(title: &str) -> Option<String> {
    let is_other =
        |letter: char| ('\u{3040}'..='\u{30ff}').contains(&letter) || ('\u{ac00}'..='\u{d7a3}').contains(&letter);
    let letters = title.chars().filter(|letter| letter.is_alphabetic()).count();
    let han = title.chars().filter(|&letter| is_han(letter)).count();
    (han >= HAN_MIN && han * 2 > letters && !title.contains(is_other)).then(|| "zh".to_owned())
}

/// Whether a language of this tag is written in Chinese characters.
pub(super) fn has_chinese_letters(tag: &str) -> bool {
    let primary = tag.split('-').next().unwrap_or_default();
    ["zh", "ja", "ko", "cn", "yue", "wuu", "nan", "hak", "gan", "lzh", "cmn", "zho", "chi", "jpn"].contains(&primary)
}

/// Chinese characters that tell the language of a title; fewer may be Japanese.
const HAN_MIN: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_written_in_their_usual_case() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(tag(text).as_deref(), expected, "{text}");
        check("ur-pK", Some("ur-PK"));
        check("EN", Some("en"));
        check("zh_hans_cn", Some("zh-Hans-CN"));
        check("es-419", Some("es-419"));
        check("utf-8", None);
        check("de-é", None);
        check("Deutsch", None);
    }

    #[test]
    fn a_chinese_title_tells_its_language() {
        assert_eq!(of_title("港口今天又起了大雾").as_deref(), Some("zh"));
        assert_eq!(of_title("港口の霧が晴れました今日"), None);
        assert_eq!((of_title("Fog 雾"), of_title("")), (None, None));
    }
}
