//! Site models on made-up sites: one page teaches, all others are judged by the measures of the paper.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod shapes;
mod text;

use kuai_eval::metrics::{NoiseBlocks, noise_blocks};
use kuai_page::{Limits, Page};
use kuai_segment::{Example, LearnError, SiteModel, proposed_answers};
use shapes::{SITES, Site};

/// Pages of a site, the one that teaches included.
const PAGES: usize = 25;

fn read(body: &[u8]) -> Page {
    Page::from_bytes(body, None, None, &Limits::default()).plain()
}

/// The pages of a site with their answers.
fn pages(site: &Site) -> Vec<(Page, String)> {
    (0..PAGES).map(|number| (site.page)(number)).map(|page| (read(&page.body), page.answer)).collect()
}

fn model(page: &Page, answer: &str) -> SiteModel {
    SiteModel::learn(&[Example { page, answer }]).unwrap().model
}

/// What a model of one page makes of the others.
fn judged(site: &Site, teacher: usize) -> Vec<NoiseBlocks> {
    let pages = pages(site);
    let model = model(&pages[teacher].0, &pages[teacher].1);
    let others = pages.iter().enumerate().filter(|(index, _)| *index != teacher);
    let judge = |(index, (page, answer)): (usize, &(Page, String))| {
        let cleaned = model.clean(page).unwrap_or_else(|misfit| panic!("{}, page {index}: {misfit}", site.name));
        noise_blocks(page, answer, &cleaned.text)
    };
    others.map(judge).collect()
}

#[test]
fn one_page_teaches_all_others_of_its_site() {
    for site in &SITES {
        let judged: Vec<f64> =
            [0, 7, 19].into_iter().flat_map(|teacher| judged(site, teacher)).map(NoiseBlocks::worse).collect();
        let share = |from: f64, to: f64| {
            judged.iter().filter(|worse| (from..to).contains(*worse)).count() as f64 / judged.len() as f64
        };
        let (good, bad) = (share(0.95, 1.1), share(0.0, 0.85));
        println!("{}: {:.1} % of pages from 95, {:.1} % below 85", site.name, good * 100.0, bad * 100.0);
        assert!(good >= 0.95 && bad == 0.0, "{}: {judged:?}", site.name);
    }
}

#[test]
fn a_page_of_another_kind_is_refused_and_never_emptied() {
    for site in &SITES {
        let pages = pages(site);
        let model = model(&pages[0].0, &pages[0].1);
        for (index, body) in (site.odd)().iter().enumerate() {
            let cleaned = model.clean(&read(body));
            assert!(cleaned.is_err(), "{}, odd page {index}: {cleaned:?}", site.name);
        }
        for other in SITES.iter().filter(|other| other.name != site.name) {
            let cleaned = model.clean(&read(&(other.page)(3).body));
            assert!(cleaned.is_err(), "{} by the model of {}: {cleaned:?}", other.name, site.name);
        }
    }
}

#[test]
fn an_answer_of_another_page_teaches_nothing() {
    for site in &SITES {
        let pages = pages(site);
        for answer in
            ["Something that nobody ever wrote on any of these pages, as far as we know.", "春江潮水连海平", "", " \n "]
        {
            let learnt = SiteModel::learn(&[Example { page: &pages[0].0, answer }]);
            assert!(learnt.is_err(), "{}", site.name);
        }
    }
    let (page, _) = &pages(&SITES[1])[0];
    let learnt = SiteModel::learn(&[Example { page, answer: &pages(&SITES[2])[5].1 }]);
    assert!(matches!(learnt, Err(LearnError::NotFound { .. } | LearnError::NotTold { .. })));
}

#[test]
fn an_answer_may_be_as_copied_from_a_browser() {
    let pages = pages(&SITES[1]);
    let answer = &pages[4].1;
    let copied = answer.replace('\'', "’").replace(". ", ".\u{a0} ").replace('\n', "\r\n\r\n  ");
    let (one, other) = (model(&pages[4].0, answer), model(&pages[4].0, &copied));
    assert_eq!(one.clean(&pages[9].0).unwrap().text, other.clean(&pages[9].0).unwrap().text);
}

#[test]
fn kinds_of_pages_are_told_apart_and_a_model_serves_both() {
    let (one, other) = (pages(&SITES[0]), pages(&SITES[3]));
    let examples = [&one[0], &other[0], &one[1]].map(|(page, answer)| Example { page, answer });
    let model = SiteModel::learn(&examples).unwrap().model;
    assert_eq!(model.template_count(), 2);
    for (page, answer) in [&one[5], &other[5]] {
        let cleaned = model.clean(page).unwrap();
        assert!(noise_blocks(page, answer, &cleaned.text).worse() >= 0.95, "{}", cleaned.text);
    }
}

#[test]
fn answers_are_proposed_from_what_differs_between_pages() {
    // What the last site puts inside paragraphs is for a person to strike out.
    for site in &SITES[..3] {
        let pages = pages(site);
        let shown: Vec<&Page> = pages.iter().take(6).map(|(page, _)| page).collect();
        let answers = proposed_answers(&shown);
        let examples: Vec<Example<'_>> =
            shown.iter().zip(&answers).map(|(page, answer)| Example { page, answer }).collect();
        let model = SiteModel::learn(&examples).unwrap_or_else(|error| panic!("{}: {error}", site.name)).model;
        assert_eq!(model.template_count(), 1, "{}", site.name);
        for (page, answer) in &pages[10..] {
            let cleaned = model.clean(page).unwrap();
            let worse = noise_blocks(page, answer, &cleaned.text).worse();
            assert!(worse >= 0.8, "{}: {worse}", site.name);
        }
    }
}
