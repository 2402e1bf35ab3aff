//! The tables of a shared archive, made and brought up to date by whoever opens it to write.

use super::database::Session;
use super::fault::Fault;
use super::lock;

/// What each version adds to the one before; the first makes everything. Never changed once it was released.
const MIGRATIONS: [&str; 2] = [include_str!("migrations/1.sql"), include_str!("migrations/2.sql")];

/// Makes the schema where there is none, and brings it up to date. Two that start at once wait for each other.
pub(super) fn migrate(session: &mut Session, schema: &str) -> Result<(), Fault> {
    session.batch("BEGIN")?;
    session.query("SELECT pg_advisory_xact_lock($1)", &[&lock::of_schema(schema)])?;
    session.batch(&format!(
        "CREATE SCHEMA IF NOT EXISTS {schema};
         CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now());"
    ))?;
    let done = version(session)?;
    check(schema, done)?;
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        session.batch(migration)?;
        session.execute("INSERT INTO migration (version) VALUES ($1)", &[&(index as i32 + 1)])?;
    }
    session.batch("COMMIT")
}

/// Whether there is an archive, and one that this kuai can read: also one whose tables nobody has brought up to date yet, since what the newer
/// versions add so far is for people who ask with SQL.
pub(super) fn is_there(session: &mut Session, schema: &str) -> Result<bool, Fault> {
    let found = session.query_one("SELECT to_regclass('migration')::text", &[])?;
    if found.get::<_, Option<String>>(0).is_none() {
        return Ok(false);
    }
    let done = version(session)?;
    check(schema, done)?;
    Ok(done > 0)
}

fn version(session: &mut Session) -> Result<usize, Fault> {
    let row = session.query_one("SELECT coalesce(max(version), 0) FROM migration", &[])?;
    Ok(row.get::<_, i32>(0) as usize)
}

fn check(schema: &str, version: usize) -> Result<(), Fault> {
    if version <= MIGRATIONS.len() {
        return Ok(());
    }
    let what = format!(
        "it has tables of version {version}, and this kuai knows them up to {}: take a newer kuai",
        MIGRATIONS.len()
    );
    Err(kuai_archive::StoreError::WrongFormat { place: schema.into(), what }.into())
}
