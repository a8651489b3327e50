//! What was committed, beside what was shown.

use super::{
    Change, Commit, Git, GitError, Side, Staged, change::is_in, staged::MOST_FILES,
    stand_in::StandIn,
};

/// What HEAD is, beside what was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// HEAD's commit.
    pub head: Commit,
    /// Its branch; none where HEAD is detached.
    pub branch: Option<String>,
    /// It is the commit that HEAD was, or comes after it.
    pub descends: bool,
    /// Its files are those that were shown, to the byte and the mode.
    pub is_same: bool,
    /// What it has of these files that is not what was shown, in words, one for each file.
    pub differences: Vec<String>,
    /// The other files that changed since.
    pub others: Vec<String>,
}

impl Git {
    /// HEAD's commit; none in a repository without any.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn head(&self) -> Result<Option<Commit>, GitError> {
        match self.head_id().await? {
            Some(id) => Ok(Some(StandIn::new(self).await?.commit(&id).await?)),
            None => Ok(None),
        }
    }

    /// What HEAD is now, beside what was shown of these files; none in a repository without a commit.
    ///
    /// # Errors
    /// When git cannot say.
    pub async fn compare(
        &self,
        staged: &Staged,
        files: &[String],
    ) -> Result<Option<Found>, GitError> {
        let stand_in = StandIn::new(self).await?;
        let Some(id) = self.head_id().await? else {
            return Ok(None);
        };
        let head = stand_in.commit(&id).await?;
        let branch = self.branch().await?;
        let descends = match &staged.head {
            Some(seen) => stand_in.descends(seen, &id).await?,
            None => true,
        };
        let mut found = Found {
            head,
            branch,
            descends,
            is_same: false,
            differences: Vec::new(),
            others: Vec::new(),
        };
        let paths = self.paths_from_top(files);
        let seen = match &staged.head {
            Some(seen) => Some(stand_in.commit(seen).await?),
            None => None,
        };
        let before = match &seen {
            Some(seen) if !files.is_empty() => stand_in.tree_of(seen, &paths, false).await?,
            _ => stand_in.empty_tree().await?,
        };
        let after = if files.is_empty() {
            before.clone()
        } else {
            stand_in.tree_of(&found.head, &paths, false).await?
        };
        found.is_same = after == staged.tree;
        if !found.is_same {
            let committed = stand_in.changes(&before, &after).await?;
            found.differences = if staged.changes.len() < MOST_FILES {
                differences(&staged.changes, &committed)
            } else {
                vec!["some of many files differ".to_owned()]
            };
        }
        if descends {
            let all = stand_in.all_changes(seen.as_ref(), &found.head).await?;
            let all = all.into_iter().map(|change| change.path);
            found.others = all.filter(|path| !is_in(path, &paths)).collect();
        }
        Ok(Some(found))
    }
}

/// What of the changes that were committed is not what was shown.
fn differences(shown: &[Change], committed: &[Change]) -> Vec<String> {
    let find =
        |changes: &[Change], path: &str| changes.iter().find(|change| change.path == path).cloned();
    let mut all: Vec<_> = shown
        .iter()
        .chain(committed)
        .map(|change| &change.path)
        .collect();
    all.sort();
    all.dedup();
    let difference = |path: &String| {
        let words = match (find(shown, path), find(committed, path)) {
            (Some(shown), Some(committed)) if shown.after == committed.after => return None,
            (Some(shown), Some(committed)) => format!(
                "was shown as {} and is committed as {}",
                side(&shown.after),
                side(&committed.after)
            ),
            (Some(shown), None) => {
                format!("was shown as {} and is not committed", side(&shown.after))
            }
            (None, Some(committed)) => format!(
                "was shown without a change and is committed as {}",
                side(&committed.after)
            ),
            (None, None) => return None,
        };
        Some(format!("{path:?} {words}"))
    };
    all.into_iter().filter_map(difference).collect()
}

fn side(side: &Option<Side>) -> String {
    match side {
        Some(Side { mode, id }) => {
            let kind = match mode.as_str() {
                "100644" => "",
                "100755" => ", executable",
                "120000" => ", a link",
                "160000" => ", a submodule",
                _ => ", of another mode",
            };
            format!("{}{kind}", id.get(..10).unwrap_or(id))
        }
        None => "deleted".to_owned(),
    }
}
