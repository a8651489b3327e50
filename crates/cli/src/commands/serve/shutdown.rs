//! Being told to stop.

/// Ends when the process is told to stop: SIGINT or SIGTERM.
///
/// # Errors
/// When the process cannot listen to signals.
#[cfg(unix)]
pub fn stop() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
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

/// Ends when the process is told to stop.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn stop() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
