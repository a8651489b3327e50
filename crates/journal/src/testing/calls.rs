//! Calls and their steps: run once, by one process.

use super::fixture::{Fixture, at, call};
use crate::{CallBinding, CallQuery, NewCall, StepStart, StepState, TakeOver, Write, Written};
use holdpoint_ask::CallId;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

pub async fn a_step_runs_once(fixture: &Fixture) {
    let (call, _) = fixture.opened().await;
    let start = |name: &str, epoch| Write::StartStep {
        call,
        epoch,
        name: name.into(),
        occurrence: 0,
        label: None,
        at: at(2),
    };
    let finish = |name: &str, epoch, result| Write::FinishStep {
        call,
        epoch,
        name: name.into(),
        occurrence: 0,
        result,
        label: None,
        at: at(3),
    };
    let check = async |write: Write, expected: Written| {
        assert_eq!(
            fixture.one(write.clone()).await,
            expected,
            "{}: {write:?}",
            fixture.name
        );
    };
    let finished = |value| Written::Step(StepStart::Finished(value));
    check(start("build", 1), Written::Step(StepStart::Started)).await;
    check(start("build", 1), Written::Step(StepStart::Interrupted)).await;
    check(finish("build", 2, json!(0)), Written::Applied(false)).await;
    check(finish("other", 1, json!(0)), Written::Applied(false)).await;
    check(
        finish("build", 1, json!({"files": 5})),
        Written::Applied(true),
    )
    .await;
    check(finish("build", 1, json!("again")), Written::Applied(false)).await;
    check(start("build", 1), finished(json!({"files": 5}))).await;
    check(start("null", 1), Written::Step(StepStart::Started)).await;
    check(finish("null", 1, Value::Null), Written::Applied(true)).await;
    check(start("null", 1), finished(Value::Null)).await;
    check(start("push", 1), Written::Step(StepStart::Started)).await;

    let take = Write::TakeOver {
        call,
        epoch: 1,
        owner: fixture.journal.owner(),
        at: at(4),
    };
    check(take, Written::TakeOver(TakeOver::Taken { epoch: 2 })).await;
    check(start("push", 1), Written::Step(StepStart::Lost)).await;
    check(start("push", 2), Written::Step(StepStart::Interrupted)).await;
    check(start("build", 2), finished(json!({"files": 5}))).await;
    check(finish("push", 1, json!(1)), Written::Applied(false)).await;
    check(finish("push", 2, json!(2)), Written::Applied(true)).await;

    let end = |epoch, result: Value| Write::FinishCall {
        call,
        epoch,
        result: Arc::new(result),
        at: at(5),
    };
    check(end(1, json!("zombie")), Written::Applied(false)).await;
    check(end(2, json!({"ok": true})), Written::Applied(true)).await;
    check(end(2, json!("twice")), Written::Applied(false)).await;
    check(start("late", 2), Written::Step(StepStart::Lost)).await;

    let history = fixture.journal.call(call).await.unwrap().unwrap();
    assert_eq!(history.call.epoch, 2);
    assert_eq!(history.call.result, Some(json!({"ok": true})));
    let steps: Vec<_> = history
        .steps
        .iter()
        .map(|step| (&step.name[..], &step.state))
        .collect();
    let files = StepState::Finished(json!({"files": 5}));
    let (null, two) = (
        StepState::Finished(Value::Null),
        StepState::Finished(json!(2)),
    );
    assert_eq!(steps, [("build", &files), ("null", &null), ("push", &two)]);
    fixture.check_sound().await;
}

pub async fn a_call_changes_hands_only_when_its_owner_is_gone(fixture: &Fixture) {
    let me = fixture.journal.owner();
    let other_process = match &fixture.other_process {
        Some(other_process) => other_process.owner(),
        None => Uuid::now_v7(),
    };
    let until = jiff::Timestamp::now() + std::time::Duration::from_secs(60);
    fixture
        .one(Write::Renew {
            owner: other_process,
            until,
        })
        .await;
    let open = async |owner| {
        let call = call(owner);
        fixture.one(Write::OpenCall(call.clone())).await;
        call.id
    };
    let take = async |call, epoch| {
        let write = Write::TakeOver {
            call,
            epoch,
            owner: me,
            at: jiff::Timestamp::now(),
        };
        match fixture.one(write).await {
            Written::TakeOver(taken) => taken,
            other => panic!("{other:?}"),
        }
    };
    let held = open(other_process).await;
    let lost = open(Uuid::now_v7()).await;
    assert_eq!(take(held, 1).await, TakeOver::Held, "{}", fixture.name);
    assert_eq!(take(lost, 1).await, TakeOver::Taken { epoch: 2 });
    assert_eq!(take(lost, 1).await, TakeOver::Held);
    assert_eq!(take(CallId::new(), 1).await, TakeOver::Unknown);
    assert_eq!(
        fixture
            .journal
            .call(lost)
            .await
            .unwrap()
            .unwrap()
            .call
            .owner,
        me
    );

    // A lease that has run out is worth no more than none, where nothing else says that the process stands.
    let gone = Uuid::now_v7();
    fixture
        .one(Write::Renew {
            owner: gone,
            until: at(0),
        })
        .await;
    let left = open(gone).await;
    assert_eq!(take(left, 1).await, TakeOver::Taken { epoch: 2 });
    let end = |epoch| Write::FinishCall {
        call: left,
        epoch,
        result: Arc::new(json!([epoch])),
        at: at(9),
    };
    assert_eq!(
        fixture.one(end(1)).await,
        Written::Applied(false),
        "whoever it was taken from records no result"
    );
    assert_eq!(fixture.one(end(2)).await, Written::Applied(true));
    assert_eq!(take(left, 2).await, TakeOver::Finished(json!([2])));
    fixture.check_sound().await;
}

pub async fn the_newest_step_of_a_name_is_found_in_whatever_call(fixture: &Fixture) {
    let (first, _) = fixture.opened().await;
    let (second, _) = fixture.opened().await;
    let studio = Some("studio");
    let latest = async |name: &str| fixture.journal.latest_step(name, studio).await.unwrap();
    let run = async |call, occurrence, result: Option<Value>| {
        let start = Write::StartStep {
            call,
            epoch: 1,
            name: "state".into(),
            occurrence,
            label: None,
            at: at(2),
        };
        assert_eq!(fixture.one(start).await, Written::Step(StepStart::Started));
        if let Some(result) = result {
            let finish = Write::FinishStep {
                call,
                epoch: 1,
                name: "state".into(),
                occurrence,
                result,
                label: None,
                at: at(3),
            };
            assert_eq!(fixture.one(finish).await, Written::Applied(true));
        }
    };
    assert_eq!(latest("state").await, None);
    run(second, 0, Some(json!("one"))).await;
    run(first, 0, Some(json!("two"))).await;
    assert_eq!(latest("state").await, Some((first, json!("two"))));
    run(first, 1, None).await;
    assert_eq!(latest("state").await, Some((first, json!("two"))));
    run(second, 1, Some(json!("three"))).await;
    assert_eq!(latest("state").await, Some((second, json!("three"))));
    assert_eq!(latest("stat").await, None);
    let all = async |prefix: &str, server| {
        let found = fixture.journal.latest_steps(prefix, server).await;
        found.unwrap()
    };
    let newest = vec![("state".to_owned(), json!("three"))];
    for prefix in ["", "st", "state"] {
        assert_eq!(all(prefix, studio).await, newest, "{prefix}");
    }
    for prefix in [
        "tate",
        "state ",
        "STATE",
        "s%",
        "_tate",
        "statd",
        "statf",
        "\u{10ffff}",
    ] {
        assert_eq!(all(prefix, studio).await, [], "{prefix}");
    }
    for other in [Some("other"), None] {
        let found = fixture.journal.latest_step("state", other).await.unwrap();
        assert_eq!(found, None, "a state belongs to its server");
        assert_eq!(
            all("state", other).await,
            [],
            "a state belongs to its server"
        );
    }
    fixture.check_sound().await;
}

pub async fn calls_are_found_by_method_or_tool(fixture: &Fixture) {
    let open_of = async |server: &str, method: &str, tool: &str| {
        let mut call = (*call(fixture.journal.owner())).clone();
        call.method = method.into();
        call.origin.server = Some(server.into());
        call.origin.tool = Some(tool.into());
        call.run = method == "tools/call";
        let id = call.id;
        fixture.one(Write::OpenCall(call.into())).await;
        id
    };
    let open = async |method: &str, tool: &str| open_of("studio", method, tool).await;
    let first = open("script", "greet_hello").await;
    open("tools/call", "elicit_confirm").await;
    let mut no_run = (*call(fixture.journal.owner())).clone();
    no_run.origin.tool = Some("greet_hello".into());
    no_run.arguments = json!({ "run": true });
    fixture.one(Write::OpenCall(no_run.into())).await;
    let second = open("tools/call", "greet_hello").await;
    let third = open("script", "greet_bye").await;
    let end = Write::FinishCall {
        call: third,
        epoch: 1,
        result: Arc::new(json!({ "bye": true })),
        at: at(5),
    };
    fixture.one(end).await;
    let check = async |tools: &[&str], before, limit, expected: &[CallId]| {
        let query = CallQuery {
            method: "script".into(),
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
            server: None,
            before,
            limit,
        };
        let found = fixture.journal.calls(query).await.unwrap();
        let ids: Vec<_> = found.iter().map(|call| call.id).collect();
        assert_eq!(ids, expected, "{}", fixture.name);
        found
    };
    let found = check(&[], None, 9, &[third, first]).await;
    assert_eq!(found[0].result, Some(json!({ "bye": true })));
    assert_eq!(found[1].result, None);
    check(&["greet_hello"], None, 9, &[third, second, first]).await;
    check(&["greet_hello"], None, 2, &[third, second]).await;
    check(&["greet_hello"], Some(second), 2, &[first]).await;

    let other = open_of("shop", "tools/call", "greet_hello").await;
    let hello = [other, third, second, first];
    check(&["greet_hello"], None, 9, &hello).await;
    for (server, wanted) in [("shop", &hello[..1]), ("studio", &hello[1..]), ("no", &[])] {
        let query = CallQuery {
            method: "script".into(),
            tools: vec!["greet_hello".into()],
            server: Some(server.into()),
            before: None,
            limit: 9,
        };
        let found = fixture.journal.calls(query).await.unwrap();
        let ids: Vec<_> = found.iter().map(|call| call.id).collect();
        assert_eq!(ids, wanted, "{}: {server}", fixture.name);
    }
}

pub async fn an_unfinished_call_is_found_by_what_binds_it(fixture: &Fixture) {
    let (gone, me) = (Uuid::from_u128(7), fixture.journal.owner());
    let open = async |owner: Uuid, change: &dyn Fn(&mut NewCall)| {
        let mut new = NewCall::clone(&call(owner));
        change(&mut new);
        let (id, binding) = (new.id, CallBinding::from(&new));
        fixture.one(Write::OpenCall(Arc::new(new))).await;
        (id, binding)
    };
    let find = async |binding| fixture.journal.unfinished_calls(binding).await.unwrap();
    let (own, binding) = open(me, &|_| {}).await;
    assert_eq!(find(binding).await, [], "this process knows its own: {own}");
    let (first, same) = open(gone, &|_| {}).await;
    assert_eq!(same, binding);
    let newer = |call: &mut NewCall| {
        call.origin.client = Some("vscode 2.0".into());
        call.flow_version = "2".into();
    };
    let (second, same) = open(gone, &newer).await;
    assert_eq!(same, binding, "versions bind nothing");
    assert_eq!(find(binding).await, [second, first], "{}", fixture.name);
    let others: [&dyn Fn(&mut NewCall); 7] = [
        &|call| call.origin.server = Some("other".into()),
        &|call| call.origin.principal = "bob".into(),
        &|call| call.origin.client_name = Some("cursor".into()),
        &|call| call.origin.workspace = None,
        &|call| call.origin.tool = Some("drop".into()),
        &|call| call.method = "prompts/get".into(),
        &|call| call.arguments = json!({"target": "test"}),
    ];
    for change in others {
        let (other, changed) = open(gone, change).await;
        assert_ne!(changed, binding);
        assert_eq!(find(changed).await, [other], "{}", fixture.name);
    }
    let finish = Write::FinishCall {
        call: second,
        epoch: 1,
        result: Arc::new(json!({})),
        at: at(5),
    };
    fixture.one(finish).await;
    assert_eq!(find(binding).await, [first], "what has a result is over");
    let take = Write::TakeOver {
        call: first,
        epoch: 1,
        owner: me,
        at: at(6),
    };
    fixture.one(take).await;
    assert_eq!(find(binding).await, [], "it was taken over");
}

pub async fn a_step_says_what_it_did(fixture: &Fixture) {
    let new = call(fixture.journal.owner());
    let id = new.id;
    fixture.one(Write::OpenCall(new)).await;
    let start = |name: &str, label: Option<&str>| Write::StartStep {
        call: id,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        label: label.map(str::to_owned),
        at: at(1),
    };
    fixture
        .one(start("run 9f2c", Some("git commit -m 'two words'")))
        .await;
    fixture
        .one(Write::FinishStep {
            call: id,
            epoch: 1,
            name: "run 9f2c".into(),
            occurrence: 0,
            result: json!({ "code": 1 }),
            label: Some("exit code 1".into()),
            at: at(2),
        })
        .await;
    fixture.one(start("checkpoint", None)).await;
    let history = fixture.journal.call(id).await.unwrap().unwrap();
    let said: Vec<_> = history
        .steps
        .iter()
        .map(|step| (step.label.as_deref(), step.end_label.as_deref()))
        .collect();
    let expected = [
        (Some("git commit -m 'two words'"), Some("exit code 1")),
        (None, None),
    ];
    assert_eq!(said, expected, "{}", fixture.name);
    assert_eq!(history.steps[0].started_at, Some(at(1)));
    fixture.check_sound().await;
}
