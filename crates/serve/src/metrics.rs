//! How the server does, for Prometheus: requests by route and status, how long they took, and what it holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use kuai::Stats;

use crate::jobs::JobCounts;
use crate::refusal::Refusal;
use crate::shared::Shared;

/// Where they are.
pub(crate) const METRICS: &str = "/metrics";

/// What requests are sorted by, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// Counts requests. Routes, methods and statuses are few, so it stays small.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<String, Route>>,
}

#[derive(Default)]
struct Route {
    by_status: BTreeMap<(&'static str, u16), u64>,
    /// Requests that took no longer than each bound and longer than the one before.
    times: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

impl Metrics {
    pub(crate) fn count(&self, route: &str, method: &Method, status: u16, time: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), Route::default());
        }
        let Some(route) = routes.get_mut(route) else { return };
        *route.by_status.entry((name(method), status)).or_default() += 1;
        route.count += 1;
        route.seconds += time.as_secs_f64();
        let place = BOUNDS.iter().position(|bound| time.as_secs_f64() <= *bound);
        place.into_iter().for_each(|place| route.times[place] += 1);
    }

    /// Everything, as Prometheus reads it.
    fn told(&self, stats: &Stats, jobs: &JobCounts) -> String {
        let mut out = String::new();
        self.tell_requests(&mut out);
        tell(&mut out, "kuai_urls", "gauge", "Addresses in the archive.", stats.urls);
        tell(&mut out, "kuai_versions", "gauge", "Versions in the archive.", stats.versions);
        tell(&mut out, "kuai_captures", "gauge", "Captures in the archive.", stats.captures);
        tell(&mut out, "kuai_captured_bytes", "gauge", "Bytes of all captures.", stats.bytes_captured);
        tell(&mut out, "kuai_stored_bytes", "gauge", "Bytes that they take.", stats.bytes_stored);
        head(&mut out, "kuai_jobs", "gauge", "Crawls under the server by state.");
        for (state, count) in jobs.by_state() {
            line(&mut out, format_args!("kuai_jobs{{state=\"{state}\"}} {count}"));
        }
        tell(
            &mut out,
            "kuai_jobs_captures_total",
            "counter",
            "Captures that crawls under the server took.",
            jobs.captures,
        );
        tell(&mut out, "kuai_jobs_failures_total", "counter", "Addresses that they could not have.", jobs.failures);
        out
    }

    fn tell_requests(&self, out: &mut String) {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        head(out, "kuai_http_requests_total", "counter", "Requests by route, method and status.");
        for (route, told) in routes.iter() {
            for ((method, status), count) in &told.by_status {
                let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
                line(out, format_args!("kuai_http_requests_total{{{labels}}} {count}"));
            }
        }
        head(out, "kuai_http_request_seconds", "histogram", "Time until an answer began, by route.");
        for (route, told) in routes.iter() {
            let mut sum = 0;
            for (bound, count) in BOUNDS.iter().zip(told.times) {
                sum += count;
                line(out, format_args!("kuai_http_request_seconds_bucket{{route=\"{route}\",le=\"{bound}\"}} {sum}"));
            }
            line(out, format_args!("kuai_http_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {}", told.count));
            line(out, format_args!("kuai_http_request_seconds_sum{{route=\"{route}\"}} {}", told.seconds));
            line(out, format_args!("kuai_http_request_seconds_count{{route=\"{route}\"}} {}", told.count));
        }
    }
}

/// Counts a request of the main side by its route.
pub(crate) async fn measure(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let response = next.run(request).await;
    shared.metrics.count(&route, &method, response.status().as_u16(), began.elapsed());
    response
}

/// `GET /metrics`
pub(crate) async fn metrics(State(shared): State<Shared>) -> Result<Response, Refusal> {
    let stats = shared.with_holdings(|holdings| Ok(holdings.archive().stats()?)).await?;
    let told = shared.metrics.told(&stats, &shared.jobs.counts());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], told).into_response())
}

fn name(method: &Method) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"].into_iter().find(|name| method == *name).unwrap_or("other")
}

fn tell(out: &mut String, name: &str, kind: &str, about: &str, value: u64) {
    head(out, name, kind, about);
    line(out, format_args!("{name} {value}"));
}

fn head(out: &mut String, name: &str, kind: &str, about: &str) {
    line(out, format_args!("# HELP {name} {about}\n# TYPE {name} {kind}"));
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_where_they_belong() {
        let metrics = Metrics::default();
        for (millis, status) in [(1, 200), (30, 200), (30_000, 404)] {
            metrics.count("/web/{*address}", &Method::GET, status, Duration::from_millis(millis));
        }
        let mut told = String::new();
        metrics.tell_requests(&mut told);
        let has = |part: &str| assert!(told.contains(part), "{part} is not in\n{told}");
        has("kuai_http_requests_total{route=\"/web/{*address}\",method=\"GET\",status=\"200\"} 2\n");
        has("kuai_http_request_seconds_bucket{route=\"/web/{*address}\",le=\"0.001\"} 1\n");
        has("kuai_http_request_seconds_bucket{route=\"/web/{*address}\",le=\"0.05\"} 2\n");
        has("kuai_http_request_seconds_bucket{route=\"/web/{*address}\",le=\"10\"} 2\n");
        has("kuai_http_request_seconds_bucket{route=\"/web/{*address}\",le=\"+Inf\"} 3\n");
        has("kuai_http_request_seconds_count{route=\"/web/{*address}\"} 3\n");
    }
}
