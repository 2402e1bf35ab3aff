//! Opens a shared archive: its tables, its objects, and whether the two belong together.

use kuai_archive::{ContentHash, StoreError};

use super::address::Address;
use super::database::{Database, Session};
use super::objects::Objects;
use super::{Core, Fault, schema};

/// Opens an archive to read; nothing is made or changed.
pub(super) fn for_reading(address: &Address) -> Result<Core, StoreError> {
    let open = || {
        let database = Database::connect(address.config.clone(), &address.schema)?;
        let is_there = database.run(|session| schema::is_there(session, &address.schema))?;
        let state = if is_there { database.run(state)? } else { None };
        let no_archive = || StoreError::NoArchive { place: address.shown.clone().into() };
        let (archive, objects) = state.ok_or_else(no_archive)?;
        let objects = objects_of(address, &database, &objects)?;
        check_marker(address, &objects, &archive)?;
        Ok(core(address, database, objects))
    };
    open().map_err(|fault: Fault| fault.of_store("open", &address.shown))
}

/// Opens an archive to write, and makes it where there is none.
pub(super) fn for_writing(address: &Address) -> Result<Core, StoreError> {
    let open = || {
        let database = Database::connect(address.config.clone(), &address.schema)?;
        database.run(|session| schema::migrate(session, &address.schema))?;
        let (archive, objects) = match database.run(state)? {
            Some(state) => state,
            None => begin(address, &database)?,
        };
        let objects = objects_of(address, &database, &objects)?;
        if objects.marker()?.is_none() {
            objects.put_marker(&archive)?;
        }
        check_marker(address, &objects, &archive)?;
        Ok(core(address, database, objects))
    };
    open().map_err(|fault: Fault| fault.of_store("open", &address.shown))
}

fn core(address: &Address, database: Database, objects: Objects) -> Core {
    let (roots, worker) = Default::default();
    Core {
        database,
        schema: address.schema.clone(),
        shown: address.shown.clone(),
        lease: address.lease,
        objects,
        roots,
        worker,
    }
}

/// What the archive is known by, and where its objects lie.
fn state(session: &mut Session) -> Result<Option<(String, String)>, Fault> {
    let row = session.query_opt("SELECT archive, objects FROM state", &[])?;
    Ok(row.map(|row| (row.get(0), row.get(1))))
}

/// Makes the archive's one row. Of two that begin at once the first is taken.
fn begin(address: &Address, database: &Database) -> Result<(String, String), Fault> {
    let Some(objects) = &address.objects else {
        let what =
            "a new archive needs a place for its objects: add objects=s3://bucket/prefix or objects=/a/shared/folder";
        return Err(StoreError::WrongFormat { place: address.shown.clone().into(), what: what.to_owned() }.into());
    };
    let begun = jiff::Timestamp::now();
    let archive = format!("kuai archive {}\n", ContentHash::of(format!("{} {begun}", address.shown).as_bytes()));
    database.run(|session| {
        let values: super::database::Values<'_> = &[&archive, &objects.as_str()];
        session.execute("INSERT INTO state (archive, objects) VALUES ($1, $2) ON CONFLICT DO NOTHING", values)?;
        state(session)?.ok_or(Fault::Overtaken)
    })
}

/// The place that the address names, or else the one that the archive was made with.
fn objects_of(address: &Address, database: &Database, known: &str) -> Result<Objects, Fault> {
    let url = match &address.objects {
        Some(url) => url.clone(),
        None => url::Url::parse(known).map_err(|error| Fault::Runtime(std::io::Error::other(error)))?,
    };
    Objects::open(&url, database.runtime())
}

fn check_marker(address: &Address, objects: &Objects, archive: &str) -> Result<(), Fault> {
    let what = match objects.marker()? {
        Some(marker) if marker == archive => return Ok(()),
        Some(_) => "the objects at this place belong to another archive: check objects=",
        None => "there are no objects of this archive at this place: check objects=",
    };
    Err(StoreError::WrongFormat { place: address.shown.clone().into(), what: what.to_owned() }.into())
}
