//! Lists the records of WARC files, a line each: offset, type, length, SHA-1 of the block, of the payload, of the named fields; damage as it is told.
//! `benches/peers/warc.py` compares this with what others read.

use std::fs::File;
use std::io::Read;

use kuai_warc::{Digest, Reader, Record};

fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        let mut reader = Reader::new(File::open(&path)?);
        while let Some(record) = reader.next_record() {
            match record.and_then(line) {
                Ok(line) => println!("{line}"),
                Err(error) => println!("damaged {error}"),
            }
        }
    }
    Ok(())
}

fn line(mut record: Record<'_, File>) -> Result<String, kuai_warc::Error> {
    let (offset, name, length) = (record.offset(), record.record_type().name(), record.length());
    let fields: Vec<u8> = record
        .fields()
        .iter()
        .flat_map(|(name, value)| [name, b": ", without_brackets(value), b"\n"].concat())
        .collect();
    let head = record.http_head()?;
    let mut payload = Vec::new();
    // A block that cannot be read is told by `finish`.
    let is_whole = record.read_to_end(&mut payload).is_ok();
    let block = [head, payload.clone()].concat();
    record.finish()?;
    assert!(is_whole, "a record that is whole can be read");
    let digests = [&block, &payload, &fields].map(|bytes| Digest::sha1(bytes).to_string());
    Ok(format!("{offset} {name} {length} {}", digests.join(" ")))
}

/// Some peers drop the angle brackets around addresses.
fn without_brackets(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value)
}
