//! Typed tools: what is told about a tool beforehand, and its flow.

use super::{arguments::Arguments, error::ToolError, result::ToolOutput, schema::input_schema};
use futures::FutureExt;
use holdpoint_journal::BoxFuture;
use rmcp::{
    ErrorData,
    model::{CallToolResult, JsonObject, MetaObject, Tool, ToolAnnotations},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::{borrow::Cow, fmt, sync::Arc};

/// A tool that agents can call, with a flow that takes typed arguments.
///
/// `C` is what each call of the flow is given besides them: a [`ToolContext`](crate::ToolContext),
/// alone or together with what the tool's server has at hand.
pub struct TypedTool<C> {
    definition: Tool,
    run: Run<C>,
}

type Run<C> = Box<dyn Fn(C, Arguments) -> Running + Send + Sync>;
type Running = BoxFuture<'static, Result<CallToolResult, ErrorData>>;

/// What is told about a tool beforehand, beside its schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolInfo {
    /// The name that agents call it by.
    pub name: &'static str,
    /// The name that people see.
    pub title: &'static str,
    /// What it does, and when to call it.
    pub description: &'static str,
    /// What a call of it can do to the world.
    pub hints: ToolHints,
}

/// What a call of a tool can do to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolHints {
    /// It asks a person and changes nothing. Asked twice is two questions.
    Asks,
    /// It only waits.
    Waits,
    /// It only reads.
    Reads,
    /// It asks a person and may then commit.
    Commits,
    /// It writes a file of its own, and replaces only what it wrote before.
    Writes,
    /// It changes files of its own, and each call changes them again.
    Updates,
    /// It asks a person and may then replace a file of theirs.
    Changes,
}

impl<C: 'static> TypedTool<C> {
    /// A tool with this flow.
    pub fn new<A, O, F, R>(info: ToolInfo, flow: F) -> Self
    where
        A: JsonSchema + DeserializeOwned + Send + 'static,
        O: ToolOutput + 'static,
        F: Fn(C, A) -> R + Send + Sync + 'static,
        R: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        let input: Arc<JsonObject> = Arc::new(input_schema::<A>());
        let mut definition = Tool::new(info.name, info.description, input.clone())
            .with_title(info.title)
            .with_annotations(info.hints.annotations());
        definition.output_schema = Some(Arc::new(O::schema()));
        // Parsed before the flow is boxed: a parked call then holds the flow and nothing else.
        let run: Run<C> = Box::new(move |cx, arguments| match arguments.parse::<A>(&input) {
            Ok(arguments) => flow(cx, arguments).map(finish).boxed(),
            Err(error) => std::future::ready(error.into_result()).boxed(),
        });
        Self { definition, run }
    }

    /// Agents must not miss this one: a client that puts tools away until an agent searches for
    /// them (Claude Code) keeps it in view.
    pub fn always_load(mut self) -> Self {
        let mut meta = MetaObject::new();
        meta.insert("anthropic/alwaysLoad".into(), true.into());
        self.definition.meta = Some(meta);
        self
    }

    /// The same under another name.
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.definition.name = name.into();
        self
    }

    /// The same without a schema of what it gives: clients check results against it.
    pub(crate) fn without_output_schema(mut self) -> Self {
        self.definition.output_schema = None;
        self
    }

    /// The tool as it is listed.
    pub fn definition(&self) -> &Tool {
        &self.definition
    }

    /// Starts a call. What the agent can correct comes back as a tool's error, with a code and
    /// what to do; the rest is a fault of the protocol.
    pub fn call(
        &self,
        context: C,
        arguments: Option<JsonObject>,
    ) -> BoxFuture<'static, Result<CallToolResult, ErrorData>> {
        (self.run)(context, Arguments::new(arguments))
    }
}

impl<C> fmt::Debug for TypedTool<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedTool")
            .field(&self.definition.name)
            .finish()
    }
}

fn finish<O: ToolOutput>(ended: Result<O, ToolError>) -> Result<CallToolResult, ErrorData> {
    ended.map(O::into_result).or_else(ToolError::into_result)
}

/// Tools in the order in which they are listed.
#[derive(Debug)]
pub struct TypedTools<C>(Vec<TypedTool<C>>);

impl<C: 'static> TypedTools<C> {
    /// These tools.
    pub fn new(tools: impl IntoIterator<Item = TypedTool<C>>) -> Self {
        Self(tools.into_iter().collect())
    }

    /// All of them, as they are listed.
    pub fn list(&self) -> Vec<Tool> {
        self.0.iter().map(|tool| tool.definition.clone()).collect()
    }

    /// The tool of this name, as it is listed.
    pub fn listed(&self, name: &str) -> Option<Tool> {
        self.get(name).map(|tool| tool.definition.clone())
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&TypedTool<C>> {
        self.0.iter().find(|tool| tool.definition.name == name)
    }
}

impl ToolHints {
    /// What is the protocol's default is left out, and so is what it gives no meaning to: whether
    /// something that changes nothing is destructive or idempotent.
    ///
    /// None has an open world: they reach the person and the workspace. VS Code makes people
    /// approve the raw result of a tool that has one, here their own answer.
    fn annotations(self) -> ToolAnnotations {
        let hints = ToolAnnotations::new().open_world(false);
        match self {
            Self::Asks | Self::Waits | Self::Reads => hints.read_only(true),
            Self::Updates | Self::Commits => hints.read_only(false).destructive(false),
            Self::Writes => hints.read_only(false).destructive(false).idempotent(true),
            Self::Changes => hints.read_only(false).destructive(true),
        }
    }
}
