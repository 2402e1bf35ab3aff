//! A thread that follows the archive for the pages: counts what came in, and takes it into the search index.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kuai::search::Error;

use crate::shared::Shared;

/// How often it looks whether something came in, and whether it is over.
const LOOK_EVERY: Duration = Duration::from_secs(2);
const STOP_CHECK: Duration = Duration::from_millis(100);

/// How long the search index takes in before what it has so far can be asked.
const SHOW_EVERY: Duration = Duration::from_secs(10);

/// The thread, until this goes.
pub(crate) struct Following {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Following {
    pub(crate) fn start(shared: Shared) -> std::io::Result<Following> {
        let is_over = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_over);
        let thread = thread::Builder::new().name("kuai-follow".to_owned()).spawn(move || {
            let goes_on = || !told.load(Ordering::Relaxed);
            while goes_on() {
                let is_done = follow(&shared, &goes_on);
                if is_done {
                    rest(&goes_on);
                }
            }
        })?;
        Ok(Following { is_over, thread: Some(thread) })
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // A thread that panicked has said so.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Takes in what is new, for a while. Tells whether there is time to rest.
fn follow(shared: &Shared, goes_on: &dyn Fn() -> bool) -> bool {
    let archive = shared.holdings.archive();
    if let Err(error) = shared.holdings.tally().follow(archive, goes_on) {
        eprintln!("kuai: {error}");
        return true;
    }
    let started = Instant::now();
    let is_whole = shared.finder.is_in_memory();
    match shared.finder.follow(archive, &mut || goes_on() && (is_whole || started.elapsed() < SHOW_EVERY)) {
        Ok(is_done) => is_done,
        // Whoever writes to the index now takes in what we would.
        Err(Error::Locked { .. }) => true,
        Err(error) => {
            eprintln!("kuai: the search index: {error}");
            true
        }
    }
}

fn rest(goes_on: &dyn Fn() -> bool) {
    let started = Instant::now();
    while goes_on() && started.elapsed() < LOOK_EVERY {
        thread::sleep(STOP_CHECK);
    }
}
