//! Writes an alert as an e-mail message (RFC 5322): appended to an mbox file, or a file of its own in a folder.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use data_encoding::BASE64;

use crate::watch::alert::Alert;
use crate::watch::files::write_whole;
use crate::watch::wording::{body, subject_line};

/// Characters of base64 on a line.
const LINE_LETTERS: usize = 76;
/// Bytes of an encoded word, so that it and the name of its header are at most 78 characters long.
const WORD_BYTES: usize = 42;

/// Writes the message. In a folder the same alert is the same file, however often it is told.
pub(super) fn tell(file: &Path, alert: &Alert) -> Result<(), String> {
    let message = message(alert);
    let written = match file.is_dir() {
        true => write_whole(&file.join(format!("{}.eml", alert.id())), message.replace('\n', "\r\n").as_bytes(), 0o644),
        false => {
            let envelope = format!("From kuai@localhost {}\n", alert.time.strftime("%a %b %e %H:%M:%S %Y"));
            append(file, &format!("{envelope}{message}\n"))
        }
    };
    written.map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn append(file: &Path, text: &str) -> std::io::Result<()> {
    let mut mbox = OpenOptions::new().append(true).create(true).open(file)?;
    let before = mbox.metadata()?.len();
    let written = mbox.write_all(text.as_bytes()).and_then(|()| mbox.sync_all());
    if written.is_err() {
        // Half a message would spoil the next one; it is told again.
        let _ = fs::File::options().write(true).open(file).and_then(|mbox| mbox.set_len(before));
    }
    written
}

fn message(alert: &Alert) -> String {
    let text = BASE64.encode(body(alert).as_bytes());
    let lines = text.as_bytes().chunks(LINE_LETTERS).map(|line| String::from_utf8_lossy(line).into_owned());
    format!(
        "Date: {}\nFrom: kuai <kuai@localhost>\nTo: undisclosed-recipients:;\nSubject: {}\nMessage-ID: <{}@localhost>\n\
         MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{}\n",
        alert.time.strftime("%a, %d %b %Y %H:%M:%S +0000"),
        header_text(&subject_line(alert)),
        alert.id(),
        lines.collect::<Vec<_>>().join("\n"),
    )
}

/// A text as headers may have it: ASCII as it is, anything else in encoded words (RFC 2047).
fn header_text(text: &str) -> String {
    if text.len() < LINE_LETTERS - "Subject: ".len() && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    let mut words: Vec<String> = vec![String::new()];
    for letter in text.chars() {
        if words.last().is_some_and(|word| word.len() + letter.len_utf8() > WORD_BYTES) {
            words.push(String::new());
        }
        words.last_mut().expect("there is one from the start").push(letter);
    }
    let encoded: Vec<_> = words.iter().map(|word| format!("=?utf-8?B?{}?=", BASE64.encode(word.as_bytes()))).collect();
    encoded.join("\n ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::tell::sample::alert;

    #[test]
    fn messages_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mbox");
        tell(&file, &alert(1)).unwrap();
        tell(&file, &alert(2)).unwrap();
        let mbox = fs::read_to_string(file).unwrap();
        assert!(
            mbox.starts_with("From kuai@localhost Sun Jan  4 12:00:00 2026\nDate: Sun, 04 Jan 2026 12:00:00 +0000\n"),
            "{mbox}"
        );
        assert_eq!(mbox.matches("\n\nFrom kuai@localhost ").count(), 1);
        assert!(mbox.contains("\nMessage-ID: <kuai-watch-7-2@localhost>\n"));
    }

    #[test]
    fn a_folder_has_a_file_an_alert() {
        let folder = tempfile::tempdir().unwrap();
        for sequence in [1, 2, 2] {
            tell(folder.path(), &alert(sequence)).unwrap();
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        let message = fs::read_to_string(folder.path().join("kuai-watch-7-2.eml")).unwrap();
        let (head, text) = message.split_once("\r\n\r\n").unwrap();
        assert!(head.lines().all(|line| line.len() <= 78), "{head}");
        let text = BASE64.decode(text.replace("\r\n", "").as_bytes()).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), body(&alert(2)));
    }

    #[test]
    fn no_title_gets_out_of_its_header() {
        let mut alert = alert(1);
        alert.title = "a\r\nBcc: everybody@example.org\r\n\r\n灯塔".repeat(20);
        let message = message(&alert);
        let head = message.split_once("\n\n").unwrap().0;
        assert!(!head.contains("Bcc"), "{head}");
        assert!(head.lines().all(|line| line.len() <= 78 && line.is_ascii()), "{head}");
    }
}
