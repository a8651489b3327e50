//! Where symbolic links lead.

use std::{
    io,
    path::{Path, PathBuf},
};

/// What a link leads to in the end, wherever that is; it need not be there yet. Whoever replaces that
/// leaves the link as it is.
///
/// # Errors
/// When links lead in a circle.
pub fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match path.read_link() {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}
