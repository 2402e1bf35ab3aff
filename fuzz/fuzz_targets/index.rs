//! CDXJ lines and keys of any text: no panic; keys are visible ASCII; lines come back as they were read.

#![no_main]

use kuai_warc::{CdxFields, CdxLine, CdxReader, surt};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in CdxReader::new(bytes).filter_map(Result::ok) {
        assert_eq!(CdxLine::parse(&line.to_string()), Some(line));
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let key = surt(text);
    assert!(!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()), "{key:?}");
    let line = CdxLine::new("20260131235959", CdxFields { url: text.to_owned(), ..CdxFields::default() });
    assert_eq!(CdxLine::parse(&line.to_string()), Some(line));
});
