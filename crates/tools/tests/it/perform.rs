//! `request_phase_commit_approval` where Holdpoint commits: exactly what was shown.

use crate::{repo::Repo, setup_with};
use holdpoint::{Settings, journal::Write};
use holdpoint_testkit::{Conversation, ERAS, Ended, Era, StandSetup, ToolStand, accept};
use holdpoint_tools::Commit;
use serde_json::{Value, json};

const TOOL: &str = "request_phase_commit_approval";

fn phase(files: &[&str]) -> Value {
    json!({
        "phaseNumber": 1,
        "phaseSummary": "The page is there.",
        "commitMessage": "feat: add login\n\n# not a comment\n- the page",
        "filesModified": files,
    })
}

fn setup() -> StandSetup {
    StandSetup {
        tokio_clock: false,
        ..setup_with(Commit::Perform)
    }
}

async fn repo() -> (ToolStand, Repo) {
    let stand = setup().stand().await;
    let repo = Repo::init(&stand.path());
    repo.write("a.txt", "two\n");
    (stand, repo)
}

async fn run(stand: &ToolStand, era: Era, files: &[&str]) -> Ended {
    stand.run(era, TOOL, phase(files), &[go()]).await
}

fn go() -> Value {
    accept(json!({ "decision": "commit_and_continue" }))
}

#[tokio::test]
async fn exactly_what_was_shown_is_committed() {
    for era in ERAS {
        let (stand, repo) = repo().await;
        repo.write("dir with space/größe.txt", "new\n");
        repo.write("-rf", "new\n");
        repo.write("other.txt", "not asked about\n");
        repo.git(&["add", "other.txt"]);
        let files = ["a.txt", "dir with space/größe.txt", "-rf"];
        let ended = run(&stand, era, &files).await;
        let commit = json!({ "verified": true, "sha": repo.head() });
        assert_eq!(
            ended.fields(&["commit", "proceed"]),
            json!({ "commit": commit, "proceed": true })
        );
        let names = repo.git(&[
            "-c",
            "core.quotePath=false",
            "show",
            "--name-only",
            "--format=%B",
        ]);
        assert_eq!(
            names,
            "feat: add login\n\n# not a comment\n- the page\n\n\n-rf\na.txt\ndir with space/größe.txt"
        );
        // What else was staged is still staged, and nothing else.
        assert_eq!(repo.git(&["status", "--porcelain"]), "A  other.txt");
        assert!(stand.asks().await[0].ask.dangerous);
    }
}

#[tokio::test]
async fn deleted_files_are_committed_as_deleted() {
    let (stand, repo) = repo().await;
    std::fs::remove_file(stand.path().join("a.txt")).unwrap();
    repo.write("b.txt", "one\n");
    let ended = run(&stand, Era::Modern, &["a.txt", "b.txt"]).await;
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
    assert_eq!(repo.git(&["ls-files"]), "b.txt");
}

#[tokio::test]
async fn a_failing_hook_is_reported_and_nothing_is_lost() {
    for era in ERAS {
        let (stand, repo) = repo().await;
        repo.hook("pre-commit", "echo 'tests fail: 3 of 7' >&2; exit 1");
        let head = repo.head();
        let ended = run(&stand, era, &["a.txt"]).await;
        assert_eq!(ended.body["proceed"], false);
        assert_eq!(ended.body["commit"]["verified"], false);
        let reason = ended.body["commit"]["reason"].as_str().unwrap();
        assert!(reason.contains("tests fail: 3 of 7"), "{reason}");
        assert!(reason.contains("nothing is lost"), "{reason}");
        assert_eq!(repo.head(), head);
        assert_eq!(
            std::fs::read_to_string(stand.path().join("a.txt")).unwrap(),
            "two\n"
        );
    }
}

#[tokio::test]
async fn a_hook_that_changes_the_commit_is_reported() {
    let (stand, repo) = repo().await;
    repo.hook("pre-commit", "echo three > a.txt; git add a.txt");
    let ended = run(&stand, Era::Modern, &["a.txt"]).await;
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(reason.contains("differ from what was shown"), "{reason}");
}

#[tokio::test]
async fn what_changed_meanwhile_is_asked_again() {
    for era in ERAS {
        let (stand, repo) = repo().await;
        let head = repo.head();
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
        repo.write("a.txt", "three\n");
        let asked = client.answer(asked, go()).await.asked();
        assert_eq!(repo.head(), head);
        assert!(
            asked
                .message()
                .starts_with("**The files have changed since you answered")
        );
        assert!(asked.message().contains("+three"));
        let step = client.answer(asked, go()).await;
        assert_eq!(stand.ended(TOOL, step).body["proceed"], true);
        assert_eq!(repo.git(&["show", "HEAD:a.txt"]), "three");
        assert_eq!(stand.asks().await.len(), 2);
    }
}

#[tokio::test]
async fn a_head_that_moved_meanwhile_is_asked_again() {
    let (stand, repo) = repo().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    repo.write("b.txt", "x\n");
    repo.git(&["add", "b.txt"]);
    repo.git(&["commit", "-q", "-m", "someone else's"]);
    let asked = client.answer(asked, go()).await.asked();
    let step = client.answer(asked, go()).await;
    assert_eq!(stand.ended(TOOL, step).body["proceed"], true);
}

#[tokio::test]
async fn files_that_never_rest_are_not_committed() {
    let (stand, repo) = repo().await;
    let head = repo.head();
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let mut step = client.call(TOOL, phase(&["a.txt"])).await;
    for round in 0..3 {
        let asked = step.asked();
        repo.write("a.txt", &format!("{round}\n"));
        step = client.answer(asked, go()).await;
    }
    let ended = stand.ended(TOOL, step);
    assert!(
        ended.error && ended.body["proceed"] == false,
        "{}",
        ended.text
    );
    assert_eq!(repo.head(), head);
}

#[tokio::test]
async fn a_person_who_committed_is_not_committed_for() {
    for ticked in [true, false] {
        let (stand, repo) = repo().await;
        let mut client = Conversation::new(&stand, Era::Modern).await;
        let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
        let head = repo.commit("feat: add login");
        let answer = json!({ "decision": "commit_and_continue", "commitConfirmed": ticked });
        let step = client.answer(asked, accept(answer)).await;
        assert_eq!(stand.ended(TOOL, step).body["proceed"], true);
        assert_eq!(repo.head(), head);
    }
}

#[tokio::test]
async fn a_tick_that_is_not_true_commits_nothing() {
    let (stand, repo) = repo().await;
    let head = repo.head();
    let answer = accept(json!({ "decision": "commit_and_continue", "commitConfirmed": true }));
    let ended = stand
        .run(Era::Modern, TOOL, phase(&["a.txt"]), &[answer])
        .await;
    assert_eq!(ended.body["proceed"], false);
    assert_eq!(repo.head(), head);
}

#[tokio::test]
async fn pausing_commits_and_waits() {
    let (stand, repo) = repo().await;
    let head = repo.head();
    let answer = accept(json!({ "decision": "commit_and_pause" }));
    let ended = stand
        .run(Era::Modern, TOOL, phase(&["a.txt"]), &[answer])
        .await;
    assert_eq!(ended.body["proceed"], false);
    assert_eq!(ended.body["commit"]["verified"], true);
    assert_ne!(repo.head(), head);
}

#[tokio::test]
async fn nothing_to_commit_is_no_commit() {
    let (stand, repo) = repo().await;
    repo.git(&["checkout", "-q", "a.txt"]);
    for files in [&["a.txt"][..], &[], &["missing.txt"]] {
        let head = repo.head();
        let ended = run(&stand, Era::Modern, files).await;
        assert_eq!(ended.body["proceed"], false, "{files:?}: {}", ended.text);
        assert_eq!(repo.head(), head);
    }
}

#[tokio::test]
async fn a_detached_head_gets_the_commit_and_is_told() {
    let (stand, repo) = repo().await;
    repo.git(&["checkout", "-q", "--detach"]);
    let ended = run(&stand, Era::Modern, &["a.txt"]).await;
    assert_eq!(ended.body["proceed"], true);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(reason.contains("HEAD is detached"), "{reason}");
}

#[tokio::test]
async fn a_merge_that_is_not_finished_is_reported() {
    let (stand, repo) = repo().await;
    std::fs::write(stand.path().join(".git/MERGE_HEAD"), repo.head() + "\n").unwrap();
    let ended = run(&stand, Era::Modern, &["a.txt"]).await;
    assert_eq!(ended.body["proceed"], false);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(reason.contains("partial commit during a merge"), "{reason}");
}

#[tokio::test]
async fn a_reply_faster_than_a_person_commits_nothing() {
    let setup = StandSetup {
        settings: Settings::default(),
        ..setup()
    };
    let stand = setup.stand().await;
    let repo = Repo::init(&stand.path());
    repo.write("a.txt", "two\n");
    let head = repo.head();
    let ended = run(&stand, Era::Legacy, &["a.txt"]).await;
    assert_eq!(ended.body["status"], "unreachable", "{}", ended.text);
    assert_eq!(repo.head(), head);
}

/// Leaves the step as a crash would: started, and never finished.
async fn crash_in_commit(stand: &ToolStand) {
    let start = Write::StartStep {
        call: stand.asks().await[0].call.unwrap(),
        epoch: 1,
        name: "commit".into(),
        occurrence: 0,
        label: None,
        at: jiff::Timestamp::now(),
    };
    stand.desk.journal().commit(vec![start]).await.unwrap();
}

#[tokio::test]
async fn a_commit_that_a_crash_interrupted_is_not_made_again() {
    let (stand, repo) = repo().await;
    let head = repo.head();
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    crash_in_commit(&stand).await;
    let step = client.answer(asked, go()).await;
    let ended = stand.ended(TOOL, step);
    assert_eq!(ended.body["proceed"], false);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(
        reason.contains("interrupted before it was done"),
        "{reason}"
    );
    assert_eq!(repo.head(), head);
}

#[tokio::test]
async fn flags_in_the_index_do_not_make_a_commit_of_something_else() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let (stand, repo) = repo().await;
        repo.git(&["update-index", flag, "a.txt"]);
        let ended = run(&stand, Era::Modern, &["a.txt"]).await;
        let committed = repo.git(&["show", "HEAD:a.txt"]) == "two";
        assert_eq!(ended.body["proceed"], committed, "{flag}: {}", ended.text);
    }
}

#[tokio::test]
async fn what_a_hook_adds_to_the_commit_is_reported() {
    let (stand, repo) = repo().await;
    repo.hook("pre-commit", "echo evil > evil.txt; git add evil.txt");
    let ended = run(&stand, Era::Modern, &["a.txt"]).await;
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(reason.contains("it also changes evil.txt"), "{reason}");
}

#[tokio::test]
async fn a_hook_that_writes_another_message_is_not_verified() {
    for (script, why) in [
        (
            "echo 'feat: remove login' > \"$1\"",
            "subject is \"feat: remove login\"",
        ),
        (
            "echo 'and more' >> \"$1\"",
            "another body than the proposed one",
        ),
    ] {
        let (stand, repo) = repo().await;
        repo.hook("commit-msg", script);
        let ended = run(&stand, Era::Modern, &["a.txt"]).await;
        assert_eq!(ended.body["proceed"], false, "{}", ended.text);
        assert_eq!(ended.body["commit"]["verified"], false);
        let reason = ended.body["commit"]["reason"].as_str().unwrap();
        assert!(reason.contains(why), "{reason}");
    }
}

#[tokio::test]
async fn a_trailer_that_a_hook_adds_is_a_note() {
    let (stand, repo) = repo().await;
    repo.hook("commit-msg", "printf '\\nChange-Id: I1\\n' >> \"$1\"");
    let ended = run(&stand, Era::Modern, &["a.txt"]).await;
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
    assert_eq!(
        ended.body["commit"]["reason"],
        "the commit's message has more than the proposed one: \"Change-Id: I1\""
    );
}

#[tokio::test]
async fn who_a_commit_is_by_is_shown_and_compared() {
    let (stand, repo) = repo().await;
    repo.git(&["config", "user.name", "The CEO"]);
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    let shown = "as `The CEO <ada@example.org>`";
    assert!(asked.message().contains(shown), "{}", asked.message());
    // Somebody else, meanwhile: the person is asked again.
    repo.git(&["config", "user.name", "Mallory"]);
    let asked = client.answer(asked, go()).await.asked();
    assert!(asked.message().contains("as `Mallory <ada@example.org>`"));
    let amend = "[ -e .git/once ] || { touch .git/once; git commit -q --amend --no-edit --author 'Eve <eve@example.org>'; }";
    repo.hook("post-commit", amend);
    let step = client.answer(asked, go()).await;
    let ended = stand.ended(TOOL, step);
    assert_eq!(ended.body["commit"]["verified"], false, "{}", ended.text);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(
        reason.contains("it is by \"Eve <eve@example.org>"),
        "{reason}"
    );
}

#[tokio::test]
async fn a_sparse_checkout_is_committed_as_shown() {
    let (stand, repo) = repo().await;
    repo.write("k/f", "one\n");
    repo.write("d/f", "one\n");
    repo.commit("more");
    repo.git(&["sparse-checkout", "set", "k"]);
    assert!(!stand.path().join("d/f").exists());
    repo.write("k/f", "two\n");
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["."])).await;
    assert!(!asked.message().contains("d/f"), "{}", asked.message());
    let step = client.answer(asked, go()).await;
    let ended = stand.ended(TOOL, step);
    assert_eq!(ended.body["commit"]["verified"], true, "{}", ended.text);
    let changed = repo.git(&["show", "--name-only", "--format="]);
    assert_eq!(changed, "k/f");
    // A file that is not there cannot be named either.
    let ended = run(&stand, Era::Modern, &["d/f"]).await;
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
    assert_eq!(repo.git(&["show", "HEAD:d/f"]), "one");
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_became_a_link_is_committed_as_shown() {
    for named in ["d", ".", "d/f"] {
        let (stand, repo) = repo().await;
        repo.write("d/f", "one\n");
        repo.write("e/f", "one\n");
        repo.commit("more");
        std::fs::remove_dir_all(stand.path().join("d")).unwrap();
        std::os::unix::fs::symlink("e", stand.path().join("d")).unwrap();
        let mut client = Conversation::new(&stand, Era::Modern).await;
        let asked = stand.asked(&mut client, TOOL, phase(&[named])).await;
        let message = asked.message().to_owned();
        assert!(
            message.contains("- `d/f`: deleted, +0 −1"),
            "{named}: {message}"
        );
        assert_eq!(
            message.contains("- `d`: new, a link, +1 −0"),
            named != "d/f",
            "{message}"
        );
        if named != "d" {
            // Git itself refuses `commit -- .` and `commit -- d/f` here: the person commits it.
            repo.commit("feat: add login");
        }
        let step = client.answer(asked, go()).await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(
            ended.body["commit"]["verified"], true,
            "{named}: {}",
            ended.text
        );
        assert_eq!(repo.git(&["ls-files"]), "a.txt\nd\ne/f");
    }
}
