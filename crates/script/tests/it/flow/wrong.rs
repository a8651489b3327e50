//! Yields that are none: thrown where they were yielded, naming what is wrong.

use super::stand::*;

/// What is not as it should be about how a yield is refused.
async fn check(yielded: &str, wanted: &str) -> Option<String> {
    let source = main(&format!("\n\nyield {yielded};"));
    let result = Stand::new().run(&source, Vec::new()).await;
    let said = said(&result);
    let fine = said.starts_with("script.js:3: ")
        && said.contains(wanted)
        && result.is_error == Some(true)
        && body(&result)["line"] == 3;
    (!fine).then(|| format!("{yielded}: {said}"))
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let mut flaws = Vec::new();
    for (yielded, wanted) in [
        (
            "1",
            "a script must yield an object or an array of asks, not a number",
        ),
        ("null", "an array of asks, not null"),
        ("{}", "an empty object was yielded"),
        ("{ aks: 'text' }", "it has `aks`; did you mean `ask`?"),
        (
            "{ ask: 'txt', message: 'a' }",
            "there is no ask 'txt'; did you mean `text`?",
        ),
        ("{ ask: 1 }", "`ask` must name a kind"),
        ("{ ask: 'text' }", "the ask 'text' needs `message`"),
        ("{ ask: 'text', message: ' ' }", "the message is empty"),
        (
            "{ ask: 'text', message: 'a', dangerus: true }",
            "the ask 'text' has no field `dangerus`; did you mean `dangerous`?",
        ),
        (
            "{ ask: 'text', message: 'a', minLenght: 3 }",
            "has no field `minLenght`; did you mean `minLength`?",
        ),
        (
            "{ ask: 'confirm', message: 'a', detials: 'Deletes 500 users' }",
            "has no field `detials`; did you mean `details`?",
        ),
        (
            "{ ask: 'text', message: 'a', detail: 'Deletes 500 users' }",
            "has no field `detail`; did you mean `details`?",
        ),
        (
            "{ ask: 'text', message: 'a', mesage: 'b' }",
            "has no field `mesage`; did you mean `message`?",
        ),
        (
            "{ ask: 'confirm', message: 'a', description: 'Deletes 500 users' }",
            "has no field `description`; nobody would see what it says. Its fields are: message, id, details,",
        ),
        (
            "{ ask: 'confirm', message: 'a', warning: ['Deletes 500 users'] }",
            "has no field `warning`; nobody would see",
        ),
        (
            "{ ask: 'number', message: 'a', dangerous: true, hint: 'Deletes users' }",
            "has no field `hint`; nobody would see",
        ),
        (
            "{ ask: 'select', message: 'a', dangerous: true, options: [{ value: 'b', note: 'Deletes users' }] }",
            "`options[0]` has no field `note`; nobody would see",
        ),
        (
            "{ ask: 'text', message: 'a', question: 'Delete 500 users?' }",
            "`question`: it is not shown unless it is the same as `message`",
        ),
        ("{ sleep: 86400001 }", "a day (86400000) at most"),
        ("{ sleep: -1 }", "a number of milliseconds"),
        ("{ sleep: 'x' }", "invalid type"),
        ("{ sleep: 5, unit: 's' }", "a sleep has no field `unit`"),
        (
            "{ memory: 'take', key: 'k' }",
            "use get, set, has, delete, keys or clear",
        ),
        (
            "{ memory: 'get', key: 'a\\u202eb' }",
            "visible characters only",
        ),
        ("{ memory: 'get', key: 'x'.repeat(201) }", "1 to 200 bytes"),
        (
            "{ ask: 'text', message: 'a', minLength: 'b' }",
            "`minLength`: invalid type: string \"b\", expected u32",
        ),
        (
            "{ ask: 'text', message: 'a', minLength: 3, maxLength: 2 }",
            "has a minLength above its maxLength",
        ),
        (
            "{ ask: 'text', message: 'a', pattern: '(' }",
            "has a pattern that cannot be used",
        ),
        (
            "{ ask: 'text', message: 'a', default: 'x', minLength: 3 }",
            "has a default that breaks its own rules",
        ),
        (
            "{ ask: 'text', message: 'a', timeout: -1 }",
            "`timeout`: it must be a number of seconds",
        ),
        (
            "{ ask: 'text', message: 'a', id: '12' }",
            "the key \"12\" must be a short name",
        ),
        (
            "{ ask: 'text', message: 'a', required: 'yes' }",
            "`required`: invalid type",
        ),
        ("{ ask: 'select', message: 'a' }", "needs `options`"),
        (
            "{ ask: 'select', message: 'a', options: [] }",
            "has no options",
        ),
        (
            "{ ask: 'select', message: 'a', options: [{ label: 'b' }] }",
            "`options[0]` needs `value`",
        ),
        (
            "{ ask: 'select', message: 'a', options: [{ value: 'b', disabeld: true }] }",
            "`options[0]` has no field `disabeld`; did you mean `disabled`?",
        ),
        (
            "{ ask: 'select', message: 'a', options: ['b'], default: 'c' }",
            "has a default that is not one of its options",
        ),
        (
            "{ ask: 'form', message: 'a', schema: { properties: { b: { type: 'object' } } } }",
            "the property \"b\" is an object",
        ),
        (
            "{ ask: 'url', message: 'a', url: 'file:///etc/passwd' }",
            "must link to an http or https address",
        ),
        (
            "{ ask: 'url', message: 'a', url: 'https://ada:pw@example.org' }",
            "a user name or a password",
        ),
        (
            "{ ask: 'rating', message: 'a', max: 99 }",
            "has a max of 99: choose one from 2 to 10",
        ),
        ("[]", "an empty array"),
        (
            "[{ ask: 'text', message: 'a' }, { emit: 'status', message: 'b' }]",
            "[1]: a yielded array may hold only asks",
        ),
        (
            "[{ ask: 'text', message: 'a' }, { ask: 'txt', message: 'b' }]",
            "[1]: there is no ask 'txt'",
        ),
        ("{ emit: 'progress', value: 50 }", "it must be from 0 to 1"),
        ("{ emit: 'artifact', title: 'a' }", "needs `content`"),
        ("{ checkpoint: false }", "it must be `true`, or left out"),
        (
            "{ ask: 'text', message: 'a', emit: 'status' }",
            "both `ask` and `emit`",
        ),
        ("{ run: 'git status' }", "is a list: ['git', 'status']"),
        ("{ run: [] }", "is a list"),
        (
            "{ run: ['git'], shell: true }",
            "the effect 'run' has no field `shell`",
        ),
        ("{ read: 1 }", "needs a path"),
        ("{ write: 'a' }", "needs `text`"),
        ("{ fetch: 'ftp://a' }", "neither http nor https"),
        (
            "{ fetch: 'http://a', method: 'TRACE' }",
            "`method`: there are GET",
        ),
    ] {
        flaws.extend(check(yielded, wanted).await);
    }
    assert_eq!(flaws, [""; 0]);
}

#[tokio::test]
async fn it_can_be_caught_and_corrected() {
    let source = main(
        "try { yield { ask: 'txt', message: 'Name?' }; } catch (e) { return [e.name, e.outcome === undefined, yield { ask: 'text', message: 'Name?' }]; }",
    );
    let answer = accept(serde_json::json!({ "value": "Ada" }));
    let result = Stand::new().run(&source, vec![answer]).await;
    assert_eq!(
        body(&result)["result"],
        serde_json::json!(["TypeError", true, "Ada"])
    );
}

#[tokio::test]
async fn an_endless_script_is_ended() {
    let source = main("while (true) yield { emit: 'status', message: 'still here' };");
    let result = Stand::new().run(&source, Vec::new()).await;
    assert!(
        text(&result).contains("more than 10000 times"),
        "{}",
        text(&result)
    );
}

#[tokio::test]
async fn arguments_are_checked() {
    use serde_json::{Map, Value, json};
    let source = "/** Greets.\n * @param {string} name - whom\n * @param {integer} [times=2] - how often\n * @param {('a'|'b')} [way] - how */\nexport function* main({ name, times, way }) { return [name, times, way ?? null]; }";
    let check = async |given: Value, wanted: Value| {
        let stand = Stand::new();
        let desk = stand.desk(None).await;
        let program = program(source);
        let Value::Object(arguments) = given.clone() else {
            unreachable!()
        };
        let job = holdpoint_script::Job {
            arguments,
            ..stand.job(&program)
        };
        let heard = stand.heard.clone();
        let begin = stand.begun(&program);
        let run = desk.run(begin, move |cx| holdpoint_script::run(cx, job, heard));
        let result = run.ended().await.unwrap();
        match wanted {
            Value::String(words) => {
                let said = text(&result);
                assert!(said.contains(&words), "{given}: {said}");
                assert_eq!(body(&result)["error"], "INVALID_ARGUMENTS");
            }
            wanted => assert_eq!(body(&result)["result"], wanted, "{given}"),
        }
    };
    let _: Map<String, Value> = Map::new();
    check(json!({ "name": "Ada" }), json!(["Ada", 2, null])).await;
    check(
        json!({ "name": "Ada", "times": 3, "way": "b" }),
        json!(["Ada", 3, "b"]),
    )
    .await;
    check(
        json!({ "name": "Ada", "times": null }),
        json!(["Ada", 2, null]),
    )
    .await;
    check(json!({}), json!("The argument `name` is missing: whom")).await;
    check(
        json!({ "name": 1 }),
        json!("The argument `name` must be a text"),
    )
    .await;
    check(
        json!({ "name": "Ada", "times": 1.5 }),
        json!("The argument `times` must be a whole number"),
    )
    .await;
    check(
        json!({ "name": "Ada", "way": "c" }),
        json!("The argument `way` must be one of: a, b"),
    )
    .await;
    check(
        json!({ "nmae": "Ada" }),
        json!("`nmae` is not known; did you mean `name`?"),
    )
    .await;
}
