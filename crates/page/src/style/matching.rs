//! Finds the rules that an element matches, refusing most by what they ask of ancestors, and within the budget of steps.

use kuai_html::{Dom, NodeId};
use selectors::bloom::BloomFilter;
use selectors::context::{MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, SelectorCaches};
use selectors::matching::{matches_selector, selector_may_match};

use super::aspects::Aspects;
use super::selector::{MATCHING_MODE, Subject, Subjects};
use super::sheet::{Candidate, Rule, Rules};

/// Matches the elements of a document against rules, top down.
pub(super) struct Matcher<'a> {
    dom: Dom<'a>,
    rules: &'a Rules<'a>,
    subjects: &'a Subjects<'a>,
    /// The names of all ancestors, where there are rules enough for it to pay.
    filter: Option<Box<BloomFilter>>,
    caches: SelectorCaches,
    /// Whether the budget was spent before all rules were tried.
    pub(super) limit_hit: bool,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(dom: Dom<'a>, rules: &'a Rules<'a>, subjects: &'a Subjects<'a>) -> Matcher<'a> {
        Matcher { dom, rules, subjects, filter: None, caches: SelectorCaches::default(), limit_hit: false }
    }

    /// A matcher that is told of every element that is entered and left, and so refuses most rules without trying them.
    pub(super) fn with_filter(dom: Dom<'a>, rules: &'a Rules<'a>, subjects: &'a Subjects<'a>) -> Matcher<'a> {
        Matcher { filter: Some(Box::new(BloomFilter::new())), ..Matcher::new(dom, rules, subjects) }
    }

    /// Takes the element into the ancestors of what comes, if anything can.
    pub(super) fn enter(&mut self, node: NodeId) {
        if let Some(filter) = self.filter.as_mut().filter(|_| has_elements(self.dom, node)) {
            self.subjects.subject(node).ancestor_hashes().for_each(|hash| filter.insert_hash(hash));
        }
    }

    /// Takes the element out of the ancestors again.
    pub(super) fn leave(&mut self, node: NodeId) {
        if let Some(filter) = self.filter.as_mut().filter(|_| has_elements(self.dom, node)) {
            self.subjects.subject(node).ancestor_hashes().for_each(|hash| filter.remove_hash(hash));
        }
    }

    /// Tells of every rule about some aspects that the element matches, with its place in the table; of those that style what closes the element
    /// only the first.
    pub(super) fn each_match(&mut self, node: NodeId, aspects: Aspects, mut tell: impl FnMut(u32, &'a Rule)) {
        let (rules, subjects) = (self.rules, self.subjects);
        let subject = subjects.subject(node);
        let by_class = subject.classes().iter().filter_map(|class| rules.by_class.get(&class.0));
        let buckets = (rules.by_id.get(&subject.id().0).into_iter())
            .chain(by_class)
            .chain(rules.by_tag.get(&subject.local_name().0))
            .chain((self.dom.parent(node) == Some(NodeId::DOCUMENT)).then_some(&rules.for_root))
            .chain(std::iter::once(&rules.others));
        let mut is_after = false;
        for bucket in buckets {
            // Refusing by ancestors is cheap: several rules to a step.
            let mut may_go_on = subjects.spend(bucket.len() as u64 / 8);
            for candidate in bucket {
                if !self.may_match(candidate) {
                    continue;
                }
                may_go_on &= subjects.spend(1);
                if !may_go_on {
                    break;
                }
                let rule = &rules.rules[candidate.rule as usize];
                if (rule.said.about & aspects).is_empty() || (is_after && rule.is_after) || !self.is_met(rule, subject)
                {
                    continue;
                }
                is_after |= rule.is_after;
                tell(candidate.rule, rule);
            }
            self.limit_hit |= !may_go_on;
        }
    }

    fn may_match(&self, candidate: &Candidate) -> bool {
        self.filter.as_ref().is_none_or(|filter| selector_may_match(&candidate.hashes, filter))
    }

    fn is_met(&mut self, rule: &Rule, subject: Subject<'_, '_>) -> bool {
        if rule.is_plain {
            return true;
        }
        let mode = match rule.is_after {
            true => MatchingMode::ForStatelessPseudoElement,
            false => MatchingMode::Normal,
        };
        let mut context = MatchingContext::new(
            mode,
            self.filter.as_deref(),
            &mut self.caches,
            MATCHING_MODE,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        matches_selector(&rule.selector, 0, None, subject, &mut context)
    }
}

fn has_elements(dom: Dom<'_>, node: NodeId) -> bool {
    dom.children(node).any(|child| dom.is_element(child))
}
