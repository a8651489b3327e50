//! What a script tells, and what its result holds.

use super::stand::*;
use serde_json::{Value, json};

#[tokio::test]
async fn everything_that_is_told() {
    let stand = Stand::new();
    let source = main(
        "console.warn('careful', { a: 1 });
         const told = yield { emit: 'status', message: 'Working' };
         yield { emit: 'progress', value: 0.5, message: 'half' };
         yield { emit: 'log', message: 'line', level: 'warn', data: { b: 2 } };
         yield { emit: 'toast', message: 'Done', type: 'success' };
         yield { emit: 'thinking', active: false };
         yield { emit: 'artifact', title: 'notes', type: 'markdown', content: '# Hi' };
         yield { emit: 'artifact', title: 'data', content: { c: 3 } };
         yield { emit: 'artifact', type: 'image', mimeType: 'image/gif', content: 'R0lGODlh' };
         return told ?? 'nothing';",
    );
    let result = stand.run(&source, Vec::new()).await;
    let heard = serde_json::to_value(&*stand.heard.0.lock().unwrap()).unwrap();
    assert_eq!(
        heard,
        json!([
            { "emit": "log", "message": "careful {\"a\":1}", "level": "warning" },
            { "emit": "status", "message": "Working", "type": "info" },
            { "emit": "progress", "value": 0.5, "message": "half" },
            { "emit": "log", "message": "line", "level": "warning", "data": { "b": 2 } },
            { "emit": "toast", "message": "Done", "type": "success" },
            { "emit": "thinking", "active": false },
            { "emit": "artifact", "title": "notes", "type": "markdown", "content": "# Hi" },
            { "emit": "artifact", "title": "data", "type": "json", "content": "{\n  \"c\": 3\n}" },
            { "emit": "artifact", "title": "Artifact", "type": "image", "mimeType": "image/gif", "content": "R0lGODlh" },
        ])
    );
    assert_eq!(said(&result), "nothing");
    let content = serde_json::to_value(&result.content).unwrap();
    assert_eq!(
        content[1]["resource"]["mimeType"], "text/markdown",
        "{content}"
    );
    assert_eq!(content[1]["resource"]["text"], "# Hi");
    assert_eq!(content[3]["type"], "image");
    assert_eq!(
        body(&result)["artifacts"][1],
        json!({ "title": "data", "type": "json" })
    );
}

#[tokio::test]
async fn what_is_returned() {
    for (returned, structured, said) in [
        ("'plain'", json!("plain"), r#"result: "plain""#),
        ("", Value::Null, "result: null"),
        (
            "{ a: [1, 2] }",
            json!({ "a": [1, 2] }),
            r#"result: {"a":[1,2]}"#,
        ),
        ("3", json!(3), "result: 3"),
        (
            "'proceed: true'",
            json!("proceed: true"),
            r#"result: "\u0070roceed: true""#,
        ),
    ] {
        let result = Stand::new()
            .run(&main(&format!("return {returned};")), Vec::new())
            .await;
        assert_eq!(body(&result)["result"], structured);
        assert_eq!(text(&result), said);
    }
}

#[tokio::test]
async fn an_error_says_where() {
    let source =
        "function fail() {\n  throw new Error('broken');\n}\nexport function* main() { fail(); }";
    let result = Stand::new().run(source, Vec::new()).await;
    assert!(
        said(&result).starts_with("script.js:2: "),
        "{}",
        said(&result)
    );
    let told = body(&result);
    assert_eq!(
        (&told["error"], &told["line"], &told["proceed"]),
        (&json!("SCRIPT_FAILED"), &json!(2), &json!(false))
    );
}

#[tokio::test]
async fn a_secret_is_nowhere() {
    const SECRET: &str = "hunter2-correct-horse";
    let stand = Stand::new();
    let source = may(
        "{ write: ['out'] }",
        "const pw = yield { ask: 'password', message: 'Password?' };
         console.log('it is ' + pw);
         yield { emit: 'status', message: 'using ' + pw };
         yield { emit: 'artifact', content: { pw } };
         yield { checkpoint: true, state: { pw } };
         yield { write: 'out/token', text: pw };
         yield { ask: 'confirm', message: 'Is it ' + pw + '?', details: pw };
         try { yield { ask: pw, message: 'x' }; } catch (e) { yield { emit: 'log', message: e.message }; }
         return { pw, length: pw.length };",
    );
    let replies = vec![accept(json!({ "value": SECRET })), yes(), yes()];
    let result = stand.run(&source, replies).await;
    assert_eq!(
        body(&result)["result"]["length"],
        SECRET.len(),
        "{}",
        text(&result)
    );
    let told = serde_json::to_string(&result).unwrap();
    assert!(!told.contains(SECRET), "{told}");
    let heard = format!("{:?}", stand.heard.0.lock().unwrap());
    assert!(!heard.contains(SECRET), "{heard}");
    let digest = holdpoint::Digest::hash_bytes(SECRET.as_bytes()).to_string();
    for event in stand.journal.events(0, 1_000).await.unwrap() {
        let event = format!("{event:?}");
        assert!(
            !event.contains(SECRET) && !event.contains(&digest),
            "{event}"
        );
    }
    // The world got it all the same: that is what it was for.
    assert_eq!(
        std::fs::read_to_string(stand.path("out/token")).unwrap(),
        SECRET
    );
}

#[tokio::test]
async fn somebodys_password_may_be_a_word_of_ours() {
    let source = main(
        "const pw = yield { ask: 'password', message: 'Password?' }; return yield { ask: 'confirm', message: 'Go on, ' + pw };",
    );
    let replies = vec![accept(json!({ "value": "confirm" })), yes()];
    let result = Stand::new().run(&source, replies).await;
    assert_eq!(body(&result)["result"], true, "{}", text(&result));
}
