//! The tools, prompts and resources of plans, as a source for a server.

use super::{
    checkpoint,
    completion::complete,
    create, info, list, plan_history, plan_status,
    prompts::Prompts,
    resources::{ASK_TEMPLATE, Resources, Viewer},
    restore, step_add, step_complete, step_start, validate,
};
use futures::future::BoxFuture;
use holdpoint::{
    Caller, PromptSource, ResourceSource, ToolCall, ToolContext, ToolSource,
    tool::{TypedTool, TypedTools},
};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CompleteRequestParams, CompletionInfo, GetPromptResult, JsonObject,
        ListResourceTemplatesResult, ListResourcesResult, Prompt, ReadResourceResult, Reference,
        SubscriptionFilter,
    },
    service::{Peer, SubscriptionContext},
};
use std::{path::PathBuf, sync::Arc};

/// Plans in folders: tools, prompts, resources and completions.
pub struct PlanTools {
    tools: TypedTools<Flow>,
    config: Arc<PlansConfig>,
    resources: Resources,
}

/// Where plans are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlansConfig {
    /// The folder that the agent works in, where the call's own record names none.
    pub workspace: PathBuf,
    /// Where plans are usually kept, inside the workspace.
    pub plans_dir: String,
}

/// What a call of one of the tools has at hand.
#[derive(Clone)]
pub(super) struct Flow {
    pub cx: ToolContext,
    pub config: Arc<PlansConfig>,
}

/// A tool of this room.
pub(super) type Tool = TypedTool<Flow>;

const INSTRUCTIONS: &str = "\
For a plan in files call `plan_create`. Call `plan_status` to see what comes next. Call `plan_step_start` before any work on a step. Call `plan_step_complete` after it. Change STATUS.md through these tools only. A plan's code is also its planName.";

impl PlanTools {
    /// Plans that are kept there.
    pub fn new(config: PlansConfig) -> Self {
        Self {
            tools: TypedTools::new([
                create::tool(),
                info::tool(),
                plan_status::tool(),
                list::tool(),
                step_add::tool(),
                step_start::tool(),
                step_complete::tool(),
                step_complete::skip_tool(),
                validate::tool(),
                plan_history::tool(),
                checkpoint::tool(),
                restore::tool(),
            ]),
            config: Arc::new(config),
            resources: Resources::default(),
        }
    }

    /// A call over these plans.
    pub(super) fn flow(&self, cx: ToolContext) -> Flow {
        Flow {
            cx,
            config: self.config.clone(),
        }
    }
}

impl ToolSource for PlanTools {
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        self.tools.list()
    }

    fn tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.tools.listed(name)
    }

    fn has_tool(&self, name: &str) -> bool {
        self.tools.get(name).is_some()
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        Some(self.tools.get(name)?.call(self.flow(cx), arguments))
    }

    fn instructions(&self) -> Option<&str> {
        Some(INSTRUCTIONS)
    }

    fn prompts(&self) -> Option<&dyn PromptSource> {
        Some(self)
    }

    fn resources(&self) -> Option<&dyn ResourceSource> {
        Some(self)
    }
}

impl PromptSource for PlanTools {
    fn list(&self) -> Vec<Prompt> {
        Prompts::list()
    }

    fn get(
        &self,
        cx: ToolContext,
        name: String,
        arguments: Option<JsonObject>,
    ) -> BoxFuture<'static, Result<GetPromptResult, ErrorData>> {
        let flow = self.flow(cx);
        Box::pin(async move { Prompts::get(&flow, &name, arguments).await })
    }

    fn complete(
        &self,
        caller: Caller,
        request: CompleteRequestParams,
    ) -> BoxFuture<'_, CompletionInfo> {
        let viewer = Viewer::from_caller(&caller, &self.config);
        Box::pin(async move { complete(&viewer, request).await })
    }
}

impl ResourceSource for PlanTools {
    fn list(
        &self,
        caller: Caller,
        cursor: Option<String>,
    ) -> BoxFuture<'_, Result<ListResourcesResult, ErrorData>> {
        let viewer = Viewer::from_caller(&caller, &self.config);
        Box::pin(async move { self.resources.list(&viewer, cursor).await })
    }

    fn templates(&self) -> ListResourceTemplatesResult {
        self.resources.templates()
    }

    fn complete(
        &self,
        caller: Caller,
        request: CompleteRequestParams,
    ) -> BoxFuture<'_, CompletionInfo> {
        let viewer = Viewer::from_caller(&caller, &self.config);
        Box::pin(async move {
            match &request.r#ref {
                Reference::Resource(template) if template.uri == ASK_TEMPLATE => {
                    Resources::complete_ask(&viewer, &request.argument.value).await
                }
                _ => complete(&viewer, request).await,
            }
        })
    }

    fn read(
        &self,
        cx: ToolContext,
        uri: String,
    ) -> BoxFuture<'_, Result<ReadResourceResult, ErrorData>> {
        let viewer = Viewer::from_call(&cx, &self.config);
        Box::pin(async move { self.resources.read(&viewer, &uri).await })
    }

    fn subscribe(
        &self,
        caller: Caller,
        uri: String,
        peer: Peer<RoleServer>,
    ) -> BoxFuture<'_, Result<(), ErrorData>> {
        let viewer = Viewer::from_caller(&caller, &self.config);
        Box::pin(async move { self.resources.subscribe(&caller, viewer, &uri, peer).await })
    }

    fn unsubscribe(&self, caller: Caller, uri: String) -> BoxFuture<'_, ()> {
        Box::pin(async move { self.resources.unsubscribe(&caller, &uri).await })
    }

    fn accept(&self, requested: &SubscriptionFilter) -> SubscriptionFilter {
        Resources::accepted(requested)
    }

    fn listen(
        &self,
        caller: Caller,
        context: SubscriptionContext,
    ) -> BoxFuture<'_, Result<(), ErrorData>> {
        let viewer = Viewer::from_caller(&caller, &self.config);
        Box::pin(async move { self.resources.listen(viewer, context).await })
    }
}
