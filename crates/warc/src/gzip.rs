//! The head of a gzip member (RFC 1952).

/// How a member begins: the magic number and the only method there is.
pub(crate) const MAGIC: &[u8] = &[0x1F, 0x8B, 8];

/// Longer heads (a file name, a comment, extra fields) are taken for damage.
pub(crate) const HEAD_BYTES_MAX: usize = 4 << 10;

const FIXED: usize = 10;
const HAS_CHECKSUM: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const RESERVED: u8 = 0xE0;

/// How long the head is that these bytes begin with; `None` if they begin with none, or with a part of one.
pub(crate) fn head_length(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3).filter(|_| bytes.starts_with(MAGIC))?;
    if flags & RESERVED != 0 {
        return None;
    }
    let mut length = FIXED;
    if flags & HAS_EXTRA != 0 {
        let extra = bytes.get(length..length + 2)?;
        length += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    for text in [HAS_NAME, HAS_COMMENT] {
        if flags & text != 0 {
            length += 1 + memchr::memchr(0, bytes.get(length..)?)?;
        }
    }
    if flags & HAS_CHECKSUM != 0 {
        length += 2;
    }
    (length <= bytes.len() && length <= HEAD_BYTES_MAX).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_behind_all_that_its_flags_name() {
        let plain = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        assert_eq!(head_length(&plain), Some(10));
        let mut full = plain.to_vec();
        full[3] = HAS_CHECKSUM | HAS_EXTRA | HAS_NAME | HAS_COMMENT;
        full.extend_from_slice(b"\x02\0abname\0a comment\0cc");
        assert_eq!(head_length(&full), Some(full.len()));
        assert!((0..full.len()).all(|cut| head_length(&full[..cut]).is_none()));
    }
}
