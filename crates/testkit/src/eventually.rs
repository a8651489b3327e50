//! Waiting for what comes soon, with a deadline: a test fails, it does not hang.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Long, because a loaded machine is slow; what is waited for comes at once elsewhere.
pub const PATIENCE: Duration = Duration::from_secs(60);

const PAUSE: Duration = Duration::from_millis(2);

/// Looks again until it is there, and gives it. Other tasks run in between, and tokio's clock, if it is
/// paused, stays where it is.
#[track_caller]
pub fn eventually<T, F>(what: &str, mut find: F) -> impl Future<Output = T>
where
    F: AsyncFnMut() -> Option<T>,
{
    let caller = std::panic::Location::caller();
    async move {
        let started = Instant::now();
        loop {
            // Many looks between two pauses: what only needs other tasks to run comes without one.
            for _ in 0..100 {
                if let Some(found) = find().await {
                    return found;
                }
                tokio::task::yield_now().await;
            }
            assert!(
                started.elapsed() < PATIENCE,
                "{caller}: {what} is still not there"
            );
            thread::sleep(PAUSE);
        }
    }
}

/// Looks again until it is there, and gives it, on a thread of its own.
#[track_caller]
pub fn eventually_blocking<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "{what} is still not there");
        thread::sleep(10 * PAUSE);
    }
}
