//! `request_phase_commit_approval` where the person commits: git is the evidence.

use crate::repo::Repo;
use crate::setup;
use holdpoint_testkit::{
    Conversation, ERAS, Ended, Era, StandSetup, ToolStand, accept, cancel, decline,
};
use serde_json::{Value, json};

pub const TOOL: &str = "request_phase_commit_approval";
pub const SUBJECT: &str = "feat: add login";

pub fn phase(files: &[&str]) -> Value {
    json!({
        "phaseNumber": 1,
        "phaseSummary": "The page is there.",
        "commitMessage": format!("{SUBJECT}\n\n- the page\n- its tests"),
        "filesModified": files,
        "planName": "Add login",
        "reviewStatus": "APPROVED",
    })
}

pub async fn repo() -> (ToolStand, Repo) {
    let setup = StandSetup {
        tokio_clock: false,
        ..setup()
    };
    let stand = setup.stand().await;
    let repo = Repo::init(&stand.path());
    (stand, repo)
}

/// Asks about these files; `while_open` happens before the answer.
pub async fn run(
    stand: &ToolStand,
    era: Era,
    files: &[&str],
    while_open: impl FnOnce(),
    answer: Value,
) -> Ended {
    let mut client = Conversation::new(stand, era).await;
    let asked = stand.asked(&mut client, TOOL, phase(files)).await;
    while_open();
    let step = client.answer(asked, accept(answer)).await;
    stand.ended(TOOL, step)
}

pub fn go(ticked: bool) -> Value {
    json!({ "decision": "commit_and_continue", "commitConfirmed": ticked })
}

#[tokio::test]
async fn a_commit_that_is_there_is_verified_ticked_or_not() {
    for (era, ticked) in [(Era::Legacy, true), (Era::Modern, false)] {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        let while_open = || drop(repo.commit("feat: add login\n\n- the page\n- its tests"));
        let ended = run(&stand, era, &["a.txt"], while_open, go(ticked)).await;
        let commit = json!({ "verified": true, "sha": repo.head() });
        let told = ended.fields(&["decision", "commit", "proceed"]);
        assert_eq!(
            told,
            json!({ "decision": "commit_and_continue", "commit": commit, "proceed": true })
        );
        assert!(
            ended.next().contains("go on with the next phase"),
            "{}",
            ended.next()
        );
    }
}

#[tokio::test]
async fn a_commit_from_before_the_question_counts_by_its_subject() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    repo.commit("feat: add login");
    let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(false)).await;
    assert_eq!(ended.body["proceed"], true);
}

#[tokio::test]
async fn what_else_a_commit_from_before_changes_is_shown_and_reported() {
    for era in ERAS {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        repo.write("evil.sh", "rm -rf /\n");
        repo.commit(phase(&[])["commitMessage"].as_str().unwrap());
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
        let shown = "That commit also changes files that are not named here** (1)";
        let message = asked.message();
        assert!(
            message.contains(shown) && message.contains("- `evil.sh`"),
            "{message}"
        );
        let step = client.answer(asked, accept(go(false))).await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(
            ended.body["commit"]["reason"],
            "the commit also changes files that nobody named: \"evil.sh\""
        );
    }
    // The first commit of a repository has no parent to compare it with.
    let (stand, repo) = repo().await;
    repo.write("evil.sh", "rm -rf /\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "--amend", "-m", SUBJECT]);
    let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(false)).await;
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(reason.contains("nobody named: \"evil.sh\""), "{reason}");
}

#[tokio::test]
async fn an_added_trailer_or_another_body_is_a_note() {
    for (more, note) in [
        (
            "\n\nSigned-off-by: Ada <ada@example.org>",
            "has more than the proposed one: \"Signed-off-by: Ada",
        ),
        ("\n\nand more", "another body than the proposed one"),
    ] {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        let message = phase(&[])["commitMessage"].as_str().unwrap().to_owned() + more;
        let while_open = || drop(repo.commit(&message));
        let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
        assert_eq!(ended.body["commit"]["verified"], true, "{}", ended.text);
        let reason = ended.body["commit"]["reason"].as_str().unwrap();
        assert!(reason.contains(note), "{reason}");
    }
}

#[tokio::test]
async fn ticked_but_dirty_does_not_go_on() {
    for era in ERAS {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        repo.write("b.txt", "new\n");
        let ended = run(&stand, era, &["a.txt", "b.txt"], || {}, go(true)).await;
        assert_eq!(ended.body["proceed"], false);
        assert_eq!(ended.body["commit"]["verified"], false);
        let reason = ended.body["commit"]["reason"].as_str().unwrap();
        assert_eq!(
            reason,
            "git shows changes that are not committed: \"a.txt\", \"b.txt\""
        );
        assert!(
            ended
                .next()
                .contains("ticked that they committed, but git shows"),
            "{}",
            ended.next()
        );
    }
}

#[tokio::test]
async fn staged_is_not_committed() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    let while_open = || drop(repo.git(&["add", "a.txt"]));
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    assert_eq!(ended.body["commit"]["verified"], false);
}

#[tokio::test]
async fn another_subject_is_reported_where_the_commit_is_new() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    let while_open = || drop(repo.commit("wip"));
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    assert_eq!(ended.body["proceed"], true);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert_eq!(
        reason,
        "the commit's subject is \"wip\", not the proposed \"feat: add login\""
    );
}

#[tokio::test]
async fn another_subject_from_before_is_no_commit() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    // Its time is long past, as an old branch's is.
    repo.git(&["add", "-A"]);
    repo.git(&["-c", "user.name=x", "commit", "-q", "-m", "wip"]);
    let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(true)).await;
    assert_eq!(ended.body["proceed"], false);
    let reason = ended.body["commit"]["reason"].as_str().unwrap();
    assert!(
        reason.contains("is \"wip\" and was there before the question"),
        "{reason}"
    );
}

#[tokio::test]
async fn an_older_commit_that_is_checked_out_meanwhile_is_no_commit() {
    let (stand, repo) = repo().await;
    repo.write("b.txt", "x\n");
    repo.git(&["add", "-A"]);
    let date = "2020-01-01T00:00:00Z";
    let old = std::process::Command::new("git")
        .args(["commit", "-q", "-m", "old"])
        .current_dir(stand.path())
        .env("GIT_COMMITTER_DATE", date)
        .status();
    assert!(old.unwrap().success());
    let old = repo.head();
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let while_open = || drop(repo.git(&["checkout", "-q", &old]));
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
}

#[tokio::test]
async fn not_ticked_and_not_there_gives_the_command() {
    let (stand, repo) = repo().await;
    repo.write("it's a file.txt", "two\n");
    let ended = run(&stand, Era::Modern, &["it's a file.txt"], || {}, go(false)).await;
    assert_eq!(ended.body["proceed"], false);
    assert!(
        ended.next().contains("show the person the command"),
        "{}",
        ended.next()
    );
    let command = ended.body["commit"]["command"].as_str().unwrap();
    assert!(command.contains(r"-- 'it'\''s a file.txt'"), "{command}");
    // It does what it says.
    let run = std::process::Command::new("sh")
        .args(["-c", command])
        .current_dir(stand.path())
        .status();
    assert!(run.unwrap().success());
    assert_eq!(
        repo.git(&["log", "-1", "--format=%s%n%b"]),
        "feat: add login\n- the page\n- its tests"
    );
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn pausing_never_goes_on() {
    for committed in [true, false] {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        let while_open = || {
            if committed {
                repo.commit(SUBJECT);
            }
        };
        let pause = json!({ "decision": "commit_and_pause", "commitConfirmed": true });
        let ended = run(&stand, Era::Modern, &["a.txt"], while_open, pause).await;
        assert_eq!(ended.body["proceed"], false);
        assert_eq!(ended.body["commit"]["verified"], committed);
        let next = if committed {
            "stop and wait"
        } else {
            "tell the person"
        };
        assert!(ended.next().contains(next), "{}", ended.next());
    }
}

#[tokio::test]
async fn revising_and_aborting_ask_git_nothing() {
    for era in ERAS {
        for (decision, next) in [
            ("revise", "revise this phase with the notes"),
            ("abort", "report what was done and what is left"),
        ] {
            let (stand, _repo) = repo().await;
            let answer = json!({ "decision": decision, "commitConfirmed": true, "revisionNotes": "Smaller." });
            let ended = run(&stand, era, &["a.txt"], || {}, answer).await;
            let told = ended.fields(&["decision", "revisionNotes", "commit", "proceed"]);
            assert_eq!(
                told,
                json!({ "decision": decision, "revisionNotes": "Smaller.", "commit": null, "proceed": false })
            );
            assert!(ended.next().contains(next), "{}", ended.next());
        }
    }
}

#[tokio::test]
async fn revising_without_notes_says_so() {
    for (era, notes) in ERAS.into_iter().zip(["", " \n\u{200b}"]) {
        let (stand, _repo) = repo().await;
        let answer = json!({ "decision": "revise", "revisionNotes": notes });
        let ended = run(&stand, era, &["a.txt"], || {}, answer).await;
        let told = ended.fields(&["decision", "revisionNotes", "proceed"]);
        assert_eq!(
            told,
            json!({ "decision": "revise", "revisionNotes": null, "proceed": false })
        );
        let next = "no feedback was given. Ask the person in the chat what should be revised";
        assert!(ended.next().contains(next), "{}", ended.next());
    }
}

#[tokio::test]
async fn without_a_decision_nothing_goes_on() {
    for era in ERAS {
        for (reply, status) in [(decline(), "declined"), (cancel(), "cancelled")] {
            let (stand, _repo) = repo().await;
            let ended = stand.run(era, TOOL, phase(&["a.txt"]), &[reply]).await;
            assert_eq!(ended.body["status"], status);
            assert!(
                ended.next().contains("nothing is approved"),
                "{}",
                ended.next()
            );
        }
        let (stand, _repo) = repo().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut client, TOOL, phase(&["a.txt"]), &[]).await;
        assert_eq!(ended.body["status"], "unreachable");
        let words = "commit and continue, commit and pause, revise or abort";
        assert!(ended.next().contains(words), "{}", ended.next());
    }
}
