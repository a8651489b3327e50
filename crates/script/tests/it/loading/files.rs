//! What files offer, and what is refused with which words.

use crate::support::load;
use holdpoint_script::{Limits, Permissions, Program};
use std::path::Path;

#[test]
fn what_a_file_offers() {
    let check = |source: &str, tools: &[&str]| {
        let program = load(source).unwrap_or_else(|error| panic!("{error}"));
        let offered: Vec<_> = program
            .methods()
            .iter()
            .map(|method| &*method.tool)
            .collect();
        assert_eq!(offered, tools, "{source}");
    };
    check(
        "export default class A { *one() {} async *two() {} three() {} async four() {} static *five() {} get six() { throw 1; } _seven() {} *_eight() {} *#nine() {} *[Symbol.iterator]() {} }",
        &["test_one", "test_two", "test_three", "test_four"],
    );
    check(
        "export function* one() {} export async function* two() {} export function three() {} export const four = async () => 1;",
        &["test_four", "test_one", "test_three", "test_two"],
    );
    check(
        "export class A { one() {} /** @internal */ two() {} /** @private */ *three() {} onInitialize() {} onShutdown() {} constructor() {} set four(x) {} five = () => 1; }",
        &["test_one"],
    );
    check(
        "class Base { one() {} _two() {} } export class A extends Base { three() {} }",
        &["test_three", "test_one"],
    );
    check("export default () => 1;", &["test_default"]);
    check("export default function* () {}", &["test_default"]);
    check("function* a() {} export { a as b };", &["test_b"]);
    check(
        "export class A { *a() {} } export { A as default };",
        &["test_a"],
    );
}

#[test]
fn what_is_refused() {
    let mut told = String::new();
    let sources = [
        "export default class A {\n  *run() {\n    const x = ;\n  }\n}",
        "export function* run() {\n\tlet größe = 'x\n}",
        "export function* run() { yield",
        "import fs from 'fs';\nexport function* run() {}",
        "const a = 1;\nexport { a } from './other.js';",
        "import { a } from './a.js'; syntax error",
        "const a = 1;",
        "export default class A { _run() {} }",
        "const fs = require('fs');\nexport function* run() {}",
        "import axios from 'axios';\nexport function* run() {}",
        "import { exec } from 'node:child_process';\nexport function* run() {}",
        "export * from './more.js';\nexport function* run() {}",
        "export class A { *run() {} }\nexport class B { *run() {} }",
        "export default class A { *größe() {} }",
        "throw new Error('at once');\nexport function* run() {}",
        "null.x;\nexport function* run() {}",
        "\nfor (;;);\nexport function* run() {}",
        "const a = []; for (;;) a.push('x'.repeat(100000) + a.length);\nexport function* run() {}",
        "await new Promise(() => {});\nexport function* run() {}",
        "Object.prototype.x = 1;\nexport function* run() {}",
        "export const permissions = { exec: ['git'] };\nexport function* run() {}",
        "export const permissions = ['git'];\nexport function* run() {}",
        "export const permissions = { run: 'git' };\nexport function* run() {}",
        "export const permissions = { run: ['git', 5] };\nexport function* run() {}",
        "export const permissions = { read: [''] };\nexport function* run() {}",
        "export const permissions = { get run() { for (;;); } };\nexport function* run() {}",
        "export const permissions = null;\nexport function* run() {}",
        "export const permissions = () => 1;\nexport function* run() {}",
    ];
    for source in sources {
        let refused = load(source).expect_err(source);
        told += &format!("{source}\n--\n{refused}\n\n");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn permissions_are_read() {
    let check = |source: &str, expected: Permissions| {
        let program = load(&format!("{source}\nexport function* run() {{}}")).unwrap();
        assert_eq!(*program.permissions(), expected, "{source}");
    };
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    check("", Permissions::default());
    check("export const permissions = {};", Permissions::default());
    check(
        "export const permissions = undefined;",
        Permissions::default(),
    );
    check(
        "export const permissions = { run: ['git'], read: ['.'], write: ['out'], net: ['127.0.0.1'] };",
        Permissions {
            run: texts(&["git"]),
            read: texts(&["."]),
            write: texts(&["out"]),
            net: texts(&["127.0.0.1"]),
        },
    );
    check(
        "const tools = ['git', 'gh']; export const permissions = { run: tools };",
        Permissions {
            run: texts(&["git", "gh"]),
            ..Permissions::default()
        },
    );
}

#[test]
fn files_that_are_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(Program::load(&path).unwrap_err().to_string(), expected);
    };
    check(
        "large.js",
        &vec![b' '; (1 << 20) + 1],
        "large.js: is larger than 1 MB, too large for a script",
    );
    check(
        "bytes.js",
        b"export function* run() {} // \xff",
        "bytes.js: is not UTF-8 text",
    );
    check(
        "empty.js",
        b"",
        "empty.js: offers no tool: export a class with methods (async *name(args) { … }), or functions",
    );
    let gone = Program::load(&folder.path().join("gone.js"))
        .unwrap_err()
        .to_string();
    assert!(gone.starts_with("gone.js: cannot be read: "), "{gone}");
}

#[test]
fn a_program_knows_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kitchen-sink.js");
    let source = "/** All of it. */\nexport default class A { *askUserName() {} }";
    std::fs::write(&path, source).unwrap();
    let program = Program::load(&path).unwrap();
    assert_eq!(
        (program.name(), program.file(), program.path()),
        ("kitchen-sink", "kitchen-sink.js", path.as_path())
    );
    assert_eq!(program.description(), Some("All of it."));
    assert_eq!(
        program.digest(),
        holdpoint_ask::Digest::hash_bytes(source.as_bytes())
    );
    assert_eq!(program.methods()[0].tool, "kitchen_sink_askUserName");
    assert_eq!(*program.limits(), Limits::default());
    let other = Program::from_source(
        "a",
        Path::new("a.js"),
        "/** First. */\n\nconst x = 1; export function* run() {}",
    )
    .unwrap();
    assert_eq!(other.description(), Some("First."));
}
