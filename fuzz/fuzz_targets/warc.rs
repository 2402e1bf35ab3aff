//! The WARC reader on any bytes, plain and as what gzip and zstd files hold: no panic, an end, bounded memory, and whole records come back when they are
//! written again.

#![no_main]

use std::io::Read;

use kuai_warc::{Limits, Packing, Reader, Writer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((kind, bytes)) = input.split_first() else { return };
    match kind % 4 {
        0 => drop(read(bytes)),
        1 => drop(read(&[b"WARC/1.1\r\n", bytes].concat())),
        2 => drop(read(&packed(bytes, Packing::Gzip))),
        _ => {
            for record in read(bytes) {
                let again = packed(&record, Packing::Zstd);
                assert_eq!(read(&again), [record]);
            }
        }
    }
});

/// The blocks of whole records. There are never more of them, or of faults, than bytes.
fn read(bytes: &[u8]) -> Vec<Vec<u8>> {
    let limits = Limits { fields_bytes_max: 4096, http_head_bytes_max: 4096, dictionary_bytes_max: 1 << 16 };
    let mut reader = Reader::with_limits(bytes, limits);
    let mut blocks = Vec::new();
    for _ in 0..=bytes.len() + 1 {
        match reader.next_record() {
            None => return blocks,
            Some(Err(_)) => {}
            Some(Ok(mut record)) => {
                let Ok(mut block) = record.http_head() else { continue };
                let is_read = record.read_to_end(&mut block).is_ok();
                let length = record.length();
                if record.finish().is_ok() {
                    assert!(is_read && block.len() as u64 == length);
                    blocks.push(block);
                }
            }
        }
    }
    panic!("more records than bytes");
}

/// A file whose only record holds these bytes.
fn packed(block: &[u8], packing: Packing) -> Vec<u8> {
    let fields = kuai_warc::Fields::default().with("WARC-Type", "resource").with_digests(block, Some(block));
    let mut writer = Writer::new(Vec::new(), packing);
    writer.write(&fields, block.len() as u64, block).expect("memory takes it");
    writer.finish().expect("memory takes it")
}
