//! The tasks extension: calls that outlive their request.

use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer,
    handler::server::{tool::InputResponses as Answers, wrapper::Parameters},
    model::*,
    service::RequestContext,
    task_manager::{TaskContext, TaskExit, TaskOptions},
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::time::sleep;

use crate::{
    elicitation::{accepted, form, name_form, one_field, round, text},
    server::Fixtures,
};

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
            return Ok(text("Computed"));
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
            let ask = form(
                &format!("Delete {filename}?"),
                one_field("confirm", json!({ "type": "boolean" })),
            );
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
            tokio::try_join!(
                task.request_input("first", name_form()),
                task.request_input("second", name_form()),
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
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        require_tasks(&cx)?;
        match accepted(&answers, "user_name", "name") {
            Some(name) => {
                Ok(self.task(move |_| async move { Ok(done(&format!("Hello, {name}!"))) }))
            }
            None => Ok(round(&cx, [("user_name", name_form())], None)?.into()),
        }
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
