//! A flow that is run again finds its client, its forms and its way as they were.

use crate::{
    let_go::{SOON, deletes, served, served_by},
    support::*,
};
use holdpoint::{
    Ask, ClientProfile, Field, Form, Kind, ResumeError, Settings, ToolContext,
    field::Toggle,
    journal::{AskQuery, EventKind},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::sync::Notify;

/// A dangerous question that is answered without a word, where it is a form.
async fn sweeps(cx: ToolContext) -> Result<String, holdpoint::AskError> {
    let form = Form::new().field(Field::new("loud", Kind::Toggle(Toggle::default())));
    let outcome = cx.elicitor().ask(Ask::new("Sweep?", form).dangerous());
    Ok(outcome.await?.status().to_owned())
}

fn form_and_url() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} } })
}

fn at_a_page(settings: Settings) -> impl FnOnce(holdpoint::DeskBuilder) -> holdpoint::DeskBuilder {
    |desk| {
        let page = |ask| format!("http://127.0.0.1:4653/asks/{ask}");
        desk.settings(settings).page(page)
    }
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_dropped_an_ask_is_kept() {
    // Run again, it would find the first one withdrawn before its timer has run.
    let with_timer = |cx: ToolContext| async move {
        tokio::select! {
            biased;
            said = deletes(cx.clone()) => return said,
            () = tokio::time::sleep(SOON / 2) => {}
        }
        let again = cx.elicitor().text_input("Why not?", "why").await?;
        Ok(format!("{:?}", again.accepted()))
    };
    let served = served(patient(), with_timer).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    client.asked().await;
    // The first one is withdrawn, before or after that.
    let next = [client.next().await, client.next().await];
    let is_ask = |message: &&Value| message["method"] == "elicitation/create";
    let asked = next.iter().find(is_ask).unwrap();
    served.kept().await;
    let late = accept(json!({ "why": "late" }));
    client.reply(asked, late).await;
    assert_eq!(text(&client.answer(call).await), r#"Some("late")"#);
    assert_eq!(served.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_dropped_a_step_is_kept() {
    let with_timer = |cx: ToolContext| async move {
        tokio::select! {
            step = cx.step("endless", std::future::pending::<u8>()) => drop(step),
            () = tokio::time::sleep(SOON / 2) => {}
        }
        deletes(cx).await
    };
    let served = served(patient(), with_timer).await;
    served.kept_until_answered().await;
    assert_eq!(served.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_form_that_was_in_view_before_a_pin_was_set_is_taken_away_by_its_reply() {
    let dangerous = |cx: ToolContext| async move {
        let outcome = cx.elicitor().confirm("Delete?").dangerous().await?;
        Ok(outcome.status().to_owned())
    };
    let served = served(patient(), dangerous).await;
    let mut client = Client::legacy(&served.server, form()).await;
    client.call("work").await;
    let asked = client.asked().await;
    served.let_go(1).await;
    served.desk.pin().set(None, "2580").await.unwrap();
    let yes = accept(json!({ "confirmed": true }));
    client.reply(&asked, yes).await;
    eventually("that the reply does not count", async || {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let ask = open_ask(&served.desk).await;
        ask.taken_from_client.then_some(())
    })
    .await;
    served.let_go(1).await;
    let runs = served.runs();
    tokio::time::sleep(SOON * 20).await;
    assert_eq!(served.runs(), runs, "it waits for the inbox alone");
}

#[tokio::test(start_paused = true)]
async fn whoever_agreed_to_open_the_page_has_answered_nothing_also_when_the_pin_is_gone() {
    for legacy in [false, true] {
        let served = served_by(at_a_page(patient()), sweeps).await;
        served.desk.pin().set(None, "2580").await.unwrap();
        let opened = json!({ "action": "accept" });
        let clear = async || served.desk.pin().clear("2580").await.unwrap();
        if legacy {
            let mut client = Client::legacy(&served.server, form_and_url()).await;
            client.call("work").await;
            let asked = client.asked().await;
            assert_eq!(asked["params"]["mode"], "url", "{asked}");
            served.let_go(1).await;
            clear().await;
            client.reply(&asked, opened).await;
        } else {
            let mut client = Client::modern(&served.server, form_and_url());
            let call = client.call("work").await;
            let (keys, state) = round(&client.answer(call).await);
            served.let_go(1).await;
            clear().await;
            let replies = json!({ &keys[0]: opened });
            client.retry("work", &state, replies).await;
        }
        tokio::time::sleep(SOON).await;
        let asks = served
            .desk
            .journal()
            .asks(AskQuery::default())
            .await
            .unwrap();
        let (decision, refusals) = (&asks[0].decision, asks[0].refusals);
        assert_eq!((decision, refusals), (&None, 0), "legacy: {legacy}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_answers_nothing_that_it_was_not_shown_also_when_the_pin_is_gone() {
    let both = |cx: ToolContext| async move {
        let ask = cx.elicitor();
        let dangerous = async { ask.confirm("Delete?").dangerous().await };
        let (dangerous, _) = tokio::join!(dangerous, async { ask.text_input("Why?", "why").await });
        Ok(dangerous?.status().to_owned())
    };
    let served = served(patient(), both).await;
    served.desk.pin().set(None, "2580").await.unwrap();
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(keys, ["0002"]);
    served.let_go(1).await;
    served.desk.pin().clear("2580").await.unwrap();
    let yes = accept(json!({ "confirmed": true }));
    let replies = json!({ "0001": yes, "0002": accept(json!({ "why": "so" })) });
    client.retry("work", &state, replies).await;
    tokio::time::sleep(SOON).await;
    let open = open_asks(&served.desk).await;
    assert_eq!(open.len(), 1);
    assert!(open[0].ask.dangerous);
}

#[tokio::test(start_paused = true)]
async fn the_same_call_again_leaves_the_form_that_a_person_fills_in() {
    let mut profile = ClientProfile::default();
    profile.aborts_after = Some(Duration::from_secs(20));
    let set_up = |desk: holdpoint::DeskBuilder| {
        desk.settings(patient())
            .profile("mcpdo-test-client", profile)
    };
    let served = served_by(set_up, deletes).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    let first = client.asked().await;
    let pending = client.answer(call).await;
    assert_eq!(pending["result"]["structuredContent"]["status"], "pending");
    served.let_go(1).await;
    let again = client.call("work").await;
    let second = client.asked().await;
    assert_ne!(first["id"], second["id"]);
    let yes = accept(json!({ "confirmed": "Yes" }));
    client.reply(&first, yes).await;
    let withdrawn = client.next().await;
    assert_eq!(
        withdrawn["params"]["requestId"], second["id"],
        "{withdrawn}"
    );
    assert_eq!(text(&client.answer(again).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_gives_a_call_up_that_was_let_go_is_gone() {
    let served = served(patient(), deletes).await;
    let mut client = Client::modern(&served.server, json!({}));
    let call = client.call("work").await;
    served.let_go(1).await;
    client.cancel(call, "Request timed out").await;
    served.recorded(EventKind::AgentGone).await;
    assert!(open_ask(&served.desk).await.agent_gone);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_let_go_is_not_taken_over_by_its_own_process() {
    let served = served(patient(), deletes).await;
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    client.answer(call).await;
    served.let_go(1).await;
    let ask = open_ask(&served.desk).await;
    let call = ask.call.unwrap();
    let history = served.desk.journal().call(call).await.unwrap().unwrap();
    let version = history.call.flow_version;
    let resumed = served.desk.resume(call, version, |_, _| async {
        unreachable!("it is not run")
    });
    assert!(matches!(resumed.await, Err(ResumeError::Elsewhere)));
}

#[tokio::test(start_paused = true)]
async fn an_address_that_was_sent_after_a_form_is_read_as_an_address() {
    let dangerous = |cx: ToolContext| async move {
        let outcome = cx.elicitor().confirm("Delete?").dangerous().await?;
        Ok(outcome.status().to_owned())
    };
    let served = served_by(at_a_page(patient()), dangerous).await;
    let mut client = Client::legacy(&served.server, form_and_url()).await;
    let call = client.call("work").await;
    let first = client.asked().await;
    assert_eq!(first["params"].get("url"), None, "{first}");
    client.cancel(call, "the request timed out").await;
    served.let_go(1).await;
    served.desk.pin().set(None, "2580").await.unwrap();
    client.call("work").await;
    let second = client.asked().await;
    assert_eq!(second["params"]["mode"], "url", "{second}");
    served.let_go(1).await;
    served.desk.pin().clear("2580").await.unwrap();
    client.reply(&second, json!({ "action": "accept" })).await;
    tokio::time::sleep(SOON).await;
    let open = open_ask(&served.desk).await;
    assert_eq!((open.refusals, open.taken_from_client), (0, false));
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_dropped_an_answer_is_kept() {
    let gate = Arc::<Notify>::default();
    let opened = gate.clone();
    // Run again, it would find the first one answered before the gate opens.
    let with_gate = move |cx: ToolContext| {
        let opened = opened.clone();
        async move {
            let mut first = Box::pin(deletes(cx.clone()));
            assert!(futures::poll!(&mut first).is_pending());
            opened.notified().await;
            drop(first);
            let again = cx.elicitor().text_input("Why not?", "why").await?;
            Ok(format!("{:?}", again.accepted()))
        }
    };
    let served = served(patient(), with_gate).await;
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    let (_, state) = round(&client.answer(call).await);
    let first = open_ask(&served.desk).await;
    inbox_reply(&served.desk, first.id, json!({ "confirmed": true })).await;
    gate.notify_one();
    let again = client.retry("work", &state, json!({})).await;
    let (keys, state) = round(&client.answer(again).await);
    served.kept().await;
    let late = json!({ &keys[0]: accept(json!({ "why": "late" })) });
    let last = client.retry("work", &state, late).await;
    assert_eq!(text(&client.answer(last).await), r#"Some("late")"#);
    assert_eq!(served.runs(), 1);
}
