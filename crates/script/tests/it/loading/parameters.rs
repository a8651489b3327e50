//! What methods take, as their types, defaults and comments say, and how it reaches them.

use crate::support::{call, load, load_ts};
use holdpoint_script::Program;
use serde_json::{Value, json};
use std::sync::Arc;

fn ts(method: &str) -> Arc<Program> {
    let source = format!(
        "type Mode = 'fast' | 'slow';\nenum Size {{ Small, Large = 5 }}\ninterface Base {{ id: number }}\n\
         /** Who. */\ninterface Person extends Base {{ /** The name. */ name: string; mode?: Mode }}\n\
         type Loop = {{ next?: Loop }};\nexport class A {{\n{method}\n}}"
    );
    load_ts(&source).map_or_else(|error| panic!("{error}"), Arc::new)
}

fn input(program: &Program) -> Value {
    let method = &program.methods()[0];
    jsonschema::meta::validate(&Value::Object(method.input.clone())).unwrap();
    method.input.clone().into()
}

fn listed(properties: Value, required: Value) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties });
    if required != json!([]) {
        schema["required"] = required;
    }
    schema["additionalProperties"] = json!(false);
    schema
}

#[test]
fn an_object_of_a_type() {
    let check = |method: &str, properties: Value, required: Value| {
        assert_eq!(input(&ts(method)), listed(properties, required), "{method}");
    };
    let all = json!({
        "name": { "type": "string" }, "count": { "type": "number" },
        "mode": { "type": "string", "enum": ["a", "b"] }, "tags": { "type": "array", "items": { "type": "string" } },
    });
    let wanted = json!(["name", "mode", "tags"]);
    let written = "{ name: string; count?: number; mode: 'a'|'b'; tags: string[] }";
    check(
        &format!("async *run(params: {written}) {{}}"),
        all.clone(),
        wanted.clone(),
    );
    check(
        &format!("run({{ name, count, mode, tags }}: {written}) {{}}"),
        all.clone(),
        wanted.clone(),
    );
    check(&format!("run(params?: {written}) {{}}"), all, json!([]));
    check(
        "run({ name = 'Ada', count = 1 + 1, on = true }: { name?: string; count: number; on: boolean | undefined }) {}",
        json!({ "name": { "type": "string", "default": "Ada" }, "count": { "type": "number" }, "on": { "type": "boolean", "default": true } }),
        json!([]),
    );
    check(
        "run(person: Person) {}",
        json!({
            "name": { "type": "string", "description": "The name." },
            "mode": { "type": "string", "enum": ["fast", "slow"] }, "id": { "type": "number" },
        }),
        json!(["name", "id"]),
    );
    check(
        "run(a: { size: Size; who: Partial<Person>; x: string | null; y: Date; z: Record<string, number>; l: readonly Mode[] }) {}",
        json!({
            "size": { "type": "number", "enum": [0, 5] },
            "who": { "type": "object", "properties": {
                "name": { "type": "string", "description": "The name." },
                "mode": { "type": "string", "enum": ["fast", "slow"] }, "id": { "type": "number" },
            } },
            "x": { "type": ["string", "null"] }, "y": {}, "z": { "type": "object" },
            "l": { "type": "array", "items": { "type": "string", "enum": ["fast", "slow"] } },
        }),
        json!(["size", "who", "x", "y", "z", "l"]),
    );
    check("run() {}", json!({}), json!([]));
    check(
        "/**\n * @param params - All of it\n * @param params.name - The name {@default Ada}\n * @param other - of nothing */\nrun(params: { name: string }) {}",
        json!({ "name": { "type": "string", "description": "The name", "default": "Ada" } }),
        json!([]),
    );
    check(
        "/** @param {integer} count - How many */\nrun({ count }: { count: number }) {}",
        json!({ "count": { "type": "integer", "description": "How many" } }),
        json!(["count"]),
    );
}

#[test]
fn types_that_lead_nowhere_are_anything() {
    let open = json!({ "type": "object" });
    assert_eq!(input(&ts("run(a: Imported) {}")), open);
    assert_eq!(input(&ts("run(a: any) {}")), open);
    let program = ts("run(a: Loop) {}");
    assert_eq!(input(&program)["properties"]["next"]["type"], "object");
    // Each name stands for two of the next: far more than can be written out.
    let mut source = String::from("type T0 = { a: string };\n");
    for index in 1..60 {
        let before = index - 1;
        source += &format!("type T{index} = {{ a: T{before}; b: T{before} }};\n");
    }
    source += "export function run(x: T59) {}";
    load_ts(&source).unwrap();
}

#[tokio::test]
async fn one_by_one() {
    let check =
        async |method: &str, properties: Value, required: Value, given: Value, returned: Value| {
            let program = ts(method);
            assert_eq!(input(&program), listed(properties, required), "{method}");
            let got = call(&program, "run", given).await.unwrap();
            assert_eq!(got, returned, "{method}");
        };
    check(
        "/** @param name - Who */\nrun(name: string, count = 2, flag?: boolean) { return [name, count, flag === undefined]; }",
        json!({ "name": { "type": "string", "description": "Who" }, "count": { "type": "number", "default": 2 }, "flag": { "type": "boolean" } }),
        json!(["name"]),
        json!({ "name": "Ada", "toString": 1 }),
        json!(["Ada", 2, true]),
    )
    .await;
    check(
        "*run(mode: Mode, ...tags: string[]) { return [mode, tags, arguments.length]; }",
        json!({ "mode": { "type": "string", "enum": ["fast", "slow"] }, "tags": { "type": "array", "items": { "type": "string" } } }),
        json!(["mode"]),
        json!({ "mode": "fast", "tags": ["a", "b"] }),
        json!(["fast", ["a", "b"], 3]),
    )
    .await;
    check(
        "async run(name: string) { return name; }",
        json!({ "name": { "type": "string" } }),
        json!(["name"]),
        json!({ "name": "Ada" }),
        json!("Ada"),
    )
    .await;
    check(
        "run(person: Person, notify: boolean) { return [person.name, notify]; }",
        json!({
            "person": { "type": "object", "properties": {
                "name": { "type": "string", "description": "The name." },
                "mode": { "type": "string", "enum": ["fast", "slow"] }, "id": { "type": "number" },
            }, "required": ["name", "id"] },
            "notify": { "type": "boolean" },
        }),
        json!(["person", "notify"]),
        json!({ "person": { "name": "Ada", "id": 1 }, "notify": true }),
        json!(["Ada", true]),
    )
    .await;
}

/// In JavaScript one parameter gets the object, unless the comment says that it is a value.
#[tokio::test]
async fn javascript_says_it_with_comments() {
    let check = async |method: &str, given: Value, returned: Value| {
        let program = load(&format!("export class A {{\n{method}\n}}")).unwrap();
        let got = call(&Arc::new(program), "run", given).await.unwrap();
        assert_eq!(got, returned, "{method}");
    };
    let ada = json!({ "name": "Ada" });
    check("*run(args) { return args; }", ada.clone(), ada.clone()).await;
    check(
        "/** @param {string} name */ *run(args) { return args; }",
        ada.clone(),
        ada.clone(),
    )
    .await;
    check(
        "/** @param {string} name */ *run(name) { return name; }",
        ada.clone(),
        json!("Ada"),
    )
    .await;
    check(
        "/** @param name - Who */ *run(name) { return name; }",
        ada.clone(),
        json!("Ada"),
    )
    .await;
    check(
        "/** @param {object} name */ *run(name) { return name; }",
        ada.clone(),
        ada.clone(),
    )
    .await;
    check(
        "/** @param args - All */ *run(args) { return args; }",
        ada.clone(),
        ada.clone(),
    )
    .await;
    check("*run({ name }) { return name; }", ada.clone(), json!("Ada")).await;
    check(
        "*run(name, count = 2) { return [name, count]; }",
        ada.clone(),
        json!(["Ada", 2]),
    )
    .await;
    check("*run(name = 'Bo') { return name; }", json!({}), json!("Bo")).await;
    check(
        "*run(__proto__, toString) { return [typeof __proto__, typeof toString]; }",
        json!({}),
        json!(["undefined", "undefined"]),
    )
    .await;
}
