//! The client that stands for an agent: it calls the tool, and shows the form.

use super::print;
use crate::terminal::{
    self, discard_input,
    form::{self, Filled, Start},
    prompt::Stop,
};
use anyhow::Context;
use holdpoint_ask::Form;
use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
        ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
    },
    service::{RequestContext, RunningService},
};
use serde_json::Value;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What the agent's client calls itself.
pub const CLIENT: &str = "holdpoint-demo";

/// What the agent calls.
pub const TOOL: &str = "request_plan_approval";

/// An MCP client whose forms go to the terminal, if it shows any.
pub struct Agent {
    shows_forms: bool,
    /// Where the same question can be answered on the page.
    page: Option<String>,
    /// How long the question is read before an answer counts.
    reading: Duration,
    /// Fires when the person presses Ctrl-C.
    left: CancellationToken,
}

impl Agent {
    pub fn new(
        shows_forms: bool,
        page: Option<String>,
        reading: Duration,
        left: CancellationToken,
    ) -> Self {
        Self {
            shows_forms,
            page,
            reading,
            left,
        }
    }
}

/// Calls the tool and gives what the agent got.
pub async fn call(
    agent: &RunningService<RoleClient, Agent>,
    arguments: Value,
) -> anyhow::Result<CallToolResult> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let call = CallToolRequestParams::new(TOOL).with_arguments(arguments);
    agent.call_tool(call).await.context("the call failed")
}

impl ClientHandler for Agent {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } = request
        else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        print::decide(&message, false);
        let fault = |error: String| ErrorData::internal_error(error, None);
        let schema =
            serde_json::to_value(requested_schema).map_err(|error| fault(error.to_string()))?;
        let form =
            Form::from_requested_schema(&schema).map_err(|error| fault(error.to_string()))?;
        if let Some(address) = &self.page {
            print::or_there(address);
        }
        let over = CancellationToken::new();
        let told = over.clone();
        let reading = self.reading;
        let filled =
            tokio::task::spawn_blocking(move || match discard_input::discard_for(reading) {
                Err(Stop::Fault(error)) => Err(error.into()),
                Err(_) => Ok(Filled::Interrupted),
                Ok(()) => form::fill(&form, Start::default(), None, &told),
            });
        let filled = tokio::select! {
            filled = filled => filled,
            () = context.ct.cancelled() => {
                // The prompt still waits for a key; it ends with the process.
                over.cancel();
                terminal::release();
                print::answered_there();
                return Ok(ElicitResult::new(ElicitationAction::Cancel));
            }
        };
        match filled.map_err(|error| fault(error.to_string()))? {
            Ok(Filled::Accepted(answers, _)) => {
                let content = Value::Object(answers);
                print::answered(&content, false);
                Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
            }
            Ok(Filled::Interrupted) => {
                // It all ends here: there is no result to be shown any more.
                self.left.cancel();
                std::future::pending().await
            }
            Ok(Filled::Left | Filled::Over) => {
                print::dismissed();
                Ok(ElicitResult::new(ElicitationAction::Cancel))
            }
            Err(error) => Err(fault(format!("{error:#}"))),
        }
    }

    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.shows_forms {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
        let version = env!("CARGO_PKG_VERSION");
        ClientConfig::new(capabilities, Implementation::new(CLIENT, version))
    }
}
