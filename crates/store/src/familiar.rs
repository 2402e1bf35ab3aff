//! Hosts of which many new URLs came in, as in a crawl: the root that was chosen last serves the next ones too.
//!
//! The first URLs of a host get the full effort, because most hosts have few in an archive. After that the choice is made again
//! only now and then, among roots that are digested once, and what leans on them is pressed lightly until a compaction
//! presses it again.

use std::collections::HashMap;
use std::sync::Arc;

use crate::frame::Digest;
use crate::limits::ROOT_MAX;
use crate::record::Root;

/// How hard the first entry of a reel of a familiar host is pressed. On postgresql-doc, level 9 takes five times as long
/// for frames that are an eighth shorter.
pub(crate) const LIGHT_LEVEL: i32 = 3;

/// How hard it is pressed where very many come at once.
pub(crate) const HASTY_LEVEL: i32 = 1;

/// A host is familiar from this many new URLs on.
const FAMILIAR_FROM: u32 = 16;
/// After so many new URLs the root of a familiar host is chosen again. Calibrated on rust-doc, where 64 takes a quarter more.
const CHOICE_EVERY: u32 = 16;
/// Likewise where very many come at once; before, when there are twice as many as at the last choice.
const HASTY_CHOICE_EVERY: u32 = 64;
/// A page that is so many times as long as any root becomes one itself: the longer a root, the more there is to lean on.
const LONGER_ROOT_FACTOR: usize = 2;
/// No more hosts are remembered …
const HOSTS_MAX: usize = 1024;
/// … and digests take at most this much memory.
const WEIGHT_MAX: usize = 16 << 20;

/// A root that is ready to be leant on.
#[derive(Debug)]
pub(crate) struct DigestedRoot {
    pub(crate) root: Root,
    pub(crate) digest: Digest,
}

/// What the next new URL of a host leans on.
#[derive(Debug)]
pub(crate) enum Advice {
    /// What suits it best, and pressed hard: the host has few URLs.
    Best,
    /// What suits it best; this is the favourite from now on.
    Choose,
    /// The favourite; on nothing where there is none.
    Take(Option<Arc<DigestedRoot>>),
}

/// Hosts by name, within bounds on their number and memory.
#[derive(Debug, Default)]
pub(crate) struct FamiliarHosts {
    hosts: HashMap<String, Host>,
    use_count: u64,
}

#[derive(Debug, Default)]
struct Host {
    url_count: u32,
    used: u64,
    /// New URLs until the next choice.
    choice_in: u32,
    /// The roots of the last choice.
    roots: Vec<Arc<DigestedRoot>>,
    favourite: Option<Arc<DigestedRoot>>,
}

impl FamiliarHosts {
    /// Counts a new URL of a host, and tells what it shall lean on.
    pub(crate) fn advise(&mut self, host: &str, body_length: usize, is_hasty: bool) -> Advice {
        self.use_count += 1;
        if !self.hosts.contains_key(host) {
            self.make_room(|hosts| hosts.hosts.len() < HOSTS_MAX);
        }
        let known = self.hosts.entry(host.to_owned()).or_default();
        known.used = self.use_count;
        known.advise(body_length, is_hasty)
    }

    /// A root of a host, if it was among those of the last choice.
    pub(crate) fn digested(&self, host: &str, reel: u32) -> Option<Arc<DigestedRoot>> {
        self.hosts.get(host)?.roots.iter().find(|digested| digested.root.reel == reel).cloned()
    }

    /// Remembers a choice: the roots that were tried, and the one that was best, if one was good.
    pub(crate) fn prefer(&mut self, host: &str, tried: Vec<Arc<DigestedRoot>>, best: Option<Arc<DigestedRoot>>) {
        if let Some(host) = self.hosts.get_mut(host) {
            host.roots = tried;
            host.favourite = best.or(host.favourite.take());
        }
        self.make_room(|hosts| hosts.weight() <= WEIGHT_MAX);
    }

    /// Forgets the hosts that were used longest ago until there is room.
    fn make_room(&mut self, has_room: impl Fn(&FamiliarHosts) -> bool) {
        while !has_room(self) && self.hosts.len() > 1 {
            let oldest = self.hosts.iter().min_by_key(|(_, host)| host.used).map(|(name, _)| name.clone());
            oldest.and_then(|name| self.hosts.remove(&name));
        }
    }

    fn weight(&self) -> usize {
        self.hosts.values().map(Host::weight).sum()
    }
}

impl Host {
    fn advise(&mut self, body_length: usize, is_hasty: bool) -> Advice {
        self.url_count = self.url_count.saturating_add(1);
        if self.url_count < FAMILIAR_FROM && !is_hasty {
            return Advice::Best;
        }
        if self.is_outgrown_by(body_length) {
            self.choice_in = 0;
            return Advice::Take(None);
        }
        if self.choice_in == 0 {
            self.choice_in = if is_hasty { HASTY_CHOICE_EVERY.min(self.url_count) } else { CHOICE_EVERY };
            return Advice::Choose;
        }
        self.choice_in -= 1;
        Advice::Take(self.favourite.clone())
    }

    /// Whether a body would be a much longer root than those of the last choice.
    fn is_outgrown_by(&self, body_length: usize) -> bool {
        let longest = self.roots.iter().map(|digested| digested.root.length as usize).max();
        // Where a choice is due, there may be a longer one already.
        self.choice_in > 0 && longest.is_some_and(|longest| body_length.min(ROOT_MAX) > LONGER_ROOT_FACTOR * longest)
    }

    fn weight(&self) -> usize {
        // The favourite may be one of an earlier choice.
        let favourite =
            self.favourite.iter().filter(|favourite| self.roots.iter().all(|root| root.root != favourite.root));
        self.roots.iter().chain(favourite).map(|digested| digested.digest.weight()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(length: usize) -> Arc<DigestedRoot> {
        let digest = Digest::of(&b"something long".repeat(length / 14), LIGHT_LEVEL);
        Arc::new(DigestedRoot { root: Root { reel: 7, length: length as u32 }, digest })
    }

    /// Makes a host familiar, with a root of this length.
    fn familiar(host: &str, length: usize, hosts: &mut FamiliarHosts) {
        for _ in 1..FAMILIAR_FROM {
            assert!(matches!(hosts.advise(host, 100, false), Advice::Best));
        }
        assert!(matches!(hosts.advise(host, 100, false), Advice::Choose));
        let root = root(length);
        hosts.prefer(host, vec![Arc::clone(&root)], Some(root));
    }

    #[test]
    fn a_familiar_host_takes_its_favourite_and_chooses_now_and_then() {
        let mut hosts = FamiliarHosts::default();
        familiar("example.org", 100, &mut hosts);
        for _ in 0..CHOICE_EVERY {
            assert!(matches!(hosts.advise("example.org", 200, false), Advice::Take(Some(_))));
        }
        assert!(matches!(hosts.advise("example.org", 200, false), Advice::Choose));
        assert!(matches!(hosts.advise("other.example.org", 200, false), Advice::Best));
    }

    #[test]
    fn in_haste_a_host_is_familiar_at_once_and_chooses_ever_more_seldom() {
        let mut hosts = FamiliarHosts::default();
        let choices = (1..300).filter(|_| matches!(hosts.advise("example.org", 100, true), Advice::Choose));
        assert_eq!(choices.collect::<Vec<_>>(), [1, 3, 7, 15, 31, 63, 127, 192, 257]);
    }

    #[test]
    fn a_favourite_stays_where_a_choice_finds_none() {
        let mut hosts = FamiliarHosts::default();
        familiar("example.org", 100, &mut hosts);
        hosts.prefer("example.org", Vec::new(), None);
        assert!(matches!(hosts.advise("example.org", 200, false), Advice::Take(Some(_))));
    }

    #[test]
    fn a_much_longer_page_leans_on_nothing_and_the_next_one_chooses() {
        let mut hosts = FamiliarHosts::default();
        familiar("example.org", 100, &mut hosts);
        assert!(matches!(hosts.advise("example.org", 201, false), Advice::Take(None)));
        assert!(matches!(hosts.advise("example.org", 201, false), Advice::Choose));
        assert!(hosts.digested("example.org", 7).is_some() && hosts.digested("example.org", 8).is_none());
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_first() {
        let mut hosts = FamiliarHosts::default();
        for number in 0..HOSTS_MAX + 10 {
            hosts.advise(&format!("{number}.example.org"), 100, false);
            hosts.advise("example.org", 100, false);
        }
        assert_eq!(hosts.hosts.len(), HOSTS_MAX);
        assert!(hosts.hosts.contains_key("example.org") && !hosts.hosts.contains_key("0.example.org"));
    }

    #[test]
    fn digests_keep_their_bound() {
        let mut hosts = FamiliarHosts::default();
        for number in 0..40 {
            familiar(&format!("{number}.example.org"), ROOT_MAX, &mut hosts);
        }
        assert!(hosts.weight() <= WEIGHT_MAX);
        assert!(hosts.hosts.contains_key("39.example.org") && !hosts.hosts.contains_key("0.example.org"));
    }
}
