//! Scripts on the inbox page: what the page's seam wants, from a folder of scripts.

use crate::terminal::person;
use anyhow::Context;
use futures::{
    FutureExt, StreamExt,
    future::{BoxFuture, ready},
    stream::{self, BoxStream},
};
use holdpoint::{CallId, Desk, FlowRun, FlowStart, Origin, ToolContext, journal::CallRecord};
use holdpoint_inbox::scripts::{self, Fault, Live, METHOD, Method, Script, Scripts, Wanted};
use holdpoint_script::{
    Artifact, ArtifactKind, Emit, Emits, Job, Level, Library, LoadError, Permissions, Program,
    Tone, version,
};
use rmcp::{ErrorData, model::CallToolResult};
use serde_json::{Map, Value};
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A folder of scripts that people run on the page, in the name of this user.
pub struct ScriptPage {
    library: Arc<Library>,
    workspace: PathBuf,
    private: Vec<PathBuf>,
    user: String,
}

impl ScriptPage {
    /// The scripts of this folder. What they do happens in this workspace, and never in what is
    /// `private`.
    ///
    /// # Errors
    /// When the workspace cannot be used.
    pub fn open(
        library: Arc<Library>,
        workspace: &Path,
        private: Vec<PathBuf>,
    ) -> anyhow::Result<Self> {
        let workspace = workspace
            .canonicalize()
            .with_context(|| format!("cannot use the workspace {}", workspace.display()))?;
        Ok(Self {
            library,
            workspace,
            private,
            user: person::user(),
        })
    }

    fn job(&self, program: Arc<Program>, method: String, arguments: Map<String, Value>) -> Job {
        Job {
            program,
            method,
            arguments,
            workspace: self.workspace.clone(),
            private: self.private.clone(),
        }
    }
}

impl Scripts for ScriptPage {
    fn folder(&self) -> String {
        self.library.folder().display().to_string()
    }

    fn list(&self) -> Vec<Script> {
        let loaded = self.library.now();
        let files = loaded.files.iter();
        let script = |(file, loaded): (&String, &Result<Arc<Program>, LoadError>)| match loaded {
            Ok(program) => script(program),
            Err(error) => faulty(file, error),
        };
        files.map(script).collect()
    }

    fn changes(&self) -> BoxStream<'static, ()> {
        stream::unfold(self.library.changes(), |mut changes| async move {
            changes.changed().await.ok()?;
            Some(((), changes))
        })
        .boxed()
    }

    fn begin(&self, desk: &Desk, wanted: &Wanted, live: Live) -> Result<FlowRun, String> {
        let gone = || "There is no such script now: reload the page".to_owned();
        let loaded = self.library.now();
        let program = loaded.program(&wanted.script).ok_or_else(gone)?;
        let method = program.method(&wanted.method).ok_or_else(gone)?;
        let begin = FlowStart {
            origin: Origin {
                principal: format!("inbox:{}", self.user),
                client: Some("playground".into()),
                tool: Some(method.tool.clone()),
                workspace: Some(self.workspace.to_string_lossy().into_owned()),
            },
            method: METHOD.into(),
            arguments: Value::Object(wanted.arguments.clone()),
            version: version(program),
        };
        let job = self.job(
            program.clone(),
            method.name.clone(),
            wanted.arguments.clone(),
        );
        Ok(desk.run(begin, |cx| run(cx, job, live)))
    }

    fn resume<'a>(
        &'a self,
        desk: &'a Desk,
        call: CallId,
        live: Live,
    ) -> BoxFuture<'a, Result<FlowRun, String>> {
        async move {
            let history = desk.journal().call(call).await;
            let history = history.map_err(|error| format!("{error}."))?;
            let tool = history.and_then(|history| history.call.origin.tool);
            let loaded = self.library.now();
            let found = tool.as_deref().and_then(|tool| loaded.tool(tool));
            let (program, method) = found.ok_or("The script of this run is gone.")?;
            let flow = |cx: ToolContext, record: &CallRecord| {
                let arguments = record.arguments.as_object().cloned().unwrap_or_default();
                run(
                    cx,
                    self.job(program.clone(), method.to_owned(), arguments),
                    live,
                )
            };
            let resumed = desk.resume(call, version(program), flow).await;
            resumed.map_err(|why| format!("It cannot go on here: {why}."))
        }
        .boxed()
    }
}

async fn run(cx: ToolContext, job: Job, live: Live) -> Result<CallToolResult, ErrorData> {
    holdpoint_script::run(cx, job, Arc::new(ToPage(live))).await
}

/// Emits to the page.
struct ToPage(Live);

impl Emits for ToPage {
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()> {
        self.0.tell(told(emit));
        ready(()).boxed()
    }
}

fn told(emit: Emit) -> scripts::Emit {
    match emit {
        Emit::Status { message, .. } => scripts::Emit::Status(message),
        Emit::Progress { value, message } => scripts::Emit::Progress { value, message },
        Emit::Log {
            message,
            level,
            data,
        } => scripts::Emit::Log {
            level: level_word(level).into(),
            message,
            data,
        },
        Emit::Toast { message, tone, .. } => scripts::Emit::Toast {
            message,
            tone: tone_word(tone).into(),
        },
        Emit::Thinking { active, message } => scripts::Emit::Thinking { active, message },
        Emit::Artifact(artifact) => scripts::Emit::Artifact(made(artifact)),
    }
}

fn level_word(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn tone_word(tone: Tone) -> &'static str {
    match tone {
        Tone::Info => "info",
        Tone::Success => "success",
        Tone::Warning => "warning",
        Tone::Error => "error",
    }
}

fn made(artifact: Artifact) -> scripts::Artifact {
    let (kind, language) = match artifact.kind {
        ArtifactKind::Text => (scripts::ArtifactKind::Text, None),
        ArtifactKind::Markdown => (scripts::ArtifactKind::Markdown, None),
        ArtifactKind::Code => (scripts::ArtifactKind::Code, artifact.language),
        ArtifactKind::Json => (scripts::ArtifactKind::Json, None),
        ArtifactKind::Html => (scripts::ArtifactKind::Code, Some("html".into())),
        ArtifactKind::Image => (scripts::ArtifactKind::Image, None),
    };
    scripts::Artifact {
        kind,
        title: Some(artifact.title),
        content: artifact.content,
        language,
        mime: artifact.mime_type,
    }
}

fn script(program: &Arc<Program>) -> Script {
    let methods = program.methods().iter().map(|method| Method {
        name: method.name.clone(),
        tool: method.tool.clone(),
        description: method.description.clone(),
        input: method.input.clone(),
    });
    Script {
        name: program.name().to_owned(),
        file: program.file().to_owned(),
        description: program.description().map(str::to_owned),
        permissions: words(program.permissions()),
        methods: methods.collect(),
        fault: None,
    }
}

fn faulty(file: &str, error: &LoadError) -> Script {
    Script {
        name: file.strip_suffix(".js").unwrap_or(file).to_owned(),
        file: file.to_owned(),
        description: None,
        permissions: Vec::new(),
        methods: Vec::new(),
        fault: Some(Fault {
            line: error.line,
            column: error.column,
            message: error.message.clone(),
            excerpt: error.excerpt.clone(),
        }),
    }
}

/// What a file may do, one line each.
fn words(permissions: &Permissions) -> Vec<String> {
    let each = |what: &str, names: &[String]| -> Vec<String> {
        names.iter().map(|name| format!("{what} {name}")).collect()
    };
    [
        each("run the program", &permissions.run),
        each("read files under", &permissions.read),
        each("write files under", &permissions.write),
        each("reach the server", &permissions.net),
    ]
    .concat()
}

impl fmt::Debug for ScriptPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptPage")
            .field("folder", &self.library.folder())
            .finish_non_exhaustive()
    }
}
