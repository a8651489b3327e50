//! Configuration, journal, git.

use super::Check;
use crate::{
    commands::log::{missing_file, verify::describe_loss},
    config::{Config, ConfigError, Environment, Source, WORKSPACE_FILE},
};
use holdpoint::journal::{self, JournalError, Verified};
use holdpoint_ask::describe::error_chain;
use holdpoint_workspace::git::Git;
use std::{fs::OpenOptions, io, path::Path};

/// What is to be said of what is set: all of it, and this folder's part.
pub fn config(
    config: &Result<(Config, Option<ConfigError>), ConfigError>,
    environment: &Environment,
    workspace: &Path,
) -> Vec<Check> {
    let name = "config";
    let (config, fault) = match config {
        Err(error) => return vec![Check::problem(name, error_chain(error)).fix(tip(error))],
        Ok((config, fault)) => (config, fault),
    };
    let fault = fault
        .as_ref()
        .map(|error| Check::problem(name, error_chain(error)).fix(tip(error)));
    if !config.warnings.is_empty() {
        let hint = Check::hint(name, config.warnings.join("; "));
        return fault.into_iter().chain([hint]).collect();
    }
    if let Some(fault) = fault {
        return vec![fault];
    }
    let files = [
        environment.account_config_file(),
        environment.config_file(),
        Some(workspace.join(WORKSPACE_FILE)),
    ];
    let there = files.into_iter().flatten().filter(|path| path.exists());
    let mut files: Vec<_> = there.map(|path| path.display().to_string()).collect();
    files.dedup();
    vec![if files.is_empty() {
        Check::ok(name, "no config file, so the defaults apply")
    } else {
        Check::ok(name, files.join(" and "))
    }]
}

/// What to do about a mistake, by where it is.
fn tip(error: &ConfigError) -> &'static str {
    match (error, error.place().map(|place| &place.source)) {
        (ConfigError::Read { .. }, _) => "give yourself the right to read it, or move it away",
        (_, Some(Source::Workspace(_))) => {
            "correct it there; until then agents are not served in this folder, while `log`, `inbox` and `answer` \
             work without it"
        }
        (_, Some(Source::Variable(_))) => {
            "correct or unset it where it is set: in your shell, or under `env` in the client's file"
        }
        (_, Some(Source::Flag(_))) => "correct it on the command line, or in the client's file",
        _ => "correct it there; until then no command works but this one",
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
        Err(error) => return Check::problem(name, error.to_string()).fix(journal_tip(&error)),
    };
    let url = journal::shown_address(url);
    match opened.verify().await {
        Err(error) => Check::problem(name, error.to_string()).fix(journal_tip(&error)),
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

/// What to do about a record that cannot be read, by why it cannot.
fn journal_tip(error: &JournalError) -> &'static str {
    let says = |part: &str| error.to_string().contains(part);
    match error {
        JournalError::Newer { .. } => {
            "update this Holdpoint; docs/upgrading.md says how to go on with an older one"
        }
        JournalError::Damaged { .. } => {
            "keep the file as it is, for a look at it, and put a copy in its place (`holdpoint journal copy` made one, \
             or your backup)"
        }
        // What is wrong with the path says itself which file to name.
        JournalError::Open { .. } if says("Name a") => {
            "set `journal` in your settings to another path, or use --journal sqlite:PATH"
        }
        JournalError::Open { .. } | JournalError::Read { .. }
            if says("ermission") || says("writable") =>
        {
            "give yourself the right to read and write it and its folder"
        }
        JournalError::Read { .. } => {
            "look at the disk and the file system that it is on; then put a copy in its place, or restore a backup"
        }
        _ => "correct the address: `journal` in your settings, or --journal",
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
