//! What archived pages may do: show themselves, run their scripts, and load what the archive has. Nothing else.
//!
//! Every answer of the replay side carries this, whatever it is: a picture or a text may be opened as a page, too.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::own_files::OWN_FILES;
use crate::origins::Origins;

/// Features that no archived page has a use for.
const PERMISSIONS: &str = "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
    hid=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), \
    storage-access=(), usb=(), window-management=(), xr-spatial-tracking=()";

/// Browsers put all ports of a host into one process otherwise, that of the API among them.
const OWN_PROCESS: (HeaderName, &str) = (HeaderName::from_static("origin-agent-cluster"), "?1");

/// Who may read an answer of the replay side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readership {
    /// Archived pages, and who has the token from them: their origin is `null`, which could be anybody's.
    Pages,
    /// Nobody but the reader's own eyes.
    Eyes,
}

/// Whose scripts run in an answer of the replay side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scripts {
    /// Those of the page.
    #[default]
    Theirs,
    /// Those of ours that draw over it.
    Ours,
}

/// Puts the policy for archived things on an answer.
pub(super) fn confine(origins: &Origins, readership: Readership, scripts: Scripts, headers: &mut HeaderMap) {
    // Whoever has the token is an archived page, whose frames have the origin `null` and would be kept out by name.
    let ancestors = match readership {
        Readership::Pages => String::new(),
        Readership::Eyes => format!("; frame-ancestors {} {}", origins.main, origins.replay),
    };
    let scripts = match scripts {
        Scripts::Theirs => String::new(),
        Scripts::Ours => format!("; script-src {}{OWN_FILES}", origins.replay),
    };
    set(headers, header::CONTENT_SECURITY_POLICY, &(content_policy(&origins.replay) + &ancestors + &scripts));
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::REFERRER_POLICY, "same-origin");
    set(headers, HeaderName::from_static("permissions-policy"), PERMISSIONS);
    set(headers, HeaderName::from_static("x-dns-prefetch-control"), "off");
    set(headers, OWN_PROCESS.0, OWN_PROCESS.1);
    match readership {
        Readership::Pages => set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        Readership::Eyes => set(headers, HeaderName::from_static("cross-origin-resource-policy"), "same-site"),
    }
}

/// Puts the policy for our own frame around archived pages on an answer. It may show archived pages and nothing else, which holds for wherever
/// they try to go, too: a frame's navigations obey the page around it.
pub(super) fn confine_frame(origins: &Origins, headers: &mut HeaderMap) {
    let replay = &origins.replay;
    let policy = format!(
        "default-src 'none'; style-src {replay}; frame-src {replay}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    set(headers, header::CONTENT_SECURITY_POLICY, &policy);
    set(headers, HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(headers, header::CACHE_CONTROL, "no-store");
    set(headers, OWN_PROCESS.0, OWN_PROCESS.1);
}

fn content_policy(replay: &str) -> String {
    format!(
        "sandbox allow-scripts allow-forms; default-src {replay} data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src {replay}; \
         form-action {replay}; base-uri {replay}; worker-src 'none'; manifest-src 'none'"
    )
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
}
