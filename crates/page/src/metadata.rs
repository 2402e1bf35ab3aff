//! STAND-IN: what a page says about itself.

use kuai_html::Dom;
use url::Url;

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// a
    pub author: Option<String>,
    /// a
    pub published: Option<String>,
    /// a
    pub site: Option<String>,
    /// The language.
    pub language: Option<String>,
}

/// Reads the metadata of a page.
pub(crate) fn read(_dom: Dom<'_>, _url: Option<&Url>) -> Metadata {
    Metadata::default()
}
