//! The form of the index: its fields, and a document for each lifetime of a block.

use kuai_page::{Label, Timestamp, Url};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TantivyDocument, TextFieldIndexing, TextOptions,
};

use crate::lifetimes::Lifetime;
use crate::packed::{self, PACKED};
use crate::said::Said;
use crate::tokens::Tokenizer;

/// The form of indexes that this code writes; another one is made anew.
pub(crate) const FORM: u32 = 1;

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
    pub(crate) block: Field,
    pub(crate) first: Field,
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
    pub(crate) const KIND: &str = "kind";
}

impl Fields {
    pub(crate) fn new() -> Fields {
        let mut schema = Schema::builder();
        let words = |record| {
            let indexing = TextFieldIndexing::default().set_tokenizer(PACKED).set_index_option(record);
            TextOptions::default().set_indexing_options(indexing)
        };
        let positions = IndexRecordOption::WithFreqsAndPositions;
        let text = schema.add_text_field("text", words(positions));
        let title = schema.add_text_field("title", words(positions));
        let topic = schema.add_text_field("topic", words(IndexRecordOption::Basic));
        let url = schema.add_text_field(column::URL, STRING | FAST);
        let site = schema.add_text_field("site", STRING);
        let language = schema.add_text_field(column::LANGUAGE, STRING | FAST);
        let block = schema.add_u64_field(column::BLOCK, INDEXED | FAST);
        let first = schema.add_i64_field(column::FIRST, INDEXED | FAST);
        let last = schema.add_i64_field(column::LAST, FAST);
        let gone = schema.add_i64_field(column::GONE, FAST);
        let number = schema.add_u64_field(column::NUMBER, FAST);
        let kind = schema.add_u64_field(column::KIND, INDEXED | FAST);
        let raw = TextOptions::default().set_fast("raw");
        let host = schema.add_text_field(column::HOST, raw.clone());
        let shown_title = schema.add_text_field(column::TITLE, raw);
        let schema = schema.build();
        Fields {
            schema,
            text,
            title,
            topic,
            url,
            site,
            language,
            block,
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
        document.add_i64(self.first, moment(lifetime.first));
        document.add_i64(self.last, moment(lifetime.last));
        document.add_i64(self.gone, lifetime.gone.map_or(NEVER, moment));
        document.add_u64(self.number, u64::from(lifetime.number));
        document.add_u64(self.kind, kind_number(said.label));
        document
    }
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
