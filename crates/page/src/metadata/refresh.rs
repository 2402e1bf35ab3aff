//! Where `<meta http-equiv=refresh>` leads, read as browsers do.

use url::Url;

use super::Refresh;
use crate::links::web_url;

/// `5; url=/next`, in all the ways that browsers read it.
pub(super) fn read(content: &str, base: Option<&Url>) -> Option<Refresh> {
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let after = content[digits..].trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    let is_time = digits > 0 || content.starts_with('.');
    let is_whole = after.is_empty() || after.starts_with([';', ',', ' ', '\t', '\n']);
    if !is_time || !is_whole {
        return None;
    }
    // A time too long to hold is as good as never.
    let seconds = if digits == 0 { 0 } else { content[..digits].parse().unwrap_or(u32::MAX) };
    let address = after.trim_start_matches([';', ',', ' ', '\t', '\n']);
    Some(Refresh { seconds, url: web_url(base, refresh_address(address)) })
}

fn refresh_address(text: &str) -> &str {
    let named = text.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).map(|_| text[3..].trim_start());
    let address = named.and_then(|rest| rest.strip_prefix('=')).map_or(text, str::trim_start);
    match address.chars().next() {
        Some(quote @ ('"' | '\'')) => address[1..].split(quote).next().unwrap_or_default(),
        _ => address,
    }
}
