//! The catalogue: where things lie. The only file with SQL.
//!
//! It is derived from logs and packs and can be thrown away. There is a row a reel and a row a blob, none a version.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kuai_archive::{ContentHash, FIGURES_MAX, StoreError};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Params, params};

use crate::errors::damaged;
use crate::facts::{Facts, put_time, take_time};
use crate::host::host_of;
use crate::record::{Place, Root};
use crate::row::{BlobPlace, ObjectPlace, Packed, ReelRow, State};
use crate::varint::{Cursor, put_number};

/// How long one process waits for another's short transactions.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// Says that a SQLite file is ours: `kuai` in ASCII.
const APPLICATION_ID: i32 = 0x6B75_6169;
const FORMAT: i32 = 1;

/// Small pages: a young archive is a few kilobytes, and its catalogue shall not outweigh it.
const SCHEMA: &str = "
    PRAGMA page_size = 1024;
    PRAGMA journal_mode = DELETE;
    BEGIN;
    CREATE TABLE state (
        id INTEGER PRIMARY KEY CHECK (id = 0),
        log INTEGER, log_offset INTEGER, first_log INTEGER, next_reel INTEGER,
        url_count INTEGER, entry_count INTEGER, bytes_given INTEGER, figures BLOB);
    CREATE TABLE reel (
        number INTEGER PRIMARY KEY, host TEXT, url TEXT, first_number INTEGER, entry_count INTEGER,
        root INTEGER, root_length INTEGER,
        pack INTEGER, pack_offset INTEGER, pack_length INTEGER, packed_count INTEGER,
        log INTEGER, log_offset INTEGER, times BLOB, newest BLOB);
    CREATE INDEX reel_of_url ON reel (host, url, first_number);
    CREATE INDEX root_of_host ON reel (host, number) WHERE root IS NULL;
    CREATE TABLE blob (
        hash BLOB PRIMARY KEY, pack INTEGER, log INTEGER, file_offset INTEGER, length INTEGER) WITHOUT ROWID;
    CREATE TABLE pack (number INTEGER PRIMARY KEY);
    PRAGMA application_id = 0x6B756169;
    PRAGMA user_version = 1;
    COMMIT;";

const REEL_COLUMNS: &str = "number, url, first_number, entry_count, root, root_length, pack, pack_offset, \
    pack_length, packed_count, log, log_offset, times, newest";

/// An open catalogue.
#[derive(Debug)]
pub(crate) struct Catalogue {
    connection: Connection,
    file: PathBuf,
}

/// What a compaction changes in the catalogue, all at once.
#[derive(Debug, Default)]
pub(crate) struct Switch {
    pub(crate) reels: Vec<(u32, Packed)>,
    pub(crate) blobs: Vec<(ContentHash, ObjectPlace)>,
    pub(crate) new_pack: u32,
    pub(crate) gone_packs: Vec<u32>,
    pub(crate) first_log: u32,
}

impl Catalogue {
    /// Makes an empty catalogue.
    pub(crate) fn create(file: &Path) -> Result<Catalogue, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let catalogue = Catalogue::connect(Connection::open_with_flags(file, flags), file)?;
        catalogue.set_up()?;
        Ok(catalogue)
    }

    /// Makes an empty catalogue that no file holds, for readers that find none.
    pub(crate) fn in_memory(file: &Path) -> Result<Catalogue, StoreError> {
        let catalogue = Catalogue::connect(Connection::open_in_memory(), file)?;
        catalogue.set_up()?;
        Ok(catalogue)
    }

    /// Opens a catalogue. [`StoreError::Damaged`] means that it has to be made anew.
    pub(crate) fn open(file: &Path, is_writer: bool) -> Result<Catalogue, StoreError> {
        let flags = if is_writer { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
        if !file.exists() {
            return Err(damaged(file, "it is missing"));
        }
        let catalogue = Catalogue::connect(Connection::open_with_flags(file, flags), file)?;
        let pragma =
            |name| catalogue.check(catalogue.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0)));
        if pragma("application_id")? != APPLICATION_ID || pragma("user_version")? != FORMAT {
            return Err(damaged(file, "it is no catalogue of this format"));
        }
        catalogue.state()?;
        Ok(catalogue)
    }

    /// Everything asked until the end is answered from one state of the catalogue.
    pub(crate) fn begin(&self) -> Result<(), StoreError> {
        self.check(self.connection.execute_batch("BEGIN"))
    }

    /// Ends what [`Catalogue::begin`] began.
    pub(crate) fn end(&self) -> Result<(), StoreError> {
        self.check(self.connection.execute_batch("COMMIT"))
    }

    pub(crate) fn state(&self) -> Result<State, StoreError> {
        let query =
            "SELECT log, log_offset, first_log, next_reel, url_count, entry_count, bytes_given, figures FROM state";
        let state = self.first(query, [], |row| {
            Ok(State {
                indexed: Place { log: row.get(0)?, offset: row.get(1)? },
                first_log: row.get(2)?,
                next_reel: row.get(3)?,
                url_count: row.get(4)?,
                entry_count: row.get(5)?,
                bytes_given: row.get(6)?,
                figures: sums_from_bytes(row.get_ref(7)?.as_blob()?).unwrap_or_default(),
            })
        })?;
        state.ok_or_else(|| damaged(&self.file, "it has no state"))
    }

    pub(crate) fn reel(&self, number: u32) -> Result<Option<ReelRow>, StoreError> {
        self.first(&format!("SELECT {REEL_COLUMNS} FROM reel WHERE number = ?"), [number], reel_row)
    }

    /// The reel of a URL that holds the entry with this number, or the newest reel before it.
    pub(crate) fn reel_at(&self, url: &str, number: u32) -> Result<Option<ReelRow>, StoreError> {
        let query = format!(
            "SELECT {REEL_COLUMNS} FROM reel WHERE host = ? AND url = ? AND first_number <= ?
             ORDER BY first_number DESC, number DESC LIMIT 1"
        );
        self.first(&query, params![host_of(url), url, number], reel_row)
    }

    /// All reels of a URL in order.
    pub(crate) fn reels_of(&self, url: &str) -> Result<Vec<ReelRow>, StoreError> {
        let query = format!("SELECT {REEL_COLUMNS} FROM reel WHERE host = ? AND url = ? ORDER BY first_number, number");
        self.all(&query, params![host_of(url), url], reel_row)
    }

    /// Reels in the order of their URLs, after the reels of a URL or from a host on; a number at a time.
    pub(crate) fn reels_from(
        &self,
        host: &str,
        url: &str,
        is_after: bool,
        limit: usize,
    ) -> Result<Vec<ReelRow>, StoreError> {
        let comparison = if is_after { ">" } else { ">=" };
        let query = format!(
            "SELECT {REEL_COLUMNS} FROM reel WHERE (host, url) {comparison} (?, ?)
             ORDER BY host, url, first_number LIMIT ?"
        );
        self.all(&query, params![host, url, limit as i64], reel_row)
    }

    /// Reels by number, from one on; a number at a time.
    pub(crate) fn reels_by_number(&self, from: u32, limit: usize) -> Result<Vec<ReelRow>, StoreError> {
        let query = format!("SELECT {REEL_COLUMNS} FROM reel WHERE number >= ? ORDER BY number LIMIT ?");
        self.all(&query, params![from, limit as i64], reel_row)
    }

    /// The newest reels of a host that lean on none.
    pub(crate) fn roots_of(&self, host: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        let query = "SELECT number FROM reel WHERE host = ? AND root IS NULL ORDER BY number DESC LIMIT ?";
        self.all(query, params![host, limit as i64], |row| row.get(0))
    }

    pub(crate) fn blob(&self, hash: ContentHash) -> Result<Option<BlobPlace>, StoreError> {
        let query = "SELECT pack, log, file_offset, length FROM blob WHERE hash = ?";
        self.first(query, [&hash.0[..]], blob_place)
    }

    /// All blobs in packs, for finding out what of a pack is still used.
    pub(crate) fn live_lengths(&self) -> Result<Vec<(u32, u64)>, StoreError> {
        let query = "SELECT pack, SUM(length) FROM (
                SELECT pack, pack_length AS length FROM reel WHERE pack IS NOT NULL
                UNION ALL SELECT pack, length FROM blob WHERE pack IS NOT NULL)
            GROUP BY pack";
        self.all(query, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    pub(crate) fn packs(&self) -> Result<Vec<u32>, StoreError> {
        self.all("SELECT number FROM pack ORDER BY number", [], |row| row.get(0))
    }

    /// Writes rows and how far the catalogue is, all or nothing.
    pub(crate) fn write<'a>(
        &self,
        reels: impl Iterator<Item = &'a ReelRow>,
        blobs: impl Iterator<Item = (&'a ContentHash, &'a BlobPlace)>,
        state: &State,
    ) -> Result<(), StoreError> {
        self.in_transaction(|catalogue| {
            reels.into_iter().try_for_each(|reel| catalogue.put_reel(reel))?;
            blobs.into_iter().try_for_each(|(hash, place)| catalogue.put_blob(*hash, *place))?;
            catalogue.put_state(state)
        })
    }

    /// Notes that a pack belongs to the archive.
    pub(crate) fn add_pack(&self, number: u32) -> Result<(), StoreError> {
        self.run("INSERT OR IGNORE INTO pack VALUES (?)", [number])
    }

    /// Points to a new pack and forgets what it replaces.
    pub(crate) fn switch(&self, switch: &Switch) -> Result<(), StoreError> {
        self.in_transaction(|catalogue| {
            for (number, packed) in &switch.reels {
                let object = packed.object;
                catalogue.run(
                    "UPDATE reel SET pack = ?, pack_offset = ?, pack_length = ?, packed_count = ? WHERE number = ?",
                    params![object.pack, object.offset, object.length, packed.entry_count, number],
                )?;
                catalogue.run(
                    "UPDATE reel SET log = NULL, log_offset = NULL WHERE number = ? AND packed_count = entry_count",
                    [number],
                )?;
            }
            for (hash, place) in &switch.blobs {
                catalogue.put_blob(*hash, BlobPlace::Pack(*place))?;
            }
            catalogue.add_pack(switch.new_pack)?;
            for number in &switch.gone_packs {
                catalogue.run("DELETE FROM pack WHERE number = ?", [number])?;
            }
            catalogue.run("UPDATE state SET first_log = ?", [switch.first_log])
        })
    }

    /// What SQLite itself finds wrong with the file.
    pub(crate) fn faults(&self) -> Result<Vec<String>, StoreError> {
        let found: Vec<String> = self.all("PRAGMA integrity_check(20)", [], |row| row.get(0))?;
        Ok(found.into_iter().filter(|line| line != "ok").collect())
    }

    fn connect(connection: rusqlite::Result<Connection>, file: &Path) -> Result<Catalogue, StoreError> {
        let connection = connection.map_err(|error| database_error(error, file))?;
        let catalogue = Catalogue { connection, file: file.to_owned() };
        catalogue.check(catalogue.connection.busy_timeout(WAIT_MAX))?;
        catalogue.connection.set_prepared_statement_cache_capacity(32);
        // Else SQLite plans a query again whenever a value that a partial index might turn on is bound anew.
        catalogue.check(catalogue.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true))?;
        Ok(catalogue)
    }

    fn set_up(&self) -> Result<(), StoreError> {
        self.check(self.connection.execute_batch(SCHEMA))?;
        self.put_state(&State::new())
    }

    fn put_state(&self, state: &State) -> Result<(), StoreError> {
        self.run(
            "INSERT OR REPLACE INTO state VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                state.indexed.log,
                state.indexed.offset,
                state.first_log,
                state.next_reel,
                state.url_count,
                state.entry_count,
                state.bytes_given,
                sums_to_bytes(&state.figures),
            ],
        )
    }

    fn put_reel(&self, reel: &ReelRow) -> Result<(), StoreError> {
        let mut times = Vec::new();
        put_time(&mut times, reel.first);
        put_time(&mut times, reel.last);
        let object = reel.packed.map(|packed| packed.object);
        self.run(
            "INSERT OR REPLACE INTO reel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                reel.number,
                host_of(&reel.url),
                reel.url,
                reel.first_number,
                reel.entry_count,
                reel.root.map(|root| root.reel),
                reel.root.map(|root| root.length),
                object.map(|object| object.pack),
                object.map(|object| object.offset),
                object.map(|object| object.length),
                reel.packed.map(|packed| packed.entry_count),
                reel.record.map(|place| place.log),
                reel.record.map(|place| place.offset),
                times,
                reel.newest.to_bytes(),
            ],
        )
    }

    fn put_blob(&self, hash: ContentHash, place: BlobPlace) -> Result<(), StoreError> {
        let (pack, log, offset, length) = match place {
            BlobPlace::Log(place) => (None, Some(place.log), place.offset, None),
            BlobPlace::Pack(object) => (Some(object.pack), None, object.offset, Some(object.length)),
        };
        self.run("INSERT OR REPLACE INTO blob VALUES (?, ?, ?, ?, ?)", params![&hash.0[..], pack, log, offset, length])
    }

    fn in_transaction(&self, work: impl FnOnce(&Catalogue) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let transaction = self.check(self.connection.unchecked_transaction())?;
        work(self)?;
        self.check(transaction.commit())
    }

    fn run(&self, query: &str, values: impl Params) -> Result<(), StoreError> {
        let done = self.connection.prepare_cached(query).and_then(|mut statement| statement.execute(values));
        self.check(done).map(|_| ())
    }

    fn first<T>(
        &self,
        query: &str,
        values: impl Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let found = self
            .connection
            .prepare_cached(query)
            .and_then(|mut statement| statement.query_row(values, read).optional());
        self.check(found)
    }

    fn all<T>(
        &self,
        query: &str,
        values: impl Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let found = self
            .connection
            .prepare_cached(query)
            .and_then(|mut statement| statement.query_map(values, read)?.collect());
        self.check(found)
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|error| database_error(error, &self.file))
    }
}

/// A catalogue that is damaged can be made anew; one that cannot be read or written is the disk's matter.
fn database_error(error: rusqlite::Error, file: &Path) -> StoreError {
    let is_refused = matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::DatabaseBusy | ErrorCode::PermissionDenied)
    );
    if is_refused {
        return StoreError::Io { doing: "use", file: file.to_owned(), source: std::io::Error::other(error) };
    }
    damaged(file, format!("catalogue: {error}"))
}

fn reel_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<ReelRow> {
    let wrong = |column| rusqlite::Error::InvalidColumnType(column, "blob".to_owned(), rusqlite::types::Type::Blob);
    let mut times = Cursor::new(row.get_ref(12)?.as_blob()?);
    let (first, last) = take_time(&mut times).zip(take_time(&mut times)).ok_or_else(|| wrong(12))?;
    let newest = Facts::from_bytes(row.get_ref(13)?.as_blob()?).ok_or_else(|| wrong(13))?;
    let root: Option<u32> = row.get(4)?;
    let pack: Option<u32> = row.get(6)?;
    let log: Option<u32> = row.get(10)?;
    Ok(ReelRow {
        number: row.get(0)?,
        url: row.get(1)?,
        first_number: row.get(2)?,
        entry_count: row.get(3)?,
        root: root.map(|reel| Ok::<_, rusqlite::Error>(Root { reel, length: row.get(5)? })).transpose()?,
        packed: pack.map(|pack| packed_columns(row, pack)).transpose()?,
        record: log.map(|log| Ok::<_, rusqlite::Error>(Place { log, offset: row.get(11)? })).transpose()?,
        first,
        last,
        newest,
    })
}

fn packed_columns(row: &rusqlite::Row<'_>, pack: u32) -> rusqlite::Result<Packed> {
    let object = ObjectPlace { pack, offset: row.get(7)?, length: row.get(8)? };
    Ok(Packed { object, entry_count: row.get(9)? })
}

fn blob_place(row: &rusqlite::Row<'_>) -> rusqlite::Result<BlobPlace> {
    let (pack, log): (Option<u32>, Option<u32>) = (row.get(0)?, row.get(1)?);
    Ok(match (pack, log) {
        (Some(pack), _) => BlobPlace::Pack(ObjectPlace { pack, offset: row.get(2)?, length: row.get(3)? }),
        (None, log) => BlobPlace::Log(Place { log: log.unwrap_or_default(), offset: row.get(2)? }),
    })
}

fn sums_to_bytes(sums: &[u64; FIGURES_MAX]) -> Vec<u8> {
    let mut bytes = Vec::new();
    sums.iter().for_each(|sum| put_number(&mut bytes, *sum));
    bytes
}

fn sums_from_bytes(bytes: &[u8]) -> Option<[u64; FIGURES_MAX]> {
    let (mut cursor, mut sums) = (Cursor::new(bytes), [0; FIGURES_MAX]);
    for sum in &mut sums {
        *sum = cursor.number()?;
    }
    Some(sums)
}
