//! Selectors over our DOM: the glue to the `selectors` crate.
//!
//! Names are known by a 64-bit hash, so that matching compares numbers. Every step through the tree takes
//! from a budget; when it is spent nothing matches any more, which bounds the work of hostile sheets.

use std::cell::Cell;
use std::fmt;

use cssparser::{ParseError, ToCss};
use kuai_html::{Dom, Namespace, NodeId, NodeKind, Quirks, Tag};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::context::{MatchingContext, QuirksMode};
use selectors::matching::ElementSelectorFlags;
use selectors::parser::{self, SelectorParseErrorKind};
use selectors::{OpaqueElement, SelectorImpl};

use super::vocabulary::{Kind, Vocabulary};

/// The choice of types that the `selectors` crate asks for.
#[derive(Clone, Debug)]
pub(super) struct Names;

/// A name (class, id, element, attribute, namespace) as its hash.
///
/// Decision: two names with the same 64-bit hash are taken for one; the worst that follows is a wrong style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Name(pub(super) u64);

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::of_bytes(text.bytes())
    }
}

impl Name {
    pub(super) fn of_bytes(bytes: impl Iterator<Item = u8>) -> Name {
        bytes.fold(Name::EMPTY, Name::with)
    }

    /// The name in lower case.
    pub(super) fn folded_bytes(bytes: &[u8]) -> Name {
        Name::of_bytes(bytes.iter().map(u8::to_ascii_lowercase))
    }

    /// The name of no letters.
    pub(super) const EMPTY: Name = Name(0xcbf2_9ce4_8422_2325);

    /// The name with one more byte, by FNV-1a: names are short, and nothing here needs more.
    pub(super) fn with(self, byte: u8) -> Name {
        Name((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The name of a class or id, folded where the page's mode ignores case.
    pub(super) fn folded(text: &str, quirks: Quirks) -> Name {
        match quirks {
            Quirks::Full => Name::folded_bytes(text.as_bytes()),
            _ => Name::from(text),
        }
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, "name-{:x}", self.0)
    }
}

/// The value of an attribute selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AttributeValue(Box<str>);

impl From<&str> for AttributeValue {
    fn from(text: &str) -> AttributeValue {
        AttributeValue(text.into())
    }
}

impl AsRef<str> for AttributeValue {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for AttributeValue {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_string(&self.0, out)
    }
}

/// Pseudo-classes that depend on more than the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PseudoClass {
    /// `:link`, `:any-link`.
    Link,
    /// `:checked`.
    Checked,
    /// `:disabled`.
    Disabled,
    /// `:enabled`.
    Enabled,
    /// `:hover`, `:visited` and all others that no element has in a page just loaded.
    Never,
}

impl parser::NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, ":{self:?}")
    }
}

/// Pseudo-elements: only what closes an element matters here, as it may clear floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PseudoElement {
    /// `::after`.
    After,
    /// Any other.
    Other,
}

impl parser::PseudoElement for PseudoElement {}

impl ToCss for PseudoElement {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, "::{self:?}")
    }
}

impl SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = AttributeValue;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

/// Whether no element is in the state of this pseudo-class in a page just loaded.
pub(super) fn is_never(name: &[u8]) -> bool {
    NEVER.iter().any(|never| name.eq_ignore_ascii_case(never.as_bytes()))
}

const NEVER: [&str; 20] = [
    "hover",
    "focus",
    "active",
    "visited",
    "focus-within",
    "focus-visible",
    "target",
    "default",
    "indeterminate",
    "invalid",
    "valid",
    "required",
    "optional",
    "read-only",
    "read-write",
    "placeholder-shown",
    "autofill",
    "fullscreen",
    "modal",
    "popover-open",
];

/// Reads selectors out of a style sheet.
pub(super) struct SelectorParser;

impl<'i> parser::Parser<'i> for SelectorParser {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        false
    }

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("matches") || name.eq_ignore_ascii_case("-webkit-any")
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<PseudoClass, ParseError<SelectorParseErrorKind>> {
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "link" | "any-link" | "-webkit-any-link" => Ok(PseudoClass::Link),
            "checked" => Ok(PseudoClass::Checked),
            "disabled" => Ok(PseudoClass::Disabled),
            "enabled" => Ok(PseudoClass::Enabled),
            _ if is_never(name.as_bytes()) => Ok(PseudoClass::Never),
            _ => Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)),
        }
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<PseudoElement, ParseError<SelectorParseErrorKind>> {
        match name.to_ascii_lowercase().as_str() {
            "after" => Ok(PseudoElement::After),
            "before"
            | "first-line"
            | "first-letter"
            | "selection"
            | "placeholder"
            | "marker"
            | "backdrop"
            | "file-selector-button" => Ok(PseudoElement::Other),
            name if name.starts_with("-webkit-") => Ok(PseudoElement::Other),
            _ => Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)),
        }
    }

    fn default_namespace(&self) -> Option<Name> {
        None
    }
}

/// What matching needs to know of one node, read off its attributes once.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    id: Name,
    classes_start: u32,
    classes_count: u16,
    /// A bit for the name of every attribute, see [`attribute_bit`]; most elements lack what selectors ask for.
    attributes: u16,
}

fn attribute_bit(name: Name) -> u16 {
    1 << (name.precomputed_hash() % 16)
}

/// The document as matching sees it.
pub(super) struct Subjects<'a> {
    dom: Dom<'a>,
    facts: Vec<Facts>,
    classes: Vec<Name>,
    tags: Vec<Name>,
    vocabulary: Vocabulary,
    /// Steps that matching may still take.
    budget: Cell<u64>,
}

impl<'a> Subjects<'a> {
    /// Reads the ids and classes off all elements; matching may take so many steps, and some for every node.
    pub(super) fn read(dom: Dom<'a>, steps: u64) -> Subjects<'a> {
        let mut subjects = Subjects {
            dom,
            facts: vec![Facts::default(); dom.len()],
            classes: Vec::new(),
            tags: (0..=u8::MAX).map(|_| Name::default()).collect(),
            vocabulary: Vocabulary::new(dom.quirks()),
            budget: Cell::new(steps.saturating_add(STEPS_PER_NODE * dom.len() as u64)),
        };
        for index in 0..dom.len() {
            subjects.read_node(NodeId::from_index(index));
        }
        subjects
    }

    fn read_node(&mut self, node: NodeId) {
        let dom = self.dom;
        if dom.kind(node) != NodeKind::Element {
            return;
        }
        let quirks = dom.quirks();
        let tag = dom.tag(node);
        if matches!(tag, Tag::Foreign | Tag::Unknown) {
            self.vocabulary.insert(Kind::Tag, Name::from(dom.name(node)));
        } else if self.tags[tag as usize] == Name::default() {
            self.tags[tag as usize] = Name::from(tag.name());
            self.vocabulary.insert(Kind::Tag, self.tags[tag as usize]);
        }
        let start = self.classes.len();
        let mut id = Name::default();
        let mut attributes = 0;
        for attribute in dom.attributes(node) {
            attributes |= attribute_bit(Name::from(attribute.name));
            match attribute.name {
                "id" => {
                    id = Name::folded(attribute.value, quirks);
                    self.vocabulary.insert(Kind::Id, id);
                }
                "class" => {
                    for class in attribute.value.split_ascii_whitespace() {
                        let name = Name::folded(class, quirks);
                        self.vocabulary.insert(Kind::Class, name);
                        self.classes.push(name);
                    }
                }
                _ => {}
            }
        }
        let count = u16::try_from(self.classes.len() - start).unwrap_or(u16::MAX);
        self.facts[node.index()] = Facts { id, classes_start: start as u32, classes_count: count, attributes };
    }

    /// The names that occur in the document.
    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Tells what an element is called.
    pub(super) fn each_name(&self, node: NodeId, mut tell: impl FnMut(Kind, Name)) {
        let subject = self.subject(node);
        tell(Kind::Tag, subject.local_name());
        tell(Kind::Id, subject.id());
        subject.classes().iter().for_each(|&class| tell(Kind::Class, class));
    }

    /// The element at this node.
    pub(super) fn subject(&self, node: NodeId) -> Subject<'_, 'a> {
        Subject { subjects: self, node }
    }

    /// Takes steps from the budget; false once it is spent.
    pub(super) fn spend(&self, steps: u64) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(steps));
        left > steps
    }
}

/// Steps that every node adds to the budget. None of 5,624 real pages (embedded sheets only) spent its budget.
const STEPS_PER_NODE: u64 = 200;

/// One element, as the `selectors` crate sees it.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s, 'a> {
    subjects: &'s Subjects<'a>,
    node: NodeId,
}

impl fmt::Debug for Subject<'_, '_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<{}>", self.subjects.dom.name(self.node))
    }
}

impl<'s, 'a> Subject<'s, 'a> {
    fn dom(&self) -> Dom<'a> {
        self.subjects.dom
    }

    fn at(&self, node: NodeId) -> Subject<'s, 'a> {
        Subject { subjects: self.subjects, node }
    }

    fn facts(&self) -> &'s Facts {
        &self.subjects.facts[self.node.index()]
    }

    pub(super) fn id(&self) -> Name {
        self.facts().id
    }

    pub(super) fn classes(&self) -> &'s [Name] {
        let facts = self.facts();
        let start = facts.classes_start as usize;
        &self.subjects.classes[start..start + usize::from(facts.classes_count)]
    }

    pub(super) fn local_name(&self) -> Name {
        match self.dom().tag(self.node) {
            Tag::Foreign | Tag::Unknown => Name::from(self.dom().name(self.node)),
            tag => self.subjects.tags[tag as usize],
        }
    }

    fn nearest(&self, start: Option<NodeId>, next: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        let mut candidate = start;
        while let Some(node) = candidate {
            if !self.subjects.spend(1) {
                return None;
            }
            if self.dom().is_element(node) {
                return Some(self.at(node));
            }
            candidate = next(node);
        }
        None
    }

    /// The hashes by which selectors can ask for this element as an ancestor.
    pub(super) fn ancestor_hashes(&self) -> impl Iterator<Item = u32> {
        let names = [self.local_name(), self.id()].into_iter().chain(self.classes().iter().copied());
        names.filter(|&name| name != Name::default()).map(|name| name.precomputed_hash() & BLOOM_HASH_MASK)
    }
}

impl selectors::Element for Subject<'_, '_> {
    type Impl = Names;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.facts())
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.dom().parent(self.node)?;
        (self.subjects.spend(1) && self.dom().is_element(parent)).then(|| self.at(parent))
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.nearest(self.dom().previous_sibling(self.node), |node| self.dom().previous_sibling(node))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.nearest(self.dom().next_sibling(self.node), |node| self.dom().next_sibling(node))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.nearest(self.dom().first_child(self.node), |node| self.dom().next_sibling(node))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.dom().namespace(self.node) == Namespace::Html
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.local_name() == *name
    }

    fn has_namespace(&self, _namespace: &Name) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        let dom = self.dom();
        dom.namespace(self.node) == dom.namespace(other.node) && dom.name(self.node) == dom.name(other.node)
    }

    fn attr_matches(
        &self,
        _namespace: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&AttributeValue>,
    ) -> bool {
        if self.facts().attributes & attribute_bit(*name) == 0 {
            return false;
        }
        let value = self.dom().attributes(self.node).find(|attribute| Name::from(attribute.name) == *name);
        value.is_some_and(|attribute| {
            // Long values take longer to search: a step for every 64 bytes.
            self.subjects.spend(1 + attribute.value.len() as u64 / 64) && operation.eval_str(attribute.value)
        })
    }

    fn match_non_ts_pseudo_class(&self, class: &PseudoClass, _context: &mut MatchingContext<'_, Names>) -> bool {
        let has = |name: &str| self.dom().attribute(self.node, name).is_some();
        let tag = self.dom().tag(self.node);
        let is_control =
            matches!(tag, Tag::Input | Tag::Button | Tag::Select | Tag::Textarea | Tag::Option | Tag::Fieldset);
        match class {
            PseudoClass::Link => self.is_link(),
            PseudoClass::Checked => match tag {
                Tag::Input => has("checked"),
                Tag::Option => has("selected"),
                _ => false,
            },
            PseudoClass::Disabled => is_control && has("disabled"),
            PseudoClass::Enabled => is_control && !has("disabled"),
            PseudoClass::Never => false,
        }
    }

    fn match_pseudo_element(&self, _element: &PseudoElement, _context: &mut MatchingContext<'_, Names>) -> bool {
        false
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(self.dom().tag(self.node), Tag::A | Tag::Area) && self.dom().attribute(self.node, "href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, _case: CaseSensitivity) -> bool {
        self.id() == *id
    }

    fn has_class(&self, name: &Name, _case: CaseSensitivity) -> bool {
        self.classes().contains(name)
    }

    fn has_custom_state(&self, _name: &Name) -> bool {
        false
    }

    fn imported_part(&self, _name: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _name: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        let dom = self.dom();
        dom.children(self.node).all(|child| match dom.kind(child) {
            NodeKind::Element => false,
            NodeKind::Text => dom.text(child).is_empty(),
            _ => true,
        })
    }

    fn is_root(&self) -> bool {
        self.dom().parent(self.node) == Some(NodeId::DOCUMENT)
    }

    fn add_element_unique_hashes(&self, _filter: &mut BloomFilter) -> bool {
        false
    }
}

/// The page's mode in the words of the `selectors` crate.
///
/// Names are folded by us before they are hashed; the crate must not fold them again.
pub(super) const MATCHING_MODE: QuirksMode = QuirksMode::NoQuirks;
