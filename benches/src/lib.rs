//! What the measuring programs share: the data and its pages, html5ever into an arena of our own, both trees as html5lib writes
//! them and compared, tag soup, and a web of our own with what
//! judges crawlers on it.

pub mod arena;
pub mod crawler;
pub mod data;
pub mod dice;
pub mod differ;
pub mod grown;
pub mod heads;
pub mod histories;
pub mod holdings;
pub mod load;
pub mod local_web;
pub mod measured;
pub mod memory;
pub mod outline;
pub mod plain_text;
pub mod processor;
pub mod reach;
pub mod revisits;
pub mod soup;
pub mod topics;
pub mod visible_text;
