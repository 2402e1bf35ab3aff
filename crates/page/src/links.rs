//! STAND-IN: the links of a page.

use kuai_html::{Dom, NodeId, Span};
use url::Url;

use crate::Flow;

/// A link out of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The `a` or `area` element.
    pub node: NodeId,
    /// Its span.
    pub span: Span,
    /// The address as written.
    pub href: String,
    /// The address resolved, where it can be.
    pub url: Option<Url>,
    /// The anchor text.
    pub text: String,
    /// The `rel` attribute, lower case.
    pub rel: String,
}

/// Reads the links of a page in document order.
pub(crate) fn read(_dom: Dom<'_>, _flow: &Flow, _url: Option<&Url>) -> Vec<Link> {
    Vec::new()
}
