//! Scripts as a source of tools for a server.

use crate::{
    Job, Library, LoadError, Loaded, Method, Program, ToClient, call_result,
    flow::{self, version},
    kept_source,
};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use holdpoint::{
    Desk, Digest, FlowVersion, ToolCall, ToolContext, ToolSource, journal::JournalError,
};
use holdpoint_ask::describe::error_chain;
use rmcp::{
    ErrorData,
    model::{JsonObject, Tool, ToolAnnotations},
};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::watch::Receiver;

/// The scripts of a folder as tools.
pub struct ScriptTools {
    library: Arc<Library>,
    workspace: PathBuf,
    private: Vec<PathBuf>,
    /// Whether what was kept of scripts and is not needed any more was looked for.
    has_cleaned_up: AtomicBool,
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
            has_cleaned_up: AtomicBool::new(false),
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

    fn has_tool(&self, name: &str) -> bool {
        self.library.now().tool(name).is_some()
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        let found = self.script(name);
        if found.is_none() && !cx.replays() {
            return None;
        }
        let (loaded, tool) = (self.library.now(), name.to_owned());
        let (workspace, private) = (self.workspace.clone(), self.private.clone());
        let folder = self.library.folder().to_owned();
        let cleans_up = !self.has_cleaned_up.swap(true, Ordering::AcqRel);
        Some(Box::pin(async move {
            if cleans_up {
                let current = loaded.programs().map(|program| program.digest()).collect();
                tokio::spawn(clean_up(cx.desk().clone(), current));
            }
            drop(loaded);
            let (program, method) = Box::pin(as_it_was(&cx, found, &folder, &tool)).await?;
            let job = Job {
                program,
                method,
                arguments: arguments.unwrap_or_default(),
                workspace,
                private,
            };
            let emits = Arc::new(ToClient(cx.clone()));
            flow::run(cx, job, emits).await
        }))
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

/// The script of this tool and its method, as they were when the call began; kept, so that the call goes on with them.
async fn as_it_was(
    cx: &ToolContext,
    found: Option<(Arc<Program>, String)>,
    folder: &Path,
    tool: &str,
) -> Result<(Arc<Program>, String), ErrorData> {
    let fault = |error: JournalError| ErrorData::internal_error(error_chain(&error), None);
    let wanted = cx.flow_version();
    let found = match found {
        Some((program, method)) if wanted.is_of_tool(&version(&program)) => Some((program, method)),
        changed => {
            let journal = cx.desk().journal();
            let kept = kept_source::load(&**journal, &wanted, folder, tool)
                .await
                .map_err(fault)?;
            let kept = kept.and_then(|program| {
                let method = program.methods().iter().find(|method| method.tool == tool);
                let method = method?.name.clone();
                Some((Arc::new(program), method))
            });
            kept.or(changed)
        }
    };
    let (program, method) = found.ok_or_else(|| {
        let what = format!(
            "The script of {tool} is not there any more. What it asked and did before is in the record; tell the person."
        );
        ErrorData::invalid_params(what, None)
    })?;
    kept_source::keep(cx, &program).await.map_err(fault)?;
    Ok((program, method))
}

async fn clean_up(desk: Desk, current: HashSet<Digest>) {
    if let Err(error) = kept_source::remove_unused(&**desk.journal(), current).await {
        let error = error_chain(&error);
        tracing::warn!(
            error,
            "sources of scripts that nobody needs were not removed"
        );
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
