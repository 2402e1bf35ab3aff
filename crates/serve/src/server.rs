//! The server: two listeners on one archive, until it is told to stop.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use kuai::Archive;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::drafts::Drafts;
use crate::finder::Finder;
use crate::following::Following;
use crate::guard::Guard;
use crate::holdings::Holdings;
use crate::jobs::Jobs;
use crate::metrics::Metrics;
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
    /// Others could reach the server, and nobody said who may come in.
    #[error(
        "{address} is reached by others than this machine's users, so it has to be said who may come in:\n  \
         kuai serve password --name anna --role admin >> access.txt   asks for a password\n  \
         kuai serve token --name backup --role read >> access.txt     makes a token for programs\n\
         and then --access access.txt; --allow-public lets everybody read"
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
        let folder = options.place.as_deref().map(kuai::local_folder).transpose()?;
        let shared = Shared::new(State {
            holdings: Arc::new(Holdings::new(archive)?),
            finder: Finder::new(folder.as_deref().map(kuai::search_folder)),
            place: options.place.clone(),
            jobs: Jobs::new(
                options.place.as_deref().zip(folder.as_deref()),
                options.limits.crawls,
                options.contact.clone(),
            ),
            folder,
            guard: Guard::new(&options, addresses.map(|address| address.port())).map_err(no_random_numbers)?,
            metrics: Metrics::default(),
            drafts: Drafts::default(),
            readers: Readers::new(&options.limits),
            names: Names::new(&options, addresses[0], addresses[1]),
            limits: options.limits.clone(),
            token: token().map_err(no_random_numbers)?,
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
        let jobs = self.shared.jobs.clone();
        let served = runtime.block_on(self.serve(is_over));
        jobs.close();
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
    if both[0] == both[1] && both[0].port() != 0 {
        return Err(ServeError::SameOrigin { address: both[0] });
    }
    let origins = [&options.origin, &options.replay_origin];
    match origins.into_iter().flatten().find(|origin| !is_origin(origin)) {
        Some(origin) => Err(ServeError::BadOrigin { origin: origin.clone() }),
        None if options.is_public() && options.access.is_none() && !options.allow_public => {
            Err(ServeError::Public { address: options.listen })
        }
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

/// Something that nobody guesses.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(HEXLOWER.encode(&bytes))
}

fn no_random_numbers(error: getrandom::Error) -> ServeError {
    ServeError::Start(io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use tower_service::Service;

    use super::*;
    use crate::{Access, Role};

    /// The paths of a router, which it tells nobody but those who look for faults.
    fn paths(router: &axum::Router) -> BTreeSet<String> {
        let told = format!("{router:?}");
        told.split('"').filter(|part| part.starts_with('/')).map(str::to_owned).collect()
    }

    #[test]
    fn every_route_is_closed_to_strangers_but_for_the_way_in() {
        let access = Access::default().with_token("a", Role::Admin, "a-token-that-is-long-enough");
        let options = Options { access: access.ok(), ..Options::new(([127, 0, 0, 1], 0).into()) };
        let server = Server::bind(kuai::in_memory(), options).expect("it listens");
        let mut router = main_side::router(server.shared.clone());
        let paths = paths(&router);
        assert!(paths.len() >= 10 && paths.contains("/cdx") && paths.contains("/metrics"), "{paths:?}");
        let open = ["/login", "/logout", "/health", "/assets/{name}"];
        let runtime = runtime().expect("a runtime");
        for path in paths.iter().filter(|path| !open.contains(&path.as_str())) {
            for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
                let address = path.replace(['{', '}', '*'], "");
                let request = Request::builder().method(method).uri(&address).header("host", "127.0.0.1");
                let request = request.body(Body::empty()).expect("a request");
                let answer = runtime.block_on(router.call(request)).expect("routers do not fail");
                assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{method} {address}");
            }
        }
    }
}
