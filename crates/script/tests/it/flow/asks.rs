//! Every ask: what the person is shown, and what the script gets.

use super::stand::*;
use holdpoint::Reply;
use serde_json::{Value, json};

/// Asks, and looks at what the person was shown and what the script got.
async fn check(ask: &str, reply: Reply, fields: Value, wanted: Value) {
    let stand = Stand::new();
    let person = Person::says([reply]);
    let desk = stand.desk(Some(person.clone())).await;
    let program = program(&main(&format!("return yield {ask};")));
    let result = stand.begin(&desk, &program).ended().await.unwrap();
    assert_eq!(body(&result)["result"], wanted, "{ask}: {}", text(&result));
    let asked = person.asked();
    let shown = serde_json::to_value(&asked[0].form).unwrap();
    assert_eq!(shown, fields, "{ask}");
}

#[tokio::test]
async fn what_the_person_is_shown_and_the_script_gets() {
    check(
        "{ ask: 'text', message: 'Name?', default: 'ada', placeholder: 'Ada', pattern: '[a-z]+', minLength: 2, maxLength: 9, multiline: true }",
        accept(json!({ "value": "bob" })),
        json!([{
            "name": "value", "kind": "text", "minLength": 2, "maxLength": 9, "pattern": "[a-z]+",
            "multiline": true, "placeholder": "Ada", "default": "ada",
        }]),
        json!("bob"),
    )
    .await;
    check(
        "{ ask: 'password', message: 'Password?' }",
        accept(json!({ "value": "x" })),
        json!([{ "name": "value", "kind": "secret" }]),
        json!("x"),
    )
    .await;
    // What is said to be the default is not shown, and is no answer.
    check(
        "{ ask: 'confirm', message: 'Sure?', default: true }",
        accept(json!({ "confirmed": true })),
        json!([{ "name": "confirmed", "kind": "confirm" }]),
        json!(true),
    )
    .await;
    check(
        "{ ask: 'select', message: 'Which?', searchable: true, options: ['a', { value: 'b', label: 'B', description: 'the second' }, { value: 'c', disabled: true }, 4] }",
        accept(json!({ "selected": "4" })),
        json!([{
            "name": "selected", "help": "Not available now: c", "kind": "choice",
            "options": [
                { "value": "a" }, { "value": "b", "label": "B", "description": "the second" },
                { "value": "4" },
            ],
        }]),
        json!(4),
    )
    .await;
    check(
        "{ ask: 'select', message: 'Which?', multi: true, options: ['a', 'b', 'c'], default: ['b'] }",
        accept(json!({ "selected": ["c", "a"] })),
        json!([{
            "name": "selected", "kind": "choices", "default": ["b"],
            "options": [{ "value": "a" }, { "value": "b" }, { "value": "c" }],
        }]),
        json!(["a", "c"]),
    )
    .await;
    // Where a yes cannot be taken back nothing is selected at first.
    check(
        "{ ask: 'select', message: 'Which?', dangerous: true, options: ['a', 'b'], default: 'b' }",
        accept(json!({ "selected": "a" })),
        json!([{
            "name": "selected", "kind": "choice",
            "options": [{ "value": "a" }, { "value": "b", "recommended": true }],
        }]),
        json!("a"),
    )
    .await;
    check(
        "{ ask: 'number', message: 'How many?', min: 1, max: 9, step: 2, default: 3 }",
        accept(json!({ "value": 5 })),
        json!([{ "name": "value", "kind": "number", "min": 1.0, "max": 9.0, "step": 2.0, "default": 3.0 }]),
        json!(5),
    )
    .await;
    let file = json!({ "name": "a.txt", "size": 1, "sha256": "0".repeat(64), "path": "/a.txt" });
    check(
        "{ ask: 'file', message: 'Which?', accept: '.txt, .md' }",
        accept(json!({ "file": file })),
        json!([{ "name": "file", "kind": "file", "accept": [".txt", ".md"] }]),
        file.clone(),
    )
    .await;
    check(
        "{ ask: 'file', message: 'Which?', multiple: true }",
        accept(json!({ "file_1": file, "file_3": file })),
        json!([
            { "name": "file_1", "kind": "file" },
            { "name": "file_2", "required": false, "kind": "file" },
            { "name": "file_3", "required": false, "kind": "file" },
            { "name": "file_4", "required": false, "kind": "file" },
            { "name": "file_5", "required": false, "kind": "file" },
        ]),
        json!([file, file]),
    )
    .await;
    check(
        "{ ask: 'date', message: 'When?', min: '2026-01-01', max: '2026-12-31', default: '2026-07-28' }",
        accept(json!({ "value": "2026-02-03" })),
        json!([{
            "name": "value", "kind": "date", "min": "2026-01-01", "max": "2026-12-31",
            "default": "2026-07-28",
        }]),
        json!("2026-02-03"),
    )
    .await;
    check(
        "{ ask: 'date', message: 'When?', includeTime: true }",
        accept(json!({ "value": "2026-02-03T04:05:06Z" })),
        json!([{ "name": "value", "kind": "date-time" }]),
        json!("2026-02-03T04:05:06Z"),
    )
    .await;
    check(
        "{ ask: 'form', message: 'Where?', schema: { properties: { street: { type: 'string' }, sure: { type: 'boolean' } }, required: ['sure'] } }",
        accept(json!({ "street": "Elm", "sure": false })),
        json!([
            { "name": "street", "required": false, "kind": "text" },
            { "name": "sure", "kind": "confirm" },
        ]),
        json!({ "street": "Elm", "sure": false }),
    )
    .await;
    check(
        "{ ask: 'url', message: 'Read it', url: 'https://example.org/terms' }",
        accept(json!({ "opened": true })),
        json!([{ "name": "opened", "kind": "link", "url": "https://example.org/terms" }]),
        json!(true),
    )
    .await;
    check(
        "{ ask: 'rating', message: 'How?', max: 4, lowLabel: 'bad', highLabel: 'good' }",
        accept(json!({ "rating": 3 })),
        json!([{ "name": "rating", "kind": "rating", "max": 4, "lowLabel": "bad", "highLabel": "good" }]),
        json!(3),
    )
    .await;
}

#[tokio::test]
async fn what_every_ask_can_say() {
    let stand = Stand::new();
    let person = Person::says([yes()]);
    let desk = stand.desk(Some(person.clone())).await;
    let source = main(
        "return yield { ask: 'confirm', id: 'sure', message: 'Sure?', details: 'Very.', dangerous: true, timeout: 90 };",
    );
    let result = stand.begin(&desk, &program(&source)).ended().await.unwrap();
    assert_eq!(body(&result)["result"], true);
    let asked = serde_json::to_value(&person.asked()[0]).unwrap();
    assert_eq!(
        asked,
        json!({
            "message": "Sure?", "details": "Very.", "key": "sure", "dangerous": true,
            "timeoutMs": 90_000, "form": [{ "name": "confirmed", "kind": "confirm" }],
        })
    );
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again() {
    let stand = Stand::new();
    let person = Person::says([]);
    let desk = stand.desk(Some(person)).await;
    let run = stand.begin(
        &desk,
        &program(&main(
            "return yield { ask: 'number', message: 'How many?', max: 3 };",
        )),
    );
    let ask = open(&run).await;
    let from = || holdpoint::testing::person(holdpoint::ChannelKind::Terminal, None);
    let reply = async |value: i64| {
        let reply = accept(json!({ "value": value }));
        desk.reply(ask, from(), reply).await.unwrap()
    };
    assert!(matches!(reply(4).await, holdpoint::ReplyResult::Invalid(_)));
    assert!(matches!(reply(2).await, holdpoint::ReplyResult::Settled(_)));
    assert_eq!(body(&run.ended().await.unwrap())["result"], 2);
}

#[tokio::test]
async fn what_belongs_together_is_asked_together() {
    let stand = Stand::new();
    let person = Person::says([]);
    let desk = stand.desk(Some(person)).await;
    let source = main(
        "return yield [{ ask: 'text', id: 'one', message: '1?' }, { ask: 'confirm', id: 'two', message: '2?' }];",
    );
    let run = stand.begin(&desk, &program(&source));
    let both = async || (run.open_asks().len() == 2).then_some(());
    eventually("both asks", both).await;
    // In whatever order they are answered, the script gets them in its own.
    let mut answers = run.open_asks();
    answers.reverse();
    for ask in answers {
        let record = stand.journal.ask(ask).await.unwrap().unwrap();
        let content = match record.key.as_str() {
            "one" => json!({ "value": "first" }),
            _ => json!({ "confirmed": true }),
        };
        let from = holdpoint::testing::person(holdpoint::ChannelKind::Terminal, None);
        desk.reply(ask, from, accept(content)).await.unwrap();
    }
    assert_eq!(
        body(&run.ended().await.unwrap())["result"],
        json!(["first", true])
    );
}

#[tokio::test]
async fn a_file_that_was_given_can_be_read_without_a_permission() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("a.txt");
    std::fs::write(&path, "hello").unwrap();
    let digest = holdpoint::Digest::hash_bytes(b"hello").to_string();
    let file = json!({ "name": "a.txt", "size": 5, "sha256": digest, "path": path });
    let source = main(
        "const file = yield { ask: 'file', message: 'Which?' }; return yield { read: file.path };",
    );
    let stand = Stand::new();
    let result = stand
        .run(&source, vec![accept(json!({ "file": file }))])
        .await;
    assert_eq!(body(&result)["result"], "hello", "{}", text(&result));

    let changed = main(
        "const file = yield { ask: 'file', message: 'Which?' }; yield { ask: 'confirm', message: 'Wait' }; return yield { read: file.path };",
    );
    let other = Stand::new();
    let desk = other
        .desk(Some(Person::says([accept(json!({ "file": file }))])))
        .await;
    let run = other.begin(&desk, &program(&changed));
    let ask = other.asked(&run, "Wait").await;
    std::fs::write(&path, "something else").unwrap();
    let from = holdpoint::testing::person(holdpoint::ChannelKind::Terminal, None);
    desk.reply(ask, from, yes()).await.unwrap();
    let said = text(&run.ended().await.unwrap());
    assert!(said.contains("has changed since"), "{said}");
}
