//! The objects of a shared archive: written once, whole and durable, and never changed.
//!
//! An object is known by its number, which is never used again. What is not pointed to by the database does not count.

use std::io;
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
        Ok(Objects { store, root, shown: url.as_str().trim_end_matches('/').to_owned(), runtime: runtime.clone() })
    }

    /// What the marker says.
    pub(crate) fn marker(&self) -> Result<Option<String>, Fault> {
        let (store, path) = (Arc::clone(&self.store), self.root.clone().join(MARKER));
        match self.wait(async move { store.get(&path).await?.bytes().await }) {
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
        let reads: Vec<_> = spans.iter().map(|span| (self.path_of(span.object), *span)).collect();
        let store = Arc::clone(&self.store);
        let bytes: Vec<Bytes> = self.wait(async move {
            let read = |(path, span): (Path, Span)| {
                let store = Arc::clone(&store);
                async move { store.get_range(&path, span.place..span.place + span.length).await }
            };
            stream::iter(reads).map(read).buffered(READS_MAX).try_collect().await
        })?;
        let is_whole = bytes.iter().zip(spans).all(|(bytes, span)| bytes.len() as u64 == span.length);
        if is_whole { Ok(bytes.into_iter().map(Vec::from).collect()) } else { Err(Fault::Vanished) }
    }

    /// All objects that are there, pointed to or not.
    pub(crate) fn list(&self) -> Result<Vec<Found>, Fault> {
        let (store, root) = (Arc::clone(&self.store), self.root.clone());
        let listed: Vec<_> = self.wait(async move { store.list(Some(&root)).try_collect().await })?;
        let now = jiff::Timestamp::now().as_second();
        let found = listed.iter().filter_map(|object| {
            let number = object.location.filename()?.strip_suffix(".pack")?.parse().ok()?;
            Some(Found { number, length: object.size, age_seconds: now - object.last_modified.timestamp() })
        });
        Ok(found.collect())
    }

    /// Deletes an object; one that is gone already is as good.
    pub(crate) fn delete(&self, number: u32) -> Result<(), Fault> {
        let (store, path) = (Arc::clone(&self.store), self.path_of(number));
        match self.wait(async move { store.delete(&path).await }) {
            Err(Fault::Objects(Error::NotFound { .. })) => Ok(()),
            done => done,
        }
    }

    fn put_at(&self, path: Path, bytes: Vec<u8>) -> Result<(), Fault> {
        let store = Arc::clone(&self.store);
        self.wait(async move { store.put(&path, PutPayload::from(bytes)).await }).map(drop)
    }

    fn path_of(&self, number: u32) -> Path {
        self.root.clone().join(format!("{:06}", number / FOLDER_LENGTH)).join(format!("{number:08}.pack"))
    }

    /// Does something on the network's thread and waits for it.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Fault> {
        block_on(self.runtime.spawn(work)).map_err(Fault::Task)?.map_err(Fault::Objects)
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

/// A folder that several machines may share. Files are made durable as they are written.
fn folder(url: &Url) -> Result<LocalFileSystem, Fault> {
    let wrong = || Fault::Runtime(io::Error::other(format!("{url} is no folder")));
    let path = url.to_file_path().map_err(|()| wrong())?;
    std::fs::create_dir_all(&path).map_err(Fault::Runtime)?;
    Ok(LocalFileSystem::new_with_prefix(&path).map_err(Fault::Objects)?.with_fsync(true))
}
