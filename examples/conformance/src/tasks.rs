//! The tasks extension: calls that outlive their request.
//!
//! A task asks through the extension's own `tasks/update`, which is rmcp's to handle; what asks
//! before it becomes a task asks through the elicitor, like everything else.

use std::time::Duration;

use holdpoint::{Outcome, ToolContext};
use rmcp::{
    ErrorData, RoleServer,
    handler::server::wrapper::Parameters,
    model::*,
    service::RequestContext,
    task_manager::{TaskContext, TaskExit, TaskOptions},
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::time::sleep;

use crate::server::Fixtures;

#[derive(Deserialize, JsonSchema)]
struct GreetArguments {
    /// Who is greeted
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct SlowArguments {
    /// How long it takes
    #[serde(default)]
    seconds: f64,
}

#[derive(Deserialize, JsonSchema)]
struct DeleteArguments {
    /// What would be deleted
    filename: String,
}

#[tool_router(router = task_tools, vis = "pub(crate)")]
impl Fixtures {
    #[tool(name = "greet", description = "Greets, at once")]
    async fn greet(
        &self,
        Parameters(GreetArguments { name }): Parameters<GreetArguments>,
    ) -> String {
        format!("Hello, {name}!")
    }

    #[tool(
        name = "slow_compute",
        description = "Takes some seconds: as a task where the client knows tasks"
    )]
    async fn slow_compute(
        &self,
        cx: RequestContext<RoleServer>,
        Parameters(SlowArguments { seconds }): Parameters<SlowArguments>,
    ) -> Result<CallToolResponse, ErrorData> {
        let time = Duration::try_from_secs_f64(seconds)
            .map_err(|_| ErrorData::invalid_params("seconds: expected 0 or more", None))?;
        if !knows_tasks(&cx) {
            sleep(time).await;
            return Ok(done("Computed").into());
        }
        Ok(self.task(move |task| async move {
            tokio::select! {
                () = task.cancelled() => Err(TaskExit::Cancelled),
                () = sleep(time) => Ok(done("Computed")),
            }
        }))
    }

    #[tool(name = "failing_job", description = "A task whose tool fails")]
    async fn failing_job(
        &self,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        require_tasks(&cx)?;
        Ok(self.task(|_| async {
            sleep(Duration::from_secs(1)).await;
            Ok(CallToolResult::error(vec![ContentBlock::text(
                "This job intentionally fails",
            )]))
        }))
    }

    #[tool(
        name = "protocol_error_job",
        description = "A task that ends with a protocol error"
    )]
    async fn protocol_error_job(
        &self,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        require_tasks(&cx)?;
        Ok(self.task(|_| async {
            Err(ErrorData::internal_error("This job intentionally breaks", None).into())
        }))
    }

    #[tool(
        name = "confirm_delete",
        description = "A task that asks before it goes on"
    )]
    async fn confirm_delete(
        &self,
        cx: RequestContext<RoleServer>,
        Parameters(DeleteArguments { filename }): Parameters<DeleteArguments>,
    ) -> Result<CallToolResponse, ErrorData> {
        require_tasks(&cx)?;
        Ok(self.task(move |task| async move {
            let ask = form(&format!("Delete {filename}?"), "confirm", "boolean");
            let answer = task.request_input("confirm", ask).await?;
            let yes = answer["action"] == "accept" && answer["content"]["confirm"] == json!(true);
            Ok(done(if yes { "Deleted" } else { "Kept" }))
        }))
    }

    #[tool(
        name = "multi_input",
        description = "A task that asks two things at once"
    )]
    async fn multi_input(
        &self,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        require_tasks(&cx)?;
        Ok(self.task(|task| async move {
            let name = || form("What is your name?", "name", "string");
            tokio::try_join!(
                task.request_input("first", name()),
                task.request_input("second", name()),
            )?;
            Ok(done("Both answered"))
        }))
    }

    #[tool(
        name = "test_tool_with_task",
        description = "Asks in a round, then goes on as a task"
    )]
    async fn ask_then_task(
        &self,
        cx: RequestContext<RoleServer>,
        asking: ToolContext,
    ) -> Result<CallToolResponse, ErrorData> {
        require_tasks(&cx)?;
        let asked = asking.elicitor().text_input("What is your name?", "name");
        Ok(match asked.key("user_name").await? {
            Outcome::Accepted(name) => {
                self.task(move |_| async move { Ok(done(&format!("Hello, {name}!"))) })
            }
            other => done(other.status()).into(),
        })
    }
}

impl Fixtures {
    fn task<F>(&self, work: impl FnOnce(TaskContext) -> F + Send + 'static) -> CallToolResponse
    where
        F: Future<Output = Result<CallToolResult, TaskExit>> + Send + 'static,
    {
        let options = TaskOptions::new().with_poll_interval_ms(100);
        let task = self.tasks.spawn(options, |task| Box::pin(work(task)));
        CreateTaskResult::new(task).into()
    }
}

fn knows_tasks(cx: &RequestContext<RoleServer>) -> bool {
    cx.client_capabilities()
        .is_some_and(|declared| declared.supports_tasks())
}

fn require_tasks(cx: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    if knows_tasks(cx) {
        return Ok(());
    }
    let missing = ClientCapabilities::builder().enable_tasks().build();
    Err(ErrorData::missing_required_client_capability(missing))
}

fn done(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// A question of one required field, as the extension carries it.
fn form(message: &str, field: &str, kind: &str) -> InputRequest {
    let request = json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": { field: { "type": kind } },
                "required": [field]
            }
        }
    });
    serde_json::from_value(request).expect("the questions of this file are MCP's")
}
