//! The tool with which agents wait for an answer: every server has one, and `pending` names only what is there.

use crate::support::*;
use holdpoint::{
    Holdpoint, Stop, ToolContext, Yes, rmcp,
    tool::{AskResult, ToolOutput},
};
use rmcp::{ServerHandler, handler::server::wrapper::Json, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

#[derive(Clone)]
struct Todo;

#[tool_router]
impl Todo {
    /// Clears the list
    #[tool]
    async fn clear(&self, cx: ToolContext) -> Result<String, Stop> {
        let Yes = cx.elicitor().confirm("Clear it?").or_stop().await?;
        Ok("cleared".into())
    }

    /// Counts, if a person says so
    #[tool]
    async fn count(&self, cx: ToolContext) -> Result<Json<Count>, Stop> {
        let Yes = cx.elicitor().confirm("Count them?").or_stop().await?;
        Ok(Json(Count { count: 3 }))
    }

    /// The same, with a schema that the end of every ask fits
    #[tool(output_schema = AskResult::<Count>::schema().into())]
    async fn recount(&self, cx: ToolContext) -> Result<AskResult<Count>, Stop> {
        let question = cx.elicitor().confirm("Count them again?");
        let (Yes, decision) = question.decided().await?.or_stop()?;
        Ok(AskResult::new(
            &decision,
            true,
            "Go on.",
            &Count { count: 3 },
        ))
    }
}

#[derive(serde::Serialize, JsonSchema)]
struct Count {
    count: u32,
}

#[tool_handler(name = "todo-mcp", version = "1.0.0")]
impl ServerHandler for Todo {}

async fn server() -> (holdpoint::Desk, Holdpoint<Todo>) {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = holdpoint::Desk::builder(journal)
        .clock(holdpoint::Clock::tokio())
        .channel(Arc::new(ParkedInbox::default()));
    let desk = desk.build().await.unwrap();
    (desk.clone(), Holdpoint::new(desk, Todo).unwrap())
}

async fn names(client: &mut Client) -> Vec<String> {
    let listed = client.request("tools/list", json!({})).await;
    let listed = client.answer(listed).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    tools.iter().map(name).collect()
}

/// Calls `clear` with a client that shows nothing, until it is told to come back.
async fn pending(client: &mut Client) -> Value {
    let call = client.call("clear").await;
    let answer = client.answer(call).await;
    let fields = answer["result"]["structuredContent"].clone();
    assert_eq!(fields["status"], "pending", "{answer}");
    fields
}

#[tokio::test(start_paused = true)]
async fn every_server_has_one_under_a_name_of_its_own() {
    let (desk, server) = server().await;
    let mut client = Client::legacy(server, json!({})).await;
    let waits = "todo-mcp_await_answer";
    assert_eq!(
        names(&mut client).await,
        ["clear", "count", "recount", waits]
    );
    let fields = pending(&mut client).await;
    let next = fields["nextStep"].as_str().unwrap();
    assert!(next.contains(&format!("call {waits} with")), "{next}");
    let ask = fields["askId"].as_str().unwrap().parse().unwrap();
    inbox_reply(&desk, ask, json!({ "confirmed": true })).await;
    let arguments = json!({ "name": waits, "arguments": { "askId": fields["askId"] } });
    let call = client.request("tools/call", arguments).await;
    assert_eq!(text(&client.answer(call).await), "cleared");
    // What is wrong with an argument is said as every tool says it.
    let wrong = json!({ "name": waits, "arguments": { "askId": "nothing" } });
    let call = client.request("tools/call", wrong).await;
    let said = client.answer(call).await;
    assert_eq!(said["result"]["isError"], true, "{said}");
}

#[tokio::test(start_paused = true)]
async fn without_it_pending_says_to_stop_and_the_call_goes_on_by_itself() {
    let (desk, server) = server().await;
    let mut client = Client::legacy(server.without_await_answer(), json!({})).await;
    assert_eq!(names(&mut client).await, ["clear", "count", "recount"]);
    let fields = pending(&mut client).await;
    let next = fields["nextStep"].as_str().unwrap();
    assert!(!next.contains("await_answer"), "{next}");
    assert!(next.contains("stop, and tell them"), "{next}");
    let ask = fields["askId"].as_str().unwrap().parse().unwrap();
    inbox_reply(&desk, ask, json!({ "confirmed": true })).await;
    let call = desk
        .journal()
        .ask(ask)
        .await
        .unwrap()
        .unwrap()
        .call
        .unwrap();
    let result = eventually("the call's own result", async || {
        let history = desk.journal().call(call).await.unwrap().unwrap();
        history.call.result
    })
    .await;
    assert_eq!(result["tool"]["content"][0]["text"], "cleared");
}

#[tokio::test(start_paused = true)]
async fn a_no_ends_a_tool_with_a_result_that_is_no_failure() {
    let (desk, server) = server().await;
    let mut client = Client::legacy(server.await_answer_named("clear"), json!({})).await;
    // The author's own tool keeps its name.
    assert_eq!(names(&mut client).await, ["clear", "count", "recount"]);
    let call = client.call("clear").await;
    let ask = open_ask(&desk).await.id;
    inbox_reply(&desk, ask, json!({ "confirmed": false })).await;
    let answer = client.answer(call).await;
    let result = &answer["result"];
    assert_eq!(result["structuredContent"]["status"], "declined");
    assert_eq!(result["isError"], false, "{answer}");
    assert!(result.get("_meta").is_none(), "{answer}");
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Askable {
    name: String,
    tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct NotAskable {
    name: String,
    sizes: BTreeMap<String, u32>,
}

#[tokio::test(start_paused = true)]
async fn a_type_that_cannot_be_asked_for_is_found_when_the_server_starts() {
    let (_, server) = server().await;
    let server = server.with_form::<Askable>().unwrap();
    let Err(refused) = server.with_form::<NotAskable>() else {
        panic!("a map cannot be asked for")
    };
    assert!(refused.to_string().contains("sizes"), "{refused}");
}

/// What a client of the TypeScript SDK makes sure of: what is not a failure fits the tool's schema.
#[tokio::test(start_paused = true)]
async fn no_result_breaks_the_schema_that_its_tool_declares() {
    let (desk, server) = server().await;
    let mut client = Client::legacy(server, json!({})).await;
    let listed = client.request("tools/list", json!({})).await;
    let listed = client.answer(listed).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let declares = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        tool.get("outputSchema").is_some()
    };
    assert!(declares("count") && !declares("clear") && !declares("todo-mcp_await_answer"));
    let call = client.call("count").await;
    let ask = open_ask(&desk).await.id;
    inbox_reply(&desk, ask, json!({ "confirmed": false })).await;
    let no = client.answer(call).await;
    assert_eq!(no["result"]["structuredContent"]["status"], "declined");
    assert_eq!(no["result"]["isError"], true, "{no}");

    assert!(declares("recount"));
    for (confirmed, status) in [(false, "declined"), (true, "accepted")] {
        let call = client.call("recount").await;
        let ask = open_ask(&desk).await.id;
        inbox_reply(&desk, ask, json!({ "confirmed": confirmed })).await;
        let answer = client.answer(call).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let fields = &answer["result"]["structuredContent"];
        assert_eq!(fields["status"], status, "{answer}");
        assert_eq!(fields["proceed"], confirmed, "{answer}");
    }
}
