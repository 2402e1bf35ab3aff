//! Judges any method against labelled pages.

pub mod metrics;
