//! An alert for tests.

use kuai_archive::{WordChange, WordSide};

use crate::watch::alert::{Alert, AlertBlock, Happening};

pub(super) fn alert(sequence: u64) -> Alert {
    let word = |side, text: &str| WordChange { side, text: text.to_owned() };
    let words = vec![
        word(WordSide::Both, "The lamp burns "),
        word(WordSide::Old, "oil"),
        word(WordSide::New, "gas & petroleum"),
        word(WordSide::Both, "."),
    ];
    let label = Some(kuai_page::Label::Main);
    Alert {
        watch: 7,
        subject: "https://light.example/".to_owned(),
        sequence,
        url: "https://light.example/?a&b".to_owned(),
        title: "The keeper <of> the light 灯塔".to_owned(),
        before: Some("2026-01-01T12:00:00Z".parse().unwrap()),
        time: "2026-01-04T12:00:00Z".parse().unwrap(),
        blocks: vec![AlertBlock { happening: Happening::Changed, label, topic: None, words }],
        more: 0,
    }
}
