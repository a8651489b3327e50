//! A name that the client's model proposes, and a person gives.

use crate::stage::{Stage, call, result};
use holdpoint_testkit::{Asked, Conversation, ERAS, Era, accept, cancel, decline};
use serde_json::{Value, json};

async fn with_model(stage: &Stage, era: Era) -> Conversation {
    let capabilities = json!({ "elicitation": {}, "sampling": {} });
    Conversation::with(stage, era, capabilities).await
}

fn says(text: &str) -> Value {
    json!({
        "role": "assistant", "model": "m", "stopReason": "endTurn",
        "content": { "type": "text", "text": text },
    })
}

/// What the person is asked once the model said this.
async fn asked_after(client: &mut Conversation, said: Value) -> Asked {
    let sampled = client
        .call("name_artifact", json!({ "clip": "intro" }))
        .await
        .asked();
    let prompt = sampled.params["messages"][0]["content"]["text"].as_str();
    assert!(
        prompt.unwrap().contains("120 BPM, in the key Am"),
        "{:?}",
        sampled.params
    );
    client.answer(sampled, said).await.asked()
}

#[tokio::test(start_paused = true)]
async fn a_person_takes_the_proposal_or_another_name() {
    for era in ERAS {
        let stage = Stage::new().await;
        let mut client = with_model(&stage, era).await;
        let asked = asked_after(&mut client, says(" quiet-rain \n")).await;
        let name = &asked.properties()["name"];
        let options = name["oneOf"].as_array().unwrap();
        assert_eq!(options[0]["const"], "quiet-rain", "{name}");
        assert!(
            asked
                .params
                .to_string()
                .contains("proposed by your client's model")
        );
        assert!(
            name.get("default").is_none(),
            "the model does not decide: {name}"
        );
        // Whatever else there is to choose is a name of the person's own.
        let own = options[1]["const"].clone();
        let text = asked
            .properties()
            .as_object()
            .unwrap()
            .keys()
            .find(|key| *key != "name");
        let content = json!({ "name": own, text.unwrap().as_str(): "loud-rain" });
        let named = result(client.answer(asked, accept(content)).await);
        assert_eq!(
            named["structuredContent"]["value"], "loud-rain",
            "{era:?} {named}"
        );
        assert!(stage.has("loud-rain") && !stage.has("intro"), "{era:?}");

        stage.clip("intro");
        let asked = asked_after(&mut client, says("quiet-rain")).await;
        let content = json!({ "name": "quiet-rain" });
        let named = result(client.answer(asked, accept(content)).await);
        assert_eq!(
            named["structuredContent"]["value"], "quiet-rain",
            "{era:?} {named}"
        );
        assert!(stage.has("quiet-rain") && !stage.has("intro"), "{era:?}");
    }
}

/// A client that accepts by itself, and one that sends nothing, give no name, whatever the model proposed.
#[tokio::test(start_paused = true)]
async fn a_proposal_is_never_taken_by_itself() {
    for era in ERAS {
        for (reply, status) in [
            (accept(json!({})), "invalid"),
            (decline(), "declined"),
            (cancel(), "cancelled"),
        ] {
            let stage = Stage::new().await;
            let mut client = with_model(&stage, era).await;
            let mut asked = asked_after(&mut client, says("quiet-rain")).await;
            let mut tries = 0;
            let done = loop {
                match client.answer(asked, reply.clone()).await {
                    holdpoint_testkit::Step::Asked(again) => asked = again,
                    holdpoint_testkit::Step::Done(done) => break done,
                }
                tries += 1;
                assert!(tries < 5);
            };
            let fields = &done["result"]["structuredContent"];
            assert_eq!(fields["status"], status, "{era:?} {done}");
            assert!(stage.has("intro") && !stage.has("quiet-rain"), "{era:?}");
        }
    }
}

/// What is no name is not shown; without a model, or with one that fails, the person is asked all the same.
#[tokio::test(start_paused = true)]
async fn a_proposal_that_is_none_is_left_out() {
    for era in ERAS {
        let stage = Stage::new().await;
        stage.clip("taken");
        let mut client = with_model(&stage, era).await;
        let long = "x".repeat(65);
        let texts = [
            "",
            "two words",
            "../x",
            "a\u{202e}b",
            "\u{1b}[2J",
            "taken",
            "intro",
            &long,
        ];
        let picture = json!({ "type": "image", "data": "", "mimeType": "image/png" });
        let mut picture_of = says("");
        picture_of["content"] = picture;
        let said = texts.into_iter().map(says);
        for said in said.chain([
            picture_of,
            json!({ "role": "assistant" }),
            json!({ "error": "no" }),
        ]) {
            let asked = asked_after(&mut client, said.clone()).await;
            let name = &asked.properties()["name"];
            assert!(
                name.get("oneOf").is_none() && name.get("enum").is_none(),
                "{said}: {name}"
            );
            client.answer(asked, cancel()).await;
        }
        // A client without a model is asked at once.
        let mut client = Conversation::new(&stage, era).await;
        let name = [accept(json!({ "name": "outro" }))];
        let named = call(
            &mut client,
            "name_artifact",
            json!({ "clip": "intro" }),
            &name,
        )
        .await;
        assert_eq!(
            named["structuredContent"]["value"], "outro",
            "{era:?} {named}"
        );
    }
}
