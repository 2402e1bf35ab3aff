//! Compaction: entries of batches go into packs, reel by reel; what nothing points to any more is deleted.
//!
//! It may be killed at any moment: a pack counts from the transaction on that points to it, and what that leaves behind is found by the next one.

use kuai_archive::{Compacted, Progress, StoreError};

use super::commit::put_object;
use super::database::Session;
use super::listing::bytes_stored;
use super::read::{self, Playable, attempt};
use super::{Core, Fault, lock};
use crate::frame;
use crate::limits::PACK_OVERHEAD;
use crate::material::{Material, NewObject};
use crate::pack::Object;
use crate::row::ReelRow;

/// A pack is written when it has so many bytes …
const PACK_LENGTH: usize = 32 << 20;
/// … or so many reels.
const PACK_REELS_MAX: usize = 4096;
/// Objects that nothing points to are left alone for so long: they may be of a batch that is about to be committed.
const ORPHAN_SECONDS: i64 = 3600;

pub(super) fn compact(core: &Core, progress: Progress<'_>) -> Result<Compacted, Fault> {
    let guard = Guard::take(core)?;
    let bytes_before = bytes_stored(core)?;
    let mut entry_count = 0;
    let total = unpacked_count(core)?;
    let mut after = -1;
    while progress(entry_count, total) {
        let reels = next_reels(core, after)?;
        let Some(last) = reels.last() else { break };
        after = i64::from(*last);
        entry_count += pack(core, &reels)?;
        frame::forget_compressor();
    }
    delete_dead(core)?;
    delete_orphans(core)?;
    drop(guard);
    Ok(Compacted { entry_count, bytes_before, bytes_after: bytes_stored(core)? })
}

/// Keeps other compactions away as long as it lives.
struct Guard<'a> {
    core: &'a Core,
    _session: Session,
}

impl Guard<'_> {
    fn take(core: &Core) -> Result<Guard<'_>, Fault> {
        let mut session = core.database.take()?;
        let locked = session.query_one("SELECT pg_try_advisory_lock($1)", &[&lock::of_compaction(&core.schema)]);
        match locked.map(|columns| columns.get(0)) {
            Ok(true) => Ok(Guard { core, _session: session }),
            Ok(false) => {
                core.database.give_back(Some(session));
                Err(StoreError::Locked { place: core.place().to_owned() }.into())
            }
            Err(fault) => {
                core.database.give_back(None);
                Err(fault)
            }
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        // The lock ends with the connection.
        self.core.database.give_back(None);
    }
}

fn unpacked_count(core: &Core) -> Result<u64, Fault> {
    let found =
        core.database.run(|session| session.query_one("SELECT count(*) FROM entry WHERE object IS NOT NULL", &[]))?;
    Ok(found.get::<_, i64>(0) as u64)
}

/// The next reels that have something to be packed, and those in packs that are mostly dead; as many as fill a pack.
fn next_reels(core: &Core, after: i64) -> Result<Vec<u32>, Fault> {
    let (limit, overhead) = (PACK_REELS_MAX as i64, PACK_OVERHEAD as i64);
    let found = core.database.run(|session| {
        session.query(
            "WITH mostly_dead AS (
                 SELECT object.number FROM object JOIN reel ON reel.object = object.number
                 GROUP BY object.number HAVING 2 * sum(reel.length) + $3::bigint < object.length),
             wanted AS (
                 SELECT reel AS number, sum(length) AS length FROM entry WHERE object IS NOT NULL AND reel > $1 GROUP BY reel
                 UNION ALL
                 SELECT number, length FROM reel WHERE number > $1 AND object IN (SELECT number FROM mostly_dead))
             SELECT number, sum(length)::bigint FROM wanted GROUP BY number ORDER BY number LIMIT $2",
            &[&after, &limit, &overhead],
        )
    })?;
    let mut length = 0;
    let fits = |columns: &&tokio_postgres::Row| {
        let is_first_or_fits = length < PACK_LENGTH;
        length += columns.get::<_, i64>(1) as usize;
        is_first_or_fits
    };
    Ok(found.iter().take_while(fits).map(|columns| columns.get::<_, i64>(0) as u32).collect())
}

/// Writes reels into a pack and points to it; tells how many entries came into one.
fn pack(core: &Core, numbers: &[u32]) -> Result<u64, Fault> {
    let (mut bytes, mut rows) = (Vec::new(), PackedRows::default());
    for number in numbers {
        let (row, object) = attempt(|| repack(core, *number))?;
        rows.add(&row, &object, bytes.len());
        bytes.extend_from_slice(&object.bytes);
    }
    let (object, length) = put_object(core, &bytes)?;
    core.database.transact(|session| rows.write(session, object, length))
}

fn repack(core: &Core, number: u32) -> Result<(ReelRow, NewObject), Fault> {
    let Playable { row, address } = read::playable(core, number)?;
    let old = row.packed.map(|packed| Object::read(&core.objects, packed.object)).transpose()?;
    let mut since = old.as_ref().map(|object| object.tail(&core.objects)).transpose()?.unwrap_or_default();
    since.extend(read::unpacked(core, &row, address)?);
    let told = |fault: Fault| fault.of_store("read", &core.shown);
    let material = Material {
        files: &core.objects,
        row: &row,
        old,
        since,
        root_stream: &|root| read::root_stream(core, root).map_err(told),
        stream_up_to: &|number, length| attempt(|| read::stream_up_to(core, number, length)).map_err(told),
    };
    let object = material.to_object()?;
    Ok((row, object))
}

/// Where reels lie in a pack, column by column.
#[derive(Default)]
struct PackedRows {
    numbers: Vec<i64>,
    counts: Vec<i32>,
    places: Vec<i64>,
    lengths: Vec<i64>,
}

impl PackedRows {
    fn add(&mut self, row: &ReelRow, object: &NewObject, place: usize) {
        self.numbers.push(i64::from(row.number));
        self.counts.push(object.entry_count as i32);
        self.places.push(place as i64);
        self.lengths.push(object.bytes.len() as i64);
    }

    fn write(&self, session: &mut Session, object: u32, length: u64) -> Result<u64, Fault> {
        let object = i64::from(object);
        session.execute("INSERT INTO object (number, length) VALUES ($1, $2)", &[&object, &(length as i64)])?;
        session.execute(
            "UPDATE reel SET packed_count = new.count, object = $1, place = new.place, length = new.length
             FROM unnest($2::bigint[], $3::integer[], $4::bigint[], $5::bigint[]) AS new (number, count, place, length)
             WHERE reel.number = new.number",
            &[&object, &self.numbers, &self.counts, &self.places, &self.lengths],
        )?;
        session.execute(
            "UPDATE entry SET object = NULL, place = NULL, length = NULL FROM reel
             WHERE reel.number = ANY($1) AND entry.reel = reel.number AND entry.object IS NOT NULL
               AND entry.number < reel.first_number + reel.packed_count",
            &[&self.numbers],
        )
    }
}

/// Deletes objects that nothing points to any more; first their rows, so that a crash leaves at most an orphan.
fn delete_dead(core: &Core) -> Result<(), Fault> {
    let dead = core.database.run(|session| {
        session.query(
            "DELETE FROM object WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.object = object.number)
                                  AND NOT EXISTS (SELECT 1 FROM reel WHERE reel.object = object.number)
                                  AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.object = object.number)
             RETURNING number",
            &[],
        )
    })?;
    dead.iter().try_for_each(|columns| core.objects.delete(columns.get::<_, i64>(0) as u32))
}

/// Deletes objects that a crash left before anything pointed to them.
fn delete_orphans(core: &Core) -> Result<(), Fault> {
    let found = core.objects.list()?;
    let known = known_objects(core)?;
    let orphans = found.iter().filter(|object| !known.contains_key(&object.number));
    let old = orphans.filter(|object| object.age_seconds > ORPHAN_SECONDS);
    old.map(|object| object.number).try_for_each(|number| core.objects.delete(number))
}

/// Objects that the database knows, with their lengths.
pub(super) fn known_objects(core: &Core) -> Result<std::collections::HashMap<u32, u64>, Fault> {
    let known = core.database.run(|session| session.query("SELECT number, length FROM object", &[]))?;
    let object = |columns: &tokio_postgres::Row| (columns.get::<_, i64>(0) as u32, columns.get::<_, i64>(1) as u64);
    Ok(known.iter().map(object).collect())
}
