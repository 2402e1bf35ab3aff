//! What an index shows at one moment: its segments, with their columns opened once for all that ask.

use std::sync::Arc;

use tantivy::columnar::{Column, ColumnValues, StrColumn};
use tantivy::fastfield::FastFieldReaders;
use tantivy::{DocAddress, DocId, Searcher, SegmentReader};

use crate::error::Error;
use crate::ranks::Ranks;
use crate::schema::{NEVER, column};

/// The segments of an index at one moment.
pub(crate) struct View {
    pub(crate) searcher: Searcher,
    /// Those of each segment.
    columns: Vec<Columns>,
}

/// The columns of a segment: for each document its values.
#[derive(Clone)]
pub(crate) struct Columns {
    pub(crate) first: Arc<dyn ColumnValues<i64>>,
    /// [`NEVER`] for what is there still, as for [`Columns::gone`].
    pub(crate) last: Arc<dyn ColumnValues<i64>>,
    pub(crate) gone: Arc<dyn ColumnValues<i64>>,
    pub(crate) kind: Arc<dyn ColumnValues<u64>>,
    pub(crate) block: Arc<dyn ColumnValues<u64>>,
    pub(crate) number: Arc<dyn ColumnValues<u64>>,
    pub(crate) piece: Arc<dyn ColumnValues<u64>>,
    pub(crate) url: Names,
    pub(crate) host: Names,
    pub(crate) title: Names,
    pub(crate) language: Names,
    /// What the scores of each address are multiplied with; empty where all are alike.
    boosts: Arc<[f32]>,
}

/// A column of names, which are numbered in their order within a segment; none where no document has one.
#[derive(Clone)]
pub(crate) struct Names(Option<StrColumn>);

impl View {
    pub(crate) fn new(searcher: Searcher, ranks: &Ranks) -> Result<View, Error> {
        let open = |segment| Columns::open(segment, ranks);
        let columns = searcher.segment_readers().iter().map(open).collect::<Result<_, _>>()?;
        Ok(View { searcher, columns })
    }

    /// The columns of the segment with this number.
    pub(crate) fn columns(&self, segment: u32) -> &Columns {
        &self.columns[segment as usize]
    }

    /// The columns of the segment that a document is in.
    pub(crate) fn columns_of(&self, address: DocAddress) -> &Columns {
        self.columns(address.segment_ord)
    }
}

impl Columns {
    fn open(segment: &SegmentReader, ranks: &Ranks) -> tantivy::Result<Columns> {
        let columns = segment.fast_fields();
        let url = Names(columns.str(column::URL)?);
        Ok(Columns {
            first: columns.column_first_or_default(column::FIRST)?,
            last: moments(columns, column::LAST, segment.max_doc())?,
            gone: moments(columns, column::GONE, segment.max_doc())?,
            kind: columns.column_first_or_default(column::KIND)?,
            block: columns.column_first_or_default(column::BLOCK)?,
            number: columns.column_first_or_default(column::NUMBER)?,
            piece: columns.column_first_or_default(column::PIECE)?,
            boosts: if ranks.is_empty() { Arc::default() } else { url.all().map(|url| ranks.boost(&url)).collect() },
            url,
            host: Names(columns.str(column::HOST)?),
            title: Names(columns.str(column::TITLE)?),
            language: Names(columns.str(column::LANGUAGE)?),
        })
    }

    /// What the score of a document is multiplied with, for the sake of its page.
    pub(crate) fn boost(&self, doc: DocId) -> f32 {
        if self.boosts.is_empty() {
            return 1.0;
        }
        self.url.ord(doc).and_then(|url| self.boosts.get(url as usize)).copied().unwrap_or(1.0)
    }
}

/// A column of times, [`NEVER`] where a document has none.
fn moments(columns: &FastFieldReaders, name: &str, documents: u32) -> tantivy::Result<Arc<dyn ColumnValues<i64>>> {
    let column = columns.column_opt::<i64>(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(documents)).first_or_default_col(NEVER))
}

impl Names {
    /// The number that the segment has for the name of a document.
    pub(crate) fn ord(&self, doc: DocId) -> Option<u64> {
        self.0.as_ref()?.ords().first(doc)
    }

    /// The name with a number. A dictionary that cannot be read was damaged after it was checked; its names are empty.
    pub(crate) fn name(&self, ord: u64) -> String {
        let mut name = String::new();
        let _ = self.0.as_ref().map(|column| column.ord_to_str(ord, &mut name));
        name
    }

    /// All names, in order.
    fn all(&self) -> impl Iterator<Item = String> {
        let count = self.0.as_ref().map_or(0, |column| column.num_terms() as u64);
        (0..count).map(|ord| self.name(ord))
    }

    /// The name of a document.
    pub(crate) fn of(&self, doc: DocId) -> String {
        self.ord(doc).map(|ord| self.name(ord)).unwrap_or_default()
    }
}
