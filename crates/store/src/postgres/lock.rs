//! Names of advisory locks: numbers that processes on one database agree on.

use kuai_archive::ContentHash;

/// Held while tables are made.
pub(super) fn of_schema(schema: &str) -> i64 {
    named("schema", schema, "")
}

/// Held by the one compaction at a time.
pub(super) fn of_compaction(schema: &str) -> i64 {
    named("compaction", schema, "")
}

/// Held by whoever writes to addresses of a host. A lock for each address would take more of them than Postgres has room for.
pub(super) fn of_host(schema: &str, host: &str) -> i64 {
    named("host", schema, host)
}

fn named(what: &str, schema: &str, name: &str) -> i64 {
    let hash = ContentHash::of(format!("{what} {schema} {name}").as_bytes());
    i64::from_le_bytes(*hash.0.first_chunk().expect("a hash has sixteen bytes"))
}

/// Waits for a lock, which is held until the transaction ends.
pub(super) const WAIT: &str = "SELECT pg_advisory_xact_lock($1)";
/// Takes a lock if nobody has it; tells whether it did.
pub(super) const TRY: &str = "SELECT pg_try_advisory_xact_lock($1)";
