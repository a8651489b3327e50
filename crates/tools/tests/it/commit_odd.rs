//! Repositories that are not as one would wish, and files with odd names.

use crate::setup;
use crate::{
    commit::{SUBJECT, TOOL, go, phase, repo, run},
    repo::Repo,
};
use holdpoint_testkit::{Conversation, Era, accept, cancel};
use serde_json::{Value, json};
use std::fs;

#[tokio::test]
async fn without_a_repository_the_tick_counts() {
    for (ticked, proceed) in [(true, true), (false, false)] {
        let stand = setup().stand().await;
        fs::write(stand.path().join("a.txt"), "x").unwrap();
        let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(ticked)).await;
        assert_eq!(ended.body["proceed"], proceed);
        assert_eq!(ended.body["commit"]["verified"], Value::Null);
        let commit = ended.body["commit"].as_object().unwrap();
        assert!(commit.contains_key("verified"));
        // An untouched tick does not count either.
        let untouched = json!({ "decision": "commit_and_continue" });
        let ended = run(&stand, Era::Modern, &["a.txt"], || {}, untouched).await;
        assert_eq!(ended.body["proceed"], false);
    }
}

#[tokio::test]
async fn a_repository_that_git_cannot_read_is_no_excuse() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    fs::write(stand.path().join(".git/config"), "[core\n").unwrap();
    let ended = run(&stand, Era::Modern, &["a.txt"], || {}, go(true)).await;
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
    assert_eq!(ended.body["commit"]["verified"], false);
}

#[tokio::test]
async fn a_repository_that_is_gone_meanwhile_is_no_excuse() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    let while_open = || fs::remove_dir_all(stand.path().join(".git")).unwrap();
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    assert_eq!(ended.body["proceed"], false, "{}", ended.text);
}

#[tokio::test]
async fn a_detached_head_is_told_and_checked_all_the_same() {
    let (stand, repo) = repo().await;
    repo.git(&["checkout", "-q", "--detach"]);
    repo.write("a.txt", "two\n");
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    assert!(asked.message().contains("**HEAD is detached:**"));
    repo.commit(SUBJECT);
    let step = client.answer(asked, accept(go(true))).await;
    assert_eq!(stand.ended(TOOL, step).body["proceed"], true);
}

#[tokio::test]
async fn the_first_commit_of_a_repository() {
    let stand = setup().stand().await;
    let repo = Repo::init(&stand.path());
    repo.git(&["update-ref", "-d", "HEAD"]);
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    assert!(asked.message().contains("+one"), "{}", asked.message());
    assert!(asked.message().contains("There is no commit here yet"));
    let step = client.answer(asked, accept(go(true))).await;
    assert_eq!(stand.ended(TOOL, step).body["proceed"], false);
    let while_open = || drop(repo.commit("feat: add login"));
    let ended = run(&stand, Era::Modern, &["a.txt"], while_open, go(true)).await;
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
}

const ODD: [&str; 6] = [
    "with space.txt",
    "größe/日本.txt",
    "-rf",
    "*.txt",
    ":(top)x",
    "quote'\".txt",
];

#[tokio::test]
async fn odd_names_are_only_names() {
    let (stand, repo) = repo().await;
    for name in ODD {
        repo.write(name, "new\n");
    }
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let asked = stand.asked(&mut client, TOOL, phase(&ODD)).await;
    for shown in [
        "b/with space.txt",
        "b/größe/日本.txt",
        "b/-rf",
        "b/*.txt",
        "b/:(top)x",
    ] {
        assert!(
            asked.message().contains(shown),
            "{shown}: {}",
            asked.message()
        );
    }
    // `*.txt` names one file, not all of them.
    assert!(!asked.message().contains("a.txt"), "{}", asked.message());
    let step = client.answer(asked, accept(go(true))).await;
    let ended = stand.ended(TOOL, step);
    assert_eq!(ended.body["commit"]["verified"], false);
    let while_open = || drop(repo.commit(SUBJECT));
    let ended = run(&stand, Era::Legacy, &ODD, while_open, go(true)).await;
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
}

#[tokio::test]
async fn files_outside_the_workspace_are_refused() {
    let (stand, _repo) = repo().await;
    for file in ["../x", "/etc/passwd", "a/../../x", ""] {
        let ended = stand
            .run(Era::Legacy, TOOL, phase(&["a.txt", file]), &[])
            .await;
        assert!(ended.error, "{file}");
        assert!(
            ended.text.contains("`filesModified[1]`"),
            "{file}: {}",
            ended.text
        );
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), stand.path().join("out")).unwrap();
        let ended = stand.run(Era::Legacy, TOOL, phase(&["out/x"]), &[]).await;
        assert!(
            ended.error && ended.text.contains("outside the workspace"),
            "{}",
            ended.text
        );
    }
    assert!(stand.asks().await.is_empty());
}

#[tokio::test]
async fn asking_changes_nothing_in_the_repository() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", "two\n");
    repo.write("new/b.txt", "new\n");
    fs::write(stand.path().join(".gitignore"), "*.log\n").unwrap();
    repo.write("x.log", "ignored\n");
    let before = (
        repo.git(&["status", "--porcelain", "-uall"]),
        repo.git(&["count-objects", "-v"]),
    );
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let files = ["a.txt", "new", "x.log", "missing.txt"];
    let asked = stand.asked(&mut client, TOOL, phase(&files)).await;
    insta::assert_snapshot!("phase_message", shas_hidden(asked.message()));
    insta::assert_json_snapshot!("phase_form", asked.params["requestedSchema"]);
    client.answer(asked, cancel()).await.done();
    let after = (
        repo.git(&["status", "--porcelain", "-uall"]),
        repo.git(&["count-objects", "-v"]),
    );
    assert_eq!(before, after);
}

#[tokio::test]
async fn a_long_diff_is_cut_and_that_is_said() {
    let (stand, repo) = repo().await;
    repo.write("a.txt", &"a line\n".repeat(40_000));
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    assert!(asked.message().len() < 64 * 1024);
    assert!(
        asked
            .message()
            .contains("bytes more of the diff are not shown here")
    );
    client.answer(asked, cancel()).await.done();
}

/// The ids of blobs depend on nothing but their content, and are noise here.
fn shas_hidden(message: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("index ") {
            "index …".to_owned()
        } else {
            line.to_owned()
        }
    };
    message.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_long_file_hides_no_other_file() {
    for era in [Era::Legacy, Era::Modern] {
        let (stand, repo) = repo().await;
        repo.write("aaa.txt", &"a line of text\n".repeat(6_000));
        repo.write("zz_evil.sh", "rm -rf /\n");
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, phase(&["."])).await;
        let message = asked.message();
        assert!(message.contains("**Changed files** (2)"), "{message}");
        assert!(message.contains("- `aaa.txt`: new, +6000 −0; "));
        assert!(message.contains("- `zz_evil.sh`: new, +1 −0\n"));
        assert!(message.contains("\n+rm -rf /\n"));
        // It would print nothing of files that nobody has added yet.
        assert!(!message.contains("`git diff`"));
        client.answer(asked, cancel()).await.done();
    }
}

#[tokio::test]
async fn files_that_are_not_listed_are_counted() {
    let (stand, repo) = repo().await;
    for number in 0..1500 {
        repo.write(&format!("many/{number:05}-{}.txt", "x".repeat(40)), "one\n");
    }
    repo.write("zz_evil.sh", "rm -rf /\n");
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["."])).await;
    let message = asked.message();
    assert!(message.contains("**Changed files** (1501)"), "{message}");
    let listed = message.matches("- `many/").count();
    let more = format!("**{} more changed files are not listed here", 1501 - listed);
    assert!(listed > 50 && message.contains(&more), "{listed}");
    client.answer(asked, cancel()).await.done();
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_shown_as_what_they_are() {
    let (stand, repo) = repo().await;
    fs::write(stand.path().join("a.txt"), b"k=\xe9\n").unwrap();
    repo.commit("latin");
    fs::write(stand.path().join("a.txt"), b"k=\xe8\n").unwrap();
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, TOOL, phase(&["a.txt"])).await;
    let message = asked.message();
    assert!(message.contains("-k=⟨0xE9⟩\n+k=⟨0xE8⟩\n"), "{message}");
    assert!(
        message.contains("with bytes that are not UTF-8"),
        "{message}"
    );
    client.answer(asked, cancel()).await.done();
}

/// What a client that renders Markdown and HTML shows of a message outside code.
fn seen_as_ours(message: &str) -> String {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let (mut seen, mut code) = (String::new(), false);
    for event in Parser::new_ext(message, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code = true,
            Event::End(TagEnd::CodeBlock) => code = false,
            Event::Html(html) | Event::InlineHtml(html) => panic!("{html}: {message}"),
            Event::Text(text) if !code => seen.push_str(&text),
            _ => {}
        }
    }
    seen
}

#[tokio::test]
async fn agent_markdown_does_not_leave_its_place() {
    for hostile in [
        "All good.\n\n<!--",
        "All good.\n\n~~~~",
        "All good.\n\n```text",
        "All good.\n\n<details><summary>Files</summary>",
        "> ```\n> All good.",
        "1. a\n   <div hidden>",
    ] {
        let (stand, repo) = repo().await;
        repo.write("a.txt", "two\n");
        let mut arguments = phase(&["a.txt"]);
        for name in ["phaseSummary", "planName", "reviewStatus"] {
            arguments[name] = hostile.into();
        }
        let mut client = Conversation::new(&stand, Era::Modern).await;
        let asked = stand.asked(&mut client, TOOL, arguments).await;
        let seen = seen_as_ours(asked.message());
        for ours in ["Commit message", "On branch", "Changed files", "Files (1)"] {
            let ours = ours.replace(" (1)", "");
            assert!(
                seen.contains(&ours),
                "{hostile:?}: {ours}: {}",
                asked.message()
            );
        }
        client.answer(asked, cancel()).await.done();

        let plan = json!({
            "planSummary": hostile, "phaseCount": 3, "planName": hostile,
            "openQuestions": [hostile, "Which one?"],
        });
        let asked = stand
            .asked(&mut client, "request_plan_approval", plan)
            .await;
        let seen = seen_as_ours(asked.message());
        for ours in ["Phases:", "Open questions", "Which one?"] {
            assert!(
                seen.contains(ours),
                "{hostile:?}: {ours}: {}",
                asked.message()
            );
        }
        client.answer(asked, cancel()).await.done();
    }
}

#[tokio::test]
async fn a_plan_file_that_is_cut_says_so_outside_its_code() {
    let (stand, repo) = repo().await;
    let text = format!("# Plan\n\n```text\n{}```\n", "a line\n".repeat(20_000));
    repo.write("plan.md", &text);
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let plan = json!({ "planSummary": "All of it.", "phaseCount": 1, "planFile": "plan.md" });
    let asked = stand
        .asked(&mut client, "request_plan_approval", plan)
        .await;
    let seen = seen_as_ours(asked.message());
    assert!(
        seen.contains("bytes more are not shown here: read plan.md"),
        "{seen}"
    );
    client.answer(asked, cancel()).await.done();
}
