//! Puts the commit and its date into `holdpoint --version`, where they are known.
//!
//! A packager says them: `HOLDPOINT_BUILD_COMMIT` is the commit, `SOURCE_DATE_EPOCH` the date. In a clone of
//! Holdpoint's own repository git is asked, for one object: that runs nothing that the repository has in its
//! config or its hooks. A package, also one that was put into somebody else's repository, asks nobody.
//!
//! What this hands to the compiler, `cargo run` and `cargo test` put into the program's environment too, where every
//! name that begins with `HOLDPOINT_` is a setting.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const COMMIT: &str = "HOLDPOINT_BUILD_COMMIT";
const DATE: &str = "SOURCE_DATE_EPOCH";
/// So many digits of a commit are shown.
const SHOWN: usize = 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in [COMMIT, DATE] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match known(said(COMMIT), said(DATE)) {
        Ok(known) if known.is_empty() => println!("cargo::rustc-env=VERSION_WITH_COMMIT={version}"),
        Ok(known) => {
            let known = known.join(" ");
            println!("cargo::rustc-env=VERSION_WITH_COMMIT={version} ({known})");
        }
        Err(wrong) => println!("cargo::error={wrong}"),
    }
}

fn said(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The commit and the date, as far as they are known.
fn known(commit: Option<String>, date: Option<String>) -> Result<Vec<String>, String> {
    let is_commit =
        |text: &String| text.len() >= SHOWN && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(wrong) = commit.as_ref().filter(|text| !is_commit(text)) {
        return Err(format!(
            "{COMMIT} is {wrong:?}, and must be a commit: {SHOWN} hexadecimal digits or more"
        ));
    }
    let date = match date {
        Some(text) => Some(text.parse().map_err(|_| {
            format!("{DATE} is {text:?}, and must be a number of seconds since 1970")
        })?),
        None => None,
    };
    let from_git = match (&commit, date) {
        (Some(_), _) => None,
        (None, _) => clone().and_then(|git| head(&git)),
    };
    let (commit, date) = match (from_git, commit) {
        (Some((commit, committed)), _) => (Some(commit), date.or(Some(committed))),
        (None, commit) => (commit, date),
    };
    let commit = commit.map(|commit| commit[..SHOWN].to_ascii_lowercase());
    Ok(commit.into_iter().chain(date.map(day)).collect())
}

/// The `.git` of Holdpoint's own repository, if this is a clone of it and not a package.
fn clone() -> Option<PathBuf> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let is_package = ["cargo_vcs_info.json", "cargo-checksum.json", "cargo-ok"]
        .iter()
        .any(|name| package.join(format!(".{name}")).exists());
    if is_package || !package.ends_with("crates/cli") {
        return None;
    }
    let git = package.parent()?.parent()?.join(".git");
    git.exists().then_some(git)
}

/// The commit that is checked out, and when it was made, in seconds since 1970.
fn head(git: &Path) -> Option<(String, i64)> {
    watch(git);
    let read = |args: &[&str]| {
        let asked = Command::new("git")
            // An object that is not there is not fetched: that would run what the config names.
            .args([
                "--no-pager",
                "--no-replace-objects",
                "-c",
                "protocol.allow=never",
            ])
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .arg("--git-dir")
            .arg(git)
            .args(args)
            .output()
            .ok()?;
        asked
            .status
            .success()
            .then(|| String::from_utf8_lossy(&asked.stdout).into_owned())
    };
    let commit = read(&["rev-parse", "--verify", "HEAD^{commit}"])?;
    let commit = commit.trim().to_owned();
    let object = read(&["cat-file", "commit", &commit])?;
    let header = object.lines().take_while(|line| !line.is_empty());
    let committer = header
        .filter_map(|line| line.strip_prefix("committer "))
        .next()?;
    // `NAME <ADDRESS> SECONDS ZONE`
    let seconds = committer.rsplit(' ').nth(1)?.parse().ok()?;
    (commit.len() >= SHOWN && commit.is_ascii()).then_some((commit, seconds))
}

/// Runs this again when something else is checked out. Each commit counts for a release only: nobody who
/// develops wants to compile it all again for a number.
fn watch(git: &Path) {
    let folder = match fs::read_to_string(git) {
        // A worktree: its own folder is elsewhere.
        Ok(link) => match link.trim().strip_prefix("gitdir: ") {
            Some(folder) => git.with_file_name("").join(folder),
            None => return,
        },
        Err(_) => git.to_owned(),
    };
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let watched = [folder.join("HEAD"), folder.join("logs/HEAD")];
    let watched = &watched[..if is_release { 2 } else { 1 }];
    for file in watched.iter().filter(|file| file.exists()) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
}

/// The day of this time, in UTC, as `2026-11-19`.
fn day(seconds: i64) -> String {
    // Days of the civil calendar, in eras of 400 years that begin on the first of March.
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{date:02}", year + era * 400 + later)
}
