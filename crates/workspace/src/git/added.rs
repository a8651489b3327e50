//! Files as git would store them, without `git add`: in a store of ours.

use super::{GitError, change::path_text, stand_in::StandIn};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};

/// A file with its filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilteredFile {
    /// The file, from the folder that has `.git` in it.
    pub path: String,
    /// What the filter is called.
    pub filter: String,
}

/// The files as git would store them.
pub(super) struct Added {
    pub tree: String,
    /// The paths that git has, before or after.
    paths: BTreeSet<String>,
    pub unfiltered: Vec<FilteredFile>,
    pub filters: Vec<String>,
}

impl Added {
    /// Whether git has a path, or something below it.
    pub fn holds(&self, file: &str) -> bool {
        let folder = format!("{file}/");
        let mut below = self.paths.range(folder.clone()..);
        (file == "." && !self.paths.is_empty())
            || self.paths.contains(file)
            || below.next().is_some_and(|path| path.starts_with(&folder))
    }
}

impl StandIn<'_> {
    /// Stores the files of these paths as `git add` would, but in the store of the stand-in.
    pub async fn add(&self, before: &str, paths: &[String]) -> Result<Added, GitError> {
        let mut added = Added {
            tree: before.to_owned(),
            paths: BTreeSet::new(),
            unfiltered: Vec::new(),
            filters: Vec::new(),
        };
        if paths.is_empty() {
            return Ok(added);
        }
        self.adding(["read-tree", before]).checked().await?;
        let mut list = self.adding(["ls-files", "-z"]).bytes().await?;
        let new = ["ls-files", "-z", "--others", "--exclude-standard"];
        let new = self.adding(new).paths(paths).bytes().await?;
        // A repository in this one is listed as a folder, and stored as the commit that it is at.
        for path in new.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            list.extend_from_slice(path.strip_suffix(b"/").unwrap_or(path));
            list.push(0);
        }
        let absent = self.left_out_of_checkout(paths).await?;
        let (behind_link, list) = self.sort_out(&list, &absent);
        let all = list.split(|byte| *byte == 0);
        let all = all.chain(behind_link.split(|byte| *byte == 0));
        let all = all.filter(|path| !path.is_empty());
        added.paths = all.map(path_text).collect();
        if !behind_link.is_empty() {
            let gone = ["update-index", "-z", "--force-remove", "--stdin"];
            self.adding(gone).input(behind_link).checked().await?;
        }
        let config = self.choose_filters(&list, &mut added).await?;
        let store = [
            "update-index",
            "-z",
            "--add",
            "--remove",
            "--replace",
            "--stdin",
        ];
        let store = self.adding(store).config(&config).input(list);
        store.checked().await?;
        added.tree = self.adding(["write-tree"]).text().await?;
        Ok(added)
    }

    /// The files that git keeps out of the working copy, as a sparse checkout does: that they are not
    /// there deletes nothing.
    async fn left_out_of_checkout(&self, paths: &[String]) -> Result<BTreeSet<Vec<u8>>, GitError> {
        let listed = self.git.ask(["ls-files", "-t", "-z"]).paths(paths);
        let listed = listed.bytes().await?;
        let entries = listed.split(|byte| *byte == 0);
        let skipped = entries.filter_map(|entry| entry.strip_prefix(b"S "));
        let absent = skipped.filter(|path| self.at_top(path).symlink_metadata().is_err());
        Ok(absent.map(<[u8]>::to_vec).collect())
    }

    /// The paths of a list that now lie behind a link, so that git has them no more, and the others
    /// without those that are absent.
    fn sort_out(&self, list: &[u8], absent: &BTreeSet<Vec<u8>>) -> (Vec<u8>, Vec<u8>) {
        let (mut behind, mut rest) = (Vec::new(), Vec::new());
        let mut links = HashMap::new();
        for path in list
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty())
        {
            if absent.contains(path) {
                continue;
            }
            let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            let mut folders = ends.map(|(end, _)| &path[..end]);
            let is_behind = folders.any(|folder| {
                let is_link = || self.at_top(folder).is_symlink();
                *links.entry(folder.to_vec()).or_insert_with(is_link)
            });
            let into = if is_behind { &mut behind } else { &mut rest };
            into.extend_from_slice(path);
            into.push(0);
        }
        (behind, rest)
    }

    /// A file of the working copy.
    fn at_top(&self, path: &[u8]) -> PathBuf {
        #[cfg(unix)]
        let path: &Path = {
            use std::os::unix::ffi::OsStrExt;
            Path::new(std::ffi::OsStr::from_bytes(path))
        };
        #[cfg(not(unix))]
        let path = path_text(path);
        #[cfg(not(unix))]
        let path = Path::new(&path);
        self.git.top.join(path)
    }

    /// Which of the filters that these files have are run, and what git is told of them.
    async fn choose_filters(
        &self,
        list: &[u8],
        added: &mut Added,
    ) -> Result<Vec<(String, String)>, GitError> {
        let mut config = Vec::new();
        if self.settings.filters.is_empty() {
            return Ok(config);
        }
        let ask = self.adding(["check-attr", "-z", "--stdin", "filter"]);
        let answer = ask.input(list).bytes().await?;
        let parts: Vec<_> = answer.split(|byte| *byte == 0).collect();
        for part in parts.chunks_exact(3) {
            let (path, filter) = (path_text(part[0]), path_text(part[2]));
            if !self.settings.filters.contains_key(&filter) || added.filters.contains(&filter) {
                continue;
            }
            let allowed = self.git.filters.contains(&filter);
            match self.settings.filter(&filter).filter(|_| allowed) {
                Some(own) => {
                    config.extend_from_slice(own);
                    added.filters.push(filter);
                }
                None => added.unfiltered.push(FilteredFile { path, filter }),
            }
        }
        Ok(config)
    }
}
