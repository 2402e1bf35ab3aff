//! `kuai learn`: a model of a site from pages and their clean text.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use kuai::SiteModels;
use kuai_page::{Page, Url, decode};
use kuai_segment::{Example, Found, LearnError, Learnt, SiteModel, proposed_answers};

use crate::Outcome;
use crate::input::Source;
use crate::json::LearnJson;
use crate::pages::json_line;
use crate::place::Place;
use crate::wording::counted;

/// Pages that --auto looks at.
const AUTO_PAGES_MAX: usize = 200;
/// Missing paragraphs that are shown.
const MISSING_SHOWN: usize = 5;
/// Characters shown of each.
const MISSING_CHARACTERS: usize = 60;

/// Learn a site's shape from a page and its clean text.
#[derive(clap::Args)]
#[command(after_help = "\
An answer is a text file with what a reader would copy out of the browser: a paragraph a line, white space and quotes as they come.
Pages of different kinds are told apart, and the model serves all of them.

Examples:
  kuai learn chapter1.html chapter1.txt -o site.json
  kuai learn a.html a.txt b.html b.txt -o site.json           several examples
  kuai learn chapter1.html chapter1.txt --site books.example  keep it in the archive, for extract and collect --work
  kuai learn --auto pages/*.html --answers proposed/ -o site.json
                                                              let kuai propose the answers; look at them, edit them, teach them")]
pub(crate) struct Learn {
    /// Pages, each followed by the file of its clean text; with --auto pages only.
    #[arg(value_name = "PAGE ANSWER", required = true)]
    files: Vec<String>,
    /// Where to write the model.
    #[arg(long, short, value_name = "MODEL", required_unless_present = "site")]
    output: Option<PathBuf>,
    /// Keep the model in the archive, for the pages of this host.
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    #[command(flatten)]
    place: Place,
    /// No answers are given: the default method proposes them, without the lines that the pages share.
    #[arg(long)]
    auto: bool,
    /// With --auto: write the proposed answers into this folder, to be confirmed or edited.
    #[arg(long, value_name = "DIR", requires = "auto")]
    answers: Option<PathBuf>,
    /// What was learnt, as one JSON document.
    #[arg(long)]
    json: bool,
}

/// A page to learn from.
struct Lesson {
    place: String,
    page: Page,
    answer: String,
    /// How the answer was read, for messages.
    answer_name: String,
}

impl Learn {
    pub(crate) fn run(self, quiet: bool) -> anyhow::Result<Outcome> {
        let lessons = if self.auto { self.proposed()? } else { self.given()? };
        if lessons.is_empty() {
            bail!("the default method finds no text on any of the pages: give answers instead of --auto");
        }
        let examples: Vec<Example<'_>> =
            lessons.iter().map(|lesson| Example { page: &lesson.page, answer: &lesson.answer }).collect();
        let learnt = SiteModel::learn(&examples).map_err(|error| named(error, &lessons))?;
        let written = self.write(&learnt.model)?;
        if self.json {
            anstream::println!("{}", json_line(&LearnJson::new(written, &learnt, places(&lessons))));
        } else if !quiet {
            anstream::print!("{}", told(&written, &learnt, &lessons));
        }
        Ok(Outcome::Done)
    }

    /// Pages with the answers that somebody gave.
    fn given(&self) -> anyhow::Result<Vec<Lesson>> {
        if !self.files.len().is_multiple_of(2) {
            bail!("each page is followed by its answer: PAGE ANSWER [PAGE ANSWER]…, or give --auto");
        }
        self.files.chunks(2).map(|pair| given_lesson(&pair[0], &pair[1])).collect()
    }

    /// Pages with the answers that the default method proposes; those without a text are left out.
    fn proposed(&self) -> anyhow::Result<Vec<Lesson>> {
        if self.files.len() > AUTO_PAGES_MAX {
            bail!("--auto takes at most {AUTO_PAGES_MAX} pages: a few of each kind are enough");
        }
        let read = |place: &String| -> anyhow::Result<(String, Page)> { Ok((place.clone(), read_page(place)?)) };
        let pages = self.files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        let answers = proposed_answers(&pages.iter().map(|(_, page)| page).collect::<Vec<_>>());
        let lesson =
            |((place, page), answer)| Lesson { place, page, answer, answer_name: "the proposed answer".to_owned() };
        let lessons: Vec<Lesson> =
            pages.into_iter().zip(answers).map(lesson).filter(|lesson| !lesson.answer.is_empty()).collect();
        if let Some(folder) = &self.answers {
            write_answers(folder, &lessons)?;
        }
        Ok(lessons)
    }

    /// Writes the model where it was asked for; gives the file or the host that it is known by.
    fn write(&self, model: &SiteModel) -> anyhow::Result<Vec<String>> {
        let mut written = Vec::new();
        if let Some(file) = &self.output {
            fs::write(file, model.to_json()).with_context(|| format!("cannot write {}", file.display()))?;
            written.push(file.display().to_string());
        }
        if let Some(host) = &self.site {
            let host = known_host(host)?;
            let folder = self.place.folder()?;
            let mut model = model.clone();
            model.site = Some(host.clone());
            let kept = SiteModels::beside(folder).keep(&host, &model);
            kept.with_context(|| format!("cannot keep the model in {}", folder.display()))?;
            written.push(host);
        }
        Ok(written)
    }
}

fn places(lessons: &[Lesson]) -> impl Iterator<Item = &str> {
    lessons.iter().map(|lesson| lesson.place.as_str())
}

/// A host as addresses have it.
fn known_host(host: &str) -> anyhow::Result<String> {
    let url = Url::parse(&format!("http://{host}/")).ok();
    let is_host = url.as_ref().is_some_and(|url| url.path() == "/" && url.username().is_empty());
    let host_name = url.filter(|_| is_host).and_then(|url| url.host_str().map(str::to_owned));
    host_name.with_context(|| format!("{host} is no host; write it like books.example"))
}

fn read_page(place: &str) -> anyhow::Result<Page> {
    Ok(Source::new(place, None)?.read()?.plain())
}

fn given_lesson(page: &str, answer: &str) -> anyhow::Result<Lesson> {
    let (text, answer_name) = read_answer(answer)?;
    Ok(Lesson { place: page.to_owned(), page: read_page(page)?, answer: text, answer_name })
}

/// The text of an answer, in whichever charset, and how to name it.
fn read_answer(place: &str) -> anyhow::Result<(String, String)> {
    let mut bytes = Vec::new();
    if place == "-" {
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = fs::read(place).with_context(|| format!("cannot read {place}"))?;
    }
    // A page has to name its charset; of a text everybody expects UTF-8.
    let charset = std::str::from_utf8(&bytes).is_ok().then_some("utf-8");
    let decoded = decode(&bytes, charset);
    if decoded.binary {
        bail!("{place} is no text: an answer is the clean text of its page");
    }
    if decoded.text.trim().is_empty() {
        bail!("{place} is empty: an answer is the clean text of its page");
    }
    let name = match decoded.encoding.name() {
        "UTF-8" => place.to_owned(),
        charset => format!("{place} (read as {charset}; save it as UTF-8 if that is wrong)"),
    };
    Ok((decoded.text, name))
}

/// Proposed answers beside one another, named for their pages.
fn write_answers(folder: &Path, lessons: &[Lesson]) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (index, lesson) in lessons.iter().enumerate() {
        let stem =
            Path::new(&lesson.place).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let file = folder.join(format!("{:03}-{stem}.txt", index + 1));
        fs::write(&file, format!("{}\n", lesson.answer)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// An error with the files that it speaks of.
fn named(error: LearnError, lessons: &[Lesson]) -> anyhow::Error {
    let lesson = match &error {
        LearnError::EmptyAnswer { example } | LearnError::NotFound { example, .. } => {
            lessons.get(*example).map(|lesson| format!("{} and {}", lesson.place, lesson.answer_name))
        }
        LearnError::EmptyPage { example } => lessons.get(*example).map(|lesson| lesson.place.clone()),
        _ => None,
    };
    let nothing = "no model was written";
    match lesson {
        Some(lesson) => anyhow!("{lesson}: {error}; {nothing}"),
        None => anyhow!("{error}; {nothing}"),
    }
}

fn told(written: &[String], learnt: &Learnt, lessons: &[Lesson]) -> String {
    let mut text = String::new();
    for (place, found) in places(lessons).zip(&learnt.found) {
        tell_found(&mut text, place, found);
    }
    let kinds = counted(learnt.model.template_count() as u64, "kind");
    for name in written {
        let _ = writeln!(text, "{name}: {kinds} of pages, learnt from {}", counted(lessons.len() as u64, "page"));
    }
    text
}

fn tell_found(text: &mut String, place: &str, found: &Found) {
    let _ = writeln!(text, "{place}: {:.0} % of the answer found", found.share * 100.0);
    for paragraph in found.missing.iter().take(MISSING_SHOWN) {
        let shown: String = paragraph.chars().take(MISSING_CHARACTERS).collect();
        let more = if shown.len() < paragraph.len() { "…" } else { "" };
        let _ = writeln!(text, "  not in the page: {shown}{more}");
    }
    if let Some(more @ 1..) = found.missing.len().checked_sub(MISSING_SHOWN) {
        let _ = writeln!(text, "  and {} more", counted(more as u64, "paragraph"));
    }
}
