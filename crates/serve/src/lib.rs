//! Shows an archive to browsers and to the tools of other archives: Memento (RFC 7089), the CDX Server API, replay.
//!
//! There are two sides with an origin each. The main side is trusted and answers questions; the replay side shows archived pages, which are
//! anybody's, confined so that they reach neither the main side nor the live Web. Reading blocks and is done on threads of its own; every size, count and wait
//! has a bound in [`Limits`].
//!
//! ```
//! use kuai_serve::{Options, Server};
//!
//! let server = Server::bind(kuai::in_memory(), Options::new(([127, 0, 0, 1], 0).into()))?;
//! assert_ne!(server.address(), server.replay_address());
//! server.run(|| true)?; // it is over at once
//! # Ok::<(), kuai_serve::ServeError>(())
//! ```

mod acts;
mod api;
mod assets;
mod cdx;
mod connections;
mod drafts;
mod fault;
mod finder;
mod following;
mod form;
mod guard;
mod holdings;
mod jobs;
mod main_side;
mod memento;
mod metrics;
mod options;
mod origins;
mod plot;
mod readers;
mod refusal;
mod replay;
mod server;
mod shared;
mod stall;
mod stamp;
mod target;
mod views;
mod visitor;
mod words;

pub use guard::{Access, AccessError, Role, password_line, token_line};
pub use options::{Limits, Options};
pub use server::{ServeError, Server};
