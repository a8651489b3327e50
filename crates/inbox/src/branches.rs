//! The branches that are checked out in the folders that asks come from.

use holdpoint::visible;
use holdpoint_workspace::git;
use std::{collections::HashMap, path::Path};

/// The branches of these folders, fit to be shown; those that are in no working copy are left out.
pub(crate) async fn branches(folders: Vec<String>) -> HashMap<String, String> {
    let read = move || {
        let mut branches = HashMap::new();
        for folder in folders {
            if !branches.contains_key(&folder)
                && let Some(branch) = git::branch(Path::new(&folder))
            {
                branches.insert(folder, visible(&branch).into_owned());
            }
        }
        branches
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[tokio::test]
    async fn a_branch_shows_what_it_hides() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(".git")).unwrap();
        let head = "ref: refs/heads/pay\u{202e}lru\n";
        fs::write(root.path().join(".git/HEAD"), head).unwrap();
        let folder = root.path().to_str().unwrap().to_owned();
        let found = branches(vec![folder.clone(), "/nowhere".into()]).await;
        let expected = [(folder, "pay⟨U+202E⟩lru".to_owned())];
        assert_eq!(found, expected.into());
    }
}
