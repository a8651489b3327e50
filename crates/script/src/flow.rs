//! A script's run: from yield to yield, with people and effects in between.

use crate::{
    Failed, LogLine, Program, Resume, Start, Thrown, Turn, TurnEnd,
    asks::{AskResult, ScriptAsk, Unanswered},
    call_result,
    effects::Sandbox,
    emit_kinds::{self, Told},
    engine::EMITTED,
    masking::{mask, mask_text},
    permission_ask::Permit,
    yield_error::YieldError,
    yields::Yield,
};
use futures::future::join_all;
use holdpoint::{
    Answer, Artifact, ArtifactKind, Ask, AskError, Decided, Digest, Emit, Emits, FlowVersion,
    Level, Outcome, ToolContext, Withdrawal,
};
use holdpoint_ask::describe::error_chain;
use jiff::Timestamp;
use rmcp::{
    ErrorData,
    model::{CallToolResult, JsonObject},
};
use serde_json::{Map, Value, json};
use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A script that yields more often than this never ends.
const MOST_YIELDS: usize = 10_000;
/// How much text can be streamed in a run.
const LONGEST_STREAM: usize = 4 << 20;
/// How many different warnings a run gives.
const MOST_WARNINGS: usize = 100;
/// How often a secret is asked for again that was lost with the process that had it.
const MOST_TRIES: usize = 3;

/// What is run: a method of a file, with its arguments, in a workspace.
pub struct Job {
    /// The file.
    pub program: Arc<Program>,
    /// Its method, by the name that it has in the file.
    pub method: String,
    /// What it is given.
    pub arguments: JsonObject,
    /// Where its effects happen, where the call's own record names no workspace.
    pub workspace: PathBuf,
    /// Files that no script may touch, even there, nor what lies beside them under a name that
    /// begins like theirs: the journal with its keys.
    pub private: Vec<PathBuf>,
}

/// How files are run: what a method is given, in which order it is answered, how its steps are named. Raised
/// by every change for which the recorded answers of a call would not fit the same file any more.
const FORMAT: u32 = 2;

/// The version of a script's flow, as calls of it record it: another one does not resume them.
pub fn version(program: &Program) -> FlowVersion {
    let make = || format!("{} {} (format {FORMAT})", program.file(), program.digest()).into();
    program.version.get_or_init(make).clone()
}

/// Runs a method to its end, under a call of the desk. Everything that it asks and does is on
/// record; run again for the same call, it continues where it was.
///
/// # Errors
/// When the record cannot be kept, or the call began with another version of the file.
pub async fn run(
    cx: ToolContext,
    job: Job,
    emits: Arc<dyn Emits>,
) -> Result<CallToolResult, ErrorData> {
    let program = job.program.clone();
    if !cx.flow_version().is_of_tool(&version(&program)) {
        let what = if cx.replays() {
            "what it asked and did before is in the record; tell the person before you call it again"
        } else {
            "nothing was done; call it again"
        };
        return Err(ErrorData::invalid_params(
            format!(
                "{} has changed since this call began, or how Holdpoint runs it: {what}.",
                program.file()
            ),
            None,
        ));
    }
    let Some(method) = program.method(&job.method) else {
        let what = format!("{} has no method {}.", program.file(), job.method);
        return Err(ErrorData::invalid_params(what, None));
    };
    let mut arguments = match method.arguments.check(job.arguments) {
        Ok(arguments) => arguments,
        Err(errors) => return Ok(call_result::wrong_arguments(&method.arguments, &errors)),
    };
    method.arguments.fill_defaults(&mut arguments);
    cx.record_run();
    let workspace = cx.workspace().map_or(job.workspace, PathBuf::from);
    let mut flow = Flow {
        now: cx.opened_at(),
        began: cx.desk().now(),
        live: Arc::default(),
        sandbox: Sandbox::new(workspace, job.private),
        permit: Permit::default(),
        withdrawn: false,
        unanswered: None,
        artifacts: call_result::Artifacts::default(),
        stream: Stream::default(),
        warned: HashSet::new(),
        program,
        emits,
        cx,
    };
    flow.run(job.method, arguments).await
}

pub(crate) struct Flow {
    pub cx: ToolContext,
    pub program: Arc<Program>,
    pub sandbox: Sandbox,
    pub permit: Permit,
    emits: Arc<dyn Emits>,
    /// The script's clock: the time on record of the last answer.
    pub now: Timestamp,
    /// When this run began; what was decided before is replayed.
    began: Timestamp,
    /// Something has happened that was not on record before.
    pub live: Arc<AtomicBool>,
    /// The call was withdrawn: nothing more is done.
    pub withdrawn: bool,
    /// The last ask that brought no answer.
    pub unanswered: Option<Unanswered>,
    artifacts: call_result::Artifacts,
    stream: Stream,
    /// What was ignored so far, in words.
    warned: HashSet<String>,
}

/// A text that comes in pieces.
#[derive(Default)]
struct Stream(String);

impl Stream {
    /// Adds a piece; gives the whole where that was the last one.
    fn add(&mut self, piece: &str, last: bool) -> Result<Option<Artifact>, YieldError> {
        if self.0.len() + piece.len() > LONGEST_STREAM {
            return Err(YieldError(format!(
                "what is streamed has more than {} MB",
                LONGEST_STREAM >> 20
            )));
        }
        self.0.push_str(piece);
        Ok(last.then(|| self.take()).flatten())
    }

    fn take(&mut self) -> Option<Artifact> {
        let content = std::mem::take(&mut self.0);
        (!content.is_empty()).then(|| Artifact {
            title: "Streamed text".into(),
            kind: ArtifactKind::Text,
            language: None,
            mime_type: None,
            content,
        })
    }
}

impl Flow {
    /// A text that was never said to be whole is whole at the end.
    fn end_stream(&mut self) {
        if let Some(whole) = self.stream.take()
            && self.artifacts.add(whole).is_err()
        {
            tracing::warn!(script = self.program.file(), "a streamed text was left out");
        }
    }

    async fn run(
        &mut self,
        method: String,
        arguments: JsonObject,
    ) -> Result<CallToolResult, ErrorData> {
        let start = Start {
            method,
            arguments,
            seed: seed(&self.cx),
            now: self.now,
        };
        let (mut running, mut turn) = match self.program.clone().start(start).await {
            Ok(started) => started,
            Err(failed) => return Ok(self.failed(failed).await),
        };
        for _ in 0..MOST_YIELDS {
            let Turn { logs, end } = turn;
            self.log(logs).await;
            let yielded = match end {
                TurnEnd::Returned(value) => {
                    self.end_stream();
                    return Ok(call_result::returned(value, &self.artifacts));
                }
                TurnEnd::Yielded(value) => value,
            };
            let with = self.answer(yielded).await?;
            turn = match running.resume(with, self.now).await {
                Ok(turn) => turn,
                Err(failed) => return Ok(self.failed(failed).await),
            };
        }
        let what = format!(
            "{} has yielded more than {MOST_YIELDS} times and was stopped",
            self.program.file()
        );
        Ok(call_result::failed(&what, self.program.file(), None))
    }

    async fn failed(&mut self, failed: Failed) -> CallToolResult {
        self.log(failed.logs).await;
        let unanswered = self.unanswered.take();
        call_result::ended(&failed.error, unanswered.as_ref())
    }

    /// What the script is answered. A fault of the record ends it.
    async fn answer(&mut self, yielded: Value) -> Result<Resume, ErrorData> {
        let mut warnings = Vec::new();
        // What is shown has no secrets in it; what is done or kept may need them.
        let read = if Yield::is_shown(&yielded) {
            Yield::read_warning(mask(&self.cx, yielded), &mut warnings)
        } else {
            Yield::read(yielded).map_err(|YieldError(what)| YieldError(mask_text(&self.cx, &what)))
        };
        self.warn(warnings).await;
        Ok(match read {
            Err(error) => throw(error),
            Ok(Yield::Ask(ask)) => self.ask(vec![*ask], false).await?,
            Ok(Yield::Together(asks)) => self.ask(asks, true).await?,
            Ok(Yield::Emit(told)) => match self.tell(told).await {
                Ok(()) => Resume::Value(Value::Null),
                Err(error) => throw(error),
            },
            Ok(Yield::Sleep(time)) => self.sleep(time).await?,
            Ok(Yield::Memory(memory)) => Box::pin(self.memory(memory)).await?,
            Ok(Yield::Checkpoint(state)) => {
                Resume::Value(self.again("checkpoint", || async { state.clone() }).await?)
            }
            Ok(Yield::Effect(effect)) => {
                let shown = effect.masked(&self.cx);
                // Boxed: keeps this future off the state of a script that waits for a person.
                Box::pin(self.effect(effect, &shown)).await?
            }
        })
    }

    async fn ask(&mut self, asks: Vec<ScriptAsk>, together: bool) -> Result<Resume, ErrorData> {
        let put = asks.iter().map(|ask| put(&self.cx, &ask.ask));
        let mut got = Vec::with_capacity(asks.len());
        for (ask, decided) in asks.iter().zip(join_all(put).await) {
            let decided = match decided {
                Ok(decided) => decided,
                Err(error @ (AskError::Flawed(_) | AskError::TooMany { .. })) => {
                    return Ok(throw(YieldError(error_chain(&error))));
                }
                Err(error) => return Err(error.into()),
            };
            self.note_decision(&decided);
            if let Outcome::Accepted(answer) = &decided.outcome {
                self.note_files(ask, answer);
            }
            got.push(ask.result(decided));
        }
        let mut answers = Vec::with_capacity(got.len());
        let mut unanswered = None;
        for (place, (ask, got)) in asks.iter().zip(got).enumerate() {
            answers.push(match got {
                AskResult::Value(value) => value,
                AskResult::Skipped(why) => {
                    self.skipped(ask, why).await;
                    Value::Null
                }
                AskResult::Unanswered(this) => {
                    unanswered = unanswered.or(Some((place, this)));
                    Value::Null
                }
            });
        }
        Ok(match (unanswered, together) {
            (None, true) => Resume::Value(answers.into()),
            (None, false) => Resume::Value(answers.pop().unwrap_or_default()),
            (Some((place, unanswered)), _) => {
                let mut thrown = thrown(&unanswered);
                if together {
                    thrown.fields.insert("index".into(), place.into());
                    thrown.fields.insert("answers".into(), answers.into());
                }
                self.unanswered = Some(*unanswered);
                Resume::Throw(thrown)
            }
        })
    }

    /// Notes when something was decided, and whether that happened in this run.
    pub(crate) fn note_decision<T>(&mut self, decided: &Decided<T>) {
        let decision = &decided.decision;
        self.now = self.now.max(decision.at);
        if decision.at >= self.began {
            self.live.store(true, Ordering::Relaxed);
        }
        let cancelled = Withdrawal::CallCancelled;
        self.withdrawn |= decided.decision.outcome == Outcome::Withdrawn { why: cancelled };
    }

    /// Notes the files that a person gave: they may be read as they are.
    fn note_files(&mut self, ask: &ScriptAsk, answer: &Answer) {
        for field in &ask.ask.form.fields {
            let file = answer
                .get(&field.name)
                .filter(|_| matches!(field.kind, holdpoint::Kind::File(_)));
            if let Some(file) = file
                && let (Some(path), Some(digest)) = (file["path"].as_str(), file["sha256"].as_str())
            {
                self.sandbox
                    .given
                    .insert(path.to_owned(), digest.to_owned());
            }
        }
    }

    async fn skipped(&self, ask: &ScriptAsk, why: &str) {
        let name = ask.id().unwrap_or(ask.kind.as_str());
        tracing::info!(
            script = self.program.file(),
            ask = name,
            why,
            "an ask was skipped"
        );
        let message = format!("The ask '{name}' was skipped: {why}");
        self.emit(Emit::Log {
            message,
            level: Level::Info,
            data: None,
        })
        .await;
    }

    /// Shows what the script tells, and keeps what it has made.
    async fn tell(&mut self, told: Told) -> Result<(), YieldError> {
        let emit = match told {
            Told::Nothing => return Ok(()),
            Told::Shown(emit) => emit,
            Told::Piece { text, last } => {
                if let Some(whole) = self.stream.add(&text, last)? {
                    self.artifacts.add(whole)?;
                }
                Emit::Log {
                    message: text,
                    level: Level::Info,
                    data: None,
                }
            }
        };
        match &emit {
            Emit::Log { message, data, .. } if message.is_empty() && data.is_none() => {
                return Ok(());
            }
            Emit::Artifact(artifact) => self.artifacts.add(artifact.clone())?,
            _ => {}
        }
        self.emit(emit).await;
        Ok(())
    }

    /// What `this.emit` was given. Nobody waits for it, so nothing of it is thrown.
    async fn tell_json(&mut self, text: &str) {
        let value = mask(&self.cx, serde_json::from_str(text).unwrap_or_default());
        let mut warnings = Vec::new();
        let read = match value {
            Value::Object(fields) if fields.contains_key("emit") => {
                emit_kinds::read(fields, &mut warnings)
            }
            other => Ok(emit_kinds::logged("emit", other)),
        };
        let told = match read {
            Ok(told) => self.tell(told).await,
            Err(error) => Err(error),
        };
        warnings.extend(told.err().map(|YieldError(what)| what));
        self.warn(warnings).await;
    }

    /// Says what was ignored; the same only once.
    async fn warn(&mut self, warnings: Vec<String>) {
        for message in warnings {
            if self.warned.len() < MOST_WARNINGS && self.warned.insert(message.clone()) {
                self.emit(Emit::Log {
                    message,
                    level: Level::Warning,
                    data: None,
                })
                .await;
            }
        }
    }

    /// Emits something, unless an earlier run has emitted it.
    async fn emit(&self, emit: Emit) {
        if self.live.load(Ordering::Relaxed) || !self.cx.replays() {
            self.emits.emit(emit).await;
        }
    }

    async fn log(&mut self, lines: Vec<LogLine>) {
        for line in lines {
            if line.level == EMITTED {
                self.tell_json(&line.message).await;
                continue;
            }
            self.emit(Emit::Log {
                message: mask_text(&self.cx, &line.message),
                level: match line.level.as_str() {
                    "debug" => Level::Debug,
                    "warn" => Level::Warning,
                    "error" => Level::Error,
                    _ => Level::Info,
                },
                data: None,
            })
            .await;
        }
    }
}

/// Puts a question to people. A secret that was given in a process that is gone is asked for again.
async fn put(cx: &ToolContext, ask: &Ask) -> Result<Decided<Answer>, AskError> {
    let mut tries = 0;
    loop {
        tries += 1;
        match cx.elicitor().ask(ask.clone()).decided().await {
            Err(AskError::SecretElsewhere) if tries < MOST_TRIES => {}
            decided => return decided,
        }
    }
}

pub(crate) fn thrown(unanswered: &Unanswered) -> Thrown {
    let decision = &unanswered.decision;
    let mut fields = Map::new();
    fields.insert("askId".into(), decision.ask.to_string().into());
    if let Outcome::Declined { reason: Some(why) } = &decision.outcome {
        fields.insert("reason".into(), why.clone().into());
    }
    Thrown {
        message: unanswered.message.clone(),
        outcome: Some(decision.outcome.status().into()),
        fields,
    }
}

/// What is wrong with a yield, thrown where it was yielded.
pub(crate) fn throw(error: YieldError) -> Resume {
    Resume::Throw(Thrown {
        message: error.0,
        outcome: None,
        fields: Map::from_iter([("name".to_owned(), json!("TypeError"))]),
    })
}

/// What is thrown where a call was withdrawn between two asks.
pub(crate) fn withdrawn() -> Resume {
    Resume::Throw(Thrown {
        message: "The call was withdrawn: nothing more is done".into(),
        outcome: Some("withdrawn".into()),
        fields: Map::new(),
    })
}

/// The seed of `Math.random`: the same in every run of a call.
fn seed(cx: &ToolContext) -> u64 {
    let digest = Digest::hash_bytes(cx.call_id().as_bytes());
    let mut seed = [0; 8];
    seed.copy_from_slice(&digest.as_bytes()[..8]);
    u64::from_be_bytes(seed)
}
