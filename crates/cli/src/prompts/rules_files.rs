//! The rules that hold in a folder: the person's own, and those of every folder above, which only tighten.

use holdpoint_policy::{OnFailure, Rules};
use holdpoint_workspace::{Environment, describe};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The person's file, beside their configuration.
const OWN_FILE: &str = "rules.toml";
/// That of a workspace, below its root.
pub const WORKSPACE_FILE: &str = ".holdpoint/rules.toml";

/// What holds whatever the files say: an agent that rewrites them, or takes the hook out, would decide by itself.
const BUILT_IN: &str = include_str!("built_in_rules.toml");

/// What a person begins with.
const FIRST: &str = include_str!("first_rules.toml");

/// Rules that cannot be read, and what the person wants then.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct RulesFault {
    /// What is wrong, and where.
    pub reason: String,
    /// Whether the harness may prompt in our place.
    pub on_failure: OnFailure,
}

/// The person's own file; none where they have no folder for it.
pub fn own_file(environment: &Environment) -> Option<PathBuf> {
    Some(environment.own_config_file()?.with_file_name(OWN_FILE))
}

/// Reads the rules that hold in this folder. Files that are not there say nothing.
///
/// # Errors
/// When one cannot be read, or says what it may not say.
pub fn load(environment: &Environment, folder: &Path) -> Result<Rules, RulesFault> {
    let deny = |reason| RulesFault {
        reason,
        on_failure: OnFailure::Deny,
    };
    let built_in = Rules::own(BUILT_IN, "built in").map_err(|error| deny(error.to_string()))?;
    let own = own_file(environment);
    let own = own.map(|path| read(&path, Rules::own)).transpose();
    let own = own.map_err(deny)?.flatten().unwrap_or_default();
    let mut rules = own.with(built_in);
    let on_failure = rules.on_failure();
    let pointed = pointed_file(environment);
    for path in tightening(environment, folder) {
        let more = read(&path, Rules::workspace).map_err(|reason| {
            let reason = match own_file(environment) {
                Some(own) if Some(&path) == pointed.as_ref() => {
                    format!(
                        "{reason} (a variable names this file; yours is {})",
                        own.display()
                    )
                }
                _ => reason,
            };
            RulesFault { reason, on_failure }
        })?;
        rules = match more {
            Some(more) => rules.with(more),
            None => rules,
        };
    }
    Ok(rules)
}

/// The files that only tighten: the one that variables name in the place of the person's own, and those of every
/// folder above, since an agent can make a repository inside the one that it works in.
fn tightening(environment: &Environment, folder: &Path) -> Vec<PathBuf> {
    let above = folder.ancestors().map(|folder| folder.join(WORKSPACE_FILE));
    pointed_file(environment).into_iter().chain(above).collect()
}

/// The file that variables name in the place of the person's own.
fn pointed_file(environment: &Environment) -> Option<PathBuf> {
    let config = environment.pointed_config_file()?;
    Some(config.with_file_name(OWN_FILE))
}

/// Writes the file that a person begins with, where they have none; gives where it is, if it was written.
///
/// # Errors
/// When it cannot be written.
pub fn write_first(environment: &Environment) -> io::Result<Option<PathBuf>> {
    let Some(path) = own_file(environment) else {
        return Ok(None);
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::File::create_new(&path) {
        Ok(mut file) => file.write_all(FIRST.as_bytes()).map(|()| Some(path)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

/// The files that are looked for, the person's own first.
pub fn files(environment: &Environment, folder: &Path) -> Vec<PathBuf> {
    let own = own_file(environment);
    own.into_iter()
        .chain(tightening(environment, folder))
        .collect()
}

/// How many rules hold whatever the files say.
pub fn built_in() -> usize {
    Rules::own(BUILT_IN, "built in").map_or(0, |rules| rules.len())
}

fn read<E: std::fmt::Display>(
    path: &Path,
    parse: impl FnOnce(&str, &str) -> Result<Rules, E>,
) -> Result<Option<Rules>, String> {
    let shown = path.display().to_string();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(format!("cannot read {shown}: {}", describe(&error))),
    };
    let rules = parse(&text, &shown).map_err(|error| error.to_string())?;
    Ok(Some(rules))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The root of the workspace that a folder is in: where its repository or its rules are, or the folder itself.
pub fn workspace_root(folder: &Path) -> PathBuf {
    let is_root =
        |folder: &&Path| folder.join(".git").exists() || folder.join(".holdpoint").exists();
    let root = folder.ancestors().find(is_root).unwrap_or(folder);
    root.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_and_what_a_person_begins_with_can_be_read() {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::new(home.path(), []);
        let rules = load(&environment, home.path()).unwrap();
        assert_eq!(rules.len(), built_in());
        let first = write_first(&environment).unwrap();
        assert_eq!(first, own_file(&environment));
        assert!(load(&environment, home.path()).unwrap().len() > built_in());
        assert_eq!(write_first(&environment).unwrap(), None, "it is theirs now");
    }

    #[test]
    fn a_file_that_a_variable_names_only_tightens_and_the_error_says_which_is_theirs() {
        let home = tempfile::tempdir().unwrap();
        let elsewhere = home.path().join("elsewhere");
        let variables = [("XDG_CONFIG_HOME", elsewhere.to_str().unwrap())];
        let environment = Environment::new(home.path(), variables);
        let pointed = elsewhere.join("holdpoint/rules.toml");
        fs::create_dir_all(pointed.parent().unwrap()).unwrap();
        fs::write(&pointed, "deny = [\"Bash(rm *)\"]\n").unwrap();
        let rules = load(&environment, home.path()).unwrap();
        assert_eq!(rules.len(), built_in() + 1);
        fs::write(&pointed, "allow = [\"Bash(rm *)\"]\n").unwrap();
        let Err(fault) = load(&environment, home.path()) else {
            panic!("a variable loosened the rules");
        };
        let own = own_file(&environment).unwrap();
        let wanted = format!("(a variable names this file; yours is {})", own.display());
        assert!(fault.reason.contains("only tighten"), "{fault}");
        assert!(fault.reason.ends_with(&wanted), "{fault}");
    }
}
