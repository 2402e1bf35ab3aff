//! A collected work as a book: the pages that a contents page links to, in its order, each with the pages that continue it.

use std::collections::HashMap;

use kuai_archive::{Archive, Snapshot};
use kuai_crawl::{Frontier, Known, Stage, UrlId, Via, canonical, read_links};
use kuai_page::{BlockTree, Page, Timestamp, Url};
use kuai_segment::DEFAULT_METHOD;

use crate::book::{Book, Chapter, chapter_title};
use crate::collect::CollectError;
use crate::{Error, Methods, SiteModels};

/// Addresses that are listed at a time.
const LIST_MAX: usize = 1000;
/// Pages of one chapter.
const PARTS_MAX: usize = 1000;

/// The book whose contents page is at `contents`, from what a crawl of it has collected. Pages are cleaned by the model of their site
/// where they fit it, else by the default method.
pub fn work_as_book(
    archive: &Archive,
    frontier: &dyn Frontier,
    contents: &Url,
    models: Option<&SiteModels>,
) -> Result<Book, CollectError> {
    let cleaner = Cleaner { methods: Methods::new(), models };
    let contents = canonical(contents);
    let start = archive.page_snapshot(&contents, None)?;
    let page = start.page();
    let titles = link_texts(&page, &contents);
    let site = page.metadata().site_name.clone();
    let pages = Pages::of(frontier)?;
    let mut chapters = Vec::new();
    for known in pages.chapters(&contents) {
        let mut parts = pages.parts(known).filter_map(|url| page_at(archive, url).transpose());
        let Some(first) = parts.next().transpose()? else { continue };
        let first_page = first.page();
        let title = titles.get(&known.url).map(String::as_str).unwrap_or_default();
        let mut chapter =
            Chapter::new(chapter_title(title, Some(first_page.title()), site.as_deref()), known.url.clone());
        chapter.add_page(&first_page, &cleaner.cut(&first_page), &first.capture.url);
        for part in parts {
            let part = part?;
            chapter.add_page(&part.page(), &cleaner.cut(&part.page()), &part.capture.url);
        }
        chapters.push(chapter);
    }
    let metadata = page.metadata();
    Ok(Book {
        title: page.title().to_owned(),
        author: metadata.authors.first().cloned(),
        language: metadata.language.clone(),
        source: contents,
        time: Timestamp::from_second(start.capture.time.as_second()).unwrap_or(start.capture.time),
        chapters,
    })
}

/// What a crawl has collected, by what led to it.
struct Pages {
    done: Vec<Known>,
    /// Where an address goes on: redirects and the pages that continue it.
    sequels: HashMap<UrlId, usize>,
}

impl Pages {
    fn of(frontier: &dyn Frontier) -> Result<Pages, CollectError> {
        let mut done: Vec<Known> = Vec::new();
        loop {
            let listed = frontier.list(Stage::Done, done.last().map(|known| known.id), LIST_MAX)?;
            if listed.is_empty() {
                break;
            }
            done.extend(listed);
        }
        let goes_on = |known: &Known| matches!(known.via, Via::Next | Via::Redirect);
        let sequels = done.iter().enumerate().filter(|(_, known)| goes_on(known));
        let sequels = sequels.filter_map(|(index, known)| Some((known.parent?, index))).collect();
        Ok(Pages { done, sequels })
    }

    /// The first pages of chapters. A contents page links to other places as well (the site's front page, a forum), so where
    /// chapters lie in its own folder only these count.
    fn chapters(&self, contents: &Url) -> Vec<&Known> {
        let linked: Vec<&Known> = self.done.iter().filter(|known| known.via == Via::Link).collect();
        let folder = contents.join(".").unwrap_or_else(|_| contents.clone());
        let inside: Vec<&Known> =
            linked.iter().copied().filter(|known| known.url.as_str().starts_with(folder.as_str())).collect();
        if inside.is_empty() { linked } else { inside }
    }

    /// The addresses of a chapter: its first page and those that it goes on to.
    fn parts<'a>(&'a self, first: &'a Known) -> impl Iterator<Item = &'a Url> {
        let next = |known: &&'a Known| self.sequels.get(&known.id).map(|index| &self.done[*index]);
        std::iter::successors(Some(first), next).take(PARTS_MAX).map(|known| &known.url)
    }
}

/// The page at an address; `None` for what is no page, as a redirect.
fn page_at(archive: &Archive, url: &Url) -> Result<Option<Snapshot>, CollectError> {
    match archive.page_snapshot(url, None) {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(Error::NoPage { .. } | Error::UnknownUrl { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What links say, by where they lead.
fn link_texts(page: &Page, url: &Url) -> HashMap<Url, String> {
    let mut texts = HashMap::new();
    for link in read_links(page.source(), url, page.encoding()).links {
        texts.entry(canonical(&link.url)).or_insert(link.text);
    }
    texts
}

/// Tells the text of pages from the rest.
struct Cleaner<'a> {
    methods: Methods,
    models: Option<&'a SiteModels>,
}

impl Cleaner<'_> {
    fn cut(&self, page: &Page) -> BlockTree {
        // A model that cannot be read is no reason to lose the book.
        let cleaned = self.models.and_then(|models| models.clean(page).ok().flatten());
        match cleaned {
            Some(Ok(cleaned)) => cleaned.blocks().clone(),
            _ => self.methods.judge(page, DEFAULT_METHOD).expect("the default method is one of the methods").tree,
        }
    }
}
