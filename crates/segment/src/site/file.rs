//! The file of a site model: JSON that people can read, an area or a context a line, with the version of its form.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::areas::{Area, Areas, Words};
use super::paragraphs::{Context, MARKS_MAX, Paragraphs};
use super::phrases::Phrases;
use super::template::Template;
use super::{Lesson, SiteModel};

/// The version of the form that is written.
const VERSION: u32 = 1;
/// Bytes of a file that is read.
const BYTES_MAX: usize = 64 << 20;
/// Templates of a model.
const TEMPLATES_MAX: usize = 100;

/// Why a model cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelFileError {
    /// It is no model.
    NoModel(String),
    /// A later kuai has written it.
    Later {
        /// The version of its form.
        version: u32,
    },
}

impl fmt::Display for ModelFileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelFileError::NoModel(reason) => write!(out, "this is no site model: {reason}"),
            ModelFileError::Later { version } => {
                write!(out, "this site model is of form {version}, and this kuai reads forms up to {VERSION}")
            }
        }
    }
}

impl std::error::Error for ModelFileError {}

#[derive(Deserialize)]
struct Versioned {
    kuai_site_model: u32,
}

#[derive(Deserialize)]
struct ModelFile {
    site: Option<String>,
    lessons: Vec<LessonLine>,
    templates: Vec<TemplateFile>,
}

#[derive(Serialize, Deserialize)]
struct LessonLine {
    url: Option<String>,
    title: String,
    found: f64,
    template: usize,
}

#[derive(Deserialize)]
struct TemplateFile {
    content_share: f64,
    agreement: [f64; MARKS_MAX],
    areas: Vec<AreaLine>,
    before: Vec<ContextLine>,
    after: Vec<ContextLine>,
    phrases: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct AreaLine {
    shape: String,
    #[serde(rename = "in")]
    parent: u32,
    kept: u32,
    noise: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    own_kept: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    own_noise: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holds: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct ContextLine {
    area: u32,
    marks: Vec<String>,
    seen: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl SiteModel {
    /// The model as a file.
    pub fn to_json(&self) -> String {
        let lessons = self.lessons.iter().map(|lesson| LessonLine {
            url: lesson.url.clone(),
            title: lesson.title.clone(),
            found: rounded(lesson.found),
            template: lesson.template,
        });
        let templates: Vec<String> = self.templates.iter().map(template_json).collect();
        format!(
            "{{\n \"kuai_site_model\": {VERSION},\n \"site\": {},\n \"lessons\": {},\n \"templates\": [{}]\n}}\n",
            json(&self.site),
            list(" ", lessons),
            templates.join(", ")
        )
    }

    /// Reads a model's file.
    pub fn from_json(text: &str) -> Result<SiteModel, ModelFileError> {
        let wrong = |reason: &str| ModelFileError::NoModel(reason.to_owned());
        if text.len() > BYTES_MAX {
            return Err(wrong("it is too long"));
        }
        let broken = |error: serde_json::Error| ModelFileError::NoModel(error.to_string());
        let Versioned { kuai_site_model: version } = serde_json::from_str(text).map_err(broken)?;
        if version > VERSION {
            return Err(ModelFileError::Later { version });
        }
        let file: ModelFile = serde_json::from_str(text).map_err(broken)?;
        if file.templates.is_empty() || file.templates.len() > TEMPLATES_MAX {
            return Err(wrong("it has no templates, or too many"));
        }
        let templates = file.templates.into_iter().map(template).collect::<Option<Vec<_>>>();
        let lesson = |lesson: LessonLine| Lesson {
            url: lesson.url,
            title: lesson.title,
            found: lesson.found,
            template: lesson.template,
        };
        Ok(SiteModel {
            site: file.site,
            lessons: file.lessons.into_iter().map(lesson).collect(),
            templates: templates.ok_or_else(|| wrong("an area stands before the one that it is in"))?,
        })
    }
}

fn template_json(template: &Template) -> String {
    let areas = template.areas.list().iter().map(|area| AreaLine {
        shape: area.shape.clone(),
        parent: area.parent,
        kept: area.all.kept,
        noise: area.all.noise,
        own_kept: area.own.kept,
        own_noise: area.own.noise,
        holds: area.holds.clone(),
    });
    let line = |(context, seen): &(Context, u32)| ContextLine {
        area: context.area,
        marks: context.marks.clone(),
        seen: *seen,
    };
    format!(
        "{{\n  \"content_share\": {},\n  \"agreement\": {},\n  \"areas\": {},\n  \"before\": {},\n  \"after\": {},\n  \"phrases\": {}\n }}",
        rounded(template.content_share),
        json(&template.paragraphs.agreement().map(rounded)),
        list("  ", areas),
        list("  ", template.paragraphs.before().iter().map(line)),
        list("  ", template.paragraphs.after().iter().map(line)),
        list("  ", template.phrases.list().iter()),
    )
}

fn template(file: TemplateFile) -> Option<Template> {
    let area = |line: AreaLine| Area {
        shape: line.shape,
        parent: line.parent,
        all: Words { kept: line.kept, noise: line.noise },
        own: Words { kept: line.own_kept, noise: line.own_noise },
        holds: line.holds,
    };
    let context = |line: ContextLine| (Context { area: line.area, marks: line.marks }, line.seen);
    let contexts = |lines: Vec<ContextLine>| lines.into_iter().map(context).collect();
    Some(Template {
        areas: Areas::from_list(file.areas.into_iter().map(area).collect())?,
        paragraphs: Paragraphs::from_lists(contexts(file.before), contexts(file.after), file.agreement),
        phrases: Phrases::from_list(file.phrases),
        content_share: file.content_share,
    })
}

/// A list with an item a line.
fn list(indent: &str, items: impl Iterator<Item = impl Serialize>) -> String {
    let lines: Vec<String> = items.map(|item| format!("\n{indent} {}", json(&item))).collect();
    if lines.is_empty() { "[]".to_owned() } else { format!("[{}\n{indent}]", lines.join(",")) }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our types hold nothing that JSON cannot say")
}

/// Shares are told to four digits.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Example;
    use kuai_page::Page;

    fn model() -> SiteModel {
        let page = "<div class=a>Menu and more<br>The text that is wanted here.<br>And another line of it.<hr>Imprint of us</div>";
        let answer = "The text that is wanted here.\nAnd another line of it.";
        let learnt = SiteModel::learn(&[Example { page: &Page::from_html(page), answer }]);
        learnt.expect("the page can be learnt").model
    }

    #[test]
    fn what_is_written_reads_as_it_was() {
        let text = model().to_json();
        assert_eq!(SiteModel::from_json(&text).expect("it is a model").to_json(), text);
        assert!(text.contains("\"shape\":\"div.a\""), "{text}");
    }

    #[test]
    fn what_is_no_model_says_so() {
        let check = |text: &str, expected: &str| {
            let error = SiteModel::from_json(text).expect_err("it is none").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("", "this is no site model");
        check("{}", "missing field `kuai_site_model`");
        check("{\"kuai_site_model\": 9}", "of form 9");
        check("{\"kuai_site_model\": 1, \"site\": null, \"lessons\": [], \"templates\": []}", "no templates");
        check(&model().to_json().replace("\"in\":1", "\"in\":99"), "an area stands before");
    }
}
