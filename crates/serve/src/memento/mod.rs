//! Memento (RFC 7089): an address as it was at a time. Original resource, TimeGate, TimeMap and Memento are four addresses, and the TimeGate
//! answers with a redirect (the RFC's pattern 2.1).

mod links;
mod timegate;
mod timemap;

pub(crate) use links::Links;
pub(crate) use timegate::timegate;
pub(crate) use timemap::{timemap_json, timemap_link};

pub(crate) const TIMEGATE: &str = "/timegate/";
pub(crate) const TIMEMAP_LINK: &str = "/timemap/link/";
pub(crate) const TIMEMAP_JSON: &str = "/timemap/json/";
