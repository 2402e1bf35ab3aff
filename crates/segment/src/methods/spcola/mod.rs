//! `spcola`, after Wang & Zhu: space, content and tags together cut the page (`split.rs`), then its blocks are told
//! apart and merged to units of text, related links and navigation.
//!
//! Simplification and visual information are in `looks.rs`, block kinds in the crate's shared labeller, and the
//! merging automaton in `extract`, since any labelled tree can be read that way.

mod looks;
mod split;

use kuai_page::{BlockTree, Page};

use super::{Method, Parameter, Settings};
use crate::Segmenter;
use crate::label::{Thresholds, label_with};
use split::Granularity;

pub(super) const METHOD: Method = Method {
    name: "spcola",
    summary: "cuts by tags, looks and size, tells block kinds apart, keeps topic text and related links",
    origin: "Wang & Zhu, block-wise collection of Web academic resources for digital libraries",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[
        Parameter {
            name: "hub_link_ratio_min",
            symbol: "",
            summary: "link characters over other characters, from which a page poor in sentences is a hub",
            default: 3.0,
            min: 0.0,
            max: 1000.0,
        },
        Parameter {
            name: "hub_share_min",
            symbol: "",
            summary: "share of a hub's long links that its main region holds",
            default: 0.51,
            min: 0.5,
            max: 1.0,
        },
        Parameter {
            name: "width_min",
            symbol: "",
            summary: "pixels; a node narrower than this and lower than height_min is not split (rule 2)",
            default: 120.0,
            min: 0.0,
            max: 10_000.0,
        },
        Parameter {
            name: "height_min",
            symbol: "",
            summary: "pixels; see width_min",
            default: 40.0,
            min: 0.0,
            max: 10_000.0,
        },
        Parameter {
            name: "list_share_min",
            symbol: "",
            summary: "share of link text from which a row of like children is one list (rules 1 and 3)",
            default: 0.35,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "link_share_min",
            symbol: "",
            summary: "share of link text from which a block is a link block",
            default: 0.5,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "main_share_min",
            symbol: "",
            summary: "share of the page's sentences that its main region holds",
            default: 0.7,
            min: 0.5,
            max: 1.0,
        },
        Parameter {
            name: "small_characters_max",
            symbol: "",
            summary: "characters up to which a block without sentences is small",
            default: 40.0,
            min: 0.0,
            max: 1000.0,
        },
        Parameter {
            name: "related_share_min",
            symbol: "",
            summary: "share of anchors on the topic from which links close behind the main text are related",
            default: 0.4,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "related_cue_share_min",
            symbol: "",
            summary: "the same for links whose heading says that they are related",
            default: 0.12,
            min: 0.0,
            max: 1.0,
        },
        Parameter {
            name: "related_distance_max",
            symbol: "",
            summary: "blocks with text between the main text and related links without such a heading",
            default: 8.0,
            min: 0.0,
            max: 1000.0,
        },
    ],
    make: |settings: &Settings| Box::new(Spcola::new(settings)),
};

struct Spcola {
    granularity: Granularity,
    thresholds: Thresholds,
}

impl Spcola {
    fn new(settings: &Settings) -> Spcola {
        Spcola {
            granularity: Granularity {
                width_min: settings.get("width_min") as f32,
                height_min: settings.get("height_min") as f32,
                list_share_min: settings.get("list_share_min"),
            },
            thresholds: Thresholds {
                hub_link_ratio_min: settings.get("hub_link_ratio_min"),
                hub_share_min: settings.get("hub_share_min"),
                main_share_min: settings.get("main_share_min"),
                link_share_min: settings.get("link_share_min"),
                small_characters_max: settings.get("small_characters_max"),
                related_share_min: settings.get("related_share_min"),
                related_cue_share_min: settings.get("related_cue_share_min"),
                related_distance_max: settings.get("related_distance_max"),
            },
        }
    }
}

impl Segmenter for Spcola {
    fn cut(&self, page: &Page) -> BlockTree {
        label_with(page, split::split(page, &self.granularity), &self.thresholds)
    }
}

#[cfg(test)]
mod tests;
