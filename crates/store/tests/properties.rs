//! Random operations on a folder store, with the memory store as the model.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod suite;

use kuai_archive::{Form, Row, Store};
use kuai_store::{FolderStore, MemoryStore};
use proptest::prelude::*;
use suite::{Given, noise, page_text};

/// Something that is done to a store.
#[derive(Clone, Debug)]
enum Operation {
    Append(Given),
    Sync,
    Compact { stops_after: Option<u64> },
    Reopen,
    LoseCatalogue,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        12 => given().prop_map(Operation::Append),
        1 => Just(Operation::Sync),
        2 => prop::option::weighted(0.3, 0u64..6).prop_map(|stops_after| Operation::Compact { stops_after }),
        1 => Just(Operation::Reopen),
        1 => Just(Operation::LoseCatalogue),
    ]
}

fn given() -> impl Strategy<Value = Given> {
    let body = prop_oneof![
        4 => (1usize..40, 0usize..60).prop_map(|(length, edit)| page_text(length, edit).into_bytes()),
        1 => (0usize..3000, 0u64..4).prop_map(|(length, seed)| noise(length, seed)),
        1 => Just(Vec::new()),
    ];
    let lines = || prop::collection::vec("[a-d]{1,3}: [a-f0-9]{0,12}\r?\n?", 0..6).prop_map(|lines| lines.concat());
    let form = prop_oneof![Just(Form::Text), Just(Form::HastyText), Just(Form::Blob)];
    let time = (-100i64..100, prop_oneof![Just(0), 0..1_000_000_000i32]);
    (0usize..5, time, body, lines(), lines(), form, prop::array::uniform12(0u32..3)).prop_map(
        |(url, (second, nanosecond), body, head, notes, form, figures)| Given {
            url: format!("https://{}.example/{url}", url % 2),
            second: second * 1000,
            nanosecond: if second < 0 { 0 } else { nanosecond },
            head: head.into_bytes(),
            body,
            form,
            notes: notes.into_bytes(),
            figures,
        },
    )
}

/// Rows of different stores are alike but for what they took.
fn without_stored_length(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().map(|row| Row { stored_length: 0, ..row }).collect()
}

fn check_alike(store: &dyn Store, model: &dyn Store) {
    let urls = model.urls("", None, 100).unwrap();
    assert_eq!(store.urls("", None, 100).unwrap(), urls);
    for row in urls {
        let history = model.history(&row.url).unwrap();
        assert_eq!(without_stored_length(store.history(&row.url).unwrap()), without_stored_length(history.clone()));
        for number in 0..history.len() as u32 {
            let (stored, expected) = (store.read(&row.url, number).unwrap(), model.read(&row.url, number).unwrap());
            assert_eq!((stored.head, stored.body, stored.notes), (expected.head, expected.body, expected.notes));
        }
    }
    let rows = |store: &dyn Store| -> Vec<Row> {
        without_stored_length(store.changes(0, usize::MAX).unwrap().into_iter().map(|change| change.row).collect())
    };
    assert_eq!(rows(store), rows(model));
    let (totals, expected) = (store.totals().unwrap(), model.totals().unwrap());
    assert_eq!((totals.url_count, totals.entry_count), (expected.url_count, expected.entry_count));
    assert_eq!((totals.bytes_given, totals.figures), (expected.bytes_given, expected.figures));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_folder_store_is_like_the_model(operations in prop::collection::vec(operation(), 1..60)) {
        let folder = tempfile::tempdir().unwrap();
        let model = MemoryStore::new();
        let mut store = Some(FolderStore::create_or_open(folder.path()).unwrap());
        let reader = FolderStore::read(folder.path()).unwrap();
        for operation in operations {
            let open = store.as_ref().unwrap();
            match operation {
                Operation::Append(given) => {
                    let (row, expected) = (given.append_to(open), given.append_to(&model));
                    assert_eq!((row.number, row.sequence), (expected.number, expected.sequence));
                }
                Operation::Sync => open.sync().unwrap(),
                Operation::Compact { stops_after } => {
                    let mut count = 0;
                    open.compact(&mut |_, _| { count += 1; stops_after.is_none_or(|most| count <= most) }).unwrap();
                }
                Operation::Reopen => {
                    drop(store.take());
                    store = Some(FolderStore::open(folder.path()).unwrap());
                }
                Operation::LoseCatalogue => {
                    drop(store.take());
                    std::fs::remove_file(folder.path().join("catalogue.sqlite")).unwrap();
                    store = Some(FolderStore::open(folder.path()).unwrap());
                }
            }
        }
        let store = store.unwrap();
        check_alike(&store, &model);
        check_alike(&reader, &model);
        prop_assert_eq!(store.verify(&mut |_, _| true).unwrap().damages, vec![]);
    }
}
