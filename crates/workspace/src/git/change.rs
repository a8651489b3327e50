//! What changes in a file, by what git would store.

use super::{GitError, command::expect};
use serde::{Deserialize, Serialize};

/// What changes in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file, from the folder that has `.git` in it.
    pub path: String,
    /// What it was; none where it is new.
    pub before: Option<Side>,
    /// What it is; none where it is deleted.
    pub after: Option<Side>,
}

/// A file as git stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Its mode, in git's way: `100644`, `100755`, `120000` for a link, `160000` for a submodule.
    pub mode: String,
    /// The id of its content.
    pub id: String,
}

/// A file whose content is not text, which nobody can read in a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinaryChange {
    /// The file.
    pub path: String,
    /// What it was; none where it is new.
    pub before: Option<Blob>,
    /// What it is; none where it is deleted.
    pub after: Option<Blob>,
}

/// A content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blob {
    /// Its id.
    pub id: String,
    /// How many bytes it has.
    pub size: u64,
}

/// Changes in the form of `diff-tree -z --raw`.
pub(super) fn parse_changes(raw: &[u8]) -> Result<Vec<Change>, GitError> {
    let mut changes = Vec::new();
    let mut parts = raw.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    while let Some(about) = parts.next() {
        let about = String::from_utf8_lossy(about);
        let words: Vec<_> = about.trim_start_matches(':').split(' ').collect();
        let (&[old_mode, new_mode, old, new, _], Some(path)) = (words.as_slice(), parts.next())
        else {
            return expect(None, "diff-tree");
        };
        let side = |mode: &str, id: &str| {
            let there = mode != "000000";
            there.then(|| Side {
                mode: mode.to_owned(),
                id: id.to_owned(),
            })
        };
        changes.push(Change {
            path: path_text(path),
            before: side(old_mode, old),
            after: side(new_mode, new),
        });
    }
    Ok(changes)
}

/// A path as text; what is not UTF-8 in it is escaped.
pub(super) fn path_text(path: &[u8]) -> String {
    match std::str::from_utf8(path) {
        Ok(text) => text.to_owned(),
        Err(_) => path.escape_ascii().to_string(),
    }
}

/// The first of a list, and how many there are more.
pub fn listed(all: &[String]) -> String {
    const MOST: usize = 5;
    let shown = all.iter().take(MOST).cloned().collect::<Vec<_>>();
    let shown = shown.join(", ");
    match all.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Whether a path is one of these, or below one.
pub(super) fn is_in(path: &str, paths: &[String]) -> bool {
    let below = |folder: &String| {
        let rest = path.strip_prefix(folder.as_str());
        folder == "." || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    paths.iter().any(below)
}
