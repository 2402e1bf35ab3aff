//! What a crawl is about: terms with weights, learnt from words or examples and from the pages of the crawl itself.
//!
//! A term weighs what it tells on-topic pages from the others by: how often it stands in the former, times the logarithm of how much
//! oftener than in the latter. So the crawl is its own background and no corpus is needed. What the user gave counts as some
//! on-topic pages that never fade, which keeps the topic from drifting.

use rustc_hash::{FxHashMap, FxHashSet};

use super::terms::for_each_term;

/// A text that shows what a topic is, or what it is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example<'a> {
    /// Its title; empty where it has none.
    pub title: &'a str,
    /// What it says.
    pub text: &'a str,
}

/// What a crawl is about.
///
/// ```
/// use kuai_crawl::Topic;
///
/// let topic = Topic::from_words("regular expressions");
/// assert!(topic.relevance("How to write a regular expression") > 0.5);
/// assert!(topic.relevance("How to bake bread") < 0.1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Topic {
    pub(super) terms: Vec<Term>,
    /// Indices of terms by their word.
    places: FxHashMap<Box<str>, u32>,
    /// On-topic pages learnt from, faded.
    pub(super) on_pages: f32,
    /// Other pages learnt from.
    pub(super) off_pages: f32,
    /// Weights and indices of the terms that count, the heaviest first; a term's rank is its place here.
    profile: Vec<(f32, u32)>,
    /// What a page that is right on topic scores.
    expected: f32,
    /// Pages learnt from since the profile was made.
    unused_pages: u32,
}

/// What is known about a term.
#[derive(Clone, Debug, Default)]
pub(super) struct Term {
    pub(super) word: Box<str>,
    /// How surely it belongs to what the user gave, 0 to 1.
    pub(super) given: f32,
    /// On-topic pages that have it, faded.
    pub(super) on: f32,
    /// Other pages that have it.
    pub(super) off: f32,
    /// Its place in the profile.
    rank: Option<u8>,
}

impl Term {
    /// A term of which something is known.
    pub(super) fn learnt(word: &str, given: f32, on: f32, off: f32) -> Term {
        Term { word: word.into(), given, on, off, ..Term::default() }
    }
}

/// How often each term of the profile stands in a text.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    by_rank: [u16; PROFILE_MAX],
    /// Terms of the text, and those of them that are in the profile.
    length: u32,
    hits: u32,
}

/// Terms that count for relevance; the rest is watched in case it comes to count.
const PROFILE_MAX: usize = 48;

/// Terms that are watched.
const TERMS_MAX: usize = 30_000;

/// Terms of a page that are learnt from.
const PAGE_TERMS_MAX: usize = 600;

/// What the user gave weighs as much as so many on-topic pages.
const GIVEN_PAGES: f32 = 12.0;

/// On-topic pages that are remembered: older ones fade.
const ON_PAGES_MAX: f32 = 24.0;

/// Before a crawl has seen anything, a term stands in this share of all pages, which weighs as much as so many pages.
const PRIOR_SHARE: f32 = 0.02;
const PRIOR_PAGES: f32 = 10.0;

/// The profile is made anew after so many pages.
const PROFILE_PAGES: u32 = 8;

/// Half of the use of a term is reached at this count in a text of [`TYPICAL_LENGTH`]; shorter texts need fewer, longer ones more.
const HALF_COUNT: f32 = 1.0;
const TYPICAL_LENGTH: f32 = 200.0;
const LENGTH_SHARE: f32 = 0.8;

/// The share of what a page right on topic scores at which a text is on the border.
const BORDER: f32 = 0.45;

impl Topic {
    /// A topic by its words, or by a text about it.
    pub fn from_words(words: &str) -> Topic {
        Topic::from_examples(&[Example { title: words, text: "" }], &[])
    }

    /// A topic by pages on it, and by pages that are not.
    pub fn from_examples(good: &[Example<'_>], bad: &[Example<'_>]) -> Topic {
        let mut topic = Topic::default();
        for example in good {
            topic.give(example, 1.0 / good.len() as f32);
        }
        for example in bad {
            topic.learn([example.title, example.text], 0.0);
        }
        topic.weigh();
        topic
    }

    /// How much a text is on the topic, from 0 to 1; one half is the border.
    pub fn relevance(&self, text: &str) -> f64 {
        self.relevance_of(&self.count(text))
    }

    /// Learns from a page, given as its texts, of this relevance: what is surely on topic or surely not teaches most, what lies
    /// on the border nothing.
    pub fn learn<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>, relevance: f64) {
        let relevance = relevance.clamp(0.0, 1.0) as f32;
        let (on, off) = ((2.0 * relevance - 1.0).max(0.0), (1.0 - 2.0 * relevance).max(0.0));
        if self.on_pages + on > ON_PAGES_MAX {
            self.fade(1.0 - on / ON_PAGES_MAX);
        }
        self.on_pages += on;
        self.off_pages += off;
        for place in self.distinct(texts) {
            let term = &mut self.terms[place as usize];
            term.on += on;
            term.off += off;
        }
        self.unused_pages += 1;
        if self.unused_pages >= PROFILE_PAGES {
            self.weigh();
        }
    }

    /// The terms that count with their weights, the heaviest first.
    pub fn profile(&self) -> impl Iterator<Item = (&str, f64)> {
        self.profile.iter().map(|&(weight, place)| (&*self.terms[place as usize].word, f64::from(weight)))
    }

    /// Pages learnt from so far, the on-topic ones that faded left out.
    pub fn page_count(&self) -> f64 {
        f64::from(self.on_pages + self.off_pages)
    }
}

/// Counting and scoring.
impl Topic {
    pub(super) fn count(&self, text: &str) -> Counts {
        let mut counts = Counts::default();
        let length = for_each_term(text, |term| {
            let rank = self.places.get(term).and_then(|&place| self.terms[place as usize].rank);
            if let Some(rank) = rank {
                let count = &mut counts.by_rank[usize::from(rank)];
                *count = count.saturating_add(1);
                counts.hits += 1;
            }
        });
        counts.length = length as u32;
        counts
    }

    pub(super) fn relevance_of(&self, counts: &Counts) -> f64 {
        if counts.hits == 0 || self.expected <= 0.0 {
            return 0.0;
        }
        let half = HALF_COUNT * (1.0 - LENGTH_SHARE + LENGTH_SHARE * counts.length as f32 / TYPICAL_LENGTH);
        let used = |count: u16| f32::from(count) / (f32::from(count) + half);
        let hits = self.profile.iter().zip(counts.by_rank).filter(|(_, count)| *count > 0);
        let score: f32 = hits.map(|((weight, _), count)| weight * used(count)).sum();
        let share = score / self.expected;
        f64::from(share / (share + BORDER))
    }
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { by_rank: [0; PROFILE_MAX], length: 0, hits: 0 }
    }
}

impl Counts {
    /// Terms of the text.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    pub(super) fn add(&mut self, other: &Counts) {
        for (count, more) in self.by_rank.iter_mut().zip(other.by_rank) {
            *count = count.saturating_add(more);
        }
        self.length = self.length.saturating_add(other.length);
        self.hits = self.hits.saturating_add(other.hits);
    }
}

/// Learning.
impl Topic {
    fn give(&mut self, example: &Example<'_>, share: f32) {
        for place in self.distinct([example.title, example.text]) {
            self.terms[place as usize].given += share;
        }
    }

    /// A topic of terms that were learnt before; of those of one word the first stays.
    pub(super) fn from_terms(terms: impl Iterator<Item = Term>, on_pages: f32, off_pages: f32) -> Topic {
        let mut topic = Topic { on_pages, off_pages, ..Topic::default() };
        for term in terms {
            let place = topic.watch(&term.word);
            if place as usize + 1 == topic.terms.len() {
                topic.terms[place as usize] = term;
            }
        }
        topic.weigh();
        topic
    }

    fn fade(&mut self, factor: f32) {
        self.on_pages *= factor;
        self.terms.iter_mut().for_each(|term| term.on *= factor);
    }

    /// The places of the first distinct terms of a page; new ones are watched from now on.
    fn distinct<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) -> Vec<u32> {
        let mut places = Vec::new();
        let mut known = FxHashSet::default();
        for text in texts {
            if places.len() >= PAGE_TERMS_MAX {
                break;
            }
            for_each_term(text, |word| {
                if places.len() >= PAGE_TERMS_MAX {
                    return;
                }
                let place = self.watch(word);
                if known.insert(place) {
                    places.push(place);
                }
            });
        }
        places
    }

    fn watch(&mut self, word: &str) -> u32 {
        if let Some(&place) = self.places.get(word) {
            return place;
        }
        let place = self.terms.len() as u32;
        self.terms.push(Term { word: word.into(), ..Term::default() });
        self.places.insert(word.into(), place);
        place
    }

    /// Makes the profile anew from what was learnt.
    fn weigh(&mut self) {
        self.unused_pages = 0;
        if self.terms.len() > TERMS_MAX {
            self.forget();
        }
        let on_pages = GIVEN_PAGES + self.on_pages;
        let off_pages = PRIOR_PAGES + self.off_pages;
        let mut heaviest: Vec<(f32, u32)> = Vec::new();
        for (place, term) in self.terms.iter_mut().enumerate() {
            let on = (term.given * GIVEN_PAGES + term.on) / on_pages;
            let off = (PRIOR_SHARE * PRIOR_PAGES + term.off) / off_pages;
            let weight = on * (on / off).ln();
            term.rank = None;
            if weight > 0.0 {
                heaviest.push((weight, place as u32));
            }
        }
        heaviest.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        heaviest.truncate(PROFILE_MAX);
        self.expected = 0.0;
        for (rank, &(weight, place)) in heaviest.iter().enumerate() {
            let term = &mut self.terms[place as usize];
            term.rank = Some(rank as u8);
            self.expected += weight * (term.given * GIVEN_PAGES + term.on) / on_pages;
        }
        self.profile = heaviest;
    }

    /// Drops the half of the terms that were seen least.
    fn forget(&mut self) {
        let use_of = |term: &Term| if term.given > 0.0 { f32::INFINITY } else { term.on + term.off };
        self.terms.sort_by(|one, other| use_of(other).total_cmp(&use_of(one)));
        self.terms.truncate(TERMS_MAX / 2);
        self.places = self.terms.iter().zip(0..).map(|(term, place)| (term.word.clone(), place)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(topic: &Topic, word: &str) -> f64 {
        topic.profile().find(|(known, _)| *known == word).map_or(0.0, |(_, weight)| weight)
    }

    #[test]
    fn words_that_stand_with_the_topic_come_to_count() {
        let mut topic = Topic::from_words("layers");
        for _ in 0..PROFILE_PAGES {
            topic.learn(["layers have masks on this site"], 0.9);
            topic.learn(["bread on this site"], 0.0);
        }
        assert!(weight(&topic, "mask") > 0.0);
        assert_eq!((weight(&topic, "site"), weight(&topic, "bread")), (0.0, 0.0));
        assert!(topic.relevance("masks") > 0.0);
    }

    #[test]
    fn what_the_user_gave_never_fades() {
        let mut topic = Topic::from_words("layers");
        for _ in 0..1_000 {
            topic.learn(["bread and butter"], 1.0);
        }
        assert!(weight(&topic, "layer") > 0.0);
    }

    #[test]
    fn a_page_on_the_border_teaches_nothing() {
        let mut topic = Topic::from_words("layers");
        topic.learn(["bread"], 0.5);
        assert_eq!(topic.page_count(), 0.0);
    }

    #[test]
    fn examples_tell_what_the_topic_is_and_what_it_is_not() {
        let example = |text| Example { title: "", text };
        let good = [example("masks of layers in this program"), example("layers of this program")];
        let bad = [example("menus of this program"), example("colours of this program")];
        let topic = Topic::from_examples(&good, &bad);
        assert!(topic.relevance("layers") > topic.relevance("masks"));
        assert!(topic.relevance("masks") > topic.relevance("menus of this program"));
    }

    #[test]
    fn a_mention_in_a_long_text_is_less_than_one_in_a_short_text() {
        let topic = Topic::from_words("layers");
        let long = format!("layers {}", "of bread and butter ".repeat(500));
        assert!(topic.relevance("layers") > 0.5);
        assert!(topic.relevance(&long) < 0.35);
        assert_eq!(topic.relevance(""), 0.0);
    }

    #[test]
    fn the_number_of_terms_is_bounded() {
        let mut topic = Topic::from_words("layers");
        for page in 0..(TERMS_MAX / 100) {
            let text: String = (0..200).map(|word| format!("w{} ", page * 200 + word)).collect();
            topic.learn([text.as_str()], 0.0);
        }
        topic.weigh();
        assert!(topic.terms.len() <= TERMS_MAX);
        assert!(weight(&topic, "layer") > 0.0);
    }
}
