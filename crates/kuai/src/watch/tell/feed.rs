//! Keeps an Atom feed of alerts (RFC 4287): the newest first, a bounded number, in a file that is there whole or not at all.
//!
//! What the file had is taken over from it, so it is the only place where old entries are. Each entry begins and ends with a line of its own;
//! no text can look like one, as all `<` in texts are escaped.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use kuai_archive::WordSide;

use crate::book::xml::escape;
use crate::watch::alert::{Alert, AlertBlock};
use crate::watch::files::write_whole;
use crate::watch::wording::{elided, head, subject_line, times};

/// Entries of a feed.
const ENTRIES_MAX: usize = 100;
/// What our feeds have on their third line, and others do not.
const GENERATOR: &str = "<generator>kuai watch</generator>";
/// Bytes of a feed that is read back: more than so many entries can have.
const BYTES_MAX: u64 = 512 << 20;

/// Puts an alert into a feed, in place of what it said of the same alert before.
pub(super) fn tell(file: &Path, alert: &Alert) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot write {}: {error}", file.display());
    let old = match fs::metadata(file) {
        Ok(found) if found.len() > BYTES_MAX => return Err(format!("{} is no feed of kuai's", file.display())),
        Ok(_) => fs::read_to_string(file).map_err(failed)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    if !old.trim().is_empty() && !old.contains(GENERATOR) {
        return Err(format!("{} is no feed of kuai's: name another file, or delete it", file.display()));
    }
    let id = match between(&old, "\n<id>", "</id>\n") {
        Some(id) => id.to_owned(),
        None => new_id().map_err(|error| format!("cannot write {}: {error}", file.display()))?,
    };
    write_whole(file, feed(&id, alert, &old).as_bytes(), 0o644).map_err(failed)
}

fn feed(id: &str, alert: &Alert, old: &str) -> String {
    let entry_id = format!("<id>{id}#{}</id>", alert.id());
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n{GENERATOR}\n<id>{id}</id>\n\
         <title>Changes seen by kuai</title>\n<updated>{}</updated>\n<author><name>kuai</name></author>\n",
        alert.time
    );
    let _ = write!(
        feed,
        "<entry>\n{entry_id}\n<title>{}</title>\n<updated>{}</updated>\n<link href=\"{}\"/>\n<content type=\"html\">{}</content>\n</entry>\n",
        escape(&subject_line(alert)),
        alert.time,
        escape(&alert.url),
        escape(&html(alert)),
    );
    let others = entries(old).filter(|entry| !entry.contains(&entry_id));
    for entry in others.take(ENTRIES_MAX - 1) {
        let _ = write!(feed, "<entry>\n{entry}</entry>\n");
    }
    feed.push_str("</feed>\n");
    feed
}

/// The entries of a feed, newest first, without their tags.
fn entries(feed: &str) -> impl Iterator<Item = &str> {
    feed.split("<entry>\n").skip(1).filter_map(|entry| Some(entry.split_once("</entry>")?.0))
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    Some(text.split_once(start)?.1.split_once(end)?.0)
}

/// What rang, as HTML.
fn html(alert: &Alert) -> String {
    let blocks: String = alert.blocks.iter().map(block_html).collect();
    let more = if alert.more > 0 { format!("<p>and {} more</p>", alert.more) } else { String::new() };
    format!("<p>{}</p>{blocks}{more}", times(alert))
}

fn block_html(block: &AlertBlock) -> String {
    let mut html = format!("<p><b>{}</b><br>", escape(&head(block)));
    for change in elided(&block.words) {
        let text = escape(&change.text).replace('\n', "<br>");
        let _ = match change.side {
            WordSide::Both => write!(html, "{text}"),
            WordSide::Old => write!(html, "<del>{text}</del>"),
            WordSide::New => write!(html, "<ins>{text}</ins>"),
        };
    }
    html.push_str("</p>");
    html
}

/// A name for a new feed that no other has.
fn new_id() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    // A random UUID says so in six of its bits.
    (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x40, bytes[8] & 0x3f | 0x80);
    let hex = data_encoding::HEXLOWER.encode(&bytes);
    Ok(format!("urn:uuid:{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::tell::sample::alert;

    #[test]
    fn a_feed_is_xml_with_the_newest_entries_first_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("changes.atom");
        for sequence in (1..=120).chain([120]) {
            tell(&file, &alert(sequence)).unwrap();
        }
        let feed = fs::read_to_string(&file).unwrap();
        let ids: Vec<_> = entries(&feed).filter_map(|entry| between(entry, "#kuai-watch-7-", "</id>")).collect();
        assert_eq!((ids.len(), ids[0], ids[99]), (100, "120", "21"));
        let mut reader = quick_xml::Reader::from_str(&feed);
        while !matches!(reader.read_event().expect("well-formed XML"), quick_xml::events::Event::Eof) {}
        assert_eq!(feed.matches("<id>urn:uuid:").count(), 101);
        assert!(feed.contains("&lt;del&gt;oil&lt;/del&gt;"), "{feed}");
    }

    #[test]
    fn a_page_cannot_write_an_entry_of_its_own() {
        let mut alert = alert(1);
        alert.title = "x\n</entry>\n<entry>\n".to_owned();
        alert.blocks[0].words[0].text = "\n</entry>\n<entry>\n\u{1}".to_owned();
        let once = feed("urn:uuid:1", &alert, "");
        let twice = feed("urn:uuid:1", &crate::watch::tell::sample::alert(2), &once);
        assert_eq!((entries(&once).count(), entries(&twice).count()), (1, 2));
    }

    #[test]
    fn a_file_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("thesis.txt");
        fs::write(&file, "precious").unwrap();
        assert!(tell(&file, &alert(1)).is_err());
        assert_eq!(fs::read_to_string(file).unwrap(), "precious");
    }
}
