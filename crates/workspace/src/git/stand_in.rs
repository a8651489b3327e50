//! A repository of ours that stands in for the one that is looked at: git finds no config in it, no
//! hooks, no remotes, no replaced objects and no flags in its index, since nobody but us wrote it.

use super::{Git, GitError, command::Run, settings::Settings};
use crate::read_file;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

/// The most bytes of a file that says what is ignored, or how files are stored.
const MOST_INFO: u64 = 1024 * 1024;

/// A stand-in for a repository.
pub(super) struct StandIn<'a> {
    pub git: &'a Git,
    pub settings: Settings,
    /// The repository's own objects.
    originals: PathBuf,
    /// The index that files are added to, apart from the one for [`StandIn::showing`].
    folder: tempfile::TempDir,
}

impl<'a> StandIn<'a> {
    /// A stand-in for this repository, which is not changed.
    pub async fn new(git: &'a Git) -> Result<Self, GitError> {
        let settings = Settings::read(git).await?;
        let (format, originals, info) = git.layout().await?;
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::write(at("nothing"), "")?;
        fs::create_dir_all(at("store/pack"))?;
        for (name, bare) in [("adding", false), ("showing", true)] {
            let own = at(name);
            fs::create_dir_all(own.join("refs"))?;
            fs::create_dir_all(own.join("objects"))?;
            fs::create_dir_all(own.join("info"))?;
            fs::write(own.join("HEAD"), "ref: refs/heads/none\n")?;
            let config = format!(
                "[core]\n\trepositoryformatversion = 1\n\tbare = {bare}\n[extensions]\n\tobjectformat = {format}\n"
            );
            fs::write(own.join("config"), config)?;
        }
        for name in ["attributes", "exclude"] {
            copy_info(&info.join(name), &at("adding/info").join(name))?;
        }
        Ok(Self {
            git,
            settings,
            originals,
            folder,
        })
    }

    /// A run over the work tree, which stores files as git would, without filters.
    pub fn adding<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.run(&self.git.top, "adding", &self.at("store"), arguments)
            .variable("GIT_WORK_TREE", &self.git.top)
            .variable("GIT_INDEX_FILE", self.at("added"))
            .config(&self.settings.storing)
    }

    /// A run over the objects that were checked or made by us. There is no work tree, and so there are
    /// no attributes: what is text is shown as text.
    pub fn showing<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.run(self.folder.path(), "showing", &self.at("store"), arguments)
            .variable("GIT_INDEX_FILE", self.at("listed"))
            .variable("GIT_ATTR_NOSYSTEM", "1")
            .variable("HOME", self.at("nothing"))
            .without("XDG_CONFIG_HOME")
    }

    /// A run over the repository's own objects, to find out which are needed. What it says is not to be
    /// believed before they are checked.
    pub fn originals<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.run(self.folder.path(), "showing", &self.originals, arguments)
            .variable("GIT_INDEX_FILE", self.at("listed"))
    }

    fn run<A: AsRef<OsStr>>(
        &self,
        folder: &Path,
        git_dir: &str,
        objects: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Run {
        let run = Run::looking(&self.git.program, folder, arguments)
            .variable("GIT_DIR", self.at(git_dir))
            .variable("GIT_OBJECT_DIRECTORY", objects)
            .variable("GIT_CONFIG_GLOBAL", self.at("nothing"))
            .variable("GIT_CONFIG_SYSTEM", self.at("nothing"));
        match &self.git.home {
            Some(home) => run.variable("HOME", home).without("XDG_CONFIG_HOME"),
            None => run,
        }
    }

    /// A file of the stand-in's.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Begins a new list of files for [`StandIn::showing`].
    pub fn forget_listed(&self) -> Result<(), GitError> {
        match fs::remove_file(self.at("listed")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

/// Copies a file that says how git stores files, or which it ignores.
fn copy_info(from: &Path, to: &Path) -> Result<(), GitError> {
    if from.symlink_metadata().is_err() {
        return Ok(());
    }
    let bytes = read_file(from, MOST_INFO).map_err(|error| GitError::Failed {
        what: "info".into(),
        said: format!("{} cannot be read: {error}", from.display()),
    })?;
    fs::write(to, bytes)?;
    Ok(())
}
