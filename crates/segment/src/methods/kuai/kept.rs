//! Which units are kept: those above the bound, then what the rules make of them, where labelled pages are too few to learn from or judging unit
//! by unit breaks what belongs together.

use super::model::Judgement;
use super::outline::Outline;
use super::{comments, decide, headings, others, policies, ruled_out, sections, standfirst, terms, wholes};

/// What is known of a page when it is decided what of it is kept.
pub(super) struct Known<'a> {
    pub(super) outline: &'a Outline<'a>,
    pub(super) judgement: &'a Judgement,
    /// What its head says of it.
    pub(super) head_title: &'a str,
    /// The unit that is its title.
    pub(super) title: Option<usize>,
    /// The best F1 that can be expected of its text.
    pub(super) best: f32,
}

impl Known<'_> {
    /// Whether each unit is kept by who asks for neither more nor less.
    pub(super) fn kept(&self) -> Vec<bool> {
        self.kept_at(0.0)
    }

    /// The same for who leans to surer text (below 0) or to more of it (above 0): never more than this without leaning, or never less. Rules
    /// compare what is kept with the rest of it, so they may turn either way when there is more or less of it.
    pub(super) fn leant(&self, kept: Vec<bool>, leaning: f32) -> Vec<bool> {
        if leaning == 0.0 {
            return kept;
        }
        let leant = self.kept_at(leaning).into_iter();
        leant.zip(kept).map(|(leant, kept)| if leaning < 0.0 { leant && kept } else { leant || kept }).collect()
    }

    fn kept_at(&self, leaning: f32) -> Vec<bool> {
        let Known { outline, judgement, title, .. } = *self;
        let likely = &judgement.likely;
        let mut kept = decide::decide(outline, judgement, self.best, leaning);
        wholes::keep_whole(outline, judgement, &mut kept);
        standfirst::keep_standfirst(outline, judgement, title, &mut kept);
        // In posts they name and describe who wrote.
        if !judgement.is_forum() {
            terms::keep_terms(outline, likely, &mut kept);
            headings::keep_headings(outline, likely, &mut kept);
        }
        ruled_out::rule_out(outline, title, &mut kept);
        policies::drop_policies(outline, likely, self.head_title, &mut kept);
        sections::drop_sections(outline, judgement, &mut kept);
        comments::drop_comments(outline, judgement, title, &mut kept);
        if judgement.is_article() {
            others::drop_others(outline, likely, &mut kept);
        }
        kept
    }
}
