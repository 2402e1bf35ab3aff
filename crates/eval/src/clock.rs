//! The time that this thread has worked, so that figures mean the same on a busy machine.

/// Seconds since some moment, of use only as differences on one thread.
#[cfg(unix)]
pub(crate) fn thread_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds since some moment, of use only as differences.
#[cfg(not(unix))]
pub(crate) fn thread_seconds() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}
