//! Sources of tools: several of them make one server, a [`ToolServer`](super::ToolServer).

use crate::{Caller, FlowVersion, ToolContext};
use futures::stream::BoxStream;
use holdpoint_journal::BoxFuture;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolResult, CompleteRequestParams, CompletionInfo, GetPromptResult, JsonObject,
        ListResourceTemplatesResult, ListResourcesResult, Prompt, ReadResourceResult,
        SubscriptionFilter, Tool,
    },
    service::{Peer, SubscriptionContext},
};

/// A call of a tool that has been started.
pub type ToolCall = BoxFuture<'static, Result<CallToolResult, ErrorData>>;

/// Tools that belong together: a tool set, a folder of scripts.
///
/// Where two sources of a server have a tool of the same name, the first one keeps it.
///
#[doc = include_str!("../../docs/tool_server.md")]
pub trait ToolSource: Send + Sync + 'static {
    /// The tools that there are now, in the order in which they are listed.
    fn tools(&self) -> Vec<Tool>;

    /// The tool of this name.
    fn tool(&self, name: &str) -> Option<Tool> {
        self.tools().into_iter().find(|tool| tool.name == name)
    }

    /// Whether there is a tool of this name. It is looked up several times in a call: a source that need not
    /// make a tool to know of it says so.
    fn has_tool(&self, name: &str) -> bool {
        self.tool(name).is_some()
    }

    /// Starts a call of the tool of this name. What it returns waits for people: it should hold
    /// nothing that the call does not need. A call that began while there was such a tool may go on without one
    /// ([`ToolContext::replays`]).
    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall>;

    /// The version of a tool, where it has one of its own: a call that another version opened is
    /// not resumed.
    fn version(&self, _tool: &str) -> Option<FlowVersion> {
        None
    }

    /// When to use which of its tools; told to agents while it has some.
    fn instructions(&self) -> Option<&str> {
        None
    }

    /// Its changes from now on: an item each time its tools have changed. None where they never do.
    fn changes(&self) -> Option<BoxStream<'static, ()>> {
        None
    }

    /// Logs that a source before this one has a tool of the same name, so that this one is hidden.
    fn log_hidden(&self, tool: &str) {
        tracing::warn!("there is another tool {tool} already: this one is not offered");
    }

    /// Its prompts, where it has some.
    fn prompts(&self) -> Option<&dyn PromptSource> {
        None
    }

    /// Its resources, where it has some.
    fn resources(&self) -> Option<&dyn ResourceSource> {
        None
    }
}

/// The prompts of a source, and suggestions for their arguments.
pub trait PromptSource: Send + Sync {
    /// The prompts, in the order in which they are listed.
    fn list(&self) -> Vec<Prompt>;

    /// The text of a prompt. It may ask.
    fn get(
        &self,
        cx: ToolContext,
        name: String,
        arguments: Option<JsonObject>,
    ) -> BoxFuture<'static, Result<GetPromptResult, ErrorData>>;

    /// What could be meant by what was typed of an argument that a prompt has, best first. The request says
    /// of which, and what is known of its other arguments.
    fn complete(
        &self,
        caller: Caller,
        request: CompleteRequestParams,
    ) -> BoxFuture<'_, CompletionInfo>;
}

/// The resources of a source, and who hears of their changes.
pub trait ResourceSource: Send + Sync {
    /// A page of them.
    fn list(
        &self,
        caller: Caller,
        cursor: Option<String>,
    ) -> BoxFuture<'_, Result<ListResourcesResult, ErrorData>>;

    /// The templates of their addresses.
    fn templates(&self) -> ListResourceTemplatesResult;

    /// What could be meant by what was typed so far of a part that a template has, best first. The request
    /// says of which.
    fn complete(
        &self,
        _caller: Caller,
        _request: CompleteRequestParams,
    ) -> BoxFuture<'_, CompletionInfo> {
        Box::pin(std::future::ready(CompletionInfo::default()))
    }

    /// One of them.
    fn read(
        &self,
        cx: ToolContext,
        uri: String,
    ) -> BoxFuture<'_, Result<ReadResourceResult, ErrorData>>;

    /// Notifies a legacy client from now on when a resource changes.
    fn subscribe(
        &self,
        caller: Caller,
        uri: String,
        peer: Peer<RoleServer>,
    ) -> BoxFuture<'_, Result<(), ErrorData>>;

    /// Ends such a subscription.
    fn unsubscribe(&self, caller: Caller, uri: String) -> BoxFuture<'_, ()>;

    /// The part of what a modern client wants to hear of that there is.
    fn accept(&self, requested: &SubscriptionFilter) -> SubscriptionFilter;

    /// Notifies a modern client of changes for as long as it listens.
    fn listen(
        &self,
        caller: Caller,
        context: SubscriptionContext,
    ) -> BoxFuture<'_, Result<(), ErrorData>>;
}
