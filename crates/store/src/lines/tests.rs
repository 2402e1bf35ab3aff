use proptest::prelude::*;

use super::*;

const CIRCUMSTANCES: Circumstances = Circumstances { second: 784_111_777, body_length: 1234 };

/// Encodes the documents one after another and checks that they come back; the lengths of the changes.
fn check(documents: &[&[u8]]) -> Vec<usize> {
    let (mut writer, mut reader) = (Lines::default(), Lines::default());
    let check_one = |document: &&[u8]| {
        let changes = writer.encode(document, CIRCUMSTANCES);
        reader.decode(&changes, CIRCUMSTANCES).expect("the changes are whole");
        assert_eq!(&reader.text(), document);
        changes.len()
    };
    documents.iter().map(check_one).collect()
}

fn head(date: &str, length: usize, session: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nDate: {date}\r\nContent-Length: {length}\r\nSet-Cookie: s={session}; Path=/\r\n\r\n")
        .into_bytes()
}

#[test]
fn what_follows_from_the_entry_costs_next_to_nothing() {
    let first = head("Sun, 06 Nov 1994 08:00:00 GMT", 7, "0123456789abcdef");
    let second = head("Sun, 06 Nov 1994 08:49:37 GMT", 1234, "0123456789abcdef");
    assert_eq!(check(&[&first, &first, &second])[1..], [0, 3]);
}

#[test]
fn a_token_that_keeps_its_shape_costs_its_bits() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let heads: Vec<Vec<u8>> = ["0123456789abcdef", "123456789abcdef0", "23456789abcdef01", "3456789abcdef012"]
        .iter()
        .map(|session| head(date, 7, session))
        .collect();
    let lengths = check(&heads.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert_eq!(lengths[2..], [10, 9]);
}

#[test]
fn lines_may_come_and_go() {
    let lengths = check(&[b"one\ntwo\nthree\nfour\n", b"one\nthree\nfour\n", b"zero\none\nthree\nfour\nfive"]);
    assert!(lengths[1] <= 4 && lengths[2] <= 20, "{lengths:?}");
}

#[test]
fn a_line_that_moves_is_found_again() {
    let lines: Vec<String> = (0..50).map(|index| format!("line {index} {}\n", index * 7919)).collect();
    let moved = [&lines[20..], &lines[..20]].concat();
    assert!(check(&[lines.concat().as_bytes(), moved.concat().as_bytes()])[1] < 400);
}

#[test]
fn damaged_changes_never_panic() {
    let mut writer = Lines::default();
    let first = writer.encode(&head("Sun, 06 Nov 1994 08:00:00 GMT", 7, "0123456789abcdef"), CIRCUMSTANCES);
    let changes = writer.encode(&head("Sun, 06 Nov 1994 08:49:38 GMT", 8, "aa23456789abcdef"), CIRCUMSTANCES);
    for place in 0..changes.len() {
        for value in [0, 1, 7, 127, 128, 255] {
            let mut damaged = changes.clone();
            damaged[place] = value;
            let mut reader = Lines::default();
            reader.decode(&first, CIRCUMSTANCES).expect("the first changes are whole");
            let _ = reader.decode(&damaged, CIRCUMSTANCES);
        }
    }
}

proptest! {
    #[test]
    fn any_documents_come_back(documents in prop::collection::vec(prop::collection::vec(prop::sample::select(
        &b"ab1-:; \r\n\n\n\xff\x00"[..]), 0..60), 1..8)) {
        check(&documents.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }

    #[test]
    fn edited_documents_come_back(lines in prop::collection::vec("[a-c: 0-9]{0,6}\r?\n", 0..20), edits in prop::collection::vec((0usize..20, 0usize..20), 0..6)) {
        let mut documents = vec![lines.concat().into_bytes()];
        let mut lines = lines;
        for (from, to) in edits {
            if !lines.is_empty() {
                let (from, to) = (from % lines.len(), to % lines.len());
                let line = lines.remove(from);
                lines.insert(to, line);
                lines[to].insert(0, 'x');
                lines.truncate(18);
            }
            documents.push(lines.concat().into_bytes());
        }
        check(&documents.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
}
