//! `<meta http-equiv=refresh content="5; url=next.html">`, and the header of that name.

use super::super::modifier::Modifier;
use super::links::Links;

/// The value with its address in the archive; `None` where it has none.
pub(super) fn refresh(value: &str, links: &Links<'_>) -> Option<String> {
    let (time, rest) = value.split_once([';', ','])?;
    let rest = rest.trim();
    let is_named = rest.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"));
    let named = if is_named { rest[3..].trim_start().strip_prefix('=').map(str::trim_start) } else { None };
    let address = named.unwrap_or(rest);
    let address = match address.chars().next()? {
        quote @ ('"' | '\'') => address[1..].split(quote).next().unwrap_or_default(),
        _ => address,
    };
    Some(format!("{};url={}", time.trim(), links.to(address, Modifier::Main)?))
}
