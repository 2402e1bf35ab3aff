//! The frontier in memory: the model that others are compared with, and the place of crawls that need not survive.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use kuai_crawl::{
    Batch, Claim, Counts, Decision, DueVisit, Ending, Find, Frontier, FrontierError, HostId, Known, Stage, UrlId, Want,
};
use url::Url;

use super::host_name;

/// A frontier that lives as long as its value.
#[derive(Debug, Default)]
pub struct MemoryFrontier(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    urls: Vec<Entry>,
    by_url: HashMap<Url, usize>,
    hosts: Vec<Host>,
    by_name: HashMap<String, usize>,
    mark: u64,
    memory: Option<String>,
    visits: BTreeMap<String, DueVisit>,
}

#[derive(Debug)]
struct Entry {
    find: Find,
    host: usize,
    /// `None` where it was skipped when it was found.
    priority: Option<i32>,
    stage: Stage,
    attempts: u32,
    at: Timestamp,
    status: Option<u16>,
    reason: String,
}

#[derive(Debug)]
struct Host {
    not_before: Timestamp,
}

impl MemoryFrontier {
    /// An empty frontier.
    pub fn new() -> MemoryFrontier {
        MemoryFrontier::default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Frontier for MemoryFrontier {
    fn record(&self, batch: &Batch) -> Result<u64, FrontierError> {
        let mut state = self.lock();
        batch.endings.iter().for_each(|(id, ending)| state.end(*id, ending));
        let fresh = batch.finds.iter().filter(|find| state.find(find)).count();
        for (host, until) in &batch.delays {
            if let Some(host) = state.hosts.get_mut(host.0 as usize) {
                host.not_before = host.not_before.max(*until);
            }
        }
        batch.blocks.iter().for_each(|(host, reason)| state.block(*host, reason));
        state.visits.extend(batch.visits.iter().map(|visit| (visit.url.to_string(), visit.clone())));
        state.mark = state.mark.max(batch.mark.unwrap_or(0));
        state.memory = batch.memory.clone().or(state.memory.take());
        Ok(fresh as u64)
    }

    fn claim(&self, now: Timestamp, want: &Want) -> Result<Vec<Claim>, FrontierError> {
        let mut state = self.lock();
        for entry in &mut state.urls {
            if matches!(entry.stage, Stage::Claimed | Stage::Later) && entry.at <= now {
                entry.stage = Stage::Ready;
            }
        }
        let mut claims = Vec::new();
        for host in state.hosts_to_ask(now, want) {
            let count = (want.limit - claims.len()).min(want.per_host - state.claimed(host));
            for index in state.ready(host).into_iter().take(count) {
                let entry = &mut state.urls[index];
                (entry.stage, entry.at) = (Stage::Claimed, now.saturating_add(want.lease).unwrap_or(Timestamp::MAX));
                claims.push(entry.claim(index));
            }
        }
        Ok(claims)
    }

    fn next_time(&self, now: Timestamp, want: &Want) -> Result<Option<Timestamp>, FrontierError> {
        let state = self.lock();
        let is_open = |host: &usize| !state.ready(*host).is_empty() && state.claimed(*host) < want.per_host;
        let hosts = (0..state.hosts.len()).filter(is_open).map(|host| state.hosts[host].not_before);
        let waiting = state.urls.iter().filter(|entry| matches!(entry.stage, Stage::Claimed | Stage::Later));
        Ok(hosts.chain(waiting.map(|entry| entry.at)).min().map(|time| time.max(now)))
    }

    fn release(&self) -> Result<(), FrontierError> {
        let mut state = self.lock();
        let claimed = state.urls.iter_mut().filter(|entry| entry.stage == Stage::Claimed);
        claimed.for_each(|entry| entry.stage = Stage::Ready);
        Ok(())
    }

    fn reset(&self) -> Result<(), FrontierError> {
        let mut state = self.lock();
        *state = State { mark: state.mark, visits: std::mem::take(&mut state.visits), ..State::default() };
        Ok(())
    }

    fn counts(&self) -> Result<Counts, FrontierError> {
        let mut counts = Counts::default();
        self.lock().urls.iter().for_each(|entry| counts.add(entry.stage, 1));
        Ok(counts)
    }

    fn look_up(&self, url: &Url) -> Result<Option<Known>, FrontierError> {
        let state = self.lock();
        Ok(state.by_url.get(url).map(|index| state.urls[*index].known(*index)))
    }

    fn known(&self, id: UrlId) -> Result<Option<Known>, FrontierError> {
        let index = id.0 as usize;
        Ok(self.lock().urls.get(index).map(|entry| entry.known(index)))
    }

    fn list(&self, stage: Stage, after: Option<UrlId>, limit: usize) -> Result<Vec<Known>, FrontierError> {
        let state = self.lock();
        let from = after.map_or(0, |id| id.0 as usize + 1);
        let urls = state.urls.iter().enumerate().skip(from).filter(|(_, entry)| entry.stage == stage);
        Ok(urls.take(limit).map(|(index, entry)| entry.known(index)).collect())
    }

    fn mark(&self) -> Result<u64, FrontierError> {
        Ok(self.lock().mark)
    }

    fn memory(&self) -> Result<Option<String>, FrontierError> {
        Ok(self.lock().memory.clone())
    }

    fn due(&self, until: Option<Timestamp>, limit: usize) -> Result<Vec<DueVisit>, FrontierError> {
        let state = self.lock();
        let is_due = |visit: &&DueVisit| until.is_none_or(|until| visit.due <= until);
        let mut visits: Vec<DueVisit> = state.visits.values().filter(is_due).cloned().collect();
        visits.sort_by_key(|visit| visit.due);
        visits.truncate(limit);
        Ok(visits)
    }
}

impl State {
    fn end(&mut self, id: UrlId, ending: &Ending) {
        let Some(entry) = self.urls.get_mut(id.0 as usize).filter(|entry| entry.stage != Stage::Done) else { return };
        let (stage, status, reason) = match ending {
            Ending::Unclaimed => {
                if entry.stage == Stage::Claimed {
                    entry.stage = Stage::Ready;
                }
                return;
            }
            Ending::Done { status } => (Stage::Done, Some(*status), ""),
            Ending::Failed { reason } => (Stage::Failed, None, reason.as_str()),
            Ending::Skipped { reason } => (Stage::Skipped, None, reason.as_str()),
            Ending::Later { reason, at } => {
                entry.at = *at;
                (Stage::Later, None, reason.as_str())
            }
        };
        (entry.stage, entry.status, entry.reason) = (stage, status, reason.to_owned());
        entry.attempts += 1;
    }

    fn find(&mut self, find: &Find) -> bool {
        let priority = match find.decision {
            Decision::Follow(priority) => Some(priority),
            Decision::Skip => None,
        };
        let Some(&index) = self.by_url.get(&find.url) else {
            let (stage, reason) = match priority {
                Some(_) => (Stage::Ready, String::new()),
                None => (Stage::Skipped, find.why.clone()),
            };
            let entry = Entry {
                find: find.clone(),
                host: self.host(&find.url),
                priority,
                stage,
                attempts: 0,
                at: Timestamp::MIN,
                status: None,
                reason,
            };
            self.by_url.insert(find.url.clone(), self.urls.len());
            self.urls.push(entry);
            return stage == Stage::Ready;
        };
        let entry = &mut self.urls[index];
        let was_skipped = entry.stage == Stage::Skipped && entry.priority.is_none();
        if priority.is_none() || !(was_skipped || entry.stage == Stage::Ready && priority > entry.priority) {
            return false;
        }
        (entry.find, entry.priority, entry.stage) = (find.clone(), priority, Stage::Ready);
        entry.reason.clear();
        was_skipped
    }

    fn block(&mut self, host: HostId, reason: &str) {
        let ready = self.urls.iter_mut().filter(|entry| entry.host == host.0 as usize && entry.stage == Stage::Ready);
        ready.for_each(|entry| (entry.stage, entry.reason) = (Stage::Failed, reason.to_owned()));
    }

    fn host(&mut self, url: &Url) -> usize {
        let fresh = self.hosts.len();
        let host = *self.by_name.entry(host_name(url).to_owned()).or_insert(fresh);
        if host == fresh {
            self.hosts.push(Host { not_before: Timestamp::MIN });
        }
        host
    }

    /// Hosts that may be asked now, those with the best addresses first.
    fn hosts_to_ask(&self, now: Timestamp, want: &Want) -> Vec<usize> {
        let is_open = |host: &usize| self.hosts[*host].not_before <= now && self.claimed(*host) < want.per_host;
        let best = |host: usize| self.ready(host).first().map(|index| self.urls[*index].priority);
        let mut hosts: Vec<_> =
            (0..self.hosts.len()).filter(is_open).filter_map(|host| Some((best(host)?, host))).collect();
        hosts.sort_by_key(|&(best, host)| (std::cmp::Reverse(best), self.hosts[host].not_before, host));
        hosts.into_iter().map(|(_, host)| host).collect()
    }

    /// The ready addresses of a host, best first.
    fn ready(&self, host: usize) -> Vec<usize> {
        let is_ready = |index: &usize| self.urls[*index].host == host && self.urls[*index].stage == Stage::Ready;
        let mut ready: Vec<usize> = (0..self.urls.len()).filter(is_ready).collect();
        ready.sort_by_key(|index| (std::cmp::Reverse(self.urls[*index].priority), *index));
        ready
    }

    fn claimed(&self, host: usize) -> usize {
        self.urls.iter().filter(|entry| entry.host == host && entry.stage == Stage::Claimed).count()
    }
}

impl Entry {
    fn claim(&self, index: usize) -> Claim {
        Claim {
            id: UrlId(index as i64),
            host: HostId(self.host as i64),
            url: self.find.url.clone(),
            via: self.find.via,
            depth: self.find.depth,
            hops: self.find.hops,
            attempts: self.attempts,
            why: self.find.why.clone(),
            archived_after: None,
        }
    }

    fn known(&self, index: usize) -> Known {
        Known {
            id: UrlId(index as i64),
            url: self.find.url.clone(),
            via: self.find.via,
            parent: self.find.parent,
            depth: self.find.depth,
            hops: self.find.hops,
            stage: self.stage,
            attempts: self.attempts,
            status: self.status,
            why: self.find.why.clone(),
            reason: self.reason.clone(),
        }
    }
}
