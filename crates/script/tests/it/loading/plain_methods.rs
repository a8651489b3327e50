//! Methods that yield nothing are tools too, under the same limits.

use crate::support::{QUICK, call, finish, load, within};
use holdpoint_script::{Limits, ScriptError};
use serde_json::{Value, json};
use std::sync::Arc;

#[tokio::test]
async fn what_they_return_is_the_result() {
    let check = async |body: &str, returned: Value| {
        let source = format!("export class A {{ _x = 1; helper() {{ return this._x; }} {body} }}");
        let program = Arc::new(load(&source).unwrap());
        assert_eq!(
            call(&program, "run", json!({ "a": 2 })).await.unwrap(),
            returned,
            "{body}"
        );
    };
    check("run(args) { return args.a + this.helper(); }", json!(3)).await;
    check(
        "async run(args) { await null; return args.a + (await this.helper()); }",
        json!(3),
    )
    .await;
    check("run() {}", json!(null)).await;
    check("run() { return Promise.resolve(4); }", json!(4)).await;
    check(
        "run() { return this.other(); } *other() { yield { emit: 'status' }; return 5; }",
        json!(5),
    )
    .await;
    check(
        "run() { return this.other(); } async *other() { yield 1; return 6; }",
        json!(6),
    )
    .await;
    check(
        "run() { return { value: 1, done: false }; }",
        json!({ "value": 1, "done": false }),
    )
    .await;
    let program = Arc::new(load("export const run = async ({ a }) => [a]; export function two() { return this === undefined; }").unwrap());
    assert_eq!(
        call(&program, "run", json!({ "a": 1 })).await.unwrap(),
        json!([1])
    );
    assert_eq!(finish(&program, "two").await.unwrap(), json!(true));
}

#[tokio::test]
async fn they_are_held_to_the_limits() {
    let failed = async |body: &str| {
        let source = format!("export class A {{ {body} }}");
        let limits = Limits {
            memory: 8 << 20,
            ..QUICK
        };
        finish(&within(&source, limits), "run")
            .await
            .unwrap_err()
            .error
    };
    let check = async |body: &str, expected: fn(&ScriptError) -> bool| {
        let error = failed(body).await;
        assert!(expected(&error), "{body}: {error:?}");
    };
    check("run() { for (;;); }", |error| {
        matches!(error, ScriptError::TooLong { .. })
    })
    .await;
    check("async run() { for (;;) await null; }", |error| {
        matches!(error, ScriptError::TooLong { .. })
    })
    .await;
    check(
        "run() { const a = []; for (;;) a.push('x'.repeat(100000) + a.length); }",
        |error| matches!(error, ScriptError::TooMuchMemory { .. }),
    )
    .await;
    check("async run() { await new Promise(() => {}); }", |error| {
        matches!(error, ScriptError::Stuck { .. })
    })
    .await;
    check("run() { return new Promise(() => {}); }", |error| {
        matches!(error, ScriptError::Stuck { .. })
    })
    .await;
    check("run() { throw new TypeError('no'); }", |error| {
        matches!(error, ScriptError::Threw(_))
    })
    .await;
    check("async run() { throw new TypeError('no'); }", |error| {
        matches!(error, ScriptError::Threw(_))
    })
    .await;
    check("run() { return () => 1; }", |error| {
        matches!(error, ScriptError::NotData { .. })
    })
    .await;
    check("run() { return { then: () => 1 }; }", |error| {
        matches!(error, ScriptError::NotData { .. })
    })
    .await;
    check(
        "run() { return Object.create((function* () {}).prototype); }",
        |error| matches!(error, ScriptError::Threw(_)),
    )
    .await;
}
