//! Crawls under the server: started, watched, paused and stopped by its visitors, so many at a time.
//!
//! A pause ends a run; what is left is in the frontier, from which the next run goes on, also after the server was killed. All crawls that run share one
//! archive that is open to write, and it is closed when none does, so that other programs get their turn.

mod curve;
mod job;
mod order;
mod record;

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};

use axum::http::StatusCode;
use kuai::{
    Access, Archive, CollectError, End, FetchOptions, Frontier, Report, Status, Timestamp, Web, collect, is_shared,
    open, open_crawl, open_frontier,
};

pub(crate) use curve::Point;
pub(crate) use job::{Job, JobState};
pub(crate) use order::{Kind, Order, Reach};

use crate::refusal::Refusal;
use job::{Figures, Live};

/// Crawls that are remembered when they are over.
const ENDED_MAX: usize = 50;
/// Crawls that wait or pause.
const OPEN_MAX: usize = 50;

/// A handle on all crawls.
#[derive(Clone)]
pub(crate) struct Jobs(Arc<Inner>);

struct Inner {
    /// Where the archive lies; nothing for one that lies nowhere, which no crawl can be written to.
    place: Option<PathBuf>,
    /// Where crawls are written down.
    folder: Option<PathBuf>,
    running_max: usize,
    contact: Option<String>,
    table: Mutex<Table>,
    /// The archive that runs share.
    archive: Mutex<Weak<Archive>>,
}

#[derive(Default)]
struct Table {
    jobs: BTreeMap<u64, Job>,
    /// What is wanted of crawls that run, where it is not that they go on.
    wishes: HashMap<u64, Wish>,
    threads: HashMap<u64, JoinHandle<()>>,
    is_closed: bool,
}

/// What is wanted of a crawl that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Pause,
    Stop,
}

/// How many crawls there are, and what they came to.
#[derive(Debug, Default)]
pub(crate) struct JobCounts {
    states: BTreeMap<JobState, u64>,
    pub(crate) captures: u64,
    pub(crate) failures: u64,
}

impl JobCounts {
    pub(crate) fn by_state(&self) -> impl Iterator<Item = (&'static str, u64)> {
        JobState::ALL.into_iter().map(|state| (state.name(), self.states.get(&state).copied().unwrap_or(0)))
    }
}

impl Jobs {
    /// The crawls of the archive at a place, with the folder for what belongs to it.
    pub(crate) fn new(lies: Option<(&Path, &Path)>, running_max: usize, contact: Option<String>) -> Jobs {
        let (place, folder) = lies.unzip();
        let jobs = folder.map(record::load).unwrap_or_default();
        let table = Table { jobs: jobs.into_iter().map(|job| (job.id, job)).collect(), ..Table::default() };
        let (table, archive) = (Mutex::new(table), Mutex::default());
        Jobs(Arc::new(Inner {
            place: place.map(Path::to_owned),
            folder: folder.map(Path::to_owned),
            running_max: running_max.max(1),
            contact,
            table,
            archive,
        }))
    }

    /// Whether crawls can be started at all.
    pub(crate) fn are_possible(&self) -> bool {
        self.0.place.is_some()
    }

    /// All crawls, the latest first.
    pub(crate) fn all(&self) -> Vec<Job> {
        self.0.table().jobs.values().rev().cloned().collect()
    }

    /// One of them.
    pub(crate) fn get(&self, id: u64) -> Result<Job, Refusal> {
        self.0.table().jobs.get(&id).cloned().ok_or_else(|| unknown(id))
    }

    pub(crate) fn counts(&self) -> JobCounts {
        let mut counts = JobCounts::default();
        for job in self.0.table().jobs.values() {
            *counts.states.entry(job.state).or_default() += 1;
            counts.captures += job.figures.captures;
            counts.failures += job.figures.failed;
        }
        counts
    }

    /// Begins a crawl, or puts it into the queue.
    pub(crate) fn start(&self, order: Order) -> Result<Job, Refusal> {
        order.check()?;
        let name = order.name()?;
        if !self.are_possible() {
            return Err(conflict("this archive lies in memory only, so nothing can be collected into it".to_owned()));
        }
        let mut table = self.0.table();
        if let Some(known) = table.jobs.values().find(|job| job.name == name && !is_over(job.state)) {
            let detail = format!("crawl {} does the same and is {}", known.id, known.state.name());
            return Err(conflict(detail));
        }
        if table.jobs.values().filter(|job| !is_over(job.state)).count() >= OPEN_MAX {
            return Err(conflict(format!("{OPEN_MAX} crawls wait or pause: stop one of them first")));
        }
        let id = table.jobs.keys().next_back().map_or(1, |last| last + 1);
        let job = Job {
            id,
            name,
            order,
            state: JobState::Waiting,
            began: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            ended: None,
            end: None,
            fault: None,
            figures: Figures::default(),
            curve: curve::Curve::default(),
            live: None,
        };
        table.jobs.insert(id, job);
        self.0.keep(&table, id);
        self.0.forget_old(&mut table);
        Inner::advance(&self.0, &mut table);
        table.jobs.get(&id).cloned().ok_or_else(|| unknown(id))
    }

    /// Ends a crawl's run so that it can go on later.
    pub(crate) fn pause(&self, id: u64) -> Result<Job, Refusal> {
        self.change(id, |job| match job.state {
            JobState::Running => Ok(Some(Wish::Pause)),
            JobState::Waiting => {
                job.state = JobState::Paused;
                Ok(None)
            }
            JobState::Paused => Ok(None),
            state => Err(conflict(format!("crawl {id} is {}: only one that runs or waits can pause", state.name()))),
        })
    }

    /// Lets a crawl go on: one that paused, was stopped, failed, or left something for later.
    pub(crate) fn resume(&self, id: u64) -> Result<Job, Refusal> {
        self.change(id, |job| {
            if !job.state.is_active() {
                (job.state, job.ended, job.end, job.fault) = (JobState::Waiting, None, None, None);
            }
            Ok(None)
        })
    }

    /// Ends a crawl.
    pub(crate) fn stop(&self, id: u64) -> Result<Job, Refusal> {
        self.change(id, |job| match job.state {
            JobState::Running => Ok(Some(Wish::Stop)),
            JobState::Waiting | JobState::Paused => {
                job.over(JobState::Ended, Some(End::Stopped), None);
                Ok(None)
            }
            JobState::Ended | JobState::Failed => Ok(None),
        })
    }

    /// Ends all runs, to go on another time, and waits until they have.
    pub(crate) fn close(&self) {
        let threads: Vec<_> = {
            let mut table = self.0.table();
            table.is_closed = true;
            table.threads.drain().map(|(_, thread)| thread).collect()
        };
        // A run that broke says so in its job.
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }

    fn change(&self, id: u64, change: impl FnOnce(&mut Job) -> Result<Option<Wish>, Refusal>) -> Result<Job, Refusal> {
        let mut table = self.0.table();
        let job = table.jobs.get_mut(&id).ok_or_else(|| unknown(id))?;
        let wish = change(job)?;
        match wish {
            Some(wish) => drop(table.wishes.insert(id, wish)),
            None => drop(table.wishes.remove(&id)),
        }
        self.0.keep(&table, id);
        Inner::advance(&self.0, &mut table);
        table.jobs.get(&id).cloned().ok_or_else(|| unknown(id))
    }
}

impl Inner {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts what waits, as far as there is room.
    fn advance(inner: &Arc<Inner>, table: &mut Table) {
        let running = table.jobs.values().filter(|job| job.state == JobState::Running).count();
        let waiting = table.jobs.values().filter(|job| job.state == JobState::Waiting).map(|job| job.id);
        let next: Vec<u64> = waiting.take(inner.running_max.saturating_sub(running)).collect();
        for id in next.into_iter().filter(|_| !table.is_closed) {
            let Some(job) = table.jobs.get_mut(&id) else { continue };
            job.state = JobState::Running;
            job.live = Some(Live::default());
            let (order, name, before) = (job.order.clone(), job.name.clone(), job.figures.clone());
            let running = Arc::clone(inner);
            let run = move || {
                let report = running.run(id, &order, &name, &before);
                running.ended(id, report.map(|report| (Figures::after(&before, &report.status), report.end)));
                Inner::advance(&running, &mut running.table());
            };
            match thread::Builder::new().name(format!("kuai-crawl-{id}")).spawn(run) {
                Ok(thread) => drop(table.threads.insert(id, thread)),
                Err(error) => job.over(JobState::Failed, None, Some(error.to_string())),
            }
        }
    }

    /// One run of a crawl; why it could not go on, for people.
    fn run(&self, id: u64, order: &Order, name: &str, before: &Figures) -> Result<Report, String> {
        let place = self.place.as_deref().ok_or("there is no place to collect into")?;
        let (archive, frontier) = self.open(place, name).map_err(|error| chain(&error))?;
        let report = self.run_in(&archive, &*frontier, id, order, before);
        drop(frontier);
        // Whoever opens it next waits until it is closed.
        let _turn = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        drop(archive);
        report
    }

    fn run_in(
        &self,
        archive: &Archive,
        frontier: &dyn Frontier,
        id: u64,
        order: &Order,
        before: &Figures,
    ) -> Result<Report, String> {
        let plan = order.plan(archive).map_err(|refusal| refusal.detail)?;
        let options = FetchOptions {
            contact: self.contact.clone(),
            allow_private: order.allow_private,
            ..FetchOptions::default()
        };
        let web = Web::new(&options).map_err(|error| chain(&error))?;
        let mut watch = |status: &Status| self.watch(id, status, before);
        collect(archive, frontier, &web, &plan, &mut watch).map_err(|error| chain(&error))
    }

    /// Takes over how a run goes; whether it is to go on.
    fn watch(&self, id: u64, status: &Status, before: &Figures) -> bool {
        let mut table = self.table();
        let goes_on = !table.is_closed && !table.wishes.contains_key(&id);
        let Some(job) = table.jobs.get_mut(&id) else { return false };
        job.figures = Figures::after(before, status);
        job.curve.note(job.figures.point());
        job.live.get_or_insert_default().note(status);
        goes_on
    }

    fn ended(&self, id: u64, came_to: Result<(Figures, End), String>) {
        let mut table = self.table();
        let wish = table.wishes.remove(&id);
        table.threads.remove(&id);
        let Some(job) = table.jobs.get_mut(&id) else { return };
        job.live = None;
        match came_to {
            Ok((figures, end)) => {
                job.figures = figures;
                job.curve.close(job.figures.point());
                match (end, wish) {
                    (End::Stopped, Some(Wish::Pause) | None) => job.state = JobState::Paused,
                    _ => job.over(JobState::Ended, Some(end), None),
                }
            }
            Err(fault) => job.over(JobState::Failed, None, Some(fault)),
        }
        self.keep(&table, id);
    }

    /// The archive to write to and the frontier of a crawl. Runs into one folder share the archive, as only one may write there.
    fn open(&self, place: &Path, name: &str) -> Result<(Arc<Archive>, Box<dyn Frontier>), CollectError> {
        if is_shared(place) {
            return open_crawl(place, name).map(|(archive, frontier)| (Arc::new(archive), frontier));
        }
        // The first to open them makes them, and no other meanwhile.
        let mut shared = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let archive = match shared.upgrade() {
            Some(archive) => archive,
            None => Arc::new(open(place, Access::Write)?),
        };
        *shared = Arc::downgrade(&archive);
        let frontier = open_frontier(place, name)?;
        Ok((archive, Box::new(frontier)))
    }

    /// Writes a crawl down.
    fn keep(&self, table: &Table, id: u64) {
        let (Some(folder), Some(job)) = (&self.folder, table.jobs.get(&id)) else { return };
        if let Err(error) = record::save(folder, job) {
            eprintln!("kuai: crawl {id} cannot be written down: {error}");
        }
    }

    /// Forgets the oldest of those that are over.
    fn forget_old(&self, table: &mut Table) {
        let over: Vec<u64> = table.jobs.values().filter(|job| is_over(job.state)).map(|job| job.id).collect();
        for id in over.iter().take(over.len().saturating_sub(ENDED_MAX)) {
            table.jobs.remove(id);
            self.folder.iter().for_each(|folder| record::remove(folder, *id));
        }
    }
}

impl Job {
    fn over(&mut self, state: JobState, end: Option<End>, fault: Option<String>) {
        self.state = state;
        self.ended = Some(Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        (self.end, self.fault) = (end.map(|end| end.name().to_owned()), fault);
    }
}

fn is_over(state: JobState) -> bool {
    matches!(state, JobState::Ended | JobState::Failed)
}

fn unknown(id: u64) -> Refusal {
    Refusal::not_found(format!("there is no crawl {id}"))
}

fn conflict(detail: String) -> Refusal {
    Refusal { status: StatusCode::CONFLICT, detail }
}

/// An error with everything that led to it.
fn chain(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    told
}
