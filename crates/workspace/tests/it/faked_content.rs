//! What is shown is what git would store and what is committed, whatever the repository does to show
//! something else.
#![cfg(unix)]

use crate::repository::{Repository, git};
use holdpoint_workspace::git::{Git, GitError, Staged};
use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

async fn staged(repository: &Repository, files: &[&str]) -> Result<Staged, GitError> {
    let files: Vec<_> = files.iter().map(|file| (*file).to_owned()).collect();
    let git = Git::find(&repository.path()).await?.unwrap();
    git.staged(&files).await
}

/// The blob that git itself stores for a file, as a person's `git add` does.
fn stored(repository: &Repository, file: &str) -> String {
    repository.git(&["add", "--", file]);
    let line = repository.git(&["ls-files", "-s", "--", file]);
    line.split(' ').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn attributes_hide_no_text_from_the_diff() {
    for (file, text) in [
        (".gitattributes", "* -diff\n"),
        (".gitattributes", "* binary\n"),
        (".gitattributes", "a.txt diff=x\n"),
        (".git/info/attributes", "* -diff\n"),
    ] {
        let repository = Repository::new();
        repository.git(&["config", "diff.x.binary", "true"]);
        repository.write(file, text);
        repository.write("a.txt", "two\n");
        for files in [&["a.txt"][..], &["a.txt", ".gitattributes"]] {
            let staged = staged(&repository, files).await.unwrap();
            assert!(
                staged.diff().contains("-one\n+two"),
                "{text}: {}",
                staged.diff()
            );
            assert!(staged.binary.is_empty());
        }
        repository.commit("with attributes");
        repository.write("a.txt", "three\n");
        let staged = staged(&repository, &["a.txt"]).await.unwrap();
        assert!(
            staged.diff().contains("-two\n+three"),
            "{text}: {}",
            staged.diff()
        );
    }
}

#[tokio::test]
async fn settings_of_the_repository_do_not_change_the_diff() {
    let repository = Repository::new();
    for (key, value) in [
        ("diff.context", "0"),
        ("diff.noprefix", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.orderFile", "/dev/null"),
        ("diff.renames", "copies"),
        ("core.bigFileThreshold", "1"),
        ("core.whitespace", "cr-at-eol"),
        ("color.ui", "always"),
        ("diff.suppressBlankEmpty", "true"),
    ] {
        repository.git(&["config", key, value]);
    }
    repository.git(&["mv", "a.txt", "moved.txt"]);
    let staged = staged(&repository, &["a.txt", "moved.txt"]).await.unwrap();
    for shown in [
        "deleted file mode",
        "--- a/a.txt",
        "-one",
        "+++ b/moved.txt",
        "+one",
    ] {
        assert!(staged.diff().contains(shown), "{}", staged.diff());
    }
}

#[tokio::test]
async fn binary_content_is_shown_by_path_size_and_both_blob_ids() {
    let repository = Repository::new();
    repository.write("logo.png", b"one\0one");
    repository.commit("a logo");
    let before = repository.git(&["rev-parse", "HEAD:logo.png"]);
    repository.write("logo.png", b"two\0two two");
    repository.write("new.bin", b"\0");
    let staged = staged(&repository, &["logo.png", "new.bin"]).await.unwrap();
    let after = stored(&repository, "logo.png");
    let logo = &staged.binary[0];
    let (old, new) = (logo.before.as_ref().unwrap(), logo.after.as_ref().unwrap());
    assert_eq!(
        (logo.path.as_str(), old.size, new.size),
        ("logo.png", 7, 11)
    );
    assert_eq!((&old.id, &new.id), (&before, &after));
    assert_eq!(staged.binary[1].before, None);
}

#[tokio::test]
async fn replaced_objects_are_not_shown() {
    let repository = Repository::new();
    let before = repository.git(&["rev-parse", "HEAD:a.txt"]);
    repository.write("a.txt", "evil\n");
    // The old content is replaced by the new one, so that nothing seems to change.
    let evil = repository.git(&["hash-object", "-w", "a.txt"]);
    repository.git(&["replace", &before, &evil]);
    let staged = staged(&repository, &["a.txt"]).await.unwrap();
    assert!(staged.diff().contains("-one\n+evil"), "{}", staged.diff());
}

#[tokio::test]
async fn a_replaced_tree_hides_no_change() {
    let repository = Repository::new();
    let (head, tree) = (
        repository.git(&["rev-parse", "HEAD"]),
        repository.git(&["rev-parse", "HEAD^{tree}"]),
    );
    repository.write("a.txt", "evil\n");
    repository.git(&["add", "-A"]);
    let evil = repository.git(&["write-tree"]);
    repository.git(&["replace", &tree, &evil]);
    let staged = staged(&repository, &["a.txt"]).await.unwrap();
    assert_eq!(staged.head, Some(head));
    assert!(staged.diff().contains("-one\n+evil"), "{}", staged.diff());
}

/// Puts an object into the store under the name of another one.
fn plant(repository: &Repository, id: &str, kind: &str, content: &[u8]) {
    let mut hash = Command::new("git")
        .args(["hash-object", "-w", "--literally", "-t", kind, "--stdin"])
        .current_dir(repository.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    hash.stdin.take().unwrap().write_all(content).unwrap();
    let made = String::from_utf8(hash.wait_with_output().unwrap().stdout).unwrap();
    let place = |id: &str| {
        let (folder, name) = id.trim().split_at(2);
        repository
            .path()
            .join(".git/objects")
            .join(folder)
            .join(name)
    };
    let (from, to) = (place(&made), place(id));
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    if to.exists() {
        fs::set_permissions(&to, fs::Permissions::from_mode(0o644)).unwrap();
        fs::remove_file(&to).unwrap();
    }
    fs::copy(from, to).unwrap();
}

#[tokio::test]
async fn an_old_content_that_lies_about_its_id_is_not_believed() {
    let repository = Repository::new();
    let before = repository.git(&["rev-parse", "HEAD:a.txt"]);
    repository.write("a.txt", "evil\n");
    plant(&repository, &before, "blob", b"evil, nearly\n");
    assert!(staged(&repository, &["a.txt"]).await.is_err());
}

#[tokio::test]
async fn a_new_content_that_lies_about_its_id_is_not_shown() {
    let repository = Repository::new();
    repository.write("a.txt", "evil\n");
    let id = repository.git(&["hash-object", "a.txt"]);
    plant(&repository, &id, "blob", b"harmless\n");
    let staged = staged(&repository, &["a.txt"]).await.unwrap();
    assert!(staged.diff().contains("+evil"), "{}", staged.diff());
}

#[tokio::test]
async fn a_tree_or_a_commit_that_lies_about_its_id_is_not_believed() {
    for name in ["HEAD^{tree}", "HEAD:dir", "HEAD"] {
        let repository = Repository::new();
        let id = repository.git(&["rev-parse", name]);
        repository.write("dir/c.txt", "evil\n");
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", "evil"]);
        let evil = repository.git(&["rev-parse", name]);
        repository.git(&["reset", "-q", "--soft", "HEAD~1"]);
        let kind = repository.git(&["cat-file", "-t", &evil]);
        let content = Command::new("git")
            .args(["cat-file", &kind, &evil])
            .current_dir(repository.path())
            .output()
            .unwrap();
        plant(&repository, &id, &kind, &content.stdout);
        let shown = staged(&repository, &["dir/c.txt"]).await;
        assert!(shown.is_err(), "{name}: {shown:?}");
    }
}

#[tokio::test]
async fn flags_in_the_index_hide_nothing() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repository = Repository::new();
        repository.git(&["update-index", flag, "a.txt"]);
        repository.write("a.txt", "evil\n");
        let staged = staged(&repository, &["a.txt"]).await.unwrap();
        assert!(staged.diff().contains("+evil"), "{flag}: {}", staged.diff());
    }
}

#[tokio::test]
async fn files_are_shown_as_git_would_store_them() {
    type Setup = (
        &'static str,
        &'static [(&'static str, &'static str)],
        &'static str,
    );
    const SETUPS: [Setup; 7] = [
        ("plain", &[], ""),
        ("autocrlf", &[("core.autocrlf", "true")], ""),
        ("input", &[("core.autocrlf", "input")], ""),
        ("eol attribute", &[], "*.txt text eol=crlf\n"),
        ("not text", &[("core.autocrlf", "true")], "*.txt -text\n"),
        ("ident", &[], "*.txt ident\n"),
        ("encoding", &[], "*.txt text working-tree-encoding=UTF-8\n"),
    ];
    for (name, config, attributes) in SETUPS {
        let repository = Repository::new();
        // A file that has its line ends in the repository keeps them.
        repository.write("crlf.txt", "one\r\n");
        repository.git(&["-c", "core.autocrlf=false", "add", "-A"]);
        repository.git(&["commit", "-q", "-m", "line ends"]);
        for (key, value) in config {
            repository.git(&["config", key, value]);
        }
        repository.write(".gitattributes", attributes);
        repository.write("a.txt", "one\r\ntwo $Id: x $\r\n");
        repository.write("crlf.txt", "one\r\ntwo\r\n");
        let staged = staged(&repository, &["a.txt", "crlf.txt"]).await.unwrap();
        for change in &staged.changes {
            let shown = &change.after.as_ref().unwrap().id;
            assert_eq!(
                *shown,
                stored(&repository, &change.path),
                "{name}: {}",
                change.path
            );
        }
        assert!(!staged.changes.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn modes_links_submodules_and_deleted_files_are_shown() {
    let repository = Repository::new();
    let path = repository.path();
    fs::set_permissions(path.join("a.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(path.join("b.txt")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", path.join("b.txt")).unwrap();
    fs::remove_file(path.join("dir/c.txt")).unwrap();
    fs::create_dir(path.join("nested")).unwrap();
    git(&path.join("nested"), &["init", "-q"]);
    let commit = [
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x",
    ];
    git(&path.join("nested"), &commit);
    let staged = staged(&repository, &["a.txt", "b.txt", "dir", "nested"])
        .await
        .unwrap();
    let modes: Vec<_> = staged
        .changes
        .iter()
        .map(|change| {
            (
                change.path.as_str(),
                change.after.as_ref().map(|side| side.mode.as_str()),
            )
        })
        .collect();
    let expected = [
        ("a.txt", Some("100755")),
        ("b.txt", Some("120000")),
        ("dir/c.txt", None),
        ("nested", Some("160000")),
    ];
    assert_eq!(modes, expected);
    assert!(staged.diff().contains("+Subproject commit") && staged.diff().contains("+/etc/passwd"));
}

#[tokio::test]
async fn a_failing_git_shows_nothing() {
    let break_head =
        |path: &Path| fs::write(path.join(".git/refs/heads/main"), "garbage\n").unwrap();
    let break_config = |path: &Path| fs::write(path.join(".git/config"), "[core\n").unwrap();
    let empty_git = |path: &Path| {
        fs::remove_dir_all(path.join(".git")).unwrap();
        fs::create_dir(path.join(".git")).unwrap();
    };
    let unreadable = |path: &Path| {
        fs::remove_file(path.join("a.txt")).unwrap();
        let made = Command::new("mkfifo").arg(path.join("a.txt")).status();
        assert!(made.unwrap().success());
    };
    let attributes = |path: &Path| {
        let made = Command::new("mkfifo")
            .arg(path.join(".git/info/attributes"))
            .status();
        assert!(made.unwrap().success());
    };
    let lost = |path: &Path| fs::remove_dir_all(path.join(".git/objects")).unwrap();
    type Break<'a> = &'a dyn Fn(&Path);
    let ways: [(&str, Break<'_>); 6] = [
        ("head", &break_head),
        ("config", &break_config),
        ("empty", &empty_git),
        ("pipe", &unreadable),
        ("attributes", &attributes),
        ("objects", &lost),
    ];
    for (name, way) in ways {
        let repository = Repository::new();
        repository.write("a.txt", "two\n");
        way(&repository.path());
        let shown = staged(&repository, &["a.txt"]).await;
        assert!(shown.is_err(), "{name}: {shown:?}");
    }
}
