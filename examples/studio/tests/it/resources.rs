//! Clips as resources, and who hears of a change.

use crate::stage::{Stage, call};
use holdpoint_testkit::{Client, Conversation, ERAS, Era, accept, form_capabilities};
use serde_json::{Value, json};

const INTRO: &str = "studio://clips/intro";

async fn listed(client: &mut Conversation) -> Vec<String> {
    let list = client.request("resources/list", json!({})).await;
    let list = list["result"]["resources"].as_array().unwrap().clone();
    list.iter()
        .map(|one| one["uri"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn they_are_listed_and_read() {
    for era in ERAS {
        let stage = Stage::new().await;
        stage.clip("outro");
        std::fs::write(stage.folder.path().join("a b.clip"), "{}").unwrap();
        let mut client = Conversation::new(&stage, era).await;
        assert_eq!(
            listed(&mut client).await,
            [INTRO, "studio://clips/outro"],
            "{era:?}"
        );
        let templates = client.request("resources/templates/list", json!({})).await;
        let template = &templates["result"]["resourceTemplates"][0];
        assert_eq!(template["uriTemplate"], "studio://clips/{name}");
        let read = client
            .request("resources/read", json!({ "uri": INTRO }))
            .await;
        let contents = &read["result"]["contents"][0];
        assert_eq!(contents["mimeType"], "application/json", "{read}");
        let clip: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
        assert_eq!(clip, json!({ "tempo": 120.0, "key": "Am" }));
        for uri in [
            "studio://clips/gone",
            "studio://clips/../intro",
            "studio://x",
            "file:///etc/passwd",
        ] {
            let read = client
                .request("resources/read", json!({ "uri": uri }))
                .await;
            assert!(
                read["error"]["message"].is_string(),
                "{era:?} {uri}: {read}"
            );
            assert!(
                read["error"]["code"] == -32002 || read["error"]["code"] == -32602,
                "{read}"
            );
        }
    }
}

/// Whoever subscribed hears of what another client does; whoever did not, or unsubscribed, does not.
#[tokio::test(start_paused = true)]
async fn subscribers_hear_of_changes() {
    for era in ERAS {
        let stage = Stage::new().await;
        stage.clip("outro");
        let mut other = Conversation::new(&stage, Era::Legacy).await;
        let mut client = Conversation::new(&stage, era).await;
        client.subscribe(&[INTRO]).await;
        let rate = |clip: &str| json!({ "clip": clip });
        let stars = [accept(json!({ "rating": 5 }))];
        // What nobody subscribed to is not told: the first that is heard of is the other.
        call(&mut other, "rate_clip", rate("outro"), &stars).await;
        call(&mut other, "rate_clip", rate("intro"), &stars).await;
        assert_eq!(client.updated_resource().await, INTRO, "{era:?}");
        // A change of its own, and the end of the clip.
        let name = [accept(json!({ "name": "intro-2" }))];
        call(&mut other, "name_artifact", rate("intro"), &name).await;
        assert_eq!(client.updated_resource().await, INTRO, "{era:?}");
        stage.clip("intro");
        let yes = [accept(json!({ "confirmed": true }))];
        let clips = json!({ "clips": ["intro"] });
        call(&mut other, "confirm_delete", clips, &yes).await;
        assert_eq!(client.updated_resource().await, INTRO, "{era:?}");
        assert!(!stage.has("intro"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_legacy_client_unsubscribes() {
    let stage = Stage::new().await;
    stage.clip("outro");
    let outro = "studio://clips/outro";
    let mut client = Conversation::new(&stage, Era::Legacy).await;
    client.subscribe(&[INTRO, outro]).await;
    client
        .request("resources/unsubscribe", json!({ "uri": INTRO }))
        .await;
    let stars = [accept(json!({ "rating": 5 }))];
    for clip in ["intro", "outro"] {
        let mut other = Conversation::new(&stage, Era::Modern).await;
        call(&mut other, "rate_clip", json!({ "clip": clip }), &stars).await;
    }
    assert_eq!(client.updated_resource().await, outro);
}

/// The list has changed where a clip came or went, for every legacy client and for modern ones that want to know.
#[tokio::test(start_paused = true)]
async fn a_changed_list_is_told() {
    for era in ERAS {
        let stage = Stage::new().await;
        let mut client = match era {
            Era::Legacy => Client::legacy(&stage, form_capabilities()).await,
            Era::Modern => Client::modern(&stage, form_capabilities()),
        };
        if era == Era::Modern {
            let wanted = json!({ "notifications": { "resourcesListChanged": true } });
            client.request("subscriptions/listen", wanted).await;
            let answer = client.next().await;
            let accepted = &answer["params"]["notifications"];
            assert_eq!(accepted["resourcesListChanged"], true, "{answer}");
        }
        let mut other = Conversation::new(&stage, Era::Modern).await;
        let stars = [accept(json!({ "rating": 5 }))];
        call(&mut other, "rate_clip", json!({ "clip": "intro" }), &stars).await;
        let name = [accept(json!({ "name": "outro" }))];
        call(
            &mut other,
            "name_artifact",
            json!({ "clip": "intro" }),
            &name,
        )
        .await;
        // A rating changes no list: this is the first that is heard.
        let message = client.next().await;
        assert_eq!(
            message["method"], "notifications/resources/list_changed",
            "{era:?} {message}"
        );
        assert_eq!(listed(&mut other).await, ["studio://clips/outro"]);
    }
}
