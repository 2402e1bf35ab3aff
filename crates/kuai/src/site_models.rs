//! The site models beside an archive: a file a host, used for its pages, and watched for whether they still fit.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, fs, io};

use kuai_page::Page;
use kuai_segment::{Cleaned, Misfit, SiteModel};

/// The folder of the models, beside the archive's own files.
const FOLDER: &str = "sites";
/// What the name of a model's file ends with, behind the host.
const ENDING: &str = ".json";
/// Pages of a site that are looked back on.
const RECENT_PAGES: usize = 20;
/// Fewer pages say nothing about a site.
const DRIFT_PAGES_MIN: usize = 5;
/// A site whose recent pages fit less often has changed.
const FITTING_SHARE_MIN: f64 = 0.7;

/// The site models beside an archive.
pub struct SiteModels {
    folder: PathBuf,
    sites: Mutex<HashMap<String, Site>>,
}

/// What is known about a site.
#[derive(Default)]
struct Site {
    model: Option<Arc<SiteModel>>,
    watch: FitWatch,
}

impl SiteModels {
    /// The models beside the archive in a folder; none need be there.
    pub fn beside(archive: &Path) -> SiteModels {
        SiteModels { folder: archive.join(FOLDER), sites: Mutex::default() }
    }

    /// Keeps a model for a host's pages, instead of what was there.
    pub fn keep(&self, host: &str, model: &SiteModel) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let file = self.file(host);
        let unfinished = file.with_extension("json.tmp");
        fs::write(&unfinished, model.to_json())?;
        fs::rename(&unfinished, &file)
    }

    /// The hosts that have a model, sorted.
    pub fn hosts(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut hosts: Vec<String> = names.filter_map(|name| name.strip_suffix(ENDING).map(str::to_owned)).collect();
        hosts.sort_unstable();
        Ok(hosts)
    }

    /// Forgets the model of a host; whether there was one.
    pub fn remove(&self, host: &str) -> io::Result<bool> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner).remove(host);
        match fs::remove_file(self.file(host)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true),
        }
    }

    /// Cleans a page by the model of its host; `None` where the host has none.
    pub fn clean(&self, page: &Page) -> io::Result<Option<Result<Cleaned, Misfit>>> {
        let Some((url, host)) = page.url().and_then(|url| Some((url, url.host_str()?))) else { return Ok(None) };
        let Some(model) = self.model(host)? else { return Ok(None) };
        let cleaned = model.clean(page);
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        sites.entry(host.to_owned()).or_default().watch.note(url.as_str(), cleaned.as_ref().err());
        Ok(Some(cleaned))
    }

    /// The sites whose recent pages no longer fit, each with what to do about it.
    pub fn drifts(&self) -> Vec<(String, Drift)> {
        let sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let mut drifts: Vec<_> =
            sites.iter().filter_map(|(host, site)| Some((host.clone(), site.watch.drift()?))).collect();
        drifts.sort_by(|one, other| one.0.cmp(&other.0));
        drifts
    }

    /// The model of a host, read on first use.
    fn model(&self, host: &str) -> io::Result<Option<Arc<SiteModel>>> {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = sites.get(host) {
            return Ok(site.model.clone());
        }
        let file = self.file(host);
        let model = match fs::read_to_string(&file) {
            Ok(text) => {
                let broken = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", file.display()));
                Some(Arc::new(SiteModel::from_json(&text).map_err(broken)?))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        sites.insert(host.to_owned(), Site { model: model.clone(), ..Site::default() });
        Ok(model)
    }

    fn file(&self, host: &str) -> PathBuf {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() || ".-".contains(letter) { letter } else { '_' };
        let name: String = host.chars().map(plain).collect();
        self.folder.join(format!("{name}{ENDING}"))
    }
}

/// Watches whether the pages of a site go on fitting its model.
#[derive(Clone, Debug, Default)]
pub struct FitWatch {
    /// Of the recent pages, oldest first: whether it fits.
    recent: VecDeque<bool>,
    /// The last page that did not.
    misfit: Option<(String, Misfit)>,
}

/// A site that has changed since it was learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// Of so many recent pages
    pub page_count: usize,
    /// so many do not fit,
    pub misfit_count: usize,
    /// as this one, which could teach it anew,
    pub example: String,
    /// for this reason.
    pub reason: Misfit,
}

impl FitWatch {
    /// Notes a page, and why it does not fit, if it does not.
    pub fn note(&mut self, page: &str, misfit: Option<&Misfit>) {
        if self.recent.len() == RECENT_PAGES {
            self.recent.pop_front();
        }
        self.recent.push_back(misfit.is_none());
        if let Some(misfit) = misfit {
            self.misfit = Some((page.to_owned(), misfit.clone()));
        }
    }

    /// Whether the recent pages fit less often than those of a site do that stayed as it was.
    pub fn drift(&self) -> Option<Drift> {
        let misfit_count = self.recent.iter().filter(|fits| !**fits).count();
        let fitting = (self.recent.len() - misfit_count) as f64;
        let is_drift = self.recent.len() >= DRIFT_PAGES_MIN && fitting < FITTING_SHARE_MIN * self.recent.len() as f64;
        let (example, reason) = self.misfit.clone().filter(|_| is_drift)?;
        Some(Drift { page_count: self.recent.len(), misfit_count, example, reason })
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drift { page_count, misfit_count, example, reason } = self;
        write!(
            out,
            "the site may have changed: {misfit_count} of the last {page_count} pages do not fit its model; teach it again, \
             for example with {example} ({reason})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuai_page::{Limits, Url};
    use kuai_segment::Example;

    fn page(url: &str, text: &str) -> Page {
        let body = format!(
            "<ul class=menu><li>Home<li>Poems of old</ul><div class=poem><p>{text}</div><p class=foot>Since 1998"
        );
        Page::from_bytes(body.as_bytes(), Some(&Url::parse(url).expect("an address")), None, &Limits::default())
    }

    #[test]
    fn a_model_is_kept_for_its_host_and_used_for_its_pages_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let shown = page("https://poems.example/1", "The moon is far away tonight, they say.");
        let learnt = SiteModel::learn(&[Example { page: &shown, answer: "The moon is far away tonight, they say." }]);
        let model = learnt.expect("it can be learnt").model;
        SiteModels::beside(folder.path()).keep("poems.example", &model).expect("it can be kept");

        let models = SiteModels::beside(folder.path());
        let cleaned =
            models.clean(&page("https://poems.example/2", "Rain all day long on the roof.")).expect("it is read");
        assert_eq!(cleaned.expect("there is a model").expect("it fits").text, "Rain all day long on the roof.");
        assert!(models.clean(&page("https://other.example/2", "Rain.")).expect("nothing is read").is_none());
        assert_eq!(models.hosts().expect("they are listed"), ["poems.example"]);
        assert!(models.remove("poems.example").expect("it is removed"));
        assert!(!models.remove("poems.example").expect("nothing is there"));
        assert!(models.hosts().expect("they are listed").is_empty());
        assert!(models.clean(&page("https://poems.example/2", "Rain.")).expect("nothing is read").is_none());
    }

    #[test]
    fn a_site_drifts_when_too_few_of_its_recent_pages_fit() {
        let mut watch = FitWatch::default();
        (0..30).for_each(|_| watch.note("fits", None));
        (0..6).for_each(|_| watch.note("odd", Some(&Misfit::NoText)));
        assert_eq!(watch.drift(), None);
        watch.note("odder", Some(&Misfit::NoText));
        let drift = watch.drift().expect("7 of 20 do not fit");
        assert_eq!((drift.misfit_count, drift.page_count, drift.example.as_str()), (7, 20, "odder"));
        (0..14).for_each(|_| watch.note("fits", None));
        assert_eq!(watch.drift(), None);
    }
}
