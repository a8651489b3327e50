//! What real clients do to a form: they select for the person, answer for them, show half of it, or hide
//! that the call still waits.

use crate::support::*;
use holdpoint::{
    AskId, ChannelKind, Desk, Field, Form, Holdpoint, Kind, Outcome, Reply, Yes, field,
    journal::EventKind,
};
use holdpoint_testkit::Era;
use serde_json::{Value, json};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

fn flows() -> Flows {
    Flows::default()
        .with("deploy", |cx, _| async move {
            let outcome = cx.elicitor().confirm("Deploy?").await?;
            Ok(match outcome {
                Outcome::Accepted(Yes) => "deployed".into(),
                other => other.status().to_owned(),
            })
        })
        .with("drop", |cx, _| async move {
            let ask = cx.elicitor().confirm("Drop it?").dangerous();
            Ok(match ask.await? {
                Outcome::Accepted(Yes) => "dropped".into(),
                other => other.status().to_owned(),
            })
        })
        .with("perhaps", |cx, _| async move {
            let confirm = Field::new("confirmed", Kind::Confirm).optional();
            let ask = holdpoint::Ask::new("Perhaps?", Form::new().field(confirm));
            let outcome = cx.elicitor().ask(ask).await?;
            let status = outcome.status().to_owned();
            Ok(match outcome {
                Outcome::Accepted(answer) => format!("{status} {}", json!(answer)),
                _ => status,
            })
        })
        .with("in_person", |cx, _| async move {
            let ask = holdpoint::Ask::confirm("Really?").in_person();
            Ok(cx.elicitor().ask(ask).await?.status().to_owned())
        })
        .with("set_up", |cx, _| async move {
            let text = Kind::Text(field::Text::default());
            let form = Form::new()
                .field(Field::new("name", text.clone()))
                .field(Field::new("note", text).separate())
                .field(Field::new("sure", Kind::Confirm));
            let asked = cx.elicitor().ask(holdpoint::Ask::new("Set it up?", form));
            Ok(match asked.await? {
                Outcome::Accepted(answer) => Value::Object(answer).to_string(),
                other => other.status().to_owned(),
            })
        })
        .with("await", |cx, arguments| async move {
            let ask: AskId = arguments["askId"].as_str().unwrap().parse().unwrap();
            let result = cx.await_answer(ask, HOUR).await?;
            Ok(serde_json::to_string(&result).unwrap())
        })
}

async fn served(inbox: bool) -> (Desk, Holdpoint<Flows>) {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let mut builder = Desk::builder(journal)
        .settings(patient())
        .clock(holdpoint::Clock::tokio())
        .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"));
    if inbox {
        builder = builder.channel(std::sync::Arc::new(ParkedInbox::default()));
    }
    let desk = builder.build().await.unwrap();
    let server = Holdpoint::new(desk.clone(), flows()).unwrap();
    (desk, server)
}

fn both() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} } })
}

async fn say_yes_on_the_page(desk: &Desk, ask: AskId) {
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ann"));
    let content = json!({ "confirmed": true }).as_object().unwrap().clone();
    desk.reply(ask, from, Reply::Accept { content })
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_untouched_form_is_asked_again_and_then_left_to_the_inbox() {
    let (desk, server) = served(true).await;
    let mut client = Client::named("somebody", server, Era::Legacy, form()).await;
    let call = client.call("deploy").await;
    for _ in 0..3 {
        let asked = client.asked().await;
        let confirmed = &asked["params"]["requestedSchema"]["properties"]["confirmed"];
        assert_eq!(confirmed["enum"], json!(["Not decided yet", "Yes", "No"]));
        assert_eq!(confirmed["title"], "Deploy?");
        let untouched = json!({ "confirmed": "Not decided yet" });
        client.reply(&asked, accept(untouched)).await;
    }
    let pending = client.answer(call).await;
    assert_eq!(
        pending["result"]["structuredContent"]["status"], "pending",
        "{pending}"
    );
    let ask = open_ask(&desk).await;
    assert!(ask.decision.is_none() && ask.taken_from_client);
    let waits = ask.deadline_at.unwrap().duration_since(ask.opened_at);
    assert_eq!(waits.as_secs(), 86_400, "as long as the inbox lets it");
}

#[tokio::test(start_paused = true)]
async fn an_untouched_form_is_nobodys_word_where_there_is_no_inbox() {
    let (_desk, server) = served(false).await;
    let mut client = Client::named("somebody", server, Era::Legacy, form()).await;
    let call = client.call("deploy").await;
    for untouched in [
        json!({ "confirmed": "Not decided yet" }),
        json!({ "confirmed": true }),
        json!({}),
    ] {
        let asked = client.asked().await;
        client.reply(&asked, accept(untouched)).await;
    }
    assert_eq!(text(&client.answer(call).await), "invalid");
}

#[tokio::test(start_paused = true)]
async fn an_optional_yes_or_no_that_is_not_there_is_neither() {
    let (_desk, server) = served(true).await;
    let mut client = Client::named("somebody", server, Era::Legacy, form()).await;
    for untouched in [json!({}), json!({ "confirmed": "Not decided yet" })] {
        let call = client.call("perhaps").await;
        let asked = client.asked().await;
        client.reply(&asked, accept(untouched)).await;
        assert_eq!(text(&client.answer(call).await), "accepted {}");
    }
}

#[tokio::test(start_paused = true)]
async fn more_time_that_somebody_gave_stays_when_a_form_is_taken_away() {
    let (desk, server) = served(true).await;
    let mut client = Client::named("somebody", server, Era::Legacy, form()).await;
    let call = client.call("deploy").await;
    let asked = client.asked().await;
    let ask = open_ask(&desk).await;
    let later = ask.opened_at + 48 * HOUR;
    assert!(desk.extend(ask.id, Some(later), "ann").await.unwrap());
    let untouched = || accept(json!({ "confirmed": "Not decided yet" }));
    client.reply(&asked, untouched()).await;
    for _ in 0..2 {
        let asked = client.asked().await;
        client.reply(&asked, untouched()).await;
    }
    client.answer(call).await;
    let ask = open_ask(&desk).await;
    assert!(ask.taken_from_client);
    assert_eq!(ask.deadline_at, Some(later));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_was_opened_before_it_was_answered_is_not_late() {
    let (desk, server) = served(true).await;
    let mut client = Client::named("mcpdo", server, Era::Modern, both()).await;
    let call = client.call("in_person").await;
    let (_, state) = round(&client.answer(call).await);
    let ask = open_ask(&desk).await.id;
    say_yes_on_the_page(&desk, ask).await;
    let opened = json!({ "0001": { "action": "accept" } });
    let call = client.retry("in_person", &state, opened).await;
    let answer = client.answer(call).await;
    assert_eq!(
        answer["result"]["content"].as_array().unwrap().len(),
        1,
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_yes_is_chosen_and_a_dangerous_one_typed() {
    let (desk, server) = served(true).await;
    let mut client = Client::named("somebody", server, Era::Legacy, form()).await;
    let call = client.call("deploy").await;
    let asked = client.asked().await;
    client
        .reply(&asked, accept(json!({ "confirmed": "Yes" })))
        .await;
    assert_eq!(text(&client.answer(call).await), "deployed");

    let call = client.call("drop").await;
    let asked = client.asked().await;
    let confirmed = &asked["params"]["requestedSchema"]["properties"]["confirmed"];
    let help = "Dangerous: This cannot be undone. · Type confirm for a yes, or no for a no.";
    assert_eq!(confirmed["description"], help);
    assert!(confirmed.get("enum").is_none(), "{confirmed}");
    client
        .reply(&asked, accept(json!({ "confirmed": "Yes" })))
        .await;
    let asked = client.asked().await;
    client
        .reply(&asked, accept(json!({ "confirmed": " Confirm" })))
        .await;
    assert_eq!(text(&client.answer(call).await), "dropped");
    let decided = desk.journal().events(0, 1000).await.unwrap();
    let decided = decided
        .iter()
        .rev()
        .find(|event| event.kind == EventKind::Decided);
    let gesture = &decided.unwrap().body["presence"]["gesture"];
    assert_eq!(*gesture, json!({ "word": " Confirm" }));
}

#[tokio::test(start_paused = true)]
async fn what_was_valid_comes_back_and_what_decides_does_not() {
    let (_desk, server) = served(true).await;
    let mut client = Client::named("somebody", server, Era::Legacy, form()).await;
    let call = client.call("set_up").await;
    let asked = client.asked().await;
    let first = json!({ "name": "", "note": "by hand", "sure": "Yes" });
    client.reply(&asked, accept(first)).await;
    let asked = client.asked().await;
    let properties = &asked["params"]["requestedSchema"]["properties"];
    assert_eq!(properties["note"]["default"], "by hand");
    assert!(properties["name"].get("default").is_none());
    assert!(properties["sure"].get("default").is_none());
    assert_eq!(properties["sure"]["enum"][0], "Not decided yet");
    let second = json!({ "name": "web", "note": "by hand", "sure": "Yes" });
    client.reply(&asked, accept(second)).await;
    let answer = client.answer(call).await;
    assert_eq!(
        text(&answer),
        r#"{"name":"web","note":"by hand","sure":true}"#
    );
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_leave_a_text_empty_is_not_shown_it() {
    let (desk, server) = served(true).await;
    let mut client = Client::named("codex-mcp-client", server, Era::Legacy, form()).await;
    let call = client.call("set_up").await;
    let asked = client.asked().await;
    let properties = asked["params"]["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = properties.unwrap().keys().collect();
    assert_eq!(names, ["01_name", "02_sure"]);
    let content = json!({ "01_name": "web", "02_sure": "Yes" });
    client.reply(&asked, accept(content)).await;
    assert_eq!(
        text(&client.answer(call).await),
        r#"{"name":"web","sure":true}"#
    );
    let events = desk.journal().events(0, 1000).await.unwrap();
    let decided = events.iter().find(|event| event.kind == EventKind::Decided);
    assert_eq!(
        decided.unwrap().body["presence"]["leftOut"],
        json!(["note"])
    );
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_at_a_client_that_runs_unattended() {
    let (desk, server) = served(true).await;
    let exec = json!({ "x-codex-turn-metadata": { "turn_trigger": "exec" } });
    let client = Client::named("codex-mcp-client", server, Era::Legacy, both()).await;
    let mut client = client.with_meta(exec);
    let call = client.call("deploy").await;
    let pending = client.answer(call).await;
    assert_eq!(
        pending["result"]["structuredContent"]["status"], "pending",
        "{pending}"
    );
    let ask = open_ask(&desk).await;
    let waits = ask.deadline_at.unwrap().duration_since(ask.opened_at);
    assert_eq!(waits.as_secs(), 86_400);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_that_a_person_refused_at_an_unattended_client() {
    let (_desk, server) = served(false).await;
    let exec = json!({ "x-codex-turn-metadata": { "turn_trigger": "exec" } });
    let client = Client::named("codex-mcp-client", server, Era::Legacy, both()).await;
    let mut client = client.with_meta(exec);
    let call = client.call("deploy").await;
    assert_eq!(text(&client.answer(call).await), "unreachable");
}

#[tokio::test(start_paused = true)]
async fn a_dialog_without_a_deadline_has_the_inboxs_time() {
    let (_desk, server) = served(true).await;
    for (wait, said) in [(HOUR, "deployed"), (24 * HOUR + HOUR, "timed_out")] {
        let mut client = Client::named("mcpdo", server.clone(), Era::Modern, form()).await;
        let call = client.call("deploy").await;
        let (_, state) = round(&client.answer(call).await);
        tokio::time::sleep(wait).await;
        let yes = json!({ "0001": accept(json!({ "confirmed": true })) });
        let call = client.retry("deploy", &state, yes).await;
        assert_eq!(text(&client.answer(call).await), said);
    }
}

#[tokio::test(start_paused = true)]
async fn a_dialog_that_is_answered_after_the_page_changes_nothing_and_says_so() {
    for late in [
        json!({ "action": "cancel" }),
        json!({ "action": "decline" }),
    ] {
        let (desk, server) = served(true).await;
        let mut client = Client::named("mcpdo", server, Era::Modern, form()).await;
        let call = client.call("deploy").await;
        let (_, state) = round(&client.answer(call).await);
        let ask = open_ask(&desk).await.id;
        say_yes_on_the_page(&desk, ask).await;
        for _ in 0..2 {
            let call = client
                .retry("deploy", &state, json!({ "0001": late }))
                .await;
            let answer = client.answer(call).await;
            assert_eq!(text(&answer), "deployed");
            let note = answer["result"]["content"][1]["text"].as_str().unwrap();
            assert!(note.contains("Accepted by ann on the page"), "{note}");
            assert!(note.ends_with("came later and changed nothing."), "{note}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_is_sent_twice_is_not_late() {
    let (_desk, server) = served(true).await;
    let mut client = Client::named("mcpdo", server, Era::Modern, form()).await;
    let call = client.call("deploy").await;
    let (_, state) = round(&client.answer(call).await);
    for _ in 0..2 {
        let yes = json!({ "0001": accept(json!({ "confirmed": true })) });
        let call = client.retry("deploy", &state, yes).await;
        let answer = client.answer(call).await;
        assert_eq!(
            answer["result"]["content"].as_array().unwrap().len(),
            1,
            "{answer}"
        );
    }
}

/// Calls a tool that only the inbox shows, and gives how long the call was held.
async fn held(client: &mut Client, params: Value) -> Duration {
    let since = tokio::time::Instant::now();
    let call = client.request("tools/call", params).await;
    let answer = client.answer(call).await;
    assert!(answer.to_string().contains("pending"), "{answer}");
    Duration::from_secs(since.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_before_its_client_gives_up_or_hides_it() {
    let token = json!({ "progressToken": 1 });
    for (name, meta, seconds) in [
        ("claude-code", token.clone(), 100),
        ("claude-code", json!({}), 45),
        ("continue-cli-client", json!({}), 45),
        ("somebody", token.clone(), 45),
        ("somebody", json!({}), 45),
    ] {
        let (desk, server) = served(true).await;
        let client = Client::named(name, server, Era::Modern, json!({})).await;
        let mut client = client.with_meta(meta);
        let call = json!({ "name": "deploy", "arguments": {} });
        assert_eq!(held(&mut client, call).await.as_secs(), seconds, "{name}");
        let ask = open_ask(&desk).await.id.to_string();
        let wait = json!({ "name": "await", "arguments": { "askId": ask } });
        assert_eq!(
            held(&mut client, wait).await.as_secs(),
            seconds,
            "{name} waits"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_goes_with_an_address_where_the_client_needs_one() {
    for (name, has_id) in [("copilot-cli", true), ("claude-code", false)] {
        let (_desk, server) = served(true).await;
        let mut client = Client::named(name, server, Era::Modern, both()).await;
        let call = client.call("in_person").await;
        let answer = client.answer(call).await;
        let asked = &answer["result"]["inputRequests"]["0001"]["params"];
        assert_eq!(asked["mode"], "url", "{answer}");
        assert_eq!(asked.get("elicitationId").is_some(), has_id, "{asked}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_client_may_not_decide_it_may_open() {
    let settings = patient().dangerous_by_inbox_only(true);
    let desk = Desk::builder(holdpoint::journal::open("memory:").await.unwrap())
        .settings(settings)
        .clock(holdpoint::Clock::tokio())
        .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"))
        .channel(std::sync::Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap();
    let server = Holdpoint::new(desk, flows()).unwrap();
    let mut client = Client::named("somebody", server, Era::Modern, both()).await;
    let call = client.call("drop").await;
    let answer = client.answer(call).await;
    let asked = &answer["result"]["inputRequests"]["0001"]["params"];
    assert_eq!(asked["mode"], "url", "{answer}");
    let (_, state) = round(&answer);
    let opened = json!({ "0001": { "action": "accept" } });
    let call = client.retry("drop", &state, opened).await;
    let answer = client.answer(call).await;
    assert_eq!(
        answer["result"]["structuredContent"]["status"], "pending",
        "{answer}"
    );
}
