//! Ranks of pages that a search weighs hits by: a file beside the index, a line for each page that stands above the mean.
//!
//! It is a snapshot: whoever wants newer ranks has them made again. A line that cannot be read ranks nothing, as if its page were like any other.

use std::fs;
use std::io;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::error::{Error, io_error};
use crate::rank::Ranked;
use crate::said::BlockId;

const RANKS: &str = "ranks.tsv";

/// How much a page's score grows with each doubling of its rank. Chosen by hand, not tuned: words matter more than votes.
const BOOST: f32 = 0.1;

/// No page is lifted by more than this.
const BOOST_MAX: f32 = 2.0;

/// By how much the hits of pages are lifted, by a hash of their address.
#[derive(Debug, Default)]
pub(crate) struct Ranks(FxHashMap<u64, f32>);

impl Ranks {
    /// Those that lie beside an index; none where nobody asked for any.
    pub(crate) fn read(folder: &Path) -> Result<Ranks, Error> {
        let file = folder.join(RANKS);
        let lines = match fs::read_to_string(&file) {
            Ok(lines) => lines,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ranks::default()),
            Err(error) => return Err(io_error("read", &file)(error)),
        };
        let boost = |line: &str| {
            let (rank, url) = line.split_once('\t')?;
            Some((key(url), boost(rank.parse().ok()?)))
        };
        Ok(Ranks(lines.lines().filter_map(boost).collect()))
    }

    /// Keeps ranks beside an index, in place of those before; none takes them away.
    pub(crate) fn write(folder: &Path, ranked: &[Ranked]) -> Result<(), Error> {
        let file = folder.join(RANKS);
        let above = ranked.iter().filter(|page| page.is_archived && page.rank > 1.0);
        let lines: String = above.map(|page| format!("{:.3}\t{}\n", page.rank, page.url)).collect();
        let fresh = file.with_extension("new");
        fs::write(&fresh, lines).map_err(io_error("write", &fresh))?;
        fs::rename(&fresh, &file).map_err(io_error("write", &file))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the score of a page's hits is multiplied with.
    pub(crate) fn boost(&self, url: &str) -> f32 {
        self.0.get(&key(url)).copied().unwrap_or(1.0)
    }
}

fn key(url: &str) -> u64 {
    BlockId::of(url.split('#').next().unwrap_or_default()).0
}

fn boost(rank: f32) -> f32 {
    (1.0 + BOOST * rank.max(1.0).log2()).clamp(1.0, BOOST_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(url: &str, rank: f64, is_archived: bool) -> Ranked {
        Ranked { url: url.to_owned(), rank, links_in: 1, is_archived }
    }

    #[test]
    fn pages_above_the_mean_are_lifted_and_never_beyond_all_measure() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Ranks::read(folder.path()).expect("nothing is there").is_empty());
        let pages = [
            ranked("https://a.example/", 8.0, true),
            ranked("https://b.example/", 0.5, true),
            ranked("https://c.example/", 1e30, true),
            ranked("https://d.example/", 9.0, false),
        ];
        Ranks::write(folder.path(), &pages).expect("it can be written");
        let ranks = Ranks::read(folder.path()).expect("it can be read");
        let boosts = ["https://a.example/", "https://b.example/", "https://c.example/", "https://d.example/"];
        assert_eq!(boosts.map(|url| ranks.boost(url)), [1.3, 1.0, 2.0, 1.0]);
    }

    #[test]
    fn a_damaged_line_ranks_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(RANKS), "x\thttps://a.example/\nnan\thttps://b.example/\n4\thttps://c.example/")
            .expect("it can be written");
        let ranks = Ranks::read(folder.path()).expect("it can be read");
        let urls = ["https://a.example/", "https://b.example/", "https://c.example/"];
        assert_eq!(urls.map(|url| ranks.boost(url)), [1.0, 1.0, 1.2]);
    }
}
