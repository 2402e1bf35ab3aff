//! What a form of ours sends: fields by name, some of them more than once.

use crate::refusal::Refusal;

/// Fields that are read.
const FIELDS_MAX: usize = 20_000;

/// See above.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    pub(crate) fn read(body: &[u8]) -> Form {
        let pairs = url::form_urlencoded::parse(body).take(FIELDS_MAX);
        Form(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// A field as it was sent; nothing where it is blank.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.all(name).find(|value| !value.trim().is_empty())
    }

    /// Every value of a field.
    pub(crate) fn all<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The lines of a field that are not blank.
    pub(crate) fn lines(&self, name: &str) -> Vec<String> {
        let lines = self.all(name).flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    }

    /// Whether a box was ticked.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// A number; nothing where the field is blank.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let bad = |_| Refusal::bad_request(format!("{name}: {text:?} is no such number"));
        text.trim().parse().map(Some).map_err(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_are_meant() {
        let form =
            Form::read(b"urls=http%3A%2F%2Fa%0D%0A%0D%0A+http%3A%2F%2Fb&depth=&pages=12&block=1&block=5&private=on");
        assert_eq!(form.lines("urls"), ["http://a", "http://b"]);
        assert_eq!(form.number::<u32>("depth").ok(), Some(None));
        assert_eq!(form.number::<u64>("pages").ok(), Some(Some(12)));
        assert!(form.number::<u32>("urls").is_err());
        assert_eq!(form.all("block").collect::<Vec<_>>(), ["1", "5"]);
        assert!(form.is_set("private") && !form.is_set("robots"));
    }
}
