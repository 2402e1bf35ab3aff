//! Strings that must and must not occur in the answer, white space folded.

use std::ops::Add;

use super::Score;

/// How many strings occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnippetCount {
    /// Wanted and there.
    pub wanted_found: usize,
    /// Wanted.
    pub wanted: usize,
    /// Unwanted and there.
    pub unwanted_found: usize,
    /// Unwanted.
    pub unwanted: usize,
}

impl SnippetCount {
    /// Precision, recall and F1 over all strings.
    pub fn score(self) -> Score {
        Score::of_counts(self.wanted_found, self.wanted_found + self.unwanted_found, self.wanted)
    }
}

impl Add for SnippetCount {
    type Output = SnippetCount;

    fn add(self, other: SnippetCount) -> SnippetCount {
        SnippetCount {
            wanted_found: self.wanted_found + other.wanted_found,
            wanted: self.wanted + other.wanted,
            unwanted_found: self.unwanted_found + other.unwanted_found,
            unwanted: self.unwanted + other.unwanted,
        }
    }
}

/// Counts the strings in an answer.
pub fn snippets(wanted: &[String], unwanted: &[String], answer: &str) -> SnippetCount {
    let answer = fold(answer);
    let found = |strings: &[String]| strings.iter().filter(|string| answer.contains(&fold(string))).count();
    SnippetCount {
        wanted_found: found(wanted),
        wanted: wanted.len(),
        unwanted_found: found(unwanted),
        unwanted: unwanted.len(),
    }
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_makes_no_difference() {
        let count = snippets(&["a  b".into(), "x".into()], &["b c".into()], "a\nb\tc");
        assert_eq!(count, SnippetCount { wanted_found: 1, wanted: 2, unwanted_found: 1, unwanted: 1 });
        assert_eq!(count.score().f, 0.5);
    }
}
