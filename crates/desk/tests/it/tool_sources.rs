//! Several sources of tools in one server: who has a name first keeps it, and clients hear of changes.

use futures::{StreamExt, stream::BoxStream};
use holdpoint::{
    FlowVersion, Outcome, ToolCall, ToolContext, ToolServer, ToolSource, Yes,
    tool::{AskResult, PlainResult, ToolError, ToolHints, ToolInfo, TypedTool, TypedTools},
};
use holdpoint_testkit::{Conversation, ERAS, Era, PATIENCE, StandSetup, accept, decline};
use rmcp::{
    ServerHandler,
    model::{Implementation, JsonObject, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// A source with one tool for each name, which can change.
struct Source {
    name: &'static str,
    tools: Arc<Mutex<TypedTools<(ToolContext, &'static str)>>>,
    hidden: Arc<Mutex<Vec<String>>>,
    changes: Option<watch::Sender<()>>,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// What to delete
    what: String,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    by: &'static str,
    deleted: Option<String>,
}

async fn delete(
    (cx, by): (ToolContext, &'static str),
    arguments: Arguments,
) -> Result<AskResult<Output>, ToolError> {
    let question = cx.elicitor().confirm(format!("Delete {}?", arguments.what));
    let decided = question.decided().await?;
    let mut output = Output { by, deleted: None };
    if matches!(decided.outcome, Outcome::Accepted(Yes)) {
        output.deleted = Some(arguments.what);
    }
    // A yes that the outcome does not have is none, whatever the tool says.
    Ok(AskResult::new(&decided.decision, true, "Go on.", &output))
}

async fn count(
    (_, by): (ToolContext, &'static str),
    _: JsonObject,
) -> Result<PlainResult<Output>, ToolError> {
    Ok(PlainResult::new("Go on.", &Output { by, deleted: None }))
}

fn info(name: &'static str) -> ToolInfo {
    ToolInfo {
        name,
        title: name,
        description: "For a test",
        hints: ToolHints::Asks,
    }
}

impl Source {
    fn new(name: &'static str, tools: &[&'static str], changes: bool) -> Self {
        let source = Self {
            name,
            tools: Arc::new(Mutex::new(TypedTools::new([]))),
            hidden: Arc::default(),
            changes: changes.then(|| watch::channel(()).0),
        };
        source.set(tools);
        source
    }

    fn set(&self, tools: &[&'static str]) {
        let tools = tools.iter().map(|name| match *name {
            "count" => TypedTool::new(info(name), count),
            _ => TypedTool::new(info(name), delete),
        });
        *self.tools.lock().unwrap() = TypedTools::new(tools);
        if let Some(changes) = &self.changes {
            changes.send_replace(());
        }
    }
}

impl ToolSource for Source {
    fn tools(&self) -> Vec<Tool> {
        self.tools.lock().unwrap().list()
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        let tools = self.tools.lock().unwrap();
        Some(tools.get(name)?.call((cx, self.name), arguments))
    }

    fn version(&self, _: &str) -> Option<FlowVersion> {
        Some(FlowVersion::new(self.name))
    }

    fn instructions(&self) -> Option<&str> {
        Some(self.name)
    }

    fn changes(&self) -> Option<BoxStream<'static, ()>> {
        let mut changes = self.changes.as_ref()?.subscribe();
        changes.mark_unchanged();
        let changes = futures::stream::unfold(changes, |mut changes| async {
            changes.changed().await.ok()?;
            Some(((), changes))
        });
        Some(changes.boxed())
    }

    fn log_hidden(&self, tool: &str) {
        self.hidden.lock().unwrap().push(tool.to_owned());
    }
}

fn server(sources: &[Arc<Source>]) -> ToolServer {
    let sources: Vec<Arc<dyn ToolSource>> = sources.iter().map(|one| one.clone() as _).collect();
    ToolServer::new(Implementation::new("test", "1"), "First of all.", sources)
}

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_first_source_that_has_a_name_keeps_it() {
    let one = Arc::new(Source::new("one", &["delete", "count"], false));
    let two = Arc::new(Source::new("two", &["delete", "delete_all"], false));
    let three = Arc::new(Source::new("three", &["count"], false));
    let tools = server(&[one, two.clone(), three]);
    assert_eq!(*two.hidden.lock().unwrap(), ["delete"]);
    assert_eq!(tools.version_of("delete").unwrap().as_str(), "one");
    assert_eq!(tools.version_of("delete_all").unwrap().as_str(), "two");
    // Of a source that offers nothing, nothing is said.
    let instructions = tools.get_info().instructions.unwrap();
    assert_eq!(instructions, "First of all.\n\none\n\ntwo");
    let made = tools.clone();
    let stand = StandSetup::with_server(move |_| made.clone()).stand().await;
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        let listed = client.request("tools/list", json!({})).await;
        assert_eq!(
            names(&listed),
            ["delete", "count", "delete_all", "await_answer"]
        );
        let arguments = json!({ "what": "it" });
        let yes = [accept(json!({ "confirmed": true }))];
        let ended = stand.run(era, "delete", arguments.clone(), &yes).await;
        assert_eq!(
            ended.fields(&["by", "deleted", "proceed"]),
            json!({ "by": "one", "deleted": "it", "proceed": true })
        );
        let ended = stand.run(era, "delete_all", arguments, &[decline()]).await;
        assert_eq!(
            ended.fields(&["by", "status", "proceed"]),
            json!({ "by": "two", "status": "declined", "proceed": false })
        );
        let ended = stand.run(era, "count", json!({}), &[]).await;
        assert_eq!(
            ended.text,
            "proceed: false; nextStep: \"Go on.\"\nby: \"one\""
        );
        let call = json!({ "name": "delete_al", "arguments": {} });
        let answer = client.request("tools/call", call).await;
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(
            message,
            "There is no tool \"delete_al\"; did you mean delete_all?"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn clients_hear_when_the_tools_change() {
    let steady = Arc::new(Source::new("steady", &["count"], false));
    let changing = Arc::new(Source::new("changing", &[], true));
    let tools = server(&[steady, changing.clone()]);
    assert_eq!(
        tools.get_info().capabilities.tools.unwrap().list_changed,
        Some(true)
    );
    let made = tools.clone();
    let stand = StandSetup::with_server(move |_| made.clone()).stand().await;
    let mut client = holdpoint_testkit::Client::legacy(&stand, json!({})).await;
    // An answer: the server has taken note of the client by now.
    let listed = client.request("tools/list", json!({})).await;
    assert_eq!(
        names(&client.answer(listed).await),
        ["count", "await_answer"]
    );
    changing.set(&["delete", "count"]);
    let heard =
        async { while client.next().await["method"] != "notifications/tools/list_changed" {} };
    tokio::time::timeout(PATIENCE, heard).await.unwrap();
    let listed = client.request("tools/list", json!({})).await;
    assert_eq!(
        names(&client.answer(listed).await),
        ["count", "delete", "await_answer"]
    );
    assert_eq!(*changing.hidden.lock().unwrap(), ["count"]);
    let ended = stand.run(Era::Legacy, "count", json!({}), &[]).await;
    assert_eq!(ended.body["by"], "steady");
}
