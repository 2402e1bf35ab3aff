//! A site of the sample web: one file that says which lines of which pages are there when.
//!
//! The file begins with `host NAME` and `advert TEXT` lines, goes on with the frame of all pages, `{title}` and `{body}` in it, and then has
//! a page after each `=== PATH | TITLE | LIFE`. A line that begins with a [`Life`] in braces is there only then. `{token}`, `{visitor}`, `{advert}`,
//! `{today}` and `{year}` stand for what a real site would put there, which is something else at every visit.

use kuai_page::Timestamp;

use crate::life::Life;

/// What the sites ask of crawlers.
const ROBOTS: &str = "User-agent: *\nDisallow: /login\nDisallow: /search\n";
/// What stands where no page is.
const MISSING: &str = "<h1>Not found 找不到</h1>\n<p>There is no page here, or there is none any more. 您要找的页面不存在，或已被移走。</p>\n";

/// A site.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) host: &'static str,
    adverts: Vec<&'static str>,
    frame: Vec<Line>,
    pages: Vec<Page>,
}

#[derive(Debug)]
struct Page {
    path: &'static str,
    title: &'static str,
    life: Life,
    lines: Vec<Line>,
}

/// A line, and when it is there.
#[derive(Clone, Copy, Debug)]
struct Line {
    life: Life,
    text: &'static str,
}

/// What a site answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

impl Site {
    pub(crate) fn read(file: &'static str) -> Site {
        let mut parts = file.split("\n=== ");
        let (host, adverts, frame) = read_head(parts.next().unwrap_or_default());
        Site { host, adverts, frame, pages: parts.map(Page::read).collect() }
    }

    /// What the site answers at a moment; the same for the same question.
    pub(crate) fn answer(&self, path: &str, moment: Timestamp) -> Answer {
        if path == "/robots.txt" {
            return Answer { status: 200, content_type: "text/plain", body: ROBOTS.to_owned() };
        }
        let page = self.pages.iter().find(|page| page.path == path && page.life.holds(moment));
        let (status, title, body) = match page {
            Some(page) => (200, page.title, alive(&page.lines, moment)),
            None => (404, "Not found", MISSING.to_owned()),
        };
        let content_type = content_type(path);
        if status == 200 && content_type != HTML {
            return Answer { status, content_type, body };
        }
        let framed = alive(&self.frame, moment).replace("{title}", title).replace("{body}\n", &body);
        Answer { status, content_type: HTML, body: self.fill(&framed, path, moment) }
    }

    /// Puts in what is something else at every visit.
    fn fill(&self, text: &str, path: &str, moment: Timestamp) -> String {
        let today = moment.to_string();
        let luck = luck(&[self.host, path, &today]);
        let advert = self.adverts.get(luck as usize % self.adverts.len().max(1)).copied().unwrap_or_default();
        text.replace("{token}", &format!("{luck:016x}"))
            .replace("{visitor}", &(luck % 9_000 + 100).to_string())
            .replace("{advert}", advert)
            .replace("{today}", today.get(..10).unwrap_or_default())
            .replace("{year}", today.get(..4).unwrap_or_default())
    }
}

impl Page {
    fn read(text: &'static str) -> Page {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let mut fields = head.split(" | ").map(str::trim);
        let path = fields.next().unwrap_or_default();
        let title = fields.next().unwrap_or_default();
        let life = fields.next().and_then(Life::read).unwrap_or_default();
        Page { path, title, life, lines: body.lines().map(Line::read).collect() }
    }
}

impl Line {
    fn read(text: &'static str) -> Line {
        let marked = text.strip_prefix('{').and_then(|rest| rest.split_once("} "));
        let marked = marked.and_then(|(life, text)| Some(Line { life: Life::read(life)?, text }));
        marked.unwrap_or(Line { life: Life::default(), text })
    }
}

const HTML: &str = "text/html; charset=utf-8";

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "css")) => "text/css",
        Some((_, "svg")) => "image/svg+xml",
        _ => HTML,
    }
}

/// The host, the adverts and the frame.
fn read_head(head: &'static str) -> (&'static str, Vec<&'static str>, Vec<Line>) {
    let host = head.lines().find_map(|line| line.strip_prefix("host ")).unwrap_or_default();
    let adverts = head.lines().filter_map(|line| line.strip_prefix("advert ")).collect();
    let frame = head.lines().filter(|line| !line.starts_with("host ") && !line.starts_with("advert "));
    (host, adverts, frame.map(Line::read).collect())
}

/// The lines that are there at a moment.
fn alive(lines: &[Line], moment: Timestamp) -> String {
    lines.iter().filter(|line| line.life.holds(moment)).flat_map(|line| [line.text, "\n"]).collect()
}

/// A number that looks like chance and is the same for the same words (FNV-1a, stirred once).
fn luck(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    let hash =
        bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
    (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "host a.example\nadvert Buy\n<title>{title}</title>\n{2025-02..} <p>new</p>\n{body}\n<i>{token}</i>
=== / | Home\n<p>always</p>\n{..2025-02} <p>{advert}</p>\n=== /gone | Gone | ..2025-02\n<p>here</p>\n=== /a.css\nb { c: d }";

    fn at(path: &str, day: &str) -> Answer {
        Site::read(FILE).answer(path, format!("{day}T09:00:00Z").parse().unwrap())
    }

    #[test]
    fn lines_and_pages_come_and_go() {
        let (before, after) = (at("/", "2025-01-01"), at("/", "2025-02-01"));
        assert!(before.body.starts_with("<title>Home</title>\n<p>always</p>\n<p>Buy</p>\n<i>"), "{}", before.body);
        assert!(after.body.starts_with("<title>Home</title>\n<p>new</p>\n<p>always</p>\n<i>"), "{}", after.body);
        assert_eq!((at("/gone", "2025-01-01").status, at("/gone", "2025-02-01").status), (200, 404));
        assert_eq!(at("/a.css", "2025-01-01").body, "b { c: d }\n");
    }

    #[test]
    fn tokens_are_others_at_every_visit_and_the_same_for_the_same() {
        assert_eq!(at("/", "2025-01-01"), at("/", "2025-01-01"));
        let token = |answer: Answer| answer.body.split_once("<i>").unwrap().1.to_owned();
        assert_ne!(token(at("/", "2025-01-01")), token(at("/", "2025-01-02")));
    }
}
