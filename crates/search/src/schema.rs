//! The form of the index: its fields, and a document for each lifetime of a block.

use kuai_page::{Label, Timestamp, Url};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, Schema, TantivyDocument, TextFieldIndexing, TextOptions,
};

use crate::lifetimes::Lifetime;
use crate::packed::{self, PACKED};
use crate::said::{BlockId, Said};
use crate::tokens::Tokenizer;

/// The form of indexes that this code writes; another one is made anew.
pub(crate) const FORM: u32 = 2;

/// Stands for a time that has not come: the block is there still.
pub(crate) const NEVER: i64 = i64::MAX;

/// The fields of a document.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    pub(crate) text: Field,
    /// The words of the page's title.
    pub(crate) title: Field,
    /// The words of what the block is about.
    pub(crate) topic: Field,
    pub(crate) url: Field,
    /// The host and the names above it.
    pub(crate) site: Field,
    pub(crate) language: Field,
    /// The low bits of the block, by which others with the same text are found: whole hashes would be a third of a small block's cost.
    pub(crate) short: Field,
    block: Field,
    piece: Field,
    first: Field,
    last: Field,
    gone: Field,
    number: Field,
    pub(crate) kind: Field,
    host: Field,
    shown_title: Field,
}

/// The columns that are read by name.
pub(crate) mod column {
    pub(crate) const URL: &str = "url";
    pub(crate) const HOST: &str = "host";
    pub(crate) const TITLE: &str = "shown_title";
    pub(crate) const LANGUAGE: &str = "language";
    pub(crate) const BLOCK: &str = "block";
    pub(crate) const FIRST: &str = "first";
    pub(crate) const LAST: &str = "last";
    pub(crate) const GONE: &str = "gone";
    pub(crate) const NUMBER: &str = "number";
    pub(crate) const PIECE: &str = "piece";
    pub(crate) const KIND: &str = "kind";
}

impl Fields {
    pub(crate) fn new() -> Fields {
        let mut schema = Schema::builder();
        // Only texts differ in length so much that it matters to the score; every other length would cost a byte a document.
        let words = |tokenizer, record, has_lengths| {
            let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(record);
            TextOptions::default().set_indexing_options(indexing.set_fieldnorms(has_lengths))
        };
        let name = || words("raw", IndexRecordOption::Basic, false);
        let text = schema.add_text_field("text", words(PACKED, IndexRecordOption::WithFreqsAndPositions, true));
        let title = schema.add_text_field("title", words(PACKED, IndexRecordOption::Basic, false));
        let topic = schema.add_text_field("topic", words(PACKED, IndexRecordOption::Basic, false));
        let url = schema.add_text_field(column::URL, name().set_fast("raw"));
        let site = schema.add_text_field("site", name());
        let language = schema.add_text_field(column::LANGUAGE, name().set_fast("raw"));
        let found_by = || NumericOptions::default().set_indexed();
        let short = schema.add_u64_field("short", found_by());
        let kind = schema.add_u64_field(column::KIND, found_by().set_fast());
        let block = schema.add_u64_field(column::BLOCK, FAST);
        let piece = schema.add_u64_field(column::PIECE, FAST);
        let first = schema.add_i64_field(column::FIRST, FAST);
        let last = schema.add_i64_field(column::LAST, FAST);
        let gone = schema.add_i64_field(column::GONE, FAST);
        let number = schema.add_u64_field(column::NUMBER, FAST);
        let shown = TextOptions::default().set_fast("raw");
        let host = schema.add_text_field(column::HOST, shown.clone());
        let shown_title = schema.add_text_field(column::TITLE, shown);
        let schema = schema.build();
        Fields {
            schema,
            text,
            title,
            topic,
            url,
            site,
            language,
            short,
            block,
            piece,
            first,
            last,
            gone,
            number,
            kind,
            host,
            shown_title,
        }
    }

    /// The document of a lifetime.
    pub(crate) fn document(
        &self,
        url: &Url,
        lifetime: &Lifetime,
        said: &Said,
        tokenizer: &Tokenizer,
    ) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        let pack = |text: &str| packed::pack(&tokenizer.tokens(text, said.language));
        document.add_text(self.text, pack(&said.text));
        document.add_text(self.title, pack(&said.title));
        document.add_text(self.topic, pack(said.topic.as_deref().unwrap_or_default()));
        document.add_text(self.url, url.as_str());
        for site in sites(url) {
            document.add_text(self.site, site);
        }
        document.add_text(self.host, url.host_str().unwrap_or_default());
        document.add_text(self.shown_title, &*said.title);
        document.add_text(self.language, said.language.code());
        document.add_u64(self.block, lifetime.block.0);
        document.add_u64(self.short, short(lifetime.block));
        document.add_u64(self.piece, said.piece as u64);
        document.add_i64(self.first, moment(lifetime.first));
        // A block that is there still was last seen with its page, and the archive knows when that was.
        if let Some(gone) = lifetime.gone {
            document.add_i64(self.last, moment(lifetime.last));
            document.add_i64(self.gone, moment(gone));
        }
        document.add_u64(self.number, u64::from(lifetime.number));
        document.add_u64(self.kind, kind_number(said.label));
        document
    }
}

/// The bits of a block that it is found by. Others that have the same are read in vain, a hundred in a million; with more bits the lists become so
/// short that their beginnings cost more than what they hold.
pub(crate) fn short(block: BlockId) -> u64 {
    block.0 & 0x1FFF
}

/// A time as it is kept: microseconds, which say which of two captures came first.
pub(crate) fn moment(time: Timestamp) -> i64 {
    time.as_microsecond()
}

/// The time of a moment.
pub(crate) fn time(moment: i64) -> Timestamp {
    Timestamp::from_microsecond(moment).unwrap_or(Timestamp::MAX)
}

/// The number that a label is kept as; never changes within a form.
pub(crate) fn kind_number(label: Option<Label>) -> u64 {
    label.and_then(|label| Label::ALL.iter().position(|known| *known == label)).map_or(0, |place| place as u64 + 1)
}

/// The label of a number.
pub(crate) fn kind_of(number: u64) -> Option<Label> {
    let place = usize::try_from(number).ok()?.checked_sub(1)?;
    Label::ALL.get(place).copied()
}

/// The host of an address and the names above it, down to two parts.
fn sites(url: &Url) -> impl Iterator<Item = &str> {
    let host = url.host_str().unwrap_or_default();
    // A host that is a number has nothing above it.
    let name = url.domain().unwrap_or_default();
    let above = name.match_indices('.').map(move |(dot, _)| &name[dot + 1..]);
    [host].into_iter().chain(above.filter(|site| site.contains('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_belongs_to_its_host_and_to_the_names_above_it() {
        let sites = |url: &str| sites(&Url::parse(url).expect("an address")).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(sites("https://a.docs.example.org/x"), ["a.docs.example.org", "docs.example.org", "example.org"]);
        assert_eq!(sites("http://localhost:8080/"), ["localhost"]);
        assert_eq!(sites("http://127.0.0.1/"), ["127.0.0.1"]);
    }

    #[test]
    fn labels_come_back() {
        for label in Label::ALL.into_iter().map(Some).chain([None]) {
            assert_eq!(kind_of(kind_number(label)), label);
        }
    }
}
