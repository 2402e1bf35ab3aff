//! The host of a URL, by which listings are grouped and reels of one site find each other.

/// What stands between `//` and the next `/`, `?` or `#`; empty where there is no `//`.
pub(crate) fn host_of(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("//") else { return "" };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_ends_at_the_path_the_query_or_the_fragment() {
        assert_eq!(host_of("https://example.org/a/b"), "example.org");
        assert_eq!(host_of("https://example.org:8080?q=//x"), "example.org:8080");
        assert_eq!(host_of("https://example.org"), "example.org");
        assert_eq!(host_of("urn:isbn:1"), "");
    }
}
