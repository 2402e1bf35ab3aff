//! A line of an answer: a capture, in the forms that other tools read.

use std::borrow::Cow;

use serde_json::Value;

use crate::holdings::{Detail, Moment};
use crate::refusal::Refusal;
use crate::stamp::stamp;

/// The fields of a line in their order.
const FIELDS: [&str; 7] = ["urlkey", "timestamp", "url", "mime", "status", "digest", "length"];

/// Fields that stand before the JSON of a CDXJ line.
const KEY_FIELDS: usize = 2;

/// The type of a capture that only says that nothing changed.
const REVISIT: &str = "warc/revisit";

/// One capture.
pub(super) struct Line<'a> {
    pub(super) key: &'a str,
    pub(super) moment: &'a Moment,
    /// Where it was asked for.
    pub(super) detail: Option<&'a Detail>,
    pub(super) resolves_revisits: bool,
}

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Key, time, and the rest as JSON.
    Cdxj,
    /// A JSON object a line.
    Json,
    /// The values with blanks between them.
    Text,
}

impl Output {
    pub(super) fn read(name: &str) -> Result<Output, Refusal> {
        match name {
            "cdxj" => Ok(Output::Cdxj),
            "json" => Ok(Output::Json),
            "text" => Ok(Output::Text),
            _ => Err(Refusal::bad_request(format!("output={name} is not known: it is cdxj, json or text"))),
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Output::Cdxj => "text/x-cdxj",
            Output::Json => "text/x-ndjson",
            Output::Text => "text/plain",
        }
    }
}

/// The one name of a field that goes by several.
pub(super) fn field_name(name: &str) -> &str {
    match name {
        "original" | "u" => "url",
        "mimetype" | "m" => "mime",
        "statuscode" => "status",
        "d" => "digest",
        "t" => "timestamp",
        "k" => "urlkey",
        "l" | "s" => "length",
        name => name,
    }
}

impl Line<'_> {
    /// What a field says; `None` where there is none of this name.
    pub(super) fn value(&self, field: &str) -> Option<Cow<'_, str>> {
        let version = &self.moment.version;
        Some(match field {
            "urlkey" => self.key.into(),
            "timestamp" => stamp(self.moment.time).into(),
            "url" => self.moment.url.as_str().into(),
            "mime" if self.moment.is_again && !self.resolves_revisits => REVISIT.into(),
            "mime" => self.detail?.mime.as_str().into(),
            "status" => version.status.to_string().into(),
            "digest" => self.detail?.digest.as_str().into(),
            "length" => version.bytes.to_string().into(),
            _ => return None,
        })
    }

    /// The line as it is given, its end included.
    pub(super) fn written(&self, output: Output, fields: Option<&[String]>) -> String {
        match output {
            Output::Cdxj => self.cdxj(fields) + "\n",
            Output::Json => self.json(&self.names(fields, 0)) + "\n",
            Output::Text => {
                let fields: Vec<&str> = match fields {
                    Some(fields) => fields.iter().map(String::as_str).collect(),
                    None => return self.cdxj(None) + "\n",
                };
                let values: Vec<Cow<'_, str>> =
                    fields.iter().map(|name| self.value(name).unwrap_or("-".into())).collect();
                values.join(" ") + "\n"
            }
        }
    }

    pub(super) fn cdxj(&self, fields: Option<&[String]>) -> String {
        format!("{} {} {}", self.key, stamp(self.moment.time), self.json(&self.names(fields, KEY_FIELDS)))
    }

    /// The fields to write: those that were asked for, or all behind the first so many.
    fn names<'a>(&self, fields: Option<&'a [String]>, skipped: usize) -> Vec<&'a str> {
        match fields {
            Some(fields) => {
                fields.iter().map(String::as_str).filter(|name| !FIELDS[..skipped].contains(name)).collect()
            }
            None => FIELDS[skipped..].to_vec(),
        }
    }

    /// An object with the blanks that pywb writes.
    fn json(&self, names: &[&str]) -> String {
        let known = names.iter().filter_map(|name| Some((name, self.value(name)?)));
        let pairs = known.map(|(name, value)| format!("\"{name}\": {}", Value::from(value)));
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
    }
}
