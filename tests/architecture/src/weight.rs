//! How many crates an author builds with the library.

use crate::sources::root;
use std::{collections::BTreeSet, process::Command};

/// The crates that `holdpoint` is built of with these features, itself among them.
fn crates(features: &[&str]) -> usize {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--package",
            "holdpoint",
            "--edges",
            "normal",
        ])
        .args(["--prefix", "none"])
        .args(features)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let tree = String::from_utf8(tree.stdout).unwrap();
    let crates: BTreeSet<_> = tree
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    crates.len()
}

#[test]
fn an_author_builds_few_crates() {
    let check = |features: &[&str], most: usize| {
        let found = crates(features);
        assert!(found > 50, "{found} crates: the tree was not read");
        assert!(
            found <= most,
            "{found} crates with {features:?}, at most {most}"
        );
    };
    check(&["--no-default-features"], 110);
    check(&[], 140);
}
