//! Plots, drawn by the server: geometry here, as numbers that templates put into SVG.

mod bars;
mod calendar;
mod curve;
mod harvest;

pub(crate) use bars::Bars;
pub(crate) use calendar::{CalendarYear, calendar};
pub(crate) use curve::Curve;
pub(crate) use harvest::Harvest;
