//! What a reader puts up with.

/// Bounds on what is kept in memory at once; blocks are streamed and have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a record's named fields, its first line included.
    pub fields_bytes_max: usize,
    /// Bytes of the status line and headers of an HTTP message.
    pub http_head_bytes_max: usize,
    /// Bytes of the dictionary of a zstd file, unpacked.
    pub dictionary_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { fields_bytes_max: 1 << 20, http_head_bytes_max: 1 << 20, dictionary_bytes_max: 16 << 20 }
    }
}
