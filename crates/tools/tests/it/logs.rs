//! Log lines about questions, for clients that want them.

use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand, accept, cancel};
use serde_json::{Value, json};

async fn events(client: &mut Conversation, stand: &ToolStand) -> Vec<Value> {
    let arguments = json!({ "message": "## Deploy to production?\n\nNow." });
    let yes = accept(json!({ "confirmed": true }));
    stand
        .drive(client, "elicit_confirm", arguments, &[yes])
        .await;
    client.logs.drain(..).collect()
}

fn check(logs: &[Value]) {
    let [asked, settled] = logs else {
        panic!("not two lines: {logs:?}")
    };
    assert_eq!(asked["level"], "info");
    assert_eq!(
        asked["data"],
        json!({ "event": "asked", "question": "Deploy to production?" })
    );
    assert_eq!(settled["data"]["event"], "settled");
    assert_eq!(settled["data"]["status"], "accepted");
    assert!(settled["data"]["askId"].is_string());
}

#[tokio::test(start_paused = true)]
async fn a_legacy_client_sets_its_level_once() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    assert!(events(&mut client, &stand).await.is_empty());
    let set = client
        .request("logging/setLevel", json!({ "level": "info" }))
        .await;
    assert!(set.get("error").is_none(), "{set}");
    check(&events(&mut client, &stand).await);
    client
        .request("logging/setLevel", json!({ "level": "warning" }))
        .await;
    assert!(events(&mut client, &stand).await.is_empty());
    // Another connection's level is its own.
    let mut other = Conversation::new(&stand, Era::Legacy).await;
    assert!(events(&mut other, &stand).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_says_it_with_each_request() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    assert!(events(&mut client, &stand).await.is_empty());
    client.set_log_level("info");
    check(&events(&mut client, &stand).await);
}

/// What went wrong is a warning, what a person decided is not.
#[tokio::test(start_paused = true)]
async fn the_level_of_a_line_says_how_it_ended() {
    let wrong = || accept(json!({ "confirmed": "maybe" }));
    let refused = || json!({ "action": "decline" });
    for era in ERAS {
        for (replies, status, level) in [
            (
                vec![accept(json!({ "confirmed": true }))],
                "accepted",
                "info",
            ),
            (vec![refused()], "declined", "info"),
            (vec![cancel()], "cancelled", "info"),
            (vec![wrong(), wrong(), wrong()], "invalid", "warning"),
        ] {
            let stand = setup().stand().await;
            let mut client = Conversation::new(&stand, era).await;
            let settled = settled(era, &mut client, &stand, &replies).await;
            assert_eq!(
                (&settled["data"]["status"], &settled["level"]),
                (&json!(status), &json!(level))
            );
        }
        // Nobody can be reached: this client shows no forms, and there is no inbox.
        let stand = setup().stand().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let unreachable = settled(era, &mut client, &stand, &[]).await;
        assert_eq!(unreachable["data"]["status"], "unreachable");
        assert_eq!(unreachable["level"], "warning");
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_out_is_a_warning_and_reaches_those_who_want_only_warnings() {
    let inbox = StandSetup {
        inbox: true,
        ..setup()
    };
    for era in ERAS {
        let stand = inbox.clone().stand().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        set_level(&mut client, era, "warning").await;
        let arguments = json!({ "message": "Deploy?", "timeoutSeconds": 5 });
        let ended = stand
            .drive(&mut client, "elicit_confirm", arguments, &[])
            .await;
        assert_eq!(ended.body["status"], "timed_out");
        let [line] = &client.logs[..] else {
            panic!("not one line: {:?}", client.logs)
        };
        assert_eq!(
            (&line["level"], &line["data"]["status"]),
            (&json!("warning"), &json!("timed_out"))
        );
    }
}

/// What could not be asked at all is an error.
#[tokio::test(start_paused = true)]
async fn a_fault_is_an_error() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        set_level(&mut client, era, "error").await;
        let huge = json!({ "message": "x".repeat(70_000) });
        let ended = stand.drive(&mut client, "elicit_confirm", huge, &[]).await;
        assert!(ended.error);
        let [line] = &client.logs[..] else {
            panic!("not one line: {:?}", client.logs)
        };
        assert_eq!(
            (&line["level"], &line["data"]["event"]),
            (&json!("error"), &json!("failed"))
        );
    }
}

async fn set_level(client: &mut Conversation, era: Era, level: &'static str) {
    match era {
        Era::Legacy => {
            let set = client
                .request("logging/setLevel", json!({ "level": level }))
                .await;
            assert!(set.get("error").is_none(), "{set}");
        }
        Era::Modern => client.set_log_level(level),
    }
}

/// The line that says how a question ended.
async fn settled(
    era: Era,
    client: &mut Conversation,
    stand: &ToolStand,
    replies: &[Value],
) -> Value {
    set_level(client, era, "debug").await;
    let arguments = json!({ "message": "Deploy?" });
    stand
        .drive(client, "elicit_confirm", arguments, replies)
        .await;
    let lines: Vec<_> = client.logs.drain(..).collect();
    let [asked, settled] = &lines[..] else {
        panic!("not two lines: {lines:?}")
    };
    assert_eq!(asked["level"], "info");
    settled.clone()
}

/// A level that is none is refused, in the way in which each era says it.
#[tokio::test(start_paused = true)]
async fn a_level_that_is_none_is_refused() {
    let stand = setup().stand().await;
    let mut legacy = Conversation::new(&stand, Era::Legacy).await;
    for level in [
        json!("loud"),
        json!("WARNING"),
        json!(3),
        json!(null),
        json!("\u{1b}[2J"),
    ] {
        let params = json!({ "level": level });
        let refused = legacy.request("logging/setLevel", params).await;
        assert_eq!(refused["error"]["code"], -32602, "{level}: {refused}");
        assert!(!refused.to_string().contains("\\u001b"), "{refused}");
    }
    let missing = legacy.request("logging/setLevel", json!({})).await;
    assert_eq!(missing["error"]["code"], -32602, "{missing}");
    let said = missing["error"]["message"].as_str().unwrap();
    assert!(said.contains("level"), "{said}");
    // Nothing has changed by that.
    assert!(events(&mut legacy, &stand).await.is_empty());
    let mut modern = Conversation::new(&stand, Era::Modern).await;
    // There is no such method any more, with whatever parameters.
    let gone = modern
        .request("logging/setLevel", json!({ "level": "loud" }))
        .await;
    assert_eq!(gone["error"]["code"], -32601, "{gone}");
    modern.set_log_level("loud");
    let call = json!({ "name": "elicit_confirm", "arguments": { "message": "Deploy?" } });
    let refused = modern.request("tools/call", call).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert_eq!(stand.asks().await.len(), 1);
}

/// A method that is not MCP's is unknown, one that is and does not fit is not.
#[tokio::test(start_paused = true)]
async fn parameters_that_do_not_fit_are_no_unknown_method() {
    let stand = setup().stand().await;
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        for (method, params, code) in [
            ("tools/call", json!({ "nam": "elicit_confirm" }), -32602),
            (
                "completion/complete",
                json!({ "ref": { "type": "ref/none" } }),
                -32602,
            ),
            ("resources/read", json!({ "uri": 5 }), -32602),
            ("prompts/get", json!({}), -32602),
            ("no/such", json!({}), -32601),
        ] {
            let refused = client.request(method, params).await;
            assert_eq!(
                refused["error"]["code"], code,
                "{era:?} {method}: {refused}"
            );
        }
    }
}
