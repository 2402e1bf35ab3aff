//! What all requests share.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use kuai_page::Url;

use crate::drafts::Drafts;
use crate::finder::Finder;
use crate::guard::Guard;
use crate::holdings::{Holdings, Moment};
use crate::jobs::Jobs;
use crate::metrics::Metrics;
use crate::options::Limits;
use crate::origins::Names;
use crate::readers::Readers;
use crate::refusal::Refusal;

/// A handle on it.
#[derive(Clone)]
pub(crate) struct Shared(Arc<State>);

/// The archive, and by whom and how much of it may be read.
pub(crate) struct State {
    pub(crate) holdings: Arc<Holdings>,
    /// The search index of the archive.
    pub(crate) finder: Finder,
    /// Where the archive lies, where it lies anywhere.
    pub(crate) place: Option<PathBuf>,
    /// The folder for what belongs to it on this machine.
    pub(crate) folder: Option<PathBuf>,
    /// The crawls under this server.
    pub(crate) jobs: Jobs,
    /// Pages that somebody is looking into.
    pub(crate) drafts: Drafts,
    pub(crate) guard: Guard,
    pub(crate) metrics: Metrics,
    pub(crate) readers: Readers,
    pub(crate) names: Names,
    pub(crate) limits: Limits,
    /// What the addresses hold from which archived pages may read each other. Nobody else can guess it.
    pub(crate) token: String,
}

impl Shared {
    pub(crate) fn new(state: State) -> Shared {
        Shared(Arc::new(state))
    }

    /// Does something with the archive on a thread of its own.
    pub(crate) async fn with_holdings<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Holdings) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let holdings = Arc::clone(&self.holdings);
        self.readers.run(move || work(&holdings)).await
    }

    /// When an address was captured; nothing where it is unknown.
    pub(crate) async fn moments(&self, url: &Url) -> Result<Vec<Moment>, Refusal> {
        let url = url.clone();
        self.with_holdings(move |holdings| Ok(holdings.moments(&url)?)).await
    }
}

impl Deref for Shared {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}
