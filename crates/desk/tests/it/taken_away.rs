//! A reply that did not count takes the ask from its client for good: at every process, and after a
//! restart.

use crate::support::*;
use holdpoint::{
    Outcome, Settings, Yes,
    journal::{EventKind, JournalEngine},
};
use serde_json::{Value, json};
use std::{pin::pin, sync::Arc, time::Duration};
use tempfile::TempDir;

fn flows() -> Flows {
    Flows::default()
        .with("drop", |cx, _| async move {
            Ok(match cx.elicitor().confirm("Drop?").dangerous().await? {
                Outcome::Accepted(Yes) => "dropped".into(),
                other => other.status().to_owned(),
            })
        })
        .with("drop_and_why", |cx, _| async move {
            let ask = cx.elicitor();
            let drop = async { ask.confirm("Drop?").dangerous().await };
            let (drop, _) = tokio::join!(drop, async { ask.text_input("Why?", "why").await });
            Ok(drop?.status().to_owned())
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

#[test]
fn a_legacy_client_hears_that_a_reply_did_not_count_when_that_is_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let first = strict(&folder);
    let busy = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    first.runtime.block_on(async {
        let mut client = Client::legacy(&first.server, form()).await;
        let call = client.call("deploy").await;
        let asked = client.asked().await;
        busy.execute_batch("BEGIN IMMEDIATE").unwrap();
        let yes = accept(json!({ "confirmed": true }));
        client.reply(&asked, yes).await;
        let mut answer = pin!(client.answer(call));
        let early = tokio::time::timeout(Duration::from_millis(200), &mut answer).await;
        assert!(early.is_err(), "told before it is on record: {early:?}");
        busy.execute_batch("ROLLBACK").unwrap();
        check_pending(&answer.await);
        assert!(open_ask(&first.desk).await.taken_from_client);
    });
}

/// The replica where it goes on.
fn kill_if(killed: bool, replica: Replica) -> Option<Replica> {
    if killed {
        replica.kill();
        return None;
    }
    Some(replica)
}

fn set_pin(replica: &Replica) {
    let pin = replica.desk.pin();
    replica.runtime.block_on(pin.set(None, "2580")).unwrap();
}

fn clear_pin(replica: &Replica) {
    let pin = replica.desk.pin();
    replica.runtime.block_on(pin.clear("2580")).unwrap();
}

#[test]
fn what_a_pin_kept_from_the_client_stays_kept_from_it_when_the_pin_is_gone() {
    for restarted in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let first = patient(&folder);
        set_pin(&first);
        let (keys, state) = round(&first.call("drop_and_why"));
        assert_eq!(keys, ["0002"], "the client is shown what is not dangerous");
        clear_pin(&first);
        let _owner = kill_if(restarted, first);
        let second = patient(&folder);
        let (keys, _) = round(&second.retry("drop_and_why", &state, yes("0001")));
        assert_eq!(keys, ["0002"], "restarted: {restarted}");
        let open = second.runtime.block_on(open_asks(&second.desk));
        let mut open: Vec<_> = open.iter().map(|ask| ask.key.as_str()).collect();
        open.sort_unstable();
        assert_eq!(open, ["0001", "0002"], "restarted: {restarted}");
        let events = second.desk.journal().events(0, 100);
        let events = second.runtime.block_on(events).unwrap();
        assert!(events.iter().any(|event| event.kind == EventKind::NotTaken));
    }
}

#[test]
fn a_client_that_a_pin_let_only_open_the_page_decides_nothing_when_the_pin_is_gone() {
    let opened = json!({ "action": "accept" });
    for restarted in [true, false] {
        for reply in [opened.clone(), accept(json!({ "confirmed": true }))] {
            let folder = tempfile::tempdir().unwrap();
            let first = patient(&folder);
            set_pin(&first);
            let shows = json!({ "elicitation": { "form": {}, "url": {} } });
            let call = json!({ "name": "drop", "arguments": {} });
            let asked = first.send_as(shows.clone(), call.clone());
            let (keys, state) = round(&asked);
            let sent = &asked["result"]["inputRequests"][&keys[0]];
            assert_eq!(sent["params"]["mode"], "url", "{asked}");
            clear_pin(&first);
            let _owner = kill_if(restarted, first);
            let second = patient(&folder);
            let mut retry = call;
            retry["requestState"] = state;
            retry["inputResponses"] = json!({ &keys[0]: reply });
            second.send_as(shows, retry);
            let open = second.runtime.block_on(open_asks(&second.desk));
            let refusals: Vec<_> = open.iter().map(|ask| ask.refusals).collect();
            assert_eq!(refusals, [0], "restarted: {restarted}, {reply}");
        }
    }
}
