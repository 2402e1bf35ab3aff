//! WARC records into the archive: answers as captures with what was asked, revisits with the bodies that they refer to.
//!
//! One thread reads, others cut and keep; all answers of an address go to the same one, so that they come in in the order of the file.
//! What is in the archive already is not added again, so an import that was stopped or killed is simply run again.

mod ledger;
mod originals;
mod records;
mod work;

use std::hash::{Hash, Hasher};
use std::io::{Read, Seek};
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use kuai_archive::{Archive, Error as ArchiveError};
use kuai_warc::{Error as WarcError, Reader, Wacz, WaczError};
use rustc_hash::FxHasher;

use ledger::Ledger;
use originals::Name;
use records::{Answer, Answers, Taken};
use work::{Job, Searched, Work};

/// Bytes of answers that are made durable together. What a killed import loses is read again.
const DURABLE_BYTES: usize = 64 << 20;

/// Answers that wait for one worker.
const QUEUE: usize = 64;

/// What became of the records of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Records of any type.
    pub records: u64,
    /// Captures of addresses that were not in the archive.
    pub new_urls: u64,
    /// Captures that differ from what was there.
    pub new_versions: u64,
    /// Captures that are the same as what was there, at another time.
    pub seen_again: u64,
    /// Captures that were in the archive already.
    pub known: u64,
    /// Records that an archive has no place for: warcinfo, metadata, conversions, requests of their own, addresses other than http(s).
    pub passed_over: u64,
    /// Records that are damaged, or that refer to something that is not there; each was told.
    pub problems: u64,
}

/// What happens during an import.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportEvent {
    /// So many bytes of the file were read.
    Progress(u64),
    /// Something could not be taken in: which record, and why.
    Problem(String),
}

/// Told what happens; answers whether to go on.
pub type ImportWatch<'a> = &'a mut dyn FnMut(ImportEvent) -> bool;

/// Why an import cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The archive cannot be written or read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The file is no WACZ file.
    #[error(transparent)]
    Wacz(#[from] WaczError),
}

/// Takes files into an archive. Revisits find their bodies in all that came before: records of the same file, of files imported earlier,
/// and what the archive had.
pub struct Importer<'a> {
    archive: &'a Archive,
    ledger: Ledger,
    worker_count: usize,
    entries_before: u64,
    searched: Mutex<Searched>,
}

impl<'a> Importer<'a> {
    /// Imports with as many workers as the machine has cores.
    pub fn new(archive: &'a Archive) -> Result<Importer<'a>, ArchiveError> {
        let worker_count = thread::available_parallelism().map_or(1, usize::from);
        let entries_before = archive.stats()?.captures;
        Ok(Importer { archive, ledger: Ledger::default(), worker_count, entries_before, searched: Mutex::default() })
    }

    /// With so many workers beside the thread that reads.
    pub fn with_workers(self, worker_count: usize) -> Importer<'a> {
        Importer { worker_count: worker_count.max(1), ..self }
    }

    /// Takes the records of a WARC file in. Goes on until `watch` answers false, or to the end.
    pub fn import(&self, file: impl Read, watch: ImportWatch<'_>) -> Result<Imported, ImportError> {
        let work = Work {
            archive: self.archive,
            ledger: &self.ledger,
            entries_before: self.entries_before,
            searched: &self.searched,
        };
        let read = thread::scope(|scope| {
            let queues = (0..self.worker_count).map(|_| {
                let (queue, jobs) = sync_channel(QUEUE);
                scope.spawn(|| work.run(jobs));
                queue
            });
            let reading = Reading { importer: self, queues: queues.collect(), number: 0, bytes: 0 };
            reading.run(Reader::new(file), watch)
        });
        self.tell_problems(watch);
        let imported = self.ledger.take_imported()?;
        read?;
        self.archive.sync()?;
        Ok(imported)
    }

    /// Takes the records of all WARC files in a WACZ file in.
    pub fn import_wacz(&self, file: impl Read + Seek, watch: ImportWatch<'_>) -> Result<Imported, ImportError> {
        let mut wacz = Wacz::open(file)?;
        let mut sum = Imported::default();
        let mut begin = 0;
        for path in wacz.warcs().to_vec() {
            let (mut end, mut goes_on) = (begin, true);
            let mut watch_part = |event| {
                let event = match event {
                    ImportEvent::Progress(position) => {
                        end = begin + position;
                        ImportEvent::Progress(end)
                    }
                    ImportEvent::Problem(what) => ImportEvent::Problem(format!("{path} {what}")),
                };
                goes_on = watch(event);
                goes_on
            };
            let (imported, is_other) = wacz.read(&path, |file| self.import(file, &mut watch_part))?;
            sum = sum.plus(imported?);
            if is_other {
                sum.problems += 1;
                watch(ImportEvent::Problem(format!("{path} is other than datapackage.json says")));
            }
            if !goes_on {
                break;
            }
            begin = end;
        }
        Ok(sum)
    }

    fn tell_problems(&self, watch: ImportWatch<'_>) {
        for what in self.ledger.take_problems() {
            watch(ImportEvent::Problem(what));
        }
    }
}

/// Takes the records of one WARC file in; see [`Importer`].
pub fn import(archive: &Archive, file: impl Read, watch: ImportWatch<'_>) -> Result<Imported, ImportError> {
    Importer::new(archive)?.import(file, watch)
}

impl Imported {
    /// What became of the records of two files.
    pub fn plus(self, other: Imported) -> Imported {
        Imported {
            records: self.records + other.records,
            new_urls: self.new_urls + other.new_urls,
            new_versions: self.new_versions + other.new_versions,
            seen_again: self.seen_again + other.seen_again,
            known: self.known + other.known,
            passed_over: self.passed_over + other.passed_over,
            problems: self.problems + other.problems,
        }
    }
}

/// A file that is being read, and those who take what is read.
struct Reading<'a> {
    importer: &'a Importer<'a>,
    queues: Vec<SyncSender<Job<'a>>>,
    number: u64,
    /// Bytes of answers since the last were made durable.
    bytes: usize,
}

impl<'a> Reading<'a> {
    fn run<R: Read>(mut self, mut reader: Reader<R>, watch: ImportWatch<'_>) -> Result<(), ArchiveError> {
        let mut answers = Answers::default();
        let ledger = &self.importer.ledger;
        while !ledger.has_failed() {
            self.importer.tell_problems(watch);
            if !watch(ImportEvent::Progress(reader.position())) {
                // The request of the last answer may come yet, so that is left to the next run.
                return Ok(());
            }
            match reader.next_record() {
                Some(Ok(record)) => {
                    ledger.count_record();
                    match answers.take(record) {
                        Taken::Answer(done) => done.map_or(Ok(()), |answer| self.hand_over(answer))?,
                        Taken::PassedOver => ledger.count_passed_over(),
                        Taken::Problem(why) => ledger.problem(why),
                    }
                }
                Some(Err(error)) => {
                    ledger.problem(error.to_string());
                    if matches!(error, WarcError::Io { .. }) {
                        break;
                    }
                }
                None => break,
            }
        }
        answers.last().map_or(Ok(()), |answer| self.hand_over(answer))
    }

    fn hand_over(&mut self, answer: Box<Answer>) -> Result<(), ArchiveError> {
        self.number += 1;
        let url = answer.url.as_str();
        let names = [vec![Name::address(url, answer.time)], Name::of(&answer.fields)].concat();
        let bytes = answer.head.len() + answer.payload.len();
        let mut hasher = FxHasher::default();
        url.hash(&mut hasher);
        let queue = &self.queues[hasher.finish() as usize % self.queues.len()];
        let under_way = self.importer.ledger.begin(self.number, names, bytes);
        // A worker ends early only by a panic, which comes to light when it is joined.
        let _ = queue.send(Job { number: self.number, answer, under_way });
        self.bytes += bytes;
        if self.bytes > DURABLE_BYTES {
            self.bytes = 0;
            self.importer.archive.sync()?;
        }
        Ok(())
    }
}
