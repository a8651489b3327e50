//! No scripts: this build was made without them (the feature `scripts`).

use crate::{built_without, config::Config};
use holdpoint::ToolSource;
use holdpoint_inbox::scripts::Scripts;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A folder of scripts: there is none.
#[derive(Debug)]
pub enum Library {}

/// Refuses it.
///
/// # Errors
/// Always.
pub fn check_named(_: &Path) -> anyhow::Result<()> {
    Err(built_without::error("scripts", "scripts"))
}

/// The folder of scripts that the configuration names, if it names one.
///
/// # Errors
/// When it names one.
pub async fn library(config: &Config) -> anyhow::Result<Option<Arc<Library>>> {
    match &config.scripts_dir {
        Some(_) => Err(built_without::error("scripts", "scripts")),
        None => Ok(None),
    }
}

/// Never called.
pub fn tools(library: Arc<Library>, _: PathBuf, _: Vec<PathBuf>) -> Arc<dyn ToolSource> {
    match *library {}
}

/// Never called.
///
/// # Errors
/// Never.
pub fn page(library: Arc<Library>, _: &Path, _: Vec<PathBuf>) -> anyhow::Result<Arc<dyn Scripts>> {
    match *library {}
}
