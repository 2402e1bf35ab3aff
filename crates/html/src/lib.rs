//! HTML as the standard reads it, with the place of every node in the source.
//!
//! A complete parser after the WHATWG standard: every insertion mode, the adoption agency, foster parenting, SVG and
//! MathML, templates, quirks, fragments. Text, names and values are spans of the source and are copied only where the
//! standard changes them; a [`Tree`] is an arena whose memory serves page after page. Every node knows where it stands
//! in the source ([`Dom::span`], [`Dom::start_tag`], [`Dom::content`], [`Dom::end_tag`]), and nodes that the standard
//! made up or moved say so ([`Origin`]): all others lie inside their parent's span and follow their siblings.
//!
//! No page is an error, none makes it panic or recurse, and [`Limits`] bound depth, nodes and attributes, so that time
//! grows with the length of the page and no faster. A node takes 32 bytes and an attribute 16: the tree of a common page
//! is about as large as the page, that of a page of nothing but one-letter tags and texts up to twenty times as large.
//!
//! ```
//! use kuai_html::{Options, Tag, Tree, parse};
//!
//! let source = "<ul><li>one<li><b>two</b> &amp; three</ul>";
//! let mut tree = Tree::default();
//! let notes = parse(source, &Options::default(), &mut tree);
//! assert!(notes.is_empty());
//!
//! let dom = tree.dom(source);
//! let items: Vec<_> = dom.descendants(dom.root()).filter(|&node| dom.tag(node) == Tag::Li).collect();
//! assert_eq!(dom.span(items[0]).of(source), "<li>one");
//! assert_eq!(dom.content(items[1]).of(source), "<b>two</b> &amp; three");
//! let text: String = dom.descendants(items[1]).map(|node| dom.text(node)).collect();
//! assert_eq!(text, "two & three");
//! ```
//!
//! Where only tags are wanted, [`tokens()`] gives them without a tree. The content of an element, as `innerHTML` takes it,
//! is read by [`parse_fragment`]:
//!
//! ```
//! use kuai_html::{Context, Options, Origin, Tree, parse_fragment};
//!
//! let source = "<td>cell";
//! let mut tree = Tree::default();
//! parse_fragment(source, &Context::html("tbody"), &Options::default(), &mut tree);
//! let dom = tree.dom(source);
//! let row = dom.html().and_then(|root| dom.first_child(root)).expect("a cell stands in a row");
//! assert_eq!((dom.name(row), dom.origin(row)), ("tr", Origin::Implied));
//! ```

mod builder;
mod limits;
mod parse;
mod references;
pub mod room;
mod span;
mod tag;
mod tokenizer;
mod tokens;
mod tree;

pub use builder::Context;
pub use limits::{Limits, Note};
pub use parse::{Options, parse, parse_fragment};
pub use span::Span;
pub use tag::Tag;
pub use tokenizer::Content;
pub use tokens::{DoctypeText, TagText, Token, TokenAttribute, TokenKind, TokenOptions, Tokens, tokens, tokens_with};
pub use tree::{Attribute, Doctype, Dom, Edge, Namespace, NodeId, NodeKind, Origin, Quirks, Tree, Walk};
