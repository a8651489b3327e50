//! What the binary says of itself: its version, its manual pages, what shells complete, the words that it is
//! not called by.

use crate::support::*;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn the_version_has_the_commit_and_its_date_where_they_are_known() {
    let home = new_home();
    let said = stdout(&home.run(&["--version"]));
    assert_eq!(stdout(&home.run(&["-V"])), said);
    let version = concat!("holdpoint ", env!("CARGO_PKG_VERSION"));
    let rest = said.trim_end().strip_prefix(version).expect(&said);
    let Some(rest) = rest
        .strip_prefix(" (")
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        assert_eq!(rest, "", "{said}");
        return;
    };
    let (commit, date) = rest.split_once(' ').expect(&said);
    assert!(
        commit.len() == 10 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{said}"
    );
    let parts: Vec<_> = date.split('-').map(str::len).collect();
    assert_eq!(parts, [4, 2, 2], "{said}");
}

/// The build script, compiled apart, in a folder where it is to find a repository or not.
struct BuildScript {
    home: Home,
    program: PathBuf,
}

impl BuildScript {
    fn compile() -> Self {
        let home = new_home();
        let program = home.root().join("build-script");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/build.rs");
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let mut rustc = Command::new(rustc);
        rustc
            .args(["--edition", "2024", source, "-o"])
            .arg(&program);
        assert!(rustc.status().unwrap().success());
        Self { home, program }
    }

    /// What it says for a package in this folder.
    fn says(&self, package: &Path, variables: &[(&str, &str)]) -> Vec<String> {
        let mut script = Command::new(&self.program);
        let path = std::env::var_os("PATH").unwrap();
        script
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home.root());
        script
            .env("CARGO_MANIFEST_DIR", package)
            .env("CARGO_PKG_VERSION", "1.2.3");
        let output = script.envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).lines().map(str::to_owned).collect()
    }

    fn version(&self, package: &Path, variables: &[(&str, &str)]) -> String {
        let lines = self.says(package, variables);
        let mut found = lines
            .iter()
            .filter_map(|line| line.strip_prefix("cargo::rustc-env=VERSION_WITH_COMMIT="));
        found
            .next()
            .unwrap_or_else(|| panic!("{lines:#?}"))
            .to_owned()
    }
}

fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", "2026-11-19T23:30:00-02:00")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"])
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output).trim().to_owned()
}

#[cfg(unix)]
#[test]
fn the_build_script_reads_git_and_runs_nothing_of_the_repository() {
    let script = BuildScript::compile();
    let root = script.home.workspace();
    let package = root.join("crates/cli");
    fs::create_dir_all(&package).unwrap();
    assert_eq!(script.version(&package, &[]), "1.2.3", "no repository");
    git(&root, &["init", "--quiet"]);
    assert_eq!(script.version(&package, &[]), "1.2.3", "no commit");
    git(&root, &["commit", "--quiet", "--allow-empty", "-m", "one"]);
    let commit = git(&root, &["rev-parse", "HEAD"]);
    // In UTC.
    let wanted = format!("1.2.3 ({} 2026-11-20)", &commit[..10]);
    assert_eq!(script.version(&package, &[]), wanted);

    // A config and hooks that somebody planted.
    let trap = script.home.root().join("ran");
    let touch = format!("touch '{}' #", trap.display());
    for key in [
        "core.fsmonitor",
        "core.pager",
        "gpg.program",
        "core.sshCommand",
        "alias.cat-file",
        "alias.rev-parse",
    ] {
        let value = if key.starts_with("alias") {
            format!("!{touch}")
        } else {
            touch.clone()
        };
        git(&root, &["config", key, &value]);
    }
    git(&root, &["config", "log.showSignature", "true"]);
    git(&root, &["config", "pager.cat-file", "true"]);
    assert_eq!(script.version(&package, &[]), wanted);
    assert!(!trap.exists(), "something of the repository was run");

    // A worktree.
    let other = script.home.root().join("other");
    git(
        &root,
        &["worktree", "add", "--quiet", other.to_str().unwrap()],
    );
    let other = other.join("crates/cli");
    fs::create_dir_all(&other).unwrap();
    assert_eq!(script.version(&other, &[]), wanted);

    // In development another commit on a branch compiles nothing again; a release is told of each.
    let watched = |profile: &str| {
        let lines = script.says(&other, &[("PROFILE", profile)]).into_iter();
        let files = lines
            .filter_map(|line| Some(line.strip_prefix("cargo::rerun-if-changed=")?.to_owned()));
        files.collect::<Vec<_>>()
    };
    assert_eq!(watched("debug").len(), 2, "build.rs and HEAD");
    let release = watched("release");
    assert_eq!(release.len(), 3, "{release:?}");
    assert!(
        release
            .iter()
            .all(|file| file == "build.rs" || Path::new(file).is_file()),
        "{release:?}"
    );

    // A package in somebody else's repository, or that came from a registry, says nothing of a commit.
    let vendored = root.join("vendor/holdpoint-cli");
    fs::create_dir_all(&vendored).unwrap();
    assert_eq!(script.version(&vendored, &[]), "1.2.3");
    fs::write(package.join(".cargo_vcs_info.json"), "{}").unwrap();
    assert_eq!(script.version(&package, &[]), "1.2.3");
    // Its packager can say it.
    let said = [
        ("HOLDPOINT_BUILD_COMMIT", "ABCDEF0123456789"),
        ("SOURCE_DATE_EPOCH", "951782400"),
    ];
    assert_eq!(
        script.version(&package, &said),
        "1.2.3 (abcdef0123 2000-02-29)"
    );
    assert_eq!(script.version(&package, &said[..1]), "1.2.3 (abcdef0123)");
    for wrong in [
        ("HOLDPOINT_BUILD_COMMIT", "main"),
        ("SOURCE_DATE_EPOCH", "today"),
    ] {
        let lines = script.says(&package, &[wrong]);
        let error = lines.iter().find(|line| line.starts_with("cargo::error="));
        assert!(
            error.is_some_and(|error| error.contains(wrong.0)),
            "{lines:?}"
        );
    }
}

#[test]
fn what_a_packager_says_while_it_builds_does_not_keep_the_binary_from_running() {
    let home = new_home();
    let mut log = home.command(&["log"]);
    let output = log
        .env("HOLDPOINT_BUILD_COMMIT", "abcdef0123")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_word_of_another_program_leads_to_ours() {
    let home = new_home();
    let said = |args: &[&str]| {
        let output = home.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(stdout(&output), "");
        stderr(&output)
    };
    for (word, wanted) in [
        ("approve", "`holdpoint inbox`"),
        ("list", "`holdpoint log`"),
        ("history", "`holdpoint log`"),
        ("tail", "`holdpoint log tail`"),
        ("start", "`holdpoint serve`"),
        ("MCP", "`holdpoint serve`"),
        ("install", "`holdpoint init CLIENT`"),
        ("phone", "`holdpoint inbox --phone`"),
        // Only misspelt.
        ("sevre", "'serve'"),
        ("docter", "'doctor'"),
        ("lgo", "'log'"),
        ("aks", "'ask'"),
    ] {
        let said = said(&[word]);
        assert!(
            said.contains("tip:") && said.contains(wanted),
            "{word}: {said}"
        );
    }
    // Behind another command it is none of ours.
    assert!(!said(&["journal", "list"]).contains("holdpoint inbox"));
    assert!(!said(&["frobnicate"]).contains("tip:"));
}

#[test]
fn shells_get_what_they_complete() {
    let home = new_home();
    for (shell, part) in [
        ("bash", "complete -F _holdpoint"),
        ("zsh", "#compdef holdpoint"),
        ("fish", "complete -c holdpoint"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let output = home.run(&["completions", shell]);
        assert!(output.status.success(), "{shell}: {}", stderr(&output));
        let script = stdout(&output);
        assert!(script.contains(part), "{shell}");
        for word in ["doctor", "journal", "stats"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // The others complete commands and flags, and no values of an argument without a flag.
        if ["bash", "zsh"].contains(&shell) {
            assert!(script.contains("claude-desktop"), "{shell}");
        }
    }
    assert_eq!(home.run(&["completions", "csh"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn bash_completes_with_it() {
    let home = new_home();
    let script = home.root().join("holdpoint.bash");
    fs::write(&script, home.run(&["completions", "bash"]).stdout).unwrap();
    let completes = |words: &str, wanted: &[&str]| {
        let line = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _holdpoint holdpoint \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = Command::new("bash")
            .args(["--norc", "-c", &line])
            .output()
            .unwrap();
        let found = stdout(&output);
        let found: Vec<_> = found.lines().collect();
        assert_eq!(found, wanted, "{words}: {}", stderr(&output));
    };
    completes("holdpoint doc", &["doctor"]);
    completes("holdpoint log sta", &["stats"]);
    completes("holdpoint init claude-", &["claude-desktop"]);
    completes("holdpoint inbox --ph", &["--phone"]);
}

#[test]
fn each_command_has_its_manual_page() {
    let home = new_home();
    let folder = home.root().join("man/man1");
    let output = home.run(&["man", "--dir", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let page =
        |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|_| panic!("no {name}"));
    for (name, part) in [
        ("holdpoint.1", "holdpoint demo"),
        ("holdpoint-serve.1", "workspace"),
        ("holdpoint-log-show.1", "holdpoint log show"),
        ("holdpoint-journal-prune.1", "dry"),
        ("holdpoint-man.1", "holdpoint man"),
    ] {
        let text = page(name).replace("\\-", "-");
        assert!(text.contains(".TH ") && text.contains(".SH NAME"), "{name}");
        assert!(text.contains(part), "{name}: {text}");
        assert!(
            !text.contains(" (abc")
                && text.contains(concat!("Holdpoint ", env!("CARGO_PKG_VERSION")))
        );
    }
    let pages = fs::read_dir(&folder).unwrap().count();
    assert!(pages > 30, "{pages}");
    // One alone, on standard output.
    let alone = stdout(&home.run(&["man", "log", "show"]));
    assert_eq!(alone, page("holdpoint-log-show.1"));
    assert_eq!(stdout(&home.run(&["man"])), page("holdpoint.1"));
    let unknown = home.run(&["man", "frobnicate"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("holdpoint frobnicate"));
}

#[test]
fn a_journal_is_named_before_a_command_or_behind_it() {
    let home = new_home();
    let other = home.root().join("other.db");
    let other = other.to_str().unwrap();
    let check = |args: &[&str]| {
        let read = home.run(args);
        assert!(read.status.success(), "{args:?}: {}", stderr(&read));
        let said = stdout(&read) + &stderr(&read);
        assert!(said.contains(other), "{args:?}: {said}");
    };
    check(&["--journal", other, "log"]);
    check(&["log", "--journal", other]);
    check(&["log", "--journal", other, "stats"]);
    check(&["log", "stats", "--journal", other]);
    let refused = home.run(&["--journal", other, "completions", "bash"]);
    assert_eq!(refused.status.code(), Some(2));
}
