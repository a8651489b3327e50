//! "Verified" means the change that was shown, at HEAD, after the HEAD that was seen: every other
//! commit is reported as what it is.

use crate::{
    commit::{SUBJECT, TOOL, go, phase, repo, run},
    repo::Repo,
};
use holdpoint_testkit::{Conversation, Ended, Era, ToolStand};
use std::fs;

/// What the tool says where `meanwhile` happened between the question and the answer, for `a.txt`.
async fn after(meanwhile: impl FnOnce(&Repo)) -> Ended {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    let while_open = || meanwhile(&repo);
    run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await
}

fn refused(ended: &Ended, reason: &str) {
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
    assert_eq!(ended.body["commit"]["verified"], false);
    let said = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(said.contains(reason), "{said}");
}

fn verified(ended: &Ended, reason: &str) {
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
    assert_eq!(ended.body["commit"]["verified"], true);
    let said = ended.body["commit"]["reason"].as_str().unwrap_or_default();
    assert!(said.contains(reason), "{said}");
}

#[tokio::test]
async fn an_empty_commit_is_not_verified() {
    let ended = after(|repo| {
        repo.git(&["stash", "-q"]);
        repo.git(&["commit", "-q", "--allow-empty", "-m", SUBJECT]);
    })
    .await;
    refused(
        &ended,
        "\"a.txt\" was shown as f719efd430 and is not committed",
    );
}

#[tokio::test]
async fn other_content_is_not_verified() {
    let ended = after(|repo| {
        repo.write("a.txt", "evil\n");
        repo.commit(SUBJECT);
    })
    .await;
    refused(
        &ended,
        "\"a.txt\" was shown as f719efd430 and is committed as",
    );
}

#[tokio::test]
async fn an_amended_commit_is_not_verified() {
    let ended = after(|repo| {
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "--amend", "-m", SUBJECT]);
    })
    .await;
    refused(&ended, "does not come after");
}

#[tokio::test]
async fn another_branch_is_not_verified_unless_it_follows() {
    let ended = after(|repo| {
        repo.git(&["checkout", "-q", "--orphan", "other"]);
        repo.commit(SUBJECT);
    })
    .await;
    refused(&ended, "does not come after");
    let ended = after(|repo| {
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.commit(SUBJECT);
    })
    .await;
    verified(
        &ended,
        "HEAD is on branch \"other\" now, and was on branch \"main\"",
    );
}

#[tokio::test]
async fn index_flags_do_not_make_it_verified() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let ended = after(|repo| {
            repo.git(&["update-index", flag, "a.txt"]);
            repo.git(&["commit", "-q", "--allow-empty", "-m", SUBJECT]);
            assert_eq!(repo.git(&["status", "--porcelain"]), "");
        })
        .await;
        refused(
            &ended,
            "\"a.txt\" was shown as f719efd430 and is not committed",
        );
    }
}

#[tokio::test]
async fn another_mode_or_a_link_is_not_verified() {
    let ended = after(|repo| {
        repo.git(&["add", "-A"]);
        repo.git(&["update-index", "--chmod=+x", "a.txt"]);
        repo.git(&["commit", "-q", "-m", SUBJECT]);
    })
    .await;
    refused(&ended, "is committed as f719efd430, executable");
    #[cfg(unix)]
    {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        let while_open = || {
            fs::remove_file(stand.path().join("a.txt")).unwrap();
            std::os::unix::fs::symlink("two\n", stand.path().join("a.txt")).unwrap();
            repo.commit(SUBJECT);
        };
        let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
        refused(&ended, "is committed as f719efd430, a link");
    }
}

#[tokio::test]
async fn a_deleted_file_that_is_still_committed_is_not_verified() {
    let (stand, repo) = repo().await;
    fs::remove_file(stand.path().join("a.txt")).unwrap();
    let while_open = || drop(repo.git(&["commit", "-q", "--allow-empty", "-m", SUBJECT]));
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    refused(
        &ended,
        "\"a.txt\" was shown as deleted and is not committed",
    );
}

#[tokio::test]
async fn a_graft_or_a_replaced_commit_makes_no_descendant() {
    for way in ["replace", "graft"] {
        let ended = after(|repo| {
            let seen = repo.head();
            repo.git(&["checkout", "-q", "--orphan", "other"]);
            let made = repo.commit(SUBJECT);
            if way == "replace" {
                repo.git(&["replace", "--graft", &made, &seen]);
            } else {
                repo.write(".git/info/grafts", &format!("{made} {seen}\n"));
            }
            repo.git(&["merge-base", "--is-ancestor", &seen, "HEAD"]);
        })
        .await;
        refused(&ended, "does not come after");
    }
}

#[tokio::test]
async fn what_came_along_is_reported() {
    let ended = after(|repo| {
        repo.write("evil.txt", "evil\n");
        repo.commit(SUBJECT);
    })
    .await;
    verified(
        &ended,
        "files that were not shown have changed too: \"evil.txt\"",
    );
    // It does not matter in how many commits.
    let ended = after(|repo| {
        repo.commit(SUBJECT);
        repo.git(&["commit", "-q", "--allow-empty", "-m", "more"]);
    })
    .await;
    verified(&ended, "the commit's subject is \"more\"");
}

#[tokio::test]
async fn a_file_in_a_folder_that_was_not_shown_is_not_verified() {
    let (stand, repo) = repo().await;
    repo.write("dir/a.txt", "new\n");
    let while_open = || {
        repo.write("dir/evil.txt", "evil\n");
        repo.commit(SUBJECT);
    };
    let ended = run(&stand, Era::Modern, &["dir"], while_open, go(true)).await;
    refused(
        &ended,
        "\"dir/evil.txt\" was shown without a change and is committed as",
    );
    // Nor one that git ignored when it was shown.
    repo.write(".gitignore", "*.log\n");
    repo.write("dir/x.log", "ignored\n");
    repo.write("dir/a.txt", "newer\n");
    let while_open = || {
        repo.git(&["add", "-f", "dir/x.log"]);
        repo.commit(SUBJECT);
    };
    let ended = run(
        &stand,
        Era::Modern,
        &["dir/a.txt", "dir/x.log"],
        while_open,
        go(true),
    )
    .await;
    refused(&ended, "\"dir/x.log\" was shown without a change");
}

#[tokio::test]
async fn without_files_nothing_is_verified() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    let while_open = || drop(repo.commit(SUBJECT));
    let ended = run(&stand, Era::Modern, &[], while_open, go(true)).await;
    refused(&ended, "no files were named in filesModified");
}

#[tokio::test]
async fn an_empty_commit_from_before_the_question_is_not_verified() {
    let (stand, repo) = repo().await;
    repo.git(&["commit", "-q", "--allow-empty", "-m", SUBJECT]);
    let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(true)).await;
    refused(&ended, "does not change them");
}

/// The message that a person reads about `a.txt`.
async fn asked_about(stand: &ToolStand) -> String {
    let mut client = Conversation::new(stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    asked.message().to_owned()
}

#[tokio::test]
async fn a_commit_from_before_the_question_is_shown() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    repo.commit(SUBJECT);
    let message = asked_about(&stand).await;
    for shown in [
        "no changes that are not committed",
        "what the last commit",
        "-one\n+two",
    ] {
        assert!(message.contains(shown), "{message}");
    }
}

#[tokio::test]
async fn where_git_fails_the_ask_says_so_and_nothing_is_approved() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    fs::write(stand.path().join(".git/config"), "[core\n").unwrap();
    let message = asked_about(&stand).await;
    assert!(
        message.contains("no commit can be approved now"),
        "{message}"
    );
    assert!(message.contains("bad config line 1"), "{message}");
    let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(true)).await;
    refused(&ended, "git could not say");
}

#[tokio::test]
async fn a_repository_that_appears_meanwhile_has_to_be_shown_first() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    let (here, away) = (stand.path().join(".git"), stand.path().join("away"));
    fs::rename(&here, &away).unwrap();
    let while_open = || fs::rename(&away, &here).unwrap();
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    refused(&ended, "there was none when the person was asked");
}

#[tokio::test]
async fn binary_content_and_filters_are_said_in_the_ask() {
    let (stand, repo) = repo().await;
    repo.git(&["config", "filter.lfs.clean", "false"]);
    repo.write(".gitattributes", "*.bin filter=lfs\n");
    fs::write(stand.path().join("a.txt"), b"two\0").unwrap();
    fs::write(stand.path().join("x.bin"), b"x").unwrap();
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand
        .asked(&mut client, TOOL, phase(&["a.txt", "x.bin"]))
        .await;
    let message = asked.message();
    for shown in [
        "- `a.txt`: 4 bytes, `5626abf0f72e58d7a153368ba57db4c673c0e171` → 4 bytes, `",
        "x.bin (filter lfs)",
        "`git_filters`",
    ] {
        assert!(message.contains(shown), "{shown}: {message}");
    }
    assert!(message.contains("+x"), "{message}");
}

#[tokio::test]
async fn many_binary_files_are_counted_where_there_is_no_room() {
    let (stand, _repo) = repo().await;
    fs::create_dir(stand.path().join("images")).unwrap();
    for number in 0..300 {
        let path = stand.path().join(format!("images/{number}.png"));
        fs::write(path, format!("\0{number}")).unwrap();
    }
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["images"])).await;
    let message = asked.message();
    assert!(message.contains("read it here** (300):"), "{message}");
    assert!(
        message.contains("more that are not text are not listed"),
        "{message}"
    );
}
