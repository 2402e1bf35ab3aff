//! Which archive a command speaks of, and at which time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use clap::builder::{OsStringValueParser, TypedValueParser};
use kuai::{Access, Archive, Rules, StoreError, Timestamp, Url, local_folder, open};

const DEFAULT_PLACE: &str = "kuai-archive";

/// Scripts and containers set variables to nothing that they do not use.
fn place(given: OsString) -> PathBuf {
    if given.is_empty() { DEFAULT_PLACE.into() } else { given.into() }
}

/// The archive of a command.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// Where the archive is: a folder, made on first use, or the address of a shared one (docs/shared-archive.md):
    /// `postgres://user@host/database?objects=s3://bucket/prefix`.
    #[arg(long, value_name = "PLACE", env = "KUAI_ARCHIVE", hide_env_values = true, default_value = DEFAULT_PLACE,
        value_parser = OsStringValueParser::new().map(place))]
    archive: PathBuf,
    #[arg(skip)]
    local: OnceLock<PathBuf>,
}

impl Place {
    /// The folder on this machine that belongs to it: its own, or, where it is shared, one for what each machine has for itself. It need not be there:
    /// whoever writes into it makes it.
    pub(crate) fn folder(&self) -> anyhow::Result<&Path> {
        if let Some(folder) = self.local.get() {
            return Ok(folder);
        }
        let folder = local_folder(self.address()?)?;
        Ok(self.local.get_or_init(|| folder))
    }

    /// The place as it was given.
    pub(crate) fn address(&self) -> anyhow::Result<&Path> {
        let given = self.archive.to_string_lossy();
        if given.contains("://") && !given.starts_with("postgres://") && !given.starts_with("postgresql://") {
            bail!("{given}: an archive is in a folder or at postgres://…");
        }
        Ok(&self.archive)
    }

    /// The place as it may be shown: without a password.
    pub(crate) fn shown(&self) -> PathBuf {
        match Url::parse(&self.archive.to_string_lossy()) {
            Ok(mut url) if url.password().is_some() => {
                let _ = url.set_password(None);
                url.as_str().into()
            }
            _ => self.archive.clone(),
        }
    }

    /// Opens the archive to read.
    pub(crate) fn read(&self) -> anyhow::Result<Archive> {
        self.open(Access::Read)
    }

    /// Opens the archive to write; makes it where there is none.
    pub(crate) fn write(&self) -> anyhow::Result<Archive> {
        self.open(Access::Write)
    }

    /// Opens the archive to write, with an administrator's rules.
    pub(crate) fn write_by_rules(&self, rules: Option<&Path>) -> anyhow::Result<Archive> {
        let archive = self.write()?;
        let Some(file) = rules else { return Ok(archive) };
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let rules = Rules::read(&text).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(archive.with_rules(rules))
    }

    fn open(&self, access: Access) -> anyhow::Result<Archive> {
        open(self.address()?, access).map_err(|error| match error {
            kuai::Error::Store(StoreError::NoArchive { .. }) => anyhow::Error::new(error).context(
                "name an archive with --archive or $KUAI_ARCHIVE, or make one with `kuai collect` or `kuai put`",
            ),
            error => error.into(),
        })
    }
}

/// The version of a page that a command speaks of.
#[derive(clap::Args)]
pub(crate) struct PageAt {
    /// The address.
    #[arg(value_parser = address)]
    pub(crate) url: Url,
    /// The latest version at or before this time [default: the newest].
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) at: Option<Timestamp>,
}

/// An address given on the command line.
pub(crate) fn address(text: &str) -> Result<Url, String> {
    match Url::parse(text) {
        Ok(url) if url.has_host() => Ok(url),
        Ok(_) => Err(format!("{text} names no host; write it like https://example.org/page")),
        Err(error) => Err(format!("{error}; write it like https://example.org/page")),
    }
}

/// A time given on the command line: RFC 3339, the 14 digits of web archives, or a date, which stands for its last second.
pub(crate) fn time(text: &str) -> Result<Timestamp, String> {
    let digits = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = text.len() == 10 && text.bytes().filter(|byte| *byte == b'-').count() == 2;
    let written = match (digits, is_date) {
        (true, _) => {
            let (date, clock) = text.split_at(8);
            format!("{}-{}-{}T{}:{}:{}Z", &date[..4], &date[4..6], &date[6..], &clock[..2], &clock[2..4], &clock[4..])
        }
        (_, true) => format!("{text}T23:59:59Z"),
        _ => text.to_owned(),
    };
    written.parse().map_err(|_| "write a time like 2024-01-31T23:59:59Z, 20240131235959 or 2024-01-31".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_in_all_its_forms() {
        for text in ["2024-01-31T23:59:59Z", "20240131235959", "2024-01-31", "2024-02-01T00:59:59+01:00"] {
            assert_eq!(time(text).expect(text).to_string(), "2024-01-31T23:59:59Z", "{text}");
        }
        assert!(time("yesterday").is_err());
        assert!(time("20241331000000").is_err());
    }

    #[test]
    fn an_address_needs_a_host() {
        assert!(address("example.org/page").is_err());
        assert!(address("mailto:a@example.org").is_err());
        assert!(address("https://example.org/a page").is_ok());
    }
}
