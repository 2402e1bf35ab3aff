//! Which keys a question is about: `matchType=exact|prefix|host|domain`, or the stars of `*.example.org` and `example.org/a*`.

use kuai_warc::surt;

use crate::holdings::KeyRange;
use crate::refusal::Refusal;

/// The keys of an address with or without stars.
pub(super) fn range(url: &str, match_type: Option<&str>) -> Result<KeyRange, Refusal> {
    let (url, match_type) = match match_type {
        Some(match_type) => (url, match_type),
        None => match (url.strip_prefix("*."), url.strip_suffix('*')) {
            (Some(domain), _) => (domain, "domain"),
            (None, Some(prefix)) => (prefix, "prefix"),
            (None, None) => (url, "exact"),
        },
    };
    let key = surt(url);
    let host = key.split(")/").next().unwrap_or_default();
    match match_type {
        "exact" => Ok(KeyRange::exact(&key)),
        "prefix" => Ok(KeyRange::prefix(&with_end_of(url, key))),
        "host" => Ok(KeyRange::between(format!("{host})/"), format!("{host}*"))),
        // A comma stands before each further part of the name, and a hyphen behind the comma in ASCII.
        "domain" if host.contains(',') => Ok(KeyRange::between(format!("{host})/"), format!("{host}-"))),
        "domain" => Ok(KeyRange::between(
            format!("{},", host.trim_end_matches(')')),
            format!("{}-", host.trim_end_matches(')')),
        )),
        other => {
            Err(Refusal::bad_request(format!("there is no matchType={other}: it is exact, prefix, host or domain")))
        }
    }
}

/// A key drops a slash or question mark at its end, which matters to a prefix.
fn with_end_of(url: &str, key: String) -> String {
    match url.chars().next_back() {
        Some(end @ ('/' | '?')) if !key.ends_with(end) => format!("{key}{end}"),
        _ => key,
    }
}
