//! What is remembered with a yes: used without asking, on record, until it is revoked.

use super::station::{Station, allow, answer, open};
use holdpoint::{Desk, Kind, journal::AskRecord};
use serde_json::json;

/// The values of what can be remembered with a yes to this ask.
fn offered(ask: &AskRecord) -> Vec<String> {
    let fields = ask.ask.form.fields.iter();
    let remember = fields.filter(|field| field.name == "remember");
    let options = remember.filter_map(|field| match &field.kind {
        Kind::Choice(choice) => Some(choice.options.iter()),
        _ => None,
    });
    options
        .flatten()
        .map(|option| option.value.clone())
        .collect()
}

/// Runs a command of which a pattern is remembered for the workspace.
async fn remembered(station: &Station, desk: &Desk, command: &str) -> String {
    let hook = station.start("claude", 60, &station.bash(command));
    let ask = station.open_ask(desk).await;
    let offered = offered(&ask);
    let workspace = offered.iter().find(|value| value.starts_with("workspace"));
    let chosen = workspace.unwrap_or_else(|| panic!("{offered:?}")).clone();
    answer(
        desk,
        ask.id,
        json!({ "decision": "allow", "remember": chosen }),
    )
    .await;
    assert_eq!(hook.said().behavior(), "allow");
    chosen
}

#[tokio::test]
async fn what_is_remembered_is_allowed_without_asking_until_it_is_revoked() {
    let station = Station::new();
    std::fs::create_dir(station.home.workspace().join(".git")).unwrap();
    let first = station.start("claude", 60, &station.bash("git push origin old"));
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    allow(&desk, ask.id).await;
    assert_eq!(first.said().behavior(), "allow");

    let chosen = remembered(&station, &desk, "git push origin main").await;
    assert!(chosen.contains("Bash(git push *)"), "{chosen}");
    let said = station.say("claude", 5, &station.bash("git push origin other"));
    assert_eq!(said.behavior(), "allow", "{said:?}");
    assert_eq!(open(&desk).await.len(), 0, "nobody was asked");
    let calls = station.calls(&desk).await;
    let history = desk.journal().call(calls[0].id).await.unwrap().unwrap();
    assert_eq!(history.steps.len(), 1, "its use is on record");

    for other in [
        station.bash("git pull"),
        station.bash("git push && rm -rf x"),
        station.bash("git push $(whoami)"),
    ] {
        let said = station.say("claude", 1, &other);
        assert_eq!(said.behavior(), "deny", "{other}: {said:?}");
    }
    station.rules(r#"deny = ["Bash(git push *)"]"#);
    let again = station.bash("git push origin third");
    assert_eq!(station.say("claude", 1, &again).behavior(), "deny");
    station.rules("");
    let [given] = desk.remembered().await.unwrap().try_into().unwrap();
    desk.revoke_remembered(given.id).await.unwrap();
    assert_eq!(station.say("claude", 1, &again).behavior(), "deny");
}

#[tokio::test]
async fn an_offer_says_what_it_would_have_allowed_lately() {
    let station = Station::new();
    let desk = station.desk().await;
    for command in ["git push origin one", "git pull"] {
        let hook = station.start("claude", 60, &station.bash(command));
        let ask = station.open_ask(&desk).await;
        allow(&desk, ask.id).await;
        assert_eq!(hook.said().behavior(), "allow");
    }
    let _hook = station.start("claude", 60, &station.bash("git push origin two"));
    let ask = station.open_ask(&desk).await;
    let text = serde_json::to_string(&ask.ask.form).unwrap();
    assert!(text.contains("git push origin one"), "{text}");
    assert!(!text.contains("git pull"), "{text}");
    allow(&desk, ask.id).await;
}

#[tokio::test]
async fn what_another_server_had_remembered_allows_nothing_here() {
    let station = Station::new();
    let desk = station.desk().await;
    remembered(&station, &desk, "git push origin main").await;
    let [ours] = desk.remembered().await.unwrap().try_into().unwrap();
    desk.revoke_remembered(ours.id).await.unwrap();
    // The same scope, to the letter, with an answer to another server's question.
    let origin = holdpoint::Origin {
        server: Some("studio".into()),
        ..ours.ask.origin.clone()
    };
    let theirs = desk.ask(origin, ours.ask.ask.clone()).await.unwrap();
    let decision = ours.ask.decision.unwrap();
    let holdpoint::Outcome::Accepted(answered) = decision.outcome else {
        panic!("{decision:?}");
    };
    answer(&desk, theirs.id(), json!(answered)).await;
    assert_eq!(desk.remembered().await.unwrap().len(), 1);
    let said = station.say("claude", 1, &station.bash("git push origin other"));
    assert_eq!(said.behavior(), "deny", "{said:?}");
}
