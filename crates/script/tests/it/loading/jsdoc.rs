//! What is read from JSDoc, and for which method.

use crate::support::load;
use serde_json::{Value, json};

/// A method's input schema, by the doc comment before it.
fn input(doc: &str) -> Value {
    method(&format!(
        "export default class A {{\n{doc}\n  async *run(args) {{}}\n}}"
    ))
    .0
}

fn method(source: &str) -> (Value, Option<String>, Option<Value>) {
    let program = load(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let method = program.method("run").unwrap();
    jsonschema::meta::validate(&Value::Object(method.input.clone())).unwrap();
    let output = method.output.clone().map(Value::Object);
    (
        method.input.clone().into(),
        method.description.clone(),
        output,
    )
}

#[test]
fn types() {
    let check = |written: &str, schema: Value| {
        let input = input(&format!("/** @param {{{written}}} a */"));
        assert_eq!(input["properties"]["a"], schema, "{written}");
    };
    check("string", json!({ "type": "string" }));
    check("number", json!({ "type": "number" }));
    check("integer", json!({ "type": "integer" }));
    check("boolean", json!({ "type": "boolean" }));
    check(" string ", json!({ "type": "string" }));
    check(
        "string[]",
        json!({ "type": "array", "items": { "type": "string" } }),
    );
    check(
        "Array<string>",
        json!({ "type": "array", "items": { "type": "string" } }),
    );
    check(
        "Array.<number>",
        json!({ "type": "array", "items": { "type": "number" } }),
    );
    check(
        "number[][]",
        json!({ "type": "array", "items": { "type": "array", "items": { "type": "number" } } }),
    );
    check("Array", json!({ "type": "array" }));
    check(
        "'major'|'minor'|\"patch\"",
        json!({ "type": "string", "enum": ["major", "minor", "patch"] }),
    );
    check(
        "('a' | 'b')",
        json!({ "type": "string", "enum": ["a", "b"] }),
    );
    check(
        "('a'|'b')[]",
        json!({ "type": "array", "items": { "type": "string", "enum": ["a", "b"] } }),
    );
    check("1|2|3", json!({ "type": "number", "enum": [1, 2, 3] }));
    check("true|false", json!({ "type": "boolean" }));
    check("'auto'|1", json!({ "enum": ["auto", 1] }));
    check("string|number", json!({ "type": ["string", "number"] }));
    check("string|null", json!({ "type": ["string", "null"] }));
    check("?string", json!({ "type": ["string", "null"] }));
    check("!string", json!({ "type": "string" }));
    check(
        "'a'|number[]",
        json!({ "anyOf": [{ "type": "array", "items": { "type": "number" } }, { "type": "string", "enum": ["a"] }] }),
    );
    check(
        "{ name: string, count?: number }",
        json!({ "type": "object", "properties": { "name": { "type": "string" }, "count": { "type": "number" } }, "required": ["name"] }),
    );
    check("object", json!({ "type": "object" }));
    check("Record<string, number>", json!({ "type": "object" }));
    check("any", json!({}));
    check("*", json!({}));
    check("Date", json!({}));
    check("string|Widget", json!({}));
    check("Map<string, number>", json!({}));
    check("(a: number) => void", json!({}));
    check("<>", json!({}));
    check("", json!({}));
}

#[test]
fn params() {
    let check = |doc: &str, schema: Value| assert_eq!(input(doc), schema, "{doc}");
    let open = json!({ "type": "object" });
    check("", open.clone());
    check("/** Only words. */", open.clone());
    check("/* @param {string} a */", open.clone());
    check("// @param {string} a", open.clone());
    check("/***/", open.clone());
    check("/**/", open.clone());
    check("/** @param {object} args - All of them */", open.clone());
    check("/** @param */", open.clone());
    check("/** @param {string */", open);
    let one = |property: Value, required: Value| {
        let mut schema = json!({ "type": "object", "properties": { "a": property } });
        if required != json!([]) {
            schema["required"] = required;
        }
        schema["additionalProperties"] = json!(false);
        schema
    };
    let told = json!({ "type": "string", "description": "What it is" });
    check(
        "/** @param {string} a - What it is */",
        one(told.clone(), json!(["a"])),
    );
    check(
        "/** @param {string} a What it is */",
        one(told.clone(), json!(["a"])),
    );
    check(
        "/**\n * @param {string} a -\n *   What\n *   it is\n */",
        one(told.clone(), json!(["a"])),
    );
    check(
        "/**\r\n\t * @param\t{string}\ta\t-\tWhat it is\r\n\t */",
        one(told.clone(), json!(["a"])),
    );
    check(
        "/**\n@param   {string}   a   -   What it is\n*/",
        one(told.clone(), json!(["a"])),
    );
    check(
        "/** Words. @param {string} a - What it is @returns {string} */",
        one(told.clone(), json!(["a"])),
    );
    check(
        "/** @param a */",
        one(json!({ "type": "string" }), json!([])),
    );
    check("/** @param a - What it is */", one(told.clone(), json!([])));
    check(
        "/** @param {number} a - Times {@min 1} {@max 10} {@default 2} */",
        one(
            json!({ "type": "number", "description": "Times", "default": 2 }),
            json!([]),
        ),
    );
    check(
        "/** @param a - Which {@choice x, y} one {@pattern ^[a-z]{1}$} {@example x} {@label A} */",
        one(
            json!({ "type": "string", "enum": ["x", "y"], "description": "Which one" }),
            json!([]),
        ),
    );
    check(
        "/** @param {string[]} a {@choice x,y} {@unique} */",
        one(
            json!({ "type": "array", "items": { "type": "string", "enum": ["x", "y"] } }),
            json!(["a"]),
        ),
    );
    check(
        "/** @param {string} [a] */",
        one(json!({ "type": "string" }), json!([])),
    );
    check(
        "/** @param {string=} a */",
        one(json!({ "type": "string" }), json!([])),
    );
    check(
        "/** @param {string|undefined} a */",
        one(json!({ "type": "string" }), json!([])),
    );
    check(
        "/** @param {number} [a=2] - Times */",
        one(
            json!({ "type": "number", "description": "Times", "default": 2 }),
            json!([]),
        ),
    );
    check(
        "/** @param {number} [ a = 2 ] */",
        one(json!({ "type": "number", "default": 2 }), json!([])),
    );
    check(
        "/** @param {string} [a=x y] */",
        one(json!({ "type": "string", "default": "x y" }), json!([])),
    );
    check(
        "/** @param {string} [a='x] y'] */",
        one(json!({ "type": "string", "default": "x] y" }), json!([])),
    );
    check(
        "/** @param {string} [a=2] */",
        one(json!({ "type": "string", "default": "2" }), json!([])),
    );
    check(
        "/** @param {boolean} [a=true] */",
        one(json!({ "type": "boolean", "default": true }), json!([])),
    );
    check(
        "/** @param {string[]} [a=['x', 'y']] */",
        one(
            json!({ "type": "array", "items": { "type": "string" }, "default": ["x", "y"] }),
            json!([]),
        ),
    );
    check(
        "/** @param {'x'|'y'} [a=y] */",
        one(
            json!({ "type": "string", "enum": ["x", "y"], "default": "y" }),
            json!([]),
        ),
    );
    check(
        "/** @param {'x'|'y'} [a=z] - No such */",
        one(
            json!({ "type": "string", "enum": ["x", "y"], "description": "No such" }),
            json!([]),
        ),
    );
    check(
        "/** @param {number} [a=many] */",
        one(json!({ "type": "number" }), json!([])),
    );
    check(
        "/** @param {integer} [a=1.5] */",
        one(json!({ "type": "integer" }), json!([])),
    );
    check(
        "/** @param {string} opts.a */",
        one(json!({ "type": "string" }), json!(["a"])),
    );
    check(
        "/** @param {object} opts\n * @param {string} opts.a */",
        one(json!({ "type": "string" }), json!(["a"])),
    );
    check(
        "/** @param {object} opts - All\n * @param {string} [opts.a=x] */",
        one(json!({ "type": "string", "default": "x" }), json!([])),
    );
    check(
        "/** @param {{ a: string }} args */",
        one(json!({ "type": "string" }), json!(["a"])),
    );
    check(
        "/** @param {string} a\n * @param {string} a - Twice */",
        one(json!({ "type": "string" }), json!(["a"])),
    );
    check(
        "/** @param {string} a - See {@link other|the other} and me@example.com */",
        one(
            json!({ "type": "string", "description": "See the other and me@example.com" }),
            json!(["a"]),
        ),
    );
    check(
        "/** @param {string} a - one @param {number} [b=1] - two @returns {string} three */",
        json!({
            "type": "object",
            "properties": { "a": { "type": "string", "description": "one" }, "b": { "type": "number", "description": "two", "default": 1 } },
            "required": ["a"], "additionalProperties": false,
        }),
    );
}

#[test]
fn descriptions_and_results() {
    let check = |doc: &str, description: Option<&str>, output: Value| {
        let source = format!("export default class A {{\n{doc}\n  async *run(args) {{}}\n}}");
        let (_, described, returned) = method(&source);
        assert_eq!(described.as_deref(), description, "{doc}");
        assert_eq!(returned.unwrap_or_default(), output, "{doc}");
    };
    check("/** Asks. */", Some("Asks."), json!(null));
    check(
        "/**\n * Asks\n * for it.\n *\n * Twice.\n */",
        Some("Asks for it.\n\nTwice."),
        json!(null),
    );
    check("/** @description Asks. */", Some("Asks."), json!(null));
    check(
        "/** Mail @alice about {@link x}. */",
        Some("Mail @alice about x."),
        json!(null),
    );
    check(
        "/** Asks.\n * @example\n * run({ a: 1 })\n * @returns {string} A name */",
        Some("Asks."),
        json!({ "type": "string", "description": "A name" }),
    );
    check(
        "/** @returns {Promise<number>} */",
        None,
        json!({ "type": "number" }),
    );
    check(
        "/** @return {AsyncGenerator<any, boolean, any>} */",
        None,
        json!({ "type": "boolean" }),
    );
    check(
        "/** @returns {{ version: string, tags: string[] }} - What was done */",
        None,
        json!({
            "type": "object", "properties": { "version": { "type": "string" }, "tags": { "type": "array", "items": { "type": "string" } } },
            "required": ["version", "tags"], "description": "What was done",
        }),
    );
    check("/** @returns Words only */", None, json!(null));
    check("/** @throws {Error} never */", None, json!(null));
    check(
        "/** Far away. */\n// a comment between\n/* and another */",
        Some("Far away."),
        json!(null),
    );
    check(
        "/** Of nothing. */\n/** Nearer. */",
        Some("Nearer."),
        json!(null),
    );
    check("/** Of a field. */ field = 1;", None, json!(null));
    check(
        "/** Of a helper. */ helper() { return '/** In a string. */'; }",
        None,
        json!(null),
    );
}

/// A comment is tied to its method, whatever else is in the file.
#[test]
fn comments_find_their_method() {
    let check = |source: &str, description: Option<&str>| {
        assert_eq!(method(source).1.as_deref(), description, "{source}");
    };
    check(
        "/** Mine. */ export async function* run() {}",
        Some("Mine."),
    );
    check(
        "/** Mine. */ export default function* run() {}",
        Some("Mine."),
    );
    check(
        "/** Mine. */ export const run = async function* () {};",
        Some("Mine."),
    );
    check(
        "/** Mine. */ function* inner() {} export { inner as run };",
        Some("Mine."),
    );
    check(
        "/** Mine. */ async function* run() {} export default run;",
        Some("Mine."),
    );
    check(
        "export class A { /** Mine. */ 'run' () {} /** Mine. */ async * 'run'() {} }",
        Some("Mine."),
    );
    check(
        "export const A = class { /** Mine. */ *run() {} };",
        Some("Mine."),
    );
    check(
        "export default class { /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "class Base { /** Mine. */ *run() {} } export class A extends Base {}",
        Some("Mine."),
    );
    check(
        "class Other { /** Not mine. */ *run() {} } export class A { /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "class Other { /** Not mine. */ *run() {} } export function* run() {}",
        None,
    );
    check(
        "export class A { x = /[/*]/; /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A { x = '*/'; y = \"/** no */\"; /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A { x = `${ `/** ${ '}' } */` } /*`; /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A { x = 4 / 2; y = 1 / 1; /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A { x(a) { if (a) /\\/*'/.test(a); return a / 2 / 1; } /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A { x() { return { class: 1, function: 2 }.class; } /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A extends (class { }) { /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "export class A { /** Not mine. */ static *run() {} /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check("export class A { *run() { /** Not mine. */ } }", None);
    check(
        "#!/usr/bin/env holdpoint\nexport class A { /** Mine. */ *run() {} }",
        Some("Mine."),
    );
    check(
        "\u{feff}/** Mine. */ export function* run() {}",
        Some("Mine."),
    );
    check(
        "export class A { größe = 1; /** Mine, größer. */ *run() {} }",
        Some("Mine, größer."),
    );
}

#[test]
fn defaults_fill_in() {
    let program =
        load("export class A { /** @param {number} [n=2] @param {string} s */ *run() {} }")
            .unwrap();
    let filled = |arguments: Value| {
        let mut given = arguments.as_object().unwrap().clone();
        let method = program.method("run").unwrap();
        method.arguments.fill_defaults(&mut given);
        given
    };
    assert_eq!(
        Value::Object(filled(json!({ "s": "x" }))),
        json!({ "s": "x", "n": 2 })
    );
    assert_eq!(
        Value::Object(filled(json!({ "n": null }))),
        json!({ "n": null })
    );
}

mod properties {
    use super::load;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// No comment breaks the loading of a file that is right without it.
        #[test]
        fn comments_never_break_a_file(text in "[ -~\n]{0,80}") {
            let text = text.replace("*/", "* /");
            let source = format!("export class A {{\n/** {text}*/\n*run() {{}} }}");
            let program = load(&source).unwrap();
            prop_assert_eq!(program.methods().len(), 1);
        }

        /// Whatever a file holds, it is loaded, or refused with the line or because it offers
        /// nothing. The engine does not say where a regular expression is wrong.
        #[test]
        fn any_source_is_taken_or_refused(text in "(?s)[-/*`'\"${}()@=a-z\\\\\n é]{0,60}") {
            if let Err(error) = load(&text) {
                let offers_nothing = error.message.starts_with("offers no tool");
                let in_regex = text.contains('/') && error.message.starts_with("SyntaxError");
                let placed = error.line.is_some() || in_regex;
                prop_assert!(placed || offers_nothing, "{error:?}\n{text}");
            }
        }
    }
}
