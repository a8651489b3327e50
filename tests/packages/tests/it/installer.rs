//! The script for shells, as people pipe it into one, with the archive at a server of this machine.

use holdpoint_testkit::{Home, Pipe, stderr};
use packages::{FileServer, finished, packages, succeeded};
use serde_json::json;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn script() -> PathBuf {
    packages().join("holdpoint-installer.sh")
}

/// Pipes this script into the shell of this home.
fn pipe(script: &Path, home: &Home, variables: &[(&str, &str)]) -> Output {
    let mut command = home.command(&["-s"]);
    command.stdin(File::open(script).unwrap());
    finished(command.envs(variables.iter().copied()))
}

#[test]
fn shells_read_it() {
    for shell in ["sh", "bash"] {
        succeeded(Command::new(shell).arg("-n").arg(script()));
    }
    succeeded(Command::new("shellcheck").arg(script()));
}

#[test]
fn it_installs_and_replaces() {
    let server = FileServer::start(&packages());
    let home = Home::new("sh");
    let from = [("HOLDPOINT_DOWNLOAD_URL", &*server.url)];
    let done = pipe(&script(), &home, &from);
    let said = stderr(&done);
    assert!(done.status.success(), "{said}");
    assert!(done.stdout.is_empty());
    let folder = home.root().join(".local/bin");
    assert!(said.contains(".local/bin is not in your PATH"), "{said}");

    let installed = Home::new(folder.join("holdpoint"));
    let version = succeeded(&mut installed.command(&["--version"]));
    assert!(said.contains(version.trim()), "{said}");

    // Also while it runs.
    let mut client = Pipe::legacy(&mut installed.command(&["serve"]));
    let done = pipe(&script(), &home, &from);
    assert!(done.status.success(), "{}", stderr(&done));
    client.ask("tools/list", json!({}));
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["holdpoint"]);
}

#[test]
fn its_folder_can_be_named() {
    let home = Home::new("bash");
    let folder = home.root().join("my programs");
    let archives = format!("file://{}", packages().display());
    let named = [
        ("HOLDPOINT_DOWNLOAD_URL", &*archives),
        ("HOLDPOINT_INSTALL_DIR", folder.to_str().unwrap()),
        ("CARGO_HOME", "/not/this/one"),
    ];
    let done = pipe(&script(), &home, &named);
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(folder.join("holdpoint").is_file());
}

/// What is refused installs nothing, and leaves nothing lying about.
#[test]
fn what_is_not_the_archive_is_refused() {
    let archive = "holdpoint-x86_64-unknown-linux-gnu.tar.gz";
    let release = tempfile::tempdir().unwrap();
    let server = FileServer::start(release.path());
    let check = |script: &Path, wanted: &str| {
        let home = Home::new("sh");
        let temporary = home.root().join("tmp");
        fs::create_dir(&temporary).unwrap();
        let variables = [
            ("HOLDPOINT_DOWNLOAD_URL", &*server.url),
            ("TMPDIR", temporary.to_str().unwrap()),
        ];
        let done = pipe(script, &home, &variables);
        let said = stderr(&done);
        assert_eq!(done.status.code(), Some(1), "{said}");
        assert!(said.contains(wanted), "{said}");
        assert!(!home.root().join(".local").exists(), "{said}");
        assert_eq!(fs::read_dir(temporary).unwrap().count(), 0, "{said}");
    };
    check(&script(), "cannot be downloaded");
    fs::write(release.path().join(archive), "something else").unwrap();
    check(&script(), "is not the file that was released");

    let elsewhere = release.path().join("elsewhere.sh");
    let text = fs::read_to_string(script()).unwrap();
    fs::write(&elsewhere, text.replace("uname -m", "echo riscv64")).unwrap();
    check(&elsewhere, "cargo install --locked holdpoint-cli");
}

/// A download that broke off does nothing.
#[test]
fn half_a_script_does_nothing() {
    let text = fs::read_to_string(script()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let half = folder.path().join("half.sh");
    for part in 1..16 {
        fs::write(&half, &text[..text.len() * part / 16]).unwrap();
        let home = Home::new("sh");
        let done = pipe(
            &half,
            &home,
            &[("HOLDPOINT_DOWNLOAD_URL", "file:///no/such")],
        );
        let said = stderr(&done);
        assert!(!said.contains("holdpoint-installer: "), "{said}");
        assert!(!home.root().join(".local").exists(), "{said}");
    }
}
