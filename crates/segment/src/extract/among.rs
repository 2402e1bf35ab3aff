//! What stands where no block is, between text that is kept and text that is not: images go with the text that they stand in.

use kuai_page::{NodeId, Page, Tag};

use super::wanted::Kept;

/// Elements around an image that are looked at.
const LEVELS_MAX: usize = 24;

/// Whether something that no block holds stands in kept text: between two kept texts of the innermost element that holds other text, or beside
/// one there. A figure goes with what stands around it, whatever becomes of its caption.
pub(super) fn stands_in_kept_text(page: &Page, kept: &Kept, node: NodeId) -> bool {
    let (dom, flow) = (page.dom(), page.flow());
    if !kept.is_outside_blocks(dom.span(node)) {
        return false;
    }
    let mut own = flow.range_of(node);
    for around in dom.ancestors(node).take(LEVELS_MAX) {
        let (tag, whole) = (dom.tag(around), flow.range_of(around));
        if matches!(tag, Tag::Nav | Tag::Header | Tag::Footer | Tag::Aside) {
            return false;
        }
        if tag != Tag::Figure && whole != own {
            let (before, after) = (whole.start..own.start, own.end..whole.end);
            let is_between = kept.any(before.clone()) && kept.any(after.clone());
            let is_beside = || {
                kept.any(before.len().saturating_sub(1) + before.start..before.end)
                    || kept.any(after.start..after.end.min(after.start + 1))
            };
            return is_between || (tag != Tag::Body && is_beside());
        }
        own = whole;
    }
    false
}

#[cfg(test)]
mod tests {
    use kuai_page::{BlockTree, Label, Span};

    use super::super::{Wanted, markdown};
    use super::*;

    /// The images that are told of a page whose texts are kept, but for those that begin with a capital.
    fn images_in(html: &str) -> usize {
        let page = Page::from_html(html);
        let label = |text: &str| if text.starts_with(char::is_uppercase) { Label::Noise } else { Label::Main };
        let runs = page.flow().runs().iter().map(|run| run.span);
        let blocks: Vec<(Span, Option<Label>)> =
            runs.map(|span| (span, Some(label(&page.source()[span.range()])))).collect();
        markdown(&page, &BlockTree::from_labelled(blocks), &Wanted::default()).matches("![").count()
    }

    #[test]
    fn an_image_goes_with_the_text_that_it_stands_in() {
        for html in [
            "<div><p>a</p><img src=a.png><p>b</p></div>",
            "<p>a</p><img src=a.png><p>b</p>",
            "<div><p>a</p><figure><img src=a.png><figcaption>Photo</figcaption></figure><p>b</p></div>",
            "<div><p>a</p><div><p><img src=a.png></p></div><p>Advertisement</p><p>b</p></div>",
            "<div><p>Advertisement</p><p>a</p><img src=a.png></div><p>More</p>",
        ] {
            assert_eq!(images_in(html), 1, "{html}");
        }
    }

    #[test]
    fn images_of_other_parts_stay_out() {
        for html in [
            "<header><img src=logo.png></header><div><p>a</p><p>b</p></div>",
            "<img src=logo.png><p>a</p><p>b</p>",
            "<div><p>a</p><div><img src=a.png><h3>Another story</h3></div><p>b</p></div>",
            "<div><p>a</p></div><div><img src=a.png><p>Other</p></div>",
        ] {
            assert_eq!(images_in(html), 0, "{html}");
        }
    }
}
