//! The index on disk: opened, checked, and made anew where it is damaged or of another form.
//!
//! Its folder holds `words/` (the index proper), `lock` (whoever writes holds it) and, where somebody asked for it, `dictionary.txt` (words of their
//! own) and `ranks.tsv` (of pages). How far it follows the archive is committed together with what it holds, so it is never ahead nor behind of
//! itself. It can be thrown away at any time.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use tantivy::merge_policy::LogMergePolicy;
use tantivy::schema::TantivyDocument;
use tantivy::store::{Compressor, ZstdCompressor};
use tantivy::{IndexBuilder, IndexReader, IndexSettings, IndexWriter, ReloadPolicy};

use crate::error::{Error, io_error};
use crate::packed::{PACKED, Packed};
use crate::rank::Ranked;
use crate::ranks::Ranks;
use crate::schema::{FORM, Fields};
use crate::tokens::Tokenizer;
use crate::view::View;

const WORDS: &str = "words";
const LOCK: &str = "lock";
const DICTIONARY: &str = "dictionary.txt";

/// Memory that new documents take before they are written.
const WRITER_BYTES: usize = 64 << 20;

/// How hard zstd presses documents.
const DOCUMENTS_LEVEL: i32 = 19;

/// Segments of one size that are merged into one. A search asks every segment, and each has a dictionary of its own: with 8, as is usual,
/// a million blocks lie in 14 segments.
const SEGMENTS_MERGED: usize = 4;

/// An index of blocks that follows an archive.
pub struct Index {
    pub(crate) fields: Fields,
    pub(crate) tokenizer: Tokenizer,
    index: tantivy::Index,
    reader: IndexReader,
    /// What was committed last.
    view: RwLock<Arc<View>>,
    ranks: Ranks,
    mark: Mark,
    /// Where it lies; none for one in memory.
    folder: Option<PathBuf>,
    /// What its words of one's own are known by.
    dictionary: String,
}

/// How far an index follows its archive, committed with what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    form: u32,
    /// The last change of the feed that was taken in.
    pub(crate) sequence: u64,
    /// What that change is known by, so that another archive is not taken for this one.
    pub(crate) change: String,
    dictionary: String,
    /// A hash of the others: nothing else guards this file of the index.
    check: String,
}

/// An index as it was found.
pub struct Opened {
    /// The index; empty where it had to be begun anew.
    pub index: Index,
    /// Why what was there could not be used.
    pub discarded: Option<String>,
}

/// Writes to an index; alone in doing so.
pub(crate) struct Writer {
    pub(crate) documents: IndexWriter<TantivyDocument>,
    _lock: Option<File>,
}

impl Index {
    /// An index that lives as long as its value.
    pub fn in_memory() -> Result<Index, Error> {
        let index = new_index().create_in_ram()?;
        Index::new(index, Tokenizer::default(), String::new(), Mark::default(), None)
    }

    /// Opens the index in a folder, or begins one. Every file is checked; what is damaged, of another form or cut with other words of one's own
    /// is thrown away, and said so.
    pub fn open(folder: &Path) -> Result<Opened, Error> {
        let words = read_dictionary(folder)?;
        let dictionary = dictionary_id(&words);
        let found = folder.join(WORDS);
        let why = match found.exists() {
            false => None,
            true => match open_checked(&found, &dictionary) {
                Ok((index, mark)) => {
                    let tokenizer = Tokenizer::with_dictionary(&words)?;
                    let index = Index::new(index, tokenizer, dictionary, mark, Some(folder.to_owned()))?;
                    return Ok(Opened { index, discarded: None });
                }
                Err(why) => Some(why),
            },
        };
        Ok(Opened { index: Index::begin(folder)?, discarded: why })
    }

    /// Throws away what is in a folder and begins anew.
    pub fn begin(folder: &Path) -> Result<Index, Error> {
        fs::create_dir_all(folder).map_err(io_error("make", folder))?;
        let _lock = lock(folder)?;
        let words = read_dictionary(folder)?;
        let tokenizer = Tokenizer::with_dictionary(&words)?;
        let place = folder.join(WORDS);
        match fs::remove_dir_all(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error("delete", &place)(error)),
            _ => {}
        }
        fs::create_dir_all(&place).map_err(io_error("make", &place))?;
        let index = new_index().create_in_dir(&place)?;
        Index::new(index, tokenizer, dictionary_id(&words), Mark::default(), Some(folder.to_owned()))
    }

    /// Weighs hits by how much their pages are recommended, from when the index is next opened; no ranks make all pages alike again.
    pub fn set_ranks(folder: &Path, ranked: &[Ranked]) -> Result<(), Error> {
        fs::create_dir_all(folder).map_err(io_error("make", folder))?;
        Ranks::write(folder, ranked)
    }

    /// Takes over words of one's own for Chinese; the index is to be begun anew after it.
    pub fn set_dictionary(folder: &Path, words: &str) -> Result<(), Error> {
        Tokenizer::with_dictionary(words)?;
        fs::create_dir_all(folder).map_err(io_error("make", folder))?;
        let _lock = lock(folder)?;
        let file = folder.join(DICTIONARY);
        fs::write(&file, words).map_err(io_error("write", &file))
    }

    fn new(
        index: tantivy::Index,
        tokenizer: Tokenizer,
        dictionary: String,
        mark: Mark,
        folder: Option<PathBuf>,
    ) -> Result<Index, Error> {
        index.tokenizers().register(PACKED, Packed::default());
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let ranks = folder.as_deref().map(Ranks::read).transpose()?.unwrap_or_default();
        let view = RwLock::new(Arc::new(View::new(reader.searcher(), &ranks)?));
        Ok(Index { fields: Fields::new(), tokenizer, index, reader, view, ranks, mark, folder, dictionary })
    }

    /// How far the index follows: the last change of the feed that was taken in.
    pub fn sequence(&self) -> u64 {
        self.mark.sequence
    }

    /// How many lifetimes of blocks it holds.
    pub fn document_count(&self) -> u64 {
        self.view().searcher.num_docs()
    }

    /// Bytes that it takes.
    pub fn byte_count(&self) -> u64 {
        let usage = self.view().searcher.space_usage();
        usage.map_or(0, |usage| usage.total().get_bytes())
    }

    /// What its bytes are for, by sort and field, and in how many segments they lie.
    pub fn space(&self) -> Result<(BTreeMap<String, u64>, usize), Error> {
        let usage = self.view().searcher.space_usage().map_err(tantivy::TantivyError::from)?;
        let mut parts = BTreeMap::new();
        for segment in usage.segments() {
            let sorts = [
                ("words", segment.termdict()),
                ("places", segment.postings()),
                ("positions", segment.positions()),
                ("columns", segment.fast_fields()),
                ("lengths", segment.fieldnorms()),
            ];
            for (sort, fields) in sorts {
                for field in fields.fields() {
                    *parts.entry(format!("{sort} of {}", field.field_name())).or_default() += field.total().get_bytes();
                }
            }
            *parts.entry("documents".to_owned()).or_default() += segment.store().total().get_bytes();
        }
        Ok((parts, usage.segments().len()))
    }

    /// What there is to be seen now.
    pub(crate) fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn mark(&self) -> &Mark {
        &self.mark
    }

    /// Begins to write; refused while another process does.
    pub(crate) fn writer(&self) -> Result<Writer, Error> {
        let _lock = self.folder.as_deref().map(lock).transpose()?;
        let documents = self.index.writer_with_num_threads(1, WRITER_BYTES)?;
        let mut merging = LogMergePolicy::default();
        merging.set_min_num_segments(SEGMENTS_MERGED);
        documents.set_merge_policy(Box::new(merging));
        Ok(Writer { documents, _lock })
    }

    /// Makes what was written visible and durable, together with how far it follows.
    pub(crate) fn commit(&mut self, writer: &mut Writer, sequence: u64, change: String) -> Result<(), Error> {
        let mark = Mark::new(sequence, change, self.dictionary.clone());
        let mut prepared = writer.documents.prepare_commit()?;
        prepared.set_payload(&serde_json::to_string(&mark).expect("a mark is plain JSON"));
        prepared.commit()?;
        self.mark = mark;
        self.reload()
    }

    /// Shows what was committed.
    pub(crate) fn reload(&self) -> Result<(), Error> {
        self.reader.reload()?;
        let view = Arc::new(View::new(self.reader.searcher(), &self.ranks)?);
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = view;
        Ok(())
    }

    /// Throws everything away, for an archive that is another than the one followed.
    pub(crate) fn clear(&mut self, writer: &mut Writer) -> Result<(), Error> {
        writer.documents.delete_all_documents()?;
        self.commit(writer, 0, String::new())
    }
}

impl Mark {
    fn new(sequence: u64, change: String, dictionary: String) -> Mark {
        let check = check(FORM, sequence, &change, &dictionary);
        Mark { form: FORM, sequence, change, dictionary, check }
    }

    fn is_sound(&self) -> bool {
        self.check == check(self.form, self.sequence, &self.change, &self.dictionary)
    }
}

fn check(form: u32, sequence: u64, change: &str, dictionary: &str) -> String {
    let hash = blake3::hash(format!("{form} {sequence} {change} {dictionary}").as_bytes());
    hash.to_hex()[..16].to_owned()
}

/// An index to be made. Nothing is stored in its documents, but the places where each of them would begin are; pressed hard they take a byte
/// each instead of five.
fn new_index() -> IndexBuilder {
    let press = Compressor::Zstd(ZstdCompressor { compression_level: Some(DOCUMENTS_LEVEL) });
    let settings = IndexSettings { docstore_compression: press, ..IndexSettings::default() };
    tantivy::Index::builder().schema(Fields::new().schema).settings(settings)
}

/// Opens an index and reads every file of it; says what is wrong with it.
fn open_checked(words: &Path, dictionary: &str) -> Result<(tantivy::Index, Mark), String> {
    let damaged = |error: tantivy::TantivyError| format!("it is damaged ({error})");
    let index = tantivy::Index::open_in_dir(words).map_err(damaged)?;
    let mark = match index.load_metas().map_err(damaged)?.payload {
        None => Mark::new(0, String::new(), dictionary.to_owned()),
        Some(payload) => serde_json::from_str::<Mark>(&payload).map_err(|_| "it is of an older form".to_owned())?,
    };
    if mark.form != FORM || index.schema() != Fields::new().schema {
        return Err("it is of an older form".to_owned());
    }
    if !mark.is_sound() {
        return Err("it is damaged (what it follows cannot be told)".to_owned());
    }
    if mark.dictionary != dictionary {
        return Err("the words of your own changed".to_owned());
    }
    match index.validate_checksum().map_err(damaged)?.iter().min() {
        None => Ok((index, mark)),
        Some(file) => Err(format!("it is damaged ({} does not have its checksum)", file.display())),
    }
}

/// Takes the lock of a folder, for as long as the file is held.
fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let file = File::options().create(true).append(true).open(&path).map_err(io_error("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Locked { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(io_error("lock", &path)(error)),
    }
}

fn read_dictionary(folder: &Path) -> Result<String, Error> {
    let file = folder.join(DICTIONARY);
    match fs::read_to_string(&file) {
        Ok(words) => Ok(words),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(io_error("read", &file)(error)),
    }
}

fn dictionary_id(words: &str) -> String {
    if words.is_empty() { String::new() } else { blake3::hash(words.as_bytes()).to_hex()[..16].to_owned() }
}
