//! Where the bodies are that later records only refer to: by the names they may be called, in little memory.

use std::hash::{Hash, Hasher};

use kuai_page::Timestamp;
use kuai_warc::{Digest, Fields, RecordType};
use rustc_hash::{FxHashMap, FxHasher};

/// Names that are remembered; with their addresses about 50 MB. Later bodies are found by address and time only.
const NAMES_MAX: usize = 900_000;

/// What a record may be called by: its digest, its id, or its address and time. Kept as a hash: who asks compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name(u64);

impl Name {
    pub(super) fn digest(digest: Digest) -> Name {
        Name(hash(("digest", digest)))
    }

    pub(super) fn id(id: &str) -> Name {
        Name(hash(("id", id)))
    }

    pub(super) fn address(url: &str, time: Timestamp) -> Name {
        Name(hash(("address", url, time.as_nanosecond())))
    }

    /// What later records may call this one by where its address does not do.
    pub(super) fn of(fields: &Fields) -> Vec<Name> {
        if fields.record_type() == RecordType::Revisit {
            return Vec::new();
        }
        let digest = fields.digest("WARC-Payload-Digest").map(Name::digest);
        let id = fields.text("WARC-Record-ID").map(Name::id);
        digest.into_iter().chain(id).collect()
    }
}

/// Names, and the entries of the archive that they stand for.
#[derive(Default)]
pub(super) struct Originals {
    places: FxHashMap<Name, u32>,
    /// Where in `urls` the address of each place begins (it ends where the next one begins), and the number of its entry.
    entries: Vec<(usize, u32)>,
    urls: String,
}

impl Originals {
    pub(super) fn add(&mut self, names: &[Name], url: &str, number: u32) {
        let is_new = names.iter().any(|name| !self.places.contains_key(name));
        if !is_new || self.places.len() + names.len() > NAMES_MAX {
            return;
        }
        let place = self.entries.len() as u32;
        self.entries.push((self.urls.len(), number));
        self.urls.push_str(url);
        for name in names {
            self.places.entry(*name).or_insert(place);
        }
    }

    pub(super) fn find(&self, name: Name) -> Option<(String, u32)> {
        let place = *self.places.get(&name)? as usize;
        let (start, number) = self.entries[place];
        let end = self.entries.get(place + 1).map_or(self.urls.len(), |next| next.0);
        Some((self.urls[start..end].to_owned(), number))
    }
}

fn hash(name: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}
