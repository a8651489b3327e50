//! A run that is lost with its process goes on where it was, and nothing is done twice.
#![cfg(unix)]

use super::stand::*;
use holdpoint::{CallId, ResumeError};
use holdpoint_script::{Program, run, version};
use rmcp::model::CallToolResult;
use serde_json::json;
use std::sync::Arc;
use tokio::runtime::Runtime;

pub fn process() -> Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Begins a run with these replies, and ends its process once `until` holds.
pub fn killed(
    stand: &Stand,
    program: &Arc<Program>,
    replies: Vec<holdpoint::Reply>,
    until: impl AsyncFn() -> bool,
) -> CallId {
    let runtime = process();
    let id = runtime.block_on(async {
        let desk = stand.desk(Some(Person::says(replies))).await;
        let run = stand.begin(&desk, program);
        let reached = async || until().await.then_some(());
        eventually("the point to end it at", reached).await;
        run.id()
    });
    runtime.shutdown_background();
    id
}

pub fn resumed(
    stand: &Stand,
    program: &Arc<Program>,
    id: CallId,
    replies: Vec<holdpoint::Reply>,
) -> (CallToolResult, usize) {
    process().block_on(async {
        let person = Person::says(replies);
        let desk = stand.desk(Some(person.clone())).await;
        let (job, heard) = (stand.job(program), stand.heard.clone());
        let flow = |cx, _: &_| run(cx, job, heard);
        let run = desk.resume(id, version(program), flow).await.unwrap();
        (run.ended().await.unwrap(), person.asked().len())
    })
}

const COUNT: &str = "{ run: ['sh', '-c', 'echo x >> count'] }";

fn counted(stand: &Stand) -> usize {
    std::fs::read_to_string(stand.path("count")).map_or(0, |text| text.lines().count())
}

#[test]
fn it_goes_on_at_the_open_ask() {
    let stand = Stand::new();
    let program = program(&may(
        "{ run: ['sh'] }",
        &format!(
            "yield {{ emit: 'status', message: 'begun' }};
             const chance = Math.random(); const at = Date.now();
             const first = yield {{ ask: 'text', message: 'First?' }};
             yield {COUNT};
             const state = yield {{ checkpoint: true, state: {{ n: 1 }} }};
             yield {{ emit: 'status', message: 'before' }};
             const later = Date.now();
             const second = yield {{ ask: 'text', message: 'Second?' }};
             yield {{ emit: 'status', message: 'after' }};
             yield {COUNT};
             return {{ first, second, state, chance, at, later }};"
        ),
    ));
    let replies = || vec![accept(json!({ "value": "one" })), yes()];
    let second_is_open = async || {
        stand.journal.open_asks().await.unwrap() == 1
            && counted(&stand) == 1
            && stand.heard.0.lock().unwrap().len() == 2
    };
    let id = killed(&stand, &program, replies(), second_is_open);
    let (result, asked) = resumed(
        &stand,
        &program,
        id,
        vec![accept(json!({ "value": "two" }))],
    );
    let got = body(&result)["result"].clone();
    assert_eq!(
        (&got["first"], &got["second"]),
        (&json!("one"), &json!("two")),
        "{}",
        text(&result)
    );
    assert_eq!(asked, 1, "only what was open");
    assert_eq!(counted(&stand), 2, "each effect once");
    let heard = serde_json::to_value(&*stand.heard.0.lock().unwrap()).unwrap();
    let said: Vec<_> = heard
        .as_array()
        .unwrap()
        .iter()
        .map(|emit| emit["message"].clone())
        .collect();
    assert_eq!(said, ["begun", "before", "after"], "nothing is told twice");
    assert!(got["later"].as_i64() >= got["at"].as_i64(), "{got}");
}

#[test]
fn an_effect_that_was_interrupted_is_not_done_again() {
    let stand = Stand::new();
    let program = program(&may(
        "{ run: ['sh'] }",
        "try { yield { run: ['sh', '-c', 'echo x >> count; sleep 60'] }; } catch (e) { return [e.outcome, e.message]; }",
    ));
    let id = killed(&stand, &program, vec![yes()], async || counted(&stand) == 1);
    let (result, asked) = resumed(&stand, &program, id, Vec::new());
    let got = &body(&result)["result"];
    assert_eq!(got[0], "interrupted", "{}", text(&result));
    assert!(
        got[1]
            .as_str()
            .unwrap()
            .contains("may or may not have happened"),
        "{got}"
    );
    assert_eq!((asked, counted(&stand)), (0, 1));
}

#[test]
fn what_was_interrupted_and_not_caught_says_so() {
    let stand = Stand::new();
    let program = program(&may(
        "{ run: ['sh'] }",
        "yield { run: ['sh', '-c', 'echo x >> count; sleep 60'] };",
    ));
    let id = killed(&stand, &program, vec![yes()], async || counted(&stand) == 1);
    let (result, _) = resumed(&stand, &program, id, Vec::new());
    assert_eq!(body(&result)["error"], "INTERRUPTED", "{}", text(&result));
    assert_eq!(result.is_error, Some(true));
}

#[test]
fn the_open_question_whether_it_may_act_stays_open() {
    let stand = Stand::new();
    let program = program(&may(
        "{ run: ['sh'] }",
        &format!("yield {COUNT}; return 'done';"),
    ));
    let open = async || stand.journal.open_asks().await.unwrap() == 1;
    let id = killed(&stand, &program, Vec::new(), open);
    assert_eq!(counted(&stand), 0);
    let (result, asked) = resumed(&stand, &program, id, vec![yes()]);
    assert_eq!(
        (said(&result).as_str(), asked, counted(&stand)),
        ("done", 1, 1)
    );
}

#[test]
fn a_secret_is_asked_for_again() {
    let stand = Stand::new();
    let program = program(&main(
        "const pw = yield { ask: 'password', message: 'Password?' }; yield { ask: 'text', message: 'Go on?' }; return pw.length;",
    ));
    let open = async || {
        stand.journal.open_asks().await.unwrap() == 1
            && stand.journal.asks(Default::default()).await.unwrap().len() == 2
    };
    let id = killed(
        &stand,
        &program,
        vec![accept(json!({ "value": "secret" }))],
        open,
    );
    let replies = vec![
        accept(json!({ "value": "another" })),
        accept(json!({ "value": "x" })),
    ];
    let (result, _) = resumed(&stand, &program, id, replies);
    assert_eq!(body(&result)["result"], 7, "{}", text(&result));
}

/// A program that ran the same file in another way has begun it: what is on record may not fit.
#[test]
fn what_an_older_program_began_does_not_go_on() {
    let stand = Stand::new();
    let source = main("yield { ask: 'text', message: 'Go on?' }; return 'went on';");
    let program = program(&source);
    let older = format!("{} {}", program.file(), program.digest());
    process().block_on(async {
        let desk = stand.desk(None).await;
        for older in [older.clone(), format!("holdpoint 1.0.0, {older}")] {
            let (job, heard) = (stand.job(&program), stand.heard.clone());
            let begin = stand.begun(&program).version(older);
            let run = desk.run(begin, move |cx| run(cx, job, heard));
            let refused = run.ended().await.unwrap_err().message;
            assert!(refused.contains("or how Holdpoint runs it"), "{refused}");
        }
    });
    let open = async || stand.journal.open_asks().await.unwrap() == 1;
    let id = killed(&stand, &program, Vec::new(), open);
    let refused = process().block_on(async {
        let desk = stand.desk(None).await;
        let (job, heard) = (stand.job(&program), stand.heard.clone());
        let flow = |cx, _: &_| run(cx, job, heard);
        desk.resume(id, holdpoint::FlowVersion::new(older), flow)
            .await
            .err()
    });
    assert!(
        matches!(refused, Some(ResumeError::OtherVersion { .. })),
        "{refused:?}"
    );
}

#[test]
fn another_file_does_not_go_on_with_it() {
    let stand = Stand::new();
    let source = may(
        "{ run: ['sh'] }",
        &format!("yield {COUNT}; yield {{ ask: 'text', message: 'Go on?' }}; yield {COUNT};"),
    );
    let open = async || counted(&stand) == 1 && stand.journal.open_asks().await.unwrap() == 1;
    let id = killed(&stand, &program(&source), vec![yes()], open);
    let changed = program(&format!("{source}\n"));
    let refused = process().block_on(async {
        let desk = stand.desk(Some(Person::says([yes(), yes()]))).await;
        let (job, heard) = (stand.job(&changed), stand.heard.clone());
        let refused = desk
            .resume(id, version(&changed), |cx, _| run(cx, job, heard))
            .await
            .err();
        // Nor does one that says it is the old one.
        let (job, heard) = (stand.job(&changed), stand.heard.clone());
        let forged = desk
            .resume(id, version(&program(&source)), |cx, _| run(cx, job, heard))
            .await;
        let ended = forged.unwrap().ended().await;
        assert!(ended.unwrap_err().message.contains("script.js has changed"));
        refused
    });
    assert!(
        matches!(refused, Some(ResumeError::OtherVersion { .. })),
        "{refused:?}"
    );
    assert_eq!(counted(&stand), 1);
}
