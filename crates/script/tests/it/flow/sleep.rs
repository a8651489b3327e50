//! Time that a script waits: on record, and only the rest of it after a restart.
#![cfg(unix)]

use super::{resume::killed, stand::*};
use holdpoint_script::{run, version};
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

const HOUR: u64 = 3_600_000;

/// Every way to wait for an hour.
const WAITS: [&str; 3] = [
    "yield { sleep: 3600000 };",
    "yield new Promise((done) => setTimeout(done, 3600000));",
    "yield (async () => { await new Promise((done) => setTimeout(done, 3600000)); })();",
];

fn source(wait: &str) -> String {
    main(&format!(
        "yield {{ emit: 'status', message: 'begun' }}; const before = Date.now(); {wait}
         yield {{ emit: 'status', message: 'waited' }}; return Date.now() - before;"
    ))
}

#[tokio::test(start_paused = true)]
async fn the_clock_goes_on_by_what_was_waited() {
    for wait in WAITS {
        let stand = Stand::new();
        let begun = Instant::now();
        let result = stand.run(&source(wait), Vec::new()).await;
        let waited = begun.elapsed();
        assert_eq!(body(&result)["result"], HOUR, "{wait}: {}", text(&result));
        assert!(
            waited >= Duration::from_millis(HOUR) && waited < Duration::from_millis(HOUR + 2_000),
            "{wait}: {waited:?}"
        );
    }
}

#[test]
fn after_a_restart_the_rest_is_waited() {
    for wait in WAITS {
        let stand = Stand::new();
        let program = program(&source(wait));
        let recorded = async || {
            let step = stand.journal.latest_step("sleep", None).await;
            step.unwrap().is_some()
        };
        let id = killed(&stand, &program, Vec::new(), recorded);
        let later = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        later.block_on(async {
            let desk = stand.desk(None).await;
            tokio::time::advance(Duration::from_millis(HOUR / 2)).await;
            let (job, heard) = (stand.job(&program), stand.heard.clone());
            let begun = Instant::now();
            let flow = |cx, _: &_| run(cx, job, heard);
            let run = desk.resume(id, version(&program), flow).await.unwrap();
            let result = run.ended().await.unwrap();
            let waited = begun.elapsed();
            let got = body(&result)["result"].as_u64().unwrap();
            assert!((HOUR..HOUR + 10_000).contains(&got), "{wait}: {got}");
            assert!(
                waited > Duration::from_millis(HOUR / 2 - 60_000)
                    && waited < Duration::from_millis(HOUR / 2 + 2_000),
                "{wait}: {waited:?}"
            );
        });
        let heard = serde_json::to_value(&*stand.heard.0.lock().unwrap()).unwrap();
        let told: Vec<_> = (0..2).map(|n| heard[n]["message"].clone()).collect();
        assert_eq!(told, ["begun", "waited"], "{heard}");
        assert_eq!(heard[2], serde_json::Value::Null, "nothing is told twice");
    }
}

/// Run again, a script sees the times that it saw.
#[test]
fn what_was_waited_is_not_waited_again() {
    let stand = Stand::new();
    let program = program(&main(
        "const seen = [Date.now()]; for (const ms of [5, 7]) { yield { sleep: ms }; seen.push(Date.now()); }
         yield { emit: 'log', message: JSON.stringify(seen) };
         yield { ask: 'text', message: 'Go on?' }; return JSON.stringify(seen);",
    ));
    let open = async || stand.journal.open_asks().await.unwrap() == 1;
    let id = killed(&stand, &program, Vec::new(), open);
    let (result, _) =
        super::resume::resumed(&stand, &program, id, vec![accept(json!({ "value": "x" }))]);
    let heard = serde_json::to_value(&*stand.heard.0.lock().unwrap()).unwrap();
    assert_eq!(heard[0]["message"], said(&result), "{heard}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_withdrawn_waits_no_longer() {
    let stand = Stand::new();
    let desk = stand.desk(None).await;
    let run = stand.begin(&desk, &program(&source(WAITS[0])));
    eventually("the sleep", async || {
        stand.journal.latest_step("sleep", None).await.unwrap()
    })
    .await;
    let begun = Instant::now();
    run.withdraw().await;
    let result = run.ended().await.unwrap();
    assert_eq!(body(&result)["status"], "withdrawn", "{}", text(&result));
    assert!(begun.elapsed() < Duration::from_secs(5));
}
