//! Scripts: who may run what, and what is read of it.

use super::{
    stand::*,
    workshop::{WORKSPACES, Workshop},
};
use axum::{body::Body, http::Request};
use holdpoint::{
    Ask, CallId, Origin,
    journal::{JournalEngine, NewCall, SqliteJournal, Write},
};
use holdpoint_testkit::eventually;
use serde_json::{Value, json};
use std::sync::Arc;

const RUNS: &str = "/api/scripts/runs";

fn beginning(method: &str, arguments: Value) -> Value {
    json!({ "script": "tools", "method": method, "arguments": arguments })
}

/// Begins a run, and gives its address.
async fn begin(stand: &Stand, method: &str) -> String {
    let begun = stand.post(RUNS, beginning(method, json!({}))).await;
    format!("{RUNS}/{}", begun["id"].as_str().expect("an id"))
}

/// The run, once it is so.
async fn until(stand: &Stand, address: &str, so: impl Fn(&Value) -> bool) -> Value {
    eventually("the run to be so", async || {
        let run = stand.get(address).await;
        so(&run).then_some(run)
    })
    .await
}

#[tokio::test]
async fn running_needs_what_answering_needs() {
    let stand = Stand::with(Workshop::new()).await;
    let check = async |headers: &[(&str, &str)], status: u16, code: &str| {
        let mut request = post(RUNS).header("host", HOST);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = beginning("echo", json!({ "word": "a", "sure": true })).to_string();
        let response = stand.send(request.body(body.into()).unwrap()).await;
        assert_eq!(response.status().as_u16(), status, "{headers:?}");
        let body = json_of(response).await;
        let told = body["error"]["code"].as_str().unwrap_or("");
        assert_eq!(told, code, "{headers:?}");
    };
    let token = ("x-holdpoint-token", stand.token.as_str());
    check(&[], 401, "no_key").await;
    check(&[("x-holdpoint-token", "0")], 401, "no_key").await;
    let elsewhere = ("origin", "http://127.0.0.1:9999");
    check(&[token, elsewhere], 403, "wrong_origin").await;
    let site = ("sec-fetch-site", "same-site");
    check(&[token, site], 403, "wrong_origin").await;
    assert_eq!(stand.get(RUNS).await["runs"], json!([]), "nothing ran");
    check(&[token], 200, "").await;
    assert_eq!(stand.get(RUNS).await["runs"][0]["tool"], "tools_echo");
}

#[tokio::test]
async fn only_what_is_listed_runs_and_only_with_what_fits() {
    let stand = Stand::with(Workshop::new()).await;
    let check = async |body: Value, status: u16, told: Value| {
        let (was, answer) = stand.try_post(RUNS, body.clone()).await;
        assert_eq!(was.as_u16(), status, "{body}: {answer}");
        let part = match status {
            200 => &answer["errors"],
            _ => &answer["error"]["code"],
        };
        assert_eq!(*part, told, "{body}");
    };
    let unknown = json!("unknown_method");
    check(beginning("nothing", json!({})), 404, unknown.clone()).await;
    check(beginning("__proto__", json!({})), 404, unknown.clone()).await;
    let broken = json!({ "script": "broken", "method": "echo" });
    check(broken, 404, unknown.clone()).await;
    let outside = json!({ "script": "../tools", "method": "echo" });
    check(outside, 404, unknown).await;
    let extra = json!({ "script": "tools", "method": "open", "path": "/etc" });
    check(extra, 400, json!("bad_request")).await;
    check(
        beginning("echo", json!({ "sure": "yes" })),
        200,
        json!([
            { "field": "word", "message": "word must be filled in." },
            { "field": "sure", "message": "sure must be true or false." },
        ]),
    )
    .await;
    assert_eq!(stand.get(RUNS).await["runs"], json!([]));
    let large = "x".repeat(300 * 1024);
    let (status, _) = stand
        .try_post(RUNS, beginning("open", json!({ "large": large })))
        .await;
    assert_eq!(status.as_u16(), 413);

    let without = Stand::new().await;
    let (status, told) = without.try_post(RUNS, beginning("open", json!({}))).await;
    assert_eq!(status.as_u16(), 404);
    assert_eq!(told["error"]["code"], "no_scripts");
    assert_eq!(without.get("/api/scripts").await["folder"], Value::Null);
}

#[tokio::test]
async fn a_run_acts_in_a_workspace_that_is_known_and_in_no_other() {
    let stand = Stand::with(Workshop::new()).await;
    let known = stand.get("/api/scripts").await["workspaces"].clone();
    let paths: Vec<_> = known
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["path"])
        .collect();
    assert_eq!(paths, WORKSPACES);
    let acts_in = async |workspace: Value| {
        let mut wanted = beginning("asks", json!({}));
        if !workspace.is_null() {
            wanted["workspace"] = workspace;
        }
        stand.try_post(RUNS, wanted).await
    };
    for wrong in [
        "/etc",
        "/",
        "",
        ".",
        "/home/ann",
        "/home/ann/shop/",
        "/home/ann/shop/../shop",
    ] {
        let (status, told) = acts_in(json!(wrong)).await;
        assert_eq!(status.as_u16(), 400, "{wrong}");
        assert_eq!(told["error"]["code"], "unknown_workspace", "{wrong}");
    }
    let (status, _) = acts_in(json!(["/home/ann/shop"])).await;
    assert_eq!(status.as_u16(), 400);
    assert_eq!(stand.get(RUNS).await["runs"], json!([]), "nothing ran");
    for (chosen, wanted) in [
        (Value::Null, WORKSPACES[0]),
        (json!(WORKSPACES[1]), WORKSPACES[1]),
    ] {
        let (_, begun) = acts_in(chosen).await;
        let address = format!("{RUNS}/{}", begun["id"].as_str().unwrap());
        let run = until(&stand, &address, |run| run["open"][0].is_object()).await;
        assert_eq!(run["workspace"], wanted);
        let ask = run["open"][0]["id"].as_str().unwrap().parse().unwrap();
        let recorded = stand.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!(recorded.origin.workspace.as_deref(), Some(wanted));
    }
}

#[tokio::test]
async fn so_many_at_once_and_no_more() {
    let stand = Stand::with(Workshop::new()).await;
    let mut addresses = Vec::new();
    for _ in 0..16 {
        addresses.push(begin(&stand, "asks").await);
    }
    let (status, told) = stand.try_post(RUNS, beginning("asks", json!({}))).await;
    assert_eq!(status.as_u16(), 429);
    assert_eq!(told["error"]["code"], "too_many");
    // One that was taken back makes room.
    until(&stand, &addresses[0], |run| run["open"][0].is_object()).await;
    stand
        .post(&format!("{}/withdraw", addresses[0]), json!({}))
        .await;
    let run = until(&stand, &addresses[0], |run| run["state"] == "ended").await;
    assert_eq!(run["outcome"], "withdrawn");
    assert_eq!(run["asks"][0]["outcome"], "withdrawn");
    begin(&stand, "asks").await;
}

#[tokio::test]
async fn a_run_is_read_whole_and_then_what_is_new() {
    let stand = Stand::with(Workshop::new()).await;
    let address = begin(&stand, "tells").await;
    let run = until(&stand, &address, |run| run["open"][0].is_object()).await;
    assert_eq!(run["state"], "running");
    assert_eq!(run["status"], "status: Hello");
    assert_eq!(run["progress"]["value"], 0.5);
    assert_eq!(run["thinking"]["message"], "thinking: Hello");
    let kinds: Vec<_> = run["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["kind"].as_str().unwrap())
        .collect();
    assert_eq!(&kinds[..3], ["log", "toast", "artifact"]);
    assert_eq!(run["next"], 8);
    let call = address.rsplit_once('/').unwrap().1;
    assert_eq!(run["open"][0]["call"], call);
    let again = stand.get(&format!("{address}?from=8")).await;
    assert_eq!(again["items"], json!([]));
    assert_eq!(again["open"], run["open"]);

    let ask = run["open"][0]["id"].as_str().unwrap().parse().unwrap();
    stand
        .respond(ask, "accept", json!({ "value": "ann" }))
        .await;
    let run = until(&stand, &address, |run| run["state"] == "ended").await;
    assert_eq!(run["outcome"], "done");
    assert_eq!(run["result"]["text"], "Hello");
    assert_eq!(run["status"], Value::Null);
    assert_eq!(run["open"], json!([]));
}

#[tokio::test]
async fn what_was_made_is_a_picture_or_something_to_save() {
    let stand = Stand::with(Workshop::saying("<script>alert(1)</script>")).await;
    let address = begin(&stand, "tells").await;
    until(&stand, &address, |run| run["next"] == 8).await;
    let check = async |number: u64, query: &str, status: u16, kind: &str, place: &str| {
        let request = Request::get(format!("{address}/artifacts/{number}{query}"))
            .header("host", HOST)
            .header("x-holdpoint-token", &stand.token);
        let answer = stand.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status().as_u16(), status, "{number}{query}");
        let header = |name: &str| answer.headers()[name].to_str().unwrap();
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert!(header("content-security-policy").starts_with("default-src 'none'"));
        if status == 200 {
            assert_eq!(header("content-type"), kind);
            assert_eq!(header("content-disposition"), place);
        }
    };
    let octets = "application/octet-stream";
    check(6, "", 200, "image/png", "inline").await;
    let name = "attachment; filename=\"artifact---script-alert-1---script.png\"";
    check(6, "?save=true", 200, octets, name).await;
    // Neither text nor what only says that it is a picture is given a browser to act on.
    check(2, "", 404, "", "").await;
    check(3, "", 404, "", "").await;
    check(7, "", 404, "", "").await;
    let name = name.replace(".png", ".md");
    check(3, "?save=true", 200, octets, &name).await;
    check(0, "?save=true", 404, "", "").await;
    check(99, "?save=true", 404, "", "").await;
}

#[tokio::test]
async fn runs_on_record_are_read_and_other_calls_are_not() {
    let journal: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::in_memory().unwrap());
    let open_of = async |server: &str, method: &str, tool: &str, result: Option<Value>| {
        let call = NewCall {
            id: CallId::new(),
            origin: Origin {
                server: Some(server.into()),
                tool: Some(tool.into()),
                client: Some("studio 2.1".into()),
                ..Origin::default()
            },
            method: method.into(),
            arguments: json!({ "word": "secret?" }),
            flow_version: "1".into(),
            owner: journal.owner(),
            opened_at: jiff::Timestamp::now(),
            run: tool != "elicit_confirm",
        };
        let id = call.id;
        let mut batch = vec![Write::OpenCall(Arc::new(call))];
        batch.extend(result.map(|result| Write::FinishCall {
            call: id,
            epoch: 1,
            result: Arc::new(result),
            at: jiff::Timestamp::now(),
        }));
        journal.commit(batch).await.unwrap();
        id
    };
    let open = async |method: &str, tool: &str, result: Option<Value>| {
        open_of("workshop", method, tool, result).await
    };
    let made = json!({ "type": "resource", "resource": { "uri": "a", "mimeType": "text/markdown", "text": "# Hi" } });
    let result = json!({ "tool": { "content": [{ "type": "text", "text": "Hi" }, made] } });
    let shell = open("script", "other_thing", Some(result)).await;
    let agent = open("tools/call", "tools_echo", None).await;
    let elicit = open("tools/call", "elicit_confirm", None).await;
    let another_server = open_of("todo-mcp", "tools/call", "tools_echo", None).await;
    let stand = Stand::set(journal.clone(), Some(Workshop::new()), HOST, false).await;

    let listed = stand.get(RUNS).await;
    let ids: Vec<_> = listed["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, [agent.to_string(), shell.to_string()]);
    let run = stand.get(&format!("{RUNS}/{shell}")).await;
    assert_eq!(run["outcome"], "done");
    assert_eq!(run["items"][0]["type"], "markdown");
    assert_eq!(run["client"], "studio 2.1");
    assert_eq!(run["resumable"], false);
    let run = stand.get(&format!("{RUNS}/{agent}")).await;
    assert_eq!(run["state"], "elsewhere");
    assert_eq!(run["method"], "echo");
    assert_eq!(run["resumable"], false, "an agent's call is the agent's");
    for unknown in [
        elicit.to_string(),
        another_server.to_string(),
        CallId::new().to_string(),
        "x".into(),
    ] {
        let (status, _) = stand.try_get(&format!("{RUNS}/{unknown}")).await;
        assert_eq!(status.as_u16(), 404, "{unknown}");
    }
    let page = stand.get(&format!("{RUNS}?limit=1")).await;
    assert_eq!(page["runs"][0]["id"], agent.to_string());
    let next = page["next"].as_str().unwrap();
    let page = stand.get(&format!("{RUNS}?limit=1&before={next}")).await;
    assert_eq!(page["runs"][0]["id"], shell.to_string());
}

#[tokio::test]
async fn an_ask_of_a_run_is_an_ask_like_any_other() {
    let stand = Stand::with(Workshop::new()).await;
    let address = begin(&stand, "asks").await;
    let run = until(&stand, &address, |run| run["open"][0].is_object()).await;
    let listed = stand.get("/api/asks").await;
    let ask = run["open"][0]["id"].as_str().unwrap();
    assert_eq!(listed["asks"][0]["id"], ask);
    assert_eq!(listed["asks"][0]["agent"], "playground");
    let whole = stand.get(&format!("/api/asks/{ask}")).await;
    assert_eq!(whole, run["open"][0]);
    let ask = ask.parse().unwrap();
    let told = stand.respond(ask, "decline", json!(null)).await;
    assert_eq!(told["result"], "settled");
    let run = until(&stand, &address, |run| run["state"] == "ended").await;
    assert_eq!(run["outcome"], "declined");
    stand.open(Ask::confirm("Another")).await;
}
