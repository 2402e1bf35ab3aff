//! Where a page leads: its links, requisites and sequels, each with what is to be done about it and why.

use std::sync::PoisonError;

use kuai_archive::OutlineBlock;
use kuai_crawl::{
    Decision, Directives, Ending, Find, FocusBlock, FocusLink, FocusPage, Link, LinkJudgement, PageLinks,
    SITEMAP_DEPTH_MAX, Via, canonical, check_trap, css_links, read_links, read_requisites, read_sitemap,
};
use kuai_page::{Capture, Page, TextOptions, Timestamp, Url};

use super::plan::CrawlKind;
use super::read::{Origin, Reader, Reading, is_of_type};

/// Redirects, or pages that continue a page, that are followed one after the other.
const REDIRECTS_MAX: u32 = 10;
/// Pages that continue one another.
const SEQUELS_MAX: u32 = 1000;
/// How far in front of everything else a redirect is followed in a crawl by topic: it leads where a good link led.
const AT_ONCE: i32 = 2_000_000;
/// What links to the next page of the same chapter say, without spaces and signs. Not "next", which mostly means the next chapter.
const NEXT_PAGE_TEXTS: [&str; 6] = ["nextpage", "continued", "下一页", "下页", "后一页", "下一頁"];
/// Hosts that are watched for traps at a time.
const WATCHED_HOSTS_MAX: usize = 1000;
/// The priority of a link with the highest score.
const SCORE_MAX: f64 = 1_000_000.0;

impl Reader<'_> {
    /// What a page leads to. `blocks` are its blocks where it was cut; `asked` is what its headers ask of crawlers.
    pub(super) fn page_finds(
        &self,
        origin: &Origin,
        page: &Page,
        blocks: &[OutlineBlock],
        asked: Directives,
    ) -> Reading {
        if self.plan.kind == CrawlKind::Again || origin.via == Via::Requisite {
            return Reading::default();
        }
        let links = read_links(page.source(), &origin.url, page.encoding());
        let mut reading = Reading::default();
        let asks_nofollow = self.plan.politeness.obeys_robots && (asked | links.directives).is_nofollow;
        if !asks_nofollow && (self.plan.kind == CrawlKind::Site || origin.depth == 0) {
            reading = self.link_finds(origin, page, blocks, &links);
        }
        self.sequel_finds(origin, &links, &mut reading.finds);
        if self.plan.requisites {
            let requisites = read_requisites(page.source(), &origin.url, page.encoding());
            reading.finds.extend(requisites.iter().filter_map(|found| self.requisite(origin, &found.url)));
        }
        reading
    }

    fn link_finds(&self, origin: &Origin, page: &Page, blocks: &[OutlineBlock], links: &PageLinks) -> Reading {
        let judgements = self.judge(origin, page, blocks, links);
        let (is_on_topic, judgements) =
            judgements.map_or((None, None), |(is_on_topic, all)| (Some(is_on_topic), Some(all)));
        let mut finds = Vec::new();
        for (index, link) in links.links.iter().enumerate() {
            let judgement = judgements.as_ref().and_then(|all| all[index]);
            finds.extend(self.link(origin, link, judgement));
        }
        Reading { finds, is_on_topic }
    }

    /// What is to be done with a link, if that is news.
    fn link(&self, origin: &Origin, link: &Link, judgement: Option<LinkJudgement>) -> Option<Find> {
        let depth = origin.depth + 1;
        let (decision, why) = if link.is_nofollow && self.plan.politeness.obeys_robots {
            (Decision::Skip, "the link asks not to be followed".to_owned())
        } else {
            match judgement {
                Some(judgement) => (by_score(&judgement), judgement.to_compact()),
                None => (Decision::Follow(self.priority(depth)), String::new()),
            }
        };
        self.find(&link.url, Found { origin, via: Via::Link, depth, hops: 0, decision, why })
    }

    /// Breadth first; a work in the order of its page.
    fn priority(&self, depth: u32) -> i32 {
        match self.plan.kind {
            CrawlKind::Site => -(depth.min(1 << 20) as i32),
            CrawlKind::Work | CrawlKind::Again => 0,
        }
    }

    /// How soon that is followed which an address goes on to.
    fn follow_on(&self, origin: &Origin) -> Decision {
        Decision::Follow(if self.plan.topic.is_some() { AT_ONCE } else { self.priority(origin.depth) })
    }

    /// How a page says that it goes on, or belongs, elsewhere.
    fn sequel_finds(&self, origin: &Origin, links: &PageLinks, finds: &mut Vec<Find>) {
        let (depth, decision) = (origin.depth, self.follow_on(origin));
        let mut add = |url: &Option<Url>, via, hops, hops_max| {
            if let Some(url) = url.as_ref().filter(|_| hops <= hops_max) {
                finds.extend(self.find(url, Found { origin, via, depth, hops, decision, why: String::new() }));
            }
        };
        let hops = if origin.via == Via::Next { origin.hops + 1 } else { 1 };
        let next = links.next.clone().or_else(|| self.next_by_text(origin, links));
        add(&next, Via::Next, hops, SEQUELS_MAX);
        add(&links.refresh, Via::Redirect, origin.hops + 1, REDIRECTS_MAX);
        if self.plan.kind == CrawlKind::Site {
            add(&links.canonical, Via::Link, 0, 0);
        }
    }

    /// The page that continues a page of a work, where only the text of a link says so.
    fn next_by_text(&self, origin: &Origin, links: &PageLinks) -> Option<Url> {
        if self.plan.kind != CrawlKind::Work || origin.depth == 0 && origin.via != Via::Next {
            return None;
        }
        let says_next = |link: &&Link| {
            let text: String = link.text.chars().filter(|letter| letter.is_alphanumeric()).collect();
            NEXT_PAGE_TEXTS.contains(&text.to_lowercase().as_str())
        };
        links.links.iter().find(says_next).map(|link| link.url.clone())
    }

    /// Where an answer that is a redirect leads.
    pub(super) fn redirect(&self, origin: &Origin, target: &Url, status: u16) -> (Ending, Reading) {
        let hops = origin.hops + 1;
        if hops > REDIRECTS_MAX {
            let reason = format!("more than {REDIRECTS_MAX} redirects, the last to {target}");
            return (Ending::Failed { reason }, Reading::default());
        }
        if origin.depth == 0 && matches!(origin.via, Via::Seed | Via::Redirect) {
            // Whoever asks for http://example.org and is sent to https://www.example.org means that.
            self.scope.write().unwrap_or_else(PoisonError::into_inner).add_seed(target);
        }
        let decision = self.follow_on(origin);
        // What is read otherwise than a page is read so wherever it lies.
        let via = if matches!(origin.via, Via::Requisite | Via::Sitemap) { origin.via } else { Via::Redirect };
        let found = Found { origin, via, depth: origin.depth, hops, decision, why: origin.why.clone() };
        (Ending::Done { status }, Reading { finds: self.find(target, found).into_iter().collect(), is_on_topic: None })
    }

    /// What is found in what is no page: style sheets and sitemaps.
    pub(super) fn other_finds(&self, origin: &Origin, capture: &Capture) -> Vec<Find> {
        match origin.via {
            Via::Sitemap => self.listed_finds(origin, capture),
            Via::Requisite if is_of_type(capture, "text/css") => {
                let css = String::from_utf8_lossy(&capture.body);
                css_links(&css, &capture.url).iter().filter_map(|url| self.requisite(origin, url)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn listed_finds(&self, origin: &Origin, capture: &Capture) -> Vec<Find> {
        let sitemap = read_sitemap(&capture.body, &capture.url);
        let mut finds = Vec::new();
        let depth = origin.depth + 1;
        for page in &sitemap.pages {
            let decision = Decision::Follow(self.priority(depth));
            let found = Found { origin, via: Via::Link, depth, hops: 0, decision, why: String::new() };
            finds.extend(self.find(&page.url, found));
        }
        if origin.hops < SITEMAP_DEPTH_MAX {
            finds.extend(self.sitemap_finds(origin, sitemap.sitemaps));
        }
        finds
    }

    /// Sitemaps to read: those that a host names, and the one at the usual place.
    pub(super) fn sitemap_finds(&self, origin: &Origin, sitemaps: Vec<Url>) -> Vec<Find> {
        let usual = (origin.via == Via::Seed).then(|| origin.url.join("/sitemap.xml").ok()).flatten();
        let hops = if origin.via == Via::Sitemap { origin.hops + 1 } else { 0 };
        let decision = Decision::Follow(self.priority(origin.depth));
        let found = |url: &Url| {
            let found = Found { origin, via: Via::Sitemap, depth: origin.depth, hops, decision, why: String::new() };
            self.find(url, found)
        };
        sitemaps.iter().chain(&usual).filter_map(found).collect()
    }

    /// What a page needs to be shown belongs to the crawl wherever it lies.
    fn requisite(&self, origin: &Origin, url: &Url) -> Option<Find> {
        let decision = Decision::Follow(self.priority(origin.depth));
        self.find(
            url,
            Found { origin, via: Via::Requisite, depth: origin.depth, hops: 0, decision, why: String::new() },
        )
    }

    /// An address that was found, if that is news, with the scope's and the traps' say in it.
    fn find(&self, url: &Url, found: Found<'_>) -> Option<Find> {
        let Found { origin, via, depth, hops, mut decision, mut why } = found;
        let url = canonical(url);
        if !self.seen.is_news(&url, decision) {
            return None;
        }
        if let Some(reason) = self.objection(&url, via, depth, decision) {
            (decision, why) = (Decision::Skip, reason);
        }
        Some(Find { url, via, parent: Some(origin.id), depth, hops, decision, why })
    }

    /// Why an address is not to be visited.
    fn objection(&self, url: &Url, via: Via, depth: u32, decision: Decision) -> Option<String> {
        if decision == Decision::Skip {
            return None;
        }
        let scope = self.scope.read().unwrap_or_else(PoisonError::into_inner);
        if via != Via::Requisite
            && let Err(reason) = scope.check(url, depth)
        {
            return Some(reason.to_string());
        }
        let now = Timestamp::now();
        if let Some(trap) = check_trap(url, now) {
            return Some(format!("a trap: {trap}"));
        }
        let mut traps = self.traps.lock().unwrap_or_else(PoisonError::into_inner);
        if traps.len() >= WATCHED_HOSTS_MAX {
            traps.clear();
        }
        let watch = traps.entry(url.host_str().unwrap_or_default().to_owned()).or_default();
        watch.note(url).err().map(|trap| format!("a trap: {trap}"))
    }

    /// Judges a page by the topic: whether it is on topic, and what was made of each of its links.
    fn judge(
        &self,
        origin: &Origin,
        page: &Page,
        blocks: &[OutlineBlock],
        links: &PageLinks,
    ) -> Option<(bool, Vec<Option<LinkJudgement>>)> {
        let focus = self.focus.as_ref()?;
        let leaves = leaves(blocks);
        let texts: Vec<String> = leaves.iter().map(|block| page.text(block.span, TextOptions::default())).collect();
        let mut order = Vec::new();
        let focus_blocks = leaves.iter().zip(&texts).map(|(block, text)| {
            let place = |end: u32| links.links.partition_point(|link| link.place < end);
            let inside = place(block.span.start)..place(block.span.end);
            order.extend(inside.clone());
            let links = links.links[inside].iter().map(|link| FocusLink { url: &link.url, text: &link.text });
            FocusBlock { span: block.span, label: block.label, text, links: links.collect() }
        });
        let before = LinkJudgement::from_compact(&origin.why);
        let focus_page = FocusPage {
            title: page.title(),
            blocks: focus_blocks.collect(),
            off_topic_steps: before.map_or(0, |before| before.reasons.off_topic_steps),
        };
        let judgement = focus.lock().unwrap_or_else(PoisonError::into_inner).judge(&focus_page);
        let mut judged = vec![None; links.links.len()];
        for (index, link) in order.into_iter().zip(judgement.links) {
            judged[index] = Some(link);
        }
        Some((judgement.is_on_topic, judged))
    }
}

/// An address on its way to becoming a find.
struct Found<'a> {
    origin: &'a Origin,
    via: Via,
    depth: u32,
    hops: u32,
    decision: Decision,
    why: String,
}

fn by_score(judgement: &LinkJudgement) -> Decision {
    match judgement.score {
        Ok(score) => Decision::Follow((score * SCORE_MAX) as i32),
        Err(_) => Decision::Skip,
    }
}

fn leaves(blocks: &[OutlineBlock]) -> Vec<&OutlineBlock> {
    let is_leaf = |index: usize| blocks.get(index + 1).is_none_or(|next| next.depth <= blocks[index].depth);
    (0..blocks.len()).filter(|index| is_leaf(*index)).map(|index| &blocks[index]).collect()
}
