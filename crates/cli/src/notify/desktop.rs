//! The desktop's own notifications.

use super::{HookError, Payload};

/// Shows a notification. Where this build has none, it says so.
#[cfg(feature = "desktop")]
pub fn show(payload: &Payload) -> Result<(), HookError> {
    // Desktops interpret some HTML in the body.
    let line = payload.line().replace('&', "&amp;").replace('<', "&lt;");
    let body = format!("{line}\n{}", payload.short_id);
    let shown = notify_rust::Notification::new()
        .appname("Holdpoint")
        .summary(&payload.title())
        .body(&body)
        .show();
    shown
        .map(drop)
        .map_err(|error| HookError::Failed(error.to_string()))
}

/// Shows a notification. Where this build has none, it says so.
#[cfg(not(feature = "desktop"))]
pub fn show(_: &Payload) -> Result<(), HookError> {
    Err(HookError::Failed(
        "this build has no desktop notifications: build it with --features desktop".into(),
    ))
}
