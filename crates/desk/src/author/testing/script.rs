//! Playing a flow: a person who does what the test wants.

use super::{accept, at_leisure};
use crate::author::{context::ToolContext, standalone_flow::NoServer};
use crate::{
    Channel, Clock, Delivery, DeliveryError, Desk, Replier, ReplyResult, Showing,
    clock::later,
    core::judge::unanswered,
    flow::{
        call::Call,
        result::FlowResult,
        standalone::{new_call, standalone_call},
        task,
    },
    sync::lock,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{
    Ask, AskId, ChannelKind, Origin, Outcome, Reply, describe, describe::first_line,
    one_line_json::one_line_json,
};
use holdpoint_journal::{AskRecord, JournalEngine, SqliteJournal};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{sync::mpsc, task::JoinHandle};

/// A person who does these things, one for each question of a flow, in the order of the questions.
///
/// A question that nobody answers, and an answer to a question that was never asked, fail the test.
///
#[doc = include_str!("../../../docs/script.md")]
#[derive(Debug)]
#[must_use = "a script plays nothing until it is run"]
pub struct Script {
    says: VecDeque<Says>,
    kills: bool,
}

/// What the person of a [`Script`] does with one question.
///
#[doc = include_str!("../../../docs/says.md")]
#[derive(Debug, Clone)]
pub struct Says {
    does: Does,
    /// What the question must say.
    to: Option<String>,
}

#[derive(Debug, Clone)]
enum Does {
    Reply(Reply),
    /// The answer to whatever the only field is called.
    Value(Value),
    Nothing,
    CannotBeReached(String),
}

/// What came of a flow, and what it asked.
///
#[doc = include_str!("../../../docs/says.md")]
#[non_exhaustive]
pub struct Played<T> {
    /// What the flow ended with.
    pub value: T,
    /// What it asked, in order.
    pub asked: Vec<Ask>,
    /// The desk that it ran on, to look at the record.
    pub desk: Desk,
}

impl Says {
    /// A yes.
    pub fn yes() -> Self {
        Self::value(true)
    }

    /// A no.
    pub fn no() -> Self {
        Self::value(false)
    }

    /// This value, for the only field of the question: a choice, a text, a number.
    pub fn value(value: impl Into<Value>) -> Self {
        Self::new(Does::Value(value.into()))
    }

    /// These values, by the fields' names.
    pub fn form(content: Value) -> Self {
        Self::new(Does::Reply(accept(content)))
    }

    /// That they do not want to answer, and why.
    pub fn decline(reason: impl Into<String>) -> Self {
        let reason = Some(reason.into());
        Self::new(Does::Reply(Reply::Decline { reason }))
    }

    /// Nothing: they dismiss the question.
    pub fn cancel() -> Self {
        Self::new(Does::Reply(Reply::Cancel))
    }

    /// Nothing, until the question's time is up; the clock is put forward to then.
    pub fn time_out() -> Self {
        Self::new(Does::Nothing)
    }

    /// Nothing, since nobody can be reached.
    pub fn unreachable() -> Self {
        let why = "the script says that nobody can be reached";
        Self::new(Does::CannotBeReached(why.to_owned()))
    }

    /// Only to a question in whose text this stands; any other one fails the test.
    pub fn to(mut self, text: impl Into<String>) -> Self {
        self.to = Some(text.into());
        self
    }

    fn new(does: Does) -> Self {
        Self { does, to: None }
    }
}

impl From<Reply> for Says {
    fn from(reply: Reply) -> Self {
        Self::new(Does::Reply(reply))
    }
}

impl Script {
    /// A person who does these things in turn.
    pub fn new(says: impl IntoIterator<Item = impl Into<Says>>) -> Self {
        Self {
            says: says.into_iter().map(Into::into).collect(),
            kills: false,
        }
    }

    /// Kills the flow's process at every question, before the answer is there: the answer is put on record
    /// while nothing runs, and the flow is run again from its start. A flow that passes does no effect
    /// twice and asks nothing twice.
    pub fn kill_and_resume(mut self) -> Self {
        self.kills = true;
        self
    }

    /// Runs a flow on a desk of its own, with a journal in memory. Its clock goes as tokio's does: in
    /// a test with `start_paused` no time is waited for.
    ///
    /// # Panics
    /// When a question has no answer left, is not the one that was expected, or does not take its answer;
    /// when answers are left over; and when the flow panics. What was asked is in the message.
    pub async fn run<T, F>(self, flow: impl Fn(ToolContext) -> F) -> Played<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let journal = SqliteJournal::in_memory().expect("a journal in memory can be made");
        let mut stage = Stage::new(Arc::new(journal), self).await;
        let mut playing = stage.start(&flow, None).await;
        let value = loop {
            tokio::select! {
                biased;
                Some(asked) = stage.shown.recv() => {
                    if stage.script.kills {
                        playing.kill();
                        stage = stage.after_kill().await;
                        stage.act(asked.id()).await;
                        let call = playing.call.id;
                        playing = stage.start(&flow, Some(call)).await;
                    } else {
                        stage.act(asked.id()).await;
                    }
                }
                value = &mut playing.value => match value {
                    Ok(value) => break value,
                    Err(_) => panic!("the flow panicked\n{}", stage.transcript()),
                },
            }
        };
        assert!(
            stage.script.says.is_empty(),
            "the flow has ended, and these were never asked for: {:?}\n{}",
            stage.script.says,
            stage.transcript()
        );
        // So that its end is on record when the test looks.
        let _ = playing.task.await;
        Played {
            value,
            asked: stage.asked,
            desk: stage.desk,
        }
    }
}

impl<T> Played<T> {
    /// The messages of what was asked, in order.
    pub fn questions(&self) -> Vec<&str> {
        self.asked.iter().map(|ask| ask.message.as_str()).collect()
    }
}

impl<T: fmt::Debug> fmt::Debug for Played<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played")
            .field("value", &self.value)
            .field("questions", &self.questions())
            .finish_non_exhaustive()
    }
}

/// Where a script is played.
struct Stage {
    journal: Arc<dyn JournalEngine>,
    desk: Desk,
    /// How far the clock was put forward.
    ahead: Arc<Mutex<Duration>>,
    shown: mpsc::UnboundedReceiver<Showing>,
    script: Script,
    asked: Vec<Ask>,
    /// What was asked and said, for whoever reads a failure.
    lines: Vec<String>,
}

/// A flow that runs on it.
struct Playing<T> {
    call: Arc<Call>,
    task: JoinHandle<()>,
    value: tokio::sync::oneshot::Receiver<T>,
}

impl<T> Playing<T> {
    /// As a kill of the process: nothing of the flow goes on.
    fn kill(&self) {
        self.task.abort();
    }
}

impl Stage {
    async fn new(journal: Arc<dyn JournalEngine>, script: Script) -> Self {
        let (ahead, base) = (Arc::<Mutex<Duration>>::default(), Clock::tokio());
        let (desk, shown) = desk(journal.clone(), base, ahead.clone()).await;
        Self {
            journal,
            desk,
            ahead,
            shown,
            script,
            asked: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The same in a new process, as it were.
    async fn after_kill(mut self) -> Self {
        let base = self.desk.inner.clock.clone();
        let (desk, shown) = desk(self.journal.clone(), base, Arc::default()).await;
        (self.desk, self.shown) = (desk, shown);
        self
    }

    /// Runs the flow from its start; the call of an earlier run goes on.
    async fn start<T, F>(
        &self,
        flow: &impl Fn(ToolContext) -> F,
        earlier: Option<holdpoint_ask::CallId>,
    ) -> Playing<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let history = match earlier {
            Some(call) => self.journal.call(call).await.expect("the record is there"),
            None => None,
        };
        let call = match history {
            Some(history) => {
                let epoch = self.desk.claim(&history).await;
                let epoch = epoch.expect("the record is there");
                let call = standalone_call(&self.desk, self.desk.adopt(&history.call));
                call.remember(history, epoch.expect("nothing else runs the call"));
                self.desk.calls().enter(&call);
                call
            }
            None => standalone_call(&self.desk, new_call(&self.desk, origin(), "tools/call")),
        };
        let (send, value) = tokio::sync::oneshot::channel();
        let running = flow(ToolContext::new(call.clone(), Arc::new(NoServer)));
        let running = async move {
            let _ = send.send(running.await);
            FlowResult::Tool(CallToolResult::success(Vec::new()))
        };
        let task = tokio::spawn(task::run(call.clone(), running.boxed()));
        Playing { call, task, value }
    }

    /// Does what the script says with this ask.
    async fn act(&mut self, id: AskId) {
        let record = self.journal.ask(id).await.expect("the record is there");
        let record = record.expect("an ask that is shown is on record");
        let asked = format!("{:?}", first_line(&record.ask.message));
        self.asked.push(record.ask.clone());
        let Some(says) = self.script.says.pop_front() else {
            panic!(
                "nobody answers {asked}: the script has no answer left\n{}",
                self.transcript()
            );
        };
        if let Some(text) = &says.to
            && !record.ask.shown().contains(text.as_str())
        {
            panic!(
                "the script answers a question with {text:?} in it, and this one is {asked}\n{}",
                self.transcript()
            );
        }
        let said = match says.does {
            Does::Reply(reply) => self.reply(&record, reply).await,
            Does::Value(value) => {
                let reply = self.value(&record, value);
                self.reply(&record, reply).await
            }
            Does::Nothing => self.time_out(&record).await,
            Does::CannotBeReached(why) => {
                let outcome = Outcome::Unreachable { why };
                let now = self.desk.now();
                let end = unanswered(id, record.opened_at, outcome, now);
                let settled = self.desk.settle(end, None).await;
                describe::decision(&settled.expect("the record is there").0)
            }
        };
        self.lines.push(format!("{asked}: {said}"));
    }

    /// The value as the answer to the only field.
    fn value(&self, record: &AskRecord, value: Value) -> Reply {
        match record.ask.form.fields.as_slice() {
            [field] => accept(json!({ (&*field.name): value })),
            fields => {
                let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
                panic!(
                    "{:?} has the fields {names:?}: answer it with Says::form\n{}",
                    first_line(&record.ask.message),
                    self.transcript()
                )
            }
        }
    }

    async fn reply(&self, record: &AskRecord, reply: Reply) -> String {
        let (word, said) = (record.ask.word(), words(&reply));
        let name = Some("scripted".to_owned());
        let from = Replier::new(ChannelKind::Terminal, name, at_leisure(word));
        let taken = self.desk.reply(record.id, from, reply).await;
        match taken.expect("the record is there") {
            ReplyResult::Settled(decision) => describe::decision(&decision),
            other => panic!(
                "{:?} does not take the answer {said}: {other:?}\n{}",
                first_line(&record.ask.message),
                self.transcript()
            ),
        }
    }

    async fn time_out(&self, record: &AskRecord) -> String {
        let Some(deadline) = record.deadline_at else {
            panic!(
                "{:?} has no deadline, so it cannot time out\n{}",
                first_line(&record.ask.message),
                self.transcript()
            );
        };
        let left = deadline.duration_since(self.desk.now());
        *lock(&self.ahead) += Duration::try_from(left).unwrap_or_default();
        let timed_out = self.desk.time_out(record.id, record.opened_at).await;
        let timed_out = timed_out.expect("the record is there");
        describe::decision(&timed_out.expect("its time is up"))
    }

    fn transcript(&self) -> String {
        if self.lines.is_empty() {
            return "nothing was answered before".to_owned();
        }
        format!("answered before:\n  {}", self.lines.join("\n  "))
    }
}

fn words(reply: &Reply) -> String {
    match reply {
        Reply::Accept { content } => one_line_json(&Value::Object(content.clone())),
        other => format!("{other:?}"),
    }
}

fn origin() -> Origin {
    Origin {
        server: Some("test".to_owned()),
        principal: "test".to_owned(),
        ..Origin::default()
    }
}

/// A desk whose asks are all shown to the script, on a clock that it can put forward.
async fn desk(
    journal: Arc<dyn JournalEngine>,
    base: Clock,
    ahead: Arc<Mutex<Duration>>,
) -> (Desk, mpsc::UnboundedReceiver<Showing>) {
    let (show, shown) = mpsc::unbounded_channel();
    let clock = Clock::from_fn(move || later(base.now(), *lock(&ahead)));
    let desk = Desk::builder(journal)
        .clock(clock)
        .channel(Arc::new(ToScript(show)));
    (desk.build().await.expect("the record is there"), shown)
}

/// Hands every ask to the script.
#[derive(Debug)]
struct ToScript(mpsc::UnboundedSender<Showing>);

impl Channel for ToScript {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Terminal
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let _ = self.0.send(showing);
        std::future::ready(Ok(Delivery::Parked)).boxed()
    }
}

#[cfg(test)]
mod tests;
