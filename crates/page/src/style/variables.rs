//! Custom properties: what `var(--name)` stands for at an element.
//!
//! Substitution is bounded in depth and length, so that values that double themselves stay small.

use std::collections::HashMap;

/// The custom properties that an element sees.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    values: HashMap<String, String>,
}

impl Variables {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Defines or redefines one.
    pub(super) fn define(&mut self, name: &str, value: &str) {
        if value.len() <= TEXT_LENGTH_MAX {
            self.values.insert(name.to_owned(), value.to_owned());
        }
    }

    /// The text with every `var()` replaced; `None` where one has neither value nor fallback.
    pub(super) fn substitute(&self, text: &str) -> Option<String> {
        let mut text = text.to_owned();
        // Each round replaces the first variable, so values that name variables are resolved in turn.
        for _ in 0..SUBSTITUTIONS_MAX {
            let Some(start) = text.find("var(") else { return Some(text) };
            let inside = start + "var(".len();
            let end = inside + closing(&text[inside..])?;
            let (name, fallback) = match text[inside..end].split_once(',') {
                Some((name, fallback)) => (name, Some(fallback)),
                None => (&text[inside..end], None),
            };
            let name = name.trim().strip_prefix("--")?;
            let value = self.values.get(name).map(String::as_str).or(fallback)?.trim();
            text = [&text[..start], value, &text[end + 1..]].concat();
            if text.len() > TEXT_LENGTH_MAX {
                return None;
            }
        }
        None
    }
}

/// Variables that are replaced in one value.
const SUBSTITUTIONS_MAX: usize = 32;
/// Bytes of a value with all variables put in.
const TEXT_LENGTH_MAX: usize = 4096;

/// The place of the parenthesis that closes the one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_and_fall_back() {
        let mut variables = Variables::default();
        variables.define("main", "#123456");
        variables.define("link", "var(--main)");
        assert_eq!(variables.substitute("1px solid var(--link)").as_deref(), Some("1px solid #123456"));
        assert_eq!(variables.substitute("var(--none, rgb(1,2,3))").as_deref(), Some("rgb(1,2,3)"));
        assert_eq!(variables.substitute("var(--none)"), None);
    }

    #[test]
    fn variables_that_name_themselves_end() {
        let mut variables = Variables::default();
        variables.define("a", "var(--b) var(--b)");
        variables.define("b", "var(--a) var(--a)");
        assert_eq!(variables.substitute("var(--a)"), None);
    }
}
