//! `request_plan_approval`, from the plan to what the agent does next.

use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, accept, cancel, decline};
use serde_json::{Value, json};
use std::fs;

const TOOL: &str = "request_plan_approval";

fn plan() -> Value {
    json!({
        "planSummary": "Adds a **login page** with sessions in cookies.",
        "phaseCount": 3,
        "openQuestions": [
            "Where do sessions live? Memory / SQLite / Redis",
            "How long is a session good?",
        ],
        "planName": "Add login",
    })
}

#[tokio::test(start_paused = true)]
async fn each_decision_has_its_next_step() {
    let cases = [
        ("approve", true, "write the plan file and start"),
        (
            "request_changes",
            false,
            "revise the plan with the feedback, then ask again",
        ),
        (
            "cancel",
            false,
            "end it, change nothing, and tell the person",
        ),
    ];
    for era in ERAS {
        for (decision, proceed, next) in cases {
            let stand = setup().stand().await;
            let answer = json!({ "decision": decision, "feedback": "Use SQLite." });
            let ended = stand.run(era, TOOL, plan(), &[accept(answer)]).await;
            let told = ended.fields(&["status", "decision", "feedback", "answers", "proceed"]);
            assert_eq!(
                told,
                json!({ "status": "accepted", "decision": decision, "feedback": "Use SQLite.",
                        "answers": null, "proceed": proceed })
            );
            assert!(ended.next().contains(next), "{}", ended.next());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_decision_nothing_is_approved() {
    for era in ERAS {
        for (reply, status, next) in [
            (
                decline(),
                "declined",
                "explain what you need a decision on, and wait",
            ),
            (cancel(), "cancelled", "Wait for them, and explain"),
        ] {
            let stand = setup().stand().await;
            let ended = stand.run(era, TOOL, plan(), &[reply]).await;
            assert_eq!(ended.body["status"], status);
            assert!(ended.next().contains(next), "{}", ended.next());
            assert!(
                ended.next().contains("nothing is approved"),
                "{}",
                ended.next()
            );
        }
        let stand = setup().stand().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut client, TOOL, plan(), &[]).await;
        assert_eq!(ended.body["status"], "unreachable");
        assert!(
            ended.next().contains(
                "ask in the chat for one of these answers: approve, request changes or cancel"
            ),
            "{}",
            ended.next()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn open_questions_are_fields() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, plan()).await;
        insta::assert_snapshot!("plan_message", asked.message());
        match era {
            Era::Legacy => {
                insta::assert_json_snapshot!("plan_form", asked.params["requestedSchema"])
            }
            // The order of keys within a property is another there, and says nothing.
            Era::Modern => {
                insta::assert_json_snapshot!("plan_form_modern", asked.params["requestedSchema"])
            }
        }
        let answer = json!({ "decision": "approve", "answer_1": "SQLite", "answer_2": "A day" });
        let step = client.answer(asked, accept(answer)).await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(
            ended.body["answers"],
            json!([
                { "question": "Where do sessions live? Memory / SQLite / Redis", "answer": "SQLite" },
                { "question": "How long is a session good?", "answer": "A day" },
            ])
        );
        assert!(ended.next().contains("take the answers into it"));
    }
}

const NO_FEEDBACK: &str =
    "Do not start: no feedback was given. Ask the person in the chat what should change";

#[tokio::test(start_paused = true)]
async fn only_what_the_person_said_is_to_be_taken_up() {
    let cases = [
        (json!({}), "write the plan file", NO_FEEDBACK),
        (
            json!({ "feedback": "" }),
            "write the plan file",
            NO_FEEDBACK,
        ),
        (
            json!({ "feedback": " \n\t", "answer_1": "", "answer_2": " " }),
            "write the plan file",
            NO_FEEDBACK,
        ),
        (
            json!({ "feedback": "\u{200b}\u{2060} " }),
            "write the plan file",
            NO_FEEDBACK,
        ),
        (
            json!({ "feedback": "Soon." }),
            "take the feedback into it",
            "with the feedback,",
        ),
        (
            json!({ "answer_2": "A day" }),
            "take the answers into it",
            "no feedback was given besides the answers. Ask the person in the chat what else should change, revise the plan with the answers,",
        ),
        (
            json!({ "feedback": "Soon.", "answer_2": "A day" }),
            "take the feedback and the answers into it",
            "with the feedback and the answers,",
        ),
    ];
    for (said, approved, changes) in cases {
        let decisions = [("approve", approved), ("request_changes", changes)];
        for (era, (decision, words)) in ERAS
            .into_iter()
            .flat_map(|era| decisions.map(|case| (era, case)))
        {
            let stand = setup().stand().await;
            let mut answer = said.clone();
            answer["decision"] = decision.into();
            let ended = stand.run(era, TOOL, plan(), &[accept(answer)]).await;
            assert!(ended.next().contains(words), "{said}: {}", ended.next());
            for (name, value) in ended.body.as_object().unwrap() {
                let empty = value.is_null() || *value == json!([]) || *value == json!("");
                assert!(!empty, "{name}: {value}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn too_much_feedback_is_asked_again() {
    let stand = setup().stand().await;
    let long = json!({ "decision": "approve", "feedback": "x".repeat(1001) });
    let short = json!({ "decision": "approve", "feedback": "x".repeat(1000) });
    let replies = [accept(long), accept(short)];
    let ended = stand.run(Era::Modern, TOOL, plan(), &replies).await;
    assert_eq!(ended.body["proceed"], true);
}

fn with_file(file: &str) -> Value {
    let mut plan = plan();
    plan["planFile"] = file.into();
    plan
}

#[tokio::test(start_paused = true)]
async fn a_plan_file_is_shown_with_what_changed() {
    for era in ERAS {
        let stand = setup().stand().await;
        let file = stand.path().join("plans/add-login-plan.md");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "# Add login\n\n1. Page\n2. Sessions\n").unwrap();
        let mut client = Conversation::new(&stand, era).await;
        let arguments = with_file("plans/add-login-plan.md");
        let asked = stand.asked(&mut client, TOOL, arguments.clone()).await;
        assert!(
            asked
                .message()
                .ends_with("---\n\n# Add login\n\n1. Page\n2. Sessions")
        );
        assert!(!asked.message().contains("shown last"));
        let changes = accept(json!({ "decision": "request_changes", "feedback": "No cookies." }));
        client.answer(asked, changes.clone()).await.done();

        fs::write(&file, "# Add login\n\n1. Page\n2. Tokens\n").unwrap();
        let asked = stand.asked(&mut client, TOOL, arguments.clone()).await;
        insta::assert_snapshot!("revised_plan_message", asked.message());
        client.answer(asked, changes).await.done();

        let asked = stand.asked(&mut client, TOOL, arguments).await;
        assert!(
            asked
                .message()
                .contains("has not changed since it was shown last")
        );
        client.answer(asked, cancel()).await.done();
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_shown_last_is_read_from_the_journal_only() {
    let stand = setup().stand().await;
    fs::write(stand.path().join("a-plan.md"), "one\n").unwrap();
    let arguments = |name: &str| json!({ "planSummary": "x", "phaseCount": 1, "planName": name, "planFile": "a-plan.md" });
    // Nobody saw it: the client shows nothing.
    let mut blind = Conversation::with(stand.server.clone(), Era::Legacy, json!({})).await;
    stand.drive(&mut blind, TOOL, arguments("a"), &[]).await;
    fs::write(stand.path().join("a-plan.md"), "two\n").unwrap();
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    for name in ["a", "b"] {
        let asked = stand.asked(&mut client, TOOL, arguments(name)).await;
        assert!(
            !asked.message().contains("shown last"),
            "{}",
            asked.message()
        );
        client.answer(asked, cancel()).await.done();
    }
}

#[tokio::test(start_paused = true)]
async fn a_plan_file_stays_in_the_workspace() {
    let stand = setup().stand().await;
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.md");
    fs::write(&secret, "secret").unwrap();
    fs::create_dir(stand.path().join("plans")).unwrap();
    fs::write(stand.path().join("big.md"), "x".repeat(300_000)).unwrap();
    fs::write(stand.path().join("latin1.md"), b"gr\xfc\xdfe").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, stand.path().join("plans/link.md")).unwrap();
        std::os::unix::fs::symlink(outside.path(), stand.path().join("out")).unwrap();
    }
    for (file, wanted) in [
        ("../secret.md", "outside the workspace"),
        (secret.to_str().unwrap(), "outside the workspace"),
        ("out/secret.md", "outside the workspace"),
        ("plans/link.md", "leads outside the workspace"),
        ("plans", "is not a file"),
        ("plans/missing.md", "there is no such file"),
        ("big.md", "at most 262144 are read"),
        ("latin1.md", "cannot be read"),
        ("", "it is empty"),
    ] {
        let ended = stand.run(Era::Legacy, TOOL, with_file(file), &[]).await;
        assert!(ended.error, "{file}");
        assert!(ended.text.contains("`planFile`"), "{file}: {}", ended.text);
        assert!(ended.text.contains(wanted), "{file}: {}", ended.text);
        assert!(!ended.text.contains("secret\n"));
    }
    assert!(stand.asks().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_long_plan_is_cut_and_that_is_said() {
    let stand = setup().stand().await;
    let text = "A line of the plan.\n".repeat(10_000);
    fs::write(stand.path().join("long-plan.md"), text).unwrap();
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand
        .asked(&mut client, TOOL, with_file("long-plan.md"))
        .await;
    let note = "bytes more are not shown here: read long-plan.md before you decide.**";
    let (before, _) = asked.message().split_once("\n\n---\n\n").unwrap();
    assert!(before.ends_with(note), "{before}");
    client.answer(asked, cancel()).await.done();
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_leave_a_text_empty_is_asked_for_it_when_it_is_needed() {
    let first = ["01_decision", "02_answer_1"];
    for (decision, second, told) in [
        (
            "request_changes",
            &["01_feedback", "02_answer_2"][..],
            json!("Use SQLite."),
        ),
        ("approve", &["answer_2"][..], Value::Null),
        ("cancel", &[][..], Value::Null),
    ] {
        let stand = setup().stand().await;
        let mut codex = Conversation::named(&stand, Era::Legacy, "codex-mcp-client").await;
        let asked = codex.call(TOOL, plan()).await.asked();
        let names: Vec<_> = asked.properties().as_object().unwrap().keys().collect();
        assert_eq!(names, first);
        let chosen = json!({ "01_decision": decision, "02_answer_1": "Not decided yet" });
        let mut step = codex.answer(asked, accept(chosen)).await;
        if !second.is_empty() {
            let asked = step.asked();
            let names: Vec<_> = asked.properties().as_object().unwrap().keys().collect();
            assert_eq!(names, second);
            let said = second.iter().map(|name| {
                let said = if name.contains("feedback") {
                    "Use SQLite."
                } else {
                    "-"
                };
                ((*name).to_owned(), json!(said))
            });
            step = codex.answer(asked, accept(said.collect())).await;
        }
        let result = step.done();
        let fields = &result["result"]["structuredContent"];
        assert_eq!(fields["decision"], decision, "{result}");
        assert_eq!(fields["proceed"], decision == "approve");
        assert_eq!(fields["feedback"], told, "{result}");
        assert!(
            fields
                .get("answers")
                .is_none_or(|answers| *answers == json!([]))
        );
    }
}
