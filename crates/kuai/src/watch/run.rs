//! Goes through what is new in the change feed, and tells whom it concerns.

use std::collections::HashSet;

use kuai_archive::{Archive, Change};
use kuai_page::{Timestamp, Url};
use kuai_search::Index;

use super::alert::Alert;
use super::error::Error;
use super::list::{Watch, Watches};
use super::look::{Looked, look};
use super::subject::Subject;
use super::tell::{Message, tell};

/// Changes that are looked at before the marks are saved.
const BATCH_CHANGES: usize = 512;

/// What a run may use of the world.
pub struct Round<'a> {
    /// The archive.
    pub archive: &'a Archive,
    /// Its search index, brought up to date; needed for watches of queries only, which look no farther than it reaches.
    pub index: Option<&'a Index>,
    /// Writes an alert as JSON, for commands and webhooks.
    pub json: &'a dyn Fn(&Alert) -> String,
    /// The clock, for signatures.
    pub now: &'a dyn Fn() -> Timestamp,
    /// Whether to go on; what is told stays told.
    pub go_on: &'a dyn Fn() -> bool,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Alerts that somebody was told of.
    pub alerts: u64,
    /// Channels that could not tell; they are tried again from the same place.
    pub failures: Vec<Failure>,
    /// Captures that cannot be read any more and were passed over; `kuai verify` says more about them.
    pub unreadable: u64,
}

/// A channel that could not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number of the watch.
    pub watch: u32,
    /// Why.
    pub why: String,
}

/// Tells what is new to every watch; `rang` hears of each alert that was told to anybody.
pub fn run(round: &Round<'_>, watches: &mut Watches, rang: &mut dyn FnMut(&Alert)) -> Result<Ran, Error> {
    let newest = round.archive.stats()?.captures;
    // An archive that was put back from a copy is behind the marks.
    channels(watches).for_each(|mark| *mark = newest.min(*mark));
    let mut since = channels(watches).map(|mark| *mark).min().unwrap_or(newest);
    let mut rounds = Running { round, ran: Ran::default(), failed: HashSet::new() };
    while (round.go_on)() {
        let changes = round.archive.changes(since, BATCH_CHANGES)?;
        let Some(last) = changes.last() else { break };
        since = last.row.sequence;
        for change in &changes {
            if !(round.go_on)() {
                return Ok(rounds.ran);
            }
            rounds.tell_of(change, watches, rang)?;
        }
        rounds.advance(watches, since)?;
    }
    Ok(rounds.ran)
}

fn channels(watches: &mut Watches) -> impl Iterator<Item = &mut u64> {
    watches.all_mut().iter_mut().flat_map(|watch| &mut watch.channels).map(|channel| &mut channel.mark)
}

struct Running<'a> {
    round: &'a Round<'a>,
    ran: Ran,
    /// Channels that failed, by the number of their watch and their place in it.
    failed: HashSet<(u32, usize)>,
}

impl Running<'_> {
    fn tell_of(&mut self, change: &Change, watches: &mut Watches, rang: &mut dyn FnMut(&Alert)) -> Result<(), Error> {
        let Ok(url) = Url::parse(&change.url) else { return Ok(()) };
        let sequence = change.row.sequence;
        let is_concerned = |watch: &Watch| {
            watch.subject.covers(&url) && sequence <= self.end(watch) && !self.untold(watch, sequence).is_empty()
        };
        let concerned: Vec<usize> =
            watches.all().iter().enumerate().filter(|(_, watch)| is_concerned(watch)).map(|(place, _)| place).collect();
        if concerned.is_empty() {
            return Ok(());
        }
        let step = match look(self.round.archive, &url, change)? {
            Looked::Differs(step) => step,
            Looked::Same => return Ok(()),
            Looked::Unreadable => {
                self.ran.unreadable += 1;
                return Ok(());
            }
        };
        for place in concerned {
            let alert = step.alert(self.round.archive, self.round.index, &watches.all()[place])?;
            let Some(alert) = alert else { continue };
            if self.tell(&alert, &mut watches.all_mut()[place]) {
                watches.save()?;
                self.ran.alerts += 1;
                rang(&alert);
            }
        }
        Ok(())
    }

    /// Tells every channel of a watch that has not heard of it, and says whether any has now.
    fn tell(&mut self, alert: &Alert, watch: &mut Watch) -> bool {
        let json = (self.round.json)(alert);
        let mut is_told = false;
        for place in self.untold(watch, alert.sequence) {
            let channel = &mut watch.channels[place];
            match tell(&channel.way, &Message { alert, json: &json, now: (self.round.now)() }) {
                Ok(()) => (channel.mark, is_told) = (alert.sequence, true),
                Err(why) => {
                    self.failed.insert((watch.number, place));
                    self.ran.failures.push(Failure { watch: watch.number, why });
                }
            }
        }
        is_told
    }

    /// The channels of a watch that are to hear of a capture.
    fn untold(&self, watch: &Watch, sequence: u64) -> Vec<usize> {
        let channels = watch.channels.iter().enumerate();
        let open = channels
            .filter(|(place, channel)| channel.mark < sequence && !self.failed.contains(&(watch.number, *place)));
        open.map(|(place, _)| place).collect()
    }

    /// How far a watch can look.
    fn end(&self, watch: &Watch) -> u64 {
        match watch.subject {
            Subject::Query(_) => self.round.index.map_or(0, Index::sequence),
            Subject::Page(_) | Subject::Site(_) => u64::MAX,
        }
    }

    /// Everything up to here is done with, but for channels that failed.
    fn advance(&self, watches: &mut Watches, sequence: u64) -> Result<(), Error> {
        for watch in watches.all_mut() {
            let end = sequence.min(self.end(watch));
            for place in self.untold(watch, end) {
                watch.channels[place].mark = end;
            }
        }
        watches.save()
    }
}

#[cfg(test)]
mod tests {
    use kuai_page::Capture;

    use super::*;
    use crate::in_memory;
    use crate::watch::{Kind, Way};

    const URL: &str = "https://light.example/";

    fn put(archive: &Archive, day: u32, fuel: &str) {
        let text = format!(
            "<p>The keeper climbs two hundred and eleven stairs every evening, whatever the weather says.</p>\
             <p>The lamp burns {fuel}, and a barrel of it lasts for three weeks in winter and five in summer.</p>"
        );
        let time = format!("2026-01-{day:02}T12:00:00Z").parse().unwrap();
        archive.commit(&Capture::new(Url::parse(URL).unwrap(), time, text.into_bytes())).unwrap();
    }

    fn rung(archive: &Archive, watches: &mut Watches) -> (Vec<String>, Ran) {
        let round =
            Round { archive, index: None, json: &|alert| alert.id(), now: &|| Timestamp::UNIX_EPOCH, go_on: &|| true };
        let mut times = Vec::new();
        let ran = run(&round, watches, &mut |alert| times.push(alert.time.to_string()[..10].to_owned())).unwrap();
        (times, ran)
    }

    fn watching(folder: &std::path::Path, ways: Vec<Way>, mark: u64) -> Watches {
        let mut watches = Watches::open(folder).unwrap();
        watches.add(Subject::Page(URL.to_owned()), vec![Kind::Any], ways, mark).unwrap();
        watches
    }

    #[test]
    fn a_capture_that_comes_late_rings_for_its_own_step() {
        let (archive, folder) = (in_memory(), tempfile::tempdir().unwrap());
        let mut watches = watching(folder.path(), Vec::new(), 0);
        put(&archive, 1, "oil");
        put(&archive, 5, "gas");
        assert_eq!(rung(&archive, &mut watches).0, ["2026-01-05"]);
        put(&archive, 3, "petroleum");
        assert_eq!(rung(&archive, &mut watches).0, ["2026-01-03"]);
        assert!(rung(&archive, &mut watches).0.is_empty());
    }

    #[test]
    fn an_archive_put_back_from_a_copy_is_watched_from_its_end() {
        let (archive, folder) = (in_memory(), tempfile::tempdir().unwrap());
        put(&archive, 1, "oil");
        let mut watches = watching(folder.path(), Vec::new(), 1_000);
        assert!(rung(&archive, &mut watches).0.is_empty());
        put(&archive, 2, "gas");
        assert_eq!(rung(&archive, &mut watches).0, ["2026-01-02"]);
    }

    #[test]
    fn a_channel_that_fails_stays_where_it_is() {
        let (archive, folder) = (in_memory(), tempfile::tempdir().unwrap());
        let ways = vec![Way::Show, Way::Command { command: "false".to_owned() }];
        let mut watches = watching(folder.path(), ways, 0);
        put(&archive, 1, "oil");
        put(&archive, 2, "gas");
        put(&archive, 3, "petroleum");
        let (times, ran) = rung(&archive, &mut watches);
        assert_eq!((times.len(), ran.failures.len()), (2, 1));
        let marks = |watches: &Watches| [0, 1].map(|place| watches.all()[0].channels[place].mark);
        assert_eq!(marks(&watches), [3, 0]);
        drop(watches);
        assert_eq!(marks(&Watches::open(folder.path()).unwrap()), [3, 0]);
    }
}
