//! The folder that the agents of a client work in, where the client does not start its servers in it.

use super::{client::Client, user_file::Scope};
use crate::terminal::{
    file::{Paths, at_home},
    person, prompt,
    stop::Stop,
};
use anyhow::{Context, bail, ensure};
use inquire::{Text, validator::Validation};
use std::path::{Path, PathBuf};

/// As it is written: the whole path of a folder that is there.
///
/// # Errors
/// When it is none, or the entry is a folder's own: that holds wherever the folder is.
pub fn written(
    client: Client,
    scope: Scope,
    folder: &Path,
    named: &Path,
) -> anyhow::Result<String> {
    let title = client.title();
    ensure!(
        client.is_in_home() || scope == Scope::User,
        "--workspace is for entries that hold for all folders; {title} starts this one in the folder whose file it is in. Leave the flag out; nothing was written."
    );
    let shown = named.display();
    let path = folder.join(named);
    ensure!(
        path.is_dir(),
        "--workspace {shown}: there is no such folder; nothing was written."
    );
    let whole = if cfg!(windows) {
        std::path::absolute(&path)
    } else {
        path.canonicalize()
    };
    let whole = whole.with_context(|| format!("--workspace {shown}"))?;
    let text = whole.to_str().map(str::to_owned);
    text.with_context(|| {
        format!("--workspace {shown}: its path is not UTF-8; nothing was written.")
    })
}

/// Asks for it, where a person is at a terminal.
///
/// # Errors
/// When nobody is, or they name none.
pub fn ask(client: Client, folder: &Path) -> anyhow::Result<PathBuf> {
    let title = client.title();
    let word = client.word();
    if !person::is_here_alone() {
        bail!(
            "{title} starts its servers in no project's folder: name the one that its agents work in, as in `holdpoint init {word} --workspace DIR`; nothing was written."
        );
    }
    let here = folder.display().to_string();
    let is_folder = |text: &str| {
        Ok(if at_home(text.trim()).is_dir() {
            Validation::Valid
        } else {
            Validation::Invalid("There is no such folder.".into())
        })
    };
    let question = format!("Which folder do the agents of {title} work in?");
    let asked = Text::new(&question)
        .with_default(&here)
        .with_autocomplete(Paths)
        .with_validator(is_folder);
    match prompt::show(|| asked.prompt()) {
        Ok(named) => Ok(at_home(named.trim())),
        Err(Stop::Fault(error)) => Err(error).context("the terminal failed; nothing was written"),
        Err(_) => bail!("No folder was named; nothing was written."),
    }
}
