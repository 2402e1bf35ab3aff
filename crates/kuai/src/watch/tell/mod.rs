//! The ways of telling. Each is told the same alert under the same id, so that whoever hears it twice can know.

mod command;
mod feed;
mod mail;
#[cfg(test)]
mod sample;
mod webhook;

use kuai_page::Timestamp;

use super::alert::Alert;
use super::list::Way;
pub(super) use webhook::new_secret;

/// What is told.
pub(super) struct Message<'a> {
    pub(super) alert: &'a Alert,
    /// The alert as JSON.
    pub(super) json: &'a str,
    pub(super) now: Timestamp,
}

/// Tells; an error says what did not work, and with what.
pub(super) fn tell(way: &Way, message: &Message<'_>) -> Result<(), String> {
    match way {
        Way::Show => Ok(()),
        Way::Command { command } => command::tell(command, message.json, command::TIME_MAX),
        Way::Webhook { url, secret, allow_private } => webhook::tell(url, secret, *allow_private, message),
        Way::Mail { file } => mail::tell(file, message.alert),
        Way::Feed { file } => feed::tell(file, message.alert),
    }
}
