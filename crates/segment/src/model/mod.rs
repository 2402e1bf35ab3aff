//! What was learnt from labelled pages, and the code that asks it. `training/` makes the files.

mod forest;

pub(crate) use forest::Forest;
