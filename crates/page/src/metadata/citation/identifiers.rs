//! Numbers by which works are known: DOI, ISSN, the number of arXiv.

/// Longer than any DOI.
const DOI_LENGTH_MAX: usize = 300;

pub(super) fn doi(text: &str) -> Option<String> {
    let start = text.find("10.")?;
    let before = &text[..start];
    let is_said = before.is_empty() || before.ends_with('/') || before.ends_with(':') || before.ends_with(' ');
    let doi = text[start..].split_whitespace().next()?.trim_end_matches(['.', ',', ';']);
    let (prefix, rest) = doi.split_once('/')?;
    let has_prefix = prefix.len() > 4 && prefix[3..].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_said && has_prefix && !rest.is_empty() && doi.len() <= DOI_LENGTH_MAX).then(|| doi.to_owned())
}

/// The ISSN with its hyphen, which some leave out.
pub(super) fn issn(text: &str) -> Option<String> {
    let signs: Vec<char> = text.trim().chars().filter(|sign| *sign != '-').take(9).collect();
    let is_number = signs.iter().take(7).all(char::is_ascii_digit) && signs.len() == 8;
    let is_whole = is_number && matches!(signs[7], '0'..='9' | 'X' | 'x') && text.trim().len() <= 9;
    let part = |from: usize, to: usize| signs[from..to].iter().collect::<String>().to_ascii_uppercase();
    is_whole.then(|| format!("{}-{}", part(0, 4), part(4, 8)))
}

/// The number of a preprint: `2401.00001`, `math/0601001`, without `arXiv:`.
pub(super) fn arxiv(text: &str) -> Option<String> {
    let text = text.trim();
    let number = text.get(..6).filter(|start| start.eq_ignore_ascii_case("arxiv:")).map_or(text, |_| text[6..].trim());
    let fits = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'-'));
    let has_digits = number.bytes().filter(u8::is_ascii_digit).count() >= 7;
    (fits && has_digits && number.len() <= 40).then(|| number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issn_is_written_with_its_hyphen() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(issn(text).as_deref(), expected, "{text}");
        check("1234-567X", Some("1234-567X"));
        check(" 1234567x", Some("1234-567X"));
        check("1234567", None);
        check("12345é7X", None);
        check("12-34-56-78", None);
        check("X2345678", None);
    }

    #[test]
    fn the_number_of_a_preprint_stands_without_its_scheme() {
        assert_eq!(arxiv("arXiv:2401.00001v2").as_deref(), Some("2401.00001v2"));
        assert_eq!(arxiv("math/0601001").as_deref(), Some("math/0601001"));
        assert_eq!((arxiv("é"), arxiv("none")), (None, None));
    }
}
