//! Resources and completions, and who hears of a change.

use super::{call, create, edit};
use crate::setup;
use holdpoint::{ChannelKind, Holdpoint, Reply};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand, accept, read_file};
use serde_json::{Value, json};
use std::time::Duration;

async fn read(client: &mut Conversation, uri: &str) -> Value {
    let answer = client
        .request("resources/read", json!({ "uri": uri }))
        .await;
    let contents = &answer["result"]["contents"][0];
    assert_eq!(contents["uri"], uri, "{answer}");
    contents.clone()
}

async fn json_of(client: &mut Conversation, uri: &str) -> Value {
    let contents = read(client, uri).await;
    assert_eq!(contents["mimeType"], "application/json");
    serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
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
async fn they_are_listed_with_kind_and_size() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(2)).await;
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        let listed = client.request("resources/list", json!({})).await;
        let resources = listed["result"]["resources"].as_array().unwrap().clone();
        let uris: Vec<_> = resources
            .iter()
            .map(|resource| resource["uri"].as_str().unwrap())
            .collect();
        assert_eq!(
            uris,
            [
                "holdpoint://asks/open",
                "holdpoint://decisions/recent",
                "holdpoint://plans/login"
            ]
        );
        for resource in &resources {
            let contents = read(&mut client, resource["uri"].as_str().unwrap()).await;
            assert_eq!(contents["mimeType"], resource["mimeType"]);
            assert_eq!(
                contents["text"].as_str().unwrap().len(),
                resource["size"],
                "{resource}"
            );
        }
        assert_eq!(resources[2]["mimeType"], "text/markdown");
        let text = read_file(&stand.path(), "plans/login/STATUS.md");
        assert_eq!(
            read(&mut client, "holdpoint://plans/login").await["text"],
            text
        );
        let listed = client.request("resources/templates/list", json!({})).await;
        let templates = listed["result"]["resourceTemplates"].as_array().unwrap();
        let uris: Vec<_> = templates
            .iter()
            .map(|template| template["uriTemplate"].as_str().unwrap())
            .collect();
        assert_eq!(uris, ["holdpoint://asks/{id}", "holdpoint://plans/{code}"]);
        for unknown in [
            "holdpoint://plans/none",
            "holdpoint://plans/../x",
            "file:///etc/passwd",
            "holdpoint://asks/x",
        ] {
            let answer = client
                .request("resources/read", json!({ "uri": unknown }))
                .await;
            let code = match era {
                Era::Legacy => -32002,
                Era::Modern => -32602,
            };
            assert_eq!(answer["error"]["code"], code, "{answer}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_ask_from_open_to_decided() {
    let stand = stand().await;
    for era in ERAS {
        let mut asker = Conversation::new(&stand, era).await;
        let mut reader = Conversation::new(&stand, era).await;
        let asked = stand
            .asked(
                &mut asker,
                "elicit_confirm",
                json!({ "message": "Deploy?" }),
            )
            .await;
        let open = json_of(&mut reader, "holdpoint://asks/open").await;
        assert_eq!(open["asks"].as_array().unwrap().len(), 1);
        assert_eq!(open["asks"][0]["message"], "Deploy?");
        assert_eq!(open["asks"][0]["status"], "pending");
        let uri = format!(
            "holdpoint://asks/{}",
            open["asks"][0]["askId"].as_str().unwrap()
        );
        let ask = json_of(&mut reader, &uri).await;
        assert_eq!(ask["fields"][0]["kind"], "confirm", "{ask}");
        asker
            .answer(asked, accept(json!({ "confirmed": true })))
            .await;
        assert_eq!(json_of(&mut reader, &uri).await["status"], "accepted");
        assert_eq!(
            json_of(&mut reader, "holdpoint://asks/open").await,
            json!({ "asks": [] })
        );
        let recent = json_of(&mut reader, "holdpoint://decisions/recent").await;
        assert_eq!(recent["decisions"][0]["askId"], ask["askId"]);
        assert_eq!(recent["decisions"][0]["channel"], "client");
    }
}

#[tokio::test(start_paused = true)]
async fn each_principal_and_workspace_has_its_own() {
    let stand = stand().await;
    let others = [
        stand.server.clone().principal(|_| Some("eve".into())),
        stand.server.clone().workspace("/elsewhere"),
    ];
    for era in ERAS {
        let mut asker = Conversation::new(&stand, era).await;
        let asked = stand
            .asked(
                &mut asker,
                "elicit_confirm",
                json!({ "message": "Deploy?" }),
            )
            .await;
        let open = json_of(&mut asker, "holdpoint://asks/open").await;
        let uri = format!(
            "holdpoint://asks/{}",
            open["asks"][0]["askId"].as_str().unwrap()
        );
        for (place, other) in others.iter().enumerate() {
            let mut other = Conversation::with(Holdpoint::clone(other), era, json!({})).await;
            assert_eq!(
                json_of(&mut other, "holdpoint://asks/open").await,
                json!({ "asks": [] }),
                "{place}"
            );
            let answer = other.request("resources/read", json!({ "uri": uri })).await;
            assert!(answer.get("error").is_some(), "{answer}");
            let mut listed = other.request("resources/list", json!({})).await;
            assert_eq!(
                listed["result"]["resources"][0]["size"].take(),
                "{\n  \"asks\": []\n}".len()
            );
        }
        asker
            .answer(asked, accept(json!({ "confirmed": true })))
            .await;
        for other in &others {
            let mut other = Conversation::with(Holdpoint::clone(other), era, json!({})).await;
            let recent = json_of(&mut other, "holdpoint://decisions/recent").await;
            assert_eq!(recent, json!({ "decisions": [] }));
        }
    }
}

/// Waits until the client has heard that each of these has changed, and nothing else.
async fn hears_of(client: &mut Conversation, changed: &[&str]) {
    let mut changed = changed.to_vec();
    while !changed.is_empty() {
        let heard = tokio::time::timeout(Duration::from_secs(10), client.updated_resource()).await;
        let heard = heard.unwrap_or_else(|_| panic!("nothing was heard of {changed:?}"));
        let place = changed.iter().position(|uri| *uri == heard);
        changed.remove(place.unwrap_or_else(|| panic!("{heard} has not changed")));
    }
}

#[tokio::test]
async fn a_persons_edit_and_a_tools_are_heard_of() {
    let uri = "holdpoint://plans/login";
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        // Before there is such a plan, or even a folder for it.
        client.subscribe(&[uri]).await;
        create(&stand, "other", json!(1)).await;
        create(&stand, "login", json!(2)).await;
        hears_of(&mut client, &[uri]).await;
        edit(&stand, "STATUS.md", |text| {
            format!("{text}\nA person's note.\n")
        });
        hears_of(&mut client, &[uri]).await;
        let path = stand.path().join("plans/login/STATUS.md");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}\nIn place.\n")).unwrap();
        hears_of(&mut client, &[uri]).await;
        call(
            &stand,
            "plan_step_start",
            json!({ "code": "login", "step": 1 }),
        )
        .await;
        hears_of(&mut client, &[uri]).await;
        std::fs::rename(stand.path().join("plans/login"), stand.path().join("gone")).unwrap();
        std::fs::remove_dir_all(stand.path().join("gone")).unwrap();
        hears_of(&mut client, &[uri]).await;
        create(&stand, "login", json!(1)).await;
        hears_of(&mut client, &[uri]).await;
        edit(&stand, "STATUS.md", |text| {
            format!("{text}\nStill heard of.\n")
        });
        hears_of(&mut client, &[uri]).await;
    }
}

#[tokio::test]
async fn asks_and_decisions_are_heard_of_by_those_they_belong_to() {
    let uris = ["holdpoint://asks/open", "holdpoint://decisions/recent"];
    for era in ERAS {
        let stand = stand().await;
        let mut client = Conversation::new(&stand, era).await;
        client.subscribe(&uris).await;
        let eve = stand.server.clone().principal(|_| Some("eve".into()));
        let mut eve = Conversation::with(eve, era, json!({ "elicitation": {} })).await;
        eve.subscribe(&uris).await;
        let mut asker = Conversation::new(&stand, era).await;
        stand
            .asked(
                &mut asker,
                "elicit_confirm",
                json!({ "message": "Deploy?" }),
            )
            .await;
        hears_of(&mut client, &uris[..1]).await;
        let ask = stand.asks().await[0].id;
        let one = format!("holdpoint://asks/{ask}");
        let mut third = Conversation::new(&stand, era).await;
        third.subscribe(&[&one]).await;
        let content = json!({ "confirmed": true }).as_object().unwrap().clone();
        let from = holdpoint::testing::person(ChannelKind::Inbox, None);
        stand
            .desk
            .reply(ask, from, Reply::Accept { content })
            .await
            .unwrap();
        hears_of(&mut client, &uris).await;
        hears_of(&mut third, &[&one]).await;
        // Eve hears of her own first.
        eve.start(
            "tools/call",
            json!({ "name": "elicit_confirm", "arguments": { "message": "Mine?" } }),
        )
        .await;
        hears_of(&mut eve, &uris[..1]).await;
    }
}

#[tokio::test]
async fn what_is_no_longer_wanted_is_no_longer_told() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(2)).await;
    create(&stand, "other", json!(2)).await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let (login, other) = ("holdpoint://plans/login", "holdpoint://plans/other");
    // Twice is once.
    client.subscribe(&[login, login, other]).await;
    client
        .request("resources/unsubscribe", json!({ "uri": login }))
        .await;
    edit(&stand, "STATUS.md", |text| format!("{text}\nNot told.\n"));
    call(
        &stand,
        "plan_step_start",
        json!({ "code": "other", "step": 1 }),
    )
    .await;
    hears_of(&mut client, &[other]).await;
    let answer = client
        .request(
            "resources/subscribe",
            json!({ "uri": "holdpoint://nothing" }),
        )
        .await;
    assert_eq!(answer["error"]["code"], -32002);
}

#[tokio::test(start_paused = true)]
async fn completions_are_fuzzy_and_bounded() {
    let stand = setup().stand().await;
    create(&stand, "add-login", json!(1)).await;
    create(&stand, "add-logout", json!(1)).await;
    let elsewhere = json!({ "code": "login-docs", "description": "x", "directory": "docs/plans" });
    call(&stand, "plan_create", elsewhere).await;
    std::fs::create_dir_all(stand.path().join("src/deep")).unwrap();
    std::fs::create_dir_all(stand.path().join("target/debug")).unwrap();
    std::fs::create_dir_all(stand.path().join(".git/objects")).unwrap();
    std::fs::write(stand.path().join(".gitignore"), "target\n").unwrap();
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        let mut check = async |reference: Value, name: &str, typed: &str, wanted: &[&str]| {
            let params = json!({ "ref": reference, "argument": { "name": name, "value": typed } });
            let answer = client.request("completion/complete", params).await;
            let completion = &answer["result"]["completion"];
            assert_eq!(
                completion["values"],
                json!(wanted),
                "{name} {typed}: {answer}"
            );
            assert_eq!(completion["hasMore"], false);
        };
        let plan = json!({ "type": "ref/resource", "uri": "holdpoint://plans/{code}" });
        let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
        check(plan.clone(), "code", "login", &["login-docs", "add-login"]).await;
        check(plan, "code", "adlgo", &["add-logout"]).await;
        check(
            prompt("execute_plan"),
            "path",
            "docs",
            &["docs/plans/login-docs"],
        )
        .await;
        check(
            prompt("resume_plan"),
            "path",
            "addlogi",
            &["plans/add-login"],
        )
        .await;
        check(
            prompt("create_plan"),
            "directory",
            "",
            &["src", "docs", "plans", "src/deep", "docs/plans"],
        )
        .await;
        check(prompt("create_plan"), "directory", "deep", &["src/deep"]).await;
        check(prompt("create_plan"), "description", "x", &[]).await;
    }
    for number in 0..120 {
        std::fs::create_dir(stand.path().join(format!("folder-{number}"))).unwrap();
    }
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let params = json!({ "ref": { "type": "ref/prompt", "name": "create_plan" }, "argument": { "name": "directory", "value": "folder" } });
    let answer = client.request("completion/complete", params).await;
    let completion = &answer["result"]["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!(
        (&completion["total"], &completion["hasMore"]),
        (&json!(120), &json!(true))
    );
}
