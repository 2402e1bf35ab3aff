//! Where a style sheet's imports lie: addresses joined as text, absolute or relative alike.

use url::Url;

/// The address that `reference` means inside the sheet at `base`.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    if let Ok(url) = Url::parse(reference) {
        return url.into();
    }
    if let Ok(url) = Url::parse(base).and_then(|base| base.join(reference)) {
        return url.into();
    }
    if reference.starts_with('/') {
        return reference.to_owned();
    }
    let folder = base.split(['?', '#']).next().unwrap_or("").rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() || folder.starts_with('/')).collect();
    for part in reference.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_lie_beside_the_sheet_that_names_them() {
        let check = |base: &str, reference: &str, expected: &str| assert_eq!(resolve(base, reference), expected);
        check("css/main.css", "reset.css", "css/reset.css");
        check("css/a/main.css", "../reset.css", "css/reset.css");
        check("../css/main.css", "../../reset.css", "../../reset.css");
        check("main.css", "./x/reset.css", "x/reset.css");
        check("https://example.org/css/main.css", "../reset.css", "https://example.org/reset.css");
        check("css/main.css", "https://example.org/a.css", "https://example.org/a.css");
        check("/css/main.css", "reset.css", "/css/reset.css");
    }
}
