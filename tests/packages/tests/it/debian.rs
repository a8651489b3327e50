//! The package for Debian, installed by dpkg into a folder that it takes for a whole system: the one of who runs the tests
//! stays as it is, also where Holdpoint is installed there.

use holdpoint_testkit::Home;
use packages::{packages, succeeded};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

fn package() -> PathBuf {
    packages().join(format!("holdpoint_{}_amd64.deb", env!("CARGO_PKG_VERSION")))
}

fn dpkg(system: &Path, args: &[&str]) -> String {
    let mut command = Command::new("dpkg");
    command
        .arg(format!("--root={}", system.display()))
        // A system with nothing in it: neither libraries nor the programs that dpkg looks for.
        .args(["--force-not-root", "--force-depends", "--force-bad-path"])
        .args(args)
        .env("LC_ALL", "C")
        .env(
            "PATH",
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        );
    succeeded(&mut command)
}

#[test]
fn it_is_installed_and_purged() {
    let system = tempfile::tempdir().unwrap();
    let system = system.path();
    // dpkg makes what it writes itself; its own folder it looks for.
    for folder in ["info", "updates"] {
        fs::create_dir_all(system.join("var/lib/dpkg").join(folder)).unwrap();
    }
    fs::write(system.join("var/lib/dpkg/status"), "").unwrap();
    dpkg(system, &["--install", package().to_str().unwrap()]);
    let listed = dpkg(system, &["--listfiles", "holdpoint"]);
    for file in [
        "/usr/bin/holdpoint",
        "/usr/share/bash-completion/completions/holdpoint",
        "/usr/share/doc/holdpoint/copyright",
        "/usr/share/man/man1/holdpoint.1.gz",
    ] {
        assert!(listed.lines().any(|line| line == file), "{file}\n{listed}");
    }

    let home = Home::new(system.join("usr/bin/holdpoint"));
    let version = succeeded(&mut home.command(&["--version"]));
    let wanted = format!("holdpoint {}", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&wanted), "{version}");
    let said = succeeded(&mut home.command(&["demo", "--answer", "approve"]));
    assert!(said.contains(r#""decision": "approve""#), "{said}");

    dpkg(system, &["--purge", "holdpoint"]);
    let left: Vec<_> = fs::read_dir(system)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["var"], "what dpkg itself keeps");
    let known = dpkg(system, &["--get-selections"]);
    assert_eq!(known, "", "purged is forgotten");
}

#[test]
fn its_files_are_roots_and_readable_by_all() {
    let listed = succeeded(Command::new("dpkg-deb").arg("--contents").arg(package()));
    for line in listed.lines() {
        let wanted = match line.split_whitespace().last() {
            Some(path) if path.ends_with('/') || path == "./usr/bin/holdpoint" => "rwxr-xr-x",
            _ => "rw-r--r--",
        };
        let mut words = line.split_whitespace();
        let mode = words.next().unwrap();
        assert!(mode.ends_with(wanted), "{line}");
        assert_eq!(words.next(), Some("root/root"), "{line}");
    }
    // Nothing runs at install time, and nothing is left to purge.
    let control = tempfile::tempdir().unwrap();
    let mut unpack = Command::new("dpkg-deb");
    succeeded(unpack.arg("--control").arg(package()).arg(control.path()));
    let names: Vec<_> = fs::read_dir(control.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["control"]);
}

#[test]
fn it_says_what_it_needs() {
    let field = |name: &str| {
        let mut command = Command::new("dpkg-deb");
        let said = succeeded(command.arg("--field").arg(package()).arg(name));
        said.trim().to_owned()
    };
    // The binary of a test build is not static.
    assert_eq!(field("Depends"), "libc6, libgcc-s1");
    assert_eq!(field("Architecture"), "amd64");
    let description = field("Description");
    assert!(
        description.lines().next().unwrap().len() <= 80,
        "{description}"
    );
    let unpacked = tempfile::tempdir().unwrap();
    let mut unpack = Command::new("dpkg-deb");
    succeeded(unpack.arg("--extract").arg(package()).arg(unpacked.path()));
    let binary = unpacked.path().join("usr/bin/holdpoint");
    assert_eq!(
        binary.metadata().unwrap().permissions().mode() & 0o7777,
        0o755
    );
    let size: u64 = field("Installed-Size").parse().unwrap();
    assert!(size > binary.metadata().unwrap().len() / 1024);
    let copyright = unpacked.path().join("usr/share/doc/holdpoint/copyright");
    let copyright = fs::read_to_string(copyright).unwrap();
    assert!(
        copyright.contains("Permission is hereby granted"),
        "{copyright}"
    );
    assert!(!copyright.contains("{{"), "{copyright}");
}
