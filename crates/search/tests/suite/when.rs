//! Sentences are found where blocks say them, and where they run over the borders of blocks.

use kuai_archive::Archive;
use kuai_page::{Capture, Timestamp, Url};
use kuai_search::Index;

use crate::paragraphs::archive;

fn day(day: i64) -> Timestamp {
    Timestamp::from_second(day * 86_400).expect("a time")
}

fn url() -> Url {
    Url::parse("https://light.example/page").expect("an address")
}

/// An archive of one page that said these paragraphs, day by day, and its index.
fn page_with(days: &[&[&str]]) -> (Archive, Index) {
    let archive = archive();
    for (number, paragraphs) in days.iter().enumerate() {
        let body: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
        let capture = Capture::new(url(), day(number as i64), body.into_bytes());
        archive.commit(&capture).expect("memory takes it");
    }
    let mut index = Index::in_memory().expect("memory");
    index.follow(&archive, &mut |_, _| true).expect("it follows");
    (archive, index)
}

/// The days of the first and the last capture that had a sentence, each time it stood there.
fn days_of(archive: &Archive, index: &Index, sentence: &str, url: Option<&Url>) -> Vec<(i64, i64)> {
    let when = index.when(archive, sentence, url).expect("it can be asked");
    assert!(!when.is_partial);
    let day = |time: Timestamp| time.as_second() / 86_400;
    when.spells.iter().map(|spell| (day(spell.first_seen), day(spell.last_seen))).collect()
}

#[test]
fn a_sentence_over_two_blocks_is_found_through_the_time_that_both_stood_side_by_side() {
    let (archive, index) = page_with(&[
        &["The keeper of the light", "went home."],
        &["The keeper of the light", "went to the sea with a lamp."],
        &["The keeper of the light", "went to the sea with a lamp.", "More of it."],
        &["went to the sea with a lamp.", "The keeper of the light"],
        &["The keeper of the light went to the sea with a lamp."],
        &["Nobody came."],
    ]);
    let sentence = "the keeper of the light went to the sea with a lamp";
    assert_eq!(days_of(&archive, &index, sentence, Some(&url())), [(1, 2), (4, 4)]);
    assert_eq!(days_of(&archive, &index, sentence, None), [(1, 2), (4, 4)]);
    assert_eq!(days_of(&archive, &index, "the keeper of the light came home", None), []);
}

#[test]
fn a_border_may_cut_a_chinese_word() {
    let (archive, index) = page_with(&[&["守塔人在海", "边点亮油灯等待船只"], &["守塔人在海", "上"]]);
    assert_eq!(days_of(&archive, &index, "守塔人在海边点亮油灯", Some(&url())), [(0, 0)]);
}

#[test]
fn spaces_beside_chinese_signs_make_no_difference() {
    let (archive, index) =
        page_with(&[&["一个Cache的实现，value想支持任意类型"], &["一个Cache的实现， value想支持任意类型"]]);
    assert_eq!(days_of(&archive, &index, "Cache的实现，value想支持", Some(&url())), [(0, 1)]);
    assert_eq!(days_of(&archive, &index, "Cache的实现, value想支持", Some(&url())), [(0, 1)]);
}
