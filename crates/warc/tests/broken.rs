//! Files that are not as they should be: each fault is named with its offset, and the records around it are read.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use kuai_warc::{Digest, Error, Fault, Fields, Limits, Packing, Reader, RecordType, Writer};

/// What a reader told: bodies of whole records, and faults with their offsets.
#[derive(Debug, PartialEq)]
enum Told {
    Body(String),
    Fault(u64, Fault),
}

fn body(text: &str) -> Told {
    Told::Body(text.to_owned())
}

fn read_with(file: &[u8], limits: Limits) -> Vec<Told> {
    let mut reader = Reader::with_limits(file, limits);
    let mut told = Vec::new();
    while let Some(record) = reader.next_record() {
        let read = record.and_then(|mut record| {
            let mut block = Vec::new();
            // What a damaged block says is told again by `finish`, or was told already.
            let read = record.read_to_end(&mut block).map_err(|error| error.downcast::<Error>().expect("ours"));
            read.and_then(|_| record.finish())?;
            Ok(String::from_utf8_lossy(&block).into_owned())
        });
        assert!(told.len() < 20, "the reader does not come to an end");
        told.push(match read {
            Ok(block) => Told::Body(block),
            Err(Error::Damaged { offset, fault }) => Told::Fault(offset, fault),
            Err(error) => panic!("memory can be read: {error}"),
        });
    }
    told
}

fn read(file: &[u8]) -> Vec<Told> {
    read_with(file, Limits::default())
}

/// Three records, and where they begin.
fn file(packing: Packing) -> (Vec<u8>, Vec<u64>) {
    let mut writer = Writer::new(Vec::new(), packing);
    let offsets = ["first", "second", "third"].iter().map(|block| {
        let fields = Fields::new(RecordType::Resource, "urn:x:1", "2026-01-01T00:00:00Z");
        let fields = fields.with("Content-Type", "text/plain").with_digests(block.as_bytes(), Some(block.as_bytes()));
        writer.write(&fields, block.len() as u64, block.as_bytes()).expect("memory takes it")
    });
    let offsets = offsets.collect();
    (writer.finish().expect("memory takes it"), offsets)
}

fn replaced(file: &[u8], old: &str, new: &str) -> Vec<u8> {
    let at = memchr::memmem::find(file, old.as_bytes()).expect("it is there");
    [&file[..at], new.as_bytes(), &file[at + old.len()..]].concat()
}

/// The records of a plain file, each a gzip member.
fn packed(plain: &[u8]) -> (Vec<u8>, Vec<u64>) {
    let starts: Vec<usize> = memchr::memmem::find_iter(plain, b"WARC/1.1\r\n").chain([plain.len()]).collect();
    let (mut file, mut offsets) = (Vec::new(), Vec::new());
    for pair in starts.windows(2) {
        offsets.push(file.len() as u64);
        file.extend(gzip(&plain[pair[0]..pair[1]]));
    }
    (file, offsets)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(bytes).expect("memory takes it");
    member.finish().expect("memory takes it")
}

#[test]
fn a_cut_file_gives_all_that_is_whole() {
    for packing in [Packing::Plain, Packing::Gzip, Packing::Zstd] {
        let (file, offsets) = file(packing);
        let cut = (offsets[2] as usize + file.len()) / 2;
        let expected = [body("first"), body("second"), Told::Fault(offsets[2], Fault::CutShort)];
        assert_eq!(read(&file[..cut]), expected, "{packing:?}");
    }
}

#[test]
fn a_flipped_byte_costs_one_record() {
    for (packing, fault) in [(Packing::Gzip, Fault::BadGzip), (Packing::Zstd, Fault::BadZstd)] {
        let (mut file, offsets) = file(packing);
        // The last bytes before the next record are a checksum, so nothing but it is wrong.
        file[offsets[2] as usize - 2] ^= 0x40;
        let expected = [body("first"), Told::Fault(offsets[1], fault), body("third")];
        assert_eq!(read(&file), expected, "{packing:?}");
    }
}

#[test]
fn every_flipped_bit_of_a_packed_file_costs_one_record_at_most() {
    for packing in [Packing::Gzip, Packing::Zstd] {
        let (file, offsets) = file(packing);
        for at in offsets[1] as usize..offsets[2] as usize {
            for bit in 0..8 {
                let mut flipped = file.clone();
                flipped[at] ^= 1 << bit;
                let told = read(&flipped);
                assert_eq!(
                    (told.first(), told.last()),
                    (Some(&body("first")), Some(&body("third"))),
                    "byte {at} bit {bit}"
                );
                assert!(told.len() <= 4, "byte {at} bit {bit}: {told:?}");
            }
        }
    }
}

#[test]
fn a_length_that_is_too_long_hides_nothing_of_what_follows() {
    let (plain, offsets) = file(Packing::Plain);
    let broken = replaced(&plain, "Content-Length: 6", "Content-Length: 60");
    let told = read(&broken);
    assert_eq!(told, [body("first"), Told::Fault(offsets[1], Fault::WrongLength), body("third")]);
    let (file, offsets) = packed(&broken);
    assert_eq!(read(&file), [body("first"), Told::Fault(offsets[1], Fault::CutShort), body("third")]);
}

#[test]
fn a_length_that_is_too_short_is_told() {
    let (plain, offsets) = file(Packing::Plain);
    let broken = replaced(&plain, "Content-Length: 6", "Content-Length: 2");
    assert_eq!(read(&broken), [body("first"), Told::Fault(offsets[1], Fault::WrongLength), body("third")]);
    let (file, offsets) = packed(&broken);
    assert_eq!(read(&file), [body("first"), Told::Fault(offsets[1], Fault::WrongLength), body("third")]);
}

#[test]
fn a_length_that_is_missing_or_no_number_is_told() {
    let (plain, offsets) = file(Packing::Plain);
    for instead in
        ["Content-Longth: 6", "Content-Length: six", "Content-Length: +6", "Content-Length: 99999999999999999999"]
    {
        let broken = replaced(&plain, "Content-Length: 6", instead);
        assert_eq!(
            read(&broken),
            [body("first"), Told::Fault(offsets[1], Fault::NoLength), body("third")],
            "{instead}"
        );
    }
}

#[test]
fn a_wrong_digest_is_told_and_costs_one_record() {
    let (plain, offsets) = file(Packing::Plain);
    let broken = replaced(&plain, "\r\nsecond\r\n", "\r\nsecund\r\n");
    assert_eq!(read(&broken), [body("first"), Told::Fault(offsets[1], Fault::BlockDigest), body("third")]);
    let digest = format!("WARC-Block-Digest: {}", Digest::sha1(b"second"));
    let only_payload = replaced(&broken, &digest, "X-Other: x");
    assert_eq!(read(&only_payload)[1], Told::Fault(offsets[1], Fault::PayloadDigest));
}

#[test]
fn a_payload_digest_may_be_of_the_chunks_or_of_what_they_hold() {
    let message = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n";
    for (payload, is_right) in [(&b"Hello"[..], true), (&message[47..], true), (b"hello", false)] {
        let fields = Fields::new(RecordType::Response, "urn:x:1", "2026-01-01T00:00:00Z");
        let fields = fields.with("Content-Type", "application/http").with_digests(message, Some(payload));
        let mut writer = Writer::new(Vec::new(), Packing::Gzip);
        writer.write(&fields, message.len() as u64, &message[..]).expect("memory takes it");
        let told = read(&writer.finish().expect("memory takes it"));
        assert_eq!(matches!(told[..], [Told::Body(_)]), is_right, "{payload:?} {told:?}");
    }
}

#[test]
fn huge_fields_are_passed_over() {
    let (plain, offsets) = file(Packing::Plain);
    let limits = Limits { fields_bytes_max: 1000, ..Limits::default() };
    let name = "X".repeat(3_000_000);
    for huge in [format!("{name}: x\r\nContent-Length: 6"), format!("{}Content-Length: 6", "X: y\r\n".repeat(500_000))]
    {
        let broken = replaced(&plain, "Content-Length: 6", &huge);
        let expected = [body("first"), Told::Fault(offsets[1], Fault::FieldsTooLong), body("third")];
        assert_eq!(read_with(&broken, limits), expected);
        let (file, offsets) = packed(&broken);
        let expected = [body("first"), Told::Fault(offsets[1], Fault::FieldsTooLong), body("third")];
        assert_eq!(read_with(&file, limits), expected);
    }
}

#[test]
fn a_huge_http_head_is_told() {
    let message = [b"HTTP/1.1 200 OK\r\nX: ".to_vec(), vec![b'x'; 100_000]].concat();
    let fields =
        Fields::new(RecordType::Response, "urn:x:1", "2026-01-01T00:00:00Z").with("Content-Type", "application/http");
    let mut writer = Writer::new(Vec::new(), Packing::Plain);
    writer.write(&fields, message.len() as u64, message.as_slice()).expect("memory takes it");
    let file = writer.finish().expect("memory takes it");
    let mut reader = Reader::with_limits(file.as_slice(), Limits { http_head_bytes_max: 5000, ..Limits::default() });
    let head = reader.next_record().expect("one record").expect("it begins well").http_head();
    assert!(matches!(head, Err(Error::Damaged { offset: 0, fault: Fault::HttpHeadTooLong })));
    assert!(reader.next_record().is_none(), "what is left of the record is passed over");
}

#[test]
fn a_file_packed_twice_is_told() {
    let (file, _) = file(Packing::Gzip);
    assert_eq!(read(&gzip(&file)), [Told::Fault(0, Fault::PackedTwice)]);
}

#[test]
fn many_records_in_one_member_are_read_and_survive_each_other() {
    let (plain, offsets) = file(Packing::Plain);
    assert_eq!(read(&gzip(&plain)), [body("first"), body("second"), body("third")]);
    let packed = gzip(&plain);
    let mut reader = Reader::new(packed.as_slice());
    let mut insides = Vec::new();
    while let Some(record) = reader.next_record() {
        let record = record.expect("it is whole");
        insides.push((record.offset(), record.inside()));
    }
    assert_eq!(insides, offsets.iter().map(|inside| (0, *inside)).collect::<Vec<_>>());
    let broken = replaced(&plain, "Content-Length: 6", "Content-Length: x");
    assert_eq!(read(&gzip(&broken)), [body("first"), Told::Fault(0, Fault::NoLength), body("third")]);
}

#[test]
fn something_else_between_records_is_told() {
    let (plain, offsets) = file(Packing::Plain);
    let broken = replaced(&plain, "second\r\n\r\n", "second\r\n\r\nWhat is this?\r\n");
    assert_eq!(read(&broken)[1..], [body("second"), Told::Fault(offsets[2], Fault::NoRecord), body("third")]);
    let (file, offsets) = file(Packing::Gzip);
    let at = offsets[2] as usize;
    let broken = [&file[..at], b"some other bytes", &file[at..]].concat();
    assert_eq!(read(&broken)[1..], [body("second"), Told::Fault(offsets[2], Fault::NoRecord), body("third")]);
    assert_eq!(read(b"<html>not a WARC file</html>\n"), [Told::Fault(0, Fault::NoRecord)]);
    assert_eq!(read(b""), []);
}

#[test]
fn lines_may_end_in_lf_alone_and_go_on() {
    let file = b"WARC/1.0\nWARC-Type: resource\nX-Long: one\n  two\nContent-Length: 3\n\nabc\n\n";
    let mut reader = Reader::new(&file[..]);
    let record = reader.next_record().expect("one record").expect("it is whole");
    assert_eq!(record.fields().text("x-long"), Some("one two"));
    record.finish().expect("it is whole");
}

#[test]
fn a_dictionary_packs_and_unpacks() {
    let samples =
        b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            .repeat(8);
    for is_packed in [false, true] {
        let mut writer = Writer::with_dictionary(Vec::new(), &samples).expect("memory takes it");
        let fields = Fields::new(RecordType::Resource, "urn:x:1", "2026-01-01T00:00:00Z");
        for block in ["one", "two"] {
            writer.write(&fields, 3, block.as_bytes()).expect("memory takes it");
        }
        let mut file = writer.finish().expect("memory takes it");
        if is_packed {
            let mut held = Vec::with_capacity(samples.len() + 100);
            zstd_safe::compress(&mut held, &samples, 3).expect("it packs");
            let head = [&[0x5D, 0x2A, 0x4D, 0x18], &(held.len() as u32).to_le_bytes()[..], &held].concat();
            file.splice(..8 + samples.len(), head);
        }
        assert_eq!(read(&file), [body("one"), body("two")], "packed: {is_packed}");
    }
}

#[test]
fn what_reading_told_is_told_by_finish_too() {
    let (file, _) = file(Packing::Plain);
    let mut reader = Reader::new(&file[..file.len() - 7]);
    for _ in 0..2 {
        reader.next_record().expect("it is there").expect("it is whole").finish().expect("it is whole");
    }
    let mut record = reader.next_record().expect("it is there").expect("its fields are whole");
    assert!(record.read_to_end(&mut Vec::new()).is_err());
    assert!(matches!(record.finish(), Err(Error::Damaged { fault: Fault::CutShort, .. })));
}
