//! Scripts that compute for long hold up nobody else, not even in their own realm.

use crate::support::{QUICK, finish, resume, start, within};
use holdpoint_script::{Limits, Program, TurnEnd};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::runtime::{Builder, Runtime};

const SOURCE: &str = "
export function* quick() { return 1; }
export function* waits() { return yield 'waiting'; }
export function* long() { for (;;); }
export function* native() { return String((1n << 500000n) - 1n).length; }
";

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[tokio::test]
async fn a_long_stretch_holds_up_no_new_call() {
    let limits = Limits {
        segment: Duration::from_secs(2),
        ..QUICK
    };
    let program = within(SOURCE, limits);
    let long = tokio::spawn({
        let program = Arc::clone(&program);
        async move { finish(&program, "long").await }
    });
    for _ in 0..20 {
        assert_eq!(finish(&program, "quick").await.unwrap(), json!(1));
    }
    assert!(!long.is_finished());
    let failed = long.await.unwrap().unwrap_err();
    assert!(failed.to_string().contains("2s"), "{failed}");
}

#[test]
fn what_cannot_be_interrupted_is_given_up() {
    let limits = Limits {
        patience: Duration::from_millis(200),
        ..QUICK
    };
    let program = within(SOURCE, limits);
    let runtime = runtime();
    runtime.block_on(async {
        let (mut neighbour, _) = start(&program, "waits").await.unwrap();
        let (hog, unharmed, new) = tokio::join!(
            finish(&program, "native"),
            resume(&mut neighbour, "an answer"),
            finish(&program, "quick"),
        );
        let failed = hog.unwrap_err();
        // It was not stopped, or else there would be a line.
        assert!(failed.to_string().starts_with("test.js: "), "{failed}");
        assert_eq!(unharmed.unwrap().end, TurnEnd::Returned("an answer".into()));
        assert_eq!(new.unwrap(), json!(1));
    });
    runtime.shutdown_background();
}

#[test]
fn a_runtime_that_ends_leaves_its_realms_to_others() {
    let program = within(SOURCE, QUICK);
    let first = runtime();
    let (mut waits, _) = first.block_on(start(&program, "waits")).unwrap();
    let unfinished = |method: &'static str| {
        let program: Arc<Program> = Arc::clone(&program);
        first.spawn(async move { finish(&program, method).await.map(drop) })
    };
    let (long, _behind) = (unfinished("long"), unfinished("quick"));
    first.block_on(tokio::task::yield_now());
    assert!(!long.is_finished());
    first.shutdown_background();
    runtime().block_on(async {
        let said = resume(&mut waits, "an answer").await.unwrap().end;
        assert_eq!(said, TurnEnd::Returned("an answer".into()));
        assert_eq!(finish(&program, "quick").await.unwrap(), json!(1));
    });
}

#[test]
fn a_runtime_that_rests_leaves_its_realms_to_others() {
    let program = within(SOURCE, QUICK);
    let first = runtime();
    let (mut waits, _) = first.block_on(start(&program, "waits")).unwrap();
    // It is there, but nobody drives it.
    runtime().block_on(async {
        let said = resume(&mut waits, "an answer").await.unwrap().end;
        assert_eq!(said, TurnEnd::Returned("an answer".into()));
        assert_eq!(finish(&program, "quick").await.unwrap(), json!(1));
    });
    drop(first);
}

#[tokio::test]
async fn what_a_call_left_to_promises_is_not_run_in_the_name_of_another() {
    let leave = "Promise.resolve().then(() => { console.log('mine'); Math.random(); })";
    let source = format!(
        "export function* throws() {{ {leave}; throw new Error('x'); }}
        export function* yields() {{ yield {{ toJSON() {{ {leave}; return 1; }} }}; }}
        export function* other() {{ return Math.random(); }}"
    );
    let alone = finish(&within(&source, QUICK), "other").await.unwrap();
    for bad in ["throws", "yields"] {
        let program = within(&source, QUICK);
        let _left = start(&program, bad).await;
        let (_, turn) = start(&program, "other").await.unwrap();
        assert_eq!(turn.logs, [], "{bad}");
        assert_eq!(turn.end, TurnEnd::Returned(alone.clone()), "{bad}");
    }
}
