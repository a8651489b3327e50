//! Configuration, journal, git.

use super::Check;
use crate::{
    commands::log::{missing_file, verify::describe_loss},
    config::{Config, ConfigError, Environment, WORKSPACE_FILE},
};
use holdpoint::journal::{self, Verified};
use holdpoint_ask::describe::error_chain;
use holdpoint_workspace::git::Git;
use std::{fs::OpenOptions, io, path::Path};

pub fn config(
    config: &Result<Config, ConfigError>,
    environment: &Environment,
    workspace: &Path,
) -> Check {
    let name = "config";
    match config {
        Err(error) => Check::problem(name, error_chain(error))
            .fix("fix it there; `holdpoint serve` does not start until then"),
        Ok(config) if !config.warnings.is_empty() => Check::hint(name, config.warnings.join("; ")),
        Ok(_) => {
            let files = [
                environment.account_config_file(),
                environment.config_file(),
                Some(workspace.join(WORKSPACE_FILE)),
            ];
            let there = files.into_iter().flatten().filter(|path| path.exists());
            let mut files: Vec<_> = there.map(|path| path.display().to_string()).collect();
            files.dedup();
            if files.is_empty() {
                Check::ok(name, "no config file, so the defaults apply")
            } else {
                Check::ok(name, files.join(" and "))
            }
        }
    }
}

/// What is to be said of the record, and of the database that it is in.
pub async fn journal(config: &Config, environment: &Environment) -> Vec<Check> {
    let url = match config.journal(environment) {
        Ok(url) => url,
        Err(error) => return vec![Check::problem(JOURNAL, format!("{error:#}"))],
    };
    #[cfg(feature = "postgres")]
    if url.starts_with("postgres") {
        return super::postgres::checks(&url).await;
    }
    vec![file(&url).await]
}

const JOURNAL: &str = "journal";

async fn file(url: &str) -> Check {
    let name = JOURNAL;
    if url == "memory:" {
        return Check::hint(name, "memory: the record is lost when the process ends")
            .fix("leave `journal` out, or use sqlite:PATH");
    }
    if let Some(path) = missing_file(url) {
        return match unwritable(Path::new(path)) {
            None => Check::ok(name, format!("{url}, made when something is asked")),
            Some(folder) => {
                let folder = folder.display();
                Check::problem(
                    name,
                    format!("{path} cannot be made: {folder} is not writable"),
                )
                .fix("give yourself write permission for that folder, or use another --journal")
            }
        };
    }
    // Before it is opened: closing a file ends the locks that SQLite has on it.
    if let Some(path) = url.strip_prefix("sqlite:")
        && let Err(error) = OpenOptions::new().append(true).open(path)
        && error.kind() == io::ErrorKind::PermissionDenied
    {
        return Check::problem(name, format!("{path} cannot be written: {error}"))
            .fix("give yourself write permission for it and its folder");
    }
    record(url).await
}

/// What is to be said of the record itself.
pub async fn record(url: &str) -> Check {
    let name = JOURNAL;
    let opened = match journal::open_read_only(url).await {
        Ok(opened) => opened,
        Err(error) => {
            return Check::problem(name, error.to_string())
                .fix("check the address and your rights there, or use another --journal");
        }
    };
    let url = journal::shown_address(url);
    match opened.verify().await {
        Err(error) => Check::problem(name, error.to_string())
            .fix("restore it from a backup, or use another --journal"),
        Ok(Verified {
            flaws,
            lost: Some(mark),
            ..
        }) if flaws.is_empty() => {
            Check::problem(name, format!("{url}: {}", describe_loss(mark))).fix(
                "put the newest copy back; or, where there is none, run `holdpoint journal check --accept`",
            )
        }
        Ok(found) => match found.flaws.first() {
            None => Check::ok(
                name,
                format!("{url}, {} events, chain intact", found.events),
            ),
            Some(flaw) => {
                let (seq, what) = (flaw.seq, &flaw.what);
                let more = match found.flaws.len() - 1 {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                Check::problem(name, format!("{url}, event {seq}: {what}{more}"))
                    .fix("somebody or something changed the record: keep it as it is, compare it with a backup")
            }
        },
    }
}

/// The folder that keeps a file from being made, if one does: the nearest that is there.
fn unwritable(path: &Path) -> Option<&Path> {
    let folder = path.ancestors().skip(1).find(|folder| folder.exists())?;
    #[cfg(unix)]
    let writable = {
        use rustix::fs::{Access, access};
        access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
    };
    #[cfg(not(unix))]
    let writable = folder
        .metadata()
        .is_ok_and(|about| !about.permissions().readonly());
    (!writable).then_some(folder)
}

pub async fn git(workspace: &Path) -> Check {
    let name = "git";
    if !workspace.is_dir() {
        return Check::problem(
            name,
            format!("the folder {} does not exist", workspace.display()),
        );
    }
    let found = match Git::find(workspace).await {
        Ok(found) => found,
        Err(error) => {
            return Check::problem(name, error_chain(&error))
                .fix("fix the repository; until git can read it, no commit can be approved");
        }
    };
    match (Git::version().await, found) {
        (None, _) => Check::problem(name, "the program `git` was not found").fix(
            "install it; until then Holdpoint cannot check that a phase was committed, and believes you",
        ),
        (Some(version), None) => Check::hint(
            name,
            format!("{version}; {} is not in a git repository", workspace.display()),
        ),
        (Some(version), Some(_)) => Check::ok(name, version),
    }
}
