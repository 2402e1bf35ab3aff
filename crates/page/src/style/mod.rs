//! STAND-IN: computed styles.

use kuai_html::{Dom, NodeId};

use crate::Limits;

/// How an element takes part in layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Display {
    /// In the line.
    #[default]
    Inline,
    /// A block.
    Block,
    /// Not shown.
    None,
}

/// What the style sheets say of one element, inherited values included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// How it takes part in layout.
    pub display: Display,
}

/// The styles of all elements of a page.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    none: Style,
}

impl Styles {
    /// Runs the cascade over the page's own style sheets and those handed in; the flag says whether a limit was hit.
    pub fn compute(_dom: Dom<'_>, _sheets: &[String], _limits: &Limits) -> (Styles, bool) {
        (Styles::default(), false)
    }

    /// The style of an element, or of a text node's parent.
    pub fn of(&self, _node: NodeId) -> &Style {
        &self.none
    }
}
