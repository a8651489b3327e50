//! What is no data, and what never comes.

use super::check;
use holdpoint_script::Limits;

#[tokio::test]
async fn never_settled() {
    let stuck = "test.js: the script awaits a promise that nothing will ever settle";
    check(
        Limits::default(),
        &[
            ("never", "await new Promise(() => {});", stuck),
            ("race", "await Promise.race([]);", stuck),
            ("thenable", "await { then() {} };", stuck),
            (
                "itself",
                "const p = (async () => { await 0; await p; })(); await p;",
                stuck,
            ),
            (
                "unhandled",
                "Promise.reject(new Error('loose')); return 'out';",
                "out",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_is_no_data() {
    let no = |what: &str| {
        format!("test.js: a yielded value must be data that JSON can hold, but {what}")
    };
    let cases = [
        ("undefined", "yield;", no("it is undefined")),
        (
            "function",
            "yield { ask: () => 1 };",
            no("ask is a function"),
        ),
        ("class", "yield { ask: class {} };", no("ask is a function")),
        ("symbol", "yield [1, Symbol('x')];", no("[1] is a symbol")),
        (
            "BigInt",
            "yield { a: { b: [{ c: 1n }] } };",
            no("a.b[0].c is a BigInt"),
        ),
        (
            "cycle",
            "const a = { b: {} }; a.b.c = a; yield a;",
            no("b.c is the object that it lies in: a cycle"),
        ),
        (
            "array cycle",
            "const a = []; a.push(a); yield a;",
            no("[0] is the object"),
        ),
        (
            "promise",
            "yield { a: Promise.resolve(1) };",
            no("a is a promise; write `await`"),
        ),
        (
            "proxy",
            "yield { a: new Proxy({}, {}) };",
            no("a is a Proxy"),
        ),
        ("map", "yield { a: new Map() };", no("a is a Map")),
        (
            "bytes",
            "yield new Uint8Array(3);",
            no("it is a TypedArray"),
        ),
        (
            "regex",
            "yield { pattern: /a/ };",
            no("pattern is a RegExp"),
        ),
        (
            "throwing getter",
            "yield { get a() { throw new Error('no'); } };",
            "test.js:1: no".into(),
        ),
        (
            "throwing toJSON",
            "yield { toJSON() { throw 'no'; } };",
            "test.js: no".into(),
        ),
        (
            "throwing proxy in a chain",
            "yield Object.create(new Proxy({}, { get() { throw new Error('trap'); } }));",
            "trap".into(),
        ),
        ("bad key", "yield { '\\ud800': '\\ud800x' };", "null".into()),
        (
            "returned",
            "return () => 1;",
            "the returned value must be data that JSON can hold, but it is a function".into(),
        ),
        ("returns nothing", "", "null".into()),
    ];
    let cases: Vec<_> = cases
        .iter()
        .map(|(name, body, said)| (*name, *body, said.as_str()))
        .collect();
    check(Limits::default(), &cases).await;
}
