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

fn heard(stand: &Stand) -> Value {
    serde_json::to_value(&*stand.heard.0.lock().unwrap()).unwrap()
}

#[tokio::test]
async fn what_no_surface_can_show_is_shown_as_something_else() {
    let stand = Stand::new();
    let source = main(
        "yield { emit: 'stream', data: 'one ' }; yield { emit: 'stream', data: { n: 2 }, final: true };
         yield 'plain text';
         yield { emit: 'qr', value: 'https://example.com', message: 'Scan it' };
         yield { emit: 'ui', id: 'prefs', data: { theme: 'dark' }, mode: 'dialog' };
         yield { emit: 'ui', inline: '<script>alert(1)</script>', title: 'Own page' };
         yield { emit: 'render', format: 'table', value: [['a', 1]] };
         yield { emit: 'render', format: 'markdown', value: '# Hi' };
         yield { emit: 'render', format: 'qr', value: { value: 'code' } };
         yield { emit: 'render:clear' };
         yield { emit: 'artifact', type: 'image', url: 'https://example.com/x.png', title: 'Chart', mimeType: 'image/png' };
         yield { emit: 'artifact', type: 'document', content: '# Doc' };
         yield { emit: 'board:moved', task: 1 };",
    );
    let result = stand.run(&source, Vec::new()).await;
    let log = |message: &str| json!({ "emit": "log", "message": message, "level": "info" });
    assert_eq!(
        heard(&stand),
        json!([
            log("one "),
            log("{\"n\":2}"),
            log("plain text"),
            { "emit": "artifact", "title": "Scan it", "type": "text", "language": "qr", "content": "https://example.com" },
            { "emit": "artifact", "title": "prefs", "type": "json", "content": "{\n  \"theme\": \"dark\"\n}" },
            { "emit": "artifact", "title": "Own page", "type": "html", "content": "<script>alert(1)</script>" },
            { "emit": "artifact", "title": "table", "type": "json", "content": "[\n  [\n    \"a\",\n    1\n  ]\n]" },
            { "emit": "artifact", "title": "Markdown", "type": "markdown", "content": "# Hi" },
            { "emit": "artifact", "title": "QR code", "type": "text", "language": "qr", "content": "code" },
            { "emit": "artifact", "title": "Chart", "type": "text", "content": "https://example.com/x.png" },
            { "emit": "artifact", "title": "Artifact", "type": "markdown", "content": "# Doc" },
            { "emit": "log", "message": "there is no emit 'board:moved'; it is logged as it is", "level": "warning" },
            { "emit": "log", "message": "board:moved", "level": "info", "data": { "task": 1 } },
        ])
    );
    let made = body(&result)["artifacts"].clone();
    assert_eq!(made[0]["title"], "Streamed text", "{made}");
    assert_eq!(made.as_array().unwrap().len(), 10, "{made}");
}

/// A method that is no generator tells with `this.emit`; it goes the same way.
#[tokio::test]
async fn what_is_emitted_without_a_yield() {
    let stand = Stand::new();
    let source = "export class Tool { *main() {
        this.emit({ emit: 'status', message: 'Working' });
        console.log('between');
        this.emit('status', 'Nearly'); this.emit('progress', 0.5); this.emit('toast', { message: 'Hi', type: 'success' });
        this.emit('Just this');
        this.render('status', 'Rendered'); this.render('table', [[1]]); this.render();
        this.emit({ status: 'odd', progress: 50 }); this.emit(undefined); this.emit({ emit: 'progress', value: 50 });
        this.emit({ emit: 'artifact', title: 'Made', content: 'x' });
        return 'done'; } }";
    let result = stand.run(source, Vec::new()).await;
    let status = |message: &str| json!({ "emit": "status", "message": message, "type": "info" });
    assert_eq!(
        heard(&stand),
        json!([
            status("Working"),
            { "emit": "log", "message": "between", "level": "info" },
            status("Nearly"),
            { "emit": "progress", "value": 0.5 },
            { "emit": "toast", "message": "Hi", "type": "success" },
            status("Just this"),
            status("Rendered"),
            { "emit": "artifact", "title": "table", "type": "json", "content": "[\n  [\n    1\n  ]\n]" },
            { "emit": "log", "message": "emit", "level": "info", "data": { "status": "odd", "progress": 50 } },
            { "emit": "log", "message": "the emit 'progress': `value`: it must be from 0 to 1", "level": "warning" },
            { "emit": "artifact", "title": "Made", "type": "text", "content": "x" },
        ])
    );
    assert_eq!(said(&result), "done");
    assert_eq!(body(&result)["artifacts"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_emitted_without_a_yield_is_bounded_and_masked() {
    let stand = Stand::new();
    let source = "export class Tool { *main() {
        const pw = yield { ask: 'password', message: 'Password?' };
        this.emit({ emit: 'status', message: `it is ${pw}` });
        for (let i = 0; i < 2000; i++) this.emit({ emit: 'log', message: `${i}` });
        yield { emit: 'status', message: 'next' };
        this.emit({ emit: 'log', message: 'x'.repeat(2000000) });
        return 'done'; } }";
    let replies = vec![accept(json!({ "value": "hunter2secret" }))];
    assert_eq!(said(&stand.run(source, replies).await), "done");
    let heard = heard(&stand);
    assert!(!heard.to_string().contains("hunter2secret"));
    let lines = heard.as_array().unwrap();
    assert_eq!(lines.len(), 500 + 1 + 1 + 1);
    assert_eq!(lines[500]["message"], "1501 more lines were left out");
    assert_eq!(lines[502]["message"], "1 more lines were left out");
}

/// Fields about looks that nobody knows are a warning, once; the ask is asked.
#[tokio::test]
async fn unknown_fields_about_looks_are_a_warning() {
    let stand = Stand::new();
    let source = main(
        "const said = [];
         for (let i = 0; i < 2; i++) said.push(yield { ask: 'confirm', message: 'Sure?', default: true, icon: 'trash', question: 'Sure?' });
         yield { emit: 'status', message: 'a', colour: 'red', type: 'loud' };
         said.push(yield { ask: 'select', message: 'b', layout: 'cards', columns: 2, filters: ['All'], options: [
             { value: 'x', label: 'X', image: 'i.png', price: 12.5, currency: 'EUR', badge: 'New', selected: true, hue: 1 },
             { value: 'y', disabled: true, disabledReason: 'sold out' }, 'z'] });
         return said;",
    );
    let person = Person::says([yes(), yes(), accept(json!({ "selected": "z" }))]);
    let desk = stand.desk(Some(person.clone())).await;
    let result = stand.begin(&desk, &program(&source)).ended().await.unwrap();
    assert_eq!(
        body(&result)["result"],
        json!([true, true, "z"]),
        "{}",
        text(&result)
    );
    let lines = heard(&stand);
    let warned: Vec<_> = lines
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["level"] == "warning")
        .collect();
    let words: Vec<_> = warned
        .iter()
        .map(|line| line["message"].as_str().unwrap())
        .collect();
    assert_eq!(words.len(), 4, "{words:?}");
    assert_eq!(
        words[0],
        "the ask 'confirm' has no field `icon`; it is ignored"
    );
    assert!(
        words[1].contains("`type`: unknown variant `loud`"),
        "{words:?}"
    );
    assert_eq!(
        words[2],
        "the emit 'status' has no field `colour`; it is ignored"
    );
    assert_eq!(
        words[3],
        "the ask 'select': `options[0]` has no field `hue`; it is ignored"
    );
    let asked = serde_json::to_value(&person.asked()[2].form).unwrap();
    assert!(asked.to_string().contains("12.5 EUR · New"), "{asked}");
    assert!(asked.to_string().contains("y (sold out)"), "{asked}");
    assert!(asked.to_string().contains("recommended"), "{asked}");
    assert!(
        !asked.to_string().contains("default"),
        "what is selected at first decides nothing: {asked}"
    );
}

/// What was probably meant to make an ask stricter is never ignored.
#[tokio::test]
async fn what_would_loosen_an_ask_is_refused() {
    for field in [
        "dangerous_: true",
        "dangeros: true",
        "Dangerous: true",
        "isDangerous: true",
        "danger: true",
        "destructive: true",
        "irreversible: true",
        "wrod: 'drop'",
        "consequense: 'x'",
        "requierd: true",
        "time_out: 5",
        "timeOut: 5",
        "tiemout: 5",
    ] {
        let stand = Stand::new();
        let source = main(&format!(
            "return yield {{ ask: 'confirm', message: 'Sure?', {field} }};"
        ));
        let person = Person::says([yes()]);
        let desk = stand.desk(Some(person.clone())).await;
        let result = stand.begin(&desk, &program(&source)).ended().await.unwrap();
        assert!(
            said(&result).contains("did you mean `"),
            "{field}: {}",
            text(&result)
        );
        assert!(person.asked().is_empty(), "{field}: nobody is asked");
    }
}
