//! `kuai collect`: crawls into the archive.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use kuai::{
    Book, BookFormat, Budget, CrawlKind, End, Example, FetchOptions, Plan, Politeness, Scope, ScopeKind, SiteModels,
    Topic, Url, Web, canonical, collect, open_crawl, read_frontiers, work_as_book,
};
use kuai::{Capture, Page, Timestamp};

use crate::Outcome;
use crate::crawl_summary::{summary, summary_json};
use crate::crawl_view::CrawlView;
use crate::explain::explain;
use crate::interrupt::Interrupt;
use crate::place::{Place, address};
use crate::site_models::tell_drifts;
use crate::wording::counted;

/// Crawl into the archive: fetch, cut, label, keep, and go on to the links that matter.
#[derive(clap::Args)]
#[command(after_help = "\
A crawl that was stopped or killed goes on where it was when the same command is given again.

Examples:
  kuai collect https://example.org/                          a site
  kuai collect https://example.org/docs/ --scope prefix      a part of it
  kuai collect https://example.org/ --topic 'web archives'   what is about a topic, most promising links first
  kuai collect https://example.org/book/ --work --book book.epub
                                                             all pages that one page links to, as a book
  kuai collect --again                                       what is due to be visited again (see kuai due)
  kuai collect https://example.org/ --once                   for whatever starts it again by itself: nothing is done twice
  kuai collect --explain https://example.org/page            why a link was followed, or not
  kuai collect http://127.0.0.1:8000/ --allow-private --delay 0")]
pub(crate) struct Collect {
    #[command(flatten)]
    place: Place,
    /// Where to begin.
    #[arg(value_parser = address, required_unless_present_any = ["again", "explain"])]
    urls: Vec<Url>,
    #[command(flatten)]
    reach: Reach,
    #[command(flatten)]
    focus: FocusFlags,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    manners: Manners,
    /// Collect one work: all pages that the given page links to, each once, in its order, and the pages that continue them.
    #[arg(long, conflicts_with_all = ["topic", "again"])]
    work: bool,
    /// Write the work as one cleaned book: .txt, .md or .epub.
    #[arg(long, value_name = "FILE", requires = "work")]
    book: Option<PathBuf>,
    /// Clean the book by the default method, also where the archive has a model of the site.
    #[arg(long, requires = "book")]
    no_site_model: bool,
    /// Begin the crawl or go on with it, but if it is complete say so and end: without this it is begun anew.
    #[arg(long, conflicts_with = "again")]
    once: bool,
    /// Visit what is due again; no links are followed.
    #[arg(long, conflicts_with = "urls")]
    again: bool,
    /// Say why an address was visited, or not, and end.
    #[arg(long, value_name = "URL", value_parser = address)]
    explain: Option<Url>,
    /// The summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Which addresses belong to the crawl.
#[derive(clap::Args)]
#[command(next_help_heading = "Reach")]
struct Reach {
    /// How far the crawl reaches from where it begins.
    #[arg(long, value_enum, default_value_t = ScopeName::Host)]
    scope: ScopeName,
    /// At most so many links away from where it begins.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Only addresses like this (`*` stands for anything; a pattern that begins with / is matched with path and query).
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,
    /// No addresses like this.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Also what pages need to be shown: images, style sheets, scripts.
    #[arg(long)]
    requisites: bool,
    /// Also what sites list in their sitemaps and feeds.
    #[arg(long)]
    sitemaps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ScopeName {
    /// The same hosts.
    Host,
    /// All hosts of the same registered domains.
    Domain,
    /// The same folders.
    Prefix,
    /// The whole Web: only with a topic, a depth or a budget.
    Any,
}

/// What the crawl is about.
#[derive(clap::Args)]
#[command(next_help_heading = "Topic")]
struct FocusFlags {
    /// Collect about a topic: words, or a file with a text or a page about it.
    #[arg(long, value_name = "FILE|WORDS")]
    topic: Option<String>,
    /// A page on topic, to learn from.
    #[arg(long, value_name = "PAGE")]
    like: Vec<PathBuf>,
    /// A page off topic, to learn from.
    #[arg(long, value_name = "PAGE")]
    unlike: Vec<PathBuf>,
}

/// When the crawl ends, if it does not end by itself.
#[derive(clap::Args)]
#[command(next_help_heading = "Budget")]
struct Limits {
    /// At most so many pages.
    #[arg(long, value_name = "N")]
    max_pages: Option<u64>,
    /// At most so many megabytes.
    #[arg(long, value_name = "MB")]
    max_megabytes: Option<u64>,
    /// At most so many minutes.
    #[arg(long, value_name = "MINUTES")]
    max_minutes: Option<u64>,
}

/// How hosts are treated.
#[derive(clap::Args)]
#[command(next_help_heading = "Politeness")]
struct Manners {
    /// Seconds between two requests to a host.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    delay: f64,
    /// Requests at a time, over all hosts.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    connections: u16,
    /// Requests to one host at a time; with --delay 0 as many as --connections.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    per_host: Option<u16>,
    /// How the people whose pages are collected can reach you: an address for the User-Agent header.
    #[arg(long, value_name = "MAIL|URL", env = "KUAI_CONTACT")]
    contact: Option<String>,
    /// Do not ask for robots.txt, and follow links that ask not to be followed. Only for your own sites.
    #[arg(long)]
    ignore_robots: bool,
    /// Also private, loopback and link-local addresses: intranets and tests.
    #[arg(long)]
    allow_private: bool,
}

impl Collect {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        if let Some(url) = &self.explain {
            return explain(&read_frontiers(self.place.address()?)?, &canonical(url));
        }
        let plan = self.plan()?;
        if let Some(file) = self.book.as_ref().filter(|file| BookFormat::of_file(file).is_none()) {
            bail!("{}: a book is .txt, .md or .epub", file.display());
        }
        let name = self.kind().crawl_name(&self.urls, self.focus.topic.as_deref());
        let (archive, frontier) = open_crawl(self.place.address()?, &name)?;
        let web = Web::new(&self.fetch_options())?;
        let interrupt = Interrupt::watch();
        let mut view = CrawlView::new(quiet);
        let report = collect(&archive, &*frontier, &web, &plan, &mut |status| {
            view.show(status);
            !interrupt.is_raised()
        });
        view.finish();
        let report =
            report.context("the crawl could not go on; what was collected is kept, and the same command goes on")?;
        if self.json {
            anstream::println!("{}", summary_json(&report));
        } else if !quiet {
            anstream::print!("{}", summary(&report, &plan, &self.place.shown()));
        }
        if let Some(file) = &self.book {
            let models = SiteModels::beside(self.place.folder()?);
            let used = (!self.no_site_model).then_some(&models);
            write_book(&work_as_book(&archive, &*frontier, &self.urls[0], used)?, file, quiet)?;
            tell_drifts(&models);
        }
        // Whoever starts a crawl again until it succeeds must not do so for ever where nothing came of it.
        let is_in_vain = report.status.counts.of(kuai::Stage::Done) == 0 && report.end != End::Already;
        Ok(if is_in_vain { Outcome::Nothing } else { Outcome::Done })
    }

    fn kind(&self) -> CrawlKind {
        match (self.again, self.work) {
            (true, _) => CrawlKind::Again,
            (_, true) => CrawlKind::Work,
            _ => CrawlKind::Site,
        }
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let kind = self.kind();
        let topic = self.focus.topic()?;
        let is_bounded = topic.is_some() || self.reach.depth.is_some() || self.limits.is_bounded() || self.work;
        if self.reach.scope == ScopeName::Any && !is_bounded {
            bail!("--scope any has no end: give a --topic, a --depth or a budget such as --max-pages");
        }
        Ok(Plan {
            scope: self.reach.scope(&self.urls, kind),
            kind,
            topic,
            requisites: self.reach.requisites,
            sitemaps: self.reach.sitemaps,
            politeness: self.manners.politeness(),
            budget: self.limits.budget(),
            only_once: self.once,
            ..Plan::new(self.urls.clone())
        })
    }

    fn fetch_options(&self) -> FetchOptions {
        FetchOptions {
            contact: self.manners.contact.clone(),
            allow_private: self.manners.allow_private,
            ..FetchOptions::default()
        }
    }
}

impl Reach {
    fn scope(&self, seeds: &[Url], kind: CrawlKind) -> Scope {
        let name = match (self.scope, kind) {
            // What is due again was in scope when it was found.
            (_, CrawlKind::Again) | (ScopeName::Any, _) => ScopeKind::Any,
            (ScopeName::Host, _) => ScopeKind::Host,
            (ScopeName::Domain, _) => ScopeKind::Domain,
            (ScopeName::Prefix, _) => ScopeKind::Prefix,
        };
        let mut scope = Scope::new(name, seeds);
        scope.depth_max = self.depth;
        scope.include = self.include.clone();
        scope.exclude = self.exclude.clone();
        scope
    }
}

impl Limits {
    fn is_bounded(&self) -> bool {
        self.max_pages.is_some() || self.max_megabytes.is_some() || self.max_minutes.is_some()
    }

    fn budget(&self) -> Budget {
        Budget {
            pages: self.max_pages,
            bytes: self.max_megabytes.map(|megabytes| megabytes.saturating_mul(1_000_000)),
            time: self.max_minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
        }
    }
}

impl Manners {
    fn politeness(&self) -> Politeness {
        let connections = usize::from(self.connections);
        let per_host = self.per_host.map_or(if self.delay == 0.0 { connections } else { 1 }, usize::from);
        Politeness {
            delay: Duration::from_secs_f64(self.delay),
            connections,
            connections_per_host: per_host,
            obeys_robots: !self.ignore_robots,
            ..Politeness::default()
        }
    }
}

impl FocusFlags {
    fn topic(&self) -> anyhow::Result<Option<Topic>> {
        let Some(topic) = &self.topic else {
            if !self.like.is_empty() || !self.unlike.is_empty() {
                bail!("--like and --unlike teach a topic: name it with --topic");
            }
            return Ok(None);
        };
        let mut good = self.like.iter().map(|file| example(file)).collect::<anyhow::Result<Vec<_>>>()?;
        let bad = self.unlike.iter().map(|file| example(file)).collect::<anyhow::Result<Vec<_>>>()?;
        let file = Path::new(topic);
        good.insert(0, if file.is_file() { example(file)? } else { (topic.clone(), topic.clone()) });
        if good.len() == 1 && bad.is_empty() && !file.is_file() {
            return Ok(Some(Topic::from_words(topic)));
        }
        Ok(Some(Topic::from_examples(&examples(&good), &examples(&bad))))
    }
}

/// Writes a book into a file, in the form that its name asks for.
fn write_book(book: &Book, file: &Path, quiet: bool) -> anyhow::Result<()> {
    let format =
        BookFormat::of_file(file).with_context(|| format!("{}: a book is .txt, .md or .epub", file.display()))?;
    if book.chapters.is_empty() {
        bail!("{}: no chapter was collected, so there is no book", file.display());
    }
    let out = fs::File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    let mut out = std::io::BufWriter::new(out);
    kuai::write_book(book, format, &mut out)
        .and_then(|()| out.flush())
        .with_context(|| format!("cannot write {}", file.display()))?;
    if !quiet {
        anstream::println!(
            "{}: {} with {}",
            file.display(),
            book.title,
            counted(book.chapters.len() as u64, "chapter")
        );
    }
    Ok(())
}

fn examples(texts: &[(String, String)]) -> Vec<Example<'_>> {
    texts.iter().map(|(title, text)| Example { title, text }).collect()
}

/// The title and the text of a file to learn from: a page or plain text.
fn example(file: &Path) -> anyhow::Result<(String, String)> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let url = Url::parse("http://localhost/").expect("a valid address");
    let page = Page::read(&Capture::new(url, Timestamp::UNIX_EPOCH, bytes), &Default::default());
    if page.source().contains('<') {
        let text = page.text(page.span(), Default::default());
        return Ok((page.title().to_owned(), text));
    }
    Ok((String::new(), page.source().to_owned()))
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text:?} is no number of seconds"))?;
    if (0.0..=3600.0).contains(&seconds) { Ok(seconds) } else { Err("give 0 to 3600 seconds".to_owned()) }
}
