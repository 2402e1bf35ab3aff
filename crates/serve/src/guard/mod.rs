//! Who may do what. On loopback everybody may do everything, as every program of the machine's owner may; elsewhere nobody may do anything without a password or a
//! token, unless reading was allowed to all.
//!
//! Every request of the main side comes through [`admit`], every request of the side of archived pages through [`admit_reader`]. What is not named as open there
//! is closed, so that a new route cannot be forgotten.

#![allow(clippy::result_large_err, reason = "a refusal is an answer, and how large answers are is axum's to say")]

mod access;
mod client;
mod cookies;
mod login;
mod rate;
mod role;
mod same_origin;
mod seal;
mod tries;

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use kuai::Timestamp;
use tokio::sync::Semaphore;

pub use access::{Access, AccessError, password_line, token_line};
use client::Client;
pub(crate) use client::Peer;
pub(crate) use login::{LOGIN, LOGOUT, log_in, log_out, login_page};
pub use role::Role;
use seal::Seal;

use crate::options::{Limits, Options};
use crate::refusal::Refusal;
use crate::shared::Shared;

/// Where programs ask whether the server is there.
pub(crate) const HEALTH: &str = "/health";
/// Where the side of archived pages lets somebody in who was let in here.
pub(crate) const ENTER: &str = "/_kuai/enter";

/// What everybody may see: the way in, what it looks like, and that there is a server.
const OPEN: [&str; 3] = [LOGIN, LOGOUT, HEALTH];
const OPEN_FOLDER: &str = "/assets/";

/// How long somebody stays logged in, in seconds.
const SESSION_SECONDS: i64 = 7 * 24 * 3600;
/// How long the way from one side to the other takes at most.
const TICKET_SECONDS: i64 = 60;
/// Passwords that are looked at at a time: each takes 19 MB and a while.
const PASSWORDS_AT_ONCE: usize = 2;
/// Bytes of a question that is longer than a form: a page that was pasted.
pub(crate) const BODY_BYTES_MAX: usize = 4 << 20;

/// Knows who may do what.
pub(crate) struct Guard {
    access: Option<Access>,
    /// What those may do who do not say who they are.
    anonymous: Option<Role>,
    seal: Seal,
    tries: tries::Tries,
    rate: rate::Rate,
    is_proxied: bool,
    is_secure: bool,
    session_cookie: String,
    reader_cookie: String,
    passwords: Semaphore,
    body_time: Duration,
}

/// Whoever asks, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guest {
    /// Nothing where nobody had to say.
    pub(crate) name: Option<String>,
    pub(crate) role: Role,
    /// Whether it says who it is with each request, as programs do.
    is_program: bool,
}

impl Guard {
    pub(crate) fn new(options: &Options, ports: [u16; 2]) -> Result<Guard, getrandom::Error> {
        let anonymous = match (&options.access, options.allow_public) {
            (_, true) => Some(Role::Read),
            (Some(_), _) => None,
            (None, _) => Some(Role::Admin),
        };
        let is_https = |origin: &Option<String>| origin.as_ref().is_some_and(|origin| origin.starts_with("https:"));
        let Limits { requests_per_second, requests_at_once, head_time, .. } = options.limits;
        Ok(Guard {
            access: options.access.clone(),
            // Everybody at this machine is its owner, unless others reach it as well.
            anonymous: anonymous.filter(|role| *role < Role::Admin || !options.is_public()),
            seal: Seal::new()?,
            tries: tries::Tries::default(),
            rate: rate::Rate::new(requests_per_second, requests_at_once),
            is_proxied: options.origin.is_some(),
            is_secure: is_https(&options.origin) && is_https(&options.replay_origin),
            session_cookie: format!("kuai_session_{}", ports[0]),
            reader_cookie: format!("kuai_reader_{}", ports[1]),
            passwords: Semaphore::new(PASSWORDS_AT_ONCE),
            body_time: head_time,
        })
    }

    /// Who asks; nothing where that would have to be said.
    fn guest(&self, headers: &HeaderMap, client: Client) -> Result<Option<Guest>, Response> {
        let bearer = headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap_or_default());
        if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
            return self.by_token(token.trim(), client).map(Some);
        }
        let known = self.session_guest(headers);
        Ok(known.or(self.anonymous.map(|role| Guest { name: None, role, is_program: false })))
    }

    fn session_guest(&self, headers: &HeaderMap) -> Option<Guest> {
        let session = self.seal.open("session", cookies::read(headers, &self.session_cookie)?, now())?;
        let (role, name) = session.split_once(' ')?;
        Some(Guest { name: Some(name.to_owned()), role: role.parse().ok()?, is_program: false })
    }

    /// Who is logged in.
    pub(crate) fn session_name(&self, headers: &HeaderMap) -> Option<String> {
        self.session_guest(headers)?.name
    }

    /// Whose token it is. Only wrong ones are counted, since a program sends its own with each request.
    fn by_token(&self, token: &str, client: Client) -> Result<Guest, Response> {
        let found = self.access.as_ref().and_then(|access| access.by_token(token));
        match found {
            Some(known) => Ok(Guest { name: Some(known.name), role: known.role, is_program: true }),
            None => Err(match self.tries.begin(client, Instant::now()) {
                Ok(()) => unauthorized("this token is not known"),
                Err(wait) => too_many("too many wrong tokens", wait),
            }),
        }
    }

    /// Whether somebody may see archived pages. The cookie of their own side says no more than that.
    fn may_read(&self, headers: &HeaderMap, client: Client) -> Result<bool, Response> {
        if self.guest(headers, client)?.is_some() {
            return Ok(true);
        }
        let sealed = cookies::read(headers, &self.reader_cookie);
        Ok(sealed.is_some_and(|sealed| self.seal.open("reader", sealed, now()).is_some()))
    }

    /// The way to the side of archived pages for a guest of this one: with a ticket, where it would have to say again who it is.
    pub(crate) fn way_over(&self, guest: Option<&Guest>, replay: &str, path: &str) -> String {
        let needs_ticket = self.anonymous.is_none() && guest.is_some_and(|guest| !guest.is_program);
        if !needs_ticket {
            return format!("{replay}{path}");
        }
        let ticket = self.seal.seal("ticket", "", now() + TICKET_SECONDS);
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("ticket", &ticket)
            .append_pair("to", path)
            .finish();
        format!("{replay}{ENTER}?{query}")
    }

    fn client(&self, request: &Request) -> Client {
        let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0);
        Client::of(peer, request.headers(), self.is_proxied)
    }

    /// Whether a client asks too much. What comes from this machine is its owner's.
    fn check_rate(&self, client: Client) -> Result<(), Response> {
        if client.is_local() {
            return Ok(());
        }
        self.rate.take(client, Instant::now()).map_err(|wait| too_many("too many requests", wait))
    }

    async fn admit(&self, request: Request, main: &str) -> Result<Request, Response> {
        let client = self.client(&request);
        self.check_rate(client)?;
        if !same_origin::may_act(request.method(), request.headers(), main) {
            return Err(forbidden("only this server's own pages may do that, and programs"));
        }
        let path = request.uri().path();
        let is_open = OPEN.contains(&path) || path.starts_with(OPEN_FOLDER);
        let guest = self.guest(request.headers(), client)?;
        if !is_open {
            let needed = if is_safe(request.method()) { Role::Read } else { Role::Collect };
            check_role(guest.as_ref(), needed, &request)?;
        }
        let mut request = self.with_bounded_body(request).await?;
        request.extensions_mut().insert(client);
        if let Some(guest) = guest {
            request.extensions_mut().insert(guest);
        }
        Ok(request)
    }

    /// Takes what is sent with a request, of a bounded size and in a bounded time.
    async fn with_bounded_body(&self, request: Request) -> Result<Request, Response> {
        if is_safe(request.method()) {
            return Ok(request);
        }
        let (parts, body) = request.into_parts();
        let refused = |status, detail: &str| Refusal { status, detail: detail.to_owned() }.into_response();
        match tokio::time::timeout(self.body_time, to_bytes(body, BODY_BYTES_MAX)).await {
            Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
            Ok(Err(_)) => Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "at most 4 MB may be sent")),
            Err(_) => Err(refused(StatusCode::REQUEST_TIMEOUT, "it took too long to send this")),
        }
    }

    /// Lets a guest of the main side into that of archived pages.
    fn enter(&self, request: &Request) -> Option<Response> {
        let asked = |name: &str| {
            let query = request.uri().query().unwrap_or_default();
            url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value)
        };
        self.seal.open("ticket", &asked("ticket")?, now())?;
        let reader = self.seal.seal("reader", "", now() + SESSION_SECONDS);
        let cookie = cookies::write(&self.reader_cookie, &reader, SESSION_SECONDS, self.is_secure)?;
        let mut response = Redirect::to(&own_path(&asked("to")?)).into_response();
        response.headers_mut().insert(header::SET_COOKIE, cookie);
        Some(response)
    }
}

/// Lets requests of the main side through, or says why not.
pub(crate) async fn admit(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let main = match shared.names.of(request.headers()) {
        Ok(origins) => origins.main,
        Err(refusal) => return refusal.into_response(),
    };
    match shared.guard.admit(request, &main).await {
        Ok(request) => next.run(request).await,
        Err(response) => response,
    }
}

/// Lets requests for archived pages through, or says why not. `has_token` for those from inside an archived page, whose addresses nobody knows who was not let in.
pub(crate) fn admit_reader(shared: &Shared, request: &Request, main: &str, has_token: bool) -> Option<Response> {
    let guard = &shared.guard;
    let client = guard.client(request);
    if let Err(response) = guard.check_rate(client) {
        return Some(response);
    }
    if request.uri().path() == ENTER {
        return Some(guard.enter(request).unwrap_or_else(|| unauthorized("this way in is no longer open")));
    }
    if has_token {
        return None;
    }
    match guard.may_read(request.headers(), client) {
        Ok(true) => None,
        Ok(false) if is_navigation(request) => {
            let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
            Some(Redirect::to(&format!("{main}{}", own_path(path))).into_response())
        }
        Ok(false) => Some(unauthorized("log in on the main side, or send a token")),
        Err(response) => Some(response),
    }
}

/// Whether a guest may do as much.
pub(crate) fn needs(guest: Option<&Guest>, role: Role) -> Result<(), Refusal> {
    if guest.is_some_and(|guest| guest.role >= role) {
        return Ok(());
    }
    Err(Refusal { status: StatusCode::FORBIDDEN, detail: format!("that needs the role {role}") })
}

fn check_role(guest: Option<&Guest>, needed: Role, request: &Request) -> Result<(), Response> {
    match guest {
        Some(guest) if guest.role >= needed => Ok(()),
        Some(guest) if guest.name.is_some() => Err(forbidden(&format!("that needs the role {needed}"))),
        _ if is_navigation(request) => Err(to_login(request)),
        _ => Err(unauthorized("log in at /login, or send a token: Authorization: Bearer …")),
    }
}

/// To the login page and from there back. A browser does not send its cookie along with a link on somebody else's page; asked again by ourselves it does.
fn to_login(request: &Request) -> Response {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let is_from_elsewhere = request.headers().get("sec-fetch-site").is_some_and(|from| from == "cross-site");
    if is_from_elsewhere {
        let refresh = HeaderValue::from_str(&format!("0; url={}", own_path(path)));
        let mut response = StatusCode::UNAUTHORIZED.into_response();
        response.headers_mut().extend(refresh.ok().map(|refresh| (header::REFRESH, refresh)));
        return response;
    }
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("to", path).finish();
    Redirect::to(&format!("{LOGIN}?{query}")).into_response()
}

/// Whether a browser asks for a page to show.
fn is_navigation(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let wants_page = header("sec-fetch-dest")
        .map_or(header("accept").unwrap_or_default().contains("text/html"), |wanted| wanted == "document");
    is_safe(request.method()) && wants_page
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// A path of this server, whatever was given: `//evil.example` would be another.
fn own_path(path: &str) -> String {
    let is_own = path.starts_with('/') && !path[1..].starts_with(['/', '\\']) && !path.contains(char::is_control);
    if is_own { path.to_owned() } else { "/".to_owned() }
}

fn unauthorized(detail: &str) -> Response {
    let mut response = Refusal { status: StatusCode::UNAUTHORIZED, detail: detail.to_owned() }.into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"kuai\""));
    response
}

fn forbidden(detail: &str) -> Response {
    Refusal { status: StatusCode::FORBIDDEN, detail: detail.to_owned() }.into_response()
}

fn too_many(detail: &str, wait: Duration) -> Response {
    let seconds = wait.as_secs() + 1;
    let detail = format!("{detail}: ask again in {seconds} s");
    let mut response = Refusal { status: StatusCode::TOO_MANY_REQUESTS, detail }.into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_back_stays_on_this_server() {
        assert_eq!(own_path("/search?q=a"), "/search?q=a");
        for elsewhere in ["//evil.example", "/\\evil.example", "https://evil.example/", "", "x", "/a\r\nb"] {
            assert_eq!(own_path(elsewhere), "/", "{elsewhere}");
        }
    }
}
