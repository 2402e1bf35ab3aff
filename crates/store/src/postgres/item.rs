//! An entry as it lies in an object: its flags, its payload, and a checksum that knows which entry it is.

use crate::files::FileId;
use crate::history::StoredEntry;

const CHECKSUM_LENGTH: usize = 4;

/// Puts an entry of a reel; tells how many bytes it takes.
pub(super) fn put(out: &mut Vec<u8>, reel: u32, index: u32, flags: u8, payload: &[u8]) -> u64 {
    let start = out.len();
    out.push(flags);
    out.extend_from_slice(payload);
    let checksum = checksum(reel, index, &out[start..]);
    out.extend_from_slice(&checksum.to_le_bytes());
    (out.len() - start) as u64
}

/// Takes what [`put`] put; `None` if it is not that.
pub(super) fn take(item: Vec<u8>, reel: u32, index: u32, object: u32) -> Option<StoredEntry> {
    let stored_length = item.len() as u64;
    let (content, expected) = item.split_last_chunk::<CHECKSUM_LENGTH>()?;
    if checksum(reel, index, content).to_le_bytes() != *expected {
        return None;
    }
    let (&flags, payload) = content.split_first()?;
    Some(StoredEntry { flags, stored_length, payload: payload.to_vec(), file: FileId::Log(object) })
}

fn checksum(reel: u32, index: u32, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&reel.to_le_bytes());
    hasher.update(&index.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_comes_back_and_no_other_passes_for_it() {
        let mut item = Vec::new();
        let length = put(&mut item, 7, 3, 5, b"payload");
        let taken = take(item.clone(), 7, 3, 1).expect("it is whole");
        assert_eq!((taken.flags, &taken.payload[..], taken.stored_length), (5, &b"payload"[..], length));
        assert!(take(item.clone(), 7, 4, 1).is_none() && take(item.clone(), 8, 3, 1).is_none());
        for place in 0..item.len() {
            let mut damaged = item.clone();
            damaged[place] ^= 1;
            assert!(take(damaged, 7, 3, 1).is_none());
        }
        assert!(take(Vec::new(), 7, 3, 1).is_none());
    }
}
