//! The blocks of an archive as a table for analysis: Parquet, a row for each content that a block of an address had, with how long it had it.
//!
//! Addresses are gone through one after the other, each from its first version to its last, so memory holds the blocks of one page and the rows of one
//! row group, whatever the archive's size.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use kuai_archive::{Archive, ContentHash, OutlineBlock, VersionInfo};
use kuai_page::{Page, TextOptions, Timestamp, Url};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::{ExportError, Exported, Selection};

/// Rows of a row group, and bytes of their text; whichever comes first.
const GROUP_ROWS: usize = 32 << 10;
const GROUP_BYTES: usize = 16 << 20;

/// Addresses that are listed at a time.
const BATCH: usize = 256;

const SCHEMA: &str = "message block {
    required binary url (STRING);
    required int64 time (TIMESTAMP(MICROS, true));
    required int64 first_seen (TIMESTAMP(MICROS, true));
    required int64 last_seen (TIMESTAMP(MICROS, true));
    required int32 version;
    required int32 depth;
    optional binary kind (STRING);
    optional binary topic (STRING);
    required binary text (STRING);
    required binary block_hash (STRING);
    required binary page_hash (STRING);
}";

/// One content of a block.
struct Row {
    url: Arc<str>,
    /// When it was captured with this content first, the block with any content first, and with this content last.
    time: Timestamp,
    first_seen: Timestamp,
    last_seen: Timestamp,
    version: u32,
    depth: u32,
    kind: Option<&'static str>,
    topic: Option<String>,
    text: String,
    block_hash: ContentHash,
    page_hash: ContentHash,
}

/// Writes the blocks of a selection as a Parquet file. `progress` is told how many captures the addresses so far have.
pub fn export_blocks(
    archive: &Archive,
    selection: &Selection,
    out: impl Write + Send,
    mut progress: impl FnMut(u64),
) -> Result<Exported, ExportError> {
    let mut table = Table::new(out)?;
    let mut exported = Exported::default();
    let (mut after, mut done) = (None, 0);
    loop {
        let listed = archive.urls("", after.as_deref(), BATCH)?;
        let Some(last) = listed.last() else { break };
        after = Some(last.url.clone());
        for row in &listed {
            let is_wanted =
                selection.prefixes.is_empty() || selection.prefixes.iter().any(|prefix| row.url.starts_with(prefix));
            if let Some(url) = Url::parse(&row.url).ok().filter(|_| is_wanted) {
                exported.captures += Lives::of(archive, selection, &url, &mut table)?;
            }
            done += u64::from(row.entry_count);
            progress(done);
        }
    }
    exported.bytes = table.finish()?;
    Ok(exported)
}

/// The blocks of an address that are still there in the version that was looked at last, by what they say and which of the same they are.
struct Lives<'a> {
    url: Arc<str>,
    history: &'a [VersionInfo],
    open: BTreeMap<(ContentHash, usize), Row>,
}

impl Lives<'_> {
    /// Goes through the versions of an address; tells how many there were.
    fn of<W: Write + Send>(
        archive: &Archive,
        selection: &Selection,
        url: &Url,
        table: &mut Table<W>,
    ) -> Result<u64, ExportError> {
        let history = archive.history(url)?;
        let mut lives = Lives { url: url.as_str().into(), history: &history, open: BTreeMap::new() };
        let mut count = 0;
        for info in history.iter().filter(|info| info.is_page && selection.holds(url.as_str(), info.time)) {
            let snapshot = archive.read(url, info)?;
            if selection.holds_outline(&snapshot.outline) {
                count += 1;
                lives.see(info, &snapshot.page(), snapshot.outline.leaves(), table)?;
            }
        }
        lives.open.into_values().try_for_each(|row| table.add(row))?;
        Ok(count)
    }

    /// Writes what is no longer there.
    fn see<'b, W: Write + Send>(
        &mut self,
        info: &VersionInfo,
        page: &Page,
        blocks: impl Iterator<Item = &'b OutlineBlock>,
        table: &mut Table<W>,
    ) -> Result<(), ExportError> {
        let mut before = std::mem::take(&mut self.open);
        let mut counts: BTreeMap<ContentHash, usize> = BTreeMap::new();
        let last_seen = info.seen_again.iter().copied().chain([info.time]).max().unwrap_or(info.time);
        for block in blocks {
            let Some(source) = page.source().get(block.span.range()) else { continue };
            let hash = ContentHash::of(source.as_bytes());
            let count = counts.entry(hash).and_modify(|count| *count += 1).or_default();
            let row = match before.remove(&(hash, *count)) {
                Some(row) => Row { last_seen: last_seen.max(row.last_seen), ..row },
                None => self.row(info, page, block, hash, last_seen),
            };
            self.open.insert((hash, *count), row);
        }
        before.into_values().try_for_each(|row| table.add(row))
    }

    fn row(
        &self,
        info: &VersionInfo,
        page: &Page,
        block: &OutlineBlock,
        hash: ContentHash,
        last_seen: Timestamp,
    ) -> Row {
        let first = self.history.iter().find(|known| known.number == block.age.first);
        Row {
            url: Arc::clone(&self.url),
            time: info.time,
            first_seen: first.map_or(info.time, |first| first.time.min(info.time)),
            last_seen,
            version: info.number,
            depth: block.depth,
            kind: block.label.map(|label| label.name()),
            topic: block.topic.clone(),
            text: page.text(block.span, TextOptions::default()),
            block_hash: hash,
            page_hash: info.hash,
        }
    }
}

/// A table in the making.
struct Table<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<Row>,
    bytes: usize,
}

impl<W: Write + Send> Table<W> {
    fn new(out: W) -> Result<Table<W>, ExportError> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("kuai {}", env!("CARGO_PKG_VERSION")));
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
        Ok(Table { file, rows: Vec::new(), bytes: 0 })
    }

    fn add(&mut self, row: Row) -> Result<(), ExportError> {
        self.bytes += row.text.len();
        self.rows.push(row);
        if self.rows.len() == GROUP_ROWS || self.bytes > GROUP_BYTES { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ExportError> {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        let mut group = Group { writer: self.file.next_row_group()?, rows: &rows };
        group.texts(|row| row.url.as_bytes().to_vec())?;
        group.times(|row| row.time)?;
        group.times(|row| row.first_seen)?;
        group.times(|row| row.last_seen)?;
        group.numbers(|row| row.version)?;
        group.numbers(|row| row.depth)?;
        group.optional_texts(|row| row.kind)?;
        group.optional_texts(|row| row.topic.as_deref())?;
        group.texts(|row| row.text.clone().into_bytes())?;
        group.texts(|row| row.block_hash.to_string().into_bytes())?;
        group.texts(|row| row.page_hash.to_string().into_bytes())?;
        group.writer.close()?;
        Ok(())
    }

    /// Writes what is left; tells how many bytes the file has.
    fn finish(mut self) -> Result<u64, ExportError> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        self.file.finish()?;
        Ok(self.file.bytes_written() as u64)
    }
}

/// A row group on its way out, column by column in the order of the schema.
struct Group<'a, 'b, W: Write + Send> {
    writer: SerializedRowGroupWriter<'a, W>,
    rows: &'b [Row],
}

impl<W: Write + Send> Group<'_, '_, W> {
    fn texts(&mut self, of: impl Fn(&Row) -> Vec<u8>) -> Result<(), ParquetError> {
        let values: Vec<ByteArray> = self.rows.iter().map(|row| of(row).into()).collect();
        self.column::<ByteArrayType>(&values, None)
    }

    fn optional_texts<'c>(&'c mut self, of: impl Fn(&'c Row) -> Option<&'c str>) -> Result<(), ParquetError> {
        let rows = self.rows;
        let values: Vec<ByteArray> = rows.iter().filter_map(&of).map(|text| text.as_bytes().to_vec().into()).collect();
        let is_there: Vec<i16> = rows.iter().map(|row| i16::from(of(row).is_some())).collect();
        self.column::<ByteArrayType>(&values, Some(&is_there))
    }

    fn times(&mut self, of: impl Fn(&Row) -> Timestamp) -> Result<(), ParquetError> {
        let values: Vec<i64> = self.rows.iter().map(|row| of(row).as_microsecond()).collect();
        self.column::<Int64Type>(&values, None)
    }

    fn numbers(&mut self, of: impl Fn(&Row) -> u32) -> Result<(), ParquetError> {
        let values: Vec<i32> = self.rows.iter().map(|row| i32::try_from(of(row)).unwrap_or(i32::MAX)).collect();
        self.column::<Int32Type>(&values, None)
    }

    fn column<T: parquet::data_type::DataType>(
        &mut self,
        values: &[T::T],
        is_there: Option<&[i16]>,
    ) -> Result<(), ParquetError> {
        let mut column = self.writer.next_column()?.expect("the schema has as many columns as are written");
        column.typed::<T>().write_batch(values, is_there, None)?;
        column.close()
    }
}
