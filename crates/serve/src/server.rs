//! The server: two listeners on one archive, until it is told to stop.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use kuai::Archive;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::finder::Finder;
use crate::following::Following;
use crate::holdings::Holdings;
use crate::options::{Limits, Options};
use crate::origins::Names;
use crate::readers::Readers;
use crate::shared::{Shared, State};
use crate::{connections, main_side, replay};

/// How often it is asked whether to stop.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// A server that listens.
pub struct Server {
    listeners: [TcpListener; 2],
    addresses: [SocketAddr; 2],
    shared: Shared,
    limits: Limits,
}

/// Why a server could not begin, or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Others could read the archive, and nobody said that they may.
    #[error(
        "{address} can be reached from other machines, and there are no passwords yet: listen on 127.0.0.1, or say --allow-public if all may read"
    )]
    Public {
        /// Where it was to listen.
        address: SocketAddr,
    },
    /// Archived pages must not have the origin of the rest.
    #[error("archived pages need an address of their own: {address} is taken by the API")]
    SameOrigin {
        /// The address of both.
        address: SocketAddr,
    },
    /// An origin that was given is none.
    #[error("{origin:?} is no origin: write it like https://archive.example.org")]
    BadOrigin {
        /// What was given.
        origin: String,
    },
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}")]
    Listen {
        /// Where it was to listen.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] kuai::Error),
    /// The system gave no threads.
    #[error("cannot start")]
    Start(#[source] io::Error),
}

impl Server {
    /// Opens both listeners and looks through the archive's addresses. From now on connections are taken, and answered once it runs.
    pub fn bind(archive: Archive, options: Options) -> Result<Server, ServeError> {
        check(&options)?;
        let listeners = [listen(options.listen)?, listen(options.replay_listen)?];
        let [main, replay] = &listeners;
        let local = |listener: &TcpListener| listener.local_addr().map_err(ServeError::Start);
        let addresses = [local(main)?, local(replay)?];
        let shared = Shared::new(State {
            holdings: Arc::new(Holdings::new(archive)?),
            finder: Finder::new(options.folder.as_deref().map(kuai::search_folder)),
            folder: options.folder.clone(),
            readers: Readers::new(&options.limits),
            names: Names::new(&options, addresses[0], addresses[1]),
            limits: options.limits.clone(),
            token: token(),
        });
        Ok(Server { listeners, addresses, shared, limits: options.limits })
    }

    /// Where the API listens.
    pub fn address(&self) -> SocketAddr {
        self.addresses[0]
    }

    /// Where archived pages are served.
    pub fn replay_address(&self) -> SocketAddr {
        self.addresses[1]
    }

    /// Serves until `is_over` says so, then ends what was begun.
    pub fn run(self, is_over: impl Fn() -> bool) -> Result<(), ServeError> {
        let runtime = runtime().map_err(ServeError::Start)?;
        let stop_time = self.limits.stop_time;
        let _following = Following::start(self.shared.clone()).map_err(ServeError::Start)?;
        let served = runtime.block_on(self.serve(is_over));
        runtime.shutdown_timeout(stop_time);
        served.map_err(ServeError::Start)
    }

    async fn serve(self, is_over: impl Fn() -> bool) -> io::Result<()> {
        let (stop, stopped) = watch::channel(false);
        let routers = [main_side::router(self.shared.clone()), replay::router(self.shared)];
        let mut sides = Vec::new();
        for (listener, router) in self.listeners.into_iter().zip(routers) {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let mut stopped = stopped.clone();
            // An error means that nobody can stop it any more, which is as good as being told.
            let stopped = async move { _ = stopped.changed().await };
            sides.push(tokio::spawn(connections::serve(listener, router, self.limits.clone(), stopped)));
        }
        while !is_over() {
            sleep(STOP_CHECK).await;
        }
        _ = stop.send(true);
        for side in sides {
            _ = side.await;
        }
        Ok(())
    }
}

fn check(options: &Options) -> Result<(), ServeError> {
    let both = [options.listen, options.replay_listen];
    if let Some(address) = both.into_iter().find(|address| !options.allow_public && !address.ip().is_loopback()) {
        return Err(ServeError::Public { address });
    }
    if both[0] == both[1] && both[0].port() != 0 {
        return Err(ServeError::SameOrigin { address: both[0] });
    }
    let origins = [&options.origin, &options.replay_origin];
    match origins.into_iter().flatten().find(|origin| !is_origin(origin)) {
        Some(origin) => Err(ServeError::BadOrigin { origin: origin.clone() }),
        None => Ok(()),
    }
}

fn is_origin(text: &str) -> bool {
    let url = kuai_page::Url::parse(text).ok();
    url.is_some_and(|url| matches!(url.scheme(), "http" | "https") && url.path() == "/" && url.query().is_none())
}

fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let listener = TcpListener::bind(address).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    listener.map_err(|source| ServeError::Listen { address, source })
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().thread_name("kuai-serve").build()
}

/// Something that nobody guesses: hashes under keys that the standard library takes from the system.
fn token() -> String {
    let keys = RandomState::new();
    let half = |number: u8| {
        let mut hasher = keys.build_hasher();
        hasher.write_u8(number);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
