//! The address of a shared archive: `postgres://user@host/database?objects=s3://bucket/prefix&schema=kuai`.
//!
//! Everything but `objects`, `schema` and `lease` is Postgres's own. `objects` says where packs lie; an archive that is there remembers
//! it. `lease` is for how many seconds a worker is believed to live without a sign of it.

use std::path::Path;
use std::time::Duration;

use kuai_archive::{ContentHash, StoreError};
use tokio_postgres::Config;
use url::Url;

/// The schema of an archive whose address names none.
const SCHEMA: &str = "kuai";
/// Postgres cuts longer names off.
const SCHEMA_LENGTH_MAX: usize = 63;

/// How long a worker is believed to live without a sign of it, in seconds: by default, at least and at most.
const LEASE_SECONDS: (u64, u64, u64) = (60, 2, 3600);

/// Where a shared archive lies.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) config: Config,
    pub(crate) schema: String,
    pub(crate) objects: Option<Url>,
    pub(crate) lease: Duration,
    /// The address for people, without a password.
    pub(crate) shown: String,
}

/// Whether a place is the address of a shared archive and no folder.
pub fn is_shared(place: &Path) -> bool {
    place.to_str().is_some_and(|place| place.starts_with("postgres://") || place.starts_with("postgresql://"))
}

/// What a folder on this machine is called that belongs to a shared archive: always the same for an archive, however it is reached.
pub fn local_name(address: &str) -> Result<String, StoreError> {
    let address = Address::parse(address)?;
    Ok(ContentHash::of(address.shown.as_bytes()).to_string())
}

impl Address {
    pub(crate) fn parse(text: &str) -> Result<Address, StoreError> {
        let mut url = Url::parse(text).map_err(|error| wrong(&shown_of(text), &error.to_string()))?;
        let (mut schema, mut objects, mut lease, mut others) = (SCHEMA.to_owned(), None, None, Vec::new());
        for (name, value) in url.query_pairs() {
            match &*name {
                "schema" => schema = value.into_owned(),
                "objects" => objects = Some(value.into_owned()),
                "lease" => lease = Some(value.into_owned()),
                _ => others.push((name.into_owned(), value.into_owned())),
            }
        }
        url.set_query(None);
        if !others.is_empty() {
            url.query_pairs_mut().extend_pairs(others);
        }
        let mut shown = shown_of(url.as_str());
        if schema != SCHEMA {
            shown = format!("{shown}?schema={schema}");
        }
        if !is_plain_name(&schema) {
            return Err(wrong(&shown, "schema is a name of small letters, digits and _"));
        }
        let lease =
            lease_of(lease.as_deref()).ok_or_else(|| wrong(&shown, "lease is a number of seconds, from 2 to 3600"))?;
        let config = url.as_str().parse().map_err(|error: tokio_postgres::Error| wrong(&shown, &chain(&error)))?;
        let objects = objects.map(|objects| objects_url(&objects).map_err(|what| wrong(&shown, &what))).transpose()?;
        Ok(Address { config, schema, objects, lease, shown })
    }
}

/// Where objects lie, from a URL or from the path of a folder.
fn objects_url(text: &str) -> Result<Url, String> {
    if text.starts_with('/') {
        return Url::from_directory_path(text).map_err(|()| format!("objects={text} is no folder"));
    }
    Url::parse(text)
        .map_err(|error| format!("objects={text}: {error}; write s3://bucket/prefix, gs://…, az://… or file:///folder"))
}

fn lease_of(text: Option<&str>) -> Option<Duration> {
    let (usual, least, most) = LEASE_SECONDS;
    let seconds = text.map_or(Some(usual), |text| text.parse().ok())?;
    (least..=most).contains(&seconds).then(|| Duration::from_secs(seconds))
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=SCHEMA_LENGTH_MAX).contains(&name.len())
        && name.bytes().all(is_plain)
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.starts_with("pg_")
}

/// An address without its password and its settings.
fn shown_of(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else { return "postgres://".to_owned() };
    // Both fail only for addresses that have no room for them, and then there is nothing to hide.
    let _ = url.set_password(None);
    url.set_query(None);
    url.to_string()
}

/// An error with its causes, for people.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Many say their cause themselves.
        let why = cause.to_string();
        if !told.contains(&why) {
            told = format!("{told}: {why}");
        }
        source = cause.source();
    }
    told
}

fn wrong(shown: &str, what: &str) -> StoreError {
    StoreError::WrongFormat { place: shown.into(), what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_settings_are_taken_out_and_the_password_is_never_shown() {
        let text = "postgres://me:secret@db.example/web?objects=s3://bucket/a&connect_timeout=3&schema=news";
        let address = Address::parse(text).expect("a good address");
        assert_eq!(address.shown, "postgres://me@db.example/web?schema=news");
        assert_eq!(address.schema, "news");
        assert_eq!(address.objects.expect("given").as_str(), "s3://bucket/a");
        assert_eq!(address.config.get_dbname(), Some("web"));
        assert_eq!(address.config.get_connect_timeout(), Some(&std::time::Duration::from_secs(3)));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        for (text, told) in [
            ("postgres://h/d?schema=Drop%20it", "small letters"),
            ("postgres://h/d?schema=pg_catalog", "small letters"),
            ("postgres://h/d?lease=0", "seconds"),
            ("postgres://h/d?objects=bucket", "s3://bucket/prefix"),
            ("postgres://h/d?nonsense=1", "nonsense"),
        ] {
            let error = Address::parse(text).expect_err(text).to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn only_addresses_of_postgres_are_shared() {
        assert!(is_shared(Path::new("postgres://h/d")) && is_shared(Path::new("postgresql:///d")));
        assert!(!is_shared(Path::new("postgres")) && !is_shared(Path::new("./postgres:")));
    }
}
