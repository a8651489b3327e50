//! Objects that are what their ids say. Git does not check that when it reads one, so whoever can write
//! into the repository could show one content and have another committed. Every object that counts is
//! copied into a store of ours, where its id is computed anew; one that lies is then missing, and git
//! fails.

use super::{
    GitError,
    change::{Change, parse_changes},
    command::expect,
    message::{people, subject},
    stand_in::StandIn,
};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
};

/// The most commits between the one that was seen and HEAD.
const MOST_COMMITS: usize = 5000;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub sha: String,
    /// The ids of its parents.
    pub parents: Vec<String>,
    /// Who it is by, as `Ada <ada@example.org>`, and who committed it where that is somebody else.
    pub author: String,
    /// Its message.
    pub message: String,
    /// The first line of its message.
    pub subject: String,
    /// The id of its tree.
    pub(super) tree: String,
}

impl StandIn<'_> {
    /// Copies objects of the repository, and computes their ids anew.
    pub async fn copy(&self, ids: impl IntoIterator<Item = String>) -> Result<(), GitError> {
        let ids: BTreeSet<String> = ids.into_iter().collect();
        if ids.is_empty() {
            return Ok(());
        }
        let mut list = ids.into_iter().collect::<Vec<_>>().join("\n");
        list.push('\n');
        let unchecked = self.at("unchecked");
        let pack = self.originals(["pack-objects", "-q", "--window=0"]);
        let pack = pack.argument(&unchecked).input(list).text().await?;
        let from = self.at(&format!("unchecked-{pack}.pack"));
        let to = self.at("store/pack").join(format!("pack-{pack}.pack"));
        let index = self.showing(["index-pack", "-o"]);
        let index = index.argument(to.with_extension("idx")).argument(&from);
        index.text().await?;
        fs::rename(from, to)?;
        Ok(())
    }

    /// A commit of the repository.
    pub async fn commit(&self, id: &str) -> Result<Commit, GitError> {
        self.copy([id.to_owned()]).await?;
        let text = self.showing(["cat-file", "commit", id]).text().await?;
        let (headers, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let values = |name: &str| {
            let lines = headers
                .lines()
                .take_while(|line| !line.starts_with("author "));
            let values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            values.map(str::to_owned).collect::<Vec<_>>()
        };
        let person = |name: &str| headers.lines().find_map(|line| line.strip_prefix(name));
        let author = [person("author "), person("committer ")];
        Ok(Commit {
            sha: id.to_owned(),
            parents: values("parent"),
            author: people(author.into_iter().flatten()),
            message: message.to_owned(),
            subject: subject(message),
            tree: expect(values("tree").pop(), "cat-file")?,
        })
    }

    /// The tree of these paths alone, as a commit has it. With `content`, their blobs are copied too.
    pub async fn tree_of(
        &self,
        commit: &Commit,
        paths: &[String],
        content: bool,
    ) -> Result<String, GitError> {
        let paths: &[String] = if paths.iter().any(|path| path == ".") {
            &[]
        } else {
            paths
        };
        let list = |more: &[&'static str]| {
            let fixed = ["ls-tree", "-r", "-z", "--full-tree"];
            let arguments = fixed.iter().chain(more).copied();
            arguments
                .chain([commit.tree.as_str()])
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        self.copy([commit.tree.clone()]).await?;
        let needed = self.originals(list(&["-t"])).paths(paths).bytes().await?;
        let needed = String::from_utf8_lossy(&needed).into_owned();
        let ids = needed.split('\0').filter_map(|line| {
            let mut words = line.split_once('\t')?.0.split(' ').skip(1);
            let (kind, id) = (words.next()?, words.next()?);
            (kind == "tree" || (content && kind == "blob")).then(|| id.to_owned())
        });
        self.copy(ids).await?;
        let entries = self.showing(list(&[])).paths(paths).bytes().await?;
        self.forget_listed()?;
        let listed = self.showing(["update-index", "-z", "--index-info"]);
        listed.input(entries).checked().await?;
        self.showing(["write-tree", "--missing-ok"]).text().await
    }

    /// The tree without any file.
    pub async fn empty_tree(&self) -> Result<String, GitError> {
        let empty = ["hash-object", "-w", "-t", "tree", "--stdin"];
        self.showing(empty).text().await
    }

    /// What changes from one tree to another.
    pub async fn changes(&self, from: &str, to: &str) -> Result<Vec<Change>, GitError> {
        let raw = [
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--no-renames",
            "--no-abbrev",
            from,
            to,
        ];
        parse_changes(&self.showing(raw).bytes().await?)
    }

    /// What changes from one commit to another, in all files.
    pub async fn all_changes(
        &self,
        from: Option<&Commit>,
        to: &Commit,
    ) -> Result<Vec<Change>, GitError> {
        let base = match from {
            Some(commit) => commit.tree.clone(),
            None => self.empty_tree().await?,
        };
        let trees = [
            "diff-tree",
            "-r",
            "-t",
            "-z",
            "--raw",
            "--no-renames",
            "--no-abbrev",
        ];
        let trees = match from {
            Some(_) => {
                let trees = trees
                    .iter()
                    .copied()
                    .chain([base.as_str(), to.tree.as_str()]);
                parse_changes(&self.originals(trees).bytes().await?)?
            }
            None => Vec::new(),
        };
        let sides = trees
            .iter()
            .flat_map(|change| [&change.before, &change.after]);
        let sides = sides.flatten().filter(|side| side.mode == "040000");
        let ids: Vec<_> = sides.map(|side| side.id.clone()).collect();
        self.copy(ids.into_iter().chain([to.tree.clone()])).await?;
        match from {
            Some(commit) => self.copy([commit.tree.clone()]).await?,
            // Every tree of the first commit is new.
            None => drop(self.tree_of(to, &[".".to_owned()], false).await?),
        }
        self.changes(&base, &to.tree).await
    }

    /// Whether a commit has another one among those before it, by commits that were checked. Grafts,
    /// replaced objects and the commit graph, which could say anything, do not count.
    pub async fn descends(&self, from: &str, to: &str) -> Result<bool, GitError> {
        if from == to {
            return Ok(true);
        }
        let (most, range) = (
            format!("--max-count={MOST_COMMITS}"),
            format!("{from}..{to}"),
        );
        let between = ["rev-list", "--ancestry-path", most.as_str(), range.as_str()];
        let between = self.originals(between).text().await?;
        if between.is_empty() {
            return Ok(false);
        }
        self.copy(between.lines().map(str::to_owned)).await?;
        let parents = self.showing(["rev-list", "--no-walk", "--parents", "--stdin"]);
        let parents = parents.input(format!("{between}\n")).text().await?;
        let lines = parents.lines().map(|line| {
            let mut ids = line.split(' ');
            (ids.next().unwrap_or_default(), ids.collect::<Vec<_>>())
        });
        let parents: HashMap<_, _> = lines.collect();
        let (mut seen, mut next) = (HashSet::new(), vec![to]);
        while let Some(commit) = next.pop() {
            if commit == from {
                return Ok(true);
            }
            if seen.insert(commit) {
                next.extend(parents.get(commit).into_iter().flatten());
            }
        }
        Ok(false)
    }
}
