//! Which pages of a site can be reached from its start page, found without any of kuai's code: html5ever reads the files, and a queue
//! follows the links.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use typed_arena::Arena;
use url::Url;

use crate::arena::{self, Data};
use crate::local_web::{Found, Site, find};

/// What a crawl of a site from its start page has to find.
#[derive(Debug, Default)]
pub struct Reach {
    /// Every page that a reader reaches by links, by address, with its file. All of them must be collected.
    pub pages: BTreeMap<String, PathBuf>,
    /// Further addresses that something in these pages leads to: redirects, what is missing, what is no page, frames, style sheets.
    /// They may be collected.
    pub others: BTreeSet<String>,
}

impl Reach {
    /// Walks a site that is served on `port`.
    pub fn of(site: &Site, port: u16) -> Reach {
        let start = Url::parse(&site.start_url(port)).expect("the address of a site is one");
        let mut walk = Walk { reach: Reach::default(), readers: VecDeque::from([start]), programs: VecDeque::new() };
        // What readers reach comes first, so that an address is never taken for a program's alone.
        while let Some(url) = walk.readers.pop_front() {
            walk.visit(site, url, true);
        }
        while let Some(url) = walk.programs.pop_front() {
            walk.visit(site, url, false);
        }
        walk.reach
    }

    /// Whether an address may be in the archive.
    pub fn contains(&self, url: &str) -> bool {
        self.pages.contains_key(url) || self.others.contains(url)
    }
}

struct Walk {
    reach: Reach,
    /// Addresses that a reader gets to: `<a>`, `<area>`, a refresh, a redirect.
    readers: VecDeque<Url>,
    /// Addresses that only programs fetch or follow: frames, pictures, style sheets, links marked `nofollow`.
    programs: VecDeque<Url>,
}

impl Walk {
    fn visit(&mut self, site: &Site, url: Url, is_readers: bool) {
        if self.reach.contains(url.as_str()) {
            return;
        }
        match find(site, url.path()) {
            Found::File(file, _) if is_page(&file) => {
                for link in links(&url, &file) {
                    let queue = if is_readers && link.is_readers { &mut self.readers } else { &mut self.programs };
                    queue.push_back(link.url);
                }
                if is_readers {
                    self.reach.pages.insert(url.into(), file);
                } else {
                    self.reach.others.insert(url.into());
                }
            }
            Found::Folder => {
                let mut target = url.clone();
                target.set_path(&format!("{}/", url.path()));
                target.set_query(None);
                self.reach.others.insert(url.into());
                if is_readers { self.readers.push_back(target) } else { self.programs.push_back(target) }
            }
            Found::File(..) | Found::Nothing => {
                self.reach.others.insert(url.into());
            }
        }
    }
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "html" || ending == "htm")
}

struct Link {
    url: Url,
    is_readers: bool,
}

/// The links of a page that stay on its site.
fn links(page: &Url, file: &Path) -> Vec<Link> {
    let bytes = fs::read(file).unwrap_or_default();
    let source = String::from_utf8_lossy(&bytes);
    let arena = Arena::new();
    let mut reading = Reading { base: page.clone(), found: Vec::new() };
    let mut nodes = vec![arena::parse(&source, false, &arena)];
    while let Some(node) = nodes.pop() {
        if let Data::Element { name, attributes, .. } = &node.data {
            let attributes = attributes.borrow();
            let value = |wanted: &str| {
                attributes
                    .iter()
                    .find(|attribute| &*attribute.name.local == wanted)
                    .map(|found| found.value.to_string())
            };
            reading.element(&name.local, &value);
        }
        // The children are read before what follows, since a base holds for what comes after it.
        nodes.extend(node.next.get());
        nodes.extend(node.first_child.get());
    }
    reading.found.retain(|link| link.url.origin() == page.origin());
    reading.found
}

struct Reading {
    base: Url,
    found: Vec<Link>,
}

impl Reading {
    fn element(&mut self, name: &str, value: &dyn Fn(&str) -> Option<String>) {
        match name {
            "base" => {
                if let Some(base) = value("href").and_then(|href| self.base.join(&href).ok()) {
                    self.base = base;
                }
            }
            "a" | "area" => {
                let is_marked = value("rel").is_some_and(|rel| rel.split_whitespace().any(|word| word == "nofollow"));
                self.add(value("href"), !is_marked);
            }
            "meta" if value("http-equiv").is_some_and(|kind| kind.eq_ignore_ascii_case("refresh")) => {
                self.add(value("content").and_then(|content| refresh_target(&content)), true);
            }
            _ => {
                for attribute in ["href", "src", "data", "poster"] {
                    self.add(value(attribute), false);
                }
            }
        }
    }

    fn add(&mut self, href: Option<String>, is_readers: bool) {
        let Some(mut url) = href.and_then(|href| self.base.join(&href).ok()) else { return };
        url.set_fragment(None);
        self.found.push(Link { url, is_readers });
    }
}

/// The address in `0; URL=other.html`.
fn refresh_target(content: &str) -> Option<String> {
    let (_, target) = content.split_once([';', ','])?;
    let (name, target) = target.split_once('=')?;
    name.trim().eq_ignore_ascii_case("url").then(|| target.trim().trim_matches(['"', '\'']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_reached_by_links_redirects_and_refreshes() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("part")).unwrap();
        write(
            "index.html",
            "<a href=part>p</a><a href=gone.html#x>g</a><img src=a.png><iframe src=frame.html></iframe>",
        );
        write("part/index.html", "<base href=../><a href='moved.html'>m</a><a href=http://example.org/>out</a>");
        write("moved.html", "<meta http-equiv=refresh content='0; url=\"there.html\"'>");
        write("there.html", "<a rel=nofollow href=hidden.html>h</a>");
        write("hidden.html", "");
        write("frame.html", "<a href=framed.html>f</a>");
        write("framed.html", "");
        write("alone.html", "");
        let site = Site::of_folder("test", folder.path(), 0).unwrap();
        let reach = Reach::of(&site, 80);
        let names = |urls: Vec<&String>| urls.iter().map(|url| url["http://127.0.0.101/".len()..].to_owned()).collect();
        let pages: Vec<String> = names(reach.pages.keys().collect());
        let others: Vec<String> = names(reach.others.iter().collect());
        assert_eq!(pages, ["index.html", "moved.html", "part/", "there.html"]);
        assert_eq!(others, ["a.png", "frame.html", "framed.html", "gone.html", "hidden.html", "part"]);
    }
}
