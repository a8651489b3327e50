//! Every outcome but an answer: thrown, caught, let out; never a yes.

use super::stand::*;
use holdpoint::Reply;
use serde_json::{Value, json};

const CATCH: &str = "try { return yield ASK; } catch (e) { return { outcome: e.outcome, name: e.name, message: e.message, reason: e.reason, is: e instanceof AskError, index: e.index, answers: e.answers }; }";

fn caught(ask: &str) -> String {
    main(&CATCH.replace("ASK", ask))
}

const TEXT: &str = "{ ask: 'text', message: 'Name?', default: 'ada' }";
const CONFIRM: &str = "{ ask: 'confirm', message: 'Sure?', default: true }";

fn declined(reason: &str) -> Reply {
    Reply::Decline {
        reason: Some(reason.into()),
    }
}

#[tokio::test]
async fn a_no_and_a_dismissal_are_thrown() {
    let check = async |ask: &str, reply: Reply, wanted: Value| {
        let result = Stand::new().run(&caught(ask), vec![reply]).await;
        let got = &body(&result)["result"];
        match wanted.as_object() {
            Some(wanted) => {
                for (name, value) in wanted {
                    assert_eq!(&got[name], value, "{ask}: {got}");
                }
            }
            None => assert_eq!(*got, wanted, "{ask}"),
        }
    };
    let no = json!({ "outcome": "declined", "name": "AskError", "is": true, "reason": "not now" });
    check(TEXT, declined("not now"), no.clone()).await;
    check(TEXT, Reply::Cancel, json!({ "outcome": "cancelled" })).await;
    check(CONFIRM, Reply::Cancel, json!({ "outcome": "cancelled" })).await;
    check(CONFIRM, declined("not now"), no).await;
    // An answer that says no is what authors write `if` for.
    check(CONFIRM, accept(json!({ "confirmed": false })), json!(false)).await;
    let both = format!("[{CONFIRM}, {TEXT}, {TEXT}]");
    let result = Stand::new()
        .run(
            &caught(&both),
            vec![yes(), accept(json!({ "value": "b" })), declined("no")],
        )
        .await;
    let got = &body(&result)["result"];
    assert_eq!(got["outcome"], "declined", "{got}");
    let place = got["index"].as_u64().unwrap() as usize;
    let mut answers = got["answers"].as_array().unwrap().clone();
    assert_eq!(answers.remove(place), Value::Null);
    assert_eq!(answers, [json!(true), json!("b")]);
}

#[tokio::test(start_paused = true)]
async fn a_time_out_is_thrown_and_no_default_is_taken() {
    for ask in [TEXT, CONFIRM] {
        let result = Stand::new().run(&caught(ask), Vec::new()).await;
        assert_eq!(body(&result)["result"]["outcome"], "timed_out", "{ask}");
    }
}

#[tokio::test]
async fn nobody_reachable_is_thrown_unless_it_is_optional() {
    let run = async |source: String| {
        let stand = Stand::new();
        let desk = stand.desk(None).await;
        let result = stand.begin(&desk, &program(&source)).ended().await.unwrap();
        (body(&result)["result"].clone(), stand)
    };
    for ask in [TEXT, CONFIRM] {
        let (got, _) = run(caught(ask)).await;
        assert_eq!(got["outcome"], "unreachable", "{ask}");
    }
    for ask in [
        "{ ask: 'text', message: 'Name?', default: 'ada', required: false }",
        "{ ask: 'confirm', message: 'Sure?', default: true, required: false }",
        "{ ask: 'select', message: 'Which?', options: ['a'], default: 'a', required: false }",
    ] {
        let (got, stand) = run(caught(ask)).await;
        assert_eq!(got, Value::Null, "{ask}");
        let heard = serde_json::to_string(&*stand.heard.0.lock().unwrap()).unwrap();
        assert!(
            heard.contains("was skipped: nobody could be reached"),
            "{heard}"
        );
    }
}

#[tokio::test]
async fn what_is_left_empty_is_null() {
    for (ask, reply) in [
        (
            "{ ask: 'text', message: 'Name?', required: false }",
            json!({}),
        ),
        (
            "{ ask: 'text', message: 'Name?', required: false }",
            json!({ "value": "" }),
        ),
        (
            "{ ask: 'number', message: 'Age?', required: false }",
            json!({}),
        ),
        (
            "{ ask: 'select', message: 'Which?', options: ['a'], required: false }",
            json!({}),
        ),
        (
            "{ ask: 'rating', message: 'How?', required: false }",
            json!({}),
        ),
    ] {
        let result = Stand::new()
            .run(&main(&format!("return yield {ask};")), vec![accept(reply)])
            .await;
        assert_eq!(body(&result)["result"], Value::Null, "{ask}");
    }
    // An empty confirm is no yes, whatever it is called.
    let ask = "{ ask: 'confirm', message: 'Sure?', default: true, required: false }";
    let result = Stand::new()
        .run(
            &main(&format!("return (yield {ask}) ? 'yes' : 'no';")),
            vec![accept(json!({}))],
        )
        .await;
    assert_eq!(body(&result)["result"], "no");
}

#[tokio::test]
async fn what_is_not_caught_is_the_result() {
    let check = async |reply: Reply, status: &str, error: bool| {
        let result = Stand::new()
            .run(&main(&format!("return yield {TEXT};")), vec![reply])
            .await;
        let told = body(&result);
        assert_eq!(told["status"], status, "{told}");
        assert_eq!(told["proceed"], false);
        assert!(
            told["nextStep"].is_string() && told["askId"].is_string(),
            "{told}"
        );
        assert_eq!(result.is_error, Some(error), "{told}");
    };
    check(declined("no"), "declined", false).await;
    check(Reply::Cancel, "cancelled", false).await;
    let stand = Stand::new();
    let desk = stand.desk(None).await;
    let run = stand.begin(&desk, &program(&main(&format!("return yield {TEXT};"))));
    let result = run.ended().await.unwrap();
    assert_eq!(body(&result)["status"], "unreachable");
    assert_eq!(result.is_error, Some(true));
}

#[tokio::test]
async fn a_script_cannot_make_a_yes_of_an_error() {
    // An error of its own that looks like one of ours, and ours changed.
    for body_of in [
        "const e = new Error('x'); e.outcome = 'accepted'; throw e;",
        "throw new AskError('x', 'accepted', { outcome: 'accepted' });",
        "try { yield { ask: 'text', message: 'Name?' }; } catch (e) { try { e.outcome = 'accepted'; } catch {} throw e; }",
    ] {
        let result = Stand::new().run(&main(body_of), vec![declined("no")]).await;
        let told = body(&result);
        assert_ne!(told["status"], "accepted", "{told}");
        assert_eq!(told["proceed"], false, "{told}");
    }
}

#[tokio::test]
async fn a_call_that_is_taken_back_does_nothing_more() {
    let stand = Stand::new();
    let desk = stand.desk(Some(Person::says([yes()]))).await;
    let source = may(
        "{ write: ['out'] }",
        "yield { write: 'out/first', text: '1' }; try { yield { ask: 'text', message: 'Go on?' }; } catch {} yield { write: 'out/second', text: '2' };",
    );
    let run = stand.begin(&desk, &program(&source));
    stand.asked(&run, "Go on?").await;
    run.withdraw().await;
    let result = run.ended().await.unwrap();
    assert_eq!(body(&result)["status"], "withdrawn", "{}", text(&result));
    assert!(stand.path("out/first").exists());
    assert!(!stand.path("out/second").exists());
}
