//! Functions of the language that the engine cannot interrupt are bounded. What they are bounded against is
//! in `tests/attacks`.

use super::support::{QUICK, finish, within};
use holdpoint_script::Limits;
use std::time::Duration;

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
