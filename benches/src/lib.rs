//! What the measuring programs share: the data and its pages, html5ever into an arena of our own, both trees as html5lib writes
//! them, tag soup, and a web of our own.

pub mod arena;
pub mod data;
pub mod heads;
pub mod histories;
pub mod local_web;
pub mod memory;
pub mod outline;
pub mod revisits;
pub mod soup;
pub mod topics;
