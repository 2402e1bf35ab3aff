//! The tables of the frontier's file.

use rusqlite::{Connection, OpenFlags};

/// Says that a SQLite file is a frontier of ours: `kuaf` in ASCII.
const APPLICATION_ID: i32 = 0x6B75_6166;
const FORMAT: i32 = 1;

/// Numbers of stages are those of [`Stage::ALL`](kuai_crawl::Stage::ALL). Times are milliseconds since 1970.
const TABLES: &str = "
    CREATE TABLE crawl (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, mark INTEGER NOT NULL DEFAULT 0, memory TEXT,
        ready INTEGER NOT NULL DEFAULT 0, claimed INTEGER NOT NULL DEFAULT 0, later INTEGER NOT NULL DEFAULT 0,
        done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE host (
        id INTEGER PRIMARY KEY, crawl INTEGER NOT NULL, name TEXT NOT NULL,
        ready INTEGER NOT NULL, claimed INTEGER NOT NULL, best INTEGER NOT NULL, not_before INTEGER NOT NULL);
    CREATE UNIQUE INDEX host_of_name ON host (crawl, name);
    CREATE INDEX host_ready ON host (crawl, best DESC, not_before) WHERE ready > 0;
    CREATE TABLE url (
        id INTEGER PRIMARY KEY, crawl INTEGER NOT NULL, key BLOB NOT NULL, host INTEGER NOT NULL, url TEXT NOT NULL,
        via INTEGER NOT NULL, parent INTEGER, depth INTEGER NOT NULL, hops INTEGER NOT NULL, priority INTEGER NOT NULL,
        stage INTEGER NOT NULL, attempts INTEGER NOT NULL, at INTEGER NOT NULL, status INTEGER,
        why TEXT NOT NULL, reason TEXT NOT NULL);
    CREATE UNIQUE INDEX url_of_key ON url (crawl, key);
    CREATE INDEX url_ready ON url (host, priority DESC, id) WHERE stage = 0;
    CREATE INDEX url_waiting ON url (crawl, stage, at) WHERE stage IN (1, 2);
    CREATE INDEX url_failed ON url (crawl, id) WHERE stage = 4;
    CREATE TABLE visit (url TEXT PRIMARY KEY, due INTEGER NOT NULL, why TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX visit_due ON visit (due);";

/// Memory for pages of the file, in KiB: enough for the upper levels of the indexes of tens of millions of addresses.
const CACHE_KIB: u32 = 8 << 10;

/// Opens a frontier's file to write, and makes its tables where there are none.
pub(super) fn open(file: &std::path::Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    // A transaction that a power cut takes back is done again from the archive's change feed, so the file need not be
    // flushed at each.
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -{CACHE_KIB}; PRAGMA temp_store = MEMORY;"
    ))?;
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        let marks = format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};");
        connection.execute_batch(&format!("BEGIN; {TABLES} {marks} COMMIT;"))?;
    }
    check(&connection)?;
    Ok(connection)
}

/// Opens a frontier's file to read; others may write to it meanwhile.
pub(super) fn read(file: &std::path::Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    check(&connection)?;
    Ok(connection)
}

fn check(connection: &Connection) -> rusqlite::Result<()> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if (application, version) == (APPLICATION_ID, FORMAT) {
        return Ok(());
    }
    Err(rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOTADB),
        Some("it is no frontier of this format".to_owned()),
    ))
}
