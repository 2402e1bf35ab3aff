//! What the measuring tools share: html5ever into an arena of our own, both trees as html5lib writes them, and pages
//! from folders.

pub mod arena;
pub mod outline;
pub mod pages;
pub mod soup;
