//! The stack of open elements: scopes, implied end tags, and where an element's span ends.

use super::{Builder, Mode, group, groups, mark};
use crate::tokenizer::Token;
use crate::tree::NONE;
use crate::{Namespace, Origin, Tag};

/// An open element, with what the rules ask of it most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: u32,
    /// [`Tag::Foreign`] in SVG and MathML.
    pub(super) tag: Tag,
    pub(super) namespace: Namespace,
    /// See [`group`].
    pub(super) groups: u16,
    /// Tells most names apart without looking at them; see [`name_key`].
    pub(super) name_key: u32,
}

/// The tag itself, or for names that HTML does not know a hash that no tag equals.
pub(super) fn name_key(tag: Tag, name: &str) -> u32 {
    match tag {
        Tag::Unknown => {
            let hash =
                name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
            hash | 1 << 31
        }
        _ => tag as u32,
    }
}

impl Open {
    /// Whether it belongs to one of these groups.
    #[inline]
    pub(super) fn is(self, groups: u16) -> bool {
        self.groups & groups != 0
    }
}

impl Builder<'_, '_> {
    /// The element that content goes into; `None` before `html` is there.
    #[inline]
    pub(super) fn current(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// The current element, or the context where only the root of a fragment is open.
    #[inline]
    pub(super) fn adjusted_current(&self) -> Option<Open> {
        match (self.open.len(), self.context) {
            (1, Some(context)) => Some(context),
            _ => self.current(),
        }
    }

    /// Whether the current element is this HTML element.
    pub(super) fn current_is(&self, tag: Tag) -> bool {
        self.current().is_some_and(|open| open.tag == tag)
    }

    /// Whether any open element is this HTML element.
    pub(super) fn is_open(&self, tag: Tag) -> bool {
        self.open_counts[tag as usize] > 0
    }

    /// Opens an element that was inserted.
    #[inline]
    pub(super) fn push(&mut self, open: Open) {
        self.node(open.node).set(mark::OPEN);
        self.open_counts[open.tag as usize] += 1;
        self.open.push(open);
    }

    /// Opens an HTML element that was inserted.
    #[inline]
    pub(super) fn push_html(&mut self, node: u32, tag: Tag) {
        let name_key = match tag {
            Tag::Unknown => name_key(tag, self.string(self.tag.name)),
            _ => tag as u32,
        };
        self.push(Open { node, tag, namespace: Namespace::Html, groups: groups(tag), name_key });
    }

    /// Closes the current element at the start of the present token.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(open) = self.open.pop() {
            self.open_counts[open.tag as usize] -= 1;
            let node = self.node(open.node);
            node.unset(mark::OPEN);
            if !node.is(mark::LOOSE) {
                self.end_at(open.node, self.span.start);
            }
        }
    }

    /// Closes the current element, by the present token if that is its end tag.
    #[inline]
    pub(super) fn pop_ended(&mut self) {
        let Some(open) = self.current() else { return };
        self.pop();
        if self.token == Token::EndTag && self.tag.tag == open.tag {
            self.take_end_tag(open.node);
        }
    }

    /// Makes the present token the end tag of a closed element.
    pub(super) fn take_end_tag(&mut self, node: u32) {
        if self.node(node).origin() == Origin::Source {
            self.tree.end(node, self.span.start, self.span.end);
        }
    }

    /// Ends an element without an end tag: at this place, but not before its start tag ends.
    #[inline]
    pub(super) fn end_at(&mut self, node: u32, place: u32) {
        let end = place.max(self.tree.content_start(node));
        self.tree.end(node, end, end);
    }

    /// Takes an element off the stack wherever it stands in it.
    pub(super) fn remove_open(&mut self, node: u32) {
        if let Some(index) = self.open.iter().rposition(|open| open.node == node) {
            self.remove_open_at(index);
        }
    }

    /// As `remove_open`, by place in the stack.
    pub(super) fn remove_open_at(&mut self, index: usize) {
        let open = self.open.remove(index);
        self.open_counts[open.tag as usize] -= 1;
        self.node(open.node).unset(mark::OPEN);
        self.end_at(open.node, self.span.start);
    }

    /// Closes elements up to and with the first of this tag.
    pub(super) fn pop_until(&mut self, tag: Tag) {
        while let Some(open) = self.current() {
            if open.tag == tag {
                return self.pop_ended();
            }
            self.pop();
        }
    }

    /// Closes elements up to and with the first of one of these groups.
    pub(super) fn pop_until_group(&mut self, groups: u16) {
        while let Some(open) = self.current() {
            if open.is(groups) {
                return self.pop_ended();
            }
            self.pop();
        }
    }

    /// Closes elements until the current one is one of these, a template or the root.
    pub(super) fn clear_back_to(&mut self, tags: &[Tag]) {
        while let Some(open) = self.current() {
            if tags.contains(&open.tag) || matches!(open.tag, Tag::Template | Tag::Html) {
                return;
            }
            self.pop();
        }
    }

    /// Whether an element of this tag is in the scope that these groups bound.
    pub(super) fn in_scope_of(&self, tag: Tag, bounds: u16) -> bool {
        if !self.is_open(tag) {
            return false;
        }
        for open in self.open.iter().rev() {
            if open.tag == tag {
                return true;
            }
            if open.is(bounds) {
                return false;
            }
        }
        false
    }

    pub(super) fn in_scope(&self, tag: Tag) -> bool {
        self.in_scope_of(tag, group::SCOPE)
    }

    pub(super) fn in_table_scope(&self, tag: Tag) -> bool {
        self.in_scope_of(tag, group::TABLE)
    }

    pub(super) fn in_button_scope(&self, tag: Tag) -> bool {
        self.in_scope_of(tag, group::SCOPE | group::BUTTON)
    }

    /// Whether this very element is in scope.
    pub(super) fn node_in_scope(&self, node: u32) -> bool {
        for open in self.open.iter().rev() {
            if open.node == node {
                return true;
            }
            if open.is(group::SCOPE) {
                return false;
            }
        }
        false
    }

    /// Closes elements whose end tags may be left out, except this one.
    #[inline]
    pub(super) fn close_implied(&mut self, except: Option<Tag>) {
        while let Some(open) = self.current() {
            if !open.is(group::IMPLIED_END) || Some(open.tag) == except {
                return;
            }
            self.pop();
        }
    }

    pub(super) fn close_implied_thoroughly(&mut self) {
        while self.current().is_some_and(|open| open.is(group::IMPLIED_END | group::IMPLIED_END_THOROUGH)) {
            self.pop();
        }
    }

    /// Closes an open paragraph, if the scope has one.
    #[inline]
    pub(super) fn close_p(&mut self) {
        if self.in_button_scope(Tag::P) {
            self.close_implied(Some(Tag::P));
            self.pop_until(Tag::P);
        }
    }

    /// Closes what is still open at the end of the source.
    pub(super) fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
    }

    /// Whether no further element may be opened.
    pub(super) fn at_depth_limit(&self) -> bool {
        self.open.len() >= self.limits.depth
    }

    /// Whether the end tag belongs to an element that was too deep to be opened.
    pub(super) fn ends_overflow(&mut self) -> bool {
        if !self.at_depth_limit() {
            self.overflow.clear();
            return false;
        }
        let tag = self.tag.tag;
        match self.overflow.last() {
            Some(&last) if last == tag => {
                self.overflow.pop();
                true
            }
            _ => false,
        }
    }

    /// Chooses the mode that fits the open elements.
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.fitting_mode();
    }

    fn fitting_mode(&self) -> Mode {
        for (index, open) in self.open.iter().enumerate().rev() {
            let is_last = index == 0;
            let tag = match (is_last, self.context) {
                (true, Some(context)) => context.tag,
                _ => open.tag,
            };
            match tag {
                Tag::Td | Tag::Th if !is_last => return Mode::InCell,
                Tag::Tr => return Mode::InRow,
                Tag::Tbody | Tag::Thead | Tag::Tfoot => return Mode::InTableBody,
                Tag::Caption => return Mode::InCaption,
                Tag::Colgroup => return Mode::InColumnGroup,
                Tag::Table => return Mode::InTable,
                Tag::Template => return self.template_modes.last().copied().unwrap_or(Mode::InBody),
                Tag::Head if !is_last => return Mode::InHead,
                Tag::Body => return Mode::InBody,
                Tag::Frameset => return Mode::InFrameset,
                Tag::Html if self.head == NONE => return Mode::BeforeHead,
                Tag::Html => return Mode::AfterHead,
                _ => {}
            }
        }
        Mode::InBody
    }
}
