//! The desktop's own notifications.

use super::{HookError, News};

/// Shows a notification. Where this build has none, it says so.
#[cfg(feature = "desktop")]
pub fn show(news: &News) -> Result<(), HookError> {
    // Desktops read a little HTML in the body.
    let body = news.line().replace('&', "&amp;").replace('<', "&lt;");
    let shown = notify_rust::Notification::new()
        .appname("Holdpoint")
        .summary(&news.title())
        .body(&body)
        .show();
    shown
        .map(drop)
        .map_err(|error| HookError::Failed(error.to_string()))
}

/// Shows a notification. Where this build has none, it says so.
#[cfg(not(feature = "desktop"))]
pub fn show(_: &News) -> Result<(), HookError> {
    Err(HookError::Failed(
        "this build has no desktop notifications: build it with --features desktop".into(),
    ))
}
