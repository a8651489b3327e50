//! Asking a person about a prompt: waiting for them, and finding the answer of an earlier try.
//!
//! A prompt is a flow that no client called, bound to harness, session, folder, tool and arguments. When nobody
//! has answered in time the flow is left open; the same prompt again takes it up, or finds its answer. A yes is
//! good for one use: it becomes a grant that is used up before the harness hears of it.

use crate::server_name::SERVER_NAME;
use anyhow::Context;
use holdpoint::{
    Ask, AskId, CallId, Desk, Digest, FlowRun, FlowStart, GrantError, GrantId, Origin, ResumeError,
    ToolContext,
    journal::{AskRecord, CallBinding, EventKind, Write},
    rmcp::{ErrorData, model::CallToolResult},
};
use holdpoint_harness::{Decision, FormReply, Incoming, Prompt};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What kind of call a prompt is, as it is recorded.
pub const METHOD: &str = "hook";
/// What a call of an older version cannot be taken up with.
const VERSION: &str = "hook 1";
/// What the grants of prompts are for.
const PURPOSE: &str = "hook";
/// How long a yes that came too late is good for the next try.
const YES_LASTS: SignedDuration = SignedDuration::from_mins(10);
/// How long a no holds where the harness does not say which turn it is.
const NO_LASTS: SignedDuration = SignedDuration::from_mins(5);

/// What came of asking.
#[derive(Debug)]
pub enum Asked {
    /// It is decided.
    Decided(Decision),
    /// Nobody has answered yet: the ask stays open.
    Open(AskId),
}

/// A prompt that a person is asked about.
#[derive(Debug)]
pub struct Question<'a> {
    /// The desk.
    pub desk: &'a Desk,
    /// The prompt.
    pub incoming: &'a Incoming,
    /// Who asks.
    pub origin: Origin,
    /// What makes two prompts the same.
    pub binding: Value,
    /// The rules call it dangerous now: only an answer to a dangerous ask counts.
    pub danger: bool,
}

/// That a prompt was answered, as the next try finds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Answered {
    ask: AskId,
    /// The turn in which it was asked last.
    turn: Option<String>,
}

/// The prompts that are open in this process: the same one again waits with it.
#[derive(Debug, Default)]
pub struct Running(Mutex<HashMap<Digest, FlowRun>>);

impl Running {
    fn open(&self, digest: Digest) -> Option<FlowRun> {
        let mut running = self.lock();
        running.retain(|_, run| !run.open_asks().is_empty());
        running.get(&digest).cloned()
    }

    fn insert(&self, digest: Digest, run: FlowRun) {
        self.lock().insert(digest, run);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, FlowRun>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Question<'a> {
    /// A prompt over this desk.
    pub fn new(desk: &'a Desk, incoming: &'a Incoming) -> Self {
        Self {
            desk,
            incoming,
            origin: origin(incoming),
            binding: holdpoint_harness::binding(incoming),
            danger: false,
        }
    }

    /// What was decided about the same prompt before and still holds: a yes that nobody took, or a no of this turn.
    ///
    /// # Errors
    /// When the record cannot be read or kept.
    pub async fn answered_before(&self) -> anyhow::Result<Option<Decision>> {
        let journal = self.desk.journal();
        let step = journal.latest_step(&self.step(), Some(SERVER_NAME)).await?;
        let Some(answered) =
            step.and_then(|(_, value)| serde_json::from_value::<Answered>(value).ok())
        else {
            return Ok(None);
        };
        let Some(record) = self.believed(answered.ask).await? else {
            return Ok(None);
        };
        let decision = self.decision(&record);
        if lets_through(&decision) {
            let used_up = self.use_up(&record).await?;
            return Ok(used_up.then_some(decision));
        }
        let said_no = record
            .decision
            .filter(|decision| decision.channel.is_some());
        let Some(said_no) = said_no else {
            return Ok(None);
        };
        let same_turn = match (&answered.turn, &self.incoming.turn) {
            (Some(then), Some(now)) => then == now,
            _ => self.desk.now().duration_since(said_no.at) < NO_LASTS,
        };
        Ok(same_turn.then_some(decision))
    }

    /// Asks, or takes up what the same prompt asked before, and waits until this is over.
    ///
    /// # Errors
    /// When it cannot be asked or put on record; then nothing was approved.
    pub async fn ask(
        &self,
        ask: Ask,
        running: &Running,
        over: impl Future<Output = ()>,
    ) -> anyhow::Result<Asked> {
        let digest = self.digest();
        let run = match running.open(digest) {
            Some(run) => run,
            None => match self.take_up().await? {
                Some(run) => run,
                None => self.begin(ask),
            },
        };
        running.insert(digest, run.clone());
        self.wait(run, over).await
    }

    async fn wait(&self, run: FlowRun, over: impl Future<Output = ()>) -> anyhow::Result<Asked> {
        tokio::select! {
            biased;
            ended = run.ended() => {
                run.recorded().await;
                self.ended(ended).await.map(Asked::Decided)
            }
            () = over => {
                run.leave_open().await;
                let open = run.open_asks();
                let ask = open.first().context("what was asked is not on record")?;
                Ok(Asked::Open(*ask))
            }
        }
    }

    /// Begins to ask.
    fn begin(&self, ask: Ask) -> FlowRun {
        let start = FlowStart::new(self.origin.clone(), METHOD)
            .arguments(self.binding.clone())
            .version(VERSION);
        let (step, turn) = (self.step(), self.incoming.turn.clone());
        self.desk.run(start, |cx| flow(cx, ask, step, turn))
    }

    /// The same prompt, left open by a process that is gone.
    async fn take_up(&self) -> anyhow::Result<Option<FlowRun>> {
        let journal = self.desk.journal();
        let binding = CallBinding::new(&self.origin, METHOD, &self.binding);
        for call in journal.unfinished_calls(binding).await? {
            if let Some(run) = self.resume(call).await? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    async fn resume(&self, call: CallId) -> anyhow::Result<Option<FlowRun>> {
        let journal = self.desk.journal();
        let history = journal.call(call).await?;
        let Some(asked) = history.and_then(|history| history.asks.into_iter().next()) else {
            return Ok(None);
        };
        if !self.is_fresh(&asked) || !self.is_as_dangerous(&asked) {
            return Ok(None);
        }
        if asked.agent_gone && asked.decision.is_none() {
            let note = Write::Note {
                call: Some(call),
                ask: Some(asked.id),
                kind: EventKind::AgentBack,
                body: json!({}),
                at: self.desk.now(),
            };
            journal.commit(vec![note]).await?;
        }
        let (step, turn) = (self.step(), self.incoming.turn.clone());
        let resumed = self
            .desk
            .resume(call, VERSION, |cx, _| flow(cx, asked.ask, step, turn));
        match resumed.await {
            Ok(run) => Ok(Some(run)),
            Err(ResumeError::Journal(error)) => Err(error.into()),
            // It goes on elsewhere, or has ended since.
            Err(_) => Ok(None),
        }
    }

    /// Whether what was asked was shown as dangerous, where the rules call it so by now.
    fn is_as_dangerous(&self, asked: &AskRecord) -> bool {
        asked.ask.dangerous || !self.danger
    }

    /// Whether what was asked is open, or was answered so lately that it counts.
    fn is_fresh(&self, asked: &AskRecord) -> bool {
        let age = |at: Timestamp| self.desk.now().duration_since(at);
        let decision = asked.decision.as_ref();
        decision.is_none_or(|decision| age(decision.at) < YES_LASTS)
    }

    async fn ended(&self, ended: Result<CallToolResult, ErrorData>) -> anyhow::Result<Decision> {
        let ended = ended?;
        let said = ended.structured_content.unwrap_or_default();
        let answered: Answered =
            serde_json::from_value(said).context("what was answered is not on record")?;
        let record = self.believed(answered.ask).await?;
        let record = record.context("what was answered is not on record")?;
        let decision = self.decision(&record);
        if lets_through(&decision) && !self.use_up(&record).await? {
            return Ok(Decision::Deny {
                reason:
                    "The yes to this was used before, or is too old: call again to ask once more."
                        .to_owned(),
            });
        }
        Ok(decision)
    }

    /// An ask of this prompt and no other, as it is on record.
    async fn believed(&self, ask: AskId) -> anyhow::Result<Option<AskRecord>> {
        let journal = self.desk.journal();
        let record = journal.ask(ask).await?;
        let Some(record) = record.filter(|record| record.decision.is_some()) else {
            return Ok(None);
        };
        let call = match record.call {
            Some(call) => journal.call(call).await?,
            None => None,
        };
        let is_ours = call.is_some_and(|history| {
            CallBinding::from(&history.call).0 == self.digest()
                && record.origin.is_bound_like(&self.origin)
        });
        Ok(is_ours.then_some(record))
    }

    fn decision(&self, record: &AskRecord) -> Decision {
        match &record.decision {
            Some(decision) => {
                let review = decision.review.as_deref();
                holdpoint_harness::decision(self.incoming, &decision.outcome, review)
            }
            None => Decision::Deny {
                reason: "Nobody has decided this.".to_owned(),
            },
        }
    }

    /// Uses up the one use of a yes; false where it was used before, or is too old. What is remembered is good as
    /// long as it stands.
    async fn use_up(&self, record: &AskRecord) -> anyhow::Result<bool> {
        let Some(decision) = &record.decision else {
            return Ok(false);
        };
        if !self.is_as_dangerous(record) {
            return Ok(false);
        }
        if record.ask.remembered(&decision.outcome).is_some() {
            let given = self.desk.remembered().await?;
            return Ok(given.iter().any(|given| given.ask.id == record.id));
        }
        let age = self.desk.now().duration_since(decision.at);
        let Ok(left) = Duration::try_from(YES_LASTS - age) else {
            return Ok(false);
        };
        let digest = self.digest();
        let granted = self.desk.grant(decision, PURPOSE, digest, left).await;
        let grant = match granted {
            // A crash may have come between giving and using it.
            Err(GrantError::AlreadyGiven) => GrantId::from_ask(record.id),
            granted => granted?,
        };
        let principal = &self.origin.principal;
        match self.desk.redeem(grant, principal, PURPOSE, digest).await {
            Ok(()) => Ok(true),
            Err(GrantError::Journal(error)) => Err(error.into()),
            Err(_) => Ok(false),
        }
    }

    /// The digest of what the yes is for.
    pub fn digest(&self) -> Digest {
        CallBinding::new(&self.origin, METHOD, &self.binding).0
    }

    fn step(&self) -> String {
        format!("hook answered {}", self.digest())
    }
}

/// Asks, and records for the next try which ask it was.
async fn flow(
    cx: ToolContext,
    ask: Ask,
    step: String,
    turn: Option<String>,
) -> Result<CallToolResult, ErrorData> {
    let decided = cx.elicitor().ask(ask).decided().await?;
    let answered = Answered {
        ask: decided.decision.ask,
        turn,
    };
    // Once more does no harm, and one that a crash left unfinished must not stand in the way.
    let recorded = cx.step_at_least_once(&step, async { answered }).await?;
    let mut result = CallToolResult::success(Vec::new());
    result.structured_content = Some(json!(recorded));
    Ok(result)
}

/// Whether a decision lets the agent do or have something.
fn lets_through(decision: &Decision) -> bool {
    match decision {
        Decision::Allow { .. } | Decision::Answers(_) | Decision::Form(FormReply::Accept(_)) => {
            true
        }
        Decision::Deny { .. }
        | Decision::Defer { .. }
        | Decision::NoOpinion
        | Decision::LeaveToHarness { .. }
        | Decision::Form(_) => false,
    }
}

/// Who asks: the harness, in the person's own name, from the workspace.
fn origin(incoming: &Incoming) -> Origin {
    let (tool, workspace) = match &incoming.prompt {
        Prompt::Tool(prompt) => (
            prompt.tool_use.tool.as_str(),
            prompt.tool_use.workspace.clone(),
        ),
        Prompt::Questions(_) => ("questions", incoming.folder.clone()),
        Prompt::Plan(_) => ("plan", incoming.folder.clone()),
        Prompt::Form(form) => (form.server.as_str(), incoming.folder.clone()),
        Prompt::Over(_) | Prompt::Nothing => ("hook", incoming.folder.clone()),
    };
    Origin {
        server: Some(SERVER_NAME.into()),
        principal: Origin::LOCAL.into(),
        client: Some(incoming.harness.name().into()),
        client_name: Some(incoming.harness.word().into()),
        tool: Some(tool.to_owned()),
        workspace: Some(workspace),
    }
}
