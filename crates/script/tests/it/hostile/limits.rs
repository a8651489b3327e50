//! What passes a limit is stopped, and says where.

use super::{
    check,
    support::{QUICK, resume, start, within},
};
use holdpoint_script::{Limits, TurnEnd};

#[tokio::test]
async fn too_long() {
    let long = "test.js:1: the script computed for more than 50ms without a yield";
    check(
        QUICK,
        &[
            ("loop", "for (;;);", long),
            ("caught loop", "for (;;) try { for (;;); } catch {}", long),
            ("finally", "try { for (;;); } finally { for (;;); }", long),
            ("after a yield", "yield 1; for (;;);", long),
            ("in a helper", "const f = () => { for (;;); }; f();", long),
            (
                "in an async helper",
                "const f = async () => { for (;;); }; await f();",
                long,
            ),
            ("after an await", "await 0; for (;;);", long),
            (
                "helper after an await",
                "const f = async () => { await 0; for (;;); }; await f();",
                long,
            ),
            ("regex", "/^(a+)+$/.test('a'.repeat(40) + 'b');", long),
            ("microtasks", "for (;;) await 0;", "for more than 50ms"),
            (
                "loose microtasks",
                "const f = () => Promise.resolve().then(f); f(); yield 1;",
                "for more than 50ms",
            ),
            (
                "many loose microtasks",
                "const f = () => Promise.resolve().then(f); for (let i = 0; i < \
            20000; i++) f(); yield 1;",
                "for more than 50ms",
            ),
            ("getter", "yield { get a() { for (;;); } };", long),
            ("toJSON", "yield { toJSON() { for (;;); } };", long),
            ("sort", "[3, 1, 2].sort(() => { for (;;); });", long),
            (
                "native loops",
                "for (;;) [].indexOf.call({ length: 2 ** 53 - 1 }, 1);",
                "for more than 50ms",
            ),
            (
                "constructor",
                "class A { constructor() { for (;;); } } new A();",
                long,
            ),
            (
                "thrown getter",
                "throw { get message() { for (;;); } };",
                "for more than 50ms",
            ),
            ("log", "console.log({ toJSON() { for (;;); } });", long),
            (
                "proxy",
                "const p = new Proxy({}, { get() { for (;;); } }); p.x;",
                long,
            ),
            (
                "thenable",
                "await { then() { for (;;); } };",
                "for more than 50ms",
            ),
            ("return getter", "return { get a() { for (;;); } };", long),
        ],
    )
    .await;
}

#[tokio::test]
async fn too_much_memory() {
    let much = "the script used more than 8 MB of memory";
    let small = Limits {
        memory: 8 << 20,
        ..Limits::default()
    };
    check(
        small,
        &[
            ("array", "const a = []; for (;;) a.push({ a: 1 });", much),
            (
                "caught",
                "const a = []; for (;;) try { for (;;) a.push({}); } catch {}",
                much,
            ),
            ("list", "let a = null; for (;;) a = { a };", much),
            (
                "string",
                "let s = 'x'.repeat(1000); for (;;) s += s;",
                "test.js:1: string too long",
            ),
            (
                "kept string",
                "const a = []; for (;;) a.push('x'.repeat(1000000) + a.length);",
                much,
            ),
            (
                "buffer",
                "const b = new ArrayBuffer(100000000); yield b.byteLength;",
                much,
            ),
            (
                "buffers",
                "const a = []; for (;;) a.push(new Uint8Array(1000000));",
                much,
            ),
            (
                "promises",
                "const a = []; for (;;) a.push(new Promise(() => {}));",
                much,
            ),
            (
                "async bomb",
                "const f = async () => { const a = []; for (;;) { a.push([a]); } \
            }; await f();",
                much,
            ),
            (
                "async list",
                "const f = async () => { let a = []; for (;;) { a = [a]; if \
            (Math.random() < 1e-4) await 0; } }; await f();",
                much,
            ),
            ("native array", "'x'.repeat(30000000).split('');", much),
            ("fill", "new Array(16000000).fill({});", much),
            (
                "json",
                "JSON.parse('[' + '[],'.repeat(2000000) + '[]]');",
                much,
            ),
            (
                "across yields",
                "const a = []; for (;;) { for (let i = 0; i < 1000; i++) \
            a.push('x'.repeat(20000) + i); yield 1; }",
                much,
            ),
            (
                "map",
                "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]);",
                much,
            ),
            (
                "closures",
                "let f = () => 0; for (;;) { const g = f; f = () => g; }",
                much,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn too_deep() {
    check(
        Limits::default(),
        &[
            (
                "recursion",
                "const f = () => f() + 1; f();",
                "test.js:1: Maximum call stack size exceeded",
            ),
            (
                "caught recursion",
                "const f = () => f() + 1; try { f(); } catch { return 'out'; }",
                "out",
            ),
            (
                "nested value",
                "let a = 1; for (let i = 0; i < 65; i++) a = [a]; yield a;",
                "a yielded value is nested deeper than 64",
            ),
            (
                "nested far too deep",
                "let a = 1; for (let i = 0; i < 100000; i++) a = [a]; yield a;",
                "nested deeper",
            ),
            (
                "deep JSON",
                "let a = []; for (let i = 0; i < 100000; i++) a = [a]; \
            JSON.stringify(a);",
                "Maximum call stack",
            ),
            (
                "toJSON for ever",
                "class A { toJSON() { return new A(); } } yield new A();",
                "nested deeper",
            ),
            (
                "getters for ever",
                "class A { get a() { return new A(); } } yield { get a() { \
            return this; } };",
                "a cycle",
            ),
            (
                "regex",
                "new RegExp('('.repeat(100000) + ')'.repeat(100000));",
                "test.js:1:",
            ),
            (
                "a long chain of promises",
                "let p = Promise.resolve(); for (let i = 0; i < 20000; i++) p = \
            p.then(() => {}); await p; return 'out';",
                "out",
            ),
        ],
    )
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
                "for (let i = 0; i < 3000; i++) console.log('x'.repeat(1000)); \
            return 'out';",
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

/// What one call holds is not taken from another one of the same realm.
#[tokio::test]
async fn each_call_has_its_own_memory() {
    let source = "export function* run() { yield 1; const held = new \
            Uint8Array(40 << 20); yield held.length; return held.length; }";
    let program = within(source, Limits::default());
    let (mut one, _) = start(&program, "run").await.unwrap();
    let (mut two, _) = start(&program, "run").await.unwrap();
    for call in [&mut one, &mut two] {
        let turn = resume(call, 1).await.unwrap();
        assert_eq!(turn.end, TurnEnd::Yielded((40 << 20).into()));
    }
    for call in [&mut one, &mut two] {
        let turn = resume(call, 1).await.unwrap();
        assert_eq!(turn.end, TurnEnd::Returned((40 << 20).into()));
    }
}
