//! Errors of the disk in words for people and agents.

use std::io;

/// What an error of the disk means, without its number.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission is denied".into(),
        io::ErrorKind::NotADirectory => "it is not a folder".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        _ => error.to_string(),
    }
}
