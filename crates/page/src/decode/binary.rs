//! Tells bodies that are not text: images, archives, fonts and the like that were called HTML.

/// The first bytes of what is most often served as a page without being one.
const MAGIC_NUMBERS: [&[u8]; 22] = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"\x00\x00\x01\x00",
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b\x08",
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"BZh",
    b"wOFF",
    b"wOF2",
    b"\x7fELF",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"OggS",
    b"ID3",
    b"\x1a\x45\xdf\xa3",
    b"FWS",
];

/// How much of a body is looked at.
const SAMPLE_BYTES: usize = 4096;

/// One in this many bytes may be a control character before the body is not text: strays are common, and a file
/// format has one in ten or more.
const CONTROL_SHARE: usize = 32;

/// Whether the body does not look like text. To be asked only of bodies that are not UTF-16.
pub(super) fn is_binary(body: &[u8]) -> bool {
    if MAGIC_NUMBERS.iter().any(|magic| body.starts_with(magic)) || is_riff(body) {
        // A page may begin with the letters of a magic number; it then goes on as text does.
        return control_count(body) > 0 || std::str::from_utf8(&body[..body.len().min(SAMPLE_BYTES)]).is_err();
    }
    control_count(body) > body.len().min(SAMPLE_BYTES) / CONTROL_SHARE
}

fn is_riff(body: &[u8]) -> bool {
    body.starts_with(b"RIFF") && matches!(body.get(8..12), Some(b"WEBP" | b"WAVE" | b"AVI "))
}

/// The bytes that the MIME sniffing standard takes for binary; escape is none, as ISO-2022-JP has it.
fn control_count(body: &[u8]) -> usize {
    let sample = &body[..body.len().min(SAMPLE_BYTES)];
    let is_control = |byte: u8| (byte < 0x20) & !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b'\x1b');
    // A sum that fits 16 bits lets the compiler look at many bytes at once.
    usize::from(sample.iter().map(|&byte| u16::from(is_control(byte))).sum::<u16>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_binary() {
        assert!(is_binary(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0"));
        assert!(is_binary(b"PK\x03\x04\x14\0\0\0\x08\0"));
        assert!(is_binary(b"\0\x01\x02\x03 no magic number that we know"));
    }

    #[test]
    fn text_with_a_stray_control_character_is_text() {
        assert!(!is_binary(b"<p>one\0 two, and more text than controls, as in most of the pages there are"));
        assert!(!is_binary(b"BZhang's page"));
        assert!(!is_binary(b""));
    }
}
