//! The wheel, in an empty environment of Python and without a network.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use holdpoint_testkit::Home;
use packages::{packages, succeeded};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

fn wheel() -> PathBuf {
    let files = fs::read_dir(packages())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut wheels: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "whl"))
        .collect();
    assert_eq!(wheels.len(), 1, "{wheels:?}");
    wheels.remove(0)
}

/// What is in it, unpacked.
fn unpacked() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut unzip = Command::new("python3");
    unzip
        .args(["-m", "zipfile", "-e"])
        .arg(wheel())
        .arg(folder.path());
    succeeded(&mut unzip);
    folder
}

fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.insert(path);
        }
    }
    files
}

#[test]
fn it_is_installed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let venv = folder.path().join("venv");
    succeeded(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let before = files_below(&venv);
    let pip = |args: &[&str]| {
        let home = Home::new(venv.join("bin/pip"));
        let mut command = home.command(args);
        succeeded(command.env("PIP_DISABLE_PIP_VERSION_CHECK", "1"))
    };
    let wheel = wheel();
    pip(&[
        "install",
        "--no-index",
        "--no-deps",
        wheel.to_str().unwrap(),
    ]);
    pip(&["check"]);

    let home = Home::new(venv.join("bin/holdpoint"));
    let version = succeeded(&mut home.command(&["--version"]));
    let wanted = format!("holdpoint {}", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&wanted), "{version}");
    let said = succeeded(&mut home.command(&["demo", "--answer", "approve"]));
    assert!(said.contains(r#""decision": "approve""#), "{said}");

    pip(&["uninstall", "--yes", "holdpoint"]);
    let added = |files: BTreeSet<PathBuf>| -> Vec<PathBuf> {
        // Python keeps what it compiled of pip itself.
        let ours = files
            .into_iter()
            .filter(|file| !file.ends_with("__pycache__"));
        ours.filter(|file| {
            !before.contains(file) && file.extension().is_none_or(|end| end != "pyc")
        })
        .collect()
    };
    assert_eq!(added(files_below(&venv)), Vec::<PathBuf>::new());
}

/// `RECORD` has every file with its length and its digest, but its own.
#[test]
fn its_record_is_right() {
    let folder = unpacked();
    let info = format!("holdpoint-{}.dist-info", env!("CARGO_PKG_VERSION"));
    let record = fs::read_to_string(folder.path().join(&info).join("RECORD")).unwrap();
    let mut listed = BTreeSet::new();
    for line in record.lines() {
        let [path, digest, length] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let file = folder.path().join(path);
        if path.ends_with("/RECORD") {
            assert_eq!((digest, length), ("", ""));
        } else {
            let data = fs::read(&file).unwrap();
            let found = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&data));
            assert_eq!(digest, format!("sha256={found}"), "{path}");
            assert_eq!(length, data.len().to_string(), "{path}");
        }
        assert!(listed.insert(file), "{path} is listed twice");
    }
    assert_eq!(listed, files_below(folder.path()));
}

/// By the library that PyPI checks uploads with.
#[test]
fn its_name_and_metadata_are_valid() {
    let folder = unpacked();
    let info = format!("holdpoint-{}.dist-info", env!("CARGO_PKG_VERSION"));
    let check = r#"
import sys
from pathlib import Path
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

name, version, _, tags = parse_wheel_filename(Path(sys.argv[1]).name)
info = Path(sys.argv[2])
metadata = Metadata.from_email((info / "METADATA").read_bytes(), validate=True)
assert (name, version) == (metadata.name, metadata.version), (name, version)
said = {line.split(": ")[1] for line in (info / "WHEEL").read_text().splitlines() if line.startswith("Tag: ")}
assert said == {str(tag) for tag in tags}, (said, tags)
for file in metadata.license_files:
    assert (info / "licenses" / file).is_file(), file
assert f"<!-- mcp-name: {sys.argv[3]} -->" in metadata.description
"#;
    let server = fs::read_to_string(packages().join("server.json")).unwrap();
    let server: serde_json::Value = serde_json::from_str(&server).unwrap();
    let mut python = Command::new(clients::tools().join("venv/bin/python"));
    python
        .args(["-c", check])
        .arg(wheel())
        .arg(folder.path().join(info))
        .arg(server["name"].as_str().unwrap());
    succeeded(&mut python);
}
