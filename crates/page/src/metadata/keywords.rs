//! Keywords, parted however a page parts them.

use super::han::is_han;
use super::plain::plain;
use crate::text::one_line;

/// The keywords of a list.
pub(super) fn split(list: &str) -> Vec<String> {
    let list = plain(list);
    let parts = list.split([',', '，', ';', '；', '、', '،', '|', '｜']).map(one_line);
    parts
        .flat_map(|part| if is_chinese(&part) { part.split(' ').map(str::to_owned).collect() } else { vec![part] })
        .collect()
}

/// Whether a keyword is of Chinese words, which no space joins.
fn is_chinese(part: &str) -> bool {
    part.split(' ').count() >= WORDS_MIN && part.split(' ').all(|word| word.contains(is_han))
}

/// Chinese words with spaces between them that are surely keywords; two may be one title.
const WORDS_MIN: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_parted_by_their_signs() {
        assert_eq!(split("fog, harbour light|sea"), ["fog", "harbour light", "sea"]);
        assert_eq!(split("ضباب، بحر"), ["ضباب", "بحر"]);
        assert_eq!(split("雾 港口 灯塔"), ["雾", "港口", "灯塔"]);
        assert_eq!(split("雾 App, 第二章 雾"), ["雾 App", "第二章 雾"]);
        assert_eq!(split("fog &amp; light"), ["fog & light"]);
    }
}
