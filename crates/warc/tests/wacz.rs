//! WACZ files as they are written and read.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use kuai_warc::{CdxReader, Digest, Fields, Reader, RecordType, Wacz, WaczAbout, WaczError, WaczPage, WaczWriter};
use serde_json::Value;
use zip::ZipArchive;

/// More answers than one part of the index takes.
const COUNT: usize = 2500;

fn wacz() -> Vec<u8> {
    let mut writer = WaczWriter::new(Cursor::new(Vec::new()), &std::env::temp_dir()).unwrap();
    for number in 0..COUNT {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>{number}</p>");
        let payload = format!("<p>{number}</p>");
        let fields = Fields::new(RecordType::Response, &format!("urn:x:{number}"), "2026-01-31T23:59:59.5Z")
            .with("WARC-Target-URI", format!("https://www.example.org/{}", number * 7919 % COUNT))
            .with("Content-Type", "application/http; msgtype=response")
            .with_digests(block.as_bytes(), Some(payload.as_bytes()));
        writer.write(&fields, block.as_bytes()).unwrap();
    }
    let text = "Zeile\n\"eins\"".to_owned();
    let page = WaczPage { id: "1".to_owned(), url: "https://example.org/1".to_owned(), text, ..WaczPage::default() };
    writer.add_page(&page).unwrap();
    let about = WaczAbout { created: "2026-02-01T00:00:00Z".to_owned(), ..WaczAbout::default() };
    writer.finish(&about).unwrap().into_inner()
}

fn part(file: &[u8], path: &str) -> Vec<u8> {
    let mut zip = ZipArchive::new(Cursor::new(file)).unwrap();
    let mut bytes = Vec::new();
    zip.by_name(path).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn hash(bytes: &[u8]) -> String {
    let Digest::Sha256(digest) = Digest::sha256(bytes) else { unreachable!() };
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&digest))
}

#[test]
fn every_part_has_its_hash_in_the_package_and_the_package_its_own() {
    let file = wacz();
    let package = part(&file, "datapackage.json");
    let digest: Value = serde_json::from_slice(&part(&file, "datapackage-digest.json")).unwrap();
    assert_eq!(digest["hash"], hash(&package));
    let package: Value = serde_json::from_slice(&package).unwrap();
    assert_eq!(package["wacz_version"], "1.1.1");
    let resources = package["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 4);
    for resource in resources {
        let bytes = part(&file, resource["path"].as_str().unwrap());
        assert_eq!((&resource["hash"], &resource["bytes"]), (&hash(&bytes).into(), &bytes.len().into()), "{resource}");
    }
}

#[test]
fn the_index_is_sorted_and_leads_to_every_record() {
    let file = wacz();
    let archive = part(&file, "archive/data.warc.gz");
    let index = part(&file, "indexes/index.cdx.gz");
    let lines: Vec<_> =
        CdxReader::new(std::io::BufReader::new(MultiGzDecoder::new(&index[..]))).collect::<Result<_, _>>().unwrap();
    assert_eq!(lines.len(), COUNT);
    assert!(lines.is_sorted());
    for line in &lines {
        assert_eq!(
            (line.timestamp.as_str(), line.fields.mime.as_str(), line.fields.status),
            ("20260131235959", "text/html", Some(200))
        );
        let (start, length) = (line.fields.offset as usize, line.fields.length as usize);
        let mut reader = Reader::new(&archive[start..start + length]);
        let record = reader.next_record().unwrap().unwrap();
        assert_eq!(record.fields().text("WARC-Target-URI"), Some(line.fields.url.as_str()));
        assert_eq!(record.fields().text("WARC-Payload-Digest"), Some(line.fields.digest.as_str()));
    }
}

#[test]
fn each_part_of_the_index_is_found_by_a_line_of_its_index() {
    let file = wacz();
    let index = part(&file, "indexes/index.cdx.gz");
    let places = String::from_utf8(part(&file, "indexes/index.idx")).unwrap();
    let mut lines = places.lines();
    assert_eq!(lines.next(), Some(r#"!meta 0 {"filename":"index.cdx.gz","format":"cdxj-gzip-1.0"}"#));
    let mut end = 0;
    for line in lines {
        let (first, place) = line.split_at(line.find(" {").unwrap());
        let place: Value = serde_json::from_str(place).unwrap();
        let (start, length) = (place["offset"].as_u64().unwrap() as usize, place["length"].as_u64().unwrap() as usize);
        assert_eq!(start, end);
        end = start + length;
        assert_eq!(place["digest"], hash(&index[start..end]));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&index[start..end]).read_to_string(&mut text).unwrap();
        assert!(text.starts_with(first));
    }
    assert_eq!(end, index.len());
}

#[test]
fn what_is_written_is_read_and_what_was_tampered_with_is_told() {
    let file = wacz();
    let mut read = Wacz::open(Cursor::new(&file)).unwrap();
    assert_eq!(read.warcs(), ["archive/data.warc.gz"]);
    let count = |file: &mut dyn Read| {
        let mut reader = Reader::new(file);
        let mut count = 0;
        while let Some(record) = reader.next_record() {
            record.unwrap().finish().unwrap();
            count += 1;
        }
        count
    };
    assert_eq!(read.read("archive/data.warc.gz", count).unwrap(), (COUNT, false));

    let package = String::from_utf8(part(&file, "datapackage.json")).unwrap();
    let wrong = package.replace("sha256:", "sha256:0");
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in
        [("archive/data.warc.gz", part(&file, "archive/data.warc.gz")), ("datapackage.json", wrong.into_bytes())]
    {
        zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, &bytes).unwrap();
    }
    let mut read = Wacz::open(zip.finish().unwrap()).unwrap();
    assert_eq!(read.read("archive/data.warc.gz", count).unwrap(), (COUNT, true));
}

#[test]
fn what_is_no_wacz_file_is_said_so() {
    assert!(matches!(Wacz::open(Cursor::new(b"PK\x03\x04 and then nothing")), Err(WaczError::Zip(_))));
    let zip = zip::ZipWriter::new(Cursor::new(Vec::new())).finish().unwrap();
    assert!(matches!(Wacz::open(zip), Err(WaczError::NoWarc)));
}
