//! Scripts that want too much, or break things: the call fails with words, the process and the other
//! calls of the same file go on.

mod support;

use holdpoint_script::{Limits, Said};
use serde_json::json;
use std::time::Instant;
use support::{QUICK, finish, resume, start, within};

/// The second half of each file: a call that waits while the first one misbehaves.
const NEIGHBOUR: &str = r#"
let count = 0;
export async function* neighbour() {
  count += 1;
  const given = yield 'waiting';
  const kinds = [[3, 1, 2].sort(), JSON.parse('{"a":1}').a, await Promise.resolve('p'), { ...{ b: 2 } }];
  return [given, count, String({}), Object.keys({ k: 1 }), [...'ab'], new Map([[1, 2]]).get(1), ...kinds];
}
"#;

/// Each: a name, what the script does, what is said of it.
async fn check(limits: Limits, cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (name, body, expected) in cases {
        if let Err(what) = tried(limits, body, expected).await {
            wrong.push(format!("{name}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn tried(limits: Limits, body: &str, expected: &str) -> Result<(), String> {
    let source = format!("export async function* run() {{{body}\n}}{NEIGHBOUR}");
    let program = within(&source, limits);
    let (mut parked, _) = start(&program, "neighbour").await.unwrap();
    let began = Instant::now();
    let said = match finish(&program, "run").await {
        Ok(value) => value.to_string(),
        Err(failed) => failed.to_string(),
    };
    let took = began.elapsed();
    if !said.contains(expected) || took.as_secs() >= 5 {
        return Err(format!("{said} ({took:?})"));
    }
    let unharmed = Said::Returned(json!([
        "an answer", 1, "[object Object]", ["k"], ["a", "b"], 2, [1, 2, 3], 1, "p", { "b": 2 },
    ]));
    let (mut fresh, _) = start(&program, "neighbour").await.unwrap();
    for (call, which) in [(&mut parked, "parked"), (&mut fresh, "new")] {
        match resume(call, "an answer").await {
            Ok(turn) if turn.said == unharmed => {}
            harmed => return Err(format!("the {which} neighbour was harmed: {harmed:?}")),
        }
    }
    Ok(())
}

#[tokio::test]
async fn too_long() {
    let long = "test.js:1: the script computed for more than 50ms without a yield";
    check(QUICK, &[
        ("loop", "for (;;);", long),
        ("caught loop", "for (;;) try { for (;;); } catch {}", long),
        ("finally", "try { for (;;); } finally { for (;;); }", long),
        ("after a yield", "yield 1; for (;;);", long),
        ("in a helper", "const f = () => { for (;;); }; f();", long),
        ("in an async helper",
        "const f = async () => { for (;;); }; await f();",
        long),
        ("after an await", "await 0; for (;;);", long),
        ("helper after an await",
        "const f = async () => { await 0; for (;;); }; await f();",
        long),
        ("regex", "/^(a+)+$/.test('a'.repeat(40) + 'b');", long),
        ("microtasks", "for (;;) await 0;", "for more than 50ms"),
        ("loose microtasks",
        "const f = () => Promise.resolve().then(f); f(); yield 1;",
        "for more than 50ms"),
        ("many loose microtasks",
        "const f = () => Promise.resolve().then(f); for (let i = 0; i < 20000; i++) f(); yield 1;",
        "for more than 50ms"),
        ("getter", "yield { get a() { for (;;); } };", long),
        ("toJSON", "yield { toJSON() { for (;;); } };", long),
        ("sort", "[3, 1, 2].sort(() => { for (;;); });", long),
        ("native loops",
        "for (;;) [].indexOf.call({ length: 2 ** 53 - 1 }, 1);",
        "for more than 50ms"),
        ("constructor",
        "class A { constructor() { for (;;); } } new A();",
        long),
        ("thrown getter",
        "throw { get message() { for (;;); } };",
        "for more than 50ms"),
        ("log", "console.log({ toJSON() { for (;;); } });", long),
        ("proxy",
        "const p = new Proxy({}, { get() { for (;;); } }); p.x;",
        long),
        ("thenable",
        "await { then() { for (;;); } };",
        "for more than 50ms"),
        ("return getter", "return { get a() { for (;;); } };", long),
    ])
    .await;
}

#[tokio::test]
async fn too_much_memory() {
    let much = "the script used more than 8 MB of memory";
    let small = Limits {
        memory: 8 << 20,
        ..Limits::default()
    };
    check(small, &[
        ("array", "const a = []; for (;;) a.push({ a: 1 });", much),
        ("caught",
        "const a = []; for (;;) try { for (;;) a.push({}); } catch {}",
        much),
        ("list", "let a = null; for (;;) a = { a };", much),
        ("string", "let s = 'x'.repeat(1000); for (;;) s += s;", "test.js:1: string too long"),
        ("kept string",
        "const a = []; for (;;) a.push('x'.repeat(1000000) + a.length);",
        much),
        ("buffer",
        "const b = new ArrayBuffer(100000000); yield b.byteLength;",
        much),
        ("buffers",
        "const a = []; for (;;) a.push(new Uint8Array(1000000));",
        much),
        ("promises",
        "const a = []; for (;;) a.push(new Promise(() => {}));",
        much),
        ("async bomb",
        "const f = async () => { const a = []; for (;;) { a.push([a]); } }; await f();",
        much),
        ("async list", "const f = async () => { let a = []; for (;;) { a = [a]; if (Math.random() < 1e-4) await 0; } }; await f();", much),
        ("native array", "'x'.repeat(30000000).split('');", much),
        ("fill", "new Array(50000000).fill({});", much),
        ("json",
        "JSON.parse('[' + '[],'.repeat(2000000) + '[]]');",
        much),
        ("across yields", "const a = []; for (;;) { for (let i = 0; i < 1000; i++) a.push('x'.repeat(20000) + i); yield 1; }", much),
        ("map",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]);",
        much),
        ("closures",
        "let f = () => 0; for (;;) { const g = f; f = () => g; }",
        much),
    ])
    .await;
}

#[tokio::test]
async fn tampering() {
    let tries = |target: &str| {
        format!(
            "'use strict'; let kept = 0; const tries = [() => {{ {target} = () => 'tampered'; }}, () => {{ Object.defineProperty({target}, 'x', {{ value: 1 }}); }}, () => {{ delete {target}; }}];
            for (const tried of tries) try {{ tried(); }} catch (e) {{ kept += e instanceof TypeError; }} return kept;"
        )
    };
    let all = [
        "Object.prototype.toString",
        "Object.keys",
        "Array.prototype.sort",
        "Array.prototype.map",
        "Array.prototype[Symbol.iterator]",
        "String.prototype[Symbol.iterator]",
        "JSON.parse",
        "JSON.stringify",
        "Promise.prototype.then",
        "Promise.resolve",
        "Map.prototype.get",
        "Math.random",
        "Date.now",
        "Date.prototype.toJSON",
        "Function.prototype.call",
        "Reflect.apply",
        "globalThis.Object",
        "globalThis.JSON",
        "globalThis.AskError",
        "console.log",
        "Error.prototype.toString",
        "RegExp.prototype.exec",
        "Object.getPrototypeOf(function* () {}).prototype.next",
        "Object.getPrototypeOf(async function* () {}).prototype.next",
        "Object.getPrototypeOf(async function* () {}).prototype.throw",
        "Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype)[Symbol.asyncIterator]",
        "Object.getPrototypeOf([][Symbol.iterator]()).next",
        "Object.getPrototypeOf(new Map().entries()).next",
        "Object.getPrototypeOf(''[Symbol.iterator]()).next",
        "Object.getPrototypeOf(Int8Array).prototype.set",
        "Object.getPrototypeOf(''.matchAll(/./g)).next",
    ];
    let sources = all.map(tries);
    let cases: Vec<_> = all
        .iter()
        .zip(&sources)
        .map(|(name, source)| (*name, source.as_str(), "3"))
        .collect();
    check(Limits::default(), &cases).await;
    check(
        Limits::default(),
        &[
            (
                "new global",
                "globalThis.shared = 1;",
                "test.js:1: object is not extensible",
            ),
            (
                "proto",
                "Object.prototype.__proto__ = { a: 1 };",
                "test.js:1:",
            ),
            (
                "set proto",
                "Object.setPrototypeOf(Array.prototype, { then() {} });",
                "test.js:1:",
            ),
            (
                "setter of numbers",
                "Object.defineProperty(Array.prototype, 0, { set() {} });",
                "test.js:1:",
            ),
            (
                "then of all",
                "Object.prototype.then = (f) => f(1);",
                "test.js:1:",
            ),
            (
                "toJSON of all",
                "Object.prototype.toJSON = () => 1;",
                "test.js:1:",
            ),
            (
                "stack traces",
                "Error.prepareStackTrace = () => 'mine';",
                "test.js:1:",
            ),
            ("stack limit", "Error.stackTraceLimit = 0;", "test.js:1:"),
            (
                "species",
                "Object.defineProperty(Promise, Symbol.species, { get: () => Array });",
                "test.js:1:",
            ),
            ("global let", "(0, eval)('let shared = 1');", "eval is not"),
            ("Function", "new Function('return 1')();", "eval is not"),
            (
                "of a generator",
                "new (Object.getPrototypeOf(function* () {}).constructor)('yield 1');",
                "eval is not",
            ),
            (
                "symbols in common",
                "Symbol.for('x').description; return Symbol.iterator.toString();",
                "iterator",
            ),
            (
                "other code",
                "await import('./other.js');",
                "a script is one file",
            ),
            (
                "own generator",
                "this; const g = arguments.callee;",
                "test.js:1:",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_stays_possible() {
    check(Limits::default(), &[
        ("own error", "class Own extends Error { constructor() { super('m'); this.name = 'Own'; this.message = 'n'; } } const e = new Own(); return [e.name, e.message, String(e), e instanceof Error];", r#"["Own","n","Own: n",true]"#),
        ("own toString", "const o = {}; o.toString = () => 'mine'; o.constructor = 1; o.valueOf = () => 2; return [`${o}`, o.constructor, o + 1, Object.keys(o)];", r#"["mine",1,3,["toString","constructor","valueOf"]]"#),
        ("own method", "const a = []; a.map = () => 'mine'; return a.map();", "") ,
        ("old class", "function P() {} P.prototype.toString = () => 'p'; P.prototype.constructor = P; return String(new P());", "p"),
        ("twice", "const e = new Error('a'); e.name = 'A'; e.name = 'B'; return e.name;", "B"),
        ("frozen", "const o = Object.freeze({}); try { o.toString = 1; } catch (e) { return e.name; }", "TypeError"),
        ("own date", "class D extends Date { x() { return this.getTime(); } } return [new D(5).x(), new D().x(), new Date(2020, 0).getFullYear(), Date.UTC(1970, 0), typeof Date(), new Date() instanceof Date, Date.name];", r#"[5,0,2020,0,"string",true,"Date"]"#),
        ("json", "return JSON.stringify({ a: [new Date(0), undefined, null] });", "1970"),
        ("spread and sets", "return [...new Set([1, 1, 2])].length;", "2"),
        ("labels and regex", "return 'a-b_c'.replace(/[-_](.)/g, (_, c) => c.toUpperCase());", "aBC"),
        ("async", "const all = await Promise.all([1, Promise.resolve(2)]); return all;", "[1,2]"),
        ("for await", "const out = []; for await (const x of [1, 2]) out.push(x); return out;", "[1,2]"),
        ("delegated", "const inner = async function* () { yield 1; return 2; }; return yield* inner();", "2"),
        ("nothing else is there", "return ['performance', 'setTimeout', 'fetch', 'process', 'require', 'WeakRef', 'FinalizationRegistry', 'Atomics', 'SharedArrayBuffer', 'queueMicrotask', 'std', 'os', 'print', 'navigator', 'gc'].filter((name) => name in globalThis);", "[]"),
    ])
    .await;
}

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

#[tokio::test]
async fn too_deep() {
    check(Limits::default(), &[
        ("recursion",
        "const f = () => f() + 1; f();",
        "test.js:1: Maximum call stack size exceeded"),
        ("caught recursion",
        "const f = () => f() + 1; try { f(); } catch { return 'out'; }",
        "out"),
        ("nested value",
        "let a = 1; for (let i = 0; i < 65; i++) a = [a]; yield a;",
        "a yielded value is nested deeper than 64"),
        ("nested far too deep",
        "let a = 1; for (let i = 0; i < 100000; i++) a = [a]; yield a;",
        "nested deeper"),
        ("deep JSON",
        "let a = []; for (let i = 0; i < 100000; i++) a = [a]; JSON.stringify(a);",
        "Maximum call stack"),
        ("toJSON for ever",
        "class A { toJSON() { return new A(); } } yield new A();",
        "nested deeper"),
        ("getters for ever",
        "class A { get a() { return new A(); } } yield { get a() { return this; } };",
        "a cycle"),
        ("regex",
        "new RegExp('('.repeat(100000) + ')'.repeat(100000));",
        "test.js:1:"),
        ("source of promise", "let p = Promise.resolve(); for (let i = 0; i < 20000; i++) p = p.then(() => {}); await p; return 'out';", ""),
    ])
    .await;
}

#[tokio::test]
async fn too_large() {
    let large = "a yielded value is larger than 65536 bytes";
    let small = Limits {
        value: 64 << 10,
        ..Limits::default()
    };
    check(
        small,
        &[
            ("string", "yield 'x'.repeat(10 * 1024 * 1024);", large),
            (
                "string in an ask",
                "yield { ask: 'text', message: 'x'.repeat(10 * 1024 * 1024) };",
                large,
            ),
            ("list", "yield new Array(2000000).fill(1);", large),
            ("sparse", "yield new Array(4294967295);", large),
            ("key", "yield { ['x'.repeat(2000000)]: 1 };", large),
            (
                "shared parts",
                "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; yield a;",
                large,
            ),
            (
                "result",
                "return 'x'.repeat(2000000);",
                "the returned value is larger",
            ),
            (
                "log",
                "for (let i = 0; i < 3000; i++) console.log('x'.repeat(1000)); return 'out';",
                "out",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn as_large_as_promised() {
    let much = "the script used more than 64 MB of memory";
    let hold =
        |megabytes: usize| format!("const a = new Uint8Array({megabytes} << 20); yield a.length;");
    check(
        Limits::default(),
        &[("more", &hold(64), much), ("less", &hold(60), "null")],
    )
    .await;
}
