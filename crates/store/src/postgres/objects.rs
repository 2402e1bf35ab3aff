//! The objects of a shared archive: written once, whole and durable, and never changed.
//!
//! An object is known by its number, which is never used again. What is not pointed to by the database does not count.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use futures_executor::block_on;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use kuai_archive::StoreError;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutPayload};
use tokio::runtime::Handle;
use url::Url;

use super::cache::{OBJECT_BYTES_MAX, ObjectCache};
use super::database::retry;
use super::fault::Fault;
use crate::files::{FileId, Source};

/// Says which archive the objects belong to.
const MARKER: &str = "kuai-archive";
/// Spans that are read at a time.
const READS_MAX: usize = 16;
/// Objects in one folder.
const FOLDER_LENGTH: u32 = 1000;

/// A place for objects.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    store: Arc<dyn ObjectStore>,
    root: Path,
    shown: String,
    runtime: Handle,
    cache: Arc<ObjectCache>,
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) object: u32,
    pub(crate) place: u64,
    pub(crate) length: u64,
}

/// An object that was found in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) number: u32,
    pub(crate) length: u64,
    /// Seconds since it was written, by the clock of this machine.
    pub(crate) age_seconds: i64,
}

impl Objects {
    /// A place by its URL; what else is needed to get there (keys, regions, endpoints) is in the environment, as with other tools.
    pub(crate) fn open(url: &Url, runtime: &Handle) -> Result<Objects, Fault> {
        // Another part of the program may have chosen the same provider before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (store, root): (Arc<dyn ObjectStore>, Path) = if url.scheme() == "file" {
            (Arc::new(folder(url)?), Path::default())
        } else {
            let settings = std::env::vars().map(|(name, value)| (name.to_ascii_lowercase(), value));
            let (store, root) = object_store::parse_url_opts(url, settings).map_err(Fault::Objects)?;
            (store.into(), root)
        };
        let cache = Arc::default();
        Ok(Objects {
            store,
            root,
            shown: url.as_str().trim_end_matches('/').to_owned(),
            runtime: runtime.clone(),
            cache,
        })
    }

    /// What the marker says.
    pub(crate) fn marker(&self) -> Result<Option<String>, Fault> {
        let (store, path) = (Arc::clone(&self.store), self.root.clone().join(MARKER));
        match self.wait(|| {
            let (store, path) = (Arc::clone(&store), path.clone());
            async move { store.get(&path).await?.bytes().await }
        }) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(Fault::Objects(Error::NotFound { .. })) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    pub(crate) fn put_marker(&self, text: &str) -> Result<(), Fault> {
        self.put_at(self.root.clone().join(MARKER), text.as_bytes().to_vec())
    }

    /// Writes an object; it is durable when this returns.
    pub(crate) fn put(&self, number: u32, bytes: Vec<u8>) -> Result<(), Fault> {
        self.put_at(self.path_of(number), bytes)
    }

    /// Reads spans, several at a time, in the order in which they are asked for.
    pub(crate) fn read_all(&self, spans: &[Span]) -> Result<Vec<Vec<u8>>, Fault> {
        let windows = windows(spans);
        let mut read: HashMap<u32, (u64, Bytes)> = HashMap::new();
        let mut missing = Vec::new();
        for (object, window) in windows {
            match self.cache.get(object) {
                Some(bytes) => drop(read.insert(object, (0, bytes))),
                None => missing.push((object, window, self.cache.is_asked_again(object))),
            }
        }
        let reads: Vec<_> =
            missing.into_iter().map(|(object, window, whole)| (object, self.path_of(object), window, whole)).collect();
        let fetched: Vec<Fetched> = self.wait(|| {
            let (store, reads) = (Arc::clone(&self.store), reads.clone());
            async move {
                let read = |(object, path, window, whole)| fetch(Arc::clone(&store), object, path, window, whole);
                stream::iter(reads).map(read).buffered(READS_MAX).try_collect().await
            }
        })?;
        for Fetched { object, start, bytes, is_whole } in fetched {
            if is_whole {
                self.cache.put(object, bytes.clone());
            }
            read.insert(object, (start, bytes));
        }
        spans.iter().map(|span| cut(&read, span).ok_or(Fault::Vanished)).collect()
    }

    /// All objects that are there, pointed to or not.
    pub(crate) fn list(&self) -> Result<Vec<Found>, Fault> {
        let listed: Vec<_> = self.wait(|| {
            let (store, root) = (Arc::clone(&self.store), self.root.clone());
            async move { store.list(Some(&root)).try_collect().await }
        })?;
        let now = jiff::Timestamp::now().as_second();
        let found = listed.iter().filter_map(|object| {
            let number = object.location.filename()?.strip_suffix(".pack")?.parse().ok()?;
            Some(Found { number, length: object.size, age_seconds: now - object.last_modified.timestamp() })
        });
        Ok(found.collect())
    }

    /// Deletes an object; one that is gone already is as good.
    pub(crate) fn delete(&self, number: u32) -> Result<(), Fault> {
        match self.wait(|| {
            let (store, path) = (Arc::clone(&self.store), self.path_of(number));
            async move { store.delete(&path).await }
        }) {
            Err(Fault::Objects(Error::NotFound { .. })) => Ok(()),
            done => done,
        }
    }

    fn put_at(&self, path: Path, bytes: Vec<u8>) -> Result<(), Fault> {
        let payload = PutPayload::from(bytes);
        let put = self.wait(|| {
            let (store, path, payload) = (Arc::clone(&self.store), path.clone(), payload.clone());
            async move { store.put(&path, payload).await }
        });
        put.map(drop)
    }

    fn path_of(&self, number: u32) -> Path {
        self.root.clone().join(format!("{:06}", number / FOLDER_LENGTH)).join(format!("{number:08}.pack"))
    }

    /// Does something on the network's thread and waits for it; again, where what stopped it may pass.
    fn wait<T: Send + 'static, W: Future<Output = Result<T, Error>> + Send + 'static>(
        &self,
        work: impl Fn() -> W,
    ) -> Result<T, Fault> {
        retry(|_| block_on(self.runtime.spawn(work())).map_err(Fault::Task)?.map_err(Fault::Objects))
    }
}

impl Source for Objects {
    fn read(&self, id: FileId, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let (FileId::Log(object) | FileId::Pack(object)) = id;
        let span = Span { object, place: offset, length: length as u64 };
        let read = self.read_all(&[span]).map(|mut read| read.pop().unwrap_or_default());
        read.map_err(|fault| self.error(fault, object))
    }

    fn path(&self, id: FileId) -> PathBuf {
        let (FileId::Log(number) | FileId::Pack(number)) = id;
        self.shown_path(number)
    }
}

impl Objects {
    /// The error of reading an object; one that is gone is told apart, because a compaction may have moved what was in it.
    pub(crate) fn error(&self, fault: Fault, object: u32) -> StoreError {
        let kind = match fault {
            Fault::Objects(Error::NotFound { .. }) | Fault::Vanished => io::ErrorKind::NotFound,
            _ => io::ErrorKind::Other,
        };
        let source = io::Error::new(kind, fault.to_string());
        StoreError::Io { doing: "read", file: self.shown_path(object), source }
    }

    fn shown_path(&self, number: u32) -> PathBuf {
        format!("{}/{:06}/{number:08}.pack", self.shown, number / FOLDER_LENGTH).into()
    }
}

/// What of each object is read: all that lies between the first span and the last, as they are mostly neighbours.
fn windows(spans: &[Span]) -> BTreeMap<u32, Range<u64>> {
    let mut windows: BTreeMap<u32, Range<u64>> = BTreeMap::new();
    for span in spans {
        let end = span.place.saturating_add(span.length);
        let window = windows.entry(span.object).or_insert(span.place..end);
        *window = window.start.min(span.place)..window.end.max(end);
    }
    windows
}

/// Bytes of an object, from a place on.
struct Fetched {
    object: u32,
    start: u64,
    bytes: Bytes,
    is_whole: bool,
}

/// Reads a window of an object, or, where it is asked for again and is short, all of it.
async fn fetch(
    store: Arc<dyn ObjectStore>,
    object: u32,
    path: Path,
    window: Range<u64>,
    wants_whole: bool,
) -> Result<Fetched, Error> {
    if wants_whole && window.end <= OBJECT_BYTES_MAX {
        let found = store.get(&path).await?;
        if found.meta.size <= OBJECT_BYTES_MAX {
            return Ok(Fetched { object, start: 0, bytes: found.bytes().await?, is_whole: true });
        }
    }
    let start = window.start;
    Ok(Fetched { object, start, bytes: store.get_range(&path, window).await?, is_whole: false })
}

/// The bytes of a span, if they were read.
fn cut(read: &HashMap<u32, (u64, Bytes)>, span: &Span) -> Option<Vec<u8>> {
    let (start, bytes) = read.get(&span.object)?;
    let from = usize::try_from(span.place.checked_sub(*start)?).ok()?;
    let end = from.checked_add(usize::try_from(span.length).ok()?)?;
    bytes.get(from..end).map(<[u8]>::to_vec)
}

/// A folder that several machines may share. Files are made durable as they are written.
fn folder(url: &Url) -> Result<LocalFileSystem, Fault> {
    let wrong = || Fault::Runtime(io::Error::other(format!("{url} is no folder")));
    let path = url.to_file_path().map_err(|()| wrong())?;
    std::fs::create_dir_all(&path).map_err(Fault::Runtime)?;
    Ok(LocalFileSystem::new_with_prefix(&path).map_err(Fault::Objects)?.with_fsync(true))
}
