//! Commits a batch: its bytes as an object first, then one transaction that points to them.
//!
//! The transaction can be tried again: it first looks whether an earlier try was taken after all, which the row of its object tells.

use std::time::{Duration, Instant};

use super::batch::{Batch, Held, Pending};
use super::database::{Session, retry};
use super::rows::{figures_column, second_and_nanosecond};
use super::{Core, Fault};
use crate::host::host_of;
use crate::row::ReelRow;
use kuai_archive::{ContentHash, FIGURES_MAX};

/// An object that nothing points to is removed by a compaction after an hour; one that is so old is written again before it is pointed to.
const OBJECT_AGE_MAX: Duration = Duration::from_secs(600);

/// Commits a batch, all of it or nothing.
pub(super) fn commit(core: &Core, batch: &mut Batch) -> Result<(), Fault> {
    if batch.entries.is_empty() {
        return batch.end(&core.database);
    }
    let mut uploaded = Uploaded::put(core, batch)?;
    retry(|attempt| {
        if uploaded.since.elapsed() > OBJECT_AGE_MAX {
            uploaded = Uploaded::put(core, batch)?;
        }
        let done = write(core, batch, &uploaded, attempt);
        if done.is_err() {
            batch.lose_session(&core.database);
        }
        done
    })
}

/// Objects of a batch that are durable.
struct Uploaded {
    since: Instant,
    /// Number and length of the entries' object, and of the blobs'.
    entries: (u32, u64),
    blobs: Option<(u32, u64)>,
}

impl Uploaded {
    fn put(core: &Core, batch: &Batch) -> Result<Uploaded, Fault> {
        let since = Instant::now();
        let entries = put_object(core, &batch.bytes)?;
        let blobs = if batch.blobs.is_empty() { None } else { Some(put_object(core, &batch.blob_bytes)?) };
        Ok(Uploaded { since, entries, blobs })
    }
}

/// Writes an object under a number that nobody else has.
pub(super) fn put_object(core: &Core, bytes: &[u8]) -> Result<(u32, u64), Fault> {
    let number = core.database.run(|session| session.query_one("SELECT nextval('object_number')", &[]))?;
    let number = number.get::<_, i64>(0) as u32;
    core.objects.put(number, bytes.to_vec())?;
    Ok((number, bytes.len() as u64))
}

fn write(core: &Core, batch: &mut Batch, uploaded: &Uploaded, attempt: u32) -> Result<(), Fault> {
    let Batch { held, entries, blobs, blob_bytes, .. } = &*batch;
    let rows = Rows::of(entries, held, blobs, blob_bytes.len());
    let session = batch.session(core)?;
    let is_taken = attempt > 0 && is_taken(session, uploaded)?;
    if !is_taken {
        if let Some(worker) = core.worker() {
            check_lease(session, worker)?;
        }
        rows.write(session, uploaded)?;
    }
    batch.end(&core.database)
}

fn is_taken(session: &mut Session, uploaded: &Uploaded) -> Result<bool, Fault> {
    let number = i64::from(uploaded.entries.0);
    Ok(session.query_opt("SELECT 1 FROM object WHERE number = $1", &[&number])?.is_some())
}

/// Fails if the worker was given up. Nobody gives it up while this transaction lasts.
pub(crate) fn check_lease(session: &mut Session, worker: i64) -> Result<(), Fault> {
    let found = session.query_opt("SELECT 1 FROM worker WHERE id = $1 FOR SHARE", &[&worker])?;
    found.map(drop).ok_or(Fault::LeaseEnded)
}

/// The rows of a batch, column by column.
#[derive(Default)]
struct Rows {
    new_addresses: Addresses,
    old_addresses: Addresses,
    new_reels: Reels,
    old_reels: Reels,
    blobs: (Vec<Vec<u8>>, Vec<i64>, Vec<i64>),
    entries: Entries,
    bytes_given: i64,
    figures: [i64; FIGURES_MAX],
}

#[derive(Default)]
struct Addresses {
    ids: Vec<i64>,
    keys: Vec<Vec<u8>>,
    hosts: Vec<String>,
    urls: Vec<String>,
    counts_before: Vec<i32>,
    counts: Vec<i32>,
    reels: Vec<i64>,
    first_seconds: Vec<i64>,
    first_nanoseconds: Vec<i32>,
    last_seconds: Vec<i64>,
    last_nanoseconds: Vec<i32>,
}

#[derive(Default)]
struct Reels {
    numbers: Vec<i64>,
    addresses: Vec<i64>,
    host_keys: Vec<i64>,
    first_numbers: Vec<i32>,
    counts_before: Vec<i32>,
    counts: Vec<i32>,
    roots: Vec<Option<i64>>,
    root_lengths: Vec<i32>,
}

#[derive(Default)]
struct Entries {
    addresses: Vec<i64>,
    numbers: Vec<i32>,
    reels: Vec<i64>,
    seconds: Vec<i64>,
    nanoseconds: Vec<i32>,
    hashes: Vec<Vec<u8>>,
    body_lengths: Vec<i64>,
    stored_lengths: Vec<i64>,
    /// Arrays of arrays must be of one length in Postgres, so they travel as text.
    figures: Vec<String>,
    places: Vec<i64>,
}

impl Rows {
    fn of(
        entries: &[Pending],
        held: &std::collections::HashMap<String, Held>,
        blobs: &[(ContentHash, usize)],
        blob_length: usize,
    ) -> Rows {
        let mut rows = Rows::default();
        for (url, held) in held.iter().filter(|(_, held)| held.has_pending()) {
            rows.add_address(url, held);
        }
        for entry in entries {
            rows.add_entry(entry, held[&entry.url].id);
        }
        rows.add_blobs(blobs, blob_length);
        rows
    }

    fn add_address(&mut self, url: &str, held: &Held) {
        let is_new = held.committed_count == 0;
        let newest = held.newest_reel().map_or(0, |reel| reel.number);
        let (first, last) = (second_and_nanosecond(held.first), second_and_nanosecond(held.last));
        let addresses = if is_new { &mut self.new_addresses } else { &mut self.old_addresses };
        addresses.ids.push(held.id);
        addresses.keys.push(held.key.0.to_vec());
        addresses.hosts.push(host_of(url).to_owned());
        addresses.urls.push(url.to_owned());
        addresses.counts_before.push(held.committed_count as i32);
        addresses.counts.push(held.entry_count as i32);
        addresses.reels.push(i64::from(newest));
        addresses.first_seconds.push(first.0);
        addresses.first_nanoseconds.push(first.1);
        addresses.last_seconds.push(last.0);
        addresses.last_nanoseconds.push(last.1);
        for reel in &held.reels {
            self.add_reel(url, held, reel);
        }
    }

    fn add_reel(&mut self, url: &str, held: &Held, reel: &ReelRow) {
        let before = held.committed_reel.as_ref().filter(|before| before.number == reel.number);
        let reels = if before.is_none() { &mut self.new_reels } else { &mut self.old_reels };
        reels.numbers.push(i64::from(reel.number));
        reels.addresses.push(held.id);
        reels.host_keys.push(host_key(host_of(url)));
        reels.first_numbers.push(reel.first_number as i32);
        reels.counts_before.push(before.map_or(0, |before| before.entry_count as i32));
        reels.counts.push(reel.entry_count as i32);
        reels.roots.push(reel.root.map(|root| i64::from(root.reel)));
        reels.root_lengths.push(reel.root.map_or(0, |root| root.length as i32));
    }

    fn add_entry(&mut self, entry: &Pending, address: i64) {
        let (facts, entries) = (&entry.facts, &mut self.entries);
        let (second, nanosecond) = second_and_nanosecond(facts.time);
        entries.addresses.push(address);
        entries.numbers.push(entry.number as i32);
        entries.reels.push(i64::from(entry.reel));
        entries.seconds.push(second);
        entries.nanoseconds.push(nanosecond);
        entries.hashes.push(facts.hash.0.to_vec());
        entries.body_lengths.push(facts.body_length as i64);
        entries.stored_lengths.push(facts.stored_length as i64);
        let figures: Vec<String> = figures_column(&facts.figures).iter().map(i64::to_string).collect();
        entries.figures.push(format!("{{{}}}", figures.join(",")));
        entries.places.push(entry.place as i64);
        self.bytes_given += (facts.body_length + facts.head_length) as i64;
        for (sum, figure) in self.figures.iter_mut().zip(facts.figures) {
            *sum += i64::from(figure);
        }
    }

    /// In the order of their hashes, so that two who add the same ones never wait for each other in a circle.
    fn add_blobs(&mut self, blobs: &[(ContentHash, usize)], blob_length: usize) {
        let ends = blobs.iter().skip(1).map(|(_, place)| *place).chain([blob_length]);
        let mut spans: Vec<_> = blobs.iter().zip(ends).map(|((hash, place), end)| (hash.0, *place, end)).collect();
        spans.sort_unstable();
        for (hash, place, end) in spans {
            self.blobs.0.push(hash.to_vec());
            self.blobs.1.push(place as i64);
            self.blobs.2.push((end - place) as i64);
        }
    }

    /// Writes everything; the change feed last, because its lock is what all others wait for.
    fn write(&self, session: &mut Session, uploaded: &Uploaded) -> Result<(), Fault> {
        for (number, length) in [uploaded.entries].into_iter().chain(uploaded.blobs) {
            let values: super::database::Values<'_> = &[&i64::from(number), &(length as i64)];
            session.execute("INSERT INTO object (number, length) VALUES ($1, $2)", values)?;
        }
        self.write_blobs(session, uploaded)?;
        self.write_addresses(session)?;
        self.write_reels(session)?;
        self.write_entries(session, uploaded)
    }

    fn write_blobs(&self, session: &mut Session, uploaded: &Uploaded) -> Result<(), Fault> {
        let Some((object, _)) = uploaded.blobs else { return Ok(()) };
        let (hashes, places, lengths) = &self.blobs;
        session.execute(
            "INSERT INTO blob (hash, object, place, length)
             SELECT hash, $1, place, length FROM unnest($2::bytea[], $3::bigint[], $4::bigint[]) AS new (hash, place, length)
             ON CONFLICT (hash) DO NOTHING",
            &[&i64::from(object), hashes, places, lengths],
        )?;
        Ok(())
    }

    fn write_addresses(&self, session: &mut Session) -> Result<(), Fault> {
        let new = &self.new_addresses;
        if !new.ids.is_empty() {
            let count = session.execute(
                "INSERT INTO address (id, key, host, url, entry_count, reel, first_second, first_nanosecond, last_second, last_nanosecond)
                 SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::integer[], $6::bigint[],
                                      $7::bigint[], $8::integer[], $9::bigint[], $10::integer[])
                 ON CONFLICT DO NOTHING",
                &[
                    &new.ids,
                    &new.keys,
                    &new.hosts,
                    &new.urls,
                    &new.counts,
                    &new.reels,
                    &new.first_seconds,
                    &new.first_nanoseconds,
                    &new.last_seconds,
                    &new.last_nanoseconds,
                ],
            )?;
            expect(count, new.ids.len())?;
        }
        let old = &self.old_addresses;
        if !old.ids.is_empty() {
            let count = session.execute(
                "UPDATE address SET entry_count = new.entry_count, reel = new.reel, first_second = new.first_second,
                        first_nanosecond = new.first_nanosecond, last_second = new.last_second, last_nanosecond = new.last_nanosecond
                 FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::integer[], $7::bigint[], $8::integer[])
                      AS new (id, count_before, entry_count, reel, first_second, first_nanosecond, last_second, last_nanosecond)
                 WHERE address.id = new.id AND address.entry_count = new.count_before",
                &[
                    &old.ids,
                    &old.counts_before,
                    &old.counts,
                    &old.reels,
                    &old.first_seconds,
                    &old.first_nanoseconds,
                    &old.last_seconds,
                    &old.last_nanoseconds,
                ],
            )?;
            expect(count, old.ids.len())?;
        }
        Ok(())
    }

    fn write_reels(&self, session: &mut Session) -> Result<(), Fault> {
        let new = &self.new_reels;
        if !new.numbers.is_empty() {
            session.execute(
                "INSERT INTO reel (number, address, host_key, first_number, entry_count, root, root_length)
                 SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[], $6::bigint[], $7::integer[])",
                &[
                    &new.numbers,
                    &new.addresses,
                    &new.host_keys,
                    &new.first_numbers,
                    &new.counts,
                    &new.roots,
                    &new.root_lengths,
                ],
            )?;
        }
        let old = &self.old_reels;
        if !old.numbers.is_empty() {
            let count = session.execute(
                "UPDATE reel SET entry_count = new.entry_count
                 FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS new (number, count_before, entry_count)
                 WHERE reel.number = new.number AND reel.entry_count = new.count_before",
                &[&old.numbers, &old.counts_before, &old.counts],
            )?;
            expect(count, old.numbers.len())?;
        }
        Ok(())
    }

    fn write_entries(&self, session: &mut Session, uploaded: &Uploaded) -> Result<(), Fault> {
        let entries = &self.entries;
        let count = entries.numbers.len() as i64;
        // One statement, so that nobody waits for us longer than the server needs.
        session.execute(
            "WITH taken AS (
                 UPDATE state SET entry_count = entry_count + $1, url_count = url_count + $2, bytes_given = bytes_given + $3,
                        figures = ARRAY(SELECT was + more FROM unnest(figures, $4::bigint[]) WITH ORDINALITY AS sums (was, more, place) ORDER BY place)
                 RETURNING entry_count - $1 AS before)
             INSERT INTO entry (sequence, address, number, reel, second, nanosecond, hash, body_length, stored_length, figures, object, place, length)
             SELECT before + step, address, number, reel, second, nanosecond, hash, body_length, stored_length, figures::bigint[], $5, place, stored_length
             FROM taken, unnest($6::bigint[], $7::integer[], $8::bigint[], $9::bigint[], $10::integer[], $11::bytea[], $12::bigint[], $13::bigint[],
                                $14::text[], $15::bigint[])
                  WITH ORDINALITY AS new (address, number, reel, second, nanosecond, hash, body_length, stored_length, figures, place, step)",
            &[
                &count,
                &(self.new_addresses.ids.len() as i64),
                &self.bytes_given,
                &&self.figures[..],
                &i64::from(uploaded.entries.0),
                &entries.addresses,
                &entries.numbers,
                &entries.reels,
                &entries.seconds,
                &entries.nanoseconds,
                &entries.hashes,
                &entries.body_lengths,
                &entries.stored_lengths,
                &entries.figures,
                &entries.places,
            ],
        )?;
        Ok(())
    }
}

/// Fails where somebody else wrote to one of our addresses, which their locks keep them from unless a connection was lost.
fn expect(count: u64, expected: usize) -> Result<(), Fault> {
    if count == expected as u64 { Ok(()) } else { Err(Fault::Overtaken) }
}

/// What the roots of a host are found by.
pub(super) fn host_key(host: &str) -> i64 {
    let hash = ContentHash::of(host.as_bytes());
    i64::from_le_bytes(*hash.0.first_chunk().expect("a hash has sixteen bytes"))
}
