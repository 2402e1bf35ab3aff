//! What an index of captures says and only reading tells: type and digest. Read once and remembered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kuai::{Capture, Error};
use kuai_warc::Digest;

/// Versions that are remembered, at about 120 bytes each.
const REMEMBERED_MAX: usize = 1 << 16;

/// The type of a body that came without one.
const UNKNOWN_TYPE: &str = "unk";

/// See above.
#[derive(Default)]
pub(super) struct Details(Mutex<HashMap<u64, Arc<Detail>>>);

/// What only reading tells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Detail {
    /// The type without its parameters: `text/html`.
    pub(crate) mime: String,
    /// The SHA-1 of the body in base 32, as WARC files give it.
    pub(crate) digest: String,
}

impl Details {
    /// The detail of the version with this sequence number.
    pub(super) fn of(
        &self,
        sequence: u64,
        read: impl FnOnce() -> Result<Capture, Error>,
    ) -> Result<Arc<Detail>, Error> {
        if let Some(known) = self.lock().get(&sequence) {
            return Ok(Arc::clone(known));
        }
        let detail = Arc::new(Detail::of(&read()?));
        let mut known = self.lock();
        if known.len() >= REMEMBERED_MAX {
            known.clear();
        }
        known.insert(sequence, Arc::clone(&detail));
        Ok(detail)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<Detail>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Detail {
    fn of(capture: &Capture) -> Detail {
        let digest = Digest::sha1(&capture.body).to_string();
        Detail { mime: mime(capture), digest: digest.trim_start_matches("sha1:").to_owned() }
    }
}

fn mime(capture: &Capture) -> String {
    let value = capture.header("content-type").unwrap_or_default();
    let essence = value.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let essence = String::from_utf8_lossy(essence).to_ascii_lowercase();
    let is_word = !essence.is_empty() && essence.bytes().all(|byte| byte.is_ascii_graphic());
    if is_word { essence } else { UNKNOWN_TYPE.to_owned() }
}
