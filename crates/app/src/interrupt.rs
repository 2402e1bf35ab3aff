//! Ctrl-C, asked about between two steps of long work, so that what is done stays done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user asked to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C only raises the flag; a second one ends the program at once.
    pub(crate) fn watch() -> Interrupt {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        // An error says that somebody watches already; then Ctrl-C ends the program as it always did.
        let _ = ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        Interrupt(flag)
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
