use crate::Evaluation;
/// Stand-in.
pub fn html(_e: &Evaluation, _worst: usize) -> String { String::new() }
