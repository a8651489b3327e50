//! Scripts on the inbox page: the page's trait [`Scripts`] over a folder of scripts.

use crate::{known_workspaces::known_workspaces, server_name::SERVER_NAME, terminal::person};
use anyhow::Context;
use futures::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use holdpoint::{
    CallId, Desk, FlowRun, FlowStart, Origin, SCRIPT_METHOD, ToolContext,
    journal::{CallRecord, JournalError},
};
use holdpoint_inbox::scripts::{Fault, Method, RunError, RunLog, RunRequest, Script, Scripts};
use holdpoint_script::{Job, Library, LoadError, Permissions, Program, run, version};
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
    fn server(&self) -> &str {
        SERVER_NAME
    }

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

    fn workspaces<'a>(
        &'a self,
        desk: &'a Desk,
    ) -> BoxFuture<'a, Result<Vec<String>, JournalError>> {
        async move {
            let known = known_workspaces(desk.journal().as_ref(), &self.workspace).await?;
            let text = |path: &PathBuf| path.to_str().map(str::to_owned);
            // One that cannot be named is the only one: no other takes its place.
            Ok(match self.workspace.to_str() {
                Some(_) => known.iter().filter_map(text).collect(),
                None => Vec::new(),
            })
        }
        .boxed()
    }

    fn start(&self, desk: &Desk, request: &RunRequest, log: RunLog) -> Result<FlowRun, RunError> {
        let loaded = self.library.now();
        let program = loaded.program(&request.script);
        let program = program.ok_or(RunError::UnknownMethod)?;
        let method = program.method(&request.method);
        let method = method.ok_or(RunError::UnknownMethod)?;
        let workspace = match &request.workspace {
            Some(chosen) => PathBuf::from(chosen),
            None => self.workspace.clone(),
        };
        let start = FlowStart::new(
            Origin {
                principal: format!("{}{}", Origin::PAGE, self.user),
                server: Some(SERVER_NAME.into()),
                client: Some("playground".into()),
                client_name: Some("playground".into()),
                tool: Some(method.tool.clone()),
                workspace: Some(workspace.to_string_lossy().into_owned()),
            },
            SCRIPT_METHOD,
        )
        .arguments(Value::Object(request.arguments.clone()))
        .version(version(program));
        let arguments = request.arguments.clone();
        let job = self.job(program.clone(), method.name.clone(), arguments);
        Ok(desk.run(start, |cx| run(cx, job, Arc::new(log))))
    }

    fn resume<'a>(
        &'a self,
        desk: &'a Desk,
        call: CallId,
        log: RunLog,
    ) -> BoxFuture<'a, Result<FlowRun, RunError>> {
        async move {
            let history = desk.journal().call(call).await?;
            let tool = history.and_then(|history| history.call.origin.tool);
            let loaded = self.library.now();
            let found = tool.as_deref().and_then(|tool| loaded.tool(tool));
            let (program, method) = found.ok_or(RunError::ScriptGone)?;
            let flow = |cx: ToolContext, record: &CallRecord| {
                let arguments = record.arguments.as_object().cloned().unwrap_or_default();
                let job = self.job(program.clone(), method.to_owned(), arguments);
                run(cx, job, Arc::new(log))
            };
            Ok(desk.resume(call, version(program), flow).await?)
        }
        .boxed()
    }
}

fn script(program: &Arc<Program>) -> Script {
    let methods = program.methods().iter().map(|method| Method {
        name: method.name.clone(),
        tool: method.tool.clone(),
        description: method.description.clone(),
        arguments: method.arguments.clone(),
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
        name: holdpoint_script::script_stem(file)
            .unwrap_or(file)
            .to_owned(),
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
