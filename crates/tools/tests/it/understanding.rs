//! What an agent has understood, put to the person.

use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, accept};
use serde_json::{Value, json};

const TOOL: &str = "verify_understanding";

fn arguments() -> Value {
    json!({ "understanding": "Move the shop to *Postgres*.", "task": "Replace the database.",
            "assumptions": ["Nobody uses it at night.", "There is a backup."] })
}

#[tokio::test(start_paused = true)]
async fn a_verdict_and_what_comes_of_it() {
    let cases = [
        ("right", None, true, "go on"),
        (
            "right",
            Some("And be quick."),
            true,
            "with what the person adds",
        ),
        ("nearly", Some("MySQL."), false, "take the corrections in"),
        ("nearly", None, false, "no correction was given"),
        ("nearly", Some("  "), false, "no correction was given"),
        ("wrong", Some("The cache."), false, "think again"),
        ("wrong", None, false, "no correction was given"),
    ];
    for era in ERAS {
        for (verdict, corrections, proceed, next) in cases {
            let stand = setup().stand().await;
            let mut content = json!({ "verdict": verdict });
            if let Some(corrections) = corrections {
                content["corrections"] = corrections.into();
            }
            let ended = stand.run(era, TOOL, arguments(), &[accept(content)]).await;
            let said = corrections.filter(|said| !said.trim().is_empty());
            assert_eq!(
                ended.fields(&["status", "verdict", "corrections", "proceed"]),
                json!({ "status": "accepted", "verdict": verdict, "corrections": said, "proceed": proceed })
            );
            assert!(ended.next().contains(next), "{verdict}: {}", ended.next());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_word_itself_is_right() {
    for era in ERAS {
        for content in [
            json!({ "corrections": "right" }),
            json!({ "verdict": "Right" }),
            json!({ "verdict": true }),
            json!({ "verdict": ["right"] }),
            json!({ "verdict": "" }),
            json!({}),
        ] {
            let stand = setup().stand().await;
            let replies = vec![accept(content.clone()); 3];
            let ended = stand.run(era, TOOL, arguments(), &replies).await;
            assert_eq!(ended.body["status"], "invalid", "{content}");
            assert_eq!(ended.body["proceed"], false, "{content}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_person_sees() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, arguments()).await;
        for said in [
            "Replace the database.",
            "Move the shop to *Postgres*.",
            "- Nobody uses it at night.",
            "- There is a backup.",
        ] {
            assert!(asked.message().contains(said), "{}", asked.message());
        }
        let names: Vec<_> = asked.properties().as_object().unwrap().keys().collect();
        assert_eq!(names, ["verdict", "corrections"]);
    }
}

/// An agent's text ends where it ends: it cannot put words into Holdpoint's mouth.
#[tokio::test(start_paused = true)]
async fn an_open_fence_does_not_swallow_what_follows() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let arguments = json!({ "understanding": "```\nopen", "assumptions": ["Seen."] });
    let asked = stand.asked(&mut client, TOOL, arguments).await;
    let fences = asked.message().matches("```").count();
    assert_eq!(fences % 2, 0, "{}", asked.message());
}

/// Codex cannot leave a text empty: the corrections are asked for when there are some.
#[tokio::test(start_paused = true)]
async fn corrections_are_asked_for_where_the_form_had_no_room() {
    for era in ERAS {
        let stand = setup().stand().await;
        for (verdict, second) in [
            ("right", None),
            ("nearly", Some("MySQL.")),
            ("wrong", Some("-")),
        ] {
            let mut client = Conversation::named(&stand, era, "codex-mcp-client").await;
            let asked = stand.asked(&mut client, TOOL, arguments()).await;
            let properties = asked.properties().as_object().unwrap();
            let (name, rules) = properties.iter().next().unwrap();
            assert_eq!(properties.len(), 1, "{properties:?}");
            assert!(rules.to_string().contains("Not decided yet"), "{rules}");
            let content = json!({ name: verdict });
            let mut step = client.answer(asked, accept(content)).await;
            if let Some(text) = second {
                let asked = step.asked();
                let name = asked.properties().as_object().unwrap().keys().next();
                let content = json!({ name.unwrap(): text });
                step = client.answer(asked, accept(content)).await;
            }
            let ended = stand.ended(TOOL, step);
            let corrections = second.filter(|text| *text != "-");
            assert_eq!(
                ended.fields(&["verdict", "corrections", "proceed"]),
                json!({ "verdict": verdict, "corrections": corrections, "proceed": verdict == "right" }),
                "{era:?}"
            );
        }
    }
}

/// Claude Code shows four lines of 72 columns.
#[tokio::test(start_paused = true)]
async fn a_short_understanding_fits_into_a_small_form() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::named(&stand, era, "claude-code").await;
        let short = json!({ "understanding": "Rename the function, and nothing else." });
        let asked = stand.asked(&mut client, TOOL, short).await;
        assert_eq!(asked.message().lines().count(), 2, "{}", asked.message());
        let step = client
            .answer(asked, accept(json!({ "verdict": "right" })))
            .await;
        assert_eq!(stand.ended(TOOL, step).body["proceed"], true);
    }
}
