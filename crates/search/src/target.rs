//! What became of the page that a link leads to, as far as the archive knows.

use kuai_archive::{Archive, Error as ArchiveError, VersionInfo};
use kuai_page::{Timestamp, Url};

use crate::error::Error;

/// What an address answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The archive has nothing of it, or had nothing by then.
    NotArchived,
    /// It gave what was asked for when it was last asked.
    There {
        /// When that was.
        seen: Timestamp,
    },
    /// It says that there is nothing any more.
    Dead {
        /// 404 or 410.
        status: u16,
        /// The first capture that says so, without another answer since.
        since: Timestamp,
        /// The last capture that gave something.
        last_there: Option<Timestamp>,
    },
    /// It sends to another address.
    Moved {
        /// The status of the redirect.
        status: u16,
        /// The first capture that was sent away, without another answer since.
        since: Timestamp,
        /// Where to, where that can be read.
        to: Option<Url>,
    },
    /// It answers something else, such as that the server has failed.
    Failing {
        /// The status.
        status: u16,
        /// The first capture that failed, without another answer since.
        since: Timestamp,
    },
}

/// What the last capture of an address at or before a time says of it.
pub fn target(archive: &Archive, url: &Url, at: Timestamp) -> Result<Target, Error> {
    let history = match archive.history(url) {
        Err(ArchiveError::UnknownUrl { .. }) => return Ok(Target::NotArchived),
        history => history?,
    };
    let answers = answers(&history, at);
    let Some((seen, last)) = answers.last().copied() else { return Ok(Target::NotArchived) };
    let is_other = |(_, version): &(Timestamp, &VersionInfo)| Sort::of(version.status) != Sort::of(last.status);
    let since = answers.iter().rposition(is_other).map_or(answers[0].0, |other| answers[other + 1].0);
    let status = last.status;
    Ok(match Sort::of(status) {
        Sort::There => Target::There { seen },
        Sort::Dead => {
            let there = answers.iter().rev().find(|(_, version)| version.is_success());
            Target::Dead { status, since, last_there: there.map(|(time, _)| *time) }
        }
        Sort::Moved => Target::Moved { status, since, to: location(archive, url, last.number)? },
        Sort::Failing => Target::Failing { status, since },
    })
}

/// All captures up to a time, in order, with the version that each showed.
fn answers(history: &[VersionInfo], at: Timestamp) -> Vec<(Timestamp, &VersionInfo)> {
    let times = |version: &VersionInfo| [&[version.time], version.seen_again.as_slice()].concat();
    let all = history.iter().flat_map(|version| times(version).into_iter().map(move |time| (time, version)));
    let mut answers: Vec<_> = all.filter(|(time, _)| *time <= at).collect();
    answers.sort_by_key(|(time, version)| (*time, version.number));
    answers
}

/// What a redirect says where to go.
fn location(archive: &Archive, url: &Url, number: u32) -> Result<Option<Url>, Error> {
    let capture = archive.read_entry(url.as_str(), number)?;
    let location = capture.header("location").and_then(|value| std::str::from_utf8(value).ok());
    Ok(location.and_then(|location| url.join(location).ok()))
}

/// Sorts of answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    There,
    Dead,
    Moved,
    Failing,
}

impl Sort {
    fn of(status: u16) -> Sort {
        match status {
            200..300 => Sort::There,
            300..400 => Sort::Moved,
            404 | 410 => Sort::Dead,
            _ => Sort::Failing,
        }
    }
}
