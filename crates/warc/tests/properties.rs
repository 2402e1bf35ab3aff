//! What is written comes back, however it is packed; and nothing that is read makes the reader fail in another way than by saying so.

use std::io::Read;

use kuai_warc::{Fields, Packing, Reader, RecordType, Writer, join_chunks, split_chunks};
use proptest::prelude::*;

type Written = (Vec<(String, Vec<u8>)>, Vec<u8>);

fn record() -> impl Strategy<Value = Written> {
    let value = prop::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| {
        let line: Vec<u8> = bytes.into_iter().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
        line.trim_ascii().to_vec()
    });
    let field = ("X-[A-Za-z0-9-]{1,12}", value);
    (prop::collection::vec(field, 0..8), prop::collection::vec(any::<u8>(), 0..3000))
}

fn fields(written: &Written) -> Fields {
    let fields = Fields::new(RecordType::Resource, "urn:x:1", "2026-01-01T00:00:00Z");
    let fields = written.0.iter().fold(fields, |fields, (name, value)| fields.with(name, value));
    fields.with_digests(&written.1, Some(&written.1)).with("Content-Length", written.1.len().to_string())
}

fn write(records: &[Written], packing: Packing) -> (Vec<u8>, Vec<u64>) {
    let mut writer = Writer::new(Vec::new(), packing);
    let written = |record: &Written| {
        writer.write(&fields(record), record.1.len() as u64, record.1.as_slice()).expect("memory takes it")
    };
    let offsets = records.iter().map(written).collect();
    (writer.finish().expect("memory takes it"), offsets)
}

/// Whether reading a file ends, whatever is in it.
fn comes_to_an_end(file: &[u8]) -> bool {
    let mut reader = Reader::new(file);
    (0..=file.len() + 1).any(|_| reader.next_record().is_none())
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(records in prop::collection::vec(record(), 0..6)) {
        for packing in [Packing::Plain, Packing::Gzip, Packing::Zstd] {
            let (file, offsets) = write(&records, packing);
            let mut reader = Reader::new(file.as_slice());
            for (written, offset) in records.iter().zip(offsets) {
                let mut record = reader.next_record().expect("there is one more").expect("it is whole");
                prop_assert_eq!((record.offset(), record.inside()), (offset, if packing == Packing::Plain { offset } else { 0 }));
                prop_assert_eq!(record.fields(), &fields(written));
                let mut block = Vec::new();
                record.read_to_end(&mut block).expect("memory can be read");
                prop_assert_eq!(&block, &written.1);
                record.finish().expect("its digests are right");
            }
            prop_assert!(reader.next_record().is_none());
        }
    }

    #[test]
    fn a_damaged_file_is_read_to_its_end(
        records in prop::collection::vec(record(), 1..5),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        for packing in [Packing::Plain, Packing::Gzip, Packing::Zstd] {
            let (mut file, _) = write(&records, packing);
            damages.iter().for_each(|(at, byte)| { let at = at.index(file.len()); file[at] = *byte });
            file.truncate(cut.index(file.len()) + 1);
            prop_assert!(comes_to_an_end(&file));
        }
    }

    #[test]
    fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        for start in [&b""[..], b"WARC/1.0\r\n", b"\x1F\x8B\x08\0", b"\x28\xB5\x2F\xFD", b"\x5D\x2A\x4D\x18\x09\0\0\0"] {
            let file = [start, &bytes].concat();
            prop_assert!(comes_to_an_end(&file));
        }
    }

    #[test]
    fn chunks_are_put_together_as_they_came(body in "([0-9a-f]{1,2}\r\n[a-z]{0,20}(\r\n)?){0,5}(0\r\n\r\n)?") {
        if let Some((data, framing)) = split_chunks(body.as_bytes()) {
            prop_assert_eq!(join_chunks(&data, &framing), body.as_bytes());
        }
    }
}
