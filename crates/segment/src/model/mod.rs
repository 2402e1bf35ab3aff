//! What was learnt from labelled pages, and the code that asks it. `training/` makes the files.

// Nobody asks it yet: the methods that do come next.
#[cfg_attr(not(test), allow(dead_code))]
mod forest;

#[allow(unused_imports)]
pub(crate) use forest::Forest;
