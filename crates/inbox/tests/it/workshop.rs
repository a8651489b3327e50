//! Scripts that are Rust: real flows over a real desk, behind the page's own seam.

use futures::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use holdpoint::{
    Artifact, ArtifactKind, Ask, CallId, Desk, Emit, Field, FlowRun, FlowStart, Form, Kind, Level,
    Origin, Outcome, SCRIPT_METHOD, Tone, ToolContext,
    arguments::{Argument, ArgumentKind, Arguments},
    journal::JournalError,
};
use holdpoint_inbox::scripts::{Fault, Method, RunError, RunLog, RunRequest, Script, Scripts};
use serde_json::{Map, Value, json};
use std::{
    fmt,
    sync::{Arc, Mutex},
};
use tokio::sync::watch;

pub const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Where its runs may act.
pub const WORKSPACES: [&str; 2] = [
    "/home/ann/shop",
    "/home/ann/a-much-longer-path/to/another/workshop",
];

/// A folder of scripts that are Rust.
pub struct Workshop {
    scripts: Mutex<Vec<Script>>,
    changes: watch::Sender<u64>,
    /// What a text is, wherever a script can write one.
    text: String,
}

impl Workshop {
    pub fn new() -> Arc<Self> {
        Self::saying("Hello")
    }

    /// One whose scripts say this everywhere.
    pub fn saying(text: &str) -> Arc<Self> {
        Arc::new(Self {
            scripts: Mutex::new(scripts(text)),
            changes: watch::Sender::new(0),
            text: text.into(),
        })
    }

    /// The files have changed.
    pub fn change(&self, change: impl FnOnce(&mut Vec<Script>)) {
        change(&mut self.scripts.lock().unwrap());
        self.changes.send_modify(|count| *count += 1);
    }
}

fn scripts(text: &str) -> Vec<Script> {
    let method = |name: &str, arguments: Arguments| Method {
        name: name.into(),
        tool: format!("tools_{name}"),
        description: Some(format!("The method *{name}*: {text}")),
        arguments,
    };
    let one_of = |values: Value| ArgumentKind::OneOf(values.as_array().unwrap().clone());
    let arguments = Arguments::Listed(vec![
        Argument::new("word", ArgumentKind::Text).description(text),
        Argument::new("weight", ArgumentKind::Number).optional(),
        Argument::new("count", ArgumentKind::Integer).default(2),
        Argument::new("sure", ArgumentKind::Boolean),
        Argument::new("loud", ArgumentKind::Boolean).default(true),
        Argument::new("mood", one_of(json!(["good", 7]))).default("good"),
        Argument::new("names", ArgumentKind::list(ArgumentKind::Text)).optional(),
        Argument::new("numbers", ArgumentKind::list(ArgumentKind::Integer)).optional(),
        Argument::new("tags", ArgumentKind::list(one_of(json!(["a", "b", "c"])))).optional(),
        Argument::new("rest", ArgumentKind::Any).optional(),
    ]);
    let word = Argument::new("word", one_of(json!([text, "other"]))).description(text);
    let optional = Arguments::Listed(vec![word.optional()]);
    let none = Arguments::Listed(Vec::new());
    vec![
        Script {
            name: "broken".into(),
            file: "broken.js".into(),
            description: None,
            permissions: Vec::new(),
            methods: Vec::new(),
            fault: Some(Fault {
                line: Some(3),
                column: Some(9),
                message: format!("Unexpected token: {text}"),
                excerpt: Some(format!("  yield }} {text}")),
            }),
        },
        Script {
            name: "tools".into(),
            file: "tools.js".into(),
            description: Some(text.into()),
            permissions: vec![format!("run git {text}")],
            methods: vec![
                method("echo", arguments),
                method("open", Arguments::Any),
                method("asks", none.clone()),
                method("tells", optional),
                method("together", none.clone()),
                method("fails", none),
            ],
            fault: None,
        },
    ]
}

impl Scripts for Workshop {
    fn server(&self) -> &str {
        "workshop"
    }

    fn folder(&self) -> String {
        "examples/scripts".into()
    }

    fn list(&self) -> Vec<Script> {
        self.scripts.lock().unwrap().clone()
    }

    fn changes(&self) -> BoxStream<'static, ()> {
        let changes = self.changes.subscribe();
        stream::unfold(changes, |mut changes| async move {
            changes.changed().await.ok()?;
            Some(((), changes))
        })
        .boxed()
    }

    fn workspaces<'a>(
        &'a self,
        _desk: &'a Desk,
    ) -> BoxFuture<'a, Result<Vec<String>, JournalError>> {
        std::future::ready(Ok(WORKSPACES.map(str::to_owned).to_vec())).boxed()
    }

    fn start(&self, desk: &Desk, wanted: &RunRequest, log: RunLog) -> Result<FlowRun, RunError> {
        let text = self.text.clone();
        let given = wanted.clone();
        let begin = FlowStart::new(
            Origin {
                principal: "inbox:ann".into(),
                server: Some("workshop".into()),
                client: Some("playground".into()),
                tool: Some(format!("{}_{}", wanted.script, wanted.method)),
                workspace: wanted.workspace.clone(),
                ..Origin::default()
            },
            SCRIPT_METHOD,
        )
        .arguments(Value::Object(wanted.arguments.clone()))
        .version("1");
        Ok(desk.run(begin, |cx| async move {
            let told = run(&cx, &given, &log, &text).await;
            Ok(serde_json::from_value(told).unwrap())
        }))
    }

    fn resume<'a>(
        &'a self,
        desk: &'a Desk,
        call: CallId,
        log: RunLog,
    ) -> BoxFuture<'a, Result<FlowRun, RunError>> {
        let text = self.text.clone();
        let flow = move |cx: ToolContext, record: &holdpoint::journal::CallRecord| {
            let tool = record.origin.tool.clone().unwrap_or_default();
            let method = tool.strip_prefix("tools_").unwrap_or_default().to_owned();
            async move {
                let wanted = RunRequest {
                    script: "tools".into(),
                    method,
                    arguments: Map::new(),
                    workspace: None,
                };
                let told = run(&cx, &wanted, &log, &text).await;
                Ok(serde_json::from_value(told).unwrap())
            }
        };
        let resumed = desk.resume(call, "1", flow);
        resumed.map(|run| Ok(run?)).boxed()
    }
}

async fn run(cx: &ToolContext, wanted: &RunRequest, log: &RunLog, text: &str) -> Value {
    match wanted.method.as_str() {
        "asks" => asks(cx, log).await,
        "tells" => tells(cx, log, text).await,
        "together" => {
            let (first, second) = futures::join!(
                cx.elicitor()
                    .text_input("Your first name?", "value")
                    .into_future(),
                cx.elicitor()
                    .text_input("Your second name?", "value")
                    .into_future()
            );
            let name = |outcome: Outcome<String>| outcome.accepted().unwrap_or_default();
            ended(&format!(
                "{} {}",
                name(first.unwrap()),
                name(second.unwrap())
            ))
        }
        "fails" => {
            json!({ "isError": true, "content": [{ "type": "text", "text": format!("tools.js:7: {text}") }] })
        }
        _ => json!({
            "content": [{ "type": "text", "text": text }],
            "structuredContent": { "result": { "given": wanted.arguments } },
        }),
    }
}

/// A name, a secret, and something dangerous.
async fn asks(cx: &ToolContext, log: &RunLog) -> Value {
    log.push(status("Asking".into()));
    let name = cx.elicitor().text_input("What is your name?", "value");
    let name = match name.await.unwrap() {
        Outcome::Accepted(name) => name,
        other => return outcome(other.status()),
    };
    let secret = Form::new().field(Field::new("value", Kind::Secret));
    let secret = cx.elicitor().ask(Ask::new("A password", secret));
    let length = match secret.await.unwrap() {
        Outcome::Accepted(given) => given["value"].as_str().unwrap_or_default().len(),
        other => return outcome(other.status()),
    };
    let sure = cx.elicitor().confirm("Delete it?").dangerous();
    match sure.await.unwrap() {
        Outcome::Accepted(_) => ended(&format!("{name}, {length} characters, deleted")),
        other => outcome(other.status()),
    }
}

/// Everything that a script can tell, then one ask.
async fn tells(cx: &ToolContext, log: &RunLog, text: &str) -> Value {
    let said = |what: &str| format!("{what}: {text}");
    log.push(status(said("status")));
    log.push(Emit::Progress {
        value: 0.5,
        message: Some(said("progress")),
    });
    log.push(Emit::Thinking {
        active: true,
        message: Some(said("thinking")),
    });
    log.push(Emit::Log {
        level: Level::Warning,
        message: said("log"),
        data: Some(json!({ "data": text })),
    });
    log.push(Emit::Toast {
        message: said("toast"),
        tone: Tone::Success,
        duration: None,
    });
    let kinds = [
        (ArtifactKind::Text, text, None),
        (ArtifactKind::Markdown, text, None),
        (ArtifactKind::Code, text, None),
        (ArtifactKind::Json, text, None),
        (ArtifactKind::Image, PIXEL, Some("image/png")),
        (ArtifactKind::Image, text, Some("image/svg+xml")),
    ];
    for (kind, content, mime) in kinds {
        log.push(Emit::Artifact(Artifact {
            kind,
            title: said("artifact"),
            content: content.into(),
            language: Some("js".into()),
            mime_type: mime.map(str::to_owned),
        }));
    }
    let asked = cx.elicitor().text_input(text, "value");
    let _whatever = asked.await.unwrap();
    log.push(Emit::Progress {
        value: 1.0,
        message: None,
    });
    ended(text)
}

fn status(message: String) -> Emit {
    Emit::Status {
        message,
        tone: Tone::Info,
    }
}

fn ended(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

fn outcome(status: &str) -> Value {
    json!({
        "content": [{ "type": "text", "text": format!("It was {status}.") }],
        "structuredContent": { "status": status, "proceed": false },
    })
}

impl fmt::Debug for Workshop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workshop").finish_non_exhaustive()
    }
}
