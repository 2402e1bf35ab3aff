//! Who looks at a page, and how: language and colours as the browser says or the visitor chose, and where they are.

use axum::http::{HeaderMap, HeaderValue, Uri, header};

use crate::origins::Origins;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::words::{Language, Words};

/// How long a choice is remembered, in seconds.
const CHOICE_SECONDS: u32 = 365 * 24 * 60 * 60;

/// What the pages know of whoever looks at them.
pub(crate) struct Visitor {
    pub(crate) words: &'static Words,
    /// The colours that were chosen; none to do as the system does.
    pub(crate) theme: Option<Theme>,
    /// Who is logged in.
    pub(crate) name: Option<String>,
    /// The name of the page that is shown.
    pub(crate) page: &'static str,
    /// Where archived pages are.
    pub(crate) origins: Origins,
    /// Where there they may read each other.
    pub(crate) replay_prefix: String,
    path: String,
    /// What was asked, but for language and colours.
    query: String,
    /// What is to be remembered.
    choices: Vec<(&'static str, &'static str)>,
}

/// Colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn of_name(name: &str) -> Option<Theme> {
        [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.name() == name)
    }
}

/// A way to somewhere else on this server.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) address: String,
    pub(crate) is_here: bool,
}

/// The pages that every page leads to: name of the view, address, what it is called.
type Door = (&'static str, &'static str, fn(&Words) -> &'static str);

/// A new page for everybody is a line here.
const DOORS: &[Door] = &[
    ("home", "/", |words| words.home),
    ("search", "/search", |words| words.search),
    ("jobs", "/jobs", |words| words.collect),
    ("inspect", "/inspect", |words| words.inspect),
    ("teach", "/teach", |words| words.teach),
    ("scores", "/scores", |words| words.scores),
];

impl Visitor {
    pub(crate) fn of(shared: &Shared, page: &'static str, uri: &Uri, headers: &HeaderMap) -> Result<Visitor, Refusal> {
        let whole = uri.query().unwrap_or_default();
        let asked = |name: &str| {
            url::form_urlencoded::parse(whole.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value)
        };
        let asked_language = asked("lang").and_then(|code| Language::of_code(&code));
        let asked_theme = asked("theme");
        let theme = asked_theme.as_deref().or_else(|| cookie(headers, "kuai-theme")).and_then(Theme::of_name);
        let language = asked_language.or_else(|| cookie(headers, "kuai-lang").and_then(Language::of_code));
        let language = language.unwrap_or_else(|| preferred(headers));
        let mut choices = Vec::new();
        choices.extend(asked_language.map(|language| ("kuai-lang", language.code())));
        choices.extend(asked_theme.map(|_| ("kuai-theme", theme.map_or("auto", Theme::name))));
        let rest = url::form_urlencoded::parse(whole.as_bytes()).filter(|(key, _)| key != "lang" && key != "theme");
        Ok(Visitor {
            words: language.words(),
            theme,
            name: shared.guard.session_name(headers),
            page,
            origins: shared.names.of(headers)?,
            replay_prefix: format!("/{}/", shared.token),
            path: uri.path().to_owned(),
            query: url::form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish(),
            choices,
        })
    }

    /// Where every page leads.
    pub(crate) fn doors(&self) -> Vec<Way> {
        let way = |(view, address, name): &Door| Way {
            name: name(self.words),
            address: (*address).to_owned(),
            is_here: *view == self.page,
        };
        DOORS.iter().map(way).collect()
    }

    /// The same page in each language.
    pub(crate) fn languages(&self) -> Vec<Way> {
        let way = |language: Language| Way {
            name: language.name(),
            address: self.with("lang", language.code()),
            is_here: language == self.words.language,
        };
        Language::ALL.into_iter().map(way).collect()
    }

    /// The same page in each choice of colours.
    pub(crate) fn themes(&self) -> Vec<Way> {
        let words = self.words;
        let way = |(name, theme): (&'static str, Option<Theme>)| Way {
            name,
            address: self.with("theme", theme.map_or("auto", Theme::name)),
            is_here: theme == self.theme,
        };
        let choices =
            [(words.theme_auto, None), (words.theme_light, Some(Theme::Light)), (words.theme_dark, Some(Theme::Dark))];
        choices.into_iter().map(way).collect()
    }

    /// The data of this page.
    pub(crate) fn api(&self) -> String {
        let question = if self.query.is_empty() { String::new() } else { format!("?{}", self.query) };
        format!("/api/v1/{}{question}", self.page)
    }

    /// What was asked under a name.
    pub(crate) fn asked(&self, name: &str) -> String {
        let found = url::form_urlencoded::parse(self.query.as_bytes()).find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// This page with one thing asked otherwise.
    pub(crate) fn with(&self, name: &str, value: impl AsRef<str>) -> String {
        self.changed(&[name], Some((name, value.as_ref())))
    }

    /// Like [`Visitor::with`], from the first page of the list on.
    pub(crate) fn anew(&self, name: &str, value: impl AsRef<str>) -> String {
        self.changed(&[name, "page"], Some((name, value.as_ref())))
    }

    /// This page without having asked one thing, from the first page of the list on.
    pub(crate) fn without(&self, name: &str) -> String {
        self.changed(&[name, "page"], None)
    }

    /// This page without some things asked, and with another.
    pub(crate) fn changed(&self, left_out: &[&str], added: Option<(&str, &str)>) -> String {
        let others = url::form_urlencoded::parse(self.query.as_bytes()).filter(|(key, _)| !left_out.contains(&&**key));
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(others).extend_pairs(added);
        format!("{}?{}", self.path, query.finish())
    }

    /// What makes a browser remember the choices of this request.
    pub(crate) fn remember(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.choices {
            let line = format!("{name}={value}; Path=/; Max-Age={CHOICE_SECONDS}; SameSite=Lax");
            headers.extend(HeaderValue::from_str(&line).ok().map(|line| (header::SET_COOKIE, line)));
        }
    }
}

/// The value of a cookie.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The language that a browser asks for: browsers name theirs in the order of preference.
fn preferred(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    wanted.split(',').find_map(Language::of_code).unwrap_or(Language::English)
}
