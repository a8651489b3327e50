//! What scripts await: timers, memory, and whatever else only the flow can give.

use crate::support::{load, program, resume, start};
use holdpoint_script::{Resume, Thrown, TurnEnd};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// Runs `run`, and gives all that the flow is asked for until it returns or fails. A sleep takes the time
/// that it should; everything else takes none, and gets what `answer` says.
pub async fn story(source: &str, answer: impl Fn(&Value) -> Value) -> Vec<Value> {
    let program = program(source);
    let mut told = Vec::new();
    let mut now = Timestamp::UNIX_EPOCH;
    let (mut running, mut turn) = match start(&program, "run").await {
        Ok(started) => started,
        Err(failed) => return vec![json!({ "failed": failed.to_string() })],
    };
    loop {
        let yielded = match turn.end {
            TurnEnd::Returned(value) => {
                told.push(json!({ "returned": value }));
                return told;
            }
            TurnEnd::Yielded(value) => value,
        };
        if let Some(ms) = yielded["sleep"].as_i64() {
            now += SignedDuration::from_millis(ms);
        }
        let with = Resume::Value(answer(&yielded));
        told.push(yielded);
        turn = match running.resume(with, now).await {
            Ok(turn) => turn,
            Err(failed) => {
                told.push(json!({ "failed": failed.to_string() }));
                return told;
            }
        };
    }
}

async fn check(body: &str, expected: Value) {
    for source in [
        format!("export async function* run() {{ {body} }}"),
        format!("export class A {{ async *run() {{ {body} }} }}"),
    ] {
        let told = story(&source, |_| Value::Null).await;
        assert_eq!(Value::from(told), expected, "{body}");
    }
}

#[tokio::test]
async fn a_timer_is_a_sleep_of_the_flow() {
    let wait = "const wait = (ms) => new Promise((done) => setTimeout(done, ms));";
    check(
        &format!("{wait} const before = Date.now(); await wait(500); return Date.now() - before;"),
        json!([{ "sleep": 500 }, { "returned": 500 }]),
    )
    .await;
    check(
        &format!(
            "{wait} const order = []; const one = async (ms) => {{ await wait(ms); order.push(ms); }};
             await Promise.all([one(300), one(100), one(200)]); return order;"
        ),
        json!([{ "sleep": 100 }, { "sleep": 100 }, { "sleep": 100 }, { "returned": [100, 200, 300] }]),
    )
    .await;
    check(
        "const out = []; await new Promise((done) => { setTimeout(() => out.push('never'), 5000);
            setTimeout((a, b) => { out.push(a + b); done(); }, 10, 'x', 'y'); }); return out;",
        json!([{ "sleep": 10 }, { "returned": ["xy"] }]),
    )
    .await;
    check(
        "const id = setTimeout(() => 1, 50); clearTimeout(id); clearTimeout(id); clearTimeout(); return typeof id;",
        json!([{ "returned": "number" }]),
    )
    .await;
    // What is due at once takes no step.
    check(
        &format!("{wait} for (let i = 0; i < 50; i++) await wait(0); await wait(-5); await wait(); return 'done';"),
        json!([{ "returned": "done" }]),
    )
    .await;
    check(
        &format!("{wait} const slow = wait(100); yield 'other'; await slow; return Date.now();"),
        json!(["other", { "sleep": 100 }, { "returned": 100 }]),
    )
    .await;
}

#[tokio::test]
async fn timers_are_bounded() {
    let said = async |body: &str| {
        let told = story(
            &format!("export async function* run() {{ {body} }}"),
            |_| Value::Null,
        )
        .await;
        told.last().unwrap().to_string()
    };
    for (body, words) in [
        (
            "setTimeout(() => {}, 86400001);",
            "a day (86,400,000 ms) at most",
        ),
        (
            "for (;;) setTimeout(() => {}, 5);",
            "more than 1000 timers wait",
        ),
        ("setInterval(() => {}, 5);", "there is no setInterval"),
        ("setTimeout('code', 5);", "setTimeout needs a function"),
        (
            "const f = () => setTimeout(f, 0); f(); await new Promise(() => {});",
            "computed for more than 2s",
        ),
        (
            "setTimeout(() => { throw new Error('in a timer'); }, 5); await new Promise(() => {});",
            "in a timer",
        ),
        ("await new Promise(() => {});", "nothing will ever settle"),
    ] {
        let said = said(body).await;
        assert!(said.contains(words), "{body}: {said}");
    }
}

#[tokio::test]
async fn nothing_is_awaited_while_a_file_is_loaded() {
    for source in [
        "setTimeout(() => {}, 1); export function* run() {}",
        "await new Promise((done) => setTimeout(done, 1)); export function* run() {}",
    ] {
        let error = load(source).unwrap_err().to_string();
        assert!(error.contains("not while the file is loaded"), "{error}");
    }
}

#[tokio::test]
async fn memory_is_asked_of_the_flow() {
    let source = "export class A { async *run() {
        const { memory } = this;
        await memory.set('k', { a: 1 });
        const got = [await memory.get('k'), await memory.has('k'), await memory.keys(), await memory.delete('k')];
        got.push(await memory.update('n', (n) => (n ?? 0) + 1));
        await memory.clear();
        return got; } }";
    let told = story(source, |asked| match asked["memory"].as_str() {
        Some("get") if asked["key"] == "k" => json!({ "a": 1 }),
        Some("get") => json!(4),
        Some("has" | "delete") => json!(true),
        Some("keys") => json!(["k"]),
        _ => Value::Null,
    })
    .await;
    assert_eq!(
        Value::from(told),
        json!([
            { "memory": "set", "key": "k", "json": r#"{"a":1}"# },
            { "memory": "get", "key": "k" },
            { "memory": "has", "key": "k" },
            { "memory": "keys" },
            { "memory": "delete", "key": "k" },
            { "memory": "get", "key": "n" },
            { "memory": "set", "key": "n", "json": "5" },
            { "memory": "clear" },
            { "returned": [{ "a": 1 }, true, ["k"], true, 5] },
        ])
    );
    let odd = "export class A { async *run() { const said = [];
        for (const tried of [() => this.memory.get(5), () => this.memory.get(''), () => this.memory.set('k', undefined),
            () => this.memory.set('k', 1n), () => this.memory.set('k', 'x'.repeat(70000)), () => this.memory.get('k', 'global')])
            try { await tried(); } catch (e) { said.push(e.message); }
        return said; } }";
    let told = story(odd, |_| Value::Null).await;
    let said = told[0]["returned"].as_array().unwrap().clone();
    for (said, words) in said.iter().zip([
        "must be a text",
        "must be a text",
        "JSON can hold",
        "BigInt",
        "64 KB",
        "no scopes",
    ]) {
        assert!(said.as_str().unwrap().contains(words), "{said}");
    }
    assert_eq!(said.len(), 6);
}

/// Those come first that nobody has awaited, also before a yield and before the end.
#[tokio::test]
async fn what_is_not_awaited_is_still_done() {
    let source = "export class A { *run() {
        this.memory.set('a', 1);
        yield { emit: 'status', message: 'x' };
        this.memory.set('b', 2);
        return 'done'; } }";
    let told = story(source, |_| Value::Null).await;
    assert_eq!(
        Value::from(told),
        json!([
            { "memory": "set", "key": "a", "json": "1" },
            { "emit": "status", "message": "x" },
            { "memory": "set", "key": "b", "json": "2" },
            { "returned": "done" },
        ])
    );
}

#[tokio::test]
async fn a_plain_generator_awaits_by_yielding() {
    let source = "export class A { *run() {
        const theme = yield this.memory.get('theme');
        yield new Promise((done) => setTimeout(done, 20));
        let caught;
        try { yield Promise.reject(new Error('no')); } catch (e) { caught = e.message; }
        return [theme, caught, yield { ask: 'text' }, yield Promise.resolve(3)]; } }";
    let told = story(source, |asked| match asked.get("memory") {
        Some(_) => json!("dark"),
        None => asked.get("ask").map_or(Value::Null, |_| json!("answer")),
    })
    .await;
    assert_eq!(
        Value::from(told),
        json!([
            { "memory": "get", "key": "theme" },
            { "sleep": 20 },
            { "ask": "text" },
            { "returned": ["dark", "no", "answer", 3] },
        ])
    );
}

#[tokio::test]
async fn what_the_flow_refuses_is_thrown_where_it_is_awaited() {
    let source = "export class A { async *run() {
        try { await this.memory.get('k'); } catch (e) { return [e.message, e.name, e instanceof AskError]; } } }";
    let program = program(source);
    let (mut running, _) = start(&program, "run").await.unwrap();
    let thrown = Thrown {
        message: "no room".into(),
        ..Thrown::default()
    };
    let turn = running
        .resume(Resume::Throw(thrown), Timestamp::UNIX_EPOCH)
        .await
        .unwrap();
    assert_eq!(
        turn.end,
        TurnEnd::Returned(json!(["no room", "AskError", true]))
    );
}

#[tokio::test]
async fn asks_can_be_awaited() {
    let source = "export class A { async *run() {
        const sure = await this.confirm('Sure?');
        return [sure, await this.elicit({ ask: 'text', message: 'Name?' }), this.ask('number', 'How many?', { min: 1 })]; } }";
    let told = story(source, |asked| match asked["ask"].as_str() {
        Some("confirm") => json!(false),
        _ => json!("Ada"),
    })
    .await;
    assert_eq!(
        Value::from(told),
        json!([
            { "ask": "confirm", "message": "Sure?" },
            { "ask": "text", "message": "Name?" },
            { "returned": [false, "Ada", { "ask": "number", "message": "How many?", "min": 1 }] },
        ])
    );
}

/// A class that has its own keeps it.
#[tokio::test]
async fn a_class_of_ones_own() {
    let source = "export class A { emit(x) { return `own ${x}`; } memory = 'mine'; *run() { return [this.emit(1), this.memory, Object.keys(this)]; } }";
    let told = story(source, |_| Value::Null).await;
    assert_eq!(told, [json!({ "returned": ["own 1", "mine", ["memory"]] })]);
}

/// A run whose realm is lost is run again elsewhere, through what it awaited too.
#[tokio::test]
async fn what_was_awaited_is_given_again_elsewhere() {
    let source = "export class A { async *run() {
        const got = await this.memory.get('k'); await new Promise((done) => setTimeout(done, 5));
        return [got, yield 'here', Date.now()]; }
        *hog() { const all = []; for (;;) all.push(new Array(1000).fill(0)); } }";
    let program = program(source);
    let (mut running, _) = start(&program, "run").await.unwrap();
    resume(&mut running, json!("kept")).await.unwrap();
    let later = Timestamp::UNIX_EPOCH + SignedDuration::from_millis(5);
    let turn = running
        .resume(Resume::Value(Value::Null), later)
        .await
        .unwrap();
    assert_eq!(turn.end, TurnEnd::Yielded(json!("here")));
    start(&program, "hog").await.unwrap_err();
    let turn = running
        .resume(Resume::Value(json!("answer")), later)
        .await
        .unwrap();
    assert_eq!(turn.end, TurnEnd::Returned(json!(["kept", "answer", 5])));
}
