//! Which method, with which parameters: by name, from a parameter file, and from `--set` on top of it.
//!
//! A parameter file is TOML, as `kuai tune` writes it: a table for each method, `[gdom]`, with lines `name = value`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use kuai_segment::{METHODS, Method, Settings, method};
use toml::{Spanned, Value};

/// The method of this name, or an error that lists those there are.
pub(crate) fn named_method(name: &str) -> anyhow::Result<&'static Method> {
    method(name).with_context(|| format!("there is no method {name}; there are {}", method_names()))
}

fn method_names() -> String {
    METHODS.iter().map(|method| method.name).collect::<Vec<_>>().join(", ")
}

/// Sets parameters given as `NAME=VALUE`.
pub(crate) fn set_all(settings: &mut Settings, given: &[String]) -> anyhow::Result<()> {
    for setting in given {
        let Some((name, value)) = setting.split_once('=') else {
            bail!("--set takes NAME=VALUE, not {setting}");
        };
        let value: f64 = value.trim().parse().with_context(|| format!("{name} takes a number, not {value}"))?;
        settings.set(name.trim(), value)?;
    }
    Ok(())
}

/// Parameters of any number of methods, from a file.
#[derive(Default)]
pub(crate) struct ParameterFile {
    tables: BTreeMap<&'static str, Settings>,
}

impl ParameterFile {
    /// Reads a file; without one there is nothing set.
    pub(crate) fn read(path: Option<&PathBuf>) -> anyhow::Result<ParameterFile> {
        let Some(path) = path else { return Ok(ParameterFile::default()) };
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        ParameterFile::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> anyhow::Result<ParameterFile> {
        let at = |offset: usize| {
            let line = text[..offset.min(text.len())].matches('\n').count() + 1;
            format!("{}, line {line}", path.display())
        };
        type Parsed = BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<Value>>>;
        let parsed: Parsed = toml::from_str(text).map_err(|error| {
            let place = at(error.span().map_or(0, |span| span.start));
            anyhow!("{place}: {} (a parameter file has lines `[METHOD]` and `name = value`)", error.message())
        })?;
        // In the order of the file, so that the first thing wrong is what is told.
        let mut parsed: Vec<_> = parsed.into_iter().collect();
        parsed.sort_by_key(|(name, _)| name.span().start);
        let mut tables = BTreeMap::new();
        for (name, values) in parsed {
            let method = named_method(name.as_ref()).with_context(|| at(name.span().start))?;
            let mut settings = method.defaults();
            for (parameter, value) in values {
                let number = match value.as_ref() {
                    Value::Float(number) => *number,
                    Value::Integer(number) => *number as f64,
                    other => bail!("{}: {} takes a number, not {other}", at(value.span().start), parameter.as_ref()),
                };
                settings.set(parameter.as_ref(), number).with_context(|| at(parameter.span().start))?;
            }
            tables.insert(method.name, settings);
        }
        Ok(ParameterFile { tables })
    }

    /// The settings of a method: the file's where it names them, else the defaults.
    pub(crate) fn settings(&self, method: &'static Method) -> Settings {
        self.tables.get(method.name).cloned().unwrap_or_else(|| method.defaults())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        format!("{:#}", ParameterFile::parse(text, Path::new("p.toml")).err().expect("the file is wrong"))
    }

    #[test]
    fn a_file_sets_what_it_names() {
        let file = ParameterFile::parse("# tuned\n[gdom]\nlink_text_ratio_max = 2\n", Path::new("p.toml"))
            .expect("the file is right");
        let gdom = named_method("gdom").expect("gdom is there");
        assert_eq!(file.settings(gdom).get("link_text_ratio_max"), 2.0);
        assert_eq!(ParameterFile::default().settings(gdom).get("link_text_ratio_max"), 1.0);
    }

    #[test]
    fn errors_name_file_and_line_and_what_there_is() {
        let check = |text: &str, expected: &str| assert!(error(text).starts_with(expected), "{}", error(text));
        check("\n[gdon]\n", "p.toml, line 2: there is no method gdon; there are kuai");
        check("[gdom]\n\nratio = 1\n", "p.toml, line 3: gdom has no parameter ratio; it has link_text_ratio_max");
        check(
            "[gdom]\nlink_text_ratio_max = 101",
            "p.toml, line 2: link_text_ratio_max = 101 is out of range: 0 to 100",
        );
        check("[gdom]\nlink_text_ratio_max = \"much\"", "p.toml, line 2: link_text_ratio_max takes a number");
        check("[gdom\n", "p.toml, line 1: ");
        check("link_text_ratio_max = 1", "p.toml, line 1: ");
    }
}
