//! What scripts are given and say, from yield to yield.

use crate::support::{self, begin, finish, program, resume, start, within};
use holdpoint_script::{Limits, Program, Resume, ScriptError, Thrown, TurnEnd};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{path::Path, sync::Arc};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

/// Runs `run` with these answers and gives all that it yields, and what it returns or how it fails.
async fn story(source: &str, answers: &[Value]) -> Vec<Value> {
    let program = program(source);
    let mut told = Vec::new();
    let (mut running, mut turn) = match start(&program, "run").await {
        Ok(started) => started,
        Err(failed) => return vec![json!({ "failed": failed.to_string() })],
    };
    let mut answers = answers.iter();
    loop {
        match (turn.end, answers.next()) {
            (TurnEnd::Yielded(value), Some(answer)) => {
                told.push(value);
                match resume(&mut running, answer.clone()).await {
                    Ok(next) => turn = next,
                    Err(failed) => {
                        told.push(json!({ "failed": failed.to_string() }));
                        return told;
                    }
                }
            }
            (TurnEnd::Yielded(value), None) => {
                told.push(value);
                return told;
            }
            (TurnEnd::Returned(value), _) => {
                told.push(json!({ "returned": value }));
                return told;
            }
        }
    }
}

async fn check(source: &str, answers: Value, expected: Value) {
    let told = story(source, answers.as_array().unwrap()).await;
    assert_eq!(Value::from(told), expected, "{source}");
}

#[tokio::test]
async fn generators_of_all_kinds() {
    let class = "export default class A { *run() { return [yield 1, yield 2, this.help()]; } help() { return 'h'; } }";
    check(
        class,
        json!(["a", "b"]),
        json!([1, 2, { "returned": ["a", "b", "h"] }]),
    )
    .await;
    let fields =
        "export class A { x = 1; #p = 2; async *run() { return [this.x, this.#p, yield 0]; } }";
    check(fields, json!([9]), json!([0, { "returned": [1, 2, 9] }])).await;
    let function = "export async function* run() { const a = yield { a: [1, 'x', null, true, 1.5] }; return a; }";
    check(
        function,
        json!([{ "b": {} }]),
        json!([{ "a": [1, "x", null, true, 1.5] }, { "returned": { "b": {} } }]),
    )
    .await;
    let arrow = "const run = function* () { return yield 1; }; export { run };";
    check(arrow, json!([2]), json!([1, { "returned": 2 }])).await;
    let top = "const ready = await Promise.resolve(5); export function* run() { return ready; }";
    check(top, json!([]), json!([{ "returned": 5 }])).await;
    let inherited = "class Base { *run() { return yield this.who(); } } export default class B extends Base { who() { return 'b'; } }";
    check(inherited, json!([1]), json!(["b", { "returned": 1 }])).await;
    let several = "export class A { *a() {} } export class B { *run() { return 'b'; } }";
    check(several, json!([]), json!([{ "returned": "b" }])).await;
}

#[tokio::test]
async fn values_cross_as_they_are() {
    let echo = "export async function* run() { let x; for (;;) x = yield x ?? null; }";
    let values = json!([
        { "__proto__": { "polluted": true }, "constructor": 1 },
        ["\u{0}", "𝒳", "\u{2028}", "\"\\"],
        [0, -1, 1.5, 1e300, 9_007_199_254_740_991_i64, -0.0],
        [[], {}, [[]], ""],
        { "10": 1, "2": 2, "b": 3, "a": 4 },
    ]);
    let mut expected = vec![Value::Null];
    expected.extend(values.as_array().unwrap().iter().cloned());
    // As JavaScript has it: numbers first, and only one zero.
    expected[3][5] = json!(0);
    expected[5] = json!({ "2": 2, "10": 1, "b": 3, "a": 4 });
    let told = story(echo, values.as_array().unwrap()).await;
    assert_eq!(told, expected);
    let odd = "export function* run() { yield { a: undefined, b: [undefined, NaN, Infinity], c: new Date(0), d: Object.create({ e: 1 }) }; }";
    let seen = json!([{ "b": [null, null, null], "c": "1970-01-01T00:00:00.000Z", "d": {} }]);
    check(odd, json!([]), seen).await;
    let halves = "export function* run() { yield ['\\ud800', { '\\udc00': 1 }]; }";
    check(halves, json!([]), json!([["\u{fffd}", { "\u{fffd}": 1 }]])).await;
}

#[tokio::test]
async fn an_ask_that_ends_without_an_answer_is_an_error_that_can_be_caught() {
    let source = "export async function* run() {
        try { yield 1; } catch (e) {
            yield [e.name, e.message, e.outcome, e.reason, e instanceof Error, e instanceof AskError, String(e)];
            try { e.outcome = 'accepted'; } catch {}
            throw e;
        }
    }";
    let program = program(source);
    let (mut running, _) = start(&program, "run").await.unwrap();
    let thrown = || {
        Resume::Throw(Thrown {
            message: "The person said no.".into(),
            outcome: Some("declined".into()),
            fields: json!({ "reason": "not today" })
                .as_object()
                .unwrap()
                .clone(),
        })
    };
    let turn = running.resume(thrown(), at(1)).await.unwrap();
    let seen = json!([
        "AskError",
        "The person said no.",
        "declined",
        "not today",
        true,
        true,
        "AskError: The person said no."
    ]);
    assert_eq!(turn.end, TurnEnd::Yielded(seen));
    let failed = resume(&mut running, 1).await.unwrap_err();
    assert_eq!(failed.error.outcome(), Some("declined"));
    assert_eq!(failed.to_string(), "test.js:2: The person said no.");
    let over = resume(&mut running, 1).await.unwrap_err();
    assert!(matches!(over.error, ScriptError::Ended { .. }), "{over}");
    let (mut plain, _) = start(&program, "run").await.unwrap();
    drop(plain.resume(thrown(), at(1)).await);
    let forged = "export function* run() { throw Object.assign(new AskError('m', 'accepted'), { outcome: 'accepted' }); }";
    let failed = finish(&support::program(forged), "run").await.unwrap_err();
    assert_eq!(
        failed.error.outcome(),
        None,
        "only what the desk said counts"
    );
}

#[tokio::test]
async fn what_is_thrown_is_told_with_its_line() {
    let cases = [
        ("throw new Error('broken')", "test.js:2: broken"),
        ("throw 'just text'", "test.js: just text"),
        ("throw null", "test.js: threw null"),
        ("throw undefined", "test.js: threw undefined"),
        ("throw 7", "test.js: threw 7"),
        ("throw { code: 5 }", r#"test.js: threw {"code":5}"#),
        ("throw { message: 'mine' }", "test.js: mine"),
        (
            "throw new (class Own extends TypeError {})('own')",
            "test.js:2: own",
        ),
        ("throw new Error()", "test.js:2: Error"),
        ("null.x", "test.js:2: cannot read property 'x' of null"),
        ("nothing()", "test.js:2: nothing is not defined"),
        (
            "await Promise.reject(new Error('later'))",
            "test.js:2: later",
        ),
        (
            "const f = () => { throw new Error('in f') }; f()",
            "test.js:2: in f",
        ),
        ("JSON.parse('{')", "test.js:2:"),
        (
            "throw Object.freeze(new Error('frozen'))",
            "test.js:2: frozen",
        ),
        ("throw { get message() { throw 1 } }", "test.js: threw"),
        (
            "throw new Proxy({}, { get() { throw 1 } })",
            "test.js: threw an object",
        ),
        ("throw Symbol('s')", "test.js: threw symbol"),
    ];
    let mut wrong = Vec::new();
    for (body, expected) in cases {
        let source = format!("export async function* run() {{\n{body};\n}}");
        let failed = finish(&program(&source), "run").await.unwrap_err();
        let failed = failed.to_string();
        if !failed.starts_with(expected) {
            wrong.push(format!("{body}: {failed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_stack_has_the_scripts_own_frames() {
    let source = "const inner = () => { throw new TypeError('t'); };\nexport default class A {\n  *run() {\n    inner();\n  }\n}";
    let failed = finish(&program(source), "run").await.unwrap_err();
    let ScriptError::Threw(uncaught) = failed.error else {
        panic!("{failed}");
    };
    assert_eq!(
        (uncaught.at.line, uncaught.name.as_deref()),
        (Some(1), Some("TypeError"))
    );
    insta::assert_snapshot!(uncaught.stack);
}

#[tokio::test]
async fn constructors_fail_like_methods() {
    let check = async |source: &str, expected: &str| {
        let failed = finish(&within(source, support::QUICK), "run")
            .await
            .unwrap_err();
        assert_eq!(failed.to_string(), expected);
    };
    check(
        "export default class A { constructor() { throw new Error('no'); } *run() {} }",
        "test.js:1: no",
    )
    .await;
    check(
        "export default class A { x = (() => { for (;;); })(); *run() {} }",
        "test.js:1: the script computed for more than 50ms without a yield, and was stopped",
    )
    .await;
}

#[tokio::test]
async fn clock_and_chance_are_given() {
    let source = "const loaded = [Date.now(), Math.random()];
        export async function* run() {
            yield [loaded, Date.now(), new Date().toISOString(), Math.random()];
            yield [Date.now(), Math.random()];
        }";
    let program = program(source);
    let tell = async |seed: u64, first: i64, second: i64| {
        let mut start = begin("run", Value::Null);
        (start.seed, start.now) = (seed, at(first));
        let (mut running, one) = program.start(start).await.unwrap();
        let two = running
            .resume(Resume::Value(Value::Null), at(second))
            .await
            .unwrap();
        (one.end, two.end)
    };
    let one = tell(1, 100, 200).await;
    assert_eq!(one, tell(1, 100, 200).await);
    assert_ne!(one, tell(2, 100, 200).await);
    let (TurnEnd::Yielded(first), TurnEnd::Yielded(second)) = one else {
        panic!("it yields");
    };
    assert_eq!(first[0][0], 100_000);
    assert_eq!((&first[1], &second[0]), (&json!(100_000), &json!(200_000)));
    assert_eq!(first[2], "1970-01-01T00:01:40.000Z");
    let draws = [&first[0][1], &first[3], &second[1]].map(|draw| draw.as_f64().unwrap());
    assert!(
        draws.iter().all(|draw| (0.0..1.0).contains(draw))
            && draws[0] != draws[1]
            && draws[1] != draws[2]
    );
}

/// The draws of one call do not depend on the others.
#[tokio::test]
async fn calls_share_neither_scope_nor_chance() {
    let source = "let count = 0; const seen = []; export function* run() {
        for (;;) { count += 1; seen.push(Math.random()); yield [count, seen]; } }";
    let program = program(source);
    let (mut one, _) = start(&program, "run").await.unwrap();
    let (mut two, _) = start(&program, "run").await.unwrap();
    for _ in 0..3 {
        let said = resume(&mut one, 0).await.unwrap().end;
        assert_eq!(said, resume(&mut two, 0).await.unwrap().end);
    }
}

#[tokio::test]
async fn many_calls_in_any_order() {
    let source = "export async function* run() { let sum = 0; for (let i = 0; i < 3; i++) sum += yield i; return sum; }";
    let program = program(source);
    let mut calls = Vec::new();
    for _ in 0..200 {
        calls.push(start(&program, "run").await.unwrap().0);
    }
    for round in 0..3 {
        for (index, call) in calls.iter_mut().enumerate().rev() {
            let turn = resume(call, index).await.unwrap();
            let expected = match round {
                2 => TurnEnd::Returned(json!(3 * index)),
                _ => TurnEnd::Yielded(json!(round + 1)),
            };
            assert_eq!(turn.end, expected);
        }
        // Some go before their end.
        calls.truncate(150);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_at_once() {
    let source = "export async function* run({ n }) { let sum = n; for (let i = 0; i < 5; i++) { await 0; sum += yield sum; } return sum; }";
    let program = program(source);
    let calls = (0..100).map(|n| {
        let program = Arc::clone(&program);
        tokio::spawn(async move {
            let (mut running, mut turn) = program
                .start(begin("run", json!({ "n": n })))
                .await
                .unwrap();
            while let TurnEnd::Yielded(sum) = turn.end {
                turn = resume(&mut running, sum).await.unwrap();
            }
            turn.end
        })
    });
    let calls: Vec<_> = calls.collect();
    for (n, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap(), TurnEnd::Returned(json!(n * 32)));
    }
}

#[tokio::test]
async fn what_is_given_has_limits_too() {
    let program = program("export function* run(args) { return (yield 1)?.length ?? null; }");
    let large = json!({ "a": "x".repeat(2 << 20) });
    let failed = program.start(begin("run", large)).await.unwrap_err();
    assert_eq!(
        failed.to_string(),
        "test.js: the object of arguments is larger than 1048576 bytes as JSON"
    );
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let failed = program
        .start(begin("run", json!({ "a": deep })))
        .await
        .unwrap_err();
    assert_eq!(
        failed.to_string(),
        "test.js: the object of arguments is nested deeper than 64 levels"
    );
    let (mut running, _) = start(&program, "run").await.unwrap();
    let turn = resume(&mut running, "x".repeat(2 << 20)).await.unwrap();
    assert_eq!(
        turn.end,
        TurnEnd::Returned(json!(2 << 20)),
        "a file that was read"
    );
    let (mut running, _) = start(&program, "run").await.unwrap();
    let failed = resume(&mut running, "x".repeat(17 << 20))
        .await
        .unwrap_err();
    assert_eq!(
        failed.to_string(),
        "test.js: what the yield was answered with is larger than 16777216 bytes as JSON"
    );
    let failed = start(&program, "none").await.unwrap_err();
    assert_eq!(failed.to_string(), "test.js: there is no method none");
}

#[tokio::test]
async fn what_is_logged_comes_with_the_turn() {
    let source = "console.info('loading'); export function* run() { console.log('a', 1, { b: [2] }, null, undefined, 3n, Symbol('s'), new Error('e'), () => 1);
        yield 1; console.warn('w'); console.error(new (class { toJSON() { throw 1; } })()); console.debug(''); throw new Error('end'); }";
    let program = program(source);
    let (mut running, turn) = start(&program, "run").await.unwrap();
    let logged = |logs: &[holdpoint_script::LogLine]| {
        let lines = logs
            .iter()
            .map(|line| format!("{}: {}", line.level, line.message));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(
        logged(&turn.logs),
        [
            "info: loading",
            r#"log: a 1 {"b":[2]} null undefined 3 Symbol(s) Error: e [function ]"#,
        ]
    );
    let failed = resume(&mut running, 1).await.unwrap_err();
    assert_eq!(
        logged(&failed.logs),
        ["warn: w", "error: [not shown]", "debug: "]
    );
}

/// A neighbour that cannot be stopped takes the realm with it; the others are run again elsewhere.
#[tokio::test]
async fn a_lost_realm_is_made_up_for() {
    let source = "export async function* run() { const a = yield Math.random(); const b = yield a; return [a, b, Math.random()]; }
        export async function* loose() { const f = () => Promise.resolve().then(f); f(); yield 1; }";
    let program = within(source, support::QUICK);
    let undisturbed = async |disturb: bool| {
        let (mut running, one) = start(&program, "run").await.unwrap();
        let two = resume(&mut running, "a").await.unwrap();
        if disturb {
            assert!(finish(&program, "loose").await.is_err());
        }
        let three = resume(&mut running, "b").await.unwrap();
        [one.end, two.end, three.end]
    };
    let quiet = undisturbed(false).await;
    assert_eq!(quiet, undisturbed(true).await);
}

/// A clock that stands still does not run away while a script computes.
#[tokio::test(start_paused = true)]
async fn a_paused_clock_waits_for_scripts() {
    let began = tokio::time::Instant::now();
    let source =
        "export function* run() { let n = 0; for (let i = 0; i < 1e6; i++) n += i; return n; }";
    let path = Path::new("test.js");
    let limits = Limits {
        segment: std::time::Duration::from_secs(60),
        ..Limits::default()
    };
    let program = Arc::new(Program::with_limits("test", path, source, limits).unwrap());
    assert_eq!(
        finish(&program, "run").await.unwrap(),
        json!(499_999_500_000_i64)
    );
    assert!(began.elapsed().is_zero());
}
