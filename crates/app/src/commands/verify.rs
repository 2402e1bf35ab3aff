//! `kuai verify`: reads an archive back and says what is damaged.

use std::path::{Path, PathBuf};

use kuai::{Access, Compared, Damage, compare, open_store};
use serde::Serialize;

use crate::Outcome;
use crate::interrupt::Interrupt;
use crate::pages::json_line;
use crate::place::Place;
use crate::progress::Progress;
use crate::wording::counted;

/// Read everything back, hash it, and say what is damaged and what that affects.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai verify            exits 0 when all is well, 2 when something is damaged
  kuai verify --json
  kuai verify --against backup            compares two archives: exits 0 when they are the same, 1 when they differ")]
pub(crate) struct Verify {
    #[command(flatten)]
    place: Place,
    /// Compare with another archive instead, capture by capture, byte for byte.
    #[arg(long, value_name = "PLACE")]
    against: Option<PathBuf>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct VerifyJson {
    captures: u64,
    files: u64,
    damages: Vec<DamageJson>,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct DamageJson {
    file: Option<String>,
    what: String,
    affected: Vec<AffectedJson>,
}

#[derive(Serialize)]
struct AffectedJson {
    url: String,
    capture: u32,
}

/// Affected captures that are named for people; JSON names them all.
const AFFECTED_SHOWN: usize = 10;

impl Verify {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        if let Some(other) = &self.against {
            return self.compare(other, quiet);
        }
        let archive = self.place.read()?;
        let interrupt = Interrupt::watch();
        let mut progress = Progress::new(0, "captures", quiet);
        let verified = archive.verify(&mut |done, total| {
            progress.at(done, total);
            !interrupt.is_raised()
        })?;
        progress.finish();
        anyhow::ensure!(!interrupt.is_raised(), "interrupted after {} captures", verified.entry_count);
        let outcome = if verified.damages.is_empty() { Outcome::Done } else { Outcome::SomeFailed };
        if self.json {
            let damages = verified.damages.iter().map(DamageJson::new).collect();
            let (captures, files) = (verified.entry_count, verified.file_count);
            anstream::println!("{}", json_line(&VerifyJson { captures, files, damages, remarks: verified.remarks }));
            return Ok(outcome);
        }
        verified.remarks.iter().for_each(|remark| anstream::println!("{remark}"));
        verified.damages.iter().for_each(tell);
        let read = format!("{} in {}", counted(verified.entry_count, "capture"), counted(verified.file_count, "file"));
        match verified.damages.len() {
            0 => anstream::println!("{read}: all is well"),
            count => anstream::println!("{read}: {}", counted(count as u64, "damage")),
        }
        Ok(outcome)
    }

    fn compare(&self, other: &Path, quiet: bool) -> anyhow::Result<Outcome> {
        let stores = (open_store(self.place.address()?, Access::Read)?, open_store(other, Access::Read)?);
        let interrupt = Interrupt::watch();
        let mut progress = Progress::new(0, "captures", quiet);
        let compared = compare(&*stores.0, &*stores.1, &mut |done, total| {
            progress.at(done, total);
            !interrupt.is_raised()
        });
        progress.finish();
        let Compared { same, differences } = compared?;
        anyhow::ensure!(!interrupt.is_raised(), "interrupted after {}", counted(same, "capture"));
        let outcome = if differences.is_empty() { Outcome::Done } else { Outcome::Differs };
        if self.json {
            anstream::println!("{}", json_line(&ComparedJson { same, differences }));
            return Ok(outcome);
        }
        differences.iter().for_each(|difference| anstream::println!("{difference}"));
        match differences.len() {
            0 => anstream::println!("{}: the same in both", counted(same, "capture")),
            _ => anstream::println!("the archives differ; {} the same in both", counted(same, "capture")),
        }
        Ok(outcome)
    }
}

#[derive(Serialize)]
struct ComparedJson {
    same: u64,
    differences: Vec<String>,
}

fn tell(damage: &Damage) {
    let file = damage.file.as_ref().map_or(String::new(), |file| format!("{}: ", file.display()));
    anstream::println!("{file}{}", damage.what);
    for (url, number) in damage.affected.iter().take(AFFECTED_SHOWN) {
        anstream::println!("    affects capture {number} of {url}");
    }
    if damage.affected.len() > AFFECTED_SHOWN {
        anstream::println!("    and {} more; --json names them all", damage.affected.len() - AFFECTED_SHOWN);
    }
}

impl DamageJson {
    fn new(damage: &Damage) -> DamageJson {
        let affected =
            damage.affected.iter().map(|(url, capture)| AffectedJson { url: url.clone(), capture: *capture });
        DamageJson {
            file: damage.file.as_ref().map(|file| file.display().to_string()),
            what: damage.what.clone(),
            affected: affected.collect(),
        }
    }
}
