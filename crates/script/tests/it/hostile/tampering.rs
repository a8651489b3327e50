//! Nothing that calls share can be changed, and what scripts are used to still works.

use super::check;
use holdpoint_script::Limits;

#[tokio::test]
async fn tampering() {
    let tries = |target: &str| {
        format!(
            "'use strict'; let kept = 0; const tries = [\
             () => {{ {target} = () => 'tampered'; }}, \
             () => {{ Object.defineProperty({target}, 'x', {{ value: 1 }}); }}, \
             () => {{ delete {target}; }}];\n\
             for (const tried of tries) \
             try {{ tried(); }} catch (e) {{ kept += e instanceof TypeError; }} return kept;"
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
        "Object.getPrototypeOf(Object.getPrototypeOf(async function* () \
            {}).prototype)[Symbol.asyncIterator]",
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
    check(
        Limits::default(),
        &[
            (
                "own error",
                "class Own extends Error { constructor() { super('m'); this.name \
            = 'Own'; this.message = 'n'; } } const e = new Own(); return \
            [e.name, e.message, String(e), e instanceof Error];",
                r#"["Own","n","Own: n",true]"#,
            ),
            (
                "own toString",
                "const o = {}; o.toString = () => 'mine'; o.constructor = 1; \
            o.valueOf = () => 2; return [`${o}`, o.constructor, o + 1, \
            Object.keys(o)];",
                r#"["mine",1,3,["toString","constructor","valueOf"]]"#,
            ),
            (
                "no own method over a list's",
                "const a = []; a.map = () => 'mine'; return a.map();",
                "test.js:1: 'map' is read-only",
            ),
            (
                "old class",
                "function P() {} P.prototype.toString = () => 'p'; \
            P.prototype.constructor = P; return String(new P());",
                "p",
            ),
            (
                "twice",
                "const e = new Error('a'); e.name = 'A'; e.name = 'B'; return e.name;",
                "B",
            ),
            (
                "frozen",
                "const o = Object.freeze({}); try { o.toString = 1; } catch (e) \
            { return e.name; }",
                "TypeError",
            ),
            (
                "own date",
                "class D extends Date { x() { return this.getTime(); } } return \
            [new D(5).x(), new D().x(), new Date(2020, 0).getFullYear(), \
            Date.UTC(1970, 0), typeof Date(), new Date() instanceof Date, \
            Date.name];",
                r#"[5,0,2020,0,"string",true,"Date"]"#,
            ),
            (
                "json",
                "return JSON.stringify({ a: [new Date(0), undefined, null] });",
                "1970",
            ),
            (
                "spread and sets",
                "return [...new Set([1, 1, 2])].length;",
                "2",
            ),
            (
                "labels and regex",
                "return 'a-b_c'.replace(/[-_](.)/g, (_, c) => c.toUpperCase());",
                "aBC",
            ),
            (
                "async",
                "const all = await Promise.all([1, Promise.resolve(2)]); return all;",
                "[1,2]",
            ),
            (
                "for await",
                "const out = []; for await (const x of [1, 2]) out.push(x); \
            return out;",
                "[1,2]",
            ),
            (
                "delegated",
                "const inner = async function* () { yield 1; return 2; }; return \
            yield* inner();",
                "2",
            ),
            (
                "nothing else is there",
                "return ['performance', 'fetch', 'process', \
            'require', 'WeakRef', 'FinalizationRegistry', 'Atomics', \
            'SharedArrayBuffer', 'queueMicrotask', 'std', 'os', 'print', \
            'navigator', 'gc'].filter((name) => name in globalThis);",
                "[]",
            ),
        ],
    )
    .await;
}
