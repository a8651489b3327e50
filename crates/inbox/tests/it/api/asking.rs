//! Programs that ask with a token: what they get, and what they do not.

use super::{programs::*, stand::*};
use axum::{
    body::{Body, BodyDataStream},
    http::Request,
};
use futures::StreamExt;
use holdpoint::{Ask, AskId, Origin, journal::NewAsk};
use holdpoint_inbox::tokens::{May, Tokens};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;

const ASK: (&str, &str) = ("POST", "/api/asks");

fn id(told: &Value) -> AskId {
    told["askId"].as_str().expect("an ask").parse().unwrap()
}

fn path(told: &Value, more: &str) -> String {
    format!("/api/asks/{}{more}", id(told))
}

/// The one token `ci`, which may ask.
async fn ci() -> (Programs, String) {
    let programs = Programs::new().await;
    let ci = programs.bearer("ci", &[May::Ask]).await;
    (programs, ci)
}

async fn ask(programs: &Programs, shown: &str) -> Value {
    let (status, told) = programs.send(shown, ASK, Some(question())).await;
    assert_eq!(status, 201, "{told}");
    told
}

#[tokio::test]
async fn a_program_asks_and_waits_for_what_a_person_decides() {
    let (programs, ci) = ci().await;
    let asked = programs
        .stand
        .send(from_program(&ci, ASK, Some(question())));
    let asked = asked.await;
    assert_eq!(asked.status(), 201);
    let place = asked.headers()["location"].to_str().unwrap().to_owned();
    let told = json_of(asked).await;
    assert_eq!(place, path(&told, ""));
    assert_eq!(
        (&told["status"], &told["proceed"]),
        (&json!("pending"), &json!(false))
    );
    assert!(
        told["deadlineAt"].is_string() && told["values"].is_null(),
        "{told}"
    );
    let url = format!("http://{HOST}/ask/{}", id(&told));
    assert_eq!(told["url"], json!(url));

    // A person sees whose question it is.
    let listed = programs.stand.get("/api/asks").await;
    assert_eq!(listed["asks"][0]["agent"], "ci", "{listed}");
    let shown = programs.stand.get(&path(&told, "")).await;
    assert_eq!(shown["origin"]["who"], "ci asks");
    assert_eq!(shown["form"]["fields"][1]["name"], "when");

    let long = path(&told, "?wait=60");
    let waits = programs.send(&ci, ("GET", &long), None);
    let answers = programs.stand.respond(
        id(&told),
        "accept",
        json!({ "confirmed": true, "when": "now" }),
    );
    let ((status, told), _) = tokio::join!(waits, answers);
    assert_eq!(status, 200);
    let wanted = json!({
        "status": "accepted", "askId": told["askId"], "channel": "inbox", "answeredBy": "ann",
        "durationMs": told["durationMs"], "proceed": true, "nextStep": "Go on with the person's answers.",
        "values": { "confirmed": true, "when": "now" },
    });
    assert_eq!(told, wanted);
    let record = programs
        .stand
        .journal
        .ask(id(&told))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(record.origin.principal, "token:ci");
    assert_eq!(record.origin.tool.as_deref(), Some("POST /api/asks"));
}

#[tokio::test]
async fn only_a_yes_lets_a_program_go_on() {
    let (programs, ci) = ci().await;
    for (action, content, status) in [
        ("decline", json!({}), "declined"),
        ("cancel", json!({}), "cancelled"),
        (
            "accept",
            json!({ "confirmed": false, "when": "now" }),
            "accepted",
        ),
    ] {
        let told = ask(&programs, &ci).await;
        programs.stand.respond(id(&told), action, content).await;
        let (_, told) = programs.send(&ci, ("GET", &path(&told, "")), None).await;
        assert_eq!(
            (&told["status"], &told["proceed"]),
            (&json!(status), &json!(false)),
            "{told}"
        );
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_told_by_its_place_and_nothing_is_stored() {
    let (programs, ci) = ci().await;
    let head = programs.stand.journal.head().await.unwrap();
    let field = |field: Value| json!({ "message": "Go on?", "fields": [field] });
    let long = "x".repeat(64 * 1024 + 1);
    let many: Vec<_> = (0..21)
        .map(|n| json!({ "name": format!("f{n}"), "kind": "confirm" }))
        .collect();
    let cases = [
        (json!({}), "message", "is missing"),
        (
            json!({ "message": 3, "fields": [] }),
            "message",
            "expected a string",
        ),
        (json!({ "message": "Go on?" }), "fields", "is missing"),
        (
            json!({ "message": "Go on?", "fields": [] }),
            "fields",
            "at least one field",
        ),
        (
            json!({ "message": "Go on?", "fields": [], "schema": {} }),
            "schema",
            "only one of them",
        ),
        (
            json!({ "message": "Go on?", "feilds": [] }),
            "feilds",
            "did you mean `fields`?",
        ),
        (
            json!({ "message": "Go on?", "inPerson": false, "fields": [] }),
            "inPerson",
            "is not known",
        ),
        (
            field(json!({ "name": "a" })),
            "fields[0].kind",
            "is missing: one of text",
        ),
        (
            field(json!({ "name": "a", "kind": "txt" })),
            "fields[0].kind",
            "did you mean text?",
        ),
        (
            field(json!({ "name": "a", "kind": "text", "min": 3 })),
            "fields[0].min",
            "(kind text)",
        ),
        (
            field(json!({ "name": "a", "kind": "secret" })),
            "fields[0].kind",
            "secrets cannot be asked for",
        ),
        (
            field(json!({ "name": "apiKey", "kind": "text" })),
            "fields[0].name",
            "secrets cannot be asked for",
        ),
        (
            json!({ "message": "Go on?", "fields": [{ "name": "a", "kind": "confirm" }], "details": long }),
            "details",
            "65536 bytes",
        ),
        (
            json!({ "message": "Go on?", "schema": { "type": "object", "properties": { "pw": { "type": "string", "format": "password" } } } }),
            "schema.properties.pw",
            "secrets",
        ),
    ];
    for (body, argument, words) in cases {
        let (status, told) = programs.send(&ci, ASK, Some(body)).await;
        assert_eq!(
            (status, &told["error"]["argument"]),
            (422, &json!(argument)),
            "{told}"
        );
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{message}");
    }
    for (body, words) in [
        (
            json!({ "message": " ", "fields": [{ "name": "a", "kind": "confirm" }] }),
            "message is empty",
        ),
        (
            json!({ "message": long, "fields": [{ "name": "a", "kind": "confirm" }] }),
            "at most 65536",
        ),
        (json!({ "message": "Go on?", "fields": many }), "at most 20"),
    ] {
        let (status, told) = programs.send(&ci, ASK, Some(body)).await;
        assert_eq!(
            (status, &told["error"]["code"]),
            (422, &json!("cannot_be_asked")),
            "{told}"
        );
        assert!(
            told["error"]["message"].as_str().unwrap().contains(words),
            "{told}"
        );
    }
    for (body, status) in [
        ("", 400),
        ("[]", 400),
        ("{", 400),
        (r#"{"message":"a","message":"b"}"#, 400),
        (
            &format!(r#"{{"message":"{}"}}"#, "x".repeat(1024 * 1024)),
            413,
        ),
    ] {
        let mut request = from_program(&ci, ASK, None);
        *request.body_mut() = Body::from(body.to_owned());
        assert_eq!(programs.stand.send(request).await.status(), status);
    }
    let mut text = from_program(&ci, ASK, Some(question()));
    text.headers_mut()
        .insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(programs.stand.send(text).await.status(), 415);
    assert_eq!(
        programs.stand.journal.head().await.unwrap(),
        head,
        "nothing was stored"
    );
}

fn with_key(mut request: Request<Body>, key: &str) -> Request<Body> {
    request
        .headers_mut()
        .append("idempotency-key", key.parse().unwrap());
    request
}

#[tokio::test]
async fn under_one_key_a_question_is_asked_once() {
    let (programs, ci) = ci().await;
    let other = programs.bearer("other", &[May::Ask]).await;
    let elsewhere = programs.elsewhere().await;
    let send = async |stand: &Stand, shown: &str, key: &str, body: Value| {
        let told = stand
            .send(with_key(from_program(shown, ASK, Some(body)), key))
            .await;
        (told.status().as_u16(), json_of(told).await)
    };
    // Many at once, at two processes.
    let sent = (0..8).map(|n| {
        let stand = if n % 2 == 0 {
            &programs.stand
        } else {
            &elsewhere
        };
        send(stand, &ci, "deploy-17", question())
    });
    let told = futures::future::join_all(sent).await;
    let first = id(&told[0].1);
    assert!(told.iter().all(|(_, told)| id(told) == first), "{told:?}");
    let new = told.iter().filter(|(status, _)| *status == 201);
    assert_eq!(
        (
            new.count(),
            programs.stand.journal.open_asks().await.unwrap()
        ),
        (1, 1)
    );

    let mut changed = question();
    changed["message"] = "Drop production?".into();
    let (status, refused) = send(&programs.stand, &ci, "deploy-17", changed.clone()).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (422, &json!("key_used")),
        "{refused}"
    );
    let (status, told) = send(&programs.stand, &ci, "deploy-18", changed).await;
    assert_eq!((status, id(&told) == first), (201, false));
    let (status, told) = send(&programs.stand, &other, "deploy-17", question()).await;
    assert_eq!(
        (status, id(&told) == first),
        (201, false),
        "another's key is another key"
    );

    // After it was answered it gives the answer, and asks nobody.
    programs
        .stand
        .respond(first, "accept", json!({ "confirmed": true }))
        .await;
    let (status, told) = send(&elsewhere, &ci, "deploy-17", question()).await;
    assert_eq!(
        (status, id(&told), &told["status"]),
        (200, first, &json!("accepted"))
    );

    for key in ["", &"x".repeat(256)] {
        assert_eq!(
            send(&programs.stand, &ci, key, question()).await.0,
            400,
            "{key}"
        );
    }
    let twice = with_key(with_key(from_program(&ci, ASK, Some(question())), "a"), "a");
    assert_eq!(programs.stand.send(twice).await.status(), 400);
    assert_eq!(programs.stand.journal.open_asks().await.unwrap(), 2);
}

#[tokio::test]
async fn a_program_sees_nothing_but_what_it_asked() {
    let (programs, ci) = ci().await;
    let other = programs.bearer("other", &[May::Ask]).await;
    let own = ask(&programs, &ci).await;
    let agents = programs.stand.open(Ask::confirm("Go on?")).await;
    // What the same token asked over MCP is answered there.
    let mcp = Origin {
        principal: "token:ci".into(),
        ..origin("elicit_form")
    };
    let mcp = open_from(programs.stand.journal.as_ref(), mcp, Ask::confirm("Go on?")).await;
    let never = AskId::new();
    let others = [(&other, id(&own)), (&ci, agents), (&ci, mcp), (&ci, never)];
    for (shown, ask) in others {
        let one = format!("/api/asks/{ask}");
        let events = format!("{one}/events");
        for request in [
            ("GET", one.as_str()),
            ("DELETE", one.as_str()),
            ("GET", events.as_str()),
        ] {
            let (status, told) = programs.send(shown, request, None).await;
            assert_eq!(
                (status, &told["error"]["code"]),
                (404, &json!("unknown_ask")),
                "{request:?}"
            );
        }
    }
    assert_eq!(
        programs.send(&ci, ("GET", "/api/asks/x"), None).await.0,
        404
    );
    let one = path(&own, "");
    for request in [
        ("GET", "/api/asks"),
        ("GET", "/api/events"),
        ("GET", "/api/log"),
        ("GET", "/api/log/odd"),
        ("GET", "/api/stats"),
        ("GET", "/api/scripts"),
        ("GET", "/api/first-steps"),
        ("POST", "/api/elicitation/respond"),
        ("POST", "/api/elicitation/respond-many"),
        ("POST", "/api/session"),
        ("PUT", one.as_str()),
        ("POST", one.as_str()),
        ("POST", &path(&own, "/extend")),
        ("POST", &path(&own, "/shown")),
        ("POST", &path(&own, "/files/x")),
    ] {
        let (status, told) = programs.send(&ci, request, Some(json!({}))).await;
        assert_eq!(status, 403, "{request:?}: {told}");
    }
    for wrong in [
        "Bearer x",
        "Bearer",
        "Basic eDp5",
        &ci.replace("ci", "other"),
    ] {
        for request in [ASK, ("GET", one.as_str()), ("DELETE", one.as_str())] {
            assert_eq!(
                programs.send(wrong, request, Some(question())).await.0,
                401,
                "{wrong}"
            );
        }
    }
    assert_eq!(programs.stand.journal.open_asks().await.unwrap(), 3);
}

#[tokio::test]
async fn a_page_of_another_origin_and_a_browser_ask_nothing() {
    let (programs, ci) = ci().await;
    let own = ask(&programs, &ci).await;
    let (one, events) = (path(&own, ""), path(&own, "/events"));
    for (header, value) in [
        ("host", "evil.example:4653"),
        ("host", "127.0.0.1:80"),
        ("origin", "http://evil.example"),
        ("origin", "http://127.0.0.1:9999"),
        ("sec-fetch-site", "cross-site"),
    ] {
        for request in [
            ASK,
            ("GET", one.as_str()),
            ("GET", events.as_str()),
            ("DELETE", one.as_str()),
            ("GET", "/api/openapi.json"),
        ] {
            let mut sent = from_program(&ci, request, Some(question()));
            sent.headers_mut().insert(header, value.parse().unwrap());
            assert_eq!(
                programs.stand.send(sent).await.status(),
                403,
                "{header}: {value}"
            );
        }
    }
    // A browser that a person let in answers; it is no program.
    let (status, told) = programs.stand.try_post("/api/asks", question()).await;
    assert_eq!(
        (status.as_u16(), &told["error"]["code"]),
        (403, &json!("not_allowed"))
    );
    assert_eq!(programs.stand.try_get(&events).await.0, 403);
    let delete = Request::delete(one.as_str())
        .header("host", HOST)
        .header("x-holdpoint-token", &programs.stand.token);
    let delete = programs
        .stand
        .send(delete.body(Body::empty()).unwrap())
        .await;
    assert_eq!(delete.status(), 403);
    assert_eq!(programs.stand.journal.open_asks().await.unwrap(), 1);
}

#[tokio::test]
async fn a_token_that_is_revoked_ends_its_waits_and_opens_nothing() {
    let (programs, ci) = ci().await;
    let told = ask(&programs, &ci).await;
    let (long, events) = (path(&told, "?wait=60"), path(&told, "/events"));
    let mut events = Events::of(
        programs
            .stand
            .send(from_program(&ci, ("GET", &events), None))
            .await,
    );
    assert_eq!(events.next().await.unwrap().0, "pending");
    let waits = programs.send(&ci, ("GET", &long), None);
    let (waited, revoked) = tokio::join!(waits, programs.tokens.revoke("ci"));
    assert!(revoked.unwrap());
    assert_eq!(
        (waited.0, &waited.1["error"]["code"]),
        (401, &json!("no_token"))
    );
    assert_eq!(events.next().await, None);
    // A new token of that name is the same program, which somebody gave a new key.
    let again = programs.bearer("ci", &[May::Ask]).await;
    assert_eq!(
        programs.send(&ci, ("GET", &path(&told, "")), None).await.0,
        401
    );
    assert_eq!(
        programs
            .send(&again, ("GET", &path(&told, "")), None)
            .await
            .0,
        200
    );
}

#[tokio::test]
async fn events_tell_that_an_ask_waits_and_how_it_ended() {
    let (programs, ci) = ci().await;
    let told = ask(&programs, &ci).await;
    let request = from_program(&ci, ("GET", &path(&told, "/events")), None);
    let answer = programs.stand.send(request).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut events = Events::of(answer);
    let (name, data) = events.next().await.unwrap();
    assert_eq!(
        (name.as_str(), &data["status"]),
        ("pending", &json!("pending"))
    );
    // Whatever else happens is not told.
    programs.stand.open(Ask::confirm("Somebody else's?")).await;
    programs
        .stand
        .respond(id(&told), "decline", json!({}))
        .await;
    let (name, data) = events.next().await.unwrap();
    assert_eq!(
        (name.as_str(), &data["status"]),
        ("settled", &json!("declined"))
    );
    assert_eq!(data["askId"], told["askId"]);
    assert_eq!(events.next().await, None);
    // Who comes late is told the end at once.
    let request = from_program(&ci, ("GET", &path(&told, "/events")), None);
    let mut events = Events::of(programs.stand.send(request).await);
    assert_eq!(events.next().await.unwrap().0, "settled");
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_program_takes_back_what_it_asked() {
    let (programs, ci) = ci().await;
    let told = ask(&programs, &ci).await;
    let delete = path(&told, "");
    let delete = ("DELETE", delete.as_str());
    let (status, withdrawn) = programs.send(&ci, delete, None).await;
    assert_eq!(
        (status, &withdrawn["status"]),
        (200, &json!("withdrawn")),
        "{withdrawn}"
    );
    let late = programs
        .stand
        .respond(id(&told), "accept", json!({ "confirmed": true }))
        .await;
    assert_eq!(late["result"], "late", "{late}");
    assert_eq!(programs.send(&ci, delete, None).await, (200, withdrawn));
    // What a person decided stays.
    let told = ask(&programs, &ci).await;
    programs
        .stand
        .respond(id(&told), "accept", json!({ "confirmed": true }))
        .await;
    let (_, ended) = programs.send(&ci, ("DELETE", &path(&told, "")), None).await;
    assert_eq!(
        (&ended["status"], &ended["proceed"]),
        (&json!("accepted"), &json!(true))
    );
}

#[tokio::test]
async fn what_one_process_asked_is_answered_read_and_taken_back_at_another() {
    let (programs, ci) = ci().await;
    let elsewhere = programs.elsewhere().await;
    let get = async |path: String| {
        let told = elsewhere
            .send(from_program(&ci, ("GET", &path), None))
            .await;
        json_of(told).await
    };
    let told = ask(&programs, &ci).await;
    assert_eq!(get(path(&told, "")).await["status"], "pending");
    let waits = get(path(&told, "?wait=60"));
    let answers = programs
        .stand
        .respond(id(&told), "accept", json!({ "confirmed": true }));
    let (there, _) = tokio::join!(waits, answers);
    assert_eq!(
        (&there["status"], &there["proceed"]),
        (&json!("accepted"), &json!(true))
    );
    let told = ask(&programs, &ci).await;
    let delete = from_program(&ci, ("DELETE", &path(&told, "")), None);
    assert_eq!(
        json_of(elsewhere.send(delete).await).await["status"],
        "withdrawn"
    );
    let (_, here) = programs
        .send(&ci, ("GET", &path(&told, "?wait=60")), None)
        .await;
    assert_eq!(here["status"], "withdrawn");
}

#[tokio::test]
async fn an_ask_whose_process_is_gone_times_out_for_whoever_waits() {
    let (programs, ci) = ci().await;
    let origin = Origin {
        principal: "token:ci".into(),
        client: Some("ci".into()),
        client_name: Some("ci".into()),
        tool: Some("POST /api/asks".into()),
        ..Origin::default()
    };
    // Nobody's timer ends these: one is due, the other nearly.
    for left in [
        -SignedDuration::from_secs(60),
        SignedDuration::from_millis(300),
    ] {
        let now = Timestamp::now();
        let new = NewAsk {
            deadline_at: Some(now + left),
            ..NewAsk::new(
                Ask::confirm("Go on?"),
                origin.clone(),
                now - SignedDuration::from_mins(5),
            )
        };
        let ask = new.id;
        crate::called::open_ask(programs.stand.journal.as_ref(), new).await;
        let wait = format!("/api/asks/{ask}?wait=60");
        let (_, told) = programs.send(&ci, ("GET", &wait), None).await;
        assert_eq!(
            (&told["status"], &told["proceed"]),
            (&json!("timed_out"), &json!(false)),
            "{told}"
        );
        let late = programs
            .stand
            .respond(ask, "accept", json!({ "confirmed": true }))
            .await;
        assert_eq!(late["result"], "late", "{late}");
    }
}

#[tokio::test]
async fn a_program_holds_only_so_many_connections_and_questions() {
    let (programs, ci) = ci().await;
    let other = programs.bearer("other", &[May::Ask]).await;
    let (told, others) = (ask(&programs, &ci).await, ask(&programs, &other).await);
    let request = || from_program(&ci, ("GET", &path(&told, "/events")), None);
    let mut held = Vec::new();
    for _ in 0..32 {
        let mut events = Events::of(programs.stand.send(request()).await);
        assert_eq!(events.next().await.unwrap().0, "pending");
        held.push(events);
    }
    for more in ["/events", "?wait=1"] {
        let (status, told) = programs.send(&ci, ("GET", &path(&told, more)), None).await;
        assert_eq!(
            (status, &told["error"]["code"]),
            (429, &json!("too_many")),
            "{told}"
        );
    }
    assert_eq!(
        programs
            .send(&other, ("GET", &path(&others, "?wait=0")), None)
            .await
            .0,
        200
    );
    drop(held);
    assert_eq!(
        programs.send(&ci, ("GET", &path(&told, "")), None).await.0,
        200
    );

    let journal = programs.stand.journal.clone();
    let few = Stand::limited(journal, 2).await;
    for status in [201, 201, 429] {
        let asked = few.send(from_program(&other, ASK, Some(question()))).await;
        assert_eq!(asked.status(), status);
    }
}

#[tokio::test]
async fn a_wait_is_a_number_of_seconds() {
    let (programs, ci) = ci().await;
    let told = ask(&programs, &ci).await;
    for (wait, status) in [("0", 200), ("x", 400), ("-1", 400), ("1.5", 400)] {
        let path = path(&told, &format!("?wait={wait}"));
        assert_eq!(
            programs.send(&ci, ("GET", &path), None).await.0,
            status,
            "{wait}"
        );
    }
    // Longer than it may be is as long as it may be, and the page's end ends it.
    let long = path(&told, &format!("?wait={}", u64::MAX));
    let waits = programs.send(&ci, ("GET", &long), None);
    let stops = async { programs.stand.stop.cancel() };
    let ((status, told), ()) = tokio::join!(waits, stops);
    assert_eq!((status, &told["status"]), (200, &json!("pending")));
}

#[tokio::test]
async fn a_dangerous_question_of_a_program_needs_the_hold() {
    let (programs, ci) = ci().await;
    let mut body = question();
    body["dangerous"] = true.into();
    body["details"] = "What it does.".into();
    let (_, told) = programs.send(&ci, ASK, Some(body)).await;
    let shown = programs.stand.get(&path(&told, "")).await;
    assert_eq!(
        (&shown["dangerous"], &shown["word"]),
        (&json!(true), &json!("confirm"))
    );
    let chosen = json!({
        "askId": told["askId"], "action": "accept", "content": { "confirmed": true },
        "presence": { "shownMs": 60_000, "gesture": "chosen" },
    });
    let said = programs
        .stand
        .post("/api/elicitation/respond", chosen)
        .await;
    assert_eq!(said["result"], "not_deliberate", "{said}");
    let (_, still) = programs.send(&ci, ("GET", &path(&told, "")), None).await;
    assert_eq!(still["status"], "pending");
}

/// The events of a stream, without its comments.
struct Events {
    body: BodyDataStream,
    read: String,
}

impl Events {
    fn of(answer: axum::http::Response<Body>) -> Self {
        assert_eq!(answer.status(), 200);
        Self {
            body: answer.into_body().into_data_stream(),
            read: String::new(),
        }
    }

    /// The next one's name and data.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let line = |name: &str| {
                    let mut lines = event.lines();
                    lines.find_map(|line| line.strip_prefix(name).map(str::to_owned))
                };
                let (name, data) = (line("event: "), line("data: "));
                self.read = rest.to_owned();
                if let (Some(name), Some(data)) = (name, data) {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let chunk = self.body.next().await?.ok()?;
            self.read += &String::from_utf8_lossy(&chunk);
        }
    }
}

/// A journal in memory has tokens too.
#[tokio::test]
async fn tokens_of_a_journal_in_memory_ask() {
    let stand = Stand::new().await;
    let tokens = Tokens::new(Arc::clone(&stand.journal));
    let shown = tokens.create("ci", &[May::Ask]).await.unwrap();
    let asked = from_program(&format!("bearer {shown}"), ASK, Some(question()));
    assert_eq!(stand.send(asked).await.status(), 201);
}
