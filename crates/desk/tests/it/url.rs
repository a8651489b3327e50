//! What no form can carry: the client opens a page, and the answer comes from there.

use crate::support::*;
use holdpoint::{
    Ask, AskId, ChannelKind, Clock, Desk, Field, Form, Holdpoint, HttpService, Kind, Outcome,
    Reply, field, http_settings, journal::AskQuery,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const SECRET: &str = "correct horse battery staple";

async fn served() -> (Desk, Holdpoint<Flows>) {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .settings(patient())
        .clock(Clock::tokio())
        .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"))
        .build()
        .await
        .unwrap();
    let flows = Flows::default().with("login", |cx, _| async move {
        let form = Form::new().field(Field::new("password", Kind::Secret));
        let outcome = cx.elicitor().ask(Ask::new("Password?", form)).await?;
        Ok(match outcome {
            Outcome::Accepted(answer) if answer["password"] == SECRET => "logged in".into(),
            other => other.status().to_owned(),
        })
    });
    (desk.clone(), Holdpoint::new(desk, visits(flows)).unwrap())
}

fn visits(flows: Flows) -> Flows {
    flows.with("visit", |cx, _| async move {
        let link = field::Link {
            url: "https://example.com/consent".into(),
        };
        let form = Form::new().field(Field::new("visited", Kind::Link(link)));
        let outcome = cx.elicitor().ask(Ask::new("Please agree", form)).await?;
        Ok(outcome.status().to_owned())
    })
}

fn url() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} } })
}

async fn open_ask(desk: &Desk) -> AskId {
    let query = AskQuery {
        open: true,
        ..AskQuery::default()
    };
    desk.journal().asks(query).await.unwrap()[0].id
}

async fn answer_on_the_page(desk: &Desk, ask: AskId) {
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ann"));
    let content = json!({ "password": SECRET }).as_object().unwrap().clone();
    let reply = Reply::Accept { content };
    desk.reply(ask, from, reply).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_secret_goes_by_page_and_is_found_nowhere_else() {
    let (desk, server) = served().await;
    let mut client = Client::legacy(server, url()).await;
    let call = client.call("login").await;
    let asked = client.asked().await;
    let ask = open_ask(&desk).await;
    let params = &asked["params"];
    assert_eq!(params["mode"], "url", "{asked}");
    assert_eq!(params["elicitationId"], ask.to_string());
    assert!(params.get("requestedSchema").is_none());
    let address = params["url"].as_str().unwrap();
    assert_eq!(address, format!("http://127.0.0.1:4653/asks/{ask}"));
    // Agreeing to open the page is not the answer.
    client.reply(&asked, json!({ "action": "accept" })).await;
    answer_on_the_page(&desk, ask).await;
    // The client is told that it is over, and gets its result; which comes first does not matter.
    let (mut complete, mut answer) = (None, None);
    while complete.is_none() || answer.is_none() {
        let message = client.next().await;
        if message["id"] == call {
            answer = Some(message);
        } else if message["method"] == "notifications/elicitation/complete" {
            complete = Some(message);
        }
    }
    let id = &complete.unwrap()["params"]["elicitationId"];
    assert_eq!(*id, ask.to_string());
    assert_eq!(text(&answer.unwrap()), "logged in");

    let record = desk.journal().ask(ask).await.unwrap().unwrap();
    let decision = record.decision.unwrap();
    let Outcome::Accepted(answer) = &decision.outcome else {
        panic!("{decision:?}")
    };
    assert!(
        answer.contains_key("password"),
        "that one was given is kept"
    );
    for event in desk.journal().events(0, 1_000).await.unwrap() {
        assert!(!event.body.to_string().contains(SECRET), "{event:?}");
    }
    assert!(!serde_json::to_string(&decision).unwrap().contains(SECRET));
}

#[tokio::test(start_paused = true)]
async fn declining_to_open_the_page_declines() {
    let (_, server) = served().await;
    let mut client = Client::legacy(server, url()).await;
    let call = client.call("login").await;
    let asked = client.asked().await;
    client.reply(&asked, json!({ "action": "decline" })).await;
    assert_eq!(text(&client.answer(call).await), "declined");
}

#[tokio::test(start_paused = true)]
async fn a_client_of_forms_only_is_not_asked_for_a_secret() {
    for version in ["2025-06-18", "2025-11-25"] {
        let (_, server) = served().await;
        let mut client = Client::legacy_at(version, server, form()).await;
        let call = client.call("login").await;
        assert_eq!(text(&client.answer(call).await), "unreachable");
    }
}

#[tokio::test(start_paused = true)]
async fn an_address_that_was_opened_is_not_yet_visited() {
    let (desk, server) = served().await;
    let mut client = Client::legacy(server, url()).await;
    let call = client.call("visit").await;
    let asked = client.asked().await;
    assert_eq!(asked["params"]["url"], "https://example.com/consent");
    client.reply(&asked, json!({ "action": "accept" })).await;
    let ask = open_ask(&desk).await;
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    assert_eq!(
        open_ask(&desk).await,
        ask,
        "nobody has said that it is done"
    );
    inbox_reply(&desk, ask, json!({ "visited": true })).await;
    assert_eq!(text(&client.answer(call).await), "accepted");
}

#[tokio::test(start_paused = true)]
async fn where_nobody_can_say_that_it_is_done_a_visit_reaches_nobody() {
    for modern in [false, true] {
        let desk = desk(patient()).await;
        let server = Holdpoint::new(desk, visits(Flows::default())).unwrap();
        let opened = json!({ "action": "accept" });
        let answer = if modern {
            let mut client = Client::modern(server, url());
            let call = client.call("visit").await;
            let (keys, state) = round(&client.answer(call).await);
            let opened = json!({ &keys[0]: opened });
            let call = client.retry("visit", &state, opened).await;
            client.answer(call).await
        } else {
            let mut client = Client::legacy(server, url()).await;
            let call = client.call("visit").await;
            let asked = client.asked().await;
            client.reply(&asked, opened).await;
            client.answer(call).await
        };
        assert_eq!(text(&answer), "unreachable");
    }
}

#[tokio::test(start_paused = true)]
async fn the_newer_era_has_no_id_in_it() {
    let (desk, server) = served().await;
    let mut client = Client::modern(server, url());
    let call = client.call("login").await;
    let asked = client.answer(call).await;
    let (keys, state) = round(&asked);
    let params = &asked["result"]["inputRequests"][&keys[0]]["params"];
    assert_eq!(params["mode"], "url");
    assert!(params.get("elicitationId").is_none(), "{asked}");
    let opened = json!({ &keys[0]: { "action": "accept" } });
    let call = client.retry("login", &state, opened).await;
    // Nothing was answered by opening it: the call waits for the page.
    answer_on_the_page(&desk, open_ask(&desk).await).await;
    assert_eq!(text(&client.answer(call).await), "logged in");
}

#[tokio::test]
async fn nor_has_it_over_http() {
    let (_, server) = served().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = HttpService::new(server, http_settings());
    let app = axum::Router::new().route_service("/mcp", service);
    tokio::spawn(async move { axum::serve(listener, app).await });
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": "login", "arguments": {},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": url(),
            }
        }
    })
    .to_string();
    let post = |origin: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\n{origin}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: tools/call\r\nMcp-Name: login\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let answer = http(address, &post("")).await;
    assert!(answer.contains(r#""mode":"url""#), "{answer}");
    assert!(!answer.contains("elicitationId"), "{answer}");
    let foreign = http(address, &post("Origin: http://evil.example\r\n")).await;
    assert!(foreign.starts_with("HTTP/1.1 403"), "{foreign}");
}

async fn http(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}
