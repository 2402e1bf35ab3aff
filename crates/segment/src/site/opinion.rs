//! What the default method takes for content, asked where examples say nothing.

use std::sync::LazyLock;

use kuai_page::{BlockTree, Label, Page, Span};

use crate::places::Places;
use crate::{DEFAULT_METHOD, Segmenter, method};

static DEFAULT: LazyLock<Box<dyn Segmenter>> = LazyLock::new(|| {
    let method = method(DEFAULT_METHOD).expect("the default method is one of the methods");
    method.segmenter(&method.defaults())
});

/// The default method's opinion of a page.
pub(super) struct Opinion {
    tree: BlockTree,
    places: Places,
}

impl Opinion {
    pub(super) fn of(page: &Page) -> Opinion {
        let tree = DEFAULT.judge(page).tree;
        let places = Places::of(&tree);
        Opinion { tree, places }
    }

    /// Whether what begins here is content.
    pub(super) fn is_content(&self, span: Span) -> bool {
        let label = self.places.at(span.start).and_then(|block| self.tree.blocks()[block].label);
        matches!(label, Some(Label::Main | Label::Title | Label::Small))
    }
}
