//! The measurement of crawls by topic: the web, its portals, the subjects with what belongs to them, and the strategies.

pub mod crawl;
pub mod measure;
pub mod plot;
pub mod portals;
pub mod subjects;
pub mod web;
