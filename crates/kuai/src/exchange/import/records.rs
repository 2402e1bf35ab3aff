//! Records as they are read from a file, made into answers, each with the request that it belongs to.

use std::io::Read;

use kuai_page::{Request, Timestamp, Url};
use kuai_warc::{Fields, Record, RecordType};

use super::super::message;

/// Longer records are passed over and told: an archive's entry is kept in memory as a whole.
const RECORD_BYTES_MAX: u64 = 512 << 20;

/// Bytes that a record is given room for by what it says of its length alone.
const ROOM_MAX: u64 = 1 << 20;

/// An answer that was read whole.
pub(super) struct Answer {
    /// Where its record begins.
    pub(super) offset: u64,
    pub(super) url: Url,
    pub(super) time: Timestamp,
    pub(super) fields: Fields,
    /// Status line and headers; empty for what is no HTTP message.
    pub(super) head: Vec<u8>,
    pub(super) payload: Vec<u8>,
    pub(super) request: Option<Request>,
}

/// What a record was.
pub(super) enum Taken {
    /// An answer, or what belongs to one. The answer before it is complete, if there is one.
    Answer(Option<Box<Answer>>),
    /// Nothing that an archive has a place for.
    PassedOver,
    /// It cannot be read: why.
    Problem(String),
}

/// Answers in the making.
#[derive(Default)]
pub(super) struct Answers {
    /// The last answer: its request may be the next record.
    pending: Option<Box<Answer>>,
    /// The last request: its answer may be the next record.
    asked: Option<(String, Request)>,
}

impl Answers {
    pub(super) fn take<R: Read>(&mut self, record: Record<'_, R>) -> Taken {
        let record_type = record.record_type();
        match record_type {
            RecordType::Response | RecordType::Resource | RecordType::Revisit | RecordType::Request => {}
            _ => return Taken::PassedOver,
        }
        let fields = record.fields().clone();
        if record_type == RecordType::Request {
            return match read_whole(record) {
                Ok((head, _)) => {
                    self.take_request(&fields, &head);
                    Taken::Answer(None)
                }
                Err(why) => Taken::Problem(why),
            };
        }
        let Some((url, time)) = address(&fields) else { return Taken::PassedOver };
        let offset = record.offset();
        match read_whole(record) {
            Ok((head, payload)) => {
                let request = self.request_of(&fields);
                let answer = Answer { offset, url, time, fields, head, payload, request };
                Taken::Answer(self.pending.replace(Box::new(answer)))
            }
            Err(why) => Taken::Problem(why),
        }
    }

    /// The answer that no other followed.
    pub(super) fn last(&mut self) -> Option<Box<Answer>> {
        self.pending.take()
    }

    /// A request belongs to the answer before it or behind it.
    fn take_request(&mut self, fields: &Fields, head: &[u8]) {
        let Some(request) = message::read_request(head) else { return };
        let concurrent = fields.text("WARC-Concurrent-To");
        let id = |answer: &Answer| answer.fields.text("WARC-Record-ID").map(str::to_owned);
        match &mut self.pending {
            Some(pending) if concurrent.is_some() && id(pending).as_deref() == concurrent => {
                pending.request = Some(request)
            }
            _ => self.asked = fields.text("WARC-Record-ID").map(|id| (id.to_owned(), request)),
        }
    }

    fn request_of(&mut self, fields: &Fields) -> Option<Request> {
        let concurrent = fields.text("WARC-Concurrent-To");
        let asked = self.asked.take().filter(|(id, _)| Some(id.as_str()) == concurrent);
        asked.map(|(_, request)| request)
    }
}

/// The head and the payload of a record.
fn read_whole<R: Read>(mut record: Record<'_, R>) -> Result<(Vec<u8>, Vec<u8>), String> {
    let (offset, length) = (record.offset(), record.length());
    if length > RECORD_BYTES_MAX {
        return Err(format!("at byte {offset}: the record is {length} bytes long, the most is {RECORD_BYTES_MAX}"));
    }
    let head = record.http_head().map_err(|error| error.to_string())?;
    let mut payload = Vec::with_capacity(length.min(ROOM_MAX) as usize);
    record.read_to_end(&mut payload).map_err(|error| error.to_string())?;
    record.finish().map_err(|error| error.to_string())?;
    Ok((head, payload))
}

fn address(fields: &Fields) -> Option<(Url, Timestamp)> {
    let url = Url::parse(fields.text("WARC-Target-URI")?).ok()?;
    let time = fields.text("WARC-Date")?.parse().ok()?;
    matches!(url.scheme(), "http" | "https").then_some((url, time))
}
