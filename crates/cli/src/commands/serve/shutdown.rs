//! Waiting for the signal to stop.

/// Completes when the process gets SIGINT or SIGTERM.
///
/// # Errors
/// When the process cannot listen to signals.
#[cfg(unix)]
pub fn requested() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Completes when the process is told to stop.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn requested() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
