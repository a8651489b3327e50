//! A folder of scripts, as tools and on the page.

use crate::{config::Config, script_page::ScriptPage};
use holdpoint::ToolSource;
use holdpoint_inbox::scripts::Scripts;
use holdpoint_script::ScriptTools;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub use holdpoint_script::Library;

/// Refuses a folder of scripts that somebody names now and that is not there. One that a file names may come later.
///
/// # Errors
/// When it is no folder.
pub fn check_named(folder: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        folder.is_dir(),
        "--scripts {}: there is no such folder. Make it, or name another",
        folder.display()
    );
    Ok(())
}

/// The folder of scripts that the configuration names, if it names one.
///
/// # Errors
/// When it is something else than a folder. It may be missing, and come later.
pub async fn library(config: &Config) -> anyhow::Result<Option<Arc<Library>>> {
    let Some(folder) = &config.scripts_dir else {
        return Ok(None);
    };
    let folder = std::path::absolute(folder)?;
    if folder.exists() && !folder.is_dir() {
        anyhow::bail!(
            "{} is not a folder, so it has no scripts: correct `scripts.dir`",
            folder.display()
        );
    }
    Ok(Some(Arc::new(Library::open(folder).await)))
}

/// The scripts as tools over this workspace. None of them touches what is private.
pub fn tools(
    library: Arc<Library>,
    workspace: PathBuf,
    private: Vec<PathBuf>,
) -> Arc<dyn ToolSource> {
    Arc::new(ScriptTools::new(library, workspace, private))
}

/// The scripts for the page.
///
/// # Errors
/// When the workspace cannot be used.
pub fn page(
    library: Arc<Library>,
    workspace: &Path,
    private: Vec<PathBuf>,
) -> anyhow::Result<Arc<dyn Scripts>> {
    Ok(Arc::new(ScriptPage::open(library, workspace, private)?))
}
