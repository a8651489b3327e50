//! Live events: what was opened, changed and settled, in whatever process.

use super::error::ApiError;
use crate::{
    gate::{Gate, Visitor},
    rows::OpenRow,
    server::Page,
    view::DecisionView,
};
use axum::{
    Extension,
    extract::State,
    http::HeaderMap,
    response::sse::{Event, KeepAlive, Sse},
};
use futures::{Stream, StreamExt, stream, stream::BoxStream};
use holdpoint::{
    AskId, CallId, GrantId, Outcome,
    journal::{self, EventKind, JournalError},
};
use serde::Serialize;
use serde_json::json;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    convert::Infallible,
    sync::Arc,
    time::Duration,
};
use tokio::sync::watch;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How many events of the journal are read at once.
const CHUNK: usize = 500;
/// A page that is further behind is told to load the list again.
const FAR_BEHIND: u64 = 5_000;

/// The stream of one browser tab. It begins with how many asks are open, so that a page that reads
/// the list then misses nothing.
pub(crate) async fn stream(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let last = last.and_then(|id| id.parse().ok());
    let feed = Feed::start(gate, visitor, last).await?;
    let events = stream::unfold(feed, |mut feed| async move {
        let event = feed.next().await?;
        Some((Ok(event), feed))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// An ask that was opened or has changed: its row, and the run of a script that it belongs to.
#[derive(Serialize)]
struct Opened {
    #[serde(flatten)]
    row: OpenRow,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<CallId>,
}

struct Feed {
    gate: Gate,
    /// Who reads: what they must give for a yes is their own, and they may be removed meanwhile.
    visitor: Visitor,
    is_shut_out: bool,
    page: Arc<Page>,
    commits: watch::Receiver<u64>,
    seen: u64,
    /// What was remembered when it was told last.
    remembered: Vec<GrantId>,
    ready: VecDeque<Event>,
    /// What runs of scripts emit, and how much of it was passed on.
    runs: watch::Receiver<u64>,
    runs_seen: u64,
    files: BoxStream<'static, ()>,
}

impl Feed {
    async fn start(gate: Gate, visitor: Visitor, last: Option<u64>) -> Result<Self, JournalError> {
        let page = gate.page.clone();
        let journal = page.desk().journal();
        let commits = journal.commits();
        let head = journal.head().await?;
        let mut feed = Self {
            commits,
            // A number from another journal means nothing here.
            seen: last.filter(|last| *last <= head).unwrap_or(head),
            remembered: Vec::new(),
            ready: VecDeque::new(),
            runs: page.runs().changes(),
            runs_seen: *page.runs().changes().borrow(),
            files: match page.scripts() {
                Some(scripts) => scripts.changes(),
                None => stream::pending().boxed(),
            },
            page,
            gate,
            visitor,
            is_shut_out: false,
        };
        feed.queue_open_count().await?;
        feed.queue_remembered().await?;
        Ok(feed)
    }

    /// The next event; none when the page is no longer served, or this visitor may not be here any more.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            self.commits.mark_unchanged();
            self.queue_runs();
            if let Err(error) = self.read_if_let_in().await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a page's events could not be read"
                );
                return None;
            }
            if self.is_shut_out {
                return None;
            }
            if self.ready.is_empty() {
                tokio::select! {
                    changed = self.commits.changed() => changed.ok()?,
                    changed = self.runs.changed() => changed.ok()?,
                    Some(()) = self.files.next() => self.queue("scripts", &json!({})),
                    () = self.page.stop.cancelled() => return None,
                }
            }
        }
    }

    /// Says which runs have emitted something: the page reads what it is, as often as it can.
    fn queue_runs(&mut self) {
        let seen = *self.runs.borrow_and_update();
        for run in self.page.clone().runs().changed_since(self.runs_seen) {
            let next = run.log.emitted().next();
            let ended = run.result().is_some();
            self.queue(
                "run",
                &json!({ "id": run.id, "next": next, "ended": ended }),
            );
        }
        self.runs_seen = seen;
    }

    /// Reads on, if this visitor has not been removed.
    async fn read_if_let_in(&mut self) -> Result<(), JournalError> {
        self.is_shut_out = !self.gate.still_lets_in(&self.visitor).await?;
        if self.is_shut_out {
            self.ready.clear();
            return Ok(());
        }
        self.read().await
    }

    /// Reads on in the journal: for each ask its latest change, in order.
    async fn read(&mut self) -> Result<(), JournalError> {
        let page = self.page.clone();
        let journal = page.desk().journal();
        loop {
            let events = journal.events(self.seen, CHUNK).await?;
            let Some(last) = events.last() else {
                return Ok(());
            };
            if events.len() == CHUNK {
                let head = journal.head().await?;
                if head - self.seen > FAR_BEHIND {
                    self.seen = head;
                    self.queue("reset", &json!({}));
                    self.queue_remembered().await?;
                    return self.queue_open_count().await;
                }
            }
            let end = last.seq;
            let mut counts = false;
            let mut permits = false;
            let mut latest: HashMap<AskId, &journal::Event> = HashMap::new();
            for event in &events {
                counts |= matches!(event.kind, EventKind::Asked | EventKind::Decided);
                permits |= matches!(event.kind, EventKind::Granted | EventKind::Redeemed);
                if let Some(ask) = event.ask.filter(|_| changes_view(event.kind)) {
                    latest.insert(ask, event);
                }
            }
            let latest: BTreeMap<u64, (AskId, EventKind)> = latest
                .into_iter()
                .map(|(ask, event)| (event.seq, (ask, event.kind)))
                .collect();
            for (seq, (ask, kind)) in latest {
                self.seen = seq;
                self.queue_change(ask, kind).await?;
            }
            self.seen = end;
            if counts {
                self.queue_open_count().await?;
            }
            if permits {
                self.queue_remembered().await?;
            }
            if !self.ready.is_empty() {
                return Ok(());
            }
        }
    }

    async fn queue_change(&mut self, ask: AskId, kind: EventKind) -> Result<(), JournalError> {
        let page = self.page.clone();
        let Some(record) = page.desk().journal().ask(ask).await? else {
            return Ok(());
        };
        match (&record.decision, kind) {
            (Some(decision), EventKind::Decided) => {
                let name = match decision.outcome {
                    Outcome::Withdrawn { .. } => "withdrawn",
                    _ => "settled",
                };
                let decision = DecisionView::on(&record.ask.form, decision);
                self.queue(name, &json!({ "id": ask, "decision": decision }));
            }
            // That it has ended since then is an event of its own.
            (Some(_), _) => {}
            (None, _) => {
                if let Some(row) = page.row(&record).await {
                    let call = record.call;
                    self.queue("elicitation", &Opened { row, call });
                }
            }
        }
        Ok(())
    }

    async fn queue_open_count(&mut self) -> Result<(), JournalError> {
        let open = self.page.desk().journal().open_asks().await?;
        self.queue("progress", &json!({ "open": open }));
        Ok(())
    }

    /// Says how many permissions are remembered, where others are than before. That is for people only.
    async fn queue_remembered(&mut self) -> Result<(), JournalError> {
        if !matches!(self.visitor, Visitor::Browser(_)) {
            return Ok(());
        }
        let given = self.page.desk().remembered().await?;
        let now: Vec<_> = given.iter().map(|given| given.id).collect();
        if now != self.remembered {
            self.queue("remembered", &json!({ "count": now.len() }));
            self.remembered = now;
        }
        Ok(())
    }

    fn queue(&mut self, name: &str, data: &impl Serialize) {
        let event = Event::default().event(name).id(self.seen.to_string());
        match event.json_data(data) {
            Ok(event) => self.ready.push_back(event),
            Err(error) => tracing::error!(%error, "an event could not be written"),
        }
    }
}

/// Whether an event changes what the page shows of an ask.
fn changes_view(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Asked
            | EventKind::Refused
            | EventKind::Decided
            | EventKind::Extended
            | EventKind::AgentGone
            | EventKind::AgentBack
            | EventKind::TooFast
    )
}
