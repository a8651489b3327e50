//! A reply that did not count takes the ask from its client for good: at every process, and after a
//! restart.

use crate::support::*;
use holdpoint::{
    Outcome, Settings, Yes,
    journal::{EventKind, JournalEngine},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tempfile::TempDir;

fn flows() -> Flows {
    Flows::default()
        .with("drop", |cx, _| async move {
            Ok(match cx.elicitor().confirm("Drop?").dangerous().await? {
                Outcome::Accepted(Yes) => "dropped".into(),
                other => other.status().to_owned(),
            })
        })
        .with("deploy", |cx, _| async move {
            Ok(match cx.elicitor().confirm("Deploy?").await? {
                Outcome::Accepted(Yes) => "deployed".into(),
                other => other.status().to_owned(),
            })
        })
}

/// A replica where no reply of a client's is slow enough, or (`patient`) each one is.
fn replica(journal: &Arc<dyn JournalEngine>, fast_reply: Duration) -> Replica {
    let settings = Settings::default()
        .hold(Duration::from_millis(20))
        .fast_reply(fast_reply);
    Replica::start(journal, flows(), settings, true)
}

fn strict(folder: &TempDir) -> Replica {
    replica(&sqlite_journal(folder), Duration::from_secs(3_600))
}

fn patient(folder: &TempDir) -> Replica {
    replica(&sqlite_journal(folder), Duration::ZERO)
}

fn yes(key: &str) -> Value {
    json!({ key: accept(json!({ "confirmed": true })) })
}

/// A result that says: nobody has answered yet.
fn check_pending(answer: &Value) {
    let status = &answer["result"]["structuredContent"]["status"];
    assert_eq!(status, "pending", "{answer}");
}

/// Asks at `desk`'s replica, and replies too fast at it; the key and the state of the round.
fn reply_too_fast(first: &Replica, tool: &str) -> (String, Value) {
    let (keys, state) = round(&first.call(tool));
    check_pending(&first.retry(tool, &state, yes(&keys[0])));
    (keys[0].clone(), state)
}

/// The ask is open, the record tells why it was taken from the client, and a person's yes counts.
fn check_left_to_the_person(replica: &Replica) {
    replica.runtime.block_on(async {
        let desk = &replica.desk;
        let ask = open_ask(desk).await;
        assert!(ask.taken_from_client);
        let events = desk.journal().events(0, 100).await.unwrap();
        assert!(events.iter().any(|event| event.kind == EventKind::TooFast));
        inbox_reply(desk, ask.id, json!({ "confirmed": true })).await;
        let decided = desk.journal().ask(ask.id).await.unwrap().unwrap().decision;
        assert!(matches!(decided.unwrap().outcome, Outcome::Accepted(_)));
        assert_eq!(desk.journal().verify().await.unwrap().flaws, []);
    });
}

#[test]
fn a_reply_that_was_too_fast_is_not_a_yes_at_a_second_process() {
    for tool in ["drop", "deploy"] {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (strict(&folder), patient(&folder));
        let (key, state) = reply_too_fast(&first, tool);
        check_pending(&second.retry(tool, &state, yes(&key)));
        // Nor under the key that a further reply would have.
        let again = format!("{key}-again-1");
        check_pending(&second.retry(tool, &state, yes(&again)));
        check_left_to_the_person(&second);
    }
}

#[test]
fn a_reply_that_was_too_fast_elsewhere_is_not_a_yes_where_the_flow_runs() {
    for tool in ["drop", "deploy"] {
        let folder = tempfile::tempdir().unwrap();
        let (owner, other) = (patient(&folder), strict(&folder));
        let (keys, state) = round(&owner.call(tool));
        check_pending(&other.retry(tool, &state, yes(&keys[0])));
        check_pending(&owner.retry(tool, &state, yes(&keys[0])));
        check_left_to_the_person(&owner);
    }
}

#[test]
fn a_reply_that_was_too_fast_is_not_a_yes_after_a_restart() {
    for tool in ["drop", "deploy"] {
        let folder = tempfile::tempdir().unwrap();
        let first = strict(&folder);
        let (key, state) = reply_too_fast(&first, tool);
        first.kill();
        let second = patient(&folder);
        check_pending(&second.retry(tool, &state, yes(&key)));
        check_pending(&second.retry(tool, &state, json!({})));
        check_left_to_the_person(&second);
    }
}

#[test]
fn a_legacy_client_is_not_shown_again_after_a_restart_what_was_taken_from_it() {
    for tool in ["drop", "deploy"] {
        let folder = tempfile::tempdir().unwrap();
        let first = strict(&folder);
        first.runtime.block_on(async {
            let mut client = Client::legacy(&first.server, form()).await;
            let call = client.call(tool).await;
            let asked = client.asked().await;
            let yes = accept(json!({ "confirmed": true }));
            client.reply(&asked, yes).await;
            check_pending(&client.answer(call).await);
        });
        first.kill();
        let second = patient(&folder);
        second.runtime.block_on(async {
            let mut client = Client::legacy(&second.server, form()).await;
            let call = client.call(tool).await;
            // It fails on a request of the server's: the client is shown nothing.
            check_pending(&client.answer(call).await);
        });
        check_left_to_the_person(&second);
    }
}
