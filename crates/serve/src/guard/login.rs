//! The way in for people: a form, and a cookie for who got it right.

use std::time::Instant;

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use bytes::Bytes;

use super::access::Known;
use super::client::Client;
use super::{Guard, Guest, SESSION_SECONDS, cookies, now, own_path, too_many};
use crate::form::Form;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::views::html;
use crate::visitor::Visitor;
use crate::words::Words;

/// Where people log in,
pub(crate) const LOGIN: &str = "/login";
/// and out.
pub(crate) const LOGOUT: &str = "/logout";

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    /// Where to go afterwards.
    to: String,
    is_wrong: bool,
}

impl Guard {
    /// Who has this name and password, or this token, which may stand in the place of a password.
    async fn by_credentials(&self, name: &str, password: &str) -> Result<Option<Known>, Refusal> {
        let Some(access) = self.access.clone() else { return Ok(None) };
        if let Some(known) = access.by_token(password.trim()) {
            return Ok(Some(known));
        }
        let _seat = self.passwords.acquire().await.map_err(|_| Refusal::busy())?;
        let (name, password) = (name.trim().to_owned(), password.to_owned());
        let checked = tokio::task::spawn_blocking(move || access.by_password(&name, &password));
        checked.await.map_err(|_| Refusal::broken())
    }

    fn session(&self, known: &Known) -> Option<HeaderValue> {
        let text = format!("{} {}", known.role, known.name);
        let sealed = self.seal.seal("session", &text, now() + SESSION_SECONDS);
        cookies::write(&self.session_cookie, &sealed, SESSION_SECONDS, self.is_secure)
    }
}

/// `GET /login`
pub(crate) async fn login_page(State(shared): State<Shared>, uri: Uri, headers: HeaderMap) -> Response {
    let query = uri.query().unwrap_or_default();
    let to = Form::read(query.as_bytes()).text("to").unwrap_or_default().to_owned();
    page(&shared, &uri, &headers, &to, None)
}

/// `POST /login`
pub(crate) async fn log_in(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let guard = &shared.guard;
    if let Err(wait) = guard.tries.begin(client, Instant::now()) {
        return too_many("too many wrong passwords", wait);
    }
    let form = Form::read(&body);
    let field = |name: &str| form.text(name).unwrap_or_default();
    match guard.by_credentials(field("name"), field("password")).await {
        Ok(Some(known)) => {
            guard.tries.was_right(client);
            let mut response = Redirect::to(&own_path(field("to"))).into_response();
            response.headers_mut().extend(guard.session(&known).map(|cookie| (header::SET_COOKIE, cookie)));
            response
        }
        Ok(None) => page(&shared, &uri, &headers, field("to"), Some(StatusCode::UNAUTHORIZED)),
        Err(refusal) => refusal.into_response(),
    }
}

/// `POST /logout`
pub(crate) async fn log_out(State(shared): State<Shared>, guest: Option<Extension<Guest>>) -> (HeaderMap, Redirect) {
    let guard = &shared.guard;
    let mut headers = HeaderMap::new();
    let is_known = guest.is_some_and(|Extension(guest)| guest.name.is_some());
    let taken_back = cookies::write(&guard.session_cookie, "", 0, guard.is_secure).filter(|_| is_known);
    headers.extend(taken_back.map(|cookie| (header::SET_COOKIE, cookie)));
    (headers, Redirect::to(LOGIN))
}

/// The form; with a status where what was sent is wrong.
fn page(shared: &Shared, uri: &Uri, headers: &HeaderMap, to: &str, wrong: Option<StatusCode>) -> Response {
    let drawn = Visitor::of(shared, "login", uri, headers).and_then(|visitor| {
        let page = LoginPage { visitor: &visitor, w: visitor.words, to: own_path(to), is_wrong: wrong.is_some() };
        Ok(html(&visitor, page.render().map_err(|_| Refusal::broken())?))
    });
    match drawn {
        Ok(page) => (wrong.unwrap_or(StatusCode::OK), page).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}
