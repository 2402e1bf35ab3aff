//! Site models (WLES): learns from one page and its clean text how to clean every page of the site.
//!
//! A model knows the places of a page in which content stands and those in which noise does ([`areas`]); where both stand in one,
//! it knows what stands before and after paragraphs, as the paper has it ([`paragraphs`]), and the phrases that a site puts into its text
//! ([`phrases`]). Where the examples tell nothing, the default method is asked. A page that is not of the examples' kind is
//! refused with the reason: it is never emptied or half cut.
//!
//! docs/site-models.md says all this for people, with figures.

mod align;
mod areas;
mod clean;
mod file;
mod learn;
mod opinion;
mod paragraphs;
mod phrases;
mod propose;
mod reading;
mod shape;
mod template;
mod text_block;

use std::fmt;

use kuai_page::Page;

pub use clean::{Cleaned, Misfit};
pub use file::ModelFileError;
pub use learn::said_blocks;
pub use propose::proposed_answers;
use template::Template;

/// A model that judges less of its own examples right tells nothing about other pages.
const RIGHTNESS_MIN: f64 = 0.8;

/// A page and its clean text, as somebody copied it out of a browser.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The page.
    pub page: &'a Page,
    /// Its clean text, a paragraph a line.
    pub answer: &'a str,
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The model.
    pub model: SiteModel,
    /// How well each answer was found in its page.
    pub found: Vec<Found>,
}

/// How well an answer was found in its page.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The share of its words.
    pub share: f64,
    /// Its paragraphs of which not even half was found.
    pub missing: Vec<String>,
}

/// Why nothing was learnt; examples count from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LearnError {
    /// There is no example.
    NoExample,
    /// The answer has no words.
    EmptyAnswer {
        /// Of which example.
        example: usize,
    },
    /// The page shows no text.
    EmptyPage {
        /// Of which example.
        example: usize,
    },
    /// The answer is not in the page.
    NotFound {
        /// Of which example.
        example: usize,
        /// The share of its words that is.
        share: f64,
    },
    /// Content and noise of the examples stand in the same places.
    NotTold {
        /// How right a model of them would judge their own text (F1 of words).
        rightness: f64,
    },
}

impl fmt::Display for LearnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: &f64| (share * 100.0).round();
        match self {
            LearnError::NoExample => write!(out, "there is no example to learn from"),
            LearnError::EmptyAnswer { .. } => write!(out, "the answer has no words"),
            LearnError::EmptyPage { .. } => write!(out, "the page shows no text"),
            LearnError::NotFound { share, .. } => {
                write!(out, "the answer is not this page's text: {} % of its words are in the page", percent(share))
            }
            LearnError::NotTold { rightness } => write!(
                out,
                "what the answer keeps and what it leaves out stand in the same places of the page: a model would get {} % right",
                percent(rightness)
            ),
        }
    }
}

impl std::error::Error for LearnError {}

/// What is known about a site's pages.
#[derive(Clone, Debug)]
pub struct SiteModel {
    /// The site, where it is known: a host.
    pub site: Option<String>,
    /// What it was learnt on.
    pub lessons: Vec<Lesson>,
    /// One for each kind of page.
    templates: Vec<Template>,
}

/// An example that a model was learnt on.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The page's address, where it has one.
    pub url: Option<String>,
    /// The page's title.
    pub title: String,
    /// How much of the answer was found in the page, from 0 to 1.
    pub found: f64,
    /// Which of the model's templates it belongs to, from 0.
    pub template: usize,
}

impl SiteModel {
    /// Learns from examples; pages of different kinds make templates of their own.
    ///
    /// ```
    /// use kuai_page::Page;
    /// use kuai_segment::{Example, SiteModel};
    ///
    /// let page = |text: &str| {
    ///     Page::from_html(&format!("<ul class=menu><li>Home<li>Poems</ul><div class=poem>{text}</div><p class=foot>Since 1998"))
    /// };
    /// let page_shown = page("<p>The moon is far away tonight,<p>and nobody knows why.");
    /// let answer = "The moon is far away tonight,\nand nobody knows why.";
    /// let learnt = SiteModel::learn(&[Example { page: &page_shown, answer }])?;
    ///
    /// let other = page("<p>Rain all day long on the roof<p>and in the gutters.");
    /// assert_eq!(learnt.model.clean(&other)?.text, "Rain all day long on the roof\n\nand in the gutters.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(examples: &[Example<'_>]) -> Result<Learnt, LearnError> {
        let mut groups: Vec<Group> = Vec::new();
        for (index, example) in examples.iter().enumerate() {
            match groups.iter_mut().find(|group| group.template.judge(example.page).fit(&group.template).is_ok()) {
                Some(group) => group.add(examples, index)?,
                None => groups.push(Group::new(examples, index)?),
            }
        }
        if let Some(group) = groups.iter().find(|group| group.rightness < RIGHTNESS_MIN) {
            return Err(LearnError::NotTold { rightness: group.rightness });
        }
        if groups.is_empty() {
            return Err(LearnError::NoExample);
        }
        Ok(Learnt::of(examples, groups))
    }

    /// How many kinds of pages it knows.
    pub fn template_count(&self) -> usize {
        self.templates.len()
    }

    /// The page without its noise, by the template that it fits best, or why it fits none.
    pub fn clean(&self, page: &Page) -> Result<Cleaned, Misfit> {
        let cleaned = self.templates.iter().map(|template| template.clean(page));
        let best = cleaned.reduce(|best, other| if fit_of(&other) > fit_of(&best) { other } else { best });
        best.unwrap_or(Err(Misfit::NoText))
    }
}

/// How well a page fits; what fits goes before what does not.
fn fit_of(cleaned: &Result<Cleaned, Misfit>) -> f64 {
    match cleaned {
        Ok(cleaned) => 1.0 + cleaned.fit,
        Err(misfit) => misfit.fit(),
    }
}

/// Examples of one kind, and what they teach.
struct Group {
    /// Their places among all.
    members: Vec<usize>,
    found: Vec<Found>,
    template: Template,
    rightness: f64,
}

impl Group {
    fn new(examples: &[Example<'_>], member: usize) -> Result<Group, LearnError> {
        Group::of(examples, vec![member])
    }

    fn add(&mut self, examples: &[Example<'_>], member: usize) -> Result<(), LearnError> {
        let members = self.members.iter().copied().chain([member]).collect();
        *self = Group::of(examples, members)?;
        Ok(())
    }

    fn of(examples: &[Example<'_>], members: Vec<usize>) -> Result<Group, LearnError> {
        let chosen: Vec<Example<'_>> = members.iter().map(|&member| examples[member]).collect();
        let (template, rightness, found) =
            learn::learn(&chosen).map_err(|error| error.of_example(|member| members[member]))?;
        Ok(Group { members, found, template, rightness })
    }
}

impl LearnError {
    /// The same, of an example that is counted otherwise.
    fn of_example(mut self, renumber: impl Fn(usize) -> usize) -> LearnError {
        match &mut self {
            LearnError::EmptyAnswer { example }
            | LearnError::EmptyPage { example }
            | LearnError::NotFound { example, .. } => *example = renumber(*example),
            LearnError::NoExample | LearnError::NotTold { .. } => {}
        }
        self
    }
}

impl Learnt {
    fn of(examples: &[Example<'_>], groups: Vec<Group>) -> Learnt {
        let mut told: Vec<(usize, Found, usize)> = Vec::new();
        for (template, group) in groups.iter().enumerate() {
            told.extend(
                group.members.iter().zip(&group.found).map(|(&member, found)| (member, found.clone(), template)),
            );
        }
        told.sort_by_key(|(member, ..)| *member);
        let lesson = |(member, found, template): &(usize, Found, usize)| Lesson {
            url: examples[*member].page.url().map(ToString::to_string),
            title: examples[*member].page.title().to_owned(),
            found: found.share,
            template: *template,
        };
        let lessons: Vec<Lesson> = told.iter().map(lesson).collect();
        let host = |example: &Example<'_>| example.page.url().and_then(|url| url.host_str().map(str::to_owned));
        let model = SiteModel {
            site: examples.iter().find_map(host),
            lessons,
            templates: groups.into_iter().map(|group| group.template).collect(),
        };
        Learnt { model, found: told.into_iter().map(|(_, found, _)| found).collect() }
    }
}
