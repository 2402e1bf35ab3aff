//! Verification: every object is looked for and every entry played, and what is damaged is told with the entries that it costs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kuai_archive::{ContentHash, Damage, Progress, StoreError, Verified};

use super::compact::known_objects;
use super::read::{self, Playable};
use super::rows::{self, REEL_COLUMN_COUNT, reel_columns};
use super::{Core, Fault};
use crate::errors::damaged;
use crate::files::{FileId, Source};
use crate::history::wrong_entry;
use crate::playback::{self, Next};
use crate::reel::Reel;

/// Reels that are asked for at a time.
const PAGE_LENGTH: i64 = 500;

pub(super) fn verify(core: &Core, progress: Progress<'_>) -> Result<Verified, Fault> {
    let mut check = Check { core, found: BTreeMap::new(), entry_count: 0, checked_blob: None };
    let (file_count, remarks) = check.objects()?;
    let total = core.database.run(|session| session.query_one("SELECT entry_count FROM state", &[]))?;
    let total = total.get::<_, i64>(0) as u64;
    let mut after = -1;
    while progress(check.entry_count, total) {
        let page = next_reels(core, after)?;
        let Some(last) = page.last() else {
            check.count(total);
            break;
        };
        after = i64::from(last.row.number);
        page.iter().for_each(|playable| check.reel(playable));
    }
    let damage = |((file, what), affected)| Damage { file, what, affected };
    let damages = check.found.into_iter().map(damage).collect();
    Ok(Verified { entry_count: check.entry_count, file_count, damages, remarks })
}

fn next_reels(core: &Core, after: i64) -> Result<Vec<Playable>, Fault> {
    const REELS: &str = concat!(
        "SELECT ",
        reel_columns!(),
        ", address.id, address.url FROM reel JOIN address ON address.id = reel.address
         WHERE reel.number > $1 ORDER BY reel.number LIMIT $2"
    );
    let found = core.database.run(|session| session.query(REELS, &[&after, &PAGE_LENGTH]))?;
    let playable = |columns: &tokio_postgres::Row| Playable {
        row: rows::reel(columns, 0, columns.get(REEL_COLUMN_COUNT + 1)),
        address: columns.get(REEL_COLUMN_COUNT),
    };
    Ok(found.iter().map(playable).collect())
}

/// A file, and what is wrong with it.
type Trouble = (Option<PathBuf>, String);

/// What was found so far.
struct Check<'a> {
    core: &'a Core,
    /// Entries that are lost, by the object and the damage that costs them.
    found: BTreeMap<Trouble, Vec<(String, u32)>>,
    /// Entries that are whole.
    entry_count: u64,
    /// The blob that was read last, since one often stands in many entries after another.
    checked_blob: Option<ContentHash>,
}

impl Check<'_> {
    /// Looks whether all objects are there; tells how many, and what stands out.
    fn objects(&mut self) -> Result<(u64, Vec<String>), Fault> {
        let (listed, known) = (self.core.objects.list()?, known_objects(self.core)?);
        let lengths: BTreeMap<u32, u64> = listed.iter().map(|object| (object.number, object.length)).collect();
        for (number, length) in &known {
            let what = match lengths.get(number) {
                Some(found) if found == length => continue,
                Some(found) => format!("it has {found} bytes, and had {length}"),
                None => "it is missing".to_owned(),
            };
            self.affected(damaged(&self.core.objects.path(FileId::Pack(*number)), what).into());
        }
        let orphans = listed.iter().filter(|object| !known.contains_key(&object.number));
        let remark = |number: u32| {
            let path = self.core.objects.path(FileId::Pack(number));
            format!(
                "nothing points to {}: it is of a batch that is being written, or was left by a crash",
                path.display()
            )
        };
        Ok((listed.len() as u64, orphans.map(|object| remark(object.number)).collect()))
    }

    /// Plays a reel and checks every body.
    fn reel(&mut self, playable: &Playable) {
        let (core, row) = (self.core, &playable.row);
        let mut seen = 0;
        let played = read::play(core, playable, row.entry_count, usize::MAX, &mut |reel, _, file| {
            seen = reel.entry_count;
            self.entry(playable, reel, file);
            Ok(Next::GoOn)
        });
        let Err(fault) = played else { return };
        // A compaction may have moved it meanwhile.
        let fresh = read::attempt(|| read::playable(core, row.number)).ok();
        let again = fresh.filter(|fresh| fresh.row.packed != row.packed);
        match again {
            Some(fresh) if seen == 0 => self.reel(&fresh),
            _ => {
                let numbers = row.first_number + seen..row.next_number();
                self.affected(fault).extend(numbers.map(|number| (row.url.clone(), number)));
            }
        }
    }

    fn entry(&mut self, playable: &Playable, reel: &Reel, file: FileId) {
        let (hash, index) = (reel.facts.hash, reel.entry_count - 1);
        let checked = if !reel.facts.is_blob {
            let wrong = || Fault::Store(wrong_entry(&self.core.objects, file, &playable.row, index as usize));
            playback::checked_body(reel).map(drop).ok_or_else(wrong)
        } else if self.checked_blob == Some(hash) {
            Ok(())
        } else {
            read::blob_body(self.core, hash).map(|_| self.checked_blob = Some(hash))
        };
        match checked {
            Ok(()) => self.entry_count += 1,
            Err(fault) => {
                let number = playable.row.first_number + index;
                self.affected(fault).push((playable.row.url.clone(), number));
            }
        }
    }

    /// Compares the entries that were seen with the sum that the archive keeps.
    fn count(&mut self, total: u64) {
        let mut lost: Vec<&(String, u32)> = self.found.values().flatten().collect();
        lost.sort_unstable();
        lost.dedup();
        let seen = self.entry_count + lost.len() as u64;
        if seen < total {
            let what = format!("only {seen} of {total} entries are there");
            self.affected(damaged(self.core.place(), what).into());
        }
    }

    /// The list of entries that a damage costs.
    fn affected(&mut self, fault: Fault) -> &mut Vec<(String, u32)> {
        let damage = match fault.of_store("read", &self.core.shown) {
            StoreError::Damaged { file, what } => (Some(file), what),
            StoreError::Io { doing, file, source } => (Some(file), format!("cannot {doing} it: {source}")),
            other => (None, other.to_string()),
        };
        self.found.entry(damage).or_default()
    }
}
