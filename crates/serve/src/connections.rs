//! Accepts connections, so many at a time, and serves each until it ends, stalls, or the server is to stop.

use std::sync::Arc;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{Duration, sleep, timeout};
use tower_service::Service;

use crate::guard::Peer;
use crate::options::Limits;
use crate::stall::Stalling;

/// How long nothing is accepted after the system refused, as it does when it has no more file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves a listener until `stop` is done, then lets what was begun come to its end.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: impl Future<Output = ()>) {
    let seats = Arc::new(Semaphore::new(limits.connections.max(1)));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let seat = Arc::clone(&seats).acquire_owned().await.ok();
            (seat, listener.accept().await)
        };
        let (seat, accepted) = tokio::select! {
            () = &mut stop => break,
            accepted = accepted => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        // Small answers are not worth waiting for; a refusal means that the client has gone.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .serve_connection(TokioIo::new(Stalling::new(stream, limits.stall_time)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // What breaks a connection is the client's matter, and it knows.
            let _ = connection.await;
            drop(seat);
        });
    }
    drop(listener);
    let _ = timeout(limits.stop_time, graceful.shutdown()).await;
}
