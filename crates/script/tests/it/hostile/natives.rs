//! Functions of the language that the engine cannot interrupt: none keeps a core busy after its call was
//! stopped or given up.

use super::support::{QUICK, finish, within};
use holdpoint_script::Limits;
use std::{
    sync::{Mutex, mpsc},
    time::Duration,
};

/// Each: what would take hours if nothing bounded it.
const HOURS: &[(&str, &str)] = &[
    ("indexOf", "'a'.repeat(2e7).indexOf('a'.repeat(1e7) + 'b')"),
    (
        "includes",
        "'a'.repeat(2e7).includes('a'.repeat(1e7) + 'b')",
    ),
    (
        "lastIndexOf",
        "'a'.repeat(2e7).lastIndexOf('a'.repeat(1e7) + 'b')",
    ),
    ("split", "'a'.repeat(2e7).split('a'.repeat(1e7) + 'b')"),
    (
        "split by an object",
        "'a'.repeat(2e7).split({ toString: () => 'a'.repeat(1e7) + 'b' })",
    ),
    (
        "replace",
        "'a'.repeat(2e7).replace('a'.repeat(1e7) + 'b', '')",
    ),
    (
        "replaceAll",
        "'a'.repeat(2e7).replaceAll('a'.repeat(1e7) + 'b', '')",
    ),
    (
        "a pattern that says another thing the second time",
        "let n = 0; 'a'.repeat(2e7).replace({ get [Symbol.replace]() { n++; }, \
         toString: () => 'a'.repeat(n > 1 ? 1e7 : 1) + 'b' }, '')",
    ),
    (
        "normalize",
        "('a' + '\\u0301'.repeat(5e6) + '\\u0323'.repeat(5e6)).normalize('NFD')",
    ),
    (
        "localeCompare",
        "('a' + '\\u0301'.repeat(5e6) + '\\u0323'.repeat(5e6)).localeCompare('b')",
    ),
    (
        "localeCompare with",
        "'b'.localeCompare('a' + '\\u0301'.repeat(5e6) + '\\u0323'.repeat(5e6))",
    ),
    ("a long pattern", "new RegExp('x|'.repeat(1e7))"),
    ("a pattern from a text", "'x'.match('x|'.repeat(1e7))"),
    (
        "a pattern from an object",
        "new RegExp({ toString: () => 'x|'.repeat(1e7) })",
    ),
    ("a pattern made again", "/x/.compile('x|'.repeat(1e7))"),
    (
        "a constructor found elsewhere",
        "new (/x/.constructor)('x|'.repeat(1e7))",
    ),
    (
        "a subclass of a pattern",
        "new (class extends RegExp {})('x|'.repeat(1e7))",
    ),
    ("backtracking", "/^(a+)+$/.test('a'.repeat(1e5) + 'b')"),
    ("join", "[].join.call({ length: 2 ** 53 - 1 }, '')"),
    (
        "join of an array",
        "for (;;) new Array(2 ** 32 - 1).join('')",
    ),
    ("slice", "[].slice.call({ length: 2 ** 53 - 1 })"),
    ("reverse", "[].reverse.call({ length: 2 ** 53 - 1 })"),
    (
        "copyWithin",
        "[].copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)",
    ),
    (
        "fill",
        "[].fill.call({ length: 2 ** 53 - 1, set 0(v) {} }, 1)",
    ),
    ("shift", "[].shift.call({ length: 2 ** 53 - 1 })"),
    ("unshift", "[].unshift.call({ length: 2 ** 53 - 2 }, 1)"),
    ("splice", "[].splice.call({ length: 2 ** 53 - 1 }, 0, 1)"),
    ("sort", "[].sort.call({ length: 2 ** 53 - 1 })"),
    ("toSorted", "[].toSorted.call({ length: 2 ** 32 - 1 })"),
    ("toReversed", "[].toReversed.call({ length: 2 ** 32 - 1 })"),
    ("with", "[].with.call({ length: 2 ** 32 - 1 }, 0, 1)"),
    (
        "toLocaleString",
        "[].toLocaleString.call({ length: 2 ** 53 - 1 })",
    ),
    (
        "concat",
        "const a = new Array(2 ** 32 - 1); for (;;) [].concat(a, a, a, a)",
    ),
    (
        "concat of what spreads",
        "[].concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true })",
    ),
    (
        "concat of what spreads the second time",
        "let n = 0; [].concat({ length: 2 ** 53 - 1, get [Symbol.isConcatSpreadable]() { return n++ > 0; } }); \
         for (;;);",
    ),
    (
        "a length that grows",
        "let n = 0; [].join.call({ get length() { return n++ ? 2 ** 53 - 1 : 1; } }); for (;;);",
    ),
    (
        "a proxy with another length",
        "[].slice.call(new Proxy([], { get: (t, k) => k === 'length' ? 2 ** 53 - 1 : t[k] }))",
    ),
    (
        "a revocable proxy",
        "[].reverse.call(Proxy.revocable([], { get: (t, k) => k === 'length' ? 2 ** 53 - 1 : t[k] }).proxy)",
    ),
    (
        "a long way to what is not there",
        "let deep = []; for (let i = 0; i < 2e5; i++) deep = Object.create(deep); \
         const a = new Array(2 ** 24); Object.setPrototypeOf(a, deep); a.join('')",
    ),
    (
        "methods of its own",
        "const a = Object.assign(new Array(2 ** 24), { every: () => true, slice: () => new Array(2 ** 32 - 1) }); \
         for (;;) a.sort()",
    ),
    (
        "flat",
        "let a = []; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity)",
    ),
    (
        "flatMap",
        "for (;;) [1].flatMap(() => new Array(2 ** 32 - 1))",
    ),
    ("String.raw", "String.raw({ raw: { length: 2 ** 53 - 1 } })"),
    (
        "a list of keys",
        "for (;;) JSON.stringify({}, new Array(2 ** 32 - 1))",
    ),
    ("product", "const x = (1n << 500000n) - 1n; for (;;) x * x"),
    (
        "quotient",
        "const x = (1n << 1000000n) - 1n, y = (1n << 500000n) - 1n; for (;;) x / y",
    ),
    ("power", "for (;;) 3n ** 600000n"),
    (
        "a number as text",
        "const x = 1n << 200000n; for (;;) String(x)",
    ),
    (
        "a text as number",
        "const x = '9'.repeat(100000); for (;;) BigInt(x)",
    ),
    (
        "sorted numbers",
        "const u = new Float64Array(3e6).map((_, i) => (i * 7919) % 2999999); for (;;) u.toSorted()",
    ),
    (
        "sorted bytes",
        "const u = new Uint8Array(3e7); for (;;) u.sort()",
    ),
    (
        "sorted texts",
        "const t = 'x'.repeat(5e6), a = []; for (let i = 0; i < 1e5; i++) a.push(i % 2 ? t : t + ''); for (;;) a.sort()",
    ),
    (
        "read again and again",
        "const t = 'x'.repeat(3e7); for (;;) t.indexOf('y')",
    ),
];

/// One that waits for the threads of another would count their time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn a_native_function_that_was_stopped_does_not_keep_a_core_busy() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    let limits = Limits {
        patience: Duration::from_millis(100),
        ..QUICK
    };
    let mut slow = Vec::new();
    for (name, body) in HOURS {
        let before = computed();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let program = within(&format!("export function* run() {{ {body}; }}"), limits);
        let _ended = runtime.block_on(finish(&program, "run"));
        // To drop the runtime is to wait for its threads.
        let (ended, is_ended) = mpsc::channel();
        std::thread::spawn(move || {
            drop(runtime);
            let _ = ended.send(());
        });
        if is_ended.recv_timeout(Duration::from_secs(30)).is_err() {
            slow.push(format!("{name}: it runs on"));
            continue;
        }
        let took = computed() - before;
        if took > Duration::from_secs(5) {
            slow.push(format!("{name}: {took:?}"));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// What is bounded still does what the language says; each is true.
const STILL: &[&str] = &[
    "'abcabc'.indexOf('c', 3) === 5 && 'abc'.indexOf('') === 0 && 'a1'.indexOf(1) === 1",
    "'abc'.includes('b') && !'abc'.includes('b', 2) && 'abcabc'.lastIndexOf('c', 4) === 2",
    "'a,b,c'.split(',', 2).join('') === 'ab' && 'abc'.split('').length === 3 && 'abc'.split()[0] === 'abc'",
    "'a1b22'.split(/\\d+/).join('|') === 'a|b|' && 'aXbX'.replace('X', '$&-') === 'aX-bX'",
    "'aXbX'.replaceAll('X', (x, at) => at) === 'a1b3' && 'ab'.replace(/(a)(b)/, '$2$1') === 'ba'",
    "'x'.replace('x', '$$') === '$' && 'undefined'.replace(undefined, 1) === '1'",
    // Long ones, searched for in another way.
    "(big + 'b').indexOf(part + 'b') === 5e4 && !big.includes(part + 'b') && big.lastIndexOf(part) === 5e4",
    "(big + 'b' + big).split(part + 'b').map((x) => x.length).join() === '50000,100000'",
    "(big + 'b!').replace(part + 'b', \"<$'>\").endsWith('a<!>!')",
    "(big + 'b!').replaceAll(part + 'b', () => '-').length === 5e4 + 2",
    "'e\\u0301'.normalize() === '\\u00e9' && 'a'.localeCompare('b') < 0",
    "'é'.repeat(1000).normalize('NFD').length === 2000",
    "new RegExp('a(.)', 'i').exec('xAb')[1] === 'b' && RegExp(/x/).source === 'x' && /x/ instanceof RegExp",
    "/x/.constructor === RegExp && new RegExp(/x/g, 'i').flags === 'i' && 'xay'.match('a').index === 1",
    "[...'a1b2'.matchAll(/\\d/g)].join() === '1,2' && 'ab'.search('b') === 1 && RegExp.name === 'RegExp'",
    "const R = class extends RegExp { twice() { return this.source + this.source } }; new R('x').twice() === 'xx'",
    "[3, 1, 2].sort().join() === '1,2,3' && [10, 9].sort().join() === '10,9' && ['b', 'a'].toSorted()[0] === 'a'",
    "['b'.repeat(200), 'a', undefined].sort()[0] === 'a' && [{}, 'a'].sort()[1] === 'a'",
    "[].slice.call('abc', 1).join('') === 'bc' && [].join.call({ length: 2, 0: 1, 1: 2 }, '-') === '1-2'",
    "[1].concat(2, [3], [[4]]).length === 4 && [1].concat({ length: 1, 0: 'x', [Symbol.isConcatSpreadable]: true })[1] === 'x'",
    "const L = class extends Array {}; const l = new L(); l.push(1); l.concat([2]) instanceof L && l.slice() instanceof L",
    "[1, [2, [3]]].flat().length === 3 && [1, [2, [3]]].flat(Infinity).length === 3 && [1, 2].flatMap((x) => [x, x]).length === 4",
    "const a = [1, 2, 3]; a.splice(1, 1, 'x', 'y'); a.unshift(0); a.shift() === 0 && a.reverse().join() === '3,y,x,1'",
    "[1, 2].with(0, 9)[0] === 9 && [1, 2].toReversed()[0] === 2 && [1, 2, 3].toSpliced(0, 1).length === 2",
    "new Array(3).fill(0).join('') === '000' && [1, 2, 3].copyWithin(0, 1).join() === '2,3,3'",
    "String.raw`a\\n${1}b` === 'a\\\\n1b' && JSON.stringify({ a: 1, b: 2 }, ['a']) === '{\"a\":1}'",
    "const p = new Proxy([1, 2], {}); p.join() === '1,2' && p.slice(1)[0] === 2 && [0].concat(p).length === 3",
    "new Uint8Array([3, 1]).sort().join() === '1,3' && new Uint8Array(3).fill(7).indexOf(7) === 0",
    "[].join.name === 'join' && [].join.length === 1 && 'x'.indexOf.length === 1",
];

#[tokio::test]
async fn what_is_bounded_does_what_the_language_says() {
    for code in STILL {
        let (before, last) = code.rsplit_once("; ").unwrap_or(("", code));
        let source = format!(
            "const big = 'a'.repeat(1e5), part = 'a'.repeat(5e4);
            export function* run() {{ {before}; return {last}; }}"
        );
        let limits = Limits {
            segment: Duration::from_secs(5),
            ..QUICK
        };
        let said = finish(&within(&source, limits), "run").await;
        assert_eq!(said.unwrap(), true, "{code}");
    }
}

/// What the whole process has computed.
fn computed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
