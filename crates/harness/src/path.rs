//! Paths on whatever system the harness runs.

/// Whether a path begins at a root, on whatever system the harness runs.
pub(crate) fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || is_windows(path)
}

/// Whether a path is one of Windows: `C:\…`.
pub(crate) fn is_windows(path: &str) -> bool {
    let mut bytes = path.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic()) && bytes.next() == Some(b':')
}

/// A folder that a tool names for itself, seen from the one that the agent works in.
pub(crate) fn folder_in(folder: &str, named: &str) -> String {
    if is_absolute(named) {
        return named.to_owned();
    }
    let divider = if is_windows(folder) { '\\' } else { '/' };
    format!("{}{divider}{named}", folder.trim_end_matches(['/', '\\']))
}
