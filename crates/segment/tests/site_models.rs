//! Models of sites written by earlier versions are read, and nothing that comes in makes learning or cleaning fail otherwise than
//! by saying so.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kuai_page::Page;
use kuai_segment::{Example, SiteModel};
use proptest::prelude::*;

const TAUGHT: &str = include_str!("site_model/taught.html");
const ANSWER: &str = include_str!("site_model/taught.txt");
const OTHER: &str = include_str!("site_model/other.html");
/// As version 1 of the form was written first. Kept for ever.
const FIRST_MODEL: &str = include_str!("site_model/v1.json");

const CLEAN: &str = "雨停以后，邻村的木匠把船系在柳树下面，远处传来钟声。\n月亮升起来了，老渔夫讲起从前的一件旧事。";

#[test]
fn a_model_of_the_first_form_cleans_as_it_did() {
    assert_eq!(cleaned_by(&SiteModel::from_json(FIRST_MODEL).unwrap()), CLEAN);
}

#[test]
fn what_is_learnt_today_cleans_as_the_first_model_did() {
    let page = Page::from_html(TAUGHT);
    let learnt = SiteModel::learn(&[Example { page: &page, answer: ANSWER }]).unwrap();
    assert_eq!(cleaned_by(&learnt.model), CLEAN);
}

fn cleaned_by(model: &SiteModel) -> String {
    let text = model.clean(&Page::from_html(OTHER)).unwrap().text;
    text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "<(p|div|td|tr|table|b|a class=ad|hr|br|li|ul|script|font color=red)>",
        "</(p|div|td|tr|table|b|a|li|ul|script|font)>",
        "[a-c]{1,3}[ ,.]",
        "[山水人]{1,4}[，。]",
        "&(nbsp|amp|lt|#0|x);",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_page_is_cleaned_into_its_own_text_or_refused(shown in soup(), answer in "[a-c山水人，。 \n]{0,60}", other in soup()) {
        let (shown, other) = (Page::from_html(&shown), Page::from_html(&other));
        let Ok(learnt) = SiteModel::learn(&[Example { page: &shown, answer: &answer }]) else { return Ok(()) };
        let model = SiteModel::from_json(&learnt.model.to_json()).unwrap();
        for page in [&shown, &other] {
            if let Ok(cleaned) = model.clean(page) {
                prop_assert!(cleaned.spans.iter().all(|span| page.source().get(span.range()).is_some()));
                prop_assert!(cleaned.text.chars().count() <= page.source().chars().count());
                prop_assert!((0.0..=1.0).contains(&cleaned.fit));
                prop_assert!(cleaned.text.chars().any(char::is_alphanumeric));
            }
        }
    }
}
