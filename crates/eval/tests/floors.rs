//! No method gets worse on our own pages without somebody saying so, and none of them is learnt from.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::{env, fs};

use kuai_eval::{Contender, Corpus, EvaluateOptions, Floors, digest, evaluate};
use kuai_segment::METHODS;

#[test]
fn the_pages_that_are_learnt_from_are_sound_and_others_than_those_that_are_judged() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = Corpus::open(&here.join("../../training/pages")).unwrap();
    let contenders = [Contender::method(&METHODS[0], METHODS[0].defaults())];
    let evaluation = evaluate(&corpus, &contenders, EvaluateOptions::default(), || ());
    let faults: Vec<String> = evaluation.faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    let bytes = |folder: &str| -> Vec<Vec<u8>> {
        let files = fs::read_dir(here.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files
            .filter(|path| path.extension().is_some_and(|kind| kind == "html"))
            .map(|path| fs::read(path).unwrap())
            .collect()
    };
    let judged = bytes("pages");
    assert!(bytes("../../training/pages").iter().all(|page| !judged.contains(page)));
}

#[test]
fn no_score_is_below_its_floor() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = Corpus::open(&here.join("pages")).unwrap();
    let contenders: Vec<Contender> =
        METHODS.iter().map(|method| Contender::method(method, method.defaults())).collect();
    let evaluation = evaluate(&corpus, &contenders, EvaluateOptions::default(), || ());
    let faults: Vec<String> = evaluation.faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    let file = here.join("floors.toml");
    let floors = fs::read_to_string(&file).map_or_else(|_| Floors::default(), |text| Floors::parse(&text).unwrap());
    let pages = digest(&corpus);
    if env::var_os("KUAI_BLESS").is_some() {
        fs::write(&file, floors.raised(&evaluation, &pages).to_text()).unwrap();
        return;
    }
    assert_eq!(floors.pages, pages, "the pages are not those of floors.toml: KUAI_BLESS=1 measures the floors anew");
    let broken = floors.broken(&evaluation);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    for method in METHODS {
        assert!(floors.methods.contains_key(method.name), "{} has no floors: KUAI_BLESS=1 writes them", method.name);
    }
}
