//! Scripts as a source of tools for a server.

use crate::{
    Job, Library, LoadError, Loaded, Method, Program, ToClient, call_result,
    flow::{self, version},
};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use holdpoint::{FlowVersion, ToolCall, ToolContext, ToolSource};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use std::{path::PathBuf, sync::Arc};
use tokio::sync::watch::Receiver;

/// The scripts of a folder as tools.
pub struct ScriptTools {
    library: Arc<Library>,
    workspace: PathBuf,
    private: Vec<PathBuf>,
}

const INSTRUCTIONS: &str = "Further tools are scripts that the person keeps: each asks them what it needs, and asks before it first acts. What such a tool returns is in `result`; where it has none, read `status` and do as `nextStep` says.";

impl ScriptTools {
    /// The scripts of a folder. What is wrong with a file is logged, now and whenever it changes.
    /// Effects happen in this workspace, and never in what is `private`.
    pub fn new(library: Arc<Library>, workspace: PathBuf, private: Vec<PathBuf>) -> Self {
        tokio::spawn(log_errors(library.changes()));
        Self {
            library,
            workspace,
            private,
        }
    }

    /// The script of this tool, and its method.
    fn script(&self, tool: &str) -> Option<(Arc<Program>, String)> {
        let loaded = self.library.now();
        let (program, method) = loaded.tool(tool)?;
        Some((program.clone(), method.to_owned()))
    }
}

impl ToolSource for ScriptTools {
    fn tools(&self) -> Vec<Tool> {
        let loaded = self.library.now();
        let tools = loaded.programs().flat_map(|program| {
            let methods = program.methods().iter();
            methods.map(|method| tool(program, method))
        });
        tools.collect()
    }

    fn tool(&self, name: &str) -> Option<Tool> {
        let (program, method) = self.script(name)?;
        program.method(&method).map(|method| tool(&program, method))
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        let (program, method) = self.script(name)?;
        let job = Job {
            program,
            method,
            arguments: arguments.unwrap_or_default(),
            workspace: self.workspace.clone(),
            private: self.private.clone(),
        };
        let emits = Arc::new(ToClient(cx.clone()));
        Some(Box::pin(flow::run(cx, job, emits)))
    }

    fn version(&self, tool: &str) -> Option<FlowVersion> {
        self.script(tool).map(|(program, _)| version(&program))
    }

    fn instructions(&self) -> Option<&str> {
        Some(INSTRUCTIONS)
    }

    fn changes(&self) -> Option<BoxStream<'static, ()>> {
        let mut changes = self.library.changes();
        changes.mark_unchanged();
        let changes = stream::unfold(changes, |mut changes| async {
            changes.changed().await.ok()?;
            Some(((), changes))
        });
        Some(changes.boxed())
    }

    fn log_hidden(&self, tool: &str) {
        if let Some((program, method)) = self.script(tool) {
            tracing::warn!(
                "{}: there is another tool {tool} already: rename the file or the method {method}",
                program.file(),
            );
        }
    }
}

/// A method as a tool.
fn tool(program: &Program, method: &Method) -> Tool {
    let about = method.description.as_deref().or(program.description());
    let about = match about {
        Some(about) => about.to_owned(),
        None => format!("{} of the script {}", method.name, program.file()),
    };
    let may = program.permissions();
    let changes = !(may.run.is_empty() && may.write.is_empty() && may.net.is_empty());
    let title = format!("{}: {}", program.name(), method.name);
    let hints = ToolAnnotations::with_title(title.clone())
        .read_only(!changes)
        .destructive(changes)
        .idempotent(false)
        .open_world(!(may.run.is_empty() && may.net.is_empty()));
    let mut tool = Tool::new(method.tool.clone(), about, Arc::new(method.input.clone()))
        .with_title(title)
        .with_annotations(hints);
    tool.output_schema = Some(Arc::new(call_result::schema(method.output.as_ref())));
    tool
}

/// Logs what is wrong with the files, now and whenever they change.
async fn log_errors(mut changes: Receiver<Arc<Loaded>>) {
    let mut before = Arc::<Loaded>::default();
    loop {
        let loaded = changes.borrow_and_update().clone();
        let known: Vec<&LoadError> = before.errors().collect();
        for error in loaded.errors().filter(|error| !known.contains(error)) {
            tracing::warn!("a script cannot be used: {error}");
        }
        before = loaded;
        if changes.changed().await.is_err() {
            return;
        }
    }
}
