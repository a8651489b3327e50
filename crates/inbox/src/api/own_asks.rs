//! What a program asks with its token, and reads of it: nothing else of the inbox is told to it.

use super::error::{ApiError, Body, ask_id};
use crate::{
    gate::{Gate, Visitor},
    server::Page,
    tokens::Token,
    waits::Wait,
};
use axum::{
    Extension, Json,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderMap, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{Stream, stream};
use holdpoint::{AskId, Origin, Withdrawal, journal::AskRecord, tool::input_schema};
use holdpoint_ask::{form_arguments::FormArguments, given_arguments::GivenArguments};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{convert::Infallible, time::Duration};
use tokio::time::Instant;

/// What the record calls the tool with which a program asks.
pub(crate) const TOOL: &str = "POST /api/asks";

/// The header with which a program says that a request is the same as an earlier one.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// The most characters of it.
const LONGEST_KEY: usize = 255;
/// The longest that one request waits for an answer.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Opens an ask, in the JSON of `elicit_form`. Under the same `Idempotency-Key` it is asked once.
pub(crate) async fn create(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    Body(given): Body<Map<String, Value>>,
) -> Result<Response, ApiError> {
    let token = visitor.program()?;
    let key = idempotency_key(&headers)?;
    let given = GivenArguments::new(given);
    let arguments: FormArguments = given.parse(&input_schema::<FormArguments>())?;
    let ask = arguments.into_ask()?;
    let desk = gate.page.desk();
    let left = desk.ask_and_leave(token.origin(), key, ask).await?;
    let told = gate.result_of(&left.record).await?;
    if !left.is_new {
        return Ok(Json(told).into_response());
    }
    let place = [(header::LOCATION, format!("/api/asks/{}", left.record.id))];
    Ok((StatusCode::CREATED, place, Json(told)).into_response())
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(key) = keys.next() else {
        return Ok(None);
    };
    let key = key
        .to_str()
        .ok()
        .filter(|key| !key.is_empty() && key.len() <= LONGEST_KEY && keys.next().is_none());
    key.map(Some).ok_or_else(|| {
        let message = format!(
            "`Idempotency-Key` must be there once, with 1 to {LONGEST_KEY} visible ASCII characters."
        );
        ApiError::bad_request(message)
    })
}

/// How long a request is to wait.
#[derive(Deserialize)]
pub(crate) struct Waiting {
    /// In seconds.
    wait: Option<u64>,
}

/// What became of an ask of the program's own; waits for its end, if it is to.
pub(crate) async fn read(
    gate: &Gate,
    token: &Token,
    record: AskRecord,
    waiting: Result<Query<Waiting>, QueryRejection>,
) -> Result<Json<Map<String, Value>>, ApiError> {
    let waiting = waiting.map_err(|_| {
        let most = LONGEST_WAIT.as_secs();
        ApiError::bad_request(format!("`wait` must be a number of seconds, up to {most}."))
    })?;
    let wait = Duration::from_secs(waiting.wait.unwrap_or_default()).min(LONGEST_WAIT);
    let mut watch = Watch::begin(gate, token, record.id)?;
    let record = watch.settled(Some(Instant::now() + wait)).await?;
    Ok(Json(gate.result_of(&record).await?))
}

/// Live events of one ask of the program's own: `pending`, then `settled`, which is the last.
pub(crate) async fn events(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let token = visitor.program()?;
    let record = gate.page.own_ask(ask_id(&id)?, token).await?;
    let watch = Watch::begin(&gate, token, record.id)?;
    let feed = Feed {
        watch,
        told_pending: false,
        over: false,
    };
    let events = stream::unfold(feed, |mut feed| async move {
        let event = feed.next().await?;
        Some((Ok(event), feed))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// Withdraws an open ask of the program's own; one that has ended stays as it is.
pub(crate) async fn withdraw(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<Map<String, Value>>, ApiError> {
    let (page, token) = (&gate.page, visitor.program()?);
    let record = page.own_ask(ask_id(&id)?, token).await?;
    let why = Withdrawal::CallCancelled;
    page.desk().take_back(record.id, why).await?;
    let record = page.own_ask(record.id, token).await?;
    Ok(Json(gate.result_of(&record).await?))
}

/// The stream of one ask.
struct Feed {
    watch: Watch,
    told_pending: bool,
    over: bool,
}

impl Feed {
    /// The next event; none when it ended, the token was revoked or the page is no longer served.
    async fn next(&mut self) -> Option<Event> {
        if self.over {
            return None;
        }
        let until = (!self.told_pending).then(Instant::now);
        let record = match self.watch.settled(until).await {
            Ok(record) => record,
            Err(refused) => {
                tracing::debug!(?refused, "the events of an ask end");
                return None;
            }
        };
        self.over = record.decision.is_some();
        if !self.over && self.told_pending {
            return None;
        }
        self.told_pending = true;
        let told = self.watch.gate.result_of(&record).await.ok()?;
        let name = if self.over { "settled" } else { "pending" };
        Event::default().event(name).json_data(told).ok()
    }
}

/// Watches one ask for the program that asked it.
struct Watch {
    gate: Gate,
    token: Token,
    id: AskId,
    _wait: Wait,
}

impl Watch {
    fn begin(gate: &Gate, token: &Token, id: AskId) -> Result<Self, ApiError> {
        let wait = gate.page.waits.begin(&token.name).ok_or_else(|| {
            let message =
                "Too many requests with this token wait already: let some of them end first.";
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
        })?;
        Ok(Self {
            gate: gate.clone(),
            token: token.clone(),
            id,
            _wait: wait,
        })
    }

    /// The ask when it has ended, or as it is when this moment has come or the page is no longer served.
    async fn settled(&mut self, until: Option<Instant>) -> Result<AskRecord, ApiError> {
        let page = self.gate.page.clone();
        let desk = page.desk();
        let mut commits = desk.journal().commits();
        loop {
            commits.mark_unchanged();
            // It may have been revoked meanwhile, which is a commit too.
            if !page.tokens.is_good(&self.token).await? {
                return Err(ApiError::unknown_token());
            }
            let record = page.own_ask(self.id, &self.token).await?;
            if record.decision.is_some() || until.is_some_and(|until| until <= Instant::now()) {
                return Ok(record);
            }
            if desk.end_if_due(&record).await? {
                continue;
            }
            let due = record.deadline_at.map(|at| at.duration_since(desk.now()));
            let due = due.map(|due| Duration::try_from(due).unwrap_or_default());
            tokio::select! {
                changed = commits.changed() => if changed.is_err() {
                    return Ok(record);
                },
                () = at_most(due) => {}
                () = reached(until) => {}
                () = page.stop.cancelled() => return Ok(record),
            }
        }
    }
}

/// This time, or for ever.
async fn at_most(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}

/// This moment, or never.
async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

impl Visitor {
    /// The program that came with a token.
    fn program(&self) -> Result<&Token, ApiError> {
        match self {
            Self::Program(token) => Ok(token),
            Self::Browser(_) => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "not_allowed",
                "This is for programs: send a token with `Authorization: Bearer`.",
            )),
        }
    }
}

impl Token {
    /// Where what its holder asks through the page comes from.
    fn origin(&self) -> Origin {
        Origin {
            principal: self.principal(),
            client: Some(self.name.clone()),
            client_name: Some(self.name.clone()),
            tool: Some(TOOL.to_owned()),
            ..Origin::default()
        }
    }

    /// Whether its holder asked this, through the page. What they asked elsewhere is answered there.
    pub(crate) fn asked(&self, record: &AskRecord) -> bool {
        let own = self.origin();
        record.origin.is_bound_like(&own) && record.origin.tool == own.tool
    }
}

impl Page {
    /// The ask of this id, where this program asked it. Another's, and one that never was, look the same.
    async fn own_ask(&self, id: AskId, token: &Token) -> Result<AskRecord, ApiError> {
        let record = self.desk().journal().ask(id).await?;
        let own = record.filter(|record| token.asked(record));
        own.ok_or_else(ApiError::unknown_ask)
    }
}

impl Gate {
    /// What a program is told of an ask of its own: the fields of a tool's result; while it waits, also where it is
    /// answered and until when.
    async fn result_of(&self, record: &AskRecord) -> Result<Map<String, Value>, ApiError> {
        let mut told = self.page.desk().result_of(record).await?;
        if record.decision.is_none() {
            let url = || json!(format!("{}/ask/{}", self.site.url(), record.id));
            told.entry("url").or_insert_with(url);
            if let Some(deadline) = record.deadline_at {
                told.insert("deadlineAt".to_owned(), json!(deadline));
            }
        }
        Ok(told)
    }
}
