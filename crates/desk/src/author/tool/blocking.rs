//! Work that takes long, where it holds nobody up.

/// Runs what reads and writes files, or computes for long, on a thread of its own.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The process is ending, and nobody waits for this any more.
            Err(_) => std::future::pending().await,
        },
    }
}
