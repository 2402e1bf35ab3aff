//! Makes what an archived page points at lead into the archive. Everything else in it stays as it came.
//!
//! Pure: text in, text out, linear in its length; what it adds is bounded. What scripts put together themselves is not seen here.

mod css;
mod html;
mod links;
mod refresh;
mod source_set;

pub(super) use css::css;
pub(super) use html::html;
pub(super) use links::Links;
