//! The way in for people: a form, and a cookie for who got it right.

use std::time::Instant;

use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::access::Known;
use super::client::Client;
use super::{Guard, Guest, SESSION_SECONDS, cookies, now, own_path, too_many};
use crate::refusal::Refusal;
use crate::shared::Shared;

/// Where people log in,
pub(crate) const LOGIN: &str = "/login";
/// and out.
pub(crate) const LOGOUT: &str = "/logout";

/// Where to go afterwards.
#[derive(Deserialize)]
pub(crate) struct Way {
    #[serde(default)]
    to: String,
}

/// What the form sends. A token may stand in the place of a password.
#[derive(Deserialize)]
pub(crate) struct Credentials {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    to: String,
}

impl Guard {
    /// Who has this name and password, or this token.
    async fn by_credentials(&self, given: &Credentials) -> Result<Option<Known>, Refusal> {
        let Some(access) = self.access.clone() else { return Ok(None) };
        if let Some(known) = access.by_token(given.password.trim()) {
            return Ok(Some(known));
        }
        let _seat = self.passwords.acquire().await.map_err(|_| Refusal::busy())?;
        let (name, password) = (given.name.trim().to_owned(), given.password.clone());
        let checked = tokio::task::spawn_blocking(move || access.by_password(&name, &password));
        checked.await.map_err(|_| Refusal::broken())
    }

    fn session(&self, known: &Known) -> Option<axum::http::HeaderValue> {
        let text = format!("{} {}", known.role, known.name);
        let sealed = self.seal.seal("session", &text, now() + SESSION_SECONDS);
        cookies::write(&self.session_cookie, &sealed, SESSION_SECONDS, self.is_secure)
    }
}

/// `GET /login`
pub(crate) async fn login_page(Query(way): Query<Way>) -> Response {
    page(StatusCode::OK, &way.to, "")
}

/// `POST /login`
pub(crate) async fn log_in(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    Form(given): Form<Credentials>,
) -> Response {
    let guard = &shared.guard;
    if let Err(wait) = guard.tries.begin(client, Instant::now()) {
        return too_many("too many wrong passwords", wait);
    }
    match guard.by_credentials(&given).await {
        Ok(Some(known)) => {
            guard.tries.was_right(client);
            let mut response = Redirect::to(&own_path(&given.to)).into_response();
            response.headers_mut().extend(guard.session(&known).map(|cookie| (header::SET_COOKIE, cookie)));
            response
        }
        Ok(None) => page(StatusCode::UNAUTHORIZED, &given.to, "Name and password do not belong together."),
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

fn page(status: StatusCode, to: &str, fault: &str) -> Response {
    let to = own_path(to).replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>kuai</title><form method=post action={LOGIN}><p>{fault}</p>\
         <input type=hidden name=to value=\"{to}\"><label>Name <input name=name autocomplete=username></label>\
         <label>Password or token <input name=password type=password autocomplete=current-password></label><button>Log in</button></form>"
    );
    (status, Html(page)).into_response()
}
