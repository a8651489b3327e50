//! Prompts, and completions of their arguments.

use crate::stage::Stage;
use holdpoint_testkit::{Conversation, ERAS, Era, accept, decline};
use serde_json::{Value, json};

fn texts(prompt: &Value) -> String {
    prompt["result"]["messages"].to_string()
}

#[tokio::test(start_paused = true)]
async fn they_are_listed_and_filled_in() {
    for era in ERAS {
        let stage = Stage::new().await;
        let mut client = Conversation::new(&stage, era).await;
        let listed = client.request("prompts/list", json!({})).await;
        let prompts = &listed["result"]["prompts"];
        assert_eq!(prompts[0]["name"], "describe_clip", "{listed}");
        assert_eq!(prompts[0]["arguments"][0]["required"], true, "{listed}");
        assert_eq!(prompts[1]["arguments"][0]["required"], false, "{listed}");

        let clip = client
            .prompt("describe_clip", json!({ "clip": "intro" }))
            .await
            .done();
        assert!(
            texts(&clip).contains("studio://clips/intro"),
            "{era:?} {clip}"
        );
        assert!(texts(&clip).contains("120.0"), "{era:?} {clip}");
        let gone = client
            .prompt("describe_clip", json!({ "clip": "gone" }))
            .await
            .done();
        assert_eq!(
            gone["error"]["message"], "There is no such clip.",
            "{era:?}"
        );
        let whole = json!({ "mood": "calm", "key": "F" });
        let whole = client.prompt("new_song", whole).await.done();
        assert!(
            texts(&whole).contains("calm, in the key of F."),
            "{era:?} {whole}"
        );
        let wrong = client
            .prompt("new_song", json!({ "key": "H" }))
            .await
            .done();
        assert_eq!(wrong["error"]["code"], -32602, "{era:?} {wrong}");
    }
}

/// What is missing is asked for where a prompt can ask; elsewhere, and where it is skipped, the model is told to.
#[tokio::test(start_paused = true)]
async fn what_is_missing_is_asked_for() {
    let stage = Stage::new().await;
    let marked = "calm, in the key of [key]. Ask me for what is in brackets";
    let missing = json!({ "mood": "calm" });
    let mut legacy = Conversation::new(&stage, Era::Legacy).await;
    let told = legacy.prompt("new_song", missing.clone()).await.done();
    assert!(texts(&told).contains(marked), "{told}");
    let mut formless = Conversation::with(&stage, Era::Modern, json!({})).await;
    let told = formless.prompt("new_song", missing.clone()).await.done();
    assert!(texts(&told).contains(marked), "{told}");

    let mut client = Conversation::new(&stage, Era::Modern).await;
    for (reply, wanted) in [
        (accept(json!({ "choice": "Am" })), "calm, in the key of Am."),
        (decline(), marked),
    ] {
        let asked = client.prompt("new_song", missing.clone()).await.asked();
        assert_eq!(asked.message(), "Which key?");
        let told = client.answer(asked, reply).await.done();
        assert!(texts(&told).contains(wanted), "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_are_completed() {
    for era in ERAS {
        let stage = Stage::new().await;
        stage.clip("outro");
        for number in 0..120 {
            stage.clip(&format!("take-{number:03}"));
        }
        let mut client = Conversation::new(&stage, era).await;
        let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
        let template = json!({ "type": "ref/resource", "uri": "studio://clips/{name}" });
        for (of, argument, typed, wanted) in [
            (prompt("describe_clip"), "clip", "in", json!(["intro"])),
            (template.clone(), "name", "ou", json!(["outro"])),
            (template.clone(), "name", "zz", json!([])),
            (prompt("new_song"), "key", "", json!(["C", "Am", "F", "G"])),
            (prompt("new_song"), "mood", "c", json!([])),
        ] {
            let completed = complete(&mut client, &of, argument, typed).await;
            assert_eq!(
                completed["result"]["completion"]["values"], wanted,
                "{era:?} {of}"
            );
        }
        let many = complete(&mut client, &template, "name", "take").await;
        let many = &many["result"]["completion"];
        assert_eq!(many["values"].as_array().unwrap().len(), 100, "{era:?}");
        assert_eq!(
            (&many["total"], &many["hasMore"]),
            (&json!(120), &json!(true))
        );
        for (of, argument) in [
            (prompt("nothing"), "clip"),
            (prompt("describe_clip"), "key"),
            (
                json!({ "type": "ref/resource", "uri": "studio://x/{name}" }),
                "name",
            ),
        ] {
            let unknown = complete(&mut client, &of, argument, "").await;
            assert_eq!(unknown["error"]["code"], -32602, "{era:?} {of}: {unknown}");
        }
    }
}

async fn complete(client: &mut Conversation, of: &Value, argument: &str, typed: &str) -> Value {
    let argument = json!({ "name": argument, "value": typed });
    let params = json!({ "ref": of, "argument": argument });
    client.request("completion/complete", params).await
}
