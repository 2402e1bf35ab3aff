//! JSON of `kuai learn`, `kuai clean` and `kuai eval --series`.

use kuai_eval::{LessonResult, Series};
use kuai_page::Page;
use kuai_segment::{Cleaned, Learnt};
use serde::Serialize;

use super::path;
use crate::input::Source;

#[derive(Serialize)]
pub(crate) struct CleanJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    title: &'a str,
    text: &'a str,
    spans: Vec<[u32; 2]>,
    fit: f64,
}

impl<'a> CleanJson<'a> {
    pub(crate) fn new(source: &Source, page: &'a Page, cleaned: &'a Cleaned) -> CleanJson<'a> {
        CleanJson {
            path: path(source),
            url: page.url().map(ToString::to_string),
            title: page.title(),
            text: &cleaned.text,
            spans: cleaned.spans.iter().map(|span| [span.start, span.end]).collect(),
            fit: cleaned.fit,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct LearnJson<'a> {
    models: Vec<String>,
    site: Option<&'a str>,
    templates: usize,
    pages: Vec<LessonJson<'a>>,
}

#[derive(Serialize)]
struct LessonJson<'a> {
    path: &'a str,
    template: usize,
    found: f64,
    missing: &'a [String],
}

impl<'a> LearnJson<'a> {
    pub(crate) fn new(
        written: Vec<String>,
        learnt: &'a Learnt,
        places: impl Iterator<Item = &'a str>,
    ) -> LearnJson<'a> {
        let pages = places.zip(&learnt.found).zip(&learnt.model.lessons);
        LearnJson {
            models: written,
            site: learnt.model.site.as_deref(),
            templates: learnt.model.template_count(),
            pages: pages
                .map(|((path, found), lesson)| LessonJson {
                    path,
                    template: lesson.template,
                    found: found.share,
                    missing: &found.missing,
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct SeriesJson<'a> {
    set: &'a str,
    host: &'a str,
    pages: usize,
    refused: Vec<RefusedJson<'a>>,
    lessons: Vec<LessonResultJson<'a>>,
}

#[derive(Serialize)]
struct RefusedJson<'a> {
    page: &'a str,
    reason: String,
}

#[derive(Serialize)]
struct LessonResultJson<'a> {
    teacher: &'a str,
    page: &'a str,
    word_f: Option<f64>,
    noise_recall: Option<f64>,
    noise_precision: Option<f64>,
    misfit: Option<String>,
    default_word_f: f64,
}

impl<'a> SeriesJson<'a> {
    pub(crate) fn new(series: &'a Series) -> SeriesJson<'a> {
        let refused = series.refused.iter().map(|(page, reason)| RefusedJson { page, reason: reason.to_string() });
        SeriesJson {
            set: &series.set,
            host: &series.host,
            pages: series.page_count,
            refused: refused.collect(),
            lessons: series.lessons.iter().map(LessonResultJson::new).collect(),
        }
    }
}

impl<'a> LessonResultJson<'a> {
    fn new(lesson: &'a LessonResult) -> LessonResultJson<'a> {
        let score = lesson.model.as_ref().ok();
        LessonResultJson {
            teacher: &lesson.teacher,
            page: &lesson.page,
            word_f: score.map(|score| score.word_f),
            noise_recall: score.map(|score| score.noise.score().recall),
            noise_precision: score.map(|score| score.noise.score().precision),
            misfit: lesson.model.as_ref().err().map(ToString::to_string),
            default_word_f: lesson.default_f,
        }
    }
}
