//! A tool: what is told about it beforehand, and its flow.

use crate::{
    arguments::Arguments,
    config::FlowConfig,
    fault::Fault,
    onboarding::disk::Disk,
    schema::{self, Own},
};
use futures::future::BoxFuture;
use holdpoint::ToolContext;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// What a flow has at hand.
#[derive(Clone)]
pub(crate) struct Flow {
    pub cx: ToolContext,
    pub config: Arc<FlowConfig>,
    pub disk: Arc<dyn Disk>,
}

/// What a flow ends with.
pub(crate) type Ended = Result<CallToolResult, Fault>;

/// A tool that agents can call.
pub(crate) struct Entry {
    pub tool: Tool,
    run: Run,
}

type Run = Box<dyn Fn(Flow, Arguments) -> BoxFuture<'static, Ended> + Send + Sync>;

/// What is told about a tool beforehand, beside its schemas.
pub(crate) struct About {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub hints: Hints,
}

/// What a call of a tool can do to the world.
#[derive(Clone, Copy)]
pub(crate) enum Hints {
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

impl Entry {
    /// A tool with this flow; `own` are its own result fields.
    pub fn new<A, F, R>(about: About, output: Own, flow: F) -> Self
    where
        A: JsonSchema + DeserializeOwned + Send + 'static,
        F: Fn(Flow, A) -> R + Copy + Send + Sync + 'static,
        R: Future<Output = Ended> + Send + 'static,
    {
        let input: Arc<JsonObject> = Arc::new(schema::input::<A>());
        let mut tool = Tool::new(about.name, about.description, input.clone())
            .with_title(about.title)
            .with_annotations(about.hints.annotations(about.title));
        tool.output_schema = Some(Arc::new(output.schema()));
        // What waits for a person is the flow alone: its arguments are read before it is boxed.
        let run: Run = Box::new(move |cx, arguments| match arguments.read::<A>(&input) {
            Ok(arguments) => Box::pin(flow(cx, arguments)),
            Err(fault) => Box::pin(std::future::ready(Err(fault))),
        });
        Self { tool, run }
    }

    pub fn run(&self, flow: Flow, arguments: Arguments) -> BoxFuture<'static, Ended> {
        (self.run)(flow, arguments)
    }
}

impl Hints {
    fn annotations(self, title: &str) -> ToolAnnotations {
        let (read_only, idempotent, open_world) = match self {
            Self::Asks => (true, false, true),
            Self::Waits => (true, true, true),
            Self::Reads => (true, true, false),
            Self::Updates => (false, false, false),
            Self::Commits | Self::Changes => (false, false, true),
            Self::Writes => (false, true, false),
        };
        ToolAnnotations::with_title(title)
            .read_only(read_only)
            .destructive(matches!(self, Self::Changes))
            .idempotent(idempotent)
            .open_world(open_world)
    }
}
