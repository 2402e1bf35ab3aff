//! The JSON of `kuai import` and `kuai export`.

use std::path::Path;

use kuai::{Exported, Imported};
use serde_json::json;

/// `kuai import --json`: a file.
pub(crate) fn imported(path: &Path, imported: &Imported) -> String {
    let Imported { records, new_urls, new_versions, seen_again, known, passed_over, problems } = imported;
    json!({
        "path": path.to_string_lossy(), "records": records, "new_urls": new_urls, "new_versions": new_versions,
        "seen_again": seen_again, "known": known, "passed_over": passed_over, "problems": problems,
    })
    .to_string()
}

/// `kuai export --json`.
pub(crate) fn exported(path: &Path, exported: &Exported) -> String {
    let Exported { captures, revisits, bytes } = exported;
    json!({ "path": path.to_string_lossy(), "captures": captures, "revisits": revisits, "bytes": bytes }).to_string()
}
