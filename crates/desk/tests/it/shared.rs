//! The person's one inbox: their journal, their settings, their PIN, their page.

use crate::{
    inboxes::{NOBODY, call, flows},
    support::*,
};
use holdpoint::{
    Ask, ChannelKind, Desk, DeskBuilder, Environment, Holdpoint, Origin, Personal, Reply,
    ReplyResult, Settings, store_page_address,
};
use holdpoint_testkit::Era;
use serde_json::{Value, json};
use std::{fs, path::Path, time::Duration};
use tempfile::TempDir;

/// How long a call waits before it is pending.
const HOLD: Duration = Duration::from_millis(50);

/// A person's home, with their own file of settings.
fn home(config: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".config/holdpoint/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, config).unwrap();
    home
}

/// What `Desk::shared_builder` gives a process with this home and these variables.
async fn shared(home: &Path, variables: &[(&str, &str)]) -> DeskBuilder {
    let environment = Environment::new(home, variables.iter().copied());
    let personal = Personal::find_in(&environment).unwrap();
    let desk = personal.desk_builder().await.unwrap();
    desk.settings(Settings::default().hold(HOLD))
}

/// The desk of the process in which the person looks at their inbox.
async fn inbox(home: &Path) -> Desk {
    let journal = home.join(".local/state/holdpoint/journal.db");
    let url = format!("sqlite:{}", journal.display());
    let journal = holdpoint::journal::open(&url).await.unwrap();
    Desk::builder(journal).build().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_waits_in_the_persons_own_inbox() {
    let home = home("");
    let desk = shared(home.path(), &[]).await.build().await.unwrap();
    let server = Holdpoint::new(desk, flows()).unwrap();
    // Nobody looks at it yet.
    let pending = call(&server, Era::Legacy, "deploy").await;
    assert_eq!(pending["status"], "pending", "{pending}");
    assert_eq!(pending["url"], Value::Null, "there was never a page");
    let next = pending["nextStep"].as_str().unwrap();
    assert!(next.contains("with `holdpoint inbox`"), "{next}");

    let inbox = inbox(home.path()).await;
    let ask = open_ask(&inbox).await;
    assert_eq!(pending["askId"], ask.id.to_string());
    inbox_reply(&inbox, ask.id, json!({ "confirmed": true })).await;
    let wait = json!({ "name": "flows_await_answer", "arguments": { "askId": pending["askId"] } });
    let mut client = Client::named("somebody", server.clone(), Era::Legacy, json!({})).await;
    let result = async || {
        let request = client.request("tools/call", wait.clone()).await;
        (text(&client.answer(request).await) == "deployed").then_some(())
    };
    eventually("the result of the call that asked", result).await;

    // A page comes, and later moves.
    let journal = inbox.journal().as_ref();
    for address in ["http://127.0.0.1:4653", "https://127.0.0.1:4700"] {
        store_page_address(journal, address).await.unwrap();
        let named = async || {
            let pending = call(&server, Era::Modern, "drop").await;
            let url = pending["url"].as_str()?.to_owned();
            let ask = pending["askId"].as_str().unwrap();
            (url == format!("{address}/ask/{ask}")).then_some(())
        };
        eventually("the page's address, and nothing else in it", named).await;
    }
}

#[tokio::test]
async fn an_inbox_that_the_person_turned_off_reaches_nobody() {
    for (config, variables) in [
        ("inbox = \"off\"", vec![]),
        ("", vec![("HOLDPOINT_INBOX", "off")]),
        ("journal = \"memory:\"", vec![]),
    ] {
        let home = home(config);
        // On a loaded machine it takes a while to find out that there is nobody.
        let patient = Settings::default().hold(Duration::from_secs(30));
        let desk = shared(home.path(), &variables).await.settings(patient);
        let server = Holdpoint::new(desk.build().await.unwrap(), flows()).unwrap();
        let said = call(&server, Era::Legacy, "deploy").await;
        assert_eq!(said, NOBODY, "{config} {variables:?}");
    }
}

#[tokio::test]
async fn what_the_person_set_holds_whatever_the_author_sets() {
    let home = home("fast_reply_ms = 900\n[trust]\ndangerous = \"inbox\"");
    let loose = Settings::default()
        .fast_reply(Duration::ZERO)
        .dangerous_by_inbox_only(false);
    let loose = loose.hold(Duration::from_millis(50));
    let desk = shared(home.path(), &[]).await.settings(loose);
    let desk = desk.build().await.unwrap();
    assert_eq!(desk.settings().fast_reply, Duration::from_millis(900));
    assert!(desk.settings().dangerous_by_inbox_only);

    // A client that shows forms is shown nothing dangerous.
    let server = Holdpoint::new(desk, flows()).unwrap();
    let mut client = Client::legacy(server, form()).await;
    let call = client.call("drop").await;
    let pending = client.answer(call).await;
    let fields = &pending["result"]["structuredContent"];
    assert_eq!(fields["status"], "pending", "{pending}");
}

#[tokio::test]
async fn the_persons_pin_is_asked_for_whatever_journal_a_variable_names() {
    let home = home("");
    inbox(home.path())
        .await
        .pin()
        .set(None, "2580")
        .await
        .unwrap();
    let elsewhere = format!("sqlite:{}", home.path().join("other.db").display());
    let variables = [("HOLDPOINT_JOURNAL", elsewhere.as_str())];
    let desk = shared(home.path(), &variables).await.build().await.unwrap();
    let origin = Origin {
        principal: "test".into(),
        ..Origin::default()
    };
    let ask = Ask::confirm("Drop?").dangerous();
    let waiting = desk.ask(origin, ask).await.unwrap();
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ann"));
    let content = json!({ "confirmed": true }).as_object().unwrap().clone();
    let reply = desk.reply(waiting.id(), from, Reply::Accept { content });
    assert_eq!(reply.await.unwrap(), ReplyResult::PinNeeded);
}

#[tokio::test]
async fn who_started_the_process_loosens_nothing() {
    let home = home("[trust]\ndangerous = \"inbox\"");
    let variables = [("HOLDPOINT_TRUST_DANGEROUS", "client")];
    let error = Personal::find_in(&Environment::new(home.path(), variables)).unwrap_err();
    assert!(error.to_string().contains("only be tightened"), "{error}");
}
