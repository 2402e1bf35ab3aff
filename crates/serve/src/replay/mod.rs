//! Replay: archived things as a browser is to see them, on an origin of their own, confined to it.

mod address;
mod body;
mod drawn;
mod escape;
mod frame;
mod headers;
mod modifier;
mod notice;
mod overlay;
mod own_files;
mod policy;
mod rewrite;

use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kuai::{Snapshot, Timestamp};
use kuai_crawl::redirect_target;

use address::ReplayAddress;
pub(crate) use address::{WEB, memento_path};
use body::Place;
use drawn::{DRAWN, drawn};
pub(crate) use drawn::{archived_draft, drawn_path, live_draft};
use escape::{destination, wanted_as, way_back};
pub(crate) use modifier::Modifier;
use notice::notice;
use overlay::Overlay;
use policy::{Readership, Scripts, confine};

use crate::guard::admit_reader;
use crate::holdings::{Holdings, Moment, is_spelling, nearest};
use crate::memento::Links;
use crate::origins::Origins;
use crate::readers::Room;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::stamp::stamp;

/// Captures that only lead to another spelling of their own address which are passed over.
const SELF_REDIRECTS_MAX: usize = 8;

/// What the replay side answers.
pub(crate) fn router(shared: Shared) -> Router {
    Router::new().fallback(answer).with_state(shared)
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let origins = match shared.names.of(request.headers()) {
        Ok(origins) => origins,
        Err(refusal) => return refusal.into_response(),
    };
    let began = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path();
    // Names of drafts are as hard to guess as the token.
    let has_token = path.starts_with(&format!("/{}/", shared.token))
        || path.starts_with(DRAWN)
        || own_files::own_file(path).is_some();
    let response = match admit_reader(&shared, &request, &origins.main, has_token) {
        Some(response) => response,
        None => shown(&shared, &origins, request).await,
    };
    shared.metrics.count("replay", &method, response.status().as_u16(), began.elapsed());
    response
}

/// What is at an address of this side, whoever asks.
async fn shown(shared: &Shared, origins: &Origins, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let token_prefix = format!("/{}/", shared.token);
    if let Some(file) = own_files::own_file(path) {
        return file;
    }
    if let Some(draft) = path.strip_prefix(DRAWN).and_then(|name| drawn(shared, origins, name)) {
        return draft;
    }
    let (prefix, readership) = match path.strip_prefix(&token_prefix) {
        Some(_) => (token_prefix.as_str(), Readership::Pages),
        None => (WEB, Readership::Eyes),
    };
    let mut response = match path.strip_prefix(prefix) {
        Some(_) if parts.method == Method::OPTIONS && readership == Readership::Pages => preflight(),
        Some(rest) => replayed(shared, origins, prefix, rest, &parts.method, &parts.headers).await,
        None => match way_back(path, &parts.headers, origins, &token_prefix) {
            Some(way) => redirect(StatusCode::TEMPORARY_REDIRECT, &way),
            None => notice(wanted_as(&parts.headers), Refusal::not_found("there is nothing at this address")),
        },
    };
    if !response.headers().contains_key(header::CONTENT_SECURITY_POLICY) {
        let scripts = response.extensions().get::<Scripts>().copied().unwrap_or_default();
        confine(origins, readership, scripts, response.headers_mut());
    }
    response
}

/// One archived thing, or a notice in its place.
async fn replayed(
    shared: &Shared,
    origins: &Origins,
    prefix: &str,
    rest: &str,
    method: &Method,
    headers: &HeaderMap,
) -> Response {
    let address = match ReplayAddress::read(prefix, rest) {
        Ok(address) => address,
        Err(refusal) => return notice(wanted_as(headers), refusal),
    };
    let modifier = address.modifier;
    if !matches!(*method, Method::GET | Method::HEAD) {
        let detail = "What is sent by a form went to a server that is not here.".to_owned();
        return notice(modifier, Refusal { status: StatusCode::METHOD_NOT_ALLOWED, detail });
    }
    let visit = Visit { shared, origins, address: &address, headers };
    visit.answer().await.unwrap_or_else(|refusal| notice(modifier, refusal))
}

/// A request for an archived thing.
struct Visit<'a> {
    shared: &'a Shared,
    origins: &'a Origins,
    address: &'a ReplayAddress,
    headers: &'a HeaderMap,
}

impl Visit<'_> {
    async fn answer(&self) -> Result<Response, Refusal> {
        let moments = self.shared.moments(&self.address.url).await?;
        let chosen = nearest(&moments, self.address.time());
        let missing = || Refusal::not_found(format!("nothing of {} is in the archive", self.address.url));
        let chosen = chosen.ok_or_else(missing)?;
        if let Some(elsewhere) = self.elsewhere(&moments[chosen]) {
            return Ok(redirect(StatusCode::FOUND, &elsewhere));
        }
        if self.wants_frame() {
            let links = Links { origins: self.origins, original: &moments[chosen].url, moments: &moments };
            return Ok(frame::frame(&links, chosen, &format!("/{}/", self.shared.token)));
        }
        // It is read whole, and rewritten beside that.
        let room = self.shared.readers.room(moments[chosen].version.bytes.saturating_mul(2)).await?;
        let (time, modifier) = (self.address.time(), self.address.modifier);
        let reading = self.shared.with_holdings(move |holdings| {
            let (chosen, snapshot) = read_past_self_redirects(holdings, &moments, chosen, time)?;
            let overlay = Overlay::of(holdings, &moments[chosen], &snapshot, modifier)?;
            Ok((moments, chosen, snapshot, overlay))
        });
        let (moments, chosen, snapshot, overlay) = reading.await?;
        let links = Links { origins: self.origins, original: &moments[chosen].url, moments: &moments };
        let mut response = self.show(&moments[chosen], snapshot, overlay, room).await?;
        links.describe(chosen, response.headers_mut());
        self.mark(&moments[chosen], response.headers_mut());
        Ok(response)
    }

    /// Where to go instead: a reader's page has one stable address, and a page that belongs into the frame is shown in it.
    fn elsewhere(&self, moment: &Moment) -> Option<String> {
        let stable = memento_path(moment.time, "", &moment.url);
        let asked = self.address.way_to(&self.address.digits, self.address.modifier, &self.address.url);
        match self.address.modifier {
            Modifier::Whole => (asked != stable).then_some(stable),
            modifier if modifier.is_document() => (destination(self.headers) == Some("document")).then_some(stable),
            _ => None,
        }
    }

    /// Whether a browser asks for a page to show by itself.
    fn wants_frame(&self) -> bool {
        let accept = self.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let is_browser = destination(self.headers).map_or(accept.contains("text/html"), |wanted| wanted == "document");
        self.address.modifier == Modifier::Whole && is_browser
    }

    /// A capture as it is shown.
    async fn show(
        &self,
        moment: &Moment,
        snapshot: Snapshot,
        overlay: Option<Overlay>,
        room: Option<Room>,
    ) -> Result<Response, Refusal> {
        let modifier = self.address.modifier;
        let is_raw = modifier == Modifier::Raw;
        let status = status(snapshot.capture.status);
        let mut headers = headers::passed_on(&snapshot.capture, is_raw);
        if let Some(target) = redirect_target(&snapshot.capture) {
            let way = self.address.way_to(&stamp(moment.time), modifier, &target);
            headers.extend(HeaderValue::from_str(&way).ok().map(|way| (header::LOCATION, way)));
        }
        let place = Place { prefix: self.address.prefix.clone(), stamp: stamp(moment.time), modifier };
        let scripts = if overlay.is_some() { Scripts::Ours } else { Scripts::Theirs };
        let preparing = move || match is_raw {
            true => Ok(body::raw(snapshot.capture)),
            false => Ok(body::prepared(snapshot, &place, overlay.as_ref())),
        };
        // Raw bytes need no work, so no thread for it.
        let prepared = if is_raw { preparing() } else { self.shared.readers.run(preparing).await }?;
        let content_type = prepared.content_type.as_deref().and_then(|value| HeaderValue::from_str(value).ok());
        if let Some(content_type) = content_type {
            headers.insert(header::CONTENT_TYPE, content_type);
        }
        let mut response = Response::new(body::sending(prepared.bytes, room));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response.extensions_mut().insert(scripts);
        Ok(response)
    }

    /// Says which address exactly was given, and how long it may be kept.
    fn mark(&self, moment: &Moment, headers: &mut HeaderMap) {
        let letters = self.address.modifier.letters();
        let exact = memento_path(moment.time, letters, &moment.url);
        headers.extend(HeaderValue::from_str(&exact).ok().map(|exact| (header::CONTENT_LOCATION, exact)));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept, sec-fetch-dest"));
    }
}

/// Reads a moment. One that only leads to another spelling of its own address is passed over for the next nearest, since it would lead to itself.
fn read_past_self_redirects(
    holdings: &Holdings,
    moments: &[Moment],
    chosen: usize,
    time: Timestamp,
) -> Result<(usize, Snapshot), Refusal> {
    let first = holdings.read(&moments[chosen])?;
    if !is_self_redirect(&first, &moments[chosen]) {
        return Ok((chosen, first));
    }
    let mut others: Vec<usize> = (0..moments.len()).filter(|place| *place != chosen).collect();
    others.sort_by_key(|place| moments[*place].time.duration_since(time).abs());
    for place in others.into_iter().take(SELF_REDIRECTS_MAX) {
        let snapshot = holdings.read(&moments[place])?;
        if !is_self_redirect(&snapshot, &moments[place]) {
            return Ok((place, snapshot));
        }
    }
    Ok((chosen, first))
}

fn is_self_redirect(snapshot: &Snapshot, moment: &Moment) -> bool {
    redirect_target(&snapshot.capture).is_some_and(|target| is_spelling(target.as_str(), moment.url.as_str()))
}

/// The status that is sent for an archived one: those that would speak about this connection instead are told as success.
fn status(archived: u16) -> StatusCode {
    let speaks_of_connection = archived < 200 || matches!(archived, 204 | 205 | 206 | 304 | 407 | 408 | 421 | 426);
    let status = StatusCode::from_u16(archived).ok().filter(|_| !speaks_of_connection);
    status.unwrap_or(StatusCode::OK)
}

fn redirect(status: StatusCode, way: &str) -> Response {
    match HeaderValue::from_str(way) {
        Ok(way) => (status, [(header::LOCATION, way), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))])
            .into_response(),
        Err(_) => Refusal::broken().into_response(),
    }
}

/// What an archived page is told that asks whether it may ask.
fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
    response
}
