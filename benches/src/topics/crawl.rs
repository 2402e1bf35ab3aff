//! Crawls of the web in memory by several strategies, which differ in nothing but the order in which they follow links.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use kuai_crawl::{Focus, FocusBlock, FocusLink, FocusPage, FocusSettings, Topic};
use kuai_page::{Span, Url};

use super::web::{WebBlock, WebLink, WebPage};

/// How the next page is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// In the order in which links are found.
    BreadthFirst,
    /// Links of the most relevant pages first.
    ByPage,
    /// Shark-search: relevance handed down with decay, the link's text, and the text around it.
    Shark,
    /// Shark-search that also reads the words of addresses, as we do.
    SharkUrl,
    /// By block.
    ByBlock,
    /// By block, with all blocks of a page taken for one, without labels.
    OneBlock,
    /// By block, without labels.
    NoLabels,
    /// By block, without the words of addresses.
    NoUrl,
}

impl Strategy {
    /// Those that are compared.
    pub const COMPARED: [Strategy; 4] = [Strategy::BreadthFirst, Strategy::ByPage, Strategy::Shark, Strategy::ByBlock];

    /// Those that show what each part of a strategy gives.
    pub const PARTS: [Strategy; 4] = [Strategy::SharkUrl, Strategy::OneBlock, Strategy::NoLabels, Strategy::NoUrl];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::BreadthFirst => "breadth-first",
            Strategy::ByPage => "best-first by page",
            Strategy::Shark => "shark-search",
            Strategy::SharkUrl => "shark-search + address words",
            Strategy::ByBlock => "by block",
            Strategy::OneBlock => "by block, page as one block",
            Strategy::NoLabels => "by block, without labels",
            Strategy::NoUrl => "by block, without address words",
        }
    }
}

/// The web as a crawl sees it: the pages of the packages, and portals behind them.
#[derive(Clone, Copy)]
pub struct Web<'a> {
    /// Pages of the packages.
    pub pages: &'a [WebPage],
    /// Portals.
    pub portals: &'a [WebPage],
}

impl<'a> Web<'a> {
    /// The page of this number.
    pub fn page(&self, number: u32) -> &'a WebPage {
        let number = number as usize;
        self.pages.get(number).unwrap_or_else(|| &self.portals[number - self.pages.len()])
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len() + self.portals.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which pages can be reached from these.
    pub fn reachable(&self, starts: &[u32]) -> Vec<bool> {
        let mut is_reached = vec![false; self.len()];
        let mut open = starts.to_vec();
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut is_reached[number as usize], true) {
                open.extend(links(self.page(number)).map(|link| link.target));
            }
        }
        is_reached
    }
}

fn links(page: &WebPage) -> impl Iterator<Item = &WebLink> {
    page.blocks.iter().flat_map(|block| &block.links)
}

/// A page that waits to be fetched.
#[derive(Clone, Copy, PartialEq)]
struct Waiting {
    score: f64,
    /// When it was found: of equal scores the first found comes first.
    turn: u32,
    page: u32,
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        self.score.total_cmp(&other.score).then(other.turn.cmp(&self.turn))
    }
}

/// What a strategy hands down from a page to those it links to.
#[derive(Clone, Copy, Default)]
struct Handed {
    /// Shark-search's inherited score.
    inherited: f64,
    off_topic_steps: u32,
}

/// Crawls until so many pages are fetched, and tells them in order.
pub fn crawl(web: Web<'_>, starts: &[u32], words: &str, strategy: Strategy, budget: usize) -> Vec<u32> {
    let nowhere = Url::parse("http://localhost/").expect("a valid address");
    let mut judge = Judge {
        strategy,
        nowhere,
        focus: Focus::new(Topic::from_words(words), FocusSettings::default()),
        topic: Topic::from_words(words),
    };
    let mut best = vec![f64::NEG_INFINITY; web.len()];
    let mut handed = vec![Handed::default(); web.len()];
    let mut waiting = BinaryHeap::new();
    let mut fetched = Vec::new();
    let mut is_fetched = vec![false; web.len()];
    let mut turn = 0;
    for &page in starts {
        best[page as usize] = f64::INFINITY;
        waiting.push(Waiting { score: f64::INFINITY, turn, page });
        turn += 1;
    }
    while let Some(Waiting { page, .. }) = waiting.pop() {
        if fetched.len() >= budget {
            break;
        }
        // A page that was found again with a better score waits twice.
        if std::mem::replace(&mut is_fetched[page as usize], true) {
            continue;
        }
        best[page as usize] = f64::INFINITY;
        fetched.push(page);
        for (target, score, down) in judge.judge(web, web.page(page), handed[page as usize], &is_fetched) {
            let known = &mut best[target as usize];
            if score > *known {
                *known = score;
                handed[target as usize] = down;
                waiting.push(Waiting { score, turn, page: target });
                turn += 1;
            }
        }
    }
    fetched
}

struct Judge {
    strategy: Strategy,
    /// The address of all links where addresses are not to be read.
    nowhere: Url,
    focus: Focus,
    topic: Topic,
}

/// Shark-search's numbers: what is handed down, what a link's text weighs beside the text around it, and what is handed down beside both.
const DECAY: f64 = 0.5;
const ANCHOR_SHARE: f64 = 0.8;
const INHERITED_SHARE: f64 = 0.5;
/// From here on shark-search takes a page or a text for relevant at all.
const RELEVANT: f64 = 0.1;

impl Judge {
    fn judge(&mut self, web: Web<'_>, page: &WebPage, handed: Handed, is_fetched: &[bool]) -> Vec<(u32, f64, Handed)> {
        match self.strategy {
            Strategy::BreadthFirst => links(page).map(|link| (link.target, 0.0, handed)).collect(),
            Strategy::ByPage => {
                let relevance = self.read(page);
                links(page).map(|link| (link.target, relevance, handed)).collect()
            }
            Strategy::Shark | Strategy::SharkUrl => self.shark(web, page, handed, is_fetched),
            _ => self.by_block(web, page, handed),
        }
    }

    /// The relevance of a whole page, which is learnt from.
    fn read(&mut self, page: &WebPage) -> f64 {
        let relevance = self.topic.relevance(&page.text).max(0.8 * self.topic.relevance(&page.title));
        self.topic.learn([page.title.as_str(), page.text.as_str()], relevance);
        relevance
    }

    fn shark(&mut self, web: Web<'_>, page: &WebPage, handed: Handed, is_fetched: &[bool]) -> Vec<(u32, f64, Handed)> {
        let relevance = self.read(page);
        let inherited = DECAY * if relevance > RELEVANT { relevance } else { handed.inherited };
        // A link to a page that was fetched before changes nothing, and reading what stands around it is most of the work.
        let judged = links(page).filter(|link| !is_fetched[link.target as usize]).map(|link| {
            let mut anchor = self.topic.relevance(&link.text);
            if self.strategy == Strategy::SharkUrl {
                anchor = anchor.max(self.topic.relevance(web.page(link.target).url.path()));
            }
            let context = &page.text[link.context.0 as usize..link.context.1 as usize];
            let around = if anchor > RELEVANT { 1.0 } else { self.topic.relevance(context) };
            let near = ANCHOR_SHARE * anchor + (1.0 - ANCHOR_SHARE) * around;
            let score = INHERITED_SHARE * inherited + (1.0 - INHERITED_SHARE) * near;
            (link.target, score, Handed { inherited, ..handed })
        });
        judged.collect()
    }

    fn by_block(&mut self, web: Web<'_>, page: &WebPage, handed: Handed) -> Vec<(u32, f64, Handed)> {
        let blocks = focus_blocks(web, page, self.strategy, &self.nowhere);
        let judgement =
            self.focus.judge(&FocusPage { title: &page.title, blocks, off_topic_steps: handed.off_topic_steps });
        links(page)
            .zip(judgement.links)
            .filter_map(|(link, judged)| {
                let down = Handed { off_topic_steps: judged.reasons.off_topic_steps, ..handed };
                Some((link.target, judged.score.ok()?, down))
            })
            .collect()
    }
}

/// The blocks of a page as a strategy sees them.
fn focus_blocks<'a>(web: Web<'a>, page: &'a WebPage, strategy: Strategy, nowhere: &'a Url) -> Vec<FocusBlock<'a>> {
    let has_labels = matches!(strategy, Strategy::ByBlock | Strategy::NoUrl);
    let focus_link = |link: &'a WebLink| -> FocusLink<'a> {
        let url = if strategy == Strategy::NoUrl { nowhere } else { &web.page(link.target).url };
        FocusLink { url, text: &link.text }
    };
    if strategy == Strategy::OneBlock {
        let links = links(page).map(focus_link).collect();
        return vec![FocusBlock { span: Span::new(0, 1), label: None, text: &page.text, links }];
    }
    let focus_block = |block: &'a WebBlock| -> FocusBlock<'a> {
        FocusBlock {
            span: Span::new(block.span.0, block.span.1),
            label: block.label().filter(|_| has_labels),
            text: &block.text,
            links: block.links.iter().map(focus_link).collect(),
        }
    };
    page.blocks.iter().map(focus_block).collect()
}
