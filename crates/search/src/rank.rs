//! PageRank by block: which pages are recommended by what others say, not by what every menu repeats.
//!
//! A page's vote is shared by the pages that its text and its lists of related links lead to; navigation, adverts, copyright lines and other noise
//! have no vote. An address that sends to another gives its vote there. Time and memory are linear in pages and links, and the answer depends on
//! nothing but the archive.

use kuai_archive::Archive;
use kuai_page::{Label, Timestamp, Url};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::links::{page_address, targets};
use crate::period::Period;
use crate::target::{Target, target};
use crate::walk::{Going, each_url, newest, read};

/// The share of a page's rank that its links hand on.
const DAMPING: f64 = 0.85;

/// Rounds at most; each takes about a seventh off what is wrong, so by then it is nothing.
const ROUNDS_MAX: usize = 100;

/// Ranks that change by less in all are settled.
const SETTLED: f64 = 1e-9;

/// A page and how much it is recommended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The page.
    pub url: String,
    /// Its rank; 1 is the mean of all.
    pub rank: f64,
    /// Pages that vote for it.
    pub links_in: u32,
    /// Whether the archive has it.
    pub is_archived: bool,
}

/// The pages of an archive at a time, the most recommended first; pages that are linked to and not archived are among them.
pub fn rank(archive: &Archive, at: Option<Timestamp>, going: Going<'_>) -> Result<Vec<Ranked>, Error> {
    let mut graph = Graph::default();
    let period = at.map_or(Period::Now, Period::At);
    each_url(archive, going, |url| graph.add(archive, url, period))?;
    let ranks = graph.ranks();
    let mut links_in = vec![0; ranks.len()];
    graph.edges.iter().for_each(|(_, to)| links_in[*to as usize] += 1);
    let mut ranked: Vec<Ranked> = graph
        .ids
        .into_iter()
        .map(|(url, id)| {
            let place = id as usize;
            let is_archived = graph.is_archived[place];
            Ranked { url, rank: ranks[place] * ranks.len() as f64, links_in: links_in[place], is_archived }
        })
        .collect();
    ranked.sort_by(|a, b| b.rank.total_cmp(&a.rank).then_with(|| a.url.cmp(&b.url)));
    Ok(ranked)
}

/// Whether the links of a block are recommendations. A method that tells no labels leaves nothing to go by.
pub(crate) fn votes(label: Option<Label>) -> bool {
    matches!(label, None | Some(Label::Main | Label::Title | Label::Small | Label::Related))
}

/// Pages by number, and their votes.
#[derive(Default)]
struct Graph {
    ids: FxHashMap<String, u32>,
    is_archived: Vec<bool>,
    /// From and to, each pair once, in the order of `from`.
    edges: Vec<(u32, u32)>,
}

impl Graph {
    fn add(&mut self, archive: &Archive, url: &Url, period: Period) -> Result<(), Error> {
        let mut to: Vec<u32> = match target(archive, url, period.end())? {
            Target::NotArchived => return Ok(()),
            Target::Moved { to, .. } => to.map(|to| self.id(page_address(to))).into_iter().collect(),
            Target::Dead { .. } => Vec::new(),
            Target::There { .. } | Target::Failing { .. } => self.voted(archive, url, period)?,
        };
        let from = self.id(page_address(url.clone()));
        self.is_archived[from as usize] = true;
        to.sort_unstable();
        to.dedup();
        self.edges.extend(to.into_iter().filter(|to| *to != from).map(|to| (from, to)));
        Ok(())
    }

    fn voted(&mut self, archive: &Archive, url: &Url, period: Period) -> Result<Vec<u32>, Error> {
        let sightings = archive.sightings(url)?;
        let Some(shown) = newest(&sightings, period) else { return Ok(Vec::new()) };
        let Some(page) = read(archive, url, shown.number)? else { return Ok(Vec::new()) };
        Ok(targets(&page).filter(|(_, label, _)| votes(*label)).map(|(to, ..)| self.id(to)).collect())
    }

    fn id(&mut self, url: Url) -> u32 {
        let next = self.ids.len() as u32;
        let id = *self.ids.entry(url.into()).or_insert(next);
        if id == next {
            self.is_archived.push(false);
        }
        id
    }

    /// Ranks that sum to 1.
    fn ranks(&self) -> Vec<f64> {
        let count = self.ids.len();
        let mut votes = vec![0_u32; count];
        self.edges.iter().for_each(|(from, _)| votes[*from as usize] += 1);
        let even = 1.0 / count.max(1) as f64;
        let mut ranks = vec![even; count];
        let mut next = vec![0.0; count];
        for _ in 0..ROUNDS_MAX {
            // What pages without a vote have is shared by all.
            let kept: f64 = ranks.iter().zip(&votes).filter(|(_, votes)| **votes == 0).map(|(rank, _)| rank).sum();
            next.fill((1.0 - DAMPING) * even + DAMPING * kept * even);
            for (from, to) in &self.edges {
                next[*to as usize] += DAMPING * ranks[*from as usize] / f64::from(votes[*from as usize]);
            }
            let change: f64 = ranks.iter().zip(&next).map(|(before, after)| (before - after).abs()).sum();
            std::mem::swap(&mut ranks, &mut next);
            if change < SETTLED {
                break;
            }
        }
        ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: u32, edges: &[(u32, u32)]) -> Graph {
        let ids = (0..count).map(|id| (id.to_string(), id)).collect();
        Graph { ids, is_archived: vec![true; count as usize], edges: edges.to_vec() }
    }

    #[test]
    fn ranks_sum_to_one_and_follow_the_votes() {
        let ranks = graph(4, &[(0, 2), (1, 2), (2, 3)]).ranks();
        assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{ranks:?}");
        assert!(ranks[2] > ranks[0] && ranks[3] > ranks[0] && ranks[0] == ranks[1], "{ranks:?}");
    }

    #[test]
    fn a_ring_is_even_and_nothing_has_no_ranks() {
        let ring = graph(3, &[(0, 1), (1, 2), (2, 0)]).ranks();
        assert!(ring.iter().all(|rank| (rank - 1.0 / 3.0).abs() < 1e-9), "{ring:?}");
        assert_eq!(graph(0, &[]).ranks(), Vec::<f64>::new());
    }
}
