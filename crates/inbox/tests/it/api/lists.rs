//! Lists: order, paging, search; and what a view shows.

use super::stand::*;
use crate::called::open_ask;
use axum::{body::Body, http::Request};
use holdpoint::{
    Ask, AskId, Field, Form, Kind, Origin,
    field::{Choice, Pick, Text},
    journal::NewAsk,
};
use http_body_util::BodyExt;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

fn texts(listed: &Value) -> Vec<&str> {
    let asks = listed["asks"].as_array().unwrap();
    asks.iter()
        .map(|ask| ask["title"].as_str().unwrap())
        .collect()
}

/// Opens an ask whose time is up in so many minutes; in none, never.
async fn open_due(stand: &Stand, title: &str, dangerous: bool, minutes: Option<i64>) -> AskId {
    let mut ask = Ask::confirm(title);
    ask.dangerous = dangerous;
    let now = Timestamp::now();
    let new = NewAsk {
        deadline_at: minutes.map(|minutes| now + SignedDuration::from_mins(minutes)),
        ..NewAsk::new(ask, origin("elicit_confirm"), now)
    };
    let id = new.id;
    open_ask(stand.journal.as_ref(), new).await;
    id
}

/// All pages of a list, so many rows at a time.
async fn pages(stand: &Stand, limit: usize, between: impl AsyncFn(usize)) -> Vec<String> {
    let (mut seen, mut after) = (Vec::new(), String::new());
    for page in 0.. {
        let listed = stand
            .get(&format!("/api/asks?limit={limit}&after={after}"))
            .await;
        seen.extend(texts(&listed).into_iter().map(str::to_owned));
        match listed["next"].as_str() {
            Some(next) => after = next.to_owned(),
            None => break,
        }
        between(page).await;
    }
    seen
}

#[tokio::test]
async fn what_is_due_first_then_group_by_group_the_oldest_first_page_by_page() {
    let stand = Stand::new().await;
    for (title, dangerous, minutes) in [
        ("a", false, Some(60)),
        ("B", true, None),
        ("c", false, None),
        ("D", true, Some(60)),
        ("e", false, Some(8)),
        ("f", false, Some(5)),
    ] {
        open_due(&stand, title, dangerous, minutes).await;
    }
    let review = Ask::confirm("g").details("x".repeat(2_000));
    open_at(
        stand.journal.as_ref(),
        origin("plan"),
        review,
        Timestamp::now(),
    )
    .await;
    let all = ["f", "g", "e", "B", "D", "a", "c"];
    let listed = stand.get("/api/asks").await;
    assert_eq!(texts(&listed), all);
    assert_eq!(
        listed["groups"],
        json!({ "soon": 3, "dangerous": 2, "questions": 2 })
    );
    let rows = listed["asks"].as_array().unwrap();
    let groups: Vec<_> = rows.iter().map(|row| row["group"].clone()).collect();
    let wanted = json!([
        "soon",
        "soon",
        "soon",
        "dangerous",
        "dangerous",
        "questions",
        "questions"
    ]);
    assert_eq!(json!(groups), wanted);
    assert_eq!(listed["next"], Value::Null);
    assert_eq!(listed["open"], 7);
    assert_eq!(listed["me"], "ann");
    for limit in 1..=7 {
        let seen = pages(&stand, limit, async |_| {}).await;
        assert_eq!(seen, all, "{limit} at a time");
    }
    assert_eq!(stand.try_get("/api/asks?after=x").await.0, 400);
}

#[tokio::test]
async fn a_page_begins_where_the_last_one_ended_though_asks_come_and_go() {
    let stand = Stand::new().await;
    let mut ids = Vec::new();
    for title in ["a", "b", "c", "d", "e", "f"] {
        ids.push(open_due(&stand, title, false, None).await);
    }
    let seen = pages(&stand, 2, async |page| {
        if page == 0 {
            // What was the last of the page, and one that is not there yet; a new one comes before them all.
            stand.respond(ids[1], "cancel", Value::Null).await;
            stand.respond(ids[3], "cancel", Value::Null).await;
            open_due(&stand, "Z", true, None).await;
            open_due(&stand, "g", false, None).await;
        }
    })
    .await;
    assert_eq!(seen, ["a", "b", "c", "e", "f", "g"]);
    assert_eq!(
        texts(&stand.get("/api/asks").await),
        ["Z", "a", "c", "e", "f", "g"]
    );
}

#[tokio::test]
async fn a_list_is_narrowed_by_agent_workspace_and_kind() {
    let stand = Stand::new().await;
    for (client, workspace, title) in [
        ("Claude Code 2.1", "/home/ann/shop", "a"),
        ("Claude Code 2.1", "/home/ann/bank", "b"),
        ("codex 1.0", "/home/ann/shop", "c"),
    ] {
        let origin = Origin {
            client: Some(client.into()),
            workspace: Some(workspace.into()),
            ..origin("deploy")
        };
        open_from(stand.journal.as_ref(), origin, Ask::confirm(title)).await;
    }
    stand.open(Ask::choose("d", ["x", "y"])).await;
    let check = async |query: &str, wanted: &[&str]| {
        let listed = stand.get(&format!("/api/asks?{query}")).await;
        assert_eq!(texts(&listed), wanted, "{query}");
        assert_eq!(listed["open"], 4);
    };
    check("agent=Claude%20Code", &["a", "b"]).await;
    check("workspace=shop", &["a", "c"]).await;
    check("workspace=shop&agent=codex", &["c"]).await;
    check("kind=choice", &["d"]).await;
    check("kind=confirm&q=bank", &["b"]).await;
    check("agent=nobody", &[]).await;
    let filters = &stand.get("/api/asks?agent=codex").await["filters"];
    assert_eq!(
        filters["agents"][0],
        json!({ "name": "Claude Code", "asks": 2 })
    );
    assert_eq!(
        filters["workspaces"][0],
        json!({ "name": "shop", "asks": 2 })
    );
    assert_eq!(filters["kinds"], json!(["confirm", "choice"]));
}

#[tokio::test]
async fn rows_are_small_and_compressed_and_what_is_known_is_not_sent_again() {
    let stand = Stand::new().await;
    let get = async |path: &str, tag: Option<&str>| {
        let mut request = Request::get(path)
            .header("host", HOST)
            .header("x-holdpoint-token", &stand.token)
            .header("accept-encoding", "gzip");
        if let Some(tag) = tag {
            request = request.header("if-none-match", tag);
        }
        let answer = stand.send(request.body(Body::empty()).unwrap()).await;
        let tag = answer.headers()["etag"].to_str().unwrap().to_owned();
        let encoding = answer.headers().get("content-encoding").cloned();
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        (status, tag, encoding, body)
    };
    let long = "A long \"title\" of an ask, with all its words. ".repeat(9);
    let mut asks = Vec::new();
    for _ in 0..40 {
        let ask = Ask::confirm(long.as_str()).details("x".repeat(50_000));
        asks.push(stand.open(ask).await);
    }
    let listed = stand.get("/api/asks").await;
    for row in listed["asks"].as_array().unwrap() {
        assert!(row.to_string().len() < 400, "{row}");
    }
    for path in ["/api/asks", "/api/log"] {
        let (status, tag, encoding, body) = get(path, None).await;
        assert_eq!(status, 200);
        if path == "/api/asks" {
            assert_eq!(encoding.unwrap(), "gzip");
            assert!(body.len() < 40 * 100, "{}", body.len());
        }
        let (status, again, _, body) = get(path, Some(&tag)).await;
        assert_eq!((status, again, body.len()), (304, tag.clone(), 0), "{path}");
        stand
            .respond(asks.pop().unwrap(), "cancel", Value::Null)
            .await;
        let (status, ..) = get(path, Some(&tag)).await;
        assert_eq!(status, 200, "{path}");
    }
    let ended = stand.get("/api/log").await;
    for row in ended["asks"].as_array().unwrap() {
        assert!(row.to_string().len() < 400, "{row}");
        assert_eq!(row["verdict"], "Dismissed");
    }
}

#[tokio::test]
async fn search_in_open_and_ended_ones() {
    let stand = Stand::new().await;
    let plan = stand
        .open_of(
            "request_plan_approval",
            Ask::confirm("The plan").details("with **tests**"),
        )
        .await;
    stand.open(Ask::confirm("Delete it").dangerous()).await;
    let check = async |path: &str, wanted: &[&str]| {
        assert_eq!(texts(&stand.get(path).await), wanted, "{path}");
    };
    check("/api/asks?q=TESTS", &["The plan"]).await;
    check("/api/asks?q=plan_approval", &["The plan"]).await;
    check("/api/asks?q=mcpdo-test-client", &["The plan", "Delete it"]).await;
    check("/api/asks?q=todo-mcp", &["The plan", "Delete it"]).await;
    check("/api/asks?q=nothing", &[]).await;
    check("/api/log", &[]).await;
    let body =
        json!({ "askId": plan, "action": "decline", "reason": "no Budget", "presence": held() });
    stand.post("/api/elicitation/respond", body).await;
    check("/api/log", &["The plan"]).await;
    check("/api/log?q=budget", &["The plan"]).await;
    check("/api/log?q=ann", &["The plan"]).await;
    check("/api/log?q=todo-mcp", &["The plan"]).await;
    check("/api/log?q=delete", &[]).await;
    check("/api/log?q=BUDGET%20plan", &["The plan"]).await;
    check("/api/log?q=%22plan%20budget%22", &[]).await;
    check(&format!("/api/log?before={plan}"), &[]).await;
    let unknown = format!("/api/log?before={}", AskId::new());
    assert_eq!(stand.try_get(&unknown).await.0, 404);
}

#[tokio::test]
async fn who_asks_is_said_in_words() {
    let stand = Stand::new().await;
    let check = async |server: Option<&str>, client: Option<&str>, wanted: &str| {
        let origin = Origin {
            server: server.map(str::to_owned),
            client: client.map(str::to_owned),
            ..origin("delete")
        };
        let id = open_from(stand.journal.as_ref(), origin, Ask::confirm("Go?")).await;
        let view = stand.get(&format!("/api/asks/{id}")).await;
        assert_eq!(view["origin"]["who"], wanted);
        stand.respond(id, "cancel", Value::Null).await;
        let ended = stand.get(&format!("/api/asks/{id}")).await;
        assert_eq!(ended["origin"], view["origin"]);
    };
    let claude = Some("Claude Code 2.1");
    check(
        Some("todo-mcp"),
        claude,
        "todo-mcp asks, for Claude Code 2.1",
    )
    .await;
    check(None, claude, "Claude Code 2.1 asks").await;
    check(Some("todo-mcp"), None, "todo-mcp asks").await;
    check(None, None, "An agent asks").await;
    let hidden = Some("todo\u{202e}\nmcp");
    check(hidden, claude, "todo⟨U+202E⟩ mcp asks, for Claude Code 2.1").await;
}

#[tokio::test]
async fn tools_of_one_name_are_counted_for_each_server() {
    let stand = Stand::new().await;
    for server in ["todo-mcp", "shop\u{202e}"] {
        let origin = Origin {
            server: Some(server.into()),
            ..origin("delete")
        };
        open_from(stand.journal.as_ref(), origin, Ask::confirm("Go?")).await;
    }
    let stats = stand.get("/api/stats").await;
    let wanted = json!([
        { "server": "shop⟨U+202E⟩", "name": "delete", "asks": 1 },
        { "server": "todo-mcp", "name": "delete", "asks": 1 },
    ]);
    assert_eq!(counted(&stats["byTool"]), wanted);
    assert_eq!(stats["byServer"][0]["name"], "shop⟨U+202E⟩");
}

/// What is counted, without how it ended.
fn counted(groups: &Value) -> Value {
    let mut groups = groups.clone();
    for group in groups.as_array_mut().unwrap() {
        let group = group.as_object_mut().unwrap();
        group.retain(|key, _| ["server", "name", "asks"].contains(&key.as_str()));
    }
    groups
}

#[tokio::test]
async fn asks_are_counted() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go?")).await;
    stand.open_of("plan", Ask::confirm("Really?")).await;
    stand
        .respond(ask, "accept", json!({ "confirmed": true }))
        .await;
    for path in ["/api/stats", "/api/stats?days=7"] {
        let stats = stand.get(path).await;
        assert_eq!(stats["asks"], 2, "{path}");
        let inbox = json!([{ "name": "inbox", "asks": 1 }]);
        assert_eq!(counted(&stats["byChannel"]), inbox);
        assert_eq!(stats["byChannel"][0]["response"]["answered"], 1);
        let outcomes = json!([{ "name": "accepted", "asks": 1 }, { "name": "pending", "asks": 1 }]);
        assert_eq!(counted(&stats["byOutcome"]), outcomes);
        assert_eq!(
            (&stats["ended"], &stats["successRate"]),
            (&json!(1), &json!(1.0))
        );
        assert_eq!(stats["response"]["answered"], 1);
        assert_eq!(stats["byHour"].as_array().unwrap().len(), 24);
        assert_eq!(stats["byDay"][0]["asks"], 2);
    }
    assert_eq!(stand.get("/api/stats?q=really").await["asks"], 1);
    for days in ["0", "-1", "99999999999", "x"] {
        let (status, _) = stand.try_get(&format!("/api/stats?days={days}")).await;
        assert_eq!(status, 400, "{days}");
    }
    let page = stand.try_get("/stats").await.1;
    assert!(page.as_str().unwrap().contains("/assets/stats.all.js"));
}

#[tokio::test]
async fn a_view_shows_all_and_hides_nothing() {
    let stand = Stand::new().await;
    let options = vec![
        Pick::new("a")
            .label("first\u{200b}")
            .description("x\u{202e}y")
            .recommended(),
        Pick::new("b"),
    ];
    let form = Form::new()
        .field(
            Field::new(
                "pick",
                Kind::Choice(Choice {
                    options,
                    ..Choice::default()
                }),
            )
            .title("P\u{7}")
            .help("*h* <b>"),
        )
        .field(
            Field::new(
                "note",
                Kind::Text(Text {
                    placeholder: Some("p\u{202e}".into()),
                    ..Text::default()
                }),
            )
            .optional(),
        );
    let ask = Ask::new("m <script>x</script> \u{202e}", form)
        .details("**d**")
        .dangerous();
    let id = stand.open_of("t\u{202e}ool", ask).await;
    let view = stand.get(&format!("/api/asks/{id}")).await;
    let mut shown = view.clone();
    for key in ["id", "shortId", "call", "openedAt", "deadlineAt"] {
        assert!(
            shown
                .as_object_mut()
                .unwrap()
                .remove(key)
                .is_some_and(|value| value.is_string()),
            "{view}"
        );
    }
    assert_eq!(
        shown,
        json!({
            "title": "m <script>x</script> ⟨U+202E⟩",
            "kind": "form",
            "outline": [],
            "diffs": [],
            "round": null,
            "editable": null,
            "message": "<p data-line=\"1\">m &lt;script&gt;x&lt;/script&gt; ⟨U+202E⟩</p>\n",
            "details": "<p data-line=\"1\"><strong>d</strong></p>\n",
            "text": "m <script>x</script> ⟨U+202E⟩",
            "form": { "fields": [
                { "name": "pick", "title": "P⟨U+0007⟩", "help": "*h* <b>", "kind": "choice",
                  "options": [
                    { "value": "a", "label": "first⟨U+200B⟩", "description": "x⟨U+202E⟩y", "recommended": true },
                    { "value": "b", "label": "b" },
                  ],
                  "decides": true, "ends": false, "helpHtml": "<p><em>h</em> &lt;b&gt;</p>\n" },
                { "name": "note", "required": false, "kind": "text", "placeholder": "p⟨U+202E⟩", "decides": false, "ends": false },
            ] },
            "inPerson": false, "dangerous": true,
            "consequence": "This cannot be undone.",
            "word": "confirm",
            "readingMs": 0,
            "together": null,
            "pinNeeded": false,
            "origin": { "who": "todo-mcp asks, for mcpdo-test-client 1.0", "server": "todo-mcp", "client": "mcpdo-test-client 1.0", "tool": "t⟨U+202E⟩ool", "workspace": "/nowhere", "branch": null },
            "agentGone": false,
            "errors": [],
            "decision": null,
        })
    );
}
