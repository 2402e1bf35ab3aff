//! Custom properties: what `var(--name)` stands for at an element.
//!
//! Substitution is bounded in depth and length, so that values that double themselves stay small.

use std::collections::HashMap;

/// The custom properties of all elements of a page: each scope holds what its elements define, and leads to
/// the scope around it.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    scopes: Vec<Scope>,
}

#[derive(Clone, Debug, Default)]
struct Scope {
    around: Option<u32>,
    values: HashMap<String, String>,
}

impl Default for Variables {
    fn default() -> Variables {
        Variables { scopes: vec![Scope::default()] }
    }
}

impl Variables {
    /// The scope of the document, in which nothing is defined.
    pub(super) const DOCUMENT: u32 = 0;

    /// Opens a scope inside another.
    pub(super) fn define<'v>(&mut self, around: u32, values: impl Iterator<Item = &'v (String, String)>) -> u32 {
        let short = values.filter(|(_, value)| value.len() <= TEXT_LENGTH_MAX);
        let values = short.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.scopes.push(Scope { around: Some(around), values });
        (self.scopes.len() - 1) as u32
    }

    fn get(&self, scope: u32, name: &str) -> Option<&str> {
        let mut scope = Some(scope);
        while let Some(here) = scope.and_then(|index| self.scopes.get(index as usize)) {
            if let Some(value) = here.values.get(name) {
                return Some(value);
            }
            scope = here.around;
        }
        None
    }

    /// The text with every `var()` replaced as in this scope; `None` where one has neither value nor fallback.
    pub(super) fn substitute(&self, scope: u32, text: &str) -> Option<String> {
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
            let value = self.get(scope, name).or(fallback)?.trim();
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

    fn scope(variables: &mut Variables, around: u32, values: &[(&str, &str)]) -> u32 {
        let values: Vec<_> = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        variables.define(around, values.iter())
    }

    #[test]
    fn variables_are_replaced_and_fall_back() {
        let mut variables = Variables::default();
        let outer = scope(&mut variables, Variables::DOCUMENT, &[("main", "#123456"), ("link", "red")]);
        let inner = scope(&mut variables, outer, &[("link", "var(--main)")]);
        assert_eq!(variables.substitute(inner, "1px solid var(--link)").as_deref(), Some("1px solid #123456"));
        assert_eq!(variables.substitute(outer, "var(--link)").as_deref(), Some("red"));
        assert_eq!(variables.substitute(inner, "var(--none, rgb(1,2,3))").as_deref(), Some("rgb(1,2,3)"));
        assert_eq!(variables.substitute(inner, "var(--none)"), None);
    }

    #[test]
    fn variables_that_name_themselves_end() {
        let mut variables = Variables::default();
        let scope =
            scope(&mut variables, Variables::DOCUMENT, &[("a", "var(--b) var(--b)"), ("b", "var(--a) var(--a)")]);
        assert_eq!(variables.substitute(scope, "var(--a)"), None);
    }
}
