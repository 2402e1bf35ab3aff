//! `kuai show`: a captured body, byte for byte.

use std::io::{self, Write};

use kuai::Capture;

use crate::Outcome;
use crate::place::{PageAt, Place};

/// Write a captured body byte for byte: the latest version at or before a time.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kuai show https://example.org/ > page.html
  kuai show https://example.org/ --at 20240131235959
  kuai show https://example.org/ --headers     status line and headers first")]
pub(crate) struct Show {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    page: PageAt,
    /// Write the status line and the headers too.
    #[arg(long)]
    headers: bool,
}

impl Show {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let snapshot = match self.place.read()?.snapshot(&self.page.url, self.page.at) {
            Err(error @ (kuai::Error::UnknownUrl { .. } | kuai::Error::NoVersion { .. })) => {
                anstream::eprintln!("kuai: {error}");
                return Ok(Outcome::Nothing);
            }
            snapshot => snapshot?,
        };
        // Bytes go out as they are: no colours are taken away, no line ends changed.
        let mut out = io::stdout().lock();
        if self.headers {
            out.write_all(&head(&snapshot.capture))?;
        }
        out.write_all(&snapshot.capture.body)?;
        out.flush()?;
        Ok(Outcome::Done)
    }
}

/// The status line and the headers as HTTP sends them.
fn head(capture: &Capture) -> Vec<u8> {
    let mut head = format!("{} {} {}", capture.protocol, capture.status, capture.reason).trim_end().as_bytes().to_vec();
    head.extend(b"\r\n");
    for (name, value) in &capture.headers {
        head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    head.extend(b"\r\n");
    head
}
