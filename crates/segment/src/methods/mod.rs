//! The one table of methods, with their parameters. The command line, the documents and the evaluation read it;
//! a new method is one file and one line here.

mod btls;
mod bwap;
mod gdom;
mod kuai;
mod nom;
mod rules;
mod spcola;
mod stu_div;
mod vips;
mod ypm;

use std::fmt;

use kuai_page::{BlockTree, Label, Page, Span};

use crate::{Judged, Segmenter, label};
pub use kuai::{FeatureElement, FeatureUnit, Features, features};

/// Every method, in the order in which they are shown.
pub const METHODS: &[Method] = &[
    kuai::METHOD,
    nom::METHOD,
    gdom::METHOD,
    ypm::METHOD,
    vips::METHOD,
    spcola::METHOD,
    stu_div::METHOD,
    btls::METHOD,
    bwap::METHOD,
    rules::METHOD,
];

/// The method used where none is named.
pub const DEFAULT_METHOD: &str = "kuai";

/// The method of this name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// A way to cut pages into blocks.
#[derive(Debug)]
pub struct Method {
    /// Its name, the paper's where there is one.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Who described it.
    pub origin: &'static str,
    /// Whether it tells related links from the other links it keeps. Where it does not, all kept links are related.
    pub tells_related_links: bool,
    /// Whether text that a browser would not show is kept too.
    pub keeps_hidden_text: bool,
    /// Whether it asks how a page looks to judge its text; where not, pages may be read [plain](kuai_page::Page::plain).
    pub reads_styles: bool,
    /// Whether titles are part of the text; where not, a title is told apart from it.
    pub keeps_titles: bool,
    /// What can be set.
    pub parameters: &'static [Parameter],
    make: fn(&Settings) -> Box<dyn Segmenter>,
}

impl Method {
    /// Its parameters at their defaults.
    pub fn defaults(&'static self) -> Settings {
        Settings { method: self, values: self.parameters.iter().map(|parameter| parameter.default).collect() }
    }

    /// The method with these settings, ready for any number of pages.
    pub fn segmenter(&self, settings: &Settings) -> Box<dyn Segmenter> {
        Box::new(Labelled(self.cutter(settings)))
    }

    /// The same without labels, where the method gives none of its own.
    pub fn cutter(&self, settings: &Settings) -> Box<dyn Segmenter> {
        (self.make)(settings)
    }
}

/// A method whose blocks always come out labelled: those of a method that only segments by the rules of SPCOLA.
struct Labelled(Box<dyn Segmenter>);

impl Segmenter for Labelled {
    fn cut(&self, page: &Page) -> BlockTree {
        if page.decoded().binary {
            // A picture called .html shows nobody any text.
            return BlockTree::from_labelled([(page.span(), Some(Label::Noise))]);
        }
        labelled(page, self.0.cut(page))
    }

    fn judge(&self, page: &Page) -> Judged {
        self.judged(page, |method| method.judge(page))
    }

    fn judge_main(&self, page: &Page) -> Judged {
        self.judged(page, |method| method.judge_main(page))
    }

    fn topic(&self, page: &Page, block: Span) -> Option<String> {
        if page.decoded().binary { None } else { self.0.topic(page, block) }
    }
}

impl Labelled {
    fn judged(&self, page: &Page, judge: impl FnOnce(&dyn Segmenter) -> Judged) -> Judged {
        if page.decoded().binary {
            return self.cut(page).into();
        }
        let judged = judge(&*self.0);
        Judged { tree: labelled(page, judged.tree), ..judged }
    }
}

fn labelled(page: &Page, tree: BlockTree) -> BlockTree {
    let is_bare = tree.blocks().iter().all(|block| block.label.is_none());
    if is_bare { label(page, tree) } else { tree }
}

/// A number that steers a method.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in full.
    pub name: &'static str,
    /// Its symbol in the paper, also taken by [`Settings::set`]; empty where it has none.
    pub symbol: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Its value unless set.
    pub default: f64,
    /// The least value that makes sense.
    pub min: f64,
    /// The greatest value that makes sense.
    pub max: f64,
}

/// Values for the parameters of one method.
#[derive(Clone, Debug)]
pub struct Settings {
    method: &'static Method,
    values: Vec<f64>,
}

impl Settings {
    /// Sets a parameter by its name or its symbol.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), SettingsError> {
        let index = self.index(name).ok_or_else(|| SettingsError::Unknown {
            name: name.to_owned(),
            method: self.method.name,
            known: self.method.parameters.iter().map(|parameter| parameter.name).collect(),
        })?;
        let Parameter { name, min, max, .. } = self.method.parameters[index];
        if !(min..=max).contains(&value) {
            return Err(SettingsError::OutOfRange { name, value, min, max });
        }
        self.values[index] = value;
        Ok(())
    }

    /// The value of a parameter of this method.
    pub fn get(&self, name: &str) -> f64 {
        self.values[self.index(name).expect("a method asks for its own parameters only")]
    }

    fn index(&self, name: &str) -> Option<usize> {
        let parameters = self.method.parameters;
        parameters.iter().position(|parameter| parameter.name == name || (parameter.symbol == name && !name.is_empty()))
    }
}

/// Why a parameter could not be set.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SettingsError {
    /// The method has no such parameter.
    Unknown {
        /// What was asked for.
        name: String,
        /// Of which method.
        method: &'static str,
        /// What it has.
        known: Vec<&'static str>,
    },
    /// The value makes no sense.
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// What was asked for.
        value: f64,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Unknown { name, method, known } if known.is_empty() => {
                write!(out, "{method} has no parameters, so none called {name}")
            }
            SettingsError::Unknown { name, method, known } => {
                write!(out, "{method} has no parameter {name}; it has {}", known.join(", "))
            }
            SettingsError::OutOfRange { name, value, min, max } => {
                write!(out, "{name} = {value} is out of range: {min} to {max}")
            }
        }
    }
}

impl std::error::Error for SettingsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_range_and_every_name_is_said_once() {
        for method in METHODS {
            let names: Vec<_> = METHODS.iter().filter(|other| other.name == method.name).collect();
            assert_eq!(names.len(), 1, "{}", method.name);
            let mut settings = method.defaults();
            for parameter in method.parameters {
                assert_eq!(settings.set(parameter.name, parameter.default), Ok(()));
            }
        }
        assert!(method(DEFAULT_METHOD).is_some());
    }

    #[test]
    fn an_unknown_parameter_is_answered_with_those_there_are() {
        let mut settings = method("gdom").expect("gdom is there").defaults();
        let error = settings.set("ratio", 1.0).expect_err("there is none of that name");
        assert_eq!(error.to_string(), "gdom has no parameter ratio; it has link_text_ratio_max");
        let error = settings.set("link_text_ratio_max", -1.0).expect_err("a ratio is positive");
        assert_eq!(error.to_string(), "link_text_ratio_max = -1 is out of range: 0 to 100");
    }

    #[test]
    fn what_is_no_text_has_no_main_text() {
        let picture =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0 words in a picture, quite a few of them";
        let page = Page::from_bytes(picture, None, None, &kuai_page::Limits::default());
        for method in METHODS {
            let tree = method.segmenter(&method.defaults()).segment(&page);
            assert_eq!(crate::extract(&page, &tree, method).text, "", "{}", method.name);
            assert_eq!(tree.blocks()[0].topic, None, "{}", method.name);
        }
    }

    #[test]
    fn any_page_gives_a_tree() {
        for method in METHODS {
            let segmenter = method.segmenter(&method.defaults());
            for source in
                ["", " ", "x", "<", "<p>", "<!--", "<html></html>", "<frameset><frame></frameset>", "\0\u{fffd}"]
            {
                let tree = segmenter.segment(&Page::from_html(source));
                assert!(!tree.blocks().is_empty() || source.is_empty(), "{}: {source:?}", method.name);
            }
        }
    }
}
