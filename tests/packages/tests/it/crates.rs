//! The crates that are published, as `cargo package` would pack them. What it refuses or leaves out is found here, not on the
//! day of a release.

use packages::{root, succeeded};
use serde_json::Value;
use std::{collections::BTreeSet, fs, process::Command};

/// In the order in which they are published: each after those that it uses.
pub const PUBLISHED: [&str; 12] = [
    "holdpoint-ask",
    "holdpoint-workspace",
    "holdpoint-policy",
    "holdpoint-journal",
    "holdpoint-harness",
    "holdpoint",
    "holdpoint-tools",
    "holdpoint-plans",
    "holdpoint-onboarding",
    "holdpoint-script",
    "holdpoint-inbox",
    "holdpoint-cli",
];

/// The registry takes ten times as much; ours are sources and hardly anything else.
const LARGEST: u64 = 1_000_000;

fn cargo(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    succeeded(command.args(args).arg("--offline").current_dir(root()))
}

/// Every package of the workspace.
fn workspace() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--format-version=1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn published() -> Vec<Value> {
    let mut all = workspace();
    // An empty list of registries is `publish = false`.
    all.retain(|package| package["publish"].is_null());
    all
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

#[test]
fn these_are_published_and_no_others() {
    let published = published();
    let found: BTreeSet<_> = published
        .iter()
        .map(|package| text(package, "name"))
        .collect();
    assert_eq!(found, BTreeSet::from(PUBLISHED));
}

#[test]
fn each_comes_after_those_that_it_uses() {
    let place = |name: &str| PUBLISHED.iter().position(|other| *other == name);
    for package in published() {
        let name = text(&package, "name");
        for used in package["dependencies"].as_array().unwrap() {
            let (used_name, kind) = (text(used, "name"), text(used, "kind"));
            if !used_name.starts_with("holdpoint") || used_name == name {
                continue;
            }
            if kind == "dev" {
                // Without a version cargo leaves it out of what it publishes.
                let has_version = text(used, "req") != "*";
                assert!(
                    !has_version || place(used_name) < place(name),
                    "{name} tests with {used_name}"
                );
            } else {
                assert!(place(used_name) < place(name), "{name} uses {used_name}");
            }
        }
    }
}

/// What the registry wants to know, and what people see there.
#[test]
fn each_is_described() {
    for package in published() {
        let name = text(&package, "name");
        for key in [
            "description",
            "license",
            "repository",
            "readme",
            "rust_version",
        ] {
            assert!(!text(&package, key).is_empty(), "{name} has no {key}");
        }
        assert!(!package["authors"].as_array().unwrap().is_empty(), "{name}");
        assert_eq!(
            text(&package, "version"),
            env!("CARGO_PKG_VERSION"),
            "{name}"
        );
        for (key, least) in [("keywords", 2), ("categories", 1)] {
            let words = package[key].as_array().unwrap();
            assert!(
                (least..=5).contains(&words.len()),
                "{name}: {key} {words:?}"
            );
            for word in words.iter().map(|word| word.as_str().unwrap()) {
                let is_right =
                    |letter: char| letter.is_ascii_alphanumeric() || "_-+:".contains(letter);
                assert!(word.chars().all(is_right), "{name}: {word}");
                assert!(key == "categories" || word.len() <= 20, "{name}: {word}");
            }
        }
        for used in package["dependencies"].as_array().unwrap() {
            let is_shipped = text(used, "kind") != "dev";
            let has_version = text(used, "req") != "*";
            assert!(
                has_version || !is_shipped,
                "{name} uses {} of any version",
                text(used, "name")
            );
        }
    }
}

/// Packs them all, without building them again.
#[test]
fn each_is_packed_with_its_files_and_no_tests_of_this_repository() {
    let target = tempfile::tempdir().unwrap();
    let mut args = vec!["package", "--no-verify", "--allow-dirty", "--quiet"];
    args.extend(PUBLISHED.iter().flat_map(|name| ["--package", *name]));
    args.extend(["--target-dir", target.path().to_str().unwrap()]);
    cargo(&args);
    for name in PUBLISHED {
        let packed = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let folder = target.path().join("package");
        let mut unpack = Command::new("tar");
        unpack.arg("-xzf").arg(format!("{packed}.crate"));
        succeeded(unpack.current_dir(&folder));
        let folder = folder.join(packed);
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let packed = fs::read(folder.join(licence)).unwrap();
            assert!(
                packed == fs::read(root().join(licence)).unwrap(),
                "{name}: {licence}"
            );
        }
        for file in ["Cargo.lock", "README.md", "src/lib.rs"] {
            assert!(folder.join(file).is_file(), "{name} lacks {file}");
        }
        assert!(!folder.join("tests").exists(), "{name} has its tests");
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(
            !manifest.contains("holdpoint-testkit"),
            "{name} uses the testkit"
        );
        let size = fs::metadata(folder.with_added_extension("crate"))
            .unwrap()
            .len();
        assert!(size < LARGEST, "{name} has {size} bytes");
    }
}

/// A link out of a crate's folder leads nowhere in the registry.
#[test]
fn the_links_of_a_readme_are_whole_addresses() {
    for package in published() {
        let folder = text(&package, "manifest_path").trim_end_matches("Cargo.toml");
        let readme = fs::read_to_string(format!("{folder}README.md")).unwrap();
        for link in readme.split("](").skip(1) {
            let target = link.split(')').next().unwrap();
            let is_whole = target.starts_with("https://") || target.starts_with('#');
            assert!(is_whole, "{}: {target}", text(&package, "name"));
        }
    }
}
