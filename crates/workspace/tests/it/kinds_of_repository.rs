//! Repositories of every kind are looked at alike: worktrees, shallow and partial clones, other ids,
//! folders below the top.
#![cfg(unix)]

use crate::repository::{Repository, git};
use holdpoint_workspace::git::{Found, Git, Staged};
use std::{fs, path::Path};

/// Shows a change of `a.txt` in this folder, commits it as a person does, and compares.
async fn show_and_commit(folder: &Path) -> (Staged, Found) {
    fs::write(folder.join("a.txt"), "two\n").unwrap();
    let files = ["a.txt".to_owned()];
    let found = Git::find(folder).await.unwrap().unwrap();
    let staged = found.staged(&files).await.unwrap();
    assert!(staged.diff().contains("+two"), "{}", staged.diff());
    assert!(found.is_still(&staged, &files).await.unwrap());
    git(folder, &["add", "-A"]);
    let name = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    git(
        folder,
        &[&name[..], &["commit", "-q", "-m", "two"]].concat(),
    );
    let compared = found.compare(&staged, &files).await.unwrap().unwrap();
    assert!(compared.descends && compared.is_same, "{compared:?}");
    assert!(compared.others.is_empty(), "{compared:?}");
    (staged, compared)
}

#[tokio::test]
async fn a_worktree_has_a_head_of_its_own() {
    let repository = Repository::new();
    let tree = repository.path().with_file_name("tree");
    repository.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        tree.to_str().unwrap(),
    ]);
    let (staged, _) = show_and_commit(&tree).await;
    assert_eq!(staged.branch.as_deref(), Some("side"));
}

#[tokio::test]
async fn a_shallow_clone_has_no_parents_to_show() {
    let repository = Repository::new();
    repository.commit("second");
    repository.write("b.txt", "two\n");
    repository.commit("third");
    let clone = repository.path().with_file_name("clone");
    let url = format!("file://{}", repository.path().display());
    repository.git(&["clone", "-q", "--depth=1", &url, clone.to_str().unwrap()]);
    let found = Git::find(&clone).await.unwrap().unwrap();
    let staged = found.staged(&["b.txt".to_owned()]).await.unwrap();
    assert_eq!((staged.changes.len(), staged.last), (0, None));
    show_and_commit(&clone).await;
}

#[tokio::test]
async fn ids_of_the_other_kind() {
    let repository = Repository::new();
    let other = repository.path().with_file_name("other");
    let init = [
        "init",
        "-q",
        "--object-format=sha256",
        other.to_str().unwrap(),
    ];
    repository.git(&init);
    let (staged, found) = show_and_commit(&other).await;
    assert_eq!(staged.head, None);
    assert_eq!(found.head.sha.len(), 64);
}

#[tokio::test]
async fn packed_and_borrowed_objects() {
    let repository = Repository::new();
    let clone = repository.path().with_file_name("clone");
    repository.git(&["gc", "-q"]);
    repository.git(&["pack-refs", "--all"]);
    let path = repository.path();
    let borrow = [
        "clone",
        "-q",
        "--shared",
        path.to_str().unwrap(),
        clone.to_str().unwrap(),
    ];
    repository.git(&borrow);
    show_and_commit(&clone).await;
    show_and_commit(&path).await;
}

#[tokio::test]
async fn a_folder_below_the_top_sees_its_own_files() {
    let repository = Repository::new();
    let folder = repository.path().join("dir");
    let (staged, found) = show_and_commit(&folder).await;
    assert_eq!(staged.changes[0].path, "dir/a.txt");
    repository.write("dir/c.txt", "two\n");
    repository.write("b.txt", "two\n");
    let git = Git::find(&folder).await.unwrap().unwrap();
    let staged = git.staged(&[".".to_owned()]).await.unwrap();
    let changed: Vec<_> = staged
        .changes
        .iter()
        .map(|change| change.path.as_str())
        .collect();
    assert_eq!(changed, ["dir/c.txt"]);
    assert_eq!(staged.head, Some(found.head.sha));
}

#[tokio::test]
async fn a_merge_is_followed_to_what_was_seen() {
    let repository = Repository::new();
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.write("side.txt", "side\n");
    repository.commit("side");
    repository.git(&["checkout", "-q", "main"]);
    repository.write("a.txt", "two\n");
    let files = ["a.txt".to_owned()];
    let found = Git::find(&repository.path()).await.unwrap().unwrap();
    let staged = found.staged(&files).await.unwrap();
    repository.commit("two");
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    let compared = found.compare(&staged, &files).await.unwrap().unwrap();
    assert!(compared.descends && compared.is_same, "{compared:?}");
    assert_eq!(compared.others, ["side.txt"]);
}

#[tokio::test]
async fn names_are_taken_as_they_are_written() {
    let repository = Repository::new();
    for name in [
        "*.txt",
        ":(top)x",
        "A.TXT",
        "-rf",
        "with \"quotes\" and\ttab",
        "größe",
    ] {
        repository.write(name, "new\n");
    }
    let found = Git::find(&repository.path()).await.unwrap().unwrap();
    for name in [
        "*.txt",
        ":(top)x",
        "A.TXT",
        "-rf",
        "with \"quotes\" and\ttab",
        "größe",
    ] {
        let files = [name.to_owned()];
        let staged = found.staged(&files).await.unwrap();
        let changed: Vec<_> = staged
            .changes
            .iter()
            .map(|change| change.path.as_str())
            .collect();
        assert_eq!(changed, [name]);
    }
    for name in [":(glob)**", "B.TXT", ".git/config", "dir/../a.txt"] {
        let staged = found.staged(&[name.to_owned()]).await;
        let nothing =
            staged.is_ok_and(|staged| staged.changes.is_empty() && staged.known.is_empty());
        assert!(nothing, "{name}");
    }
}

#[tokio::test]
async fn what_lies_behind_a_link_is_not_shown() {
    let repository = Repository::new();
    let outside = repository.path().with_file_name("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x.txt"), "secret\n").unwrap();
    std::os::unix::fs::symlink(&outside, repository.path().join("link")).unwrap();
    let found = Git::find(&repository.path()).await.unwrap().unwrap();
    for file in ["link/x.txt", "../outside/x.txt"] {
        let staged = found.staged(&[file.to_owned()]).await;
        let shows = staged.is_ok_and(|staged| staged.diff().contains("secret"));
        assert!(!shows, "{file}");
    }
}
