//! Collecting by topic: how relevant the blocks of a page are, and which of its links are worth following next.
//!
//! Pure: pages come in as texts of blocks with their links, judgements go out. The topic learns from every page that is judged.

mod around;
mod reasons;
mod saved;
mod terms;
mod topic;

use kuai_page::{Label, Span, Url};

pub use reasons::{LinkJudgement, Reasons, Skip};
pub use saved::TopicError;
pub use topic::{Example, Topic};

use around::Surroundings;
use topic::Counts;

/// A page as a topic sees it.
#[derive(Clone, Debug)]
pub struct FocusPage<'a> {
    /// Its title; empty where it has none.
    pub title: &'a str,
    /// Its innermost blocks, in source order.
    pub blocks: Vec<FocusBlock<'a>>,
    /// Pages off topic that lie between it and the last page on topic, or the start.
    pub off_topic_steps: u32,
}

/// A block with its links.
#[derive(Clone, Debug)]
pub struct FocusBlock<'a> {
    /// Its bytes in the source.
    pub span: Span,
    /// What it is for.
    pub label: Option<Label>,
    /// What it says.
    pub text: &'a str,
    /// Its links, in source order.
    pub links: Vec<FocusLink<'a>>,
}

/// A link of a block.
#[derive(Clone, Copy, Debug)]
pub struct FocusLink<'a> {
    /// Where it leads.
    pub url: &'a Url,
    /// What it says.
    pub text: &'a str,
}

/// What was made of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// How much its content is on topic, from 0 to 1.
    pub relevance: f64,
    /// Whether it counts as harvest.
    pub is_on_topic: bool,
    /// What was made of its links, in the order of the blocks and their links.
    pub links: Vec<LinkJudgement>,
}

/// What steers a crawl by topic.
#[derive(Clone, Copy, Debug)]
pub struct FocusSettings {
    /// Pages off topic that are passed through on the way to more, at most.
    pub off_topic_steps_max: u32,
    /// How much of what surrounds a link is left for each page off topic behind it.
    pub off_topic_decay: f64,
    /// What the clearest of two adds to its score: what the link says itself, or what stands around it.
    pub clearest_share: f64,
    /// What the link's own text or address adds beside.
    pub own_share: f64,
    /// What adds that stands around it.
    pub around_share: f64,
    /// What the page adds that it stands in.
    pub parent_share: f64,
}

impl Default for FocusSettings {
    fn default() -> FocusSettings {
        // The shares were chosen on the first ten subjects of `just topics`.
        FocusSettings {
            off_topic_steps_max: 5,
            off_topic_decay: 0.8,
            clearest_share: 0.4,
            own_share: 0.3,
            around_share: 0.1,
            parent_share: 0.2,
        }
    }
}

/// Judges pages and links by a topic, and teaches the topic.
#[derive(Clone, Debug)]
pub struct Focus {
    topic: Topic,
    settings: FocusSettings,
}

/// From this relevance on a text is on topic.
const ON_TOPIC: f64 = 0.5;

impl Focus {
    /// A judge that starts with this topic.
    pub fn new(topic: Topic, settings: FocusSettings) -> Focus {
        Focus { topic, settings }
    }

    /// The topic as it is now.
    pub fn topic(&self) -> &Topic {
        &self.topic
    }

    /// Judges a page and its links, and learns from it.
    pub fn judge(&mut self, page: &FocusPage<'_>) -> Judgement {
        let counts: Vec<Counts> = page.blocks.iter().map(|block| self.topic.count(block.text)).collect();
        let labels = trusted_labels(page);
        let relevance = self.page_relevance(page.title, &counts, &labels);
        let is_on_topic = relevance >= ON_TOPIC;
        let off_topic_steps = if is_on_topic { 0 } else { page.off_topic_steps + 1 };
        let surroundings = Surroundings::new(&page.blocks);
        let mut links = Vec::new();
        let mut heading = Counts::default();
        for (index, ((block, own), &label)) in page.blocks.iter().zip(&counts).zip(&labels).enumerate() {
            if label == Some(Label::Title) {
                heading = own.clone();
            }
            let block_relevance = self.block_relevance(own, &heading);
            // A block on topic leads on, whatever stands beside it in the page.
            let off_topic_steps = if block_relevance >= ON_TOPIC { 0 } else { off_topic_steps };
            let place =
                Reasons { block: block_relevance, label, parent: relevance, off_topic_steps, ..Reasons::default() };
            let is_long = own.length() > LONG_BLOCK_TERMS;
            let stretches = surroundings.of_links(index, block);
            links.extend(block.links.iter().zip(stretches).map(|(link, stretch)| {
                let around = Reasons { around: self.around(block_relevance, is_long, stretch), ..place };
                self.judge_link(link, around)
            }));
        }
        let content = page.blocks.iter().zip(&labels).filter(|(_, label)| is_content(**label));
        self.topic.learn(std::iter::once(page.title).chain(content.map(|(block, _)| block.text)), relevance);
        Judgement { relevance, is_on_topic, links }
    }

    /// The relevance of what a page is there for.
    fn page_relevance(&self, title: &str, counts: &[Counts], labels: &[Option<Label>]) -> f64 {
        let title = self.topic.count(title);
        let mut content = title.clone();
        for (own, _) in counts.iter().zip(labels).filter(|(_, label)| is_content(**label)) {
            content.add(own);
        }
        self.topic.relevance_of(&content).max(TITLE_SHARE * self.topic.relevance_of(&title))
    }

    fn block_relevance(&self, own: &Counts, heading: &Counts) -> f64 {
        let mut with_heading = own.clone();
        with_heading.add(heading);
        self.topic.relevance_of(own).max(self.topic.relevance_of(&with_heading))
    }

    /// The relevance of what stands around a link: a short block says no more than what is beside it, and a long one may speak of
    /// more than one thing, so that what is near counts as much as the whole.
    fn around(&self, block: f64, is_long: bool, stretch: &str) -> f64 {
        let stretch = self.topic.relevance(stretch);
        if is_long { (block + stretch) / 2.0 } else { block.max(stretch) }
    }

    fn judge_link(&self, link: &FocusLink<'_>, around: Reasons) -> LinkJudgement {
        let anchor = self.topic.relevance(link.text);
        let url_words = self.topic.relevance(link.url.path());
        let reasons = Reasons { anchor, url_words, ..around };
        LinkJudgement { score: self.score(&reasons), reasons }
    }

    fn score(&self, reasons: &Reasons) -> Result<f64, Skip> {
        // Adverts name whatever people look for.
        if matches!(reasons.label, Some(Label::Advert | Label::Copyright)) {
            return Err(Skip::Noise);
        }
        // Vague words do not speak against an address, nor numbers in an address against words.
        let own = reasons.anchor.max(reasons.url_words);
        let settings = &self.settings;
        if reasons.off_topic_steps > settings.off_topic_steps_max && own < ON_TOPIC {
            return Err(Skip::TooFar);
        }
        // What a link says itself holds wherever it stands; what surrounds it, less with each page off topic on the way.
        let nearness = settings.off_topic_decay.powi(reasons.off_topic_steps.min(16) as i32);
        let (around, parent) = (nearness * reasons.around, nearness * reasons.parent);
        let score = settings.clearest_share * own.max(around)
            + settings.own_share * own
            + settings.around_share * around
            + settings.parent_share * parent;
        // Of links that nothing speaks for, those near the topic come first, and else those found first.
        let score = (score / SCORE_STEP).floor() * SCORE_STEP;
        Ok(score.max(SCORE_STEP * nearness).min(1.0))
    }
}

/// Smaller differences of scores say nothing.
const SCORE_STEP: f64 = 0.01;

/// A block of more terms than this is long.
const LONG_BLOCK_TERMS: u32 = 200;

/// How much of its title's relevance a page has at least.
const TITLE_SHARE: f64 = 0.8;

/// Whether a block is part of what a page is there for. Noise counts, because paragraphs full of links are often taken for it.
fn is_content(label: Option<Label>) -> bool {
    !matches!(label, Some(Label::Navigation | Label::Related | Label::Advert | Label::Copyright))
}

/// The labels of the blocks, without one that most of the page has and content cannot have: a table of contents looks like
/// navigation or noise, and is what its page is there for.
fn trusted_labels(page: &FocusPage<'_>) -> Vec<Option<Label>> {
    let bytes = |label: Label| -> usize {
        page.blocks.iter().filter(|block| block.label == Some(label)).map(|block| block.text.len()).sum()
    };
    let all: usize = page.blocks.iter().map(|block| block.text.len()).sum();
    let doubted = [Label::Navigation, Label::Noise].into_iter().find(|&label| 2 * bytes(label) > all);
    page.blocks.iter().map(|block| block.label.filter(|&label| Some(label) != doubted)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(blocks: &[(Option<Label>, &str, &str, &str)], off_topic_steps: u32) -> Judgement {
        let urls: Vec<_> =
            blocks.iter().map(|(.., path)| Url::parse("http://a.example/").unwrap().join(path).unwrap()).collect();
        let blocks = blocks.iter().zip(&urls).map(|(&(label, text, anchor, _), url)| FocusBlock {
            span: Span::new(0, 1),
            label,
            text,
            links: vec![FocusLink { url, text: anchor }],
        });
        let page = FocusPage { title: "", blocks: blocks.collect(), off_topic_steps };
        Focus::new(Topic::from_words("layers masks"), FocusSettings::default()).judge(&page)
    }

    fn score(judgement: &Judgement, link: usize) -> f64 {
        judgement.links[link].score.unwrap()
    }

    #[test]
    fn a_link_of_a_block_on_topic_comes_first() {
        let judgement = judge(
            &[
                (Some(Label::Main), "Bread is baked of flour, see here", "here", "1"),
                (Some(Label::Main), "Masks hide parts of layers, see here", "here", "2"),
            ],
            0,
        );
        assert!(score(&judgement, 1) > score(&judgement, 0));
        assert_eq!(judgement.links[0].reasons.anchor, 0.0);
    }

    #[test]
    fn a_heading_tells_what_the_links_below_are_about() {
        // Too far from any heading for it to stand beside the link.
        let text = format!("{0} here {0}", "one two three ".repeat(20));
        let judgement = judge(
            &[
                (Some(Label::Title), "Bread", "1", "1"),
                (Some(Label::Main), &text, "here", "2"),
                (Some(Label::Title), "Layers and masks", "3", "3"),
                (Some(Label::Main), &text, "here", "4"),
            ],
            0,
        );
        assert!(score(&judgement, 3) > score(&judgement, 1));
    }

    #[test]
    fn what_stands_beside_a_bare_link_tells_what_it_is_about() {
        let bare = |beside| judge(&[(Some(Label::Main), "here", "here", "1"), (Some(Label::Main), beside, "", "2")], 0);
        assert!(score(&bare("Masks hide parts of layers"), 0) > score(&bare("Bread is baked of flour"), 0));
    }

    #[test]
    fn in_a_long_block_what_is_near_a_link_counts_more() {
        let bread = "Bread is baked of flour. ".repeat(60);
        let [near, far] = [format!("{bread} Masks of layers: here"), format!("Masks of layers. {bread} here")];
        let score_in = |text: &str| score(&judge(&[(Some(Label::Main), text, "here", "1")], 0), 0);
        assert!(score_in(&near) > score_in(&far));
    }

    #[test]
    fn adverts_are_skipped_whatever_they_say() {
        let judgement = judge(&[(Some(Label::Advert), "Buy layers and masks", "layers and masks", "1")], 0);
        assert_eq!(judgement.links[0].score, Err(Skip::Noise));
    }

    #[test]
    fn what_looks_like_noise_may_be_the_way_on() {
        let noise = (Some(Label::Noise), "One, two, three", "one", "1");
        let text = (Some(Label::Main), "Bread is baked of flour and water", "bread", "2");
        assert!(judge(&[noise, text], 0).links[0].score.is_ok());
    }

    #[test]
    fn a_page_off_topic_is_passed_through_but_not_too_many() {
        let blocks = [(Some(Label::Main), "Bread is baked of flour", "bread", "1")];
        let steps_max = FocusSettings::default().off_topic_steps_max;
        assert!(judge(&blocks, steps_max - 1).links[0].score.is_ok());
        assert_eq!(judge(&blocks, steps_max).links[0].score, Err(Skip::TooFar));
        let blocks = [(Some(Label::Main), "Bread is baked of flour", "layers and masks", "1")];
        assert!(judge(&blocks, steps_max).links[0].score.is_ok());
    }

    #[test]
    fn what_a_link_says_itself_does_not_fade_with_the_way() {
        let score_after =
            |anchor, steps| score(&judge(&[(Some(Label::Main), "Bread is baked of flour", anchor, "1")], steps), 0);
        assert_eq!(score_after("layers and masks", 4), score_after("layers and masks", 0));
        assert!(score_after("bread", 4) < score_after("bread", 0));
    }

    #[test]
    fn a_vague_link_is_known_by_its_address() {
        let score_of =
            |anchor, path| score(&judge(&[(Some(Label::Main), "Bread is baked of flour", anchor, path)], 0), 0);
        assert_eq!(score_of("here", "layers-masks"), score_of("layers masks", "17"));
        assert!(score_of("here", "layers-masks") > score_of("here", "17"));
    }

    #[test]
    fn a_hint_of_the_topic_is_more_than_none() {
        let bread = "Bread is baked of flour. ".repeat(40);
        let hint = format!("{bread} A mask.");
        let score_in = |text: &str| score(&judge(&[(Some(Label::Main), text, "here", "1")], 0), 0);
        assert!(score_in(&hint) > score_in(&bread));
    }

    #[test]
    fn a_page_on_topic_begins_the_count_anew() {
        let judgement = judge(&[(Some(Label::Main), "Layers have masks", "bread", "1")], 3);
        assert!(judgement.is_on_topic);
        assert_eq!(judgement.links[0].reasons.off_topic_steps, 0);
    }
}
