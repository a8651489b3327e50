//! The module of photon's name.

use crate::support::{finish, load, program, start};
use holdpoint_script::TurnEnd;
use serde_json::{Value, json};

async fn first_end(source: &str) -> TurnEnd {
    let program = program(source);
    let (_, turn) = start(&program, "run")
        .await
        .unwrap_or_else(|failed| panic!("{source}: {failed}"));
    turn.end
}

async fn returned(source: &str) -> Value {
    match first_end(source).await {
        TurnEnd::Returned(value) => value,
        TurnEnd::Yielded(value) => panic!("{source}: {value}"),
    }
}

async fn yielded(source: &str) -> Value {
    match first_end(source).await {
        TurnEnd::Yielded(value) => value,
        TurnEnd::Returned(value) => panic!("{source}: {value}"),
    }
}

#[tokio::test]
async fn io_builds_what_is_yielded() {
    for (call, built) in [
        (
            "ask.text('Name?')",
            json!({ "ask": "text", "message": "Name?" }),
        ),
        (
            "ask.text('Name?', { default: 'x', minLength: 2 })",
            json!({ "ask": "text", "message": "Name?", "default": "x", "minLength": 2 }),
        ),
        (
            "ask.password('Key?', { id: 'key' })",
            json!({ "ask": "password", "message": "Key?", "id": "key" }),
        ),
        (
            "ask.confirm('Sure?', { dangerous: true })",
            json!({ "ask": "confirm", "message": "Sure?", "dangerous": true }),
        ),
        (
            "ask.select('Which?', ['a', 'b'], { multi: true })",
            json!({ "ask": "select", "message": "Which?", "options": ["a", "b"], "multi": true }),
        ),
        (
            "ask.number('How many?', { min: 1 })",
            json!({ "ask": "number", "message": "How many?", "min": 1 }),
        ),
        (
            "ask.file('Which?', { accept: '.pdf' })",
            json!({ "ask": "file", "message": "Which?", "accept": ".pdf" }),
        ),
        (
            "ask.date('When?', { includeTime: true })",
            json!({ "ask": "date", "message": "When?", "includeTime": true }),
        ),
        (
            "ask.form('Who?', { type: 'object', properties: {} }, { id: 'f' })",
            json!({ "ask": "form", "message": "Who?", "schema": { "type": "object", "properties": {} }, "id": "f" }),
        ),
        (
            "ask.url('Sign in', 'https://example.com')",
            json!({ "ask": "url", "message": "Sign in", "url": "https://example.com" }),
        ),
        (
            "emit.status('Working')",
            json!({ "emit": "status", "message": "Working" }),
        ),
        (
            "emit.status('Done', 'success')",
            json!({ "emit": "status", "message": "Done", "type": "success" }),
        ),
        (
            "emit.progress(0.5, 'Half')",
            json!({ "emit": "progress", "value": 0.5, "message": "Half" }),
        ),
        (
            "emit.log('line', 'debug', { a: 1 })",
            json!({ "emit": "log", "message": "line", "level": "debug", "data": { "a": 1 } }),
        ),
        (
            "emit.toast('Saved', 'success', 100)",
            json!({ "emit": "toast", "message": "Saved", "type": "success", "duration": 100 }),
        ),
        (
            "emit.thinking(true)",
            json!({ "emit": "thinking", "active": true }),
        ),
        (
            "emit.artifact('code', { content: 'x' })",
            json!({ "emit": "artifact", "type": "code", "content": "x" }),
        ),
        (
            "emit.stream('part', true)",
            json!({ "emit": "stream", "data": "part", "final": true }),
        ),
        (
            "emit.ui('prefs', { data: {} })",
            json!({ "emit": "ui", "id": "prefs", "data": {} }),
        ),
        (
            "emit.ui(null, { inline: '<p>' })",
            json!({ "emit": "ui", "inline": "<p>" }),
        ),
        (
            "emit.qr('https://example.com', 'Scan')",
            json!({ "emit": "qr", "value": "https://example.com", "message": "Scan" }),
        ),
        (
            "emit.render('table', [[1]])",
            json!({ "emit": "render", "format": "table", "value": [[1]] }),
        ),
    ] {
        for module in ["@portel/photon-core", "@portel/photon"] {
            let source = format!(
                "import {{ io }} from '{module}';\nexport function* run() {{ yield io.{call}; }}"
            );
            assert_eq!(yielded(&source).await, built, "{call}");
        }
        let source = format!(
            "import {{ ask, emit }} from \"@portel/photon-core\"; export function* run() {{ yield {call}; }}"
        );
        assert_eq!(yielded(&source).await, built, "{call}");
    }
}

#[tokio::test]
async fn the_base_classes() {
    for base in ["Photon", "PhotonMCP"] {
        let source = format!(
            "import {{ {base} }} from '@portel/photon-core';
             export default class Tool extends {base} {{
                 constructor() {{ super(); this.had = typeof this.emit; this.name = 'own'; }}
                 *run() {{ return [this.had, this.name, typeof this.memory.get, this instanceof {base}]; }} }}"
        );
        let program = program(&source);
        assert_eq!(program.methods().len(), 1);
        assert_eq!(
            returned(&source).await,
            json!(["function", "own", "function", true])
        );
    }
}

#[tokio::test]
async fn names_that_are_not_there() {
    let error = load("import { io, Table } from '@portel/photon-core';\nexport function* run() {}")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("there is no `Table` in @portel/photon-core; it has io, ask, emit, Photon"),
        "{error}"
    );
    for other in [
        "fs",
        "./other.js",
        "@portel/photon-core/io",
        "holdpoint",
        "test.js",
    ] {
        let error = load(&format!(
            "import x from '{other}';\nexport function* run() {{}}"
        ));
        let error = error.unwrap_err().to_string();
        assert!(error.contains("a script is one file"), "{other}: {error}");
    }
}

/// It is shared by all calls, so nothing of it can be changed.
#[tokio::test]
async fn nothing_of_it_can_be_changed() {
    let source = "import { io, ask, Photon } from '@portel/photon-core';
        export class A extends Photon { *run() {
            const said = [];
            for (const change of [
                () => { io.x = 1; }, () => { io.ask = 1; }, () => { ask.text = () => 1; }, () => { ask.text.x = 1; },
                () => { Photon.x = 1; }, () => { Photon.prototype.x = 1; }, () => { Photon.prototype.constructor = 1; },
                () => { this.memory.get = 1; }, () => { this.memory.x = 1; }, () => { this.emit.x = 1; },
                () => { Object.defineProperty(io, 'x', { value: 1 }); }, () => { setTimeout.x = 1; },
            ]) try { change(); said.push(String(change)); } catch { }
            this.emit = 'mine';
            return said; } }";
    assert_eq!(returned(source).await, json!([]));
    // A call that comes after it finds its own.
    let program = program(source);
    assert_eq!(finish(&program, "run").await.unwrap(), json!([]));
}

/// Neither what another call runs nor what the engine keeps for itself can be imported by its name.
#[tokio::test]
async fn no_other_module_can_be_reached_by_its_name() {
    for name in ["test.js", "holdpoint", "prelude.js"] {
        let source = format!(
            "export let count = 0; export async function* run() {{
                count++; try {{ const other = await import('{name}'); return Object.keys(other); }} catch (e) {{ return e.message; }} }}"
        );
        let program = program(&source);
        for _ in 0..2 {
            let got = finish(&program, "run").await.unwrap();
            let said = got.as_str().unwrap_or_else(|| panic!("{name}: {got}"));
            assert!(said.starts_with("Error resolving module"), "{name}: {got}");
        }
    }
}
