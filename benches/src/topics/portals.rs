//! Portal pages made for the measurement: each mixes lists of links on several subjects with adverts and navigation, and together they
//! join the packages. The same seed gives the same portals.

use std::fmt::Write;

use kuai::{Url, in_memory};

use super::subjects::{OTHERS, SUBJECTS, Subject};
use super::web::{Numbers, PACKAGES, WebPage, cut_page};

/// Portals of one seed.
pub const PORTALS: usize = 40;

const SECTIONS: usize = 5;
const LINKS: usize = 10;
const ADVERTS: usize = 6;
const NEIGHBOURS: usize = 5;

/// Numbers that look random and are the same for the same seed.
pub struct Dice(u64);

impl Dice {
    /// Dice that fall as the seed says.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Some of them, each once, in any order.
    pub fn pick_some<T: Clone>(&mut self, all: &[T], count: usize) -> Vec<T> {
        let mut all = all.to_vec();
        for place in 0..count.min(all.len()) {
            let other = place + self.below(all.len() - place);
            all.swap(place, other);
        }
        all.truncate(count);
        all
    }
}

/// A subject of a portal: heading, sentences, and the numbers of its pages.
type Section = (&'static str, &'static str, Vec<u32>);

/// The portals of a seed, cut like all pages; their numbers follow those of the web. They name the subjects whose pages are given.
pub fn portals(web: &[WebPage], subject_pages: &[Vec<u32>], seed: u64) -> Vec<WebPage> {
    let mut dice = Dice::new(seed);
    let sections = sections(web, subject_pages);
    let urls: Vec<Url> = (0..PORTALS).map(address).collect();
    let numbers: Numbers = web.iter().map(|page| page.url.clone()).chain(urls.iter().cloned()).zip(0..).collect();
    let archive = in_memory();
    let baits = &SUBJECTS[..subject_pages.len()];
    let bodies = (0..PORTALS).map(|number| write_portal(number, web, &sections, baits, &mut dice));
    bodies.zip(&urls).map(|(body, url)| cut_page(&archive, url, body.into_bytes(), &numbers)).collect()
}

fn address(number: usize) -> Url {
    Url::parse(&format!("http://portal{}.localhost/list/{number}.html", number % 8)).expect("a valid address")
}

fn sections(web: &[WebPage], subject_pages: &[Vec<u32>]) -> Vec<Section> {
    let subjects =
        SUBJECTS.iter().zip(subject_pages).map(|(subject, pages)| (subject.heading, subject.about, pages.clone()));
    let others = OTHERS.iter().map(|(heading, about, pattern)| {
        let pattern = regex::Regex::new(&format!("^{pattern}$")).expect("the patterns are valid");
        (*heading, *about, pages_like(web, &pattern))
    });
    subjects.chain(others).collect()
}

/// The numbers of the pages whose host and path match.
pub fn pages_like(web: &[WebPage], pattern: &regex::Regex) -> Vec<u32> {
    let is_like = |page: &WebPage| pattern.is_match(page.url.as_str().trim_start_matches("http://"));
    web.iter().zip(0..).filter(|(page, _)| is_like(page)).map(|(_, number)| number).collect()
}

fn write_portal(number: usize, web: &[WebPage], sections: &[Section], baits: &[Subject], dice: &mut Dice) -> String {
    let mut html = format!("<!doctype html><title>Links worth reading, list {number}</title><body>");
    html.push_str("<header><h1>Links worth reading</h1></header><nav><ul>");
    for _ in 0..NEIGHBOURS {
        let other = dice.below(PORTALS);
        let _ = write!(html, "<li><a href='{}'>List {other}</a></li>", address(other));
    }
    html.push_str("</ul></nav><main>");
    for (place, section) in dice.pick_some(sections, SECTIONS).iter().enumerate() {
        write_section(&mut html, section, web, dice);
        if place == 1 {
            write_adverts(&mut html, web, baits, dice);
        }
    }
    html.push_str("</main><footer>Copyright the keepers of the list. <a href='/about.html'>About</a> ");
    for package in &PACKAGES {
        let _ = write!(html, "<a href='http://{}/{}'>{}</a> ", package.host, package.entries[0], package.host);
    }
    html.push_str("</footer></body>");
    html
}

/// What people write on a link when they do not say where it leads.
const VAGUE: [&str; 6] = ["here", "read on", "a good page", "more", "this one", "详细"];

fn write_section(html: &mut String, (heading, about, pages): &Section, web: &[WebPage], dice: &mut Dice) {
    let _ = write!(html, "<section><h2>{heading}</h2><p>{about}</p><ul>");
    for page in dice.pick_some(pages, LINKS) {
        let page = &web[page as usize];
        let is_vague = dice.below(10) < 3;
        let text = if is_vague { *dice.pick(&VAGUE) } else { page.title.as_str() };
        let _ = write!(html, "<li><a href='{}'>{}</a></li>", page.url, escape(text));
    }
    html.push_str("</ul></section>");
}

/// Adverts lead anywhere and name whatever people look for.
fn write_adverts(html: &mut String, web: &[WebPage], baits: &[Subject], dice: &mut Dice) {
    html.push_str("<div class='ad sponsored'><p>Advertisement</p>");
    for _ in 0..ADVERTS {
        let (page, bait) = (&web[dice.below(web.len())], dice.pick(baits).words);
        let _ = write!(html, "<a href='{}'><img src='/banner.png' alt='ad'>Buy now: {bait}!</a> ", page.url);
    }
    html.push_str("</div>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
