//! Names of months in the languages of most pages, and words that stand between the parts of a date.

/// The months, each by its names in lower case: whole ones, and forms that a day asks for.
const MONTHS: [&[&str]; 12] = [
    &[
        "january",
        "januar",
        "jänner",
        "janvier",
        "enero",
        "janeiro",
        "gennaio",
        "januari",
        "января",
        "январь",
        "ocak",
        "stycznia",
        "styczeń",
    ],
    &[
        "february",
        "februar",
        "février",
        "fevrier",
        "febrero",
        "fevereiro",
        "febbraio",
        "februari",
        "февраля",
        "февраль",
        "şubat",
        "lutego",
        "luty",
    ],
    &[
        "march",
        "märz",
        "maerz",
        "mars",
        "marzo",
        "março",
        "maart",
        "марта",
        "март",
        "mart",
        "marca",
        "marzec",
        "maret",
        "mrz",
        "mrt",
    ],
    &["april", "avril", "abril", "aprile", "апреля", "апрель", "nisan", "kwietnia", "kwiecień"],
    &["may", "mai", "mayo", "maio", "maggio", "mei", "мая", "май", "mayıs", "maja", "maj"],
    &["june", "juni", "juin", "junio", "junho", "giugno", "июня", "июнь", "haziran", "czerwca", "czerwiec"],
    &["july", "juli", "juillet", "julio", "julho", "luglio", "июля", "июль", "temmuz", "lipca", "lipiec"],
    &[
        "august",
        "août",
        "aout",
        "agosto",
        "augustus",
        "августа",
        "август",
        "ağustos",
        "sierpnia",
        "sierpień",
        "agustus",
    ],
    &[
        "september",
        "septembre",
        "septiembre",
        "setembro",
        "settembre",
        "сентября",
        "сентябрь",
        "eylül",
        "września",
        "wrzesień",
    ],
    &[
        "october",
        "oktober",
        "octobre",
        "octubre",
        "outubro",
        "ottobre",
        "октября",
        "октябрь",
        "ekim",
        "października",
        "październik",
    ],
    &[
        "november",
        "novembre",
        "noviembre",
        "novembro",
        "ноября",
        "ноябрь",
        "kasım",
        "listopada",
        "listopad",
        "nopember",
    ],
    &[
        "december",
        "dezember",
        "décembre",
        "decembre",
        "diciembre",
        "dezembro",
        "dicembre",
        "декабря",
        "декабрь",
        "aralık",
        "grudnia",
        "grudzień",
        "desember",
    ],
];

/// Letters of the shortest beginning that stands for a month.
const LETTERS_MIN: usize = 3;

/// The number of a month, from 1, by its English name or at least three of its first letters.
pub fn month_number(word: &str) -> Option<i32> {
    number(MONTHS.iter().position(|names| begins(names[0], &word.to_lowercase())))
}

/// The number of a month, from 1, by its name in any of the languages, or at least three of its first letters.
pub(super) fn named(word: &str) -> Option<i32> {
    let word = word.to_lowercase();
    let whole = MONTHS.iter().position(|names| names.contains(&word.as_str()));
    number(whole.or_else(|| MONTHS.iter().position(|names| names.iter().any(|name| begins(name, &word)))))
}

/// Whether a word may stand in a date beside day, month and year: `5 de marzo de 2024`.
pub(super) fn is_filler(word: &str) -> bool {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let word = word.to_lowercase();
    ["de", "del", "of"].contains(&word.as_str()) || days.iter().any(|day| begins(day, &word))
}

fn number(index: Option<usize>) -> Option<i32> {
    i32::try_from(index?).ok().map(|index| index + 1)
}

/// Whether the word is this name or its beginning.
fn begins(name: &str, word: &str) -> bool {
    word.chars().count() >= LETTERS_MIN && name.starts_with(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_known_by_their_names_and_beginnings() {
        for (word, expected) in
            [("Jan", 1), ("März", 3), ("févr", 2), ("OKTOBER", 10), ("июня", 6), ("ağustos", 8), ("dic", 12)]
        {
            assert_eq!(named(word), Some(expected), "{word}");
        }
        assert_eq!((named("ma"), named("fog"), month_number("märz"), month_number("Mar")), (None, None, None, Some(3)));
    }
}
