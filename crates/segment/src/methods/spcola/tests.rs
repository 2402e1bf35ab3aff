//! Small pages, one rule each.
