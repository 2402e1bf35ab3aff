//! Compares a block, as it streams by, with the digests that its record names.

use crate::digest::{Digest, Hasher};
use crate::error::Fault;
use crate::{Fields, RecordType, chunks::Chunks, http};

/// What is checked of one record.
pub(crate) struct Check {
    block: Option<Expected>,
    payload: Option<Payload>,
}

struct Expected {
    digest: Digest,
    hasher: Hasher,
}

/// The payload of an HTTP message begins behind its head. Decision: tools disagree whether the digest is that of the chunked body as it came
/// (wget, warcio) or of what it holds (the standard), so either will do.
struct Payload {
    as_came: Expected,
    unchunked: Option<(Chunks, Hasher)>,
    /// The head, while it has not ended.
    head: Option<Vec<u8>>,
    head_bytes_max: usize,
}

impl Check {
    pub(crate) fn new(fields: &Fields, head_bytes_max: usize) -> Check {
        // A revisit names the digest of the payload that it does not have, a segment that of the whole.
        let has_payload = fields.record_type() != RecordType::Revisit && fields.get("WARC-Segment-Number").is_none();
        let payload = fields.digest("WARC-Payload-Digest").filter(|_| has_payload).map(|digest| Payload {
            as_came: Expected::new(digest),
            unchunked: None,
            head: fields.is_http().then(Vec::new),
            head_bytes_max,
        });
        // wget's revisits name the digest of the block that they were cut from.
        let has_block = fields.record_type() != RecordType::Revisit || fields.get("WARC-Truncated").is_none();
        Check { block: fields.digest("WARC-Block-Digest").filter(|_| has_block).map(Expected::new), payload }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        if let Some(block) = &mut self.block {
            block.hasher.update(bytes);
        }
        if let Some(payload) = &mut self.payload {
            payload.update(bytes);
        }
    }

    pub(crate) fn finish(self) -> Result<(), Fault> {
        if self.block.is_some_and(|block| !block.holds()) {
            return Err(Fault::BlockDigest);
        }
        if self.payload.is_some_and(|payload| !payload.holds()) {
            return Err(Fault::PayloadDigest);
        }
        Ok(())
    }
}

impl Expected {
    fn new(digest: Digest) -> Expected {
        Expected { hasher: digest.hasher(), digest }
    }

    fn holds(self) -> bool {
        self.hasher.finish() == self.digest
    }
}

impl Payload {
    fn update(&mut self, bytes: &[u8]) {
        let Some(head) = &mut self.head else { return self.update_body(bytes) };
        if head.len() > self.head_bytes_max {
            return;
        }
        head.extend_from_slice(bytes);
        if let Some(length) = http::head_length(head) {
            let message = std::mem::take(head);
            self.head = None;
            if http::is_chunked(&message[..length]) {
                self.unchunked = Some((Chunks::new(), self.as_came.digest.hasher()));
            }
            self.update_body(&message[length..]);
        }
    }

    fn update_body(&mut self, bytes: &[u8]) {
        self.as_came.hasher.update(bytes);
        if let Some((chunks, hasher)) = &mut self.unchunked {
            chunks.feed(bytes, |part, is_data| {
                if is_data {
                    hasher.update(part)
                }
            });
        }
    }

    fn holds(self) -> bool {
        let digest = self.as_came.digest;
        // A head that is longer than any we read hides where the payload begins.
        let is_hidden = self.head.is_some_and(|head| head.len() > self.head_bytes_max);
        is_hidden || self.as_came.holds() || self.unchunked.is_some_and(|(_, hasher)| hasher.finish() == digest)
    }
}
