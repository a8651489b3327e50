//! Plans whose steps nobody has named: markers, and drafts of the client's model.

use super::{field_names, history};
use crate::setup;
use holdpoint_testkit::{
    Conversation, ERAS, Era, Step, ToolStand, accept, cancel, decline, read_file,
};
use serde_json::{Value, json};

const TOOL: &str = "plan_create";

fn plan() -> Value {
    json!({ "code": "login", "description": "A login page." })
}

fn said(text: &str) -> Value {
    json!({ "role": "assistant", "model": "tiny-1\u{202e}", "content": { "type": "text", "text": text } })
}

async fn client(stand: &ToolStand, era: Era) -> Conversation {
    let can = json!({ "elicitation": {}, "sampling": {} });
    Conversation::with(stand.server.clone(), era, can).await
}

/// Comes to the question about a draft.
async fn drafted(client: &mut Conversation, text: &str) -> Step {
    let sampled = client.call(TOOL, plan()).await.asked();
    assert!(
        sampled.params.get("requestedSchema").is_none(),
        "{}",
        sampled.params
    );
    let request = sampled.params["messages"][0]["content"].to_string();
    assert!(
        request.contains("<description>\\nA login page.\\n</description>"),
        "{request}"
    );
    client.answer(sampled, said(text)).await
}

fn exists(stand: &ToolStand) -> bool {
    stand.path().join("plans/login").exists()
}

#[tokio::test(start_paused = true)]
async fn a_draft_is_shown_and_written_once_a_person_takes_it() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = client(&stand, era).await;
        let asked = drafted(&mut client, "1. Schema\n2. Form\u{200b}\n- Docs")
            .await
            .asked();
        assert!(!exists(&stand));
        let message = asked.message();
        assert!(
            message.contains("1. Schema\n2. Form⟨U+200B⟩\n3. Docs"),
            "{message}"
        );
        assert!(message.contains("tiny-1⟨U+202E⟩"), "{message}");
        assert!(asked.properties()["decision"].get("default").is_none());
        let step = client
            .answer(asked, accept(json!({ "decision": "approve" })))
            .await;
        let ended = stand.ended(TOOL, step);
        // Taking its steps does not approve the plan.
        assert_eq!(
            ended.fields(&["status", "proceed", "path", "drafted"]),
            json!({ "status": "accepted", "proceed": false, "path": "plans/login", "drafted": [1, 2, 3] })
        );
        let plan = stand.path().join("plans/login");
        let text = read_file(&plan, "EXECUTION_PLAN.md");
        assert!(
            text.contains(
                "Drafted by the client's model (tiny-1⟨U+202E⟩): 01, 02, 03. Approved by "
            ),
            "{text}"
        );
        assert!(
            text.contains(ended.body["askId"].as_str().unwrap()),
            "{text}"
        );
        let text = read_file(&plan, "plan/01-schema.md");
        assert!(
            text.contains("## Notes\n\nDrafted by the client's model"),
            "{text}"
        );
        assert_eq!(history(&stand)[0]["drafted"], json!([1, 2, 3]));
        assert_eq!(history(&stand)[0]["askId"], ended.body["askId"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_writes_their_own_steps_or_wants_none() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = client(&stand, era).await;
        let asked = drafted(&mut client, "Schema\nForm").await.asked();
        // Their own steps have to be there, and the text alone takes nothing.
        let step = client
            .answer(asked, accept(json!({ "decision": "edit" })))
            .await;
        let asked = step.asked();
        assert!(
            asked.message().contains("expected a title per line"),
            "{}",
            asked.message()
        );
        let own = accept(json!({ "decision": "edit", "steps": "Schema\nTests" }));
        let ended = stand.ended(TOOL, client.answer(asked, own).await);
        assert_eq!(ended.body["drafted"], json!([1]), "{}", ended.text);
        let plan = stand.path().join("plans/login");
        assert!(!read_file(&plan, "plan/02-tests.md").contains("Drafted"));
        assert!(read_file(&plan, "plan/01-schema.md").contains("Drafted"));
        std::fs::remove_dir_all(&plan).unwrap();
        let asked = drafted(&mut client, "Schema\nForm").await.asked();
        let none = accept(json!({ "decision": "none", "steps": "Schema" }));
        let ended = stand.ended(TOOL, client.answer(asked, none).await);
        assert_eq!(ended.body["path"], "plans/login");
        assert!(ended.next().contains("without steps"), "{}", ended.next());
        assert!(read_file(&plan, "EXECUTION_PLAN.md").contains("None yet"));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_before_a_person_says_so() {
    for era in ERAS {
        for reply in [decline(), cancel()] {
            let stand = setup().stand().await;
            let mut client = client(&stand, era).await;
            let asked = drafted(&mut client, "Schema").await.asked();
            let ended = stand.ended(TOOL, client.answer(asked, reply).await);
            assert_eq!(ended.body["proceed"], false);
            let next = ended.next();
            assert!(next.contains("Stop here and tell the person"), "{next}");
            assert!(next.contains("named or agreed to"), "{next}");
            assert!(!next.contains("call plan_create again"), "{next}");
            assert!(!exists(&stand));
        }
        // An empty accept, and words for a choice.
        let stand = setup().stand().await;
        let mut client = client(&stand, era).await;
        let mut step = drafted(&mut client, "Schema").await;
        for content in [
            json!({}),
            json!({ "steps": "Schema" }),
            json!({ "decision": "yes" }),
        ] {
            step = client.answer(step.asked(), accept(content)).await;
        }
        assert_eq!(stand.ended(TOOL, step).body["status"], "invalid");
        assert!(!exists(&stand));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_draft_and_nobody_to_show_it_to_leave_the_steps_to_the_agent() {
    for era in ERAS {
        for bad in [
            "",
            "# Plan\n\nSchema",
            "```json\n[]\n```",
            &"x\n".repeat(30),
        ] {
            let stand = setup().stand().await;
            let mut client = client(&stand, era).await;
            let step = drafted(&mut client, bad).await;
            let ended = stand.ended(TOOL, step);
            assert!(
                ended.next().contains("propose their titles to the person"),
                "{}",
                ended.next()
            );
            assert!(ended.body.get("drafted").is_none() && exists(&stand));
        }
        // A model that fails; no model; a model and nobody to ask.
        let stand = setup().stand().await;
        let mut failing = client(&stand, era).await;
        let sampled = failing.call(TOOL, plan()).await.asked();
        let ended = stand.ended(
            TOOL,
            failing.answer(sampled, json!({ "nonsense": 1 })).await,
        );
        assert!(
            ended.next().contains("propose their titles"),
            "{}",
            ended.next()
        );
        for can in [json!({ "elicitation": {} }), json!({ "sampling": {} })] {
            let stand = setup().stand().await;
            let samples = can.get("sampling").is_some();
            let mut client = Conversation::with(stand.server.clone(), era, can).await;
            let mut step = client.call(TOOL, plan()).await;
            if samples {
                step = client.answer(step.asked(), said("Schema\nForm")).await;
            }
            let ended = stand.ended(TOOL, step);
            assert!(
                ended.next().contains("propose their titles"),
                "{}",
                ended.next()
            );
            let text = read_file(&stand.path(), "plans/login/STATUS.md");
            assert!(!text.contains("Schema"), "{text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn steps_that_are_named_are_not_drafted() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = client(&stand, era).await;
        for (code, steps) in [
            ("none", json!(0)),
            ("some", json!(["Schema"])),
            ("empty", json!([])),
        ] {
            let arguments = json!({ "code": code, "description": "x", "steps": steps });
            let ended = stand.drive(&mut client, TOOL, arguments, &[]).await;
            assert!(!ended.error, "{}", ended.text);
        }
        // Nobody is bothered for a plan that is there.
        let taken = json!({ "code": "some", "description": "x" });
        let ended = stand.drive(&mut client, TOOL, taken, &[]).await;
        assert_eq!(ended.body["error"], "EXISTS", "{}", ended.text);
    }
}

#[tokio::test(start_paused = true)]
async fn markers_count_as_missing() {
    for era in ERAS {
        let stand = setup().stand().await;
        let all = json!({ "code": "[code]", "description": "[description]", "directory": "[directory]", "steps": "[steps]", "name": "[code]" });
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, all).await;
        let names = field_names(&asked);
        assert_eq!(names, ["code", "description", "directory", "steps"]);
        let answer =
            accept(json!({ "code": "login", "description": "A page.", "steps": "Schema\nForm" }));
        let ended = stand.ended(TOOL, client.answer(asked, answer).await);
        assert_eq!(ended.body["path"], "plans/login", "{}", ended.text);
        assert_eq!(ended.body["steps"][1]["name"], "Form");
        assert!(read_file(&stand.path(), "plans/login/STATUS.md").starts_with("# Status: Login\n"));
        // Only what is marked; spaces and case do not matter.
        let some = json!({ "code": "other", "description": "x", "steps": [" [STEPS] "] });
        let asked = stand.asked(&mut client, TOOL, some.clone()).await;
        let names = field_names(&asked);
        assert_eq!(names, ["steps"]);
        let ended = stand.ended(TOOL, client.answer(asked, decline()).await);
        assert_eq!(ended.body["missing"], json!(["steps"]));
        assert!(!stand.path().join("plans/other").exists());
        // Nobody to ask: what it needs is missing, what it can do without is left out.
        let mut mute = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut mute, TOOL, some, &[]).await;
        assert_eq!(ended.body["path"], "plans/other", "{}", ended.text);
        let needed = json!({ "code": "[code]", "description": "x" });
        let ended = stand.drive(&mut mute, TOOL, needed, &[]).await;
        assert_eq!(ended.body["missing"], json!(["code"]));
        assert!(ended.error);
        // A text with a marker in it is a text.
        let text = json!({ "code": "third", "description": "Say [code] aloud.", "steps": 1 });
        let ended = stand.drive(&mut client, TOOL, text, &[]).await;
        assert_eq!(ended.body["path"], "plans/third");
    }
}
