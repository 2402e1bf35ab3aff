//! What the dates in a short line are: when the page was published, when it was changed, or something else.

use super::date;

/// What a date says of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// When it was published.
    Published,
    /// When it was last changed.
    Modified,
    /// Something else: when a sale ends, when somebody was born.
    Other,
}

/// Dates of one line that are looked at.
const DATES_MAX: usize = 4;

/// Words before a date that stands in a line and not in prose.
const WORDS_BEFORE_MAX: usize = 7;

/// Characters behind a date that stands in a line and not in prose.
const CHARACTERS_BEHIND_MAX: usize = 80;

/// Bytes before a date that are looked at for such words.
const WORDS_BYTES_MAX: usize = 200;

/// Words that say that a page was changed, in lower case.
const MODIFIED: &[&str] = &[
    "updated",
    "update",
    "modified",
    "edited",
    "revised",
    "amended",
    "changed",
    "aktualisiert",
    "aktualisierung",
    "geändert",
    "stand",
    "bearbeitet",
    "modifié",
    "modifiée",
    "actualisé",
    "jour",
    "actualizado",
    "actualizada",
    "actualización",
    "atualizado",
    "atualizada",
    "aggiornato",
    "aggiornamento",
    "modifica",
    "bijgewerkt",
    "gewijzigd",
    "обновлено",
    "изменено",
    "güncelleme",
    "güncellenme",
    "aktualizacja",
    "zaktualizowano",
    "diperbarui",
    "更新",
    "修改",
    "最終更新",
    "修订",
];

/// Words that say that a page was published.
const PUBLISHED: &[&str] = &[
    "published",
    "posted",
    "publication",
    "created",
    "issued",
    "released",
    "written",
    "added",
    "veröffentlicht",
    "erschienen",
    "erstellt",
    "publié",
    "publiée",
    "publicado",
    "publicada",
    "pubblicato",
    "gepubliceerd",
    "geplaatst",
    "опубликовано",
    "yayınlanma",
    "opublikowano",
    "dodano",
    "diterbitkan",
    "发布",
    "发表",
    "刊发",
    "公開",
    "投稿",
    "掲載",
];

/// Words that say that a date is none of a page's own.
const OTHER: &[&str] = &[
    "ends",
    "end",
    "ending",
    "until",
    "till",
    "expires",
    "expiry",
    "deadline",
    "founded",
    "established",
    "est",
    "born",
    "died",
    "death",
    "since",
    "starts",
    "begins",
    "opening",
    "opens",
    "opened",
    "due",
    "valid",
    "effective",
    "joined",
    "member",
    "event",
    "sale",
    "offer",
    "reviewed",
    "checked",
    "accessed",
    "retrieved",
    "abgerufen",
    "copyright",
    "©",
    "bis",
    "ab",
    "seit",
    "geboren",
    "gegründet",
    "gültig",
    "version",
    "between",
    "birth",
    "closes",
    "closing",
    "through",
    "before",
    "after",
    "today",
    "heute",
    "registered",
    "available",
    "arrives",
    "delivery",
    "when",
    "launch",
    "launches",
    "begin",
    "start",
    "release",
    "next",
    "截止",
    "成立",
    "生于",
    "出生",
    "有效",
    "今天",
    "注册",
    "开幕",
];

/// The dates of a line and what each says; `said` is what the line before says of a date to come.
pub(super) fn read(line: &str, said: Option<Role>) -> Vec<(Role, String)> {
    let mut found = Vec::new();
    let mut rest = line;
    let mut said = said;
    while found.len() < DATES_MAX
        && let Some(dated) = date::find(rest)
    {
        let role = role(dated.before).or(said.take()).unwrap_or(Role::Published);
        let is_in_line = dated.before.split_whitespace().count() <= WORDS_BEFORE_MAX;
        let ends_line = dated.after.chars().count() <= CHARACTERS_BEHIND_MAX;
        let role = if is_in_line && ends_line && !is_range(dated.after) && !is_limit(dated.after) {
            role
        } else {
            Role::Other
        };
        found.push((role, dated.date));
        rest = dated.after;
    }
    if found.is_empty() { labelled(line).into_iter().collect() } else { found }
}

/// The date of a line that is nothing else behind its Chinese label, where the century is left out: `发布时间：18-03-08 23:16`.
fn labelled(line: &str) -> Option<(Role, String)> {
    let (label, behind) = line.split_once(['：', ':'])?;
    let is_label = ["时间", "日期", "发布", "发表", "更新"].iter().any(|word| label.ends_with(word));
    let date = date::of_short_year(behind.trim()).filter(|_| is_label)?;
    Some((role(label).unwrap_or(Role::Published), date))
}

/// What the words of a short text say of the date behind them.
pub(super) fn role(words: &str) -> Option<Role> {
    let start = words.ceil_char_boundary(words.len().saturating_sub(WORDS_BYTES_MAX));
    let words = words[start..].to_lowercase();
    let parts: Vec<&str> = words.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    // Chinese words stand in a text without spaces; those of other letters are not looked for in a text that has none.
    let is_plain = words.is_ascii();
    let is_said = |word: &&str| match word.is_ascii() {
        true => parts.contains(word),
        false => !is_plain && words.contains(word),
    };
    let has = |wanted: &[&str]| wanted.iter().any(is_said);
    if has(PUBLISHED) {
        Some(Role::Published)
    } else if has(MODIFIED) {
        Some(Role::Modified)
    } else if has(OTHER) {
        Some(Role::Other)
    } else {
        None
    }
}

/// Whether a date is one before or behind which something is: `2007年11月18日以前`.
fn is_limit(after: &str) -> bool {
    ["以前", "之前", "以后", "之后"].iter().any(|word| after.trim_start().starts_with(word))
}

/// Whether a date is the first of two between which something is.
fn is_range(after: &str) -> bool {
    let after = after.trim_start();
    let behind = ["-", "–", "—", "to ", "bis ", "au ", "至", "到"].iter().find_map(|sign| after.strip_prefix(sign));
    behind.and_then(date::find).is_some_and(|dated| dated.before.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[(Role, &str)]) {
        let found = read(line, None);
        let found: Vec<_> = found.iter().map(|(role, date)| (*role, date.as_str())).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn words_before_a_date_say_what_it_is() {
        check("Published January 2, 2023", &[(Role::Published, "2023-01-02")]);
        check("Last updated on March 5, 2024", &[(Role::Modified, "2024-03-05")]);
        check("5 March 2024", &[(Role::Published, "2024-03-05")]);
        check(
            "Posted 5 March 2024 | Updated 6 March 2024",
            &[(Role::Published, "2024-03-05"), (Role::Modified, "2024-03-06")],
        );
        check("更新时间：2024-03-05 10:20", &[(Role::Modified, "2024-03-05T10:20:00")]);
        check("Stand: 5. März 2024", &[(Role::Modified, "2024-03-05")]);
    }

    #[test]
    fn a_date_of_something_else_is_told() {
        for line in
            ["Sale ends 03/31/2026", "Founded: March 31, 2026", "Born March 31, 2026", "31 March 2026 – 2 April 2026"]
        {
            assert_eq!(read(line, None).first().map(|(role, _)| *role), Some(Role::Other), "{line}");
        }
        check("The harbour of the town was closed again on March 5, 2024", &[(Role::Other, "2024-03-05")]);
    }

    #[test]
    fn a_date_before_which_something_was_is_none_of_the_page() {
        check("查看旧版(2007年11月18号以前)", &[(Role::Other, "2007-11-18")]);
        check("2024年3月5日之后", &[(Role::Other, "2024-03-05")]);
    }

    #[test]
    fn behind_a_chinese_label_a_year_may_be_short() {
        check("发布时间：18-03-08 23:16", &[(Role::Published, "2018-03-08T23:16:00")]);
        check("更新时间：18-03-08", &[(Role::Modified, "2018-03-08")]);
        check("发布时间：03-08 23:16", &[]);
        check("比分：18-03-08", &[]);
        check("18-03-08", &[]);
    }

    #[test]
    fn the_line_before_may_say_what_a_date_is() {
        assert_eq!(read("March 5, 2024", Some(Role::Modified)), [(Role::Modified, "2024-03-05".to_owned())]);
        assert_eq!(read("Posted March 5, 2024", Some(Role::Modified)), [(Role::Published, "2024-03-05".to_owned())]);
    }
}
