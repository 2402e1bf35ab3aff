//! Fetches from the sample web as if it were the Web at another time: hosts are found at their doors, and captures bear the sample's moment.

use kuai_crawl::{Fetch, FetchError, FetchOptions, FetchRequest, Web};
use kuai_page::{Capture, Url};

use crate::town::Town;

/// The Web of the past, which has four hosts.
pub(crate) struct Past<'a> {
    town: &'a Town,
    web: Web,
}

impl<'a> Past<'a> {
    pub(crate) fn new(town: &'a Town) -> Result<Past<'a>, FetchError> {
        let options = FetchOptions { allow_private: true, ..FetchOptions::default() };
        Ok(Past { town, web: Web::new(&options)? })
    }

    /// Where an address of the past is served now.
    fn door(&self, url: &Url) -> Option<Url> {
        let (_, door) = self.town.doors().iter().find(|(host, _)| url.host_str() == Some(host))?;
        let mut there = url.clone();
        there.set_ip_host(door.ip()).ok()?;
        there.set_port(Some(door.port())).ok()?;
        Some(there)
    }
}

impl Fetch for Past<'_> {
    async fn fetch(&self, request: &FetchRequest) -> Result<Capture, FetchError> {
        let there = self.door(&request.url).ok_or_else(|| FetchError::Address(request.url.clone()))?;
        let mut capture = self.web.fetch(&FetchRequest { url: there, ..request.clone() }).await?;
        capture.time = self.town.moment();
        capture.url = request.url.clone();
        for (name, value) in &mut capture.request.headers {
            if name == "host" {
                *value = request.url.host_str().unwrap_or_default().as_bytes().to_vec();
            }
        }
        Ok(capture)
    }
}
