//! The address in `<meta http-equiv=refresh content="5; url=…">`, found as the HTML standard says.

/// The address; a refresh without one reloads the page itself.
pub(super) fn address(content: &str) -> Option<&str> {
    let rest = content.trim_start();
    let time_end = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
    let (time, rest) = rest.split_at(time_end);
    let rest = rest.trim_start();
    if time.is_empty() || rest.is_empty() {
        return None;
    }
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start();
    let address = unquoted(after_url_sign(rest).unwrap_or(rest));
    (!address.is_empty()).then_some(address)
}

/// What follows `url =`.
fn after_url_sign(text: &str) -> Option<&str> {
    let (name, rest) = text.split_at_checked(3)?;
    let rest = name.eq_ignore_ascii_case("url").then_some(rest)?;
    rest.trim_start().strip_prefix('=').map(str::trim_start)
}

fn unquoted(text: &str) -> &str {
    let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) else { return text };
    let inside = &text[1..];
    inside.split(quote).next().unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_found_in_every_form_that_browsers_read() {
        let check = |content: &str, expected: Option<&str>| assert_eq!(address(content), expected, "{content:?}");
        check("0;url=a", Some("a"));
        check(" 1.5 ; URL = 'a b' c", Some("a b"));
        check("5,a", Some("a"));
        check("5 a", Some("a"));
        check("0;url=\"a", Some("a"));
        check("0; urls", Some("urls"));
        check("5", None);
        check("5;", None);
        check("", None);
        check("soon; url=a", None);
        check("0;网址", Some("网址"));
    }
}
