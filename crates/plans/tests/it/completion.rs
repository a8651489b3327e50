//! Completion: of what there is, and for those it belongs to.

use crate::setup;
use holdpoint::ToolServer;
use holdpoint_plans::{PlanTools, PlansConfig};
use holdpoint_testkit::{Conversation, ERAS, StandSetup, ToolStand, accept};
use rmcp::model::Implementation;
use serde_json::{Value, json};
use std::sync::Arc;

const ASK: &str = "holdpoint://asks/{id}";

fn prompt(name: &str) -> Value {
    json!({ "type": "ref/prompt", "name": name })
}

fn resource(uri: &str) -> Value {
    json!({ "type": "ref/resource", "uri": uri })
}

async fn complete(client: &mut Conversation, of: Value, name: &str, typed: &str) -> Value {
    let params = json!({ "ref": of, "argument": { "name": name, "value": typed } });
    client.request("completion/complete", params).await
}

async fn values(client: &mut Conversation, of: Value, name: &str, typed: &str) -> Vec<String> {
    let answer = complete(client, of, name, typed).await;
    let values = answer["result"]["completion"]["values"].as_array();
    let values = values.unwrap_or_else(|| panic!("{answer}")).iter();
    values
        .map(|value| value.as_str().unwrap().to_owned())
        .collect()
}

/// An inbox, so that an ask stays open beside the client.
async fn stand() -> ToolStand {
    let setup = StandSetup {
        inbox: true,
        ..setup()
    };
    setup.stand().await
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_not_completed() {
    let stand = setup().stand().await;
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        for (of, name) in [
            (prompt("no_such"), "code"),
            (prompt(""), "code"),
            (prompt("create_plan"), "no_such"),
            (prompt("execute_plan"), "code"),
            (prompt("create_plan\u{1b}[2J"), "code"),
            (resource("holdpoint://plans/{code}"), "id"),
            (resource(ASK), "code"),
            (resource("holdpoint://plans/{other}"), "other"),
            (resource("file:///{path}"), "path"),
            (resource("holdpoint://asks/open"), "id"),
        ] {
            let refused = complete(&mut client, of.clone(), name, "").await;
            assert_eq!(refused["error"]["code"], -32602, "{of} {name}: {refused}");
            let said = refused["error"]["message"].as_str().unwrap();
            assert!(said.starts_with("There is no "), "{said}");
            assert!(!said.contains('\u{1b}'), "{said}");
        }
        // What there is has no suggestion where none can be made, and that is no error.
        let none = values(&mut client, prompt("create_plan"), "description", "x").await;
        assert!(none.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn ids_of_asks_complete_for_those_who_asked() {
    let stand = stand().await;
    let plans = PlanTools::new(PlansConfig {
        workspace: stand.path(),
        plans_dir: "plans".into(),
    });
    let another = ToolServer::new(
        Implementation::new("another-server", "1"),
        "",
        [Arc::new(plans) as Arc<dyn holdpoint::ToolSource>],
    );
    let another = another.over(stand.desk.clone()).unwrap();
    let others = [
        stand.server.clone().principal(|_| Some("eve".into())),
        stand.server.clone().workspace("/elsewhere"),
        another.workspace(stand.path().to_str().unwrap()),
    ];
    let mut own: Vec<String> = Vec::new();
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        // One that is decided, and one that stays open.
        for decided in [true, false] {
            let question = json!({ "message": format!("Deploy, {era:?}, {decided}?") });
            let mut asker = Conversation::new(&stand, era).await;
            let asked = stand.asked(&mut asker, "elicit_confirm", question).await;
            if decided {
                asker
                    .answer(asked, accept(json!({ "confirmed": true })))
                    .await;
            }
            let newest = stand.asks().await.into_iter().max_by_key(|ask| ask.id);
            own.insert(0, newest.unwrap().id.to_string());
        }
        assert_eq!(values(&mut client, resource(ASK), "id", "").await, own);
        let one = own[1].clone();
        let upper = one.to_uppercase();
        for typed in [one.as_str(), &one[..35], &format!(" {upper} ")] {
            let found = values(&mut client, resource(ASK), "id", typed).await;
            assert!(found.contains(&one), "{typed}: {found:?}");
        }
        assert!(
            values(&mut client, resource(ASK), "id", "zz")
                .await
                .is_empty()
        );
        for (place, other) in others.iter().enumerate() {
            let mut other = Conversation::with(other.clone(), era, json!({})).await;
            for typed in ["", "0", one.as_str()] {
                let found = values(&mut other, resource(ASK), "id", typed).await;
                assert!(found.is_empty(), "{place}: {found:?}");
            }
            // The resources themselves are as closed.
            for uri in ["holdpoint://asks/open", "holdpoint://decisions/recent"] {
                let read = other.request("resources/read", json!({ "uri": uri })).await;
                let text = read["result"]["contents"][0]["text"].as_str().unwrap();
                assert!(!text.contains("Deploy"), "{place} {uri}: {text}");
            }
            let uri = format!("holdpoint://asks/{one}");
            let read = other.request("resources/read", json!({ "uri": uri })).await;
            assert!(read.get("error").is_some(), "{place}: {read}");
        }
    }
}
