//! Inboxes that other processes have open on the desk's journal: asks are left there while one watches,
//! and only then.

use crate::support::*;
use holdpoint::{
    AskId, ChannelKind, Clock, Desk, Holdpoint, Outcome, Reply, Settings, Yes,
    journal::{JournalEngine, Watcher},
    store_page_address,
};
use holdpoint_testkit::{ERAS, Era};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

pub const NOBODY: &str = "unreachable: the client shows no questions and no inbox is open";

pub fn flows() -> Flows {
    let say = |outcome: Outcome<Yes>| match outcome {
        Outcome::Accepted(Yes) => "deployed".to_owned(),
        Outcome::Unreachable { why } => format!("unreachable: {why}"),
        other => other.status().to_owned(),
    };
    Flows::default()
        .with("deploy", move |cx, _| async move {
            Ok(say(cx.elicitor().confirm("Deploy?").await?))
        })
        .with("drop", move |cx, _| async move {
            Ok(say(cx.elicitor().confirm("Drop?").dangerous().await?))
        })
}

/// Calls a tool, and gives what it says: of a result that is still out, its fields.
pub async fn call(server: &Holdpoint<Flows>, era: Era, tool: &str) -> Value {
    let mut client = Client::named("somebody", server.clone(), era, json!({})).await;
    let call = client.call(tool).await;
    let answer = client.answer(call).await;
    match &answer["result"]["structuredContent"] {
        Value::Null => text(&answer).into(),
        fields => fields.clone(),
    }
}

async fn say_yes(desk: &Desk, ask: AskId) {
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ann"));
    let content = json!({ "confirmed": true }).as_object().unwrap().clone();
    let reply = Reply::Accept { content };
    desk.reply(ask, from, reply).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_ask_waits_while_an_inbox_watches_and_only_then() {
    for era in ERAS {
        let desk = Desk::open("memory:").await.unwrap();
        let server = Holdpoint::new(desk.clone(), flows()).unwrap();
        assert_eq!(call(&server, era, "deploy").await, NOBODY, "{era:?}");

        let watcher = desk.journal().watch().await.unwrap();
        let mut client = Client::named("somebody", server.clone(), era, json!({})).await;
        let waiting = client.call("deploy").await;
        let ask = open_ask(&desk).await;
        let waits = ask.deadline_at.unwrap().duration_since(ask.opened_at);
        assert_eq!(waits.as_secs(), 86_400, "as long as the inbox lets it");
        say_yes(&desk, ask.id).await;
        assert_eq!(text(&client.answer(waiting).await), "deployed", "{era:?}");

        drop(watcher);
        assert_eq!(call(&server, era, "deploy").await, NOBODY, "{era:?}");
    }
}

/// A desk on tokio's clock that leaves asks to inboxes that watch its journal, and such an inbox if it is
/// there.
async fn served(watched: bool) -> (Desk, Holdpoint<Flows>, Option<Watcher>) {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .park_for_watchers();
    let desk = desk.build().await.unwrap();
    let server = Holdpoint::new(desk.clone(), flows()).unwrap();
    let watcher = watch_if(&desk, watched).await;
    (desk, server, watcher)
}

/// An inbox that watches the desk's journal, if it is to.
async fn watch_if(desk: &Desk, watches: bool) -> Option<Watcher> {
    if watches {
        Some(desk.journal().watch().await.unwrap())
    } else {
        None
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_not_a_persons_leaves_the_ask_to_an_inbox_that_came_later() {
    for (comes, wanted) in [(false, "unreachable: "), (true, "deployed")] {
        let (desk, server, _none) = served(false).await;
        let mut client = Client::legacy(server, form()).await;
        let call = client.call("deploy").await;
        let asked = client.asked().await;
        let watcher = watch_if(&desk, comes).await;
        // Faster than anybody reads.
        client
            .reply(&asked, accept(json!({ "confirmed": "Yes" })))
            .await;
        if comes {
            let ask = open_ask(&desk).await.id;
            let taken = async || {
                let record = desk.journal().ask(ask).await.unwrap().unwrap();
                assert!(record.decision.is_none(), "{record:?}");
                record.taken_from_client.then_some(())
            };
            eventually("it is taken from the client", taken).await;
            say_yes(&desk, ask).await;
        }
        let answer = client.answer(call).await;
        assert!(text(&answer).starts_with(wanted), "{comes}: {answer}");
        drop(watcher);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_fails_leaves_the_ask_to_an_inbox_that_came_later() {
    for (comes, wanted) in [(false, "unreachable: "), (true, "deployed")] {
        let (desk, server, _none) = served(false).await;
        let mut client = Client::legacy(server, form()).await;
        let call = client.call("deploy").await;
        let asked = client.asked().await;
        let watcher = watch_if(&desk, comes).await;
        let error = json!({ "code": -32603, "message": "no dialog" });
        let failed = json!({ "jsonrpc": "2.0", "id": asked["id"], "error": error });
        client.send(failed).await;
        if comes {
            // A word of the client's after its failure shows that the failure was looked at.
            client.request("ping", json!({})).await;
            let ask = open_ask(&desk).await.id;
            tokio::time::sleep(Duration::from_secs(5)).await;
            say_yes(&desk, ask).await;
        }
        let answer = loop {
            let message = client.next().await;
            if message["id"] == call {
                break message;
            }
        };
        assert!(text(&answer).starts_with(wanted), "{comes}: {answer}");
        drop(watcher);
    }
}

#[tokio::test(start_paused = true)]
async fn an_inbox_that_watches_is_no_answer() {
    let (desk, server, watcher) = served(true).await;
    let mut client = Client::legacy(server, json!({})).await;
    let call = client.call("drop").await;
    let ask = open_ask(&desk).await.id;
    drop(watcher);
    let pending = client.answer(call).await;
    let fields = &pending["result"]["structuredContent"];
    assert_eq!(fields["status"], "pending", "{pending}");
    assert_eq!(fields["proceed"], false);
    tokio::time::sleep(Duration::from_secs(2 * 86_400)).await;
    let ended = async || desk.journal().ask(ask).await.unwrap().unwrap().decision;
    let decision = eventually("it ends", ended).await;
    assert_eq!(decision.outcome, Outcome::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn the_page_is_named_while_one_watches() {
    let (desk, server, watcher) = served(true).await;
    let journal = desk.journal().as_ref();
    let pending = call(&server, Era::Legacy, "deploy").await;
    assert_eq!(pending["url"], Value::Null, "{pending}");
    let next = pending["nextStep"].as_str().unwrap();
    assert!(
        next.contains("(they can answer with `holdpoint inbox`)"),
        "{next}"
    );

    store_page_address(journal, "http://127.0.0.1:4653")
        .await
        .unwrap();
    let pending = call(&server, Era::Modern, "deploy").await;
    let ask = pending["askId"].as_str().unwrap();
    let url = format!("http://127.0.0.1:4653/ask/{ask}");
    assert_eq!(pending["url"], url, "{pending}");

    // It moved.
    store_page_address(journal, "http://127.0.0.1:4700")
        .await
        .unwrap();
    let pending = call(&server, Era::Modern, "drop").await;
    let url = pending["url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:4700/ask/"), "{url}");
    drop(watcher);
    assert_eq!(call(&server, Era::Legacy, "drop").await, json!(NOBODY));
}

/// Two processes over one file, as far as a test has them in one.
#[tokio::test(flavor = "multi_thread")]
async fn an_inbox_over_the_same_file_is_found_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    let desk = Desk::open(&url).await.unwrap();
    let server = Holdpoint::new(desk.clone(), flows()).unwrap();
    assert_eq!(call(&server, Era::Legacy, "deploy").await, NOBODY);

    let theirs: Arc<dyn JournalEngine> = holdpoint::journal::open(&url).await.unwrap();
    let inbox = Desk::builder(theirs.clone()).settings(Settings::default());
    let inbox = inbox.build().await.unwrap();
    let watcher = theirs.watch().await.unwrap();
    let mut client = Client::legacy(server.clone(), json!({})).await;
    let waiting = client.call("deploy").await;
    let ask = open_ask(&inbox).await.id;
    say_yes(&inbox, ask).await;
    assert_eq!(text(&client.answer(waiting).await), "deployed");

    drop(watcher);
    assert_eq!(call(&server, Era::Legacy, "deploy").await, NOBODY);
}
