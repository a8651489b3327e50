//! Questions that a script takes for their answers: none of them is a yes.

use crate::{
    support::{load, load_ts, program, start},
    waiting::story,
};
use holdpoint_script::{Resume, Thrown, TurnEnd};
use jiff::Timestamp;
use serde_json::{Value, json};

/// Runs a class with these members; every ask is answered with no. The last thing told is the failure.
async fn fails(members: &str, words: &str) -> Vec<Value> {
    let source =
        format!("import {{ io }} from '@portel/photon-core'; export class A {{ {members} }}");
    let mut told = story(&source, |_| json!(false)).await;
    let last = told.pop().unwrap();
    let failed = last["failed"].as_str().unwrap_or_default();
    assert!(failed.contains(words), "{members}: {last}");
    for yielded in &told {
        assert!(yielded.get("run").is_none(), "{members}: {told:?}");
    }
    told
}

#[tokio::test]
async fn a_promise_of_a_question_is_no_answer() {
    for given in [
        "{ ask: 'confirm', message: 'Deploy?' }",
        "[{ ask: 'confirm', message: 'Deploy?' }]",
        "{ run: ['check'] }",
        "(function* () {})()",
        "(async function* () {})()",
    ] {
        let told = fails(
            &format!("*run() {{ if (yield this.q()) yield {{ run: ['deploy'] }}; }} async q() {{ return {given}; }}"),
            "the yielded promise gives something that is to be yielded itself",
        )
        .await;
        assert!(told.is_empty(), "{told:?}");
    }
    // What the flow answered may look like a question.
    let source = "export class A { *run() {
        return [yield this.memory.get('k'), yield this.elicit({ ask: 'form', message: 'Which?' })]; } }";
    let told = story(source, |_| json!({ "ask": "kept" })).await;
    let kept = json!({ "ask": "kept" });
    assert_eq!(told[2], json!({ "returned": [kept, kept] }));
}

#[tokio::test]
async fn a_question_that_is_awaited_is_asked_of_nobody() {
    let asks_nobody = "makes a question and asks nobody";
    for body in [
        "const sure = io.ask.confirm('Wipe?'); if (await sure) await this.elicit({ run: ['wipe'] });",
        "const sure = await this.q(); if (sure) await this.elicit({ run: ['wipe'] });",
        "const [sure] = await Promise.all([io.ask.confirm('Wipe?')]); if (sure) await this.elicit({ run: ['wipe'] });",
        "const sure = io.ask.confirm('Wipe?'); if (sure) await this.elicit({ run: ['wipe'] });",
        "const sure = io.ask.confirm('Wipe?'); return sure ? 'allowed' : 'not allowed';",
        "const { ask } = this; const sure = ask('confirm', 'Wipe?'); return (await sure) ? 'allowed' : 'not allowed';",
    ] {
        let told = fails(
            &format!("async run() {{ {body} }} async q() {{ return io.ask.confirm('Wipe?'); }}"),
            asks_nobody,
        )
        .await;
        assert!(told.is_empty(), "{told:?}");
    }
}

/// An async generator awaits what it yields.
#[tokio::test]
async fn a_question_that_is_yielded_is_asked() {
    let source = "import { io } from '@portel/photon-core';
        export class A { async q(message) { return io.ask.text(message); }
            async *run() {
                const later = await this.q('Later?');
                const got = [yield io.ask.text('One?'), yield await this.q('Two?')];
                got.push(yield { ...(await this.q('Three?')), id: 'three' });
                got.push(...(yield [io.ask.text('Four?'), await this.q('Five?')]), yield later);
                got.push(yield { run: ['ls'] });
                return got; } }";
    let told = story(source, |asked| match asked {
        Value::Array(asks) => asks.iter().map(|ask| ask["message"].clone()).collect(),
        asked => asked["message"].clone(),
    })
    .await;
    assert_eq!(told.len(), 7, "{told:?}");
    assert_eq!(told[0], json!({ "ask": "text", "message": "One?" }));
    assert_eq!(
        told[6],
        json!({ "returned": ["One?", "Two?", "Three?", "Four?", "Five?", "Later?", null] })
    );
}

#[tokio::test]
async fn nothing_that_is_said_of_an_ask_is_dropped() {
    let source = "export class A { async run() {
        return this.confirm('Drop?', { dangerous: true, word: 'DROP', timeout: 60 }); } }";
    let told = story(source, |_| json!(false)).await;
    assert_eq!(
        told[0],
        json!({ "ask": "confirm", "message": "Drop?", "dangerous": true, "word": "DROP", "timeout": 60 })
    );
    for (call, words) in [
        (
            "io.ask.confirm('Drop?', {}, { dangerous: true })",
            "io.ask.confirm takes 2 arguments, not 3",
        ),
        (
            "this.elicit({ ask: 'confirm', message: 'Drop?' }, { dangerous: true })",
            "this.elicit takes one thing",
        ),
    ] {
        let told = fails(&format!("async run() {{ return {call}; }}"), words).await;
        assert!(told.is_empty());
    }
}

#[tokio::test]
async fn an_answer_that_is_not_awaited_is_no_yes() {
    let gives_a_promise = "gives a promise, not an answer: write `await this.confirm(…)`";
    let no = "const sure = this.confirm('Delete?'); if (sure)";
    for (members, asked) in [
        (
            format!("async *run() {{ {no} yield {{ run: ['rm'] }}; }}"),
            0,
        ),
        (format!("*run() {{ {no} yield {{ run: ['rm'] }}; }}"), 0),
        (
            format!("*run() {{ {no} yield {{ emit: 'status', message: 'x' }}; }}"),
            0,
        ),
        (format!("async run() {{ {no} return 'deleted'; }}"), 0),
        (format!("run() {{ {no} return 'deleted'; }}"), 0),
        // It is asked while the script waits for something else, and its no is lost.
        (
            format!(
                "async *run() {{ {no} {{ await this.memory.set('k', 1); yield {{ run: ['rm'] }}; }} }}"
            ),
            2,
        ),
        (
            format!(
                "async *run() {{ {no} {{ await new Promise((done) => setTimeout(done, 5)); yield {{ run: ['rm'] }}; }} }}"
            ),
            2,
        ),
        (
            format!(
                "async run() {{ {no} {{ await this.memory.set('k', 1); return 'deleted'; }} }}"
            ),
            2,
        ),
    ] {
        let told = fails(&members, gives_a_promise).await;
        assert_eq!(told.len(), asked, "{members}: {told:?}");
    }
    let helper = "async sure() { return this.confirm('Delete?'); }";
    fails(
        &format!("async *run() {{ const sure = this.sure(); if (sure) yield {{ run: ['rm'] }}; }} {helper}"),
        gives_a_promise,
    )
    .await;
    for sure in ["this.confirm('Delete?')", "this.sure()"] {
        fails(
            &format!("async run() {{ const sure = {sure}; if (sure) await this.elicit({{ run: ['rm'] }}); }} {helper}"),
            "a question has not been answered yet",
        )
        .await;
    }
}

#[tokio::test]
async fn answers_may_be_awaited_later_and_together() {
    let source = "export class A { async *run() {
        const later = this.confirm('Later?');
        const kept = await this.memory.get('k');
        const together = await Promise.all([this.confirm('One?'), this.elicit({ ask: 'text', message: 'Two?' })]);
        const chained = await this.confirm('Three?').then((sure) => [sure]);
        const got = [await later, kept, ...together, ...chained];
        yield { run: ['ls'] };
        return got; } }";
    let told = story(source, |asked| {
        asked.get("message").cloned().unwrap_or_default()
    })
    .await;
    assert_eq!(told.len(), 7, "{told:?}");
    assert_eq!(
        told[6],
        json!({ "returned": ["Later?", null, "One?", "Two?", "Three?"] })
    );
}

/// Of several questions one is turned down: that is what ends the script, and the others are not asked.
#[tokio::test]
async fn one_no_ends_what_is_asked_together() {
    let program = program(
        "export class A { async run() { await Promise.all([this.confirm('One?'), this.confirm('Two?')]); } }",
    );
    let (mut running, turn) = start(&program, "run").await.unwrap();
    assert!(matches!(turn.end, TurnEnd::Yielded(_)));
    let declined = Thrown {
        message: "declined".into(),
        outcome: Some("declined".into()),
        ..Thrown::default()
    };
    let failed = running
        .resume(Resume::Throw(declined), Timestamp::UNIX_EPOCH)
        .await
        .unwrap_err();
    assert_eq!(failed.error.outcome(), Some("declined"));
}

#[tokio::test]
async fn only_what_could_be_yielded_is_elicited() {
    for asked in [
        "undefined",
        "null",
        "''",
        "'Sure?'",
        "5",
        "true",
        "{}",
        "[]",
        "[{}]",
        "{ message: 'x' }",
        "",
    ] {
        let told = fails(
            &format!("async run() {{ await Promise.all([this.elicit({asked}), this.confirm('Other?')]); return 'yes'; }}"),
            "this.elicit takes one thing that could be yielded",
        )
        .await;
        assert!(told.is_empty(), "{asked}: {told:?}");
    }
}

#[test]
fn a_question_in_a_condition_is_refused() {
    let asks_nobody =
        "makes a question and asks nobody: `yield` it, or write `await this.confirm(…)` instead";
    for body in [
        "if (await io.ask.confirm('x')) return 1;",
        "const sure = await io.ask.confirm('x');",
        "if (io.ask.confirm('x')) return 1;",
        "if (!io.ask.confirm('x')) return 1;",
        "if (1 && (io.ask.confirm('x'))) return 1;",
        "const a = io.ask.confirm('x') && 1;",
        "const a = io.ask.confirm('x') || 1;",
        "const a = io.ask.confirm('x') ? 1 : 2;",
        "while (io.ask.confirm('x')) return 1;",
        "do {} while (io.ask.confirm('x'));",
        "for (; io.ask.confirm('x'); ) return 1;",
        "switch (io.ask.confirm('x')) { case false: return; }",
        "if (io.ask.confirm('x') !== false) return 1;",
        "if (io?.ask.confirm?.('x')) return 1;",
        "if (other.confirm('x')) return 1;",
        "if (all.io.ask.confirm('x')) return 1;",
        "if (await all.ask.confirm('x')) return 1;",
        "if (await this.ask('confirm', 'x')) return 1;",
    ] {
        refused(body, asks_nobody);
    }
    refused(
        "await io.ask.text('x');",
        "or write `await this.elicit({ ask: … })` instead",
    );
    refused(
        "if (this.confirm('x')) return 1;",
        "which is always true: write `await this.confirm(…)`",
    );
    refused(
        "if (!this.later()) return 1;",
        "which is always true: write `await this.later(…)`",
    );
    for body in [
        "if (await this.sure()) return 1;",
        "const a = await this.sure();",
        "if (this.#safe()) return 1;",
    ] {
        refused(
            body,
            "gives a generator that has not run, and asks nobody: write `yield* this.",
        );
    }
}

fn source(body: &str) -> String {
    format!(
        "import {{ io, ask as other }} from '@portel/photon-core'; import * as all from '@portel/photon';
         export class A {{ async *sure() {{}} *#safe() {{}} async later() {{}} plain() {{}}
         async *run() {{\n    {body} }} }}"
    )
}

fn refused(body: &str, words: &str) {
    for loaded in [load(&source(body)), load_ts(&source(body))] {
        let error = loaded.expect_err(body).to_string();
        assert!(error.contains(words), "{body}: {error}");
        assert!(error.contains(":4:"), "{body}: {error}");
    }
}

#[test]
fn what_only_resembles_it_is_taken() {
    for body in [
        "if (yield io.ask.confirm('x')) return 1;",
        "const question = 1 && io.ask.confirm('x'); if (question) yield question;",
        "if (await this.confirm('x')) return 1;",
        "if (await this.later()) return 1;",
        "if (this.plain()) return 1;",
        "if (yield* this.sure()) return 1;",
        "if (io.emit.status('x')) return 1;",
    ] {
        load(&source(body)).unwrap_or_else(|error| panic!("{body}: {error}"));
    }
    for own in [
        "async ask() {}",
        "ask = async () => 1;",
        "constructor() { this.ask = async () => 1; }",
    ] {
        let source =
            format!("export class A {{ {own} async run() {{ if (await this.ask()) return 1; }} }}");
        load(&source).unwrap_or_else(|error| panic!("{own}: {error}"));
    }
}
